"""A run's directory: opening it, and writing its files."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.names import MANIFEST
from sanproof.verify.errors import Failure, failure
from sanproof.verify.run.store import Finished, RunStore
from sanproof.verify.work.folder import check_names, check_no_links, hash_of, prepare

LOG: Final = "run.log"


def open_run(directory: Path) -> RunStore:
    """Open the run of a directory, which is made if need be; a Failure if it cannot be used."""
    prepare(directory, RunStore.NAME, RunStore.WORK)
    check_no_links(directory, [LOG])
    log = directory / LOG
    if log.exists() and not log.is_file():  # who opens a pipe waits until somebody reads it
        raise Failure(f"{log} is not a file: use another DIR.")
    return RunStore(directory)


def write_files(directory: Path, store: RunStore, files: Mapping[str, bytes]) -> None:
    """Write a run's files, and remove those that it wrote before and has no longer.

    The manifest is removed first and written last: without one, nobody takes the directory for a
    finished run.

    Raises:
        Failure: A file is not the run's, or cannot be written or removed.
        Unfinished: There is no room for a file.
    """
    ours = store.files()
    check_names(directory, {*files, *ours}, ours, store.WORK)
    store.note_files(files)
    path = directory / MANIFEST
    try:
        path.unlink(missing_ok=True)
        for name in sorted(ours.difference(files)):
            path = directory / name
            path.unlink(missing_ok=True)
        for name, content in sorted(files.items(), key=lambda item: item[0] == MANIFEST):
            path = directory / name
            write_whole(path, content)
    except OSError as error:
        raise failure(
            f"{path} cannot be written or removed ({error.strerror}); what was decided is kept: "
            "make room and run the same command again.",
            error,
        ) from error


def is_intact(directory: Path, finished: Finished) -> bool:
    """Whether the files of a finished run are all there and unchanged."""
    return all(hash_of(directory / name) == digest for name, digest in finished.files.items())


def hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    """The SHA-256 of each file."""
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
