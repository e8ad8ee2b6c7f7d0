"""What a run has found, durable work unit by work unit, in one SQLite file of its directory.

Each row holds the hash of its key and its value, so that a damaged row is noticed whatever part
of it was hit. A file that is damaged anywhere is refused as a whole, before anything is read.
"""

import hashlib
import sqlite3
import zlib
from collections.abc import Callable, Iterable
from importlib import resources
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TypeVar

from sanproof.proofs.cover.parts import Tour
from sanproof.verify.errors import Failure, Unfinished
from sanproof.verify.run.rows import (
    MOST_BYTES,
    CubeFindings,
    GamesFound,
    games_row,
    items,
    packed,
    read_findings,
    read_games,
    read_tour,
    texts,
    tour_row,
    unpacked,
)

T = TypeVar("T")

ROOMS: Final = ("rules", "encoding", "kernel", "search", "verdicts", "games", "cover")
"""The rooms of ``proofs`` on whose code the results of a run depend."""

STORE_NAME: Final = "run.sqlite3"
APPLICATION: Final = 0x73616E70
"""Marks an SQLite file as ours (``PRAGMA application_id``): "sanp" in ASCII."""
FORM: Final = "2"
"""The form of the tables, raised with every change of it."""

UNITS: Final = "unit"
GAMES: Final = "games"
TOURS: Final = "tours"
FINISHED: Final = "finished"
FILES: Final = "files"
TABLES: Final = (UNITS, GAMES, TOURS, FINISHED, FILES)
"""Tables of the same columns. Without row numbers, a table has no index that could differ."""

_COLUMNS: Final = (
    "name TEXT PRIMARY KEY, value BLOB NOT NULL, seconds REAL NOT NULL, sha256 BLOB NOT NULL"
)
SCHEMA: Final = {
    "origin": "CREATE TABLE origin (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    **{table: f"CREATE TABLE {table} ({_COLUMNS}) WITHOUT ROWID" for table in TABLES},
}


def provenance() -> dict[str, str]:
    """What a run's results depend on: the versions of the tools, and the code that searches."""
    code = hashlib.sha256()
    for room in ROOMS:
        for file in sorted(resources.files("sanproof.proofs").joinpath(room).iterdir(), key=str):
            if file.name.endswith((".py", ".txt")):
                code.update(file.read_bytes())
    tools = {name: version(name) for name in ("sanproof", "chess", "z3-solver", "python-sat")}
    return tools | {"proofs": code.hexdigest()[:16]}


class Finished(NamedTuple):
    """What a run was finished for the last time.

    Attributes:
        scope: The name of its scope.
        files: The SHA-256 of each file that was written.
    """

    scope: str
    files: dict[str, str]


def _finished_row(finished: Finished) -> list[str]:
    return [finished.scope, *chain.from_iterable(finished.files.items())]


def _read_finished(row: Any) -> Finished:  # noqa: ANN401 - JSON may hold anything
    scope, *files = texts(row)
    return Finished(scope, dict(zip(files[::2], files[1::2], strict=True)))


class RunStore:
    """The run's file ``run.sqlite3``; one process at a time may have it open.

    Args:
        directory: The run directory, which exists.

    Raises:
        Failure: The file cannot be used, is damaged, or holds the run of another version.
    """

    def __init__(self, directory: Path) -> None:
        self.path = directory / STORE_NAME
        try:
            self._open()
        except sqlite3.OperationalError as error:
            raise Failure(self._explain(error)) from error
        except (sqlite3.DatabaseError, UnicodeError) as error:
            raise Failure(
                f"{self.path} is not a sanproof run ({error}): use another DIR."
            ) from error

    def _open(self) -> None:
        if self.path.exists() and not self.path.is_file():
            raise Failure(f"{self.path} is not a file: use another DIR.")
        self._database = sqlite3.connect(self.path, timeout=1, isolation_level=None)
        try:
            self._database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._check_owner()
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.execute("PRAGMA journal_mode = WAL")
            self._make_tables()
            self._check_origin()
            self._check()
        except BaseException:
            self.close()
            raise

    def _check_owner(self) -> None:
        """See that the file is ours, before anything is written to it."""
        ((application,),) = self._database.execute("PRAGMA application_id")
        ((tables,),) = self._database.execute("SELECT count(*) FROM sqlite_schema")
        if application != APPLICATION and (application or tables):
            raise Failure(
                f"{self.path} is no sanproof run, or an older sanproof made it: use another DIR."
            )

    def _make_tables(self) -> None:
        """Make the tables and note what made them, all or nothing, if the file is new."""
        ((tables,),) = self._database.execute("SELECT count(*) FROM sqlite_schema")
        if tables:
            return
        self._database.execute("BEGIN IMMEDIATE")
        self._database.execute(f"PRAGMA application_id = {APPLICATION}")
        for statement in SCHEMA.values():
            self._database.execute(statement)
        self._database.executemany("INSERT INTO origin VALUES (?, ?)", _origin().items())
        self._database.execute("COMMIT")

    def _check_origin(self) -> None:
        """See that this version made the file."""
        origin = dict(self._read("SELECT name, value FROM origin"))
        if origin != _origin():
            made_by = ", ".join(sorted(f"{name} {value}" for name, value in origin.items()))
            raise Failure(f"{self.path.parent} holds a run of {made_by}: use another DIR.")

    def _check(self) -> None:
        """Look for damage in the whole file: some milliseconds for a whole run.

        Raises:
            Failure: SQLite finds something wrong, or a row is not as it was written.
        """
        ((said,),) = self._read("PRAGMA quick_check(1)")
        if said != "ok":
            raise self.damaged(" ".join(str(said).split()))
        if dict(self._read("SELECT name, sql FROM sqlite_schema")) != SCHEMA:
            raise self.damaged("it has other tables")
        for table in TABLES:
            for name in self._names(table):
                self._row(table, name)

    def _explain(self, error: sqlite3.OperationalError) -> str:
        if "locked" in str(error):
            return f"Another run is at work in {self.path.parent}: wait for it, or use another DIR."
        return f"{self.path} cannot be used: {error}."

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, so that another process may open it."""
        self._database.close()

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
        """What is saved of a work unit.

        Raises:
            Failure: Nothing is, or it has not the shape of findings.
        """
        return self._load(UNITS, name, read_findings)

    def load_games(self, name: str) -> list[GamesFound]:
        """The games that are saved of a work unit.

        Raises:
            Failure: None are, or they have not the shape of games.
        """
        return self._load(GAMES, name, read_games)

    def load_tours(self, name: str) -> list[Tour] | None:
        """The tours that are saved of a part, or None."""
        return self._load(TOURS, name, read_tour) if name in self._names(TOURS) else None

    def worker_seconds(self, table: str = UNITS) -> float:
        """The time that all workers together spent on what is saved in a table."""
        ((seconds,),) = self._read(f"SELECT total(seconds) FROM {table}")  # noqa: S608
        return float(seconds)

    def files(self) -> set[str]:
        """The names of the files that the run has written, or was about to write."""
        return set(self._names(FILES))

    def note_files(self, names: Iterable[str]) -> None:
        """Note that the run is about to write these files, and so may replace them later."""
        for name in sorted(set(names) - self.files()):
            self._save(FILES, name, [], 0)

    def finish(self, finished: Finished) -> None:
        """Note for what the run is finished, in place of what it was finished for before."""
        self._save(FINISHED, "", [_finished_row(finished)], 0)

    def finished(self) -> Finished | None:
        """For what the run was finished the last time; None if it was not."""
        if not self._names(FINISHED):
            return None
        found = self._load(FINISHED, "", _read_finished)
        if len(found) != 1:
            raise self.damaged("it says more than once, or never, what it was finished for")
        return found[0]

    def _load(self, table: str, name: str, read: Callable[[Any], T]) -> list[T]:
        """The value of a row, which is a list, with a function that reads what is in it."""
        value, _ = self._row(table, name)
        try:
            found = [read(item) for item in items(unpacked(value))]
        except (zlib.error, ValueError, TypeError, RecursionError) as error:
            raise self.damaged(f"the row {name} of {table} has not its shape") from error
        return found

    def _row(self, table: str, name: str) -> tuple[bytes, float]:
        """A row's value and its seconds, when they have the hash that was kept with them."""
        rows = self._read(f"SELECT value, seconds, sha256 FROM {table} WHERE name = ?", name)  # noqa: S608
        if len(rows) != 1 or rows[0][2] != _digest(table, name, *rows[0][:2]):
            raise self.damaged(f"the row {name} of {table} is not as it was written")
        value, seconds, _ = rows[0]
        return value, seconds

    def _names(self, table: str) -> list[str]:
        return [name for (name,) in self._read(f"SELECT name FROM {table}")]  # noqa: S608

    def _save(self, table: str, name: str, value: list[Any], seconds: float) -> None:
        row = (name, packed(value), float(seconds))
        statement = f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?)"  # noqa: S608
        try:
            self._database.execute(statement, (*row, _digest(table, *row)))
        except sqlite3.OperationalError as error:
            raise Unfinished(
                f"{self.path} cannot be written ({error}): "
                "make room and run the same command again."
            ) from error

    def _read(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        try:
            return self._database.execute(query, values).fetchall()
        except (sqlite3.DatabaseError, UnicodeError) as error:
            if "locked" in str(error):
                raise
            raise self.damaged(str(error)) from error

    def damaged(self, what: str) -> Failure:
        """The failure to raise when something else is found than what was written."""
        return Failure(
            f"{self.path} is damaged ({what}): "
            "use another DIR, or move this one away and begin again."
        )


def _origin() -> dict[str, str]:
    return provenance() | {"form": FORM}


def _digest(*row: object) -> bytes:
    """The hash of a row: of its table, its name, its value and its seconds."""
    return hashlib.sha256(repr(row).encode("ascii", "backslashreplace")).digest()
