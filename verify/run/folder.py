"""A run's directory: which files in it are the run's, and writing them. Nothing else is touched."""

import hashlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from sanproof.reports.tables.files import remove_leftovers, write_whole
from sanproof.reports.tables.names import MANIFEST
from sanproof.verify.errors import Failure, failure
from sanproof.verify.run.store import STORE_NAME, Finished, RunStore

LOG: Final = "run.log"


def open_run(directory: Path) -> RunStore:
    """Open the run of a directory, which is made if it is not there.

    Raises:
        Failure: The directory holds files that are not a run's, or cannot be used.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if not (directory / STORE_NAME).exists():
            _check_nothing_is_lost(directory)
    except OSError as error:
        why = f"{directory} cannot be a run directory: {error.strerror}."
        raise failure(why, error) from error
    store = RunStore(directory)
    try:
        _check_log(directory / LOG)
        remove_leftovers(directory)
    except BaseException:
        store.close()
        raise
    return store


def _check_nothing_is_lost(directory: Path) -> None:
    """See that a directory without a run is empty."""
    others = sorted(path.name for path in directory.iterdir())
    if others:
        some = ", ".join(others[:3]) + ", ..." * (len(others) > 3)
        raise Failure(
            f"{directory} holds files but no run ({some}): "
            "name a DIR that is empty or does not exist."
        )


def _check_log(log: Path) -> None:
    """See that the log is a file: who opens a pipe waits until somebody reads it."""
    if log.exists() and not log.is_file():
        raise Failure(f"{log} is not a file: use another DIR.")


def check_names(directory: Path, store: RunStore, names: Collection[str]) -> None:
    """See that a run may write files of these names: there are none, or they are its own.

    Raises:
        Failure: There is a file that the run did not write.
    """
    ours = store.files()
    for name in names:
        path = directory / name
        is_there = path.is_symlink() or path.exists()
        if is_there and not (name in ours and path.is_file()):
            raise Failure(
                f"{path} is not a file of this run, and would be overwritten: "
                "move it away, or use another DIR."
            )


def write_files(directory: Path, store: RunStore, files: Mapping[str, bytes]) -> None:
    """Write a run's files, and remove those that it wrote before and has no longer.

    The manifest is removed first and written last: without one, nobody takes the directory for a
    finished run.

    Raises:
        Failure: A file is not the run's, or cannot be written or removed.
        Unfinished: There is no room for a file.
    """
    check_names(directory, store, files)
    store.note_files(files)
    path = directory / MANIFEST
    try:
        path.unlink(missing_ok=True)
        for name in sorted(store.files().difference(files)):
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
    return all(_hash(directory / name) == digest for name, digest in finished.files.items())


def hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    """The SHA-256 of each file."""
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def _hash(path: Path) -> str | None:
    """The SHA-256 of a file; None if there is none."""
    if not path.is_file():
        return None
    return hashlib.sha256(path.read_bytes()).hexdigest()
