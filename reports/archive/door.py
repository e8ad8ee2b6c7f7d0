"""The door from the proof to the tools: what a finished run, or the published data, says.

A tool asks here which strings are reachable, whether one is, and for its witness and game. No file
is used before its hash is checked.

The hashes tell a damaged file from a whole one; they do not tell a forged one. That is what
``sanproof audit`` is for. A forged file can say what is not so, but nothing that a run could not
say: everything read is checked against :mod:`reports.archive.schema` first.
"""

import hashlib
import json
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from sanproof.proofs.kernel.files import MOST_BYTES, EvidenceError, read_bytes, unpacked
from sanproof.proofs.rules.san import list_order
from sanproof.proofs.verdicts.drawing import board_svg
from sanproof.reports.archive import ArchiveError as ArchiveError  # noqa: PLC0414 - for all who open runs
from sanproof.reports.archive import schema
from sanproof.reports.archive.observed import Observed, open_observed
from sanproof.reports.archive.unpacking import all_games, chosen_games, pieces, row_of
from sanproof.reports.tables import names
from sanproof.reports.tables.pgn import PgnGame

LONGEST_LINE: Final = 1 << 14


def player_at(ply: int) -> str:
    """Return who moves at a ply, the first being 1."""
    return ("black", "white")[ply % 2]


class WitnessRow(NamedTuple):
    """A row of the table of witnesses: the string's move between two positions.

    They are from the game of this number, where the move is the 1-based ``ply``. If the other
    player can play the string as well, there is a place for that too. Without games all are None.
    """

    san: str
    before_fen: str
    uci: str
    after_fen: str
    game: int | None = None
    ply: int | None = None
    other_game: int | None = None
    other_ply: int | None = None

    @property
    def places(self) -> list[tuple[int, int]]:
        """The games and plies where the string is shown, the one with this position first."""
        both = ((self.game, self.ply), (self.other_game, self.other_ply))
        return [(game, ply) for game, ply in both if game is not None and ply is not None]

    @property
    def players(self) -> tuple[str, ...]:
        """Who can play the string: ``white``, ``black`` or both; nobody without games."""
        return tuple(sorted({player_at(ply) for _, ply in self.places}, reverse=True))

    def _repr_svg_(self) -> str:
        return board_svg(self.before_fen, self.uci)


class GameRow(NamedTuple):
    """A proof game of a string, whose last move is mate.

    ``number`` is its place in the file of games, from 1; 0 for a game that is in no file.
    ``colour`` plays the string, at the 1-based ``ply``; ``result`` is ``1-0`` or ``0-1``.
    """

    number: int
    san: str
    colour: str
    ply: int
    sans: tuple[str, ...]
    result: str


class CoverRow(NamedTuple):
    """The first game of the cover in which a string is played, and the ply, both from 1."""

    san: str
    game: int
    ply: int


@cache
def published_directory() -> Path:
    """Where the published data is: in ``reports`` when installed, in ``data`` in the tree."""
    installed = Path(__file__).parents[1] / "published"
    return installed if installed.is_dir() else Path(__file__).resolve().parents[2] / "data"


def open_archive(directory: Path | None = None) -> "Archive":
    """Open a finished run directory, or the published data if none is named.

    Raises:
        ArchiveError: The directory holds no finished run, or its manifest or summary is damaged.
    """
    return Archive(published_directory() if directory is None else directory)


def open_complete(directory: Path | None = None) -> "Archive":
    """A finished run that decided every string, or the published data if none is named.

    Raises:
        ArchiveError: It cannot be read, or decided a part of the strings only.
    """
    archive = open_archive(directory)
    if not archive.is_complete:
        raise ArchiveError(f"{archive.directory} did not decide every string: name another run")
    return archive


class Archive:
    """What a finished run left behind.

    Each method raises ArchiveError if what it reads is missing or damaged.

    Attributes:
        directory: Where it is.
        summary: The counts of ``summary.json``, in the form of :mod:`reports.archive.schema`.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._manifest = _read_manifest(directory)
        with self._reading(names.MANIFEST):
            self._hashes = schema.check_manifest(self._manifest)["files"]
        with self._reading(names.SUMMARY):
            self.summary: dict[str, Any] = schema.check_summary(self.content(names.SUMMARY))

    @property
    def is_complete(self) -> bool:
        """Whether the run decided every string of the universe, and not a part of it."""
        return self.summary["only"] is None and self.summary["undecided"] == 0

    @property
    def digest(self) -> str:
        """The SHA-256 that names this state of the data: the manifest's last entry."""
        digest: str = json.loads(self._manifest)["sha256"]
        return digest

    @property
    def has_games(self) -> bool:
        """Whether there is a file of games."""
        return names.GAMES_PGN in self._hashes and self._path(names.GAMES_PGN).exists()

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The name and content of each file that the manifest names."""
        for name in self._hashes:
            yield name, self.content(name)

    # Strings

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The reachable strings; unlike :meth:`strings` it does not check their form and order."""
        return frozenset(self._list.split("\n")) - {""}

    def is_reachable(self, san: str) -> bool:
        """Whether a string is in the list of all reachable strings."""
        return row_of(self._list, san) is not None

    @cached_property
    def _list(self) -> str:
        """The reachable strings as rows of a table without header, which look-ups search."""
        with self._reading(names.FULL_LIST):
            return "\n" + _ascii(self.content(names.FULL_LIST))

    def strings(self, *, bare: bool = False) -> list[str]:
        """The reachable strings in list order: all, or those without suffix."""
        name = names.BARE_LIST if bare else names.FULL_LIST
        with self._reading(name):
            text = _ascii(self.content(name))
            sans = text.split("\n") if text else []
            schema.LIST.check("".join(f"{san}\n" for san in sans))
            schema.check_order(sans)
        return sans

    def impossible(self) -> Iterator[tuple[str, str]]:
        """Each impossible string with the name of its reason, in list order."""
        for san, why in self._rows(names.IMPOSSIBLE, schema.IMPOSSIBLE_ROWS):  # noqa: UP028 - pairs
            yield san, why

    def cover(self) -> Iterator[CoverRow]:
        """Where the cover shows each string, in list order."""
        if names.COVER_INDEX not in self._hashes:
            raise ArchiveError(f"{self.directory} holds no cover")
        for san, game, ply in self._rows(names.COVER_INDEX, schema.COVER_ROWS):
            yield CoverRow(san, int(game), int(ply))

    @cached_property
    def observed(self) -> Observed | None:
        """How often each string was played, if counts stand beside the run."""
        return open_observed(self.directory)

    # Witnesses

    def witnesses(self) -> Iterator[WitnessRow]:
        """The witness of each reachable string, in list order."""
        for cells in self._rows(names.WITNESSES, schema.PLAYED_ROWS, schema.WITNESS_ROWS):
            yield self._witness(cells)

    def witness_of(self, san: str) -> WitnessRow:
        """The witness of one reachable string; only its row is taken apart."""
        form, table = self._table
        row = row_of(table, san)
        if row is None:
            lacks = f"has no row of {san}, which is in the list"
            raise self._damaged(names.WITNESSES, lacks)
        with self._reading(names.WITNESSES):
            cells = form.cells(row[:LONGEST_LINE])
        return self._witness(cells)

    def witnesses_of(self, sans: Collection[str]) -> dict[str, WitnessRow]:
        """The witnesses of these reachable strings, in list order."""
        return {san: self.witness_of(san) for san in sorted(set(sans), key=list_order)}

    @cached_property
    def _table(self) -> tuple[schema.RowForm, str]:
        """The table of witnesses, which look-ups search, with the form of its rows."""
        with self._reading(names.WITNESSES):
            table = _ascii(self.content(names.WITNESSES))
            header = table[: table.find("\n")]
            return _form(header, schema.PLAYED_ROWS, schema.WITNESS_ROWS), table

    def _witness(self, cells: tuple[str, ...]) -> WitnessRow:
        san, before_fen, uci, after_fen, *places = cells
        with self._reading(names.WITNESSES):
            schema.check_witness_row(san, before_fen, uci, after_fen)
            if "" in places and places[-2:] != ["", ""]:
                raise schema.SchemaError(f"has half a place of {san}")
        numbers = (int(place) if place else None for place in places)
        return WitnessRow(san, before_fen, uci, after_fen, *numbers)

    # Games

    def games(self, numbers: Collection[int] | None = None) -> Iterator[GameRow]:
        """The proof games in order, all or those with these numbers."""
        with self._reading(names.GAMES_PGN):
            file = names.GAMES_PGN, self._games
            found = chosen_games(*file, numbers) if numbers is not None else None
            for number, content in found or enumerate(all_games(*file), 1):
                game, _ = _game(number, content)
                result = "1-0" if len(game.sans) % 2 else "0-1"
                yield GameRow(number, game.san, game.colour, game.ply + 1, game.sans, result)

    @cached_property
    def _games(self) -> bytes:
        return self._games_file(names.GAMES_PGN, "games")

    def game(self, number: int) -> GameRow:
        """One proof game. Part of the file is unpacked: for many games, ask :meth:`games` once."""
        for game in self.games([number]):
            return game
        raise ArchiveError(f"{self.directory} has no game {number}")

    def games_text(self) -> Iterator[str]:
        """The games as they are written, each with the empty line that ends it."""
        return self._texts(names.GAMES_PGN, "games")

    def cover_text(self) -> Iterator[str]:
        """The games of the cover as they are written, as :meth:`games_text`."""
        return self._texts(names.COVER_PGN, "cover")

    def _texts(self, name: str, what: str) -> Iterator[str]:
        with self._reading(name):
            for number, content in enumerate(all_games(name, self._games_file(name, what)), 1):
                yield _game(number, content)[1]

    def _games_file(self, name: str, what: str) -> bytes:
        if name not in self._hashes or not self._path(name).exists():
            raise ArchiveError(f"{self.directory} holds no {what}")
        return self.content(name)

    # Files

    def _rows(self, name: str, *forms: schema.RowForm) -> Iterator[tuple[str, ...]]:
        """The cells of each row of a table in one of these forms."""
        form, rest = None, b""
        with self._reading(name):
            for piece in pieces(name, self.content(name)):
                whole, end, rest = (rest + piece).rpartition(b"\n")
                if len(rest) > LONGEST_LINE:
                    raise schema.SchemaError("holds a line longer than any of a run")
                text = _ascii(whole + end)
                if form is None and text:
                    header, _, text = text.partition("\n")
                    form = _form(header, *forms)
                if form is not None:
                    form.check(text)
                for line in text.split("\n")[:-1]:
                    yield tuple(line.split(","))
            if rest:
                raise schema.SchemaError("ends within a row")
            if form is None:
                raise schema.SchemaError("is empty")

    def content(self, name: str) -> bytes:
        """A file's content, after its hash was checked; unpacked if it is published packed."""
        if name not in self._hashes:
            raise ArchiveError(f"{self.directory} holds no {name}")
        path = self._path(name)
        content = _read(path, MOST_BYTES)
        if path.name != name:
            try:
                content = unpacked(path.name, content)
            except EvidenceError as error:
                raise ArchiveError(f"{self.directory} is damaged: {error}") from error
        if hashlib.sha256(content).hexdigest() != self._hashes[name]:
            if _read_manifest(self.directory) != self._manifest:
                raise ArchiveError(f"{self.directory} has changed meanwhile: try again")
            raise self._damaged(path.name, f"is not the file that {names.MANIFEST} names")
        return content

    def _path(self, name: str) -> Path:
        plain = self.directory / name
        packed = self.directory / names.PUBLISHED_AS.get(name, name)
        return packed if packed.exists() and not os.path.lexists(plain) else plain

    @contextmanager
    def _reading(self, name: str) -> Iterator[None]:
        """Say of which file something is wrong."""
        try:
            yield
        except schema.SchemaError as error:
            raise self._damaged(name, error) from error

    def _damaged(self, name: str, what: object) -> ArchiveError:
        return ArchiveError(f"{self.directory} is damaged: {name} {what}")


def _form(header: str, *forms: schema.RowForm) -> schema.RowForm:
    for form in forms:
        if form.header == header:
            return form
    raise schema.SchemaError(f"begins with {header[:60]!a}, which is no header of a run")


def _game(number: int, content: bytes) -> tuple[PgnGame, str]:
    """Read a game, which has to have this number; with its text."""
    text = _ascii(content)
    game = schema.check_game(text)
    if game.number != number:
        raise schema.SchemaError(f"has game {game.number} as number {number}")
    return game, text


def _ascii(content: bytes) -> str:
    try:
        return content.decode("ascii")
    except UnicodeDecodeError as error:
        raise schema.SchemaError("is not plain text") from error


def _read_manifest(directory: Path) -> bytes:
    path = directory / names.MANIFEST
    if not directory.is_dir():
        raise ArchiveError(f"{directory} is not a directory")
    if not os.path.lexists(path):
        raise ArchiveError(
            f"{directory} holds no finished run: {names.MANIFEST} is missing "
            f"(`sanproof verify --out {directory}` makes or finishes one)"
        )
    return _read(path, schema.MAX_JSON_BYTES)


def _read(path: Path, most_bytes: int) -> bytes:
    """The content of a file that may be anything; links are not followed."""
    try:
        return read_bytes(path, most_bytes)
    except EvidenceError as error:
        raise ArchiveError(f"{path.parent}: {error}") from error
