"""Reads each file of a run once, so that exactly what was read is checked, and compares the files.

A file that is published packed is read under that name. A file that the manifest does not name is
not part of the run, and is reported as not checked; it may not have the name of a run's file.
"""

import hashlib
from collections.abc import Mapping
from importlib.metadata import version
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

from sanproof.proofs.kernel.files import EvidenceError, read_bytes, text_of, unpacked
from sanproof.reports.archive import json_object
from sanproof.reports.tables import names
from sanproof.verify.claims.manifest import Manifest, make_manifest, read_manifest
from sanproof.verify.claims.publish import SEARCH, TIMES, summaries

KEPT: Final = ("run.sqlite3", "run.sqlite3-wal", "run.sqlite3-shm", "run.log")
"""Other files of a run directory, with which a stopped run can continue."""
MOST: Final = 10**9
"""An upper limit: no count of a search, and no time in seconds, comes near."""
EXCERPT: Final = 80


class RunFiles(NamedTuple):
    """The files of a run as they were read.

    Attributes:
        manifest: The entries of the manifest.
        digests: The SHA-256 of each file that was read, the manifest first.
        contents: The content of each file that the manifest names, packed if its name says so.
        unchecked: The names of all other files in the directory.
    """

    manifest: Manifest
    digests: dict[str, str]
    contents: dict[str, bytes]
    unchecked: list[str]

    def text(self, name: str) -> str:
        """Return the text of a file, unpacked. Raises an EvidenceError if it is not plain text."""
        return text_of(name, self.contents[name])

    def compare(self, files: dict[str, bytes], counts: Mapping[str, Any]) -> None:
        """Check that all files hold what they should, to the byte, packed in whatever way.

        What only the run knows, how much it searched and how long, may be any numbers.

        Raises:
            EvidenceError: A file does not.
        """
        try:
            claimed = json_object(self.contents[names.SUMMARY])
            search, times = dict(claimed["search"]), dict(claimed["times"])
        except (LookupError, ValueError, TypeError, RecursionError) as error:
            raise EvidenceError(
                f"{names.SUMMARY}: it is not the summary of a run: {error}"
            ) from error
        numbers = [*search.values(), *times.values()]
        is_known = (*search, *times) == SEARCH + TIMES
        if not is_known or not all(type(n) in (int, float) and 0 <= n <= MOST for n in numbers):
            raise EvidenceError(f"{names.SUMMARY}: its search and times are not those of a run")
        known = {"search": search, "versions": dict(self.manifest.versions), "times": times}
        counts = {**counts, **known}
        for name, ours in (files | summaries(counts)).items():
            theirs = unpacked(name, self.contents[name])
            if ours != theirs:
                raise EvidenceError(f"{name}: {difference(ours, theirs)}")
        if self.manifest.sealed() != make_manifest(self.contents, counts):
            raise EvidenceError(f"{names.MANIFEST}: its counts are not what was counted")


def read_run(directory: Path) -> RunFiles:
    """Read a run directory, or published data.

    Raises:
        EvidenceError: A file is missing, damaged, too large, not the one that the manifest names,
            or could be taken for a file of the run.
    """
    content = read_bytes(directory / names.MANIFEST)
    manifest = read_manifest(content)
    made_by = manifest.versions["sanproof"]
    if made_by != version("sanproof"):
        raise EvidenceError(
            f"{names.MANIFEST}: the run is of sanproof {made_by[:20]!a}: use that version"
        )
    if sorted(manifest.files) not in map(sorted, (names.FILES, names.WITH_GAMES, names.WITH_COVER)):
        raise EvidenceError(f"{names.MANIFEST}: it does not list the files of a run")
    digests = {names.MANIFEST: hashlib.sha256(content).hexdigest()} | manifest.files
    found = {path.name for path in directory.iterdir()}
    contents = {}
    for name in manifest.files:
        packed = names.PUBLISHED_AS.get(name, name)
        place = packed if name not in found and packed in found else name
        content = read_bytes(directory / place)
        if place != name:
            content = text_of(place, content).encode("ascii")
        if hashlib.sha256(content).hexdigest() != digests[name]:
            raise EvidenceError(f"{name}: its hash is not the one in {names.MANIFEST}")
        contents[name] = content
        found -= {place}
    unchecked = sorted(found.difference(KEPT, {names.MANIFEST}))
    if mistakable := {*names.WITH_COVER, *names.PUBLISHED_AS.values()}.intersection(unchecked):
        raise EvidenceError(f"{min(mistakable)}: {names.MANIFEST} does not name it")
    return RunFiles(manifest, digests, contents, unchecked)


def difference(ours: bytes, theirs: bytes) -> str:
    """Return where a file first differs, with the beginnings of its line and of the right one."""
    pairs = enumerate(zip_longest(BytesIO(ours), BytesIO(theirs), fillvalue=b""), 1)
    number, lines = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
    should, does = (str(line[:EXCERPT])[1:] if line else "the end" for line in lines)
    return f"line {number} is {does}, and should be {should}"
