"""Reads the files of a run, each once, so that what is checked is what was read.

A file that is published packed is read as ``name.xz``. What the manifest does not name is no part
of the run: if a run could have such a file it is refused, and otherwise it is named as unchecked.
"""

import hashlib
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from proofs.kernel.files import EvidenceError, read_bytes, text_of
from reports.tables.names import FILES, MANIFEST, WITH_GAMES, WITH_SUITE
from verify.audit.manifest import Manifest, ManifestError, read_manifest

KEPT = ("run.sqlite3", "run.sqlite3-wal", "run.sqlite3-shm", "run.log")
"""What a run directory holds besides, so that a stopped run can go on."""


class RunFiles(NamedTuple):
    """The files of a run as they were read.

    Attributes:
        manifest: What the manifest says.
        digest: The manifest's SHA-256, which stands for all files.
        contents: The content of each file that it names, unpacked if it is only published packed.
        unchecked: The names of what else the directory holds.
    """

    manifest: Manifest
    digest: str
    contents: dict[str, bytes]
    unchecked: list[str]

    def text(self, name: str) -> str:
        """The text of a file."""
        return text_of(name, self.contents[name])


def read_run(directory: Path) -> RunFiles:
    """Read a run directory, or published data.

    Raises:
        EvidenceError: A file is missing, damaged, too large, or not named by the manifest.
    """
    content = read_bytes(directory / MANIFEST)
    try:
        manifest = read_manifest(content)
    except ManifestError as error:
        raise EvidenceError(f"{MANIFEST}: {error}") from error
    made_by = manifest.versions.get("sanproof")
    if made_by != version("sanproof"):
        raise EvidenceError(f"{MANIFEST}: the run is of sanproof {made_by}: use that version")
    if sorted(manifest.files) not in map(sorted, (FILES, WITH_GAMES, WITH_SUITE)):
        raise EvidenceError(f"{MANIFEST}: it does not list the files of a run")
    unchecked = _unchecked(directory, manifest)
    contents = {name: _read(directory, name, manifest.files[name]) for name in manifest.files}
    return RunFiles(manifest, hashlib.sha256(content).hexdigest(), contents, unchecked)


def _read(directory: Path, name: str, digest: str) -> bytes:
    path, packed = directory / name, directory / f"{name}.xz"
    if packed.is_file() and not path.exists():
        content = text_of(packed.name, read_bytes(packed)).encode("ascii")
    else:
        content = read_bytes(path)
    if hashlib.sha256(content).hexdigest() != digest:
        raise EvidenceError(f"{name}: its hash is not the one in {MANIFEST}")
    return content


def _unchecked(directory: Path, manifest: Manifest) -> list[str]:
    """What the directory holds beside the files of the run."""
    found = {path.name for path in directory.iterdir()}
    known = {MANIFEST, *KEPT}
    for name in manifest.files:
        known |= {name} if (directory / name).exists() else {name, f"{name}.xz"}
    of_a_run = {*WITH_SUITE, MANIFEST}
    of_a_run |= {f"{name}.xz" for name in of_a_run}
    if strange := sorted((found - known) & of_a_run):
        raise EvidenceError(f"{strange[0]}: {MANIFEST} does not name it")
    return sorted(found - known)
