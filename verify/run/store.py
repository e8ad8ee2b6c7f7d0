"""A run's directory: what was found, durable work unit by work unit, and the files made of it."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.names import MANIFEST, WITH_COVER
from sanproof.verify.claims.selection import RunScope, select
from sanproof.verify.errors import Failure, failure
from sanproof.verify.work.folder import check_names, check_no_links, hash_of, prepare
from sanproof.verify.work.provenance import TOOLS, provenance
from sanproof.verify.work.store import SealedStore

LOG: Final = "run.log"
UNITS: Final = "unit"
GAMES: Final = "games"
TOURS: Final = "tours"
_FINISHED: Final = "finished"
KNOWN: Final = frozenset({*WITH_COVER, MANIFEST})
"""The names of all files that a run can write: of any other name none is touched."""


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


class RunStore(SealedStore):
    """The run's file ``run.sqlite3``; one of another version is refused.

    What was found of a work unit stands in the table ``UNITS`` as a list of
    :class:`verify.run.workers.CubeFindings`, its games in ``GAMES``, and the tours of a part of the
    cover in ``TOURS``.
    """

    NAME = "run.sqlite3"
    WORK = "run"
    APPLICATION = 0x73616E72  # "sanr" in ASCII
    TABLES = (UNITS, GAMES, TOURS, _FINISHED)

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, provenance(*TOOLS))

    def files(self) -> set[str]:
        """Return the files that the run wrote; a Failure if one is no file of a run."""
        return self._known(super().files())

    def finish(self, scope: RunScope, files: Mapping[str, bytes]) -> None:
        """Note for what the run is finished, in place of what it was finished for before."""
        hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        row = FinishedRun(scope.selection.pattern, int(scope.games), int(scope.cover), hashes)
        self.save(_FINISHED, "", row)

    def finished(self) -> FinishedRun | None:
        """Return for what the run was finished last, or None."""
        if not self.names(_FINISHED):
            return None
        finished = self.load(_FINISHED, "", FinishedRun)
        self._known(finished.files)
        return finished

    def _known(self, names: Iterable[str]) -> set[str]:
        strange = sorted(set(names) - KNOWN)
        if strange:
            raise self.damaged(f"it names {strange[0]!a}, which no run writes")
        return set(names)


def open_run(directory: Path) -> RunStore:
    """Open the run of a directory, which is made if need be; a Failure if it cannot be used."""
    prepare(directory, RunStore.NAME, RunStore.WORK)
    check_no_links(directory, [LOG])
    log = directory / LOG
    if log.exists() and not log.is_file():  # opening a pipe blocks until it is read
        raise Failure(f"{log} is not a file: use another DIR.")
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
