"""The door from the proof to the tools: what a finished run, or the published data, says.

A tool asks here which strings are reachable, whether one is, and for its witness and game. No file
is used before its hash is checked.

The hashes tell a damaged file from a whole one; they do not tell a forged one. That is what
``sanproof audit`` is for. A forged file can say what is not so, but nothing that a run could not
say: everything read is checked against :mod:`reports.archive.schema` first.
"""

import hashlib
import os
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from sanproof.proofs.board.drawing import board_svg
from sanproof.proofs.kernel.files import MOST_BYTES, EvidenceError, read_bytes, unpacked
from sanproof.proofs.rules.san import list_order
from sanproof.proofs.shortest.table import ShortestRow
from sanproof.reports.archive import ArchiveError as ArchiveError  # noqa: PLC0414 - for all who open runs
from sanproof.reports.archive import reading, schema
from sanproof.reports.archive.observed import Observed, open_observed
from sanproof.reports.archive.shortest import Shortest, open_shortest
from sanproof.reports.archive.unpacking import all_games, form_of, one_game, row_of, table_rows
from sanproof.reports.tables import names
from sanproof.reports.tables.pgn import PgnGame, movetext, witness_pgn, write_pgn

if TYPE_CHECKING:
    import chess

MANY_GAMES: Final = 20
"""The number of games from which reading all is quicker than looking each up."""


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
        """Return who can play the string: ``white``, ``black`` or both; neither without games."""
        return tuple(sorted({player_at(ply) for _, ply in self.places}, reverse=True))

    @property
    def fen(self) -> str:
        """The position before the move."""
        return self.before_fen

    @property
    def board(self) -> "chess.Board":
        """The position before the move, for python-chess."""
        import chess  # noqa: PLC0415 - most who open runs ask for no board

        return chess.Board(self.before_fen)

    @property
    def pgn(self) -> str:
        """Position and move as PGN, with the tag FEN."""
        return witness_pgn(self.san, self.before_fen, self.game)

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

    @property
    def pgn(self) -> str:
        """The game as PGN, in the form of the published ones."""
        return write_pgn(PgnGame(self.number, self.san, self.ply - 1, self.sans))

    @property
    def board(self) -> "chess.Board":
        """The position in which the string is played, with the moves that lead to it."""
        import chess  # noqa: PLC0415 - most who open runs ask for no board

        board = chess.Board()
        for san in self.sans[: self.ply - 1]:
            board.push_san(san)
        return board

    @property
    def fen(self) -> str:
        """The position in which the string is played."""
        return self.board.fen()

    def _repr_html_(self) -> str:
        board = self.board
        moves = movetext(self.sans)
        return (
            f"{board_svg(board.fen(), board.parse_san(self.san).uci())}<p>{moves} {self.result}</p>"
        )


class Earliest(ShortestRow):
    """The place of a string in the shortest game known that shows it."""

    __slots__ = ()

    @property
    def game(self) -> GameRow:
        """The game; raises a ValueError if it is not legal."""
        import chess  # noqa: PLC0415 - most who open runs ask for no game

        board, sans = chess.Board(), []
        for text in self.moves:
            move = board.parse_uci(text)
            sans.append(board.san_and_push(move))
        result = "1-0" if len(sans) % 2 else "0-1"
        return GameRow(0, self.san, self.player, self.ply, tuple(sans), result)


class CoverRow(NamedTuple):
    """The first game of the cover in which a string is played, and the ply, both from 1."""

    san: str
    game: int
    ply: int


@cache
def published_directory() -> Path:
    """Return the folder of the published data: ``reports`` if installed, ``data`` in the tree."""
    installed = Path(__file__).parents[1] / "published"
    return installed if installed.is_dir() else Path(__file__).resolve().parents[2] / "data"


def open_archive(directory: Path | None = None) -> "Archive":
    """Open a finished run directory, or the published data if none is named.

    Raises:
        ArchiveError: The directory holds no finished run, or its manifest or summary is damaged.
    """
    return Archive(published_directory() if directory is None else directory)


def open_complete(directory: Path | None = None) -> "Archive":
    """Return a finished run that decided every string, or the published data if none is named.

    Raises:
        ArchiveError: It cannot be read, or decided a part of the strings only.
    """
    archive = open_archive(directory)
    if not archive.is_complete:
        raise ArchiveError(f"{archive.directory} did not decide every string: name another run")
    return archive


class Archive:
    """The files of a finished run.

    Each method raises ArchiveError if what it reads is missing or damaged.

    Attributes:
        directory: Where it is.
        summary: The counts of ``summary.json``, in the form of :mod:`reports.archive.schema`.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        if not directory.is_dir():
            raise ArchiveError(f"{directory} is not a directory")
        if not os.path.lexists(directory / names.MANIFEST):
            raise ArchiveError(
                f"{directory} holds no finished run: {names.MANIFEST} is missing "
                f"(`sanproof verify --out {directory}` makes or finishes one)"
            )
        with self._reading(names.MANIFEST):
            manifest = read_bytes(directory / names.MANIFEST, schema.MAX_JSON_BYTES)
            self._manifest = schema.read_json(manifest, schema.MANIFEST_FORM)
        self._hashes: dict[str, str] = self._manifest["files"]
        with self._reading(names.SUMMARY):
            summary = self.content(names.SUMMARY)
            self.summary = schema.read_json(summary, schema.SUMMARY_FORM)

    @property
    def is_complete(self) -> bool:
        """Check whether the run decided every string of the universe, and not a part of it."""
        return self.summary["only"] is None and self.summary["undecided"] == 0

    @property
    def digest(self) -> str:
        """The SHA-256 that names this state of the data: the manifest's last entry."""
        return str(self._manifest["sha256"])

    @property
    def has_games(self) -> bool:
        """Check whether there is a file of games."""
        return names.GAMES_PGN in self._hashes and self._path(names.GAMES_PGN).exists()

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and content of each file that the manifest names."""
        for name in self._hashes:
            yield name, self.content(name)

    # Strings

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The reachable strings; unlike :meth:`strings` it does not check their form and order."""
        return frozenset(self._list.split("\n")) - {""}

    def is_reachable(self, san: str) -> bool:
        """Check whether a string is in the list of all reachable strings."""
        return row_of(self._list, san) is not None

    @cached_property
    def _list(self) -> str:
        """The reachable strings as rows of a table without header, which look-ups search."""
        return "\n" + self._text_of(names.FULL_LIST)

    def strings(self, *, bare: bool = False) -> list[str]:
        """Return the reachable strings in list order: all, or those without suffix."""
        name = names.BARE_LIST if bare else names.FULL_LIST
        text = self._text_of(name)
        sans = text.split("\n") if text else []
        with self._reading(name):
            schema.LIST.check(text and f"{text}\n")
            schema.check_order(sans)
        return sans

    def impossible(self) -> Iterator[tuple[str, str]]:
        """Each impossible string with the name of its reason, in list order."""
        for san, why in self._rows(names.IMPOSSIBLE, schema.IMPOSSIBLE_ROWS):  # noqa: UP028 - pairs
            yield san, why

    def cover(self) -> Iterator[CoverRow]:
        """Return the place in the cover of each string, in list order."""
        self._expect(names.COVER_INDEX, "cover")
        for san, game, ply in self._rows(names.COVER_INDEX, schema.COVER_ROWS):
            yield CoverRow(san, int(game), int(ply))

    @cached_property
    def observed(self) -> Observed | None:
        """Open the counts of how often each string was played, if they stand beside the run."""
        return open_observed(self.directory)

    @cached_property
    def shortest(self) -> Shortest | None:
        """The shortest games known, if a table of them stands beside the run."""
        return open_shortest(self.directory)

    def earliest(self, san: str, player: str | None = None) -> Earliest | None:
        """Return a string's place in the shortest game known, the player's if he can play it."""
        table = self.shortest
        row = table and (table.of(san, player) or table.of(san))
        return Earliest(*row) if row else None

    # Witnesses

    def witnesses(self) -> Iterator[WitnessRow]:
        """Yield the witness of each reachable string, in list order."""
        for cells in self._rows(names.WITNESSES, schema.PLAYED_ROWS, schema.WITNESS_ROWS):
            yield self._witness(cells)

    def witness_of(self, san: str) -> WitnessRow:
        """Return the witness of one reachable string; only its row is taken apart."""
        table = self._table
        with self._reading(names.WITNESSES):
            header = table[: table.find("\n")]
            form = form_of(header, schema.PLAYED_ROWS, schema.WITNESS_ROWS)
            if (row := row_of(table, san)) is None:
                raise schema.SchemaError(f"has no row of {san}, which is in the list")
            cells = form.cells(row[: schema.MAX_GAME_LENGTH])
        return self._witness(cells)

    def witnesses_of(self, sans: Collection[str]) -> dict[str, WitnessRow]:
        """Return the witnesses of these reachable strings, in list order."""
        return {san: self.witness_of(san) for san in sorted(set(sans), key=list_order)}

    @cached_property
    def _table(self) -> str:
        """The table of witnesses, which look-ups search."""
        return self._text_of(names.WITNESSES)

    def _witness(self, cells: tuple[str, ...]) -> WitnessRow:
        san, before_fen, uci, after_fen, *places = cells
        with self._reading(names.WITNESSES):
            schema.check_witness_row(san, before_fen, uci, after_fen)
        numbers = (int(place) if place else None for place in places)
        return WitnessRow(san, before_fen, uci, after_fen, *numbers)

    # Games

    def games(self, numbers: Collection[int] | None = None) -> Iterator[GameRow]:
        """Yield the proof games in order, all or those with these numbers."""
        if numbers is not None and len(numbers) <= MANY_GAMES:
            found = {n: one_game(self._games, n) for n in sorted(set(numbers))}
            if None not in found.values():
                with self._reading(names.GAMES_PGN):
                    for number, text in found.items():
                        yield _row(schema.check_game(number, text or ""))
                return
        for game, _ in self.pgn():
            if numbers is None or game.number in numbers:
                yield _row(game)

    @cached_property
    def _games(self) -> bytes:
        self._expect(names.GAMES_PGN, "games")
        return self.content(names.GAMES_PGN)

    def game(self, number: int) -> GameRow:
        """One proof game. Part of the file is unpacked: for many games, ask :meth:`games` once."""
        for game in self.games([number] if number > 0 else []):
            return game
        raise ArchiveError(f"{self.directory} has no game {number}")

    def pgn(self, *, cover: bool = False) -> Iterator[tuple[PgnGame, str]]:
        """Yield the games, or the cover's, each with its text and the empty line that ends it."""
        name = names.COVER_PGN if cover else names.GAMES_PGN
        self._expect(name, "cover" if cover else "games")
        text = self._text_of(name)
        with self._reading(name):
            for number, game in enumerate(all_games(text), 1):
                yield schema.check_game(number, game), game

    # Files

    def _rows(self, name: str, *forms: schema.RowForm) -> Iterator[tuple[str, ...]]:
        text = self._text_of(name)
        with self._reading(name):
            yield from table_rows(text, *forms)

    def _text_of(self, name: str) -> str:
        """Return a file's text, unpacked."""
        with self._reading(name):
            return schema.ascii_text(unpacked(name, self.content(name)))

    def content(self, name: str) -> bytes:
        """Return a file's content, its hash checked; unpacked if it is published packed."""
        if name not in self._hashes:
            raise ArchiveError(f"{self.directory} holds no {name}")
        path = self._path(name)
        with self._reading(name):
            content = read_bytes(path, MOST_BYTES)
            if path.name != name:
                content = unpacked(path.name, content)
            if hashlib.sha256(content).hexdigest() != self._hashes[name]:
                raise EvidenceError(f"{path.name} is not the file that {names.MANIFEST} names")
        return content

    def _path(self, name: str) -> Path:
        plain = self.directory / name
        packed = self.directory / names.PUBLISHED_AS.get(name, name)
        return packed if packed.exists() and not os.path.lexists(plain) else plain

    def _expect(self, name: str, what: str) -> None:
        if name not in self._hashes or not self._path(name).exists():
            raise ArchiveError(f"{self.directory} holds no {what}")

    def _reading(self, name: str) -> AbstractContextManager[None]:
        return reading(self.directory, name)


def _row(game: PgnGame) -> GameRow:
    result = "1-0" if len(game.sans) % 2 else "0-1"
    return GameRow(game.number, game.san, game.colour, game.ply + 1, game.sans, result)
