"""What a run has found, durable work unit by work unit, in one SQLite file of its directory."""

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from sanproof.proofs.cover.parts import Tour
from sanproof.reports.tables.names import MANIFEST, WITH_COVER
from sanproof.verify.run.rows import (
    CubeFindings,
    GamesFound,
    games_row,
    read_findings,
    read_games,
    read_tour,
    tour_row,
)
from sanproof.verify.work.provenance import TOOLS, provenance
from sanproof.verify.work.rows import items, texts
from sanproof.verify.work.store import SealedStore

T = TypeVar("T")

UNITS: Final = "unit"
GAMES: Final = "games"
TOURS: Final = "tours"
FINISHED: Final = "finished"
FILES: Final = "files"
KNOWN: Final = frozenset({*WITH_COVER, MANIFEST})
"""The names of all files that a run can write: of any other name none is touched."""


class Finished(NamedTuple):
    """For what a run was finished the last time, with the SHA-256 of each file that was written."""

    scope: str
    files: dict[str, str]


class RunStore(SealedStore):
    """The run's file ``run.sqlite3``; one of another version is refused."""

    NAME = "run.sqlite3"
    WORK = "run"
    APPLICATION = 0x73616E72  # "sanr" in ASCII
    TABLES = (UNITS, GAMES, TOURS, FINISHED, FILES)

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, provenance(*TOOLS))

    def save(self, name: str, found: list[CubeFindings], seconds: float) -> None:
        """Make durable what was found of a work unit, and how long it took a worker."""
        self._save(UNITS, name, found, seconds)

    def save_games(self, name: str, found: list[GamesFound], seconds: float) -> None:
        """Make durable the games found for a work unit's witnesses."""
        self._save(GAMES, name, list(map(games_row, found)), seconds)

    def save_tours(self, name: str, found: list[Tour], seconds: float) -> None:
        """Make durable the tours found for a part of the cover."""
        self._save(TOURS, name, list(map(tour_row, found)), seconds)

    def names(self) -> set[str]:
        """The work units that are saved."""
        return set(self._names(UNITS))

    def names_with_games(self) -> set[str]:
        """The work units whose games are saved."""
        return set(self._names(GAMES))

    def load(self, name: str) -> list[CubeFindings]:
        """What is saved of a work unit; a Failure if nothing is."""
        return self._list(UNITS, name, read_findings)

    def load_games(self, name: str) -> list[GamesFound]:
        """The games that are saved of a work unit; a Failure if none are."""
        return self._list(GAMES, name, read_games)

    def load_tours(self, name: str) -> list[Tour] | None:
        """The tours that are saved of a part, or None."""
        return self._list(TOURS, name, read_tour) if name in self._names(TOURS) else None

    def worker_seconds(self, table: str = UNITS) -> float:
        """The time that all workers together spent on what is saved in a table."""
        ((seconds,),) = self._read(f"SELECT total(seconds) FROM {table}")  # noqa: S608
        return float(seconds)

    def files(self) -> set[str]:
        """The files that the run wrote, or was about to; a Failure if one is no file of a run."""
        return self._known(self._names(FILES))

    def note_files(self, names: Iterable[str]) -> None:
        """Note that the run is about to write these files, and so may replace them later."""
        for name in sorted(set(names) - self.files()):
            self._save(FILES, name, [])

    def finish(self, finished: Finished) -> None:
        """Note for what the run is finished, in place of what it was finished for before."""
        self._save(FINISHED, "", [finished.scope, *chain.from_iterable(finished.files.items())])

    def finished(self) -> Finished | None:
        """For what the run was finished last, or None; a Failure if that is no scope and files."""
        if not self._names(FINISHED):
            return None
        finished = self._one(FINISHED, "", _read_finished)
        self._known(finished.files)
        return finished

    def _list(self, table: str, name: str, read: Callable[[Any], T]) -> list[T]:
        return self._one(table, name, lambda value: [read(item) for item in items(value)])

    def _known(self, names: Iterable[str]) -> set[str]:
        strange = sorted(set(names) - KNOWN)
        if strange:
            raise self.damaged(f"no run writes a file {strange[0]!a}")
        return set(names)


def _read_finished(value: Any) -> Finished:  # noqa: ANN401 - JSON may hold anything
    scope, *files = texts(value)
    return Finished(scope, dict(zip(files[::2], files[1::2], strict=True)))
