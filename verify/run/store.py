"""What a run has found, durable cube by cube, in one SQLite file of the run directory."""

import hashlib
import json
import sqlite3
import sys
import zlib
from collections.abc import Iterator
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from proofs.games.game import CheckedGame, ProofGame
from proofs.rules.cubes import Cube
from proofs.suite.tours import Tour
from proofs.verdicts.witness import CheckedWitness
from verify.errors import Failure

ROOMS: Final = ("rules", "encoding", "kernel", "search", "verdicts", "games", "suite")
"""The rooms of ``proofs`` on whose code the results of a run depend."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS origin (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS orbit
    (name TEXT PRIMARY KEY, found BLOB NOT NULL, seconds REAL NOT NULL);
CREATE TABLE IF NOT EXISTS games
    (name TEXT PRIMARY KEY, found BLOB NOT NULL, seconds REAL NOT NULL);
CREATE TABLE IF NOT EXISTS tours
    (name TEXT PRIMARY KEY, found BLOB NOT NULL, seconds REAL NOT NULL);
CREATE TABLE IF NOT EXISTS finished (selection TEXT PRIMARY KEY, outputs TEXT NOT NULL);
"""


class CubeFindings(NamedTuple):
    """What was found of a cube and checked.

    Attributes:
        cube: The cube, of White's moves.
        witnesses: A checked witness for each string found, and for a pawn's also Black's.
        left_open: The strings that the closing proof leaves open: those with a witness, and any
            for which there is neither a witness nor a refutation.
        certificate: The closing proof, as :mod:`proofs.kernel.certificates` writes it.
    """

    cube: Cube
    witnesses: list[CheckedWitness]
    left_open: list[str]
    certificate: str


class GamesFound(NamedTuple):
    """The proof games found and checked for one of White's witnesses.

    Attributes:
        san: The string of the witness.
        games: White's game, and Black's of the string with the colours exchanged; or none.
        given_up: How many positions were tried in vain before.
    """

    san: str
    games: list[CheckedGame]
    given_up: int


def provenance() -> dict[str, str]:
    """What a run's results depend on: the versions of the tools, and the code that searches."""
    code = hashlib.sha256()
    for room in ROOMS:
        for file in sorted(resources.files("proofs").joinpath(room).iterdir(), key=str):
            if file.name.endswith((".py", ".txt")):
                code.update(file.read_bytes())
    tools = {name: version(name) for name in ("sanproof", "chess", "z3-solver", "python-sat")}
    return tools | {"proofs": code.hexdigest()[:16]}


class RunStore:
    """The run's file ``run.sqlite3``; one process at a time may have it open.

    Raises:
        Failure: The directory cannot be used, or holds the run of another version.
    """

    def __init__(self, directory: Path) -> None:
        self.path = directory / "run.sqlite3"
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"{directory} cannot be a run directory: {error.strerror}.") from error
        try:
            self._open()
        except sqlite3.OperationalError as error:
            raise Failure(self._explain(error)) from error
        except sqlite3.DatabaseError as error:
            raise Failure(
                f"{self.path} is not a sanproof run ({error}): use another DIR."
            ) from error

    def _open(self) -> None:
        self._database = sqlite3.connect(self.path, timeout=1, isolation_level=None)
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._database.execute("PRAGMA synchronous = NORMAL")
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.executescript(SCHEMA)
        origin = dict(self._database.execute("SELECT name, value FROM origin"))
        if not origin:
            self._database.execute("BEGIN")
            self._database.executemany("INSERT INTO origin VALUES (?, ?)", provenance().items())
            self._database.execute("COMMIT")
        elif origin != provenance():
            self.close()
            made_by = ", ".join(f"{name} {value}" for name, value in sorted(origin.items()))
            raise Failure(f"{self.path.parent} holds a run of {made_by}: use another DIR.")

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
        """Make durable what was found of an orbit of cubes, and how long it took a worker."""
        self._write("INSERT OR REPLACE INTO orbit VALUES (?, ?, ?)", name, _packed(found), seconds)

    def save_games(self, name: str, found: list[GamesFound], seconds: float) -> None:
        """Make durable the games found for an orbit's witnesses."""
        rows = [(san, [_game_row(game) for game in games], n) for san, games, n in found]
        self._write("INSERT OR REPLACE INTO games VALUES (?, ?, ?)", name, _packed(rows), seconds)

    def save_tours(self, name: str, found: list[Tour], seconds: float) -> None:
        """Make durable the tours found for a part of the covering suite."""
        rows = [(t.start, " ".join(t.moves), " ".join(t.sans)) for t in found]
        self._write("INSERT OR REPLACE INTO tours VALUES (?, ?, ?)", name, _packed(rows), seconds)

    def load_tours(self, name: str) -> list[Tour] | None:
        """The tours that are saved of a part, or None."""
        if not self._read("SELECT 1 FROM tours WHERE name = ?", name):
            return None
        rows = self._load("tours", name)
        return [Tour(start, _shared(moves), _shared(sans)) for start, moves, sans in rows]

    def names(self) -> set[str]:
        """The orbits that are saved."""
        return {name for (name,) in self._read("SELECT name FROM orbit")}

    def names_with_games(self) -> set[str]:
        """The orbits whose games are saved."""
        return {name for (name,) in self._read("SELECT name FROM games")}

    def load(self, name: str | None = None) -> Iterator[CubeFindings]:
        """Everything that is saved of one orbit, or of all."""
        for cube, witnesses, left_open, certificate in self._load("orbit", name):
            checked = [CheckedWitness(*w) for w in witnesses]
            yield CubeFindings(Cube(*cube), checked, left_open, certificate)

    def load_games(self) -> Iterator[GamesFound]:
        """All games that are saved."""
        for san, games, given_up in self._load("games", None):
            yield GamesFound(san, [_read_game_row(*row) for row in games], given_up)

    def _load(self, table: str, name: str | None) -> Iterator[Any]:
        query = f"SELECT found FROM {table} WHERE name = ? OR ? IS NULL ORDER BY name"  # noqa: S608
        for (packed,) in self._read(query, name, name):
            try:
                yield from json.loads(zlib.decompress(packed))
            except (zlib.error, ValueError, TypeError) as error:
                raise Failure(self._damaged(error)) from error

    def worker_seconds(self, table: str = "orbit") -> float:
        """The time that all workers together spent on what is saved in a table."""
        ((seconds,),) = self._read(f"SELECT total(seconds) FROM {table}")  # noqa: S608
        return float(seconds)

    def finish(self, selection: str, outputs: dict[str, str]) -> None:
        """Note that the run is finished for a selection, with the hashes of its output files."""
        self._write("INSERT OR REPLACE INTO finished VALUES (?, ?)", selection, json.dumps(outputs))

    def finished(self, selection: str) -> dict[str, str] | None:
        """The hashes of the output files if the run is finished for this selection."""
        query = "SELECT outputs FROM finished WHERE selection = ?"
        rows = self._read(query, selection)
        return dict(json.loads(rows[0][0])) if rows else None

    def _read(self, query: str, *values: str | None) -> list[tuple[Any, ...]]:
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise Failure(self._damaged(error)) from error

    def _damaged(self, error: Exception) -> str:
        return f"{self.path} is damaged ({error}): delete it and begin again, or use another DIR."

    def _write(self, statement: str, *values: str | float | bytes) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.OperationalError as error:
            raise Failure(
                f"{self.path} cannot be written ({error}): "
                "make room and run the same command again."
            ) from error


def _packed(found: Any) -> bytes:  # noqa: ANN401 - whatever JSON can hold
    return zlib.compress(json.dumps(found).encode("ascii"))


def _game_row(checked: CheckedGame) -> tuple[str | int, ...]:
    game, sans, *witness = checked
    return (game.san, game.colour, game.ply, " ".join(game.moves), " ".join(sans), *witness)


def _read_game_row(
    san: str, colour: str, ply: int, moves: str, sans: str, *witness: str
) -> CheckedGame:
    game = ProofGame(san, colour, ply, _shared(moves))
    return CheckedGame(game, _shared(sans), *witness)


def _shared(moves: str) -> tuple[str, ...]:
    """Moves, of which equal ones are one object: a fifth of the memory."""
    return tuple(map(sys.intern, moves.split(" ")))
