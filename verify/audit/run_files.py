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
from sanproof.reports.tables.names import (
    FILES,
    MANIFEST,
    PUBLISHED_AS,
    SUMMARY,
    WITH_COVER,
    WITH_GAMES,
)
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

    def known_to_run(self) -> dict[str, Any]:
        """Return the numbers that only the run knows: counts of its search, versions and times.

        Raises:
            EvidenceError: They cannot be counts, versions and times of a run.
        """
        try:
            claimed = json_object(self.contents[SUMMARY])
            known = {name: dict(claimed[name]) for name in ("search", "versions", "times")}
            search, made_by, times = known.values()
            numbers = [*search.values(), *times.values()]
        except (LookupError, ValueError, TypeError, RecursionError) as error:
            raise EvidenceError(f"{SUMMARY}: it is not the summary of a run: {error}") from error
        is_known = (*search, *times) == SEARCH + TIMES and made_by == self.manifest.versions
        if not is_known or not all(type(n) in (int, float) and 0 <= n <= MOST for n in numbers):
            raise EvidenceError(f"{SUMMARY}: its search, versions and times are not those of a run")
        return known

    def compare(self, files: dict[str, bytes], counts: Mapping[str, Any]) -> None:
        """Check that the content of every file is the expected one, however it is packed.

        Raises:
            EvidenceError: A file has another content.
        """
        for name, ours in (files | summaries(counts)).items():
            theirs = unpacked(name, self.contents[name])
            if ours != theirs:
                raise EvidenceError(f"{name}: {difference(ours, theirs)}")
        if self.manifest.sealed() != make_manifest(self.contents, counts):
            raise EvidenceError(f"{MANIFEST}: its counts are not what was counted")


def read_run(directory: Path) -> RunFiles:
    """Read a run directory, or published data.

    Raises:
        EvidenceError: A file is missing, damaged, too large, not the one that the manifest names,
            or could be taken for a file of the run.
    """
    content = read_bytes(directory / MANIFEST)
    manifest = read_manifest(content)
    made_by = manifest.versions["sanproof"]
    if made_by != version("sanproof"):
        raise EvidenceError(
            f"{MANIFEST}: the run is of sanproof {made_by[:20]!a}: use that version"
        )
    if sorted(manifest.files) not in map(sorted, (FILES, WITH_GAMES, WITH_COVER)):
        raise EvidenceError(f"{MANIFEST}: it does not list the files of a run")
    digests = {MANIFEST: hashlib.sha256(content).hexdigest()} | manifest.files
    found = {path.name for path in directory.iterdir()}
    contents = {}
    for name in manifest.files:
        packed = PUBLISHED_AS.get(name, name)
        place = packed if name not in found and packed in found else name
        content = read_bytes(directory / place)
        if place != name:
            content = text_of(place, content).encode("ascii")
        if hashlib.sha256(content).hexdigest() != digests[name]:
            raise EvidenceError(f"{name}: its hash is not the one in {MANIFEST}")
        contents[name] = content
        found -= {place}
    unchecked = sorted(found.difference(KEPT, {MANIFEST}))
    if mistakable := {*WITH_COVER, *PUBLISHED_AS.values()}.intersection(unchecked):
        raise EvidenceError(f"{min(mistakable)}: {MANIFEST} does not name it")
    return RunFiles(manifest, digests, contents, unchecked)


def difference(ours: bytes, theirs: bytes) -> str:
    """Return where a file first differs, with the beginnings of its line and of the right one."""
    pairs = enumerate(zip_longest(BytesIO(ours), BytesIO(theirs), fillvalue=b""), 1)
    number, lines = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
    should, does = (str(line[:EXCERPT])[1:] if line else "the end" for line in lines)
    return f"line {number} is {does}, and should be {should}"
