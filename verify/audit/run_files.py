"""Reads the files of a run, each once, so that what is checked is what was read.

A file that is published packed is read under that name. What the manifest does not name is no part
of the run: if it has the name of a run's file it is refused, and otherwise it is reported as not
checked.
"""

import hashlib
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Final

from sanproof.proofs.kernel.files import MOST_BYTES, EvidenceError, read_bytes, text_of, unpacked
from sanproof.reports.tables.names import FILES, MANIFEST, PUBLISHED_AS, WITH_COVER, WITH_GAMES
from sanproof.verify.claims.manifest import Manifest, read_manifest

KEPT: Final = ("run.sqlite3", "run.sqlite3-wal", "run.sqlite3-shm", "run.log")
"""Other files of a run directory, with which a stopped run can go on."""

MAX_BYTES_IN_ALL: Final = 4 * MOST_BYTES
"""Twice what the files of the largest run have together, unpacked."""


@dataclass(frozen=True)
class RunFiles:
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
    _texts: dict[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return a file's text, unpacked; EvidenceError if it is no plain text, or too large."""
        if name not in self._texts:
            text = text_of(name, self.contents[name])
            if sum(map(len, self._texts.values())) + len(text) > MAX_BYTES_IN_ALL:
                raise EvidenceError(f"{name}: unpacks, with the others, to more than any run")
            self._texts[name] = text
        return self._texts[name]

    def unpacked(self, name: str) -> bytes:
        """Return a file's content, unpacked, to be compared with what it should be, to the byte."""
        return unpacked(name, self.contents[name])


def read_run(directory: Path) -> RunFiles:
    """Read a run directory, or published data.

    Raises:
        EvidenceError: A file is missing, damaged, too large, or not named by the manifest.
    """
    try:
        found = {path.name for path in directory.iterdir()}
    except OSError as error:
        raise EvidenceError(f"{MANIFEST}: cannot be read: {error.strerror}") from error
    content = read_bytes(directory / MANIFEST)
    manifest = read_manifest(content)
    made_by = manifest.versions["sanproof"]
    if made_by != version("sanproof"):
        raise EvidenceError(f"{MANIFEST}: the run is of sanproof {made_by}: use that version")
    if sorted(manifest.files) not in map(sorted, (FILES, WITH_GAMES, WITH_COVER)):
        raise EvidenceError(f"{MANIFEST}: it does not list the files of a run")
    places = {}
    for name in manifest.files:
        packed = PUBLISHED_AS.get(name, name)
        places[name] = directory / (packed if name not in found and packed in found else name)
    unchecked = sorted(found.difference(KEPT, {MANIFEST}, {p.name for p in places.values()}))
    names = {*WITH_COVER, MANIFEST}
    for name in unchecked:  # it could be taken for a file of the run
        if names.intersection((name, name.removesuffix(".xz"), name.removesuffix(".gz"))):
            raise EvidenceError(f"{name}: {MANIFEST} does not name it")
    digests = {MANIFEST: hashlib.sha256(content).hexdigest()} | manifest.files
    return RunFiles(manifest, digests, _read(places, digests), unchecked)


def _read(places: dict[str, Path], digests: dict[str, str]) -> dict[str, bytes]:
    """Return the content of each file, which may be published packed."""
    contents: dict[str, bytes] = {}
    for name, place in places.items():
        contents[name] = read_bytes(place)
        if place.name != name:
            contents[name] = text_of(place.name, contents[name]).encode("ascii")
        if hashlib.sha256(contents[name]).hexdigest() != digests[name]:
            raise EvidenceError(f"{name}: its hash is not the one in {MANIFEST}")
        if sum(map(len, contents.values())) > MAX_BYTES_IN_ALL:
            raise EvidenceError(f"{name}: is, with the others, larger than any run")
    return contents
