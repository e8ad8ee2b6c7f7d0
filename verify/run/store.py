"""A run's directory: what was found, durable work unit by work unit, and the files made of it."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.names import MANIFEST
from sanproof.verify.claims.selection import RunScope, select
from sanproof.verify.errors import failure
from sanproof.verify.work.folder import check_names, hash_of, prepare
from sanproof.verify.work.provenance import TOOLS, provenance
from sanproof.verify.work.store import Store

LOG: Final = "run.log"
UNITS: Final = "unit"
GAMES: Final = "games"
TOURS: Final = "tours"
_FINISHED: Final = "finished"


class FinishedRun(NamedTuple):
    """For what a run was finished the last time, with the SHA-256 of each file that was written.

    ``games`` and ``cover`` are 1 if they were wanted, otherwise 0.
    """

    pattern: str
    games: int
    cover: int
    files: dict[str, str]

    @property
    def scope(self) -> RunScope:
        """The scope of the run; a Failure if no string matches the pattern."""
        selection = select(self.pattern or None)
        return RunScope(selection, games=bool(self.games), cover=bool(self.cover))

    def is_intact(self, directory: Path) -> bool:
        """Check whether the files are all there and unchanged."""
        return all(hash_of(directory / name) == digest for name, digest in self.files.items())


class RunStore(Store):
    """The run's file ``run.sqlite3``: findings of work units, their games, and tours of a cover."""

    NAME = "run.sqlite3"
    WORK = "run"

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, provenance(*TOOLS))

    def finish(self, scope: RunScope, files: Mapping[str, bytes]) -> None:
        """Note for what the run is finished, in place of what it was finished for before."""
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        row = FinishedRun(scope.selection.pattern, int(scope.games), int(scope.cover), hashes)
        self.save(_FINISHED, "", row)

    def finished(self) -> FinishedRun | None:
        """Return for what the run was finished last, or None."""
        return FinishedRun(*self.load(_FINISHED, "")) if self.names(_FINISHED) else None


def open_run(directory: Path) -> RunStore:
    """Open the run of a directory, which is made if need be; a Failure if it cannot be used."""
    prepare(directory, RunStore.NAME, RunStore.WORK)
    return RunStore(directory)


def write_files(directory: Path, store: RunStore, files: Mapping[str, bytes]) -> None:
    """Write a run's files, and remove those that it wrote before and has no longer.

    The manifest is removed first and written last: without one, no reader takes the directory for a
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
            f"{path} cannot be written or removed ({error.strerror}); what was decided is kept. "
            "Mend that, and run the same command again.",
            error,
        ) from error
