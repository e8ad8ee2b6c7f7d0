"""A run's directory: what was found, durable work unit by work unit, and the files made of it."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.names import MANIFEST
from sanproof.verify.claims.manifest import Manifest, read_manifest
from sanproof.verify.errors import failure
from sanproof.verify.work.provenance import TOOLS, provenance
from sanproof.verify.work.store import Store

LOG: Final = "run.log"
UNITS: Final = "unit"
GAMES: Final = "games"
TOURS: Final = "tours"


class RunStore(Store):
    """The run's file ``run.sqlite3``: findings of work units, their games, and tours of a cover."""

    NAME = "run.sqlite3"
    WORK = "run"

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, provenance(*TOOLS))


def finished_run(directory: Path) -> Manifest | None:
    """Return the manifest of a finished run; None if there is none."""
    try:
        return read_manifest((directory / MANIFEST).read_bytes())
    except (OSError, EvidenceError):
        return None


def is_intact(directory: Path, finished: Manifest) -> bool:
    """Check whether the files of a finished run are all there and unchanged."""
    paths = {directory / name: digest for name, digest in finished.files.items()}
    return all(path.is_file() for path in paths) and all(
        hashlib.sha256(path.read_bytes()).hexdigest() == digest for path, digest in paths.items()
    )


def write_files(directory: Path, store: RunStore, files: Mapping[str, bytes]) -> None:
    """Write a run's files, and remove those that it wrote before and has no longer.

    The manifest is removed first and written last: without one, no reader takes the directory for a
    finished run.

    Raises:
        Failure: A file is not the run's, or cannot be written or removed.
        Unfinished: There is no room for a file.
    """
    ours = store.claim(files)
    path = directory / MANIFEST
    try:
        path.unlink(missing_ok=True)
        for name in ours.difference(files):
            path = directory / name
            path.unlink(missing_ok=True)
        for name, content in sorted(files.items(), key=lambda item: item[0] == MANIFEST):
            path = directory / name
            write_whole(path, content)
    except OSError as error:
        raise failure(
            f"{path} cannot be written or removed ({error.strerror}); what was decided is kept. "
            "Mend that, and run the same command again.",
            error,
        ) from error
