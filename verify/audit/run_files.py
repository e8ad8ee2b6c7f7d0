"""Reads the files of a run, each once, so that what is checked is what was read.

A file that is published packed is read under that name. What the manifest does not name is no part
of the run, and is reported as not checked; it may not have the name of a run's file.
"""

import hashlib
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.proofs.kernel.files import EvidenceError, read_bytes, text_of
from sanproof.reports.tables.names import FILES, MANIFEST, PUBLISHED_AS, WITH_COVER, WITH_GAMES
from sanproof.verify.claims.manifest import Manifest, read_manifest

KEPT: Final = ("run.sqlite3", "run.sqlite3-wal", "run.sqlite3-shm", "run.log")
"""Other files of a run directory, with which a stopped run can go on."""


class RunFiles(NamedTuple):
    """The files of a run as they were read.

    Attributes:
        manifest: What the manifest says.
        digests: The SHA-256 of each file that was read, the manifest first.
        contents: The content of each file that the manifest names; packed if its name says so.
        unchecked: The names of what else the directory holds.
    """

    manifest: Manifest
    digests: dict[str, str]
    contents: dict[str, bytes]
    unchecked: list[str]

    def text(self, name: str) -> str:
        """Return a file's text, unpacked; EvidenceError if it is no plain text, or too large."""
        return text_of(name, self.contents[name])


def read_run(directory: Path) -> RunFiles:
    """Read a run directory, or published data.

    Raises:
        EvidenceError: A file is missing, damaged, too large, not the one in the manifest, or could
            be taken for one.
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
        place = PUBLISHED_AS.get(name, name) if name not in found else name
        content = read_bytes(directory / place if place in found else directory / name)
        if place != name:
            content = text_of(place, content).encode("ascii")
        if hashlib.sha256(content).hexdigest() != digests[name]:
            raise EvidenceError(f"{name}: its hash is not the one in {MANIFEST}")
        contents[name] = content
        found -= {place}
    unchecked = sorted(found.difference(KEPT, {MANIFEST}))
    ours = {*WITH_COVER, *PUBLISHED_AS.values()}
    if mistakable := ours.intersection(unchecked):
        raise EvidenceError(f"{min(mistakable)}: {MANIFEST} does not name it")
    return RunFiles(manifest, digests, contents, unchecked)
