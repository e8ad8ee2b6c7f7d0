"""Opens a finished run, or the published data: the only way from the proof to the tools.

The tools get from it which strings are reachable, with witnesses and games. A file is used only
after its hash was checked, which finds damage. Apart from that the files are believed: check a run
that somebody sent you with ``sanproof audit`` first.
"""

import hashlib
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from sanproof.proofs.board.drawing import board_svg
from sanproof.proofs.kernel.files import GAMES, MOST_BYTES, EvidenceError, read_bytes, unpacked
from sanproof.proofs.rules.san import list_order
from sanproof.proofs.shortest.table import (
    PUBLISHED,
    TABLE,
    ShortestRow,
    part_of,
    read_part,
    split_table,
)
from sanproof.reports.archive import ArchiveError as ArchiveError  # noqa: PLC0414 - for all who open runs
from sanproof.reports.archive import json_object, reading
from sanproof.reports.archive.observed import Observed, open_observed
from sanproof.reports.tables import names
from sanproof.reports.tables.pgn import PgnGame, movetext, read_pgn, witness_pgn, write_pgn

if TYPE_CHECKING:
    import chess


PLAYERS: Final = ("white", "black")


def player_at(ply: int) -> str:
    """Return the player, ``white`` or ``black``, who moves at a ply. Plies count from 1."""
    return PLAYERS[1 - ply % 2]


class WitnessRow(NamedTuple):
    """A row of the table of witnesses: the string's move between two positions.

    Both positions are from the game with the number ``game``, where the move has the number
    ``ply``, from 1. If the other player can play the string as well, ``other_game`` and
    ``other_ply`` say where. All four are None if the run has no games.
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
        """The games and plies where the string is played, the one with this position first."""
        both = ((self.game, self.ply), (self.other_game, self.other_ply))
        return [(game, ply) for game, ply in both if game is not None and ply is not None]

    @property
    def players(self) -> tuple[str, ...]:
        """The players who can play it: ``white``, ``black`` or both. Empty without games."""
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
        """The position and the move as PGN, with the tag FEN."""
        return witness_pgn(self.san, self.before_fen, self.game)

    def _repr_svg_(self) -> str:
        return board_svg(self.before_fen, self.uci)


class GameRow(NamedTuple):
    """A proof game of a string: a legal game in which it is played, and which ends in mate.

    ``number`` is its place in the file of games, from 1, or 0 if it is in no file.
    ``colour`` plays the string, at ``ply``, from 1; ``result`` is ``1-0`` or ``0-1``.
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

    @property
    def shown(self) -> WitnessRow:
        """The string's move, with the positions before and after it.

        Raises:
            ArchiveError: The game has another move there, or is not legal.
        """
        if self.sans[self.ply - 1 : self.ply] != (self.san,):
            raise ArchiveError(f"the game of {self.san} is damaged: it is not at ply {self.ply}")
        try:
            board = self.board
            before_fen, move = board.fen(), board.push_san(self.san)
        except ValueError as error:
            raise ArchiveError(f"the game of {self.san} is damaged: {error}") from error
        return WitnessRow(self.san, before_fen, move.uci(), board.fen(), self.number, self.ply)

    @classmethod
    def of_row(cls, row: ShortestRow) -> "GameRow":
        """Return the game of a row of the table of the shortest games.

        Raises:
            ArchiveError: The game is not legal.
        """
        import chess  # noqa: PLC0415 - most who open runs ask for no game

        board = chess.Board()
        try:
            sans = [board.san_and_push(board.parse_uci(text)) for text in row.moves]
        except ValueError as error:
            raise ArchiveError(f"the shortest game of {row.san} is damaged: {error}") from error
        result = "1-0" if len(sans) % 2 else "0-1"
        return cls(0, row.san, row.player, row.ply, tuple(sans), result)

    def _repr_html_(self) -> str:
        board = self.board
        moves = movetext(self.sans)
        return (
            f"{board_svg(board.fen(), board.parse_san(self.san).uci())}<p>{moves} {self.result}</p>"
        )


@cache
def published_directory() -> Path:
    """Return the folder of the published data, which is ``data`` in a clone."""
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
        ArchiveError: The run cannot be read, or decided only a part of the strings.
    """
    archive = open_archive(directory)
    if not archive.is_complete:
        raise ArchiveError(f"{archive.directory} did not decide every string: name another run")
    return archive


class Archive:
    """The files of a finished run.

    Each method raises an ArchiveError if a file that it reads is missing or damaged.

    Attributes:
        directory: The folder of the run.
        summary: The counts of ``summary.json``.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._parts: dict[str, dict[str, list[ShortestRow]]] = {}
        if not directory.is_dir():
            raise ArchiveError(f"{directory} is not a folder: name one that sanproof wrote")
        if not (directory / names.MANIFEST).exists():
            raise ArchiveError(
                f"{directory} holds no finished run: {names.MANIFEST} is missing "
                f"(`sanproof verify --out {directory}` makes or finishes one)"
            )
        with self._reading(names.MANIFEST):
            content = read_bytes(directory / names.MANIFEST, MOST_BYTES)
            manifest = json_object(content, "files", "sha256")
            self._hashes: dict[str, str] = dict(manifest["files"])
        self.digest = str(manifest["sha256"])
        """The SHA-256 that names this state of the data: the manifest's last entry."""
        with self._reading(names.SUMMARY):
            self.summary = json_object(self.content(names.SUMMARY), "only", "undecided")

    @property
    def is_complete(self) -> bool:
        """Whether the run decided every string of the grammar, and not only a part of them."""
        return self.summary["only"] is None and self.summary["undecided"] == 0

    @property
    def has_games(self) -> bool:
        """Whether the run has a file of games."""
        return names.GAMES_PGN in self._hashes and self._path(names.GAMES_PGN).exists()

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and content of each file that the manifest names."""
        for name in self._hashes:
            yield name, self.content(name)

    # Strings

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The reachable strings."""
        return frozenset(self.strings())

    def is_reachable(self, san: str) -> bool:
        """Check whether a string is in the list of all reachable strings."""
        return san.isprintable() and f"\n{san}\n" in self._list

    @cached_property
    def _list(self) -> str:
        """The list of all reachable strings, each between line ends."""
        return f"\n{self._text_of(names.FULL_LIST)}\n"

    def strings(self, *, bare: bool = False) -> list[str]:
        """Return the reachable strings in list order: all, or those without suffix."""
        return self._text_of(names.BARE_LIST if bare else names.FULL_LIST).splitlines()

    def impossible(self) -> Iterator[tuple[str, str]]:
        """Yield each impossible string with the name of its reason, in list order."""
        with self._reading(names.IMPOSSIBLE):
            for san, why in self._rows(names.IMPOSSIBLE):  # noqa: UP028 - pairs
                yield san, why

    def cover(self) -> Iterator[tuple[str, int, int]]:
        """Yield each string, the first game of the cover that has it, and the ply, both from 1."""
        with self._reading(names.COVER_INDEX):
            for san, game, ply in self._rows(names.COVER_INDEX):
                yield san, int(game), int(ply)

    @cached_property
    def observed(self) -> Observed | None:
        """The counts of how often each string was played, or None if the run has no such files."""
        return open_observed(self.directory)

    def counts(self) -> Observed:
        """Return the counts of :attr:`observed`, or raise an ArchiveError if there are none."""
        if self.observed is None:
            raise ArchiveError(f"{self.directory} has no counts of played strings")
        return self.observed

    # The shortest games known

    @cached_property
    def shortest(self) -> bytes | None:
        """The packed table of the shortest games known, or None if the run has no such file."""
        path = self.directory / PUBLISHED
        if not os.path.lexists(path):
            return None
        with self._reading(TABLE):
            return read_bytes(path, MOST_BYTES)

    def shortest_of(self, san: str) -> list[ShortestRow]:
        """Return the rows of a string in that table, one for each player who can play it."""
        if self.shortest is None:
            return []
        part = part_of(san)
        known = self._parts.get(part, {})
        if san not in known and len(known) < 2:
            only = None if known else san  # one string is often all that is asked for
            known = {san: []}
            with self._reading(TABLE):
                for row in read_part(split_table(self.shortest)[part], part, only):
                    known.setdefault(row.san, []).append(row)
            self._parts[part] = known
        return known.get(san, [])

    def earliest(self, san: str, player: str | None = None) -> ShortestRow | None:
        """Return the string's row for ``player``, or else for the player who can play it earlier.

        In the second case its bound is the lower one of both players. Returns None if the table has
        no row of the string.
        """
        both = self.shortest_of(san)
        if own := [row for row in both if row.player == player]:
            return own[0]
        bound = min((row.bound for row in both), default=0)
        return min(both)._replace(bound=bound) if both else None

    # Witnesses

    def witnesses(self) -> Iterator[WitnessRow]:
        """Yield the witness of each reachable string, in list order."""
        with self._reading(names.WITNESSES):
            for cells in self._rows(names.WITNESSES):
                yield _witness(cells)

    def witnesses_by(self, players: Collection[str]) -> Iterator[WitnessRow]:
        """Yield the witness of each string for each of ``players`` who can play it, White's first.

        A run keeps one witness of each string; the other player's comes from the game it names.
        """
        from sanproof.reports.tables.outputs import positions_of  # noqa: PLC0415 - loads a board

        rows = {row.san: row for row in self.witnesses()}
        found = {(s, player_at(r.places[0][1])): r for s, r in rows.items() if r.places}
        places = {s: r.places[1] for s, r in rows.items() if r.places[1:]}
        with self._reading(GAMES):
            games = sorted(self._text_of(GAMES).splitlines(), key=_place_in_order)
            wanted = [
                (games[game - 1].split(" ")[:ply], san)
                for san, (game, ply) in places.items()
                if player_at(ply) in players
            ]
            for san, witness in positions_of(wanted).items():
                game, ply = places[san]
                found[san, player_at(ply)] = WitnessRow(*witness, game, ply)
        for san in rows:
            for player in PLAYERS:
                if player in players and (san, player) in found:
                    yield found[san, player]

    def witness_of(self, san: str) -> WitnessRow:
        """Return the witness of one reachable string, which is faster than reading them all."""
        if (row := self._witnesses.get(san)) is None:
            raise ArchiveError(f"{self.directory} has no witness of {san}")
        with self._reading(names.WITNESSES):
            return _witness(row.split(","))

    @cached_property
    def _witnesses(self) -> dict[str, str]:
        """The rows of the table of witnesses."""
        rows = self._text_of(names.WITNESSES).splitlines()
        return {row.partition(",")[0]: row for row in rows}

    # Games

    def games(self, numbers: Collection[int] | None = None) -> Iterator[GameRow]:
        """Yield the proof games with these numbers, or all, in the order of the file."""
        for number, text in self._texts(names.GAMES_PGN):
            if numbers is None or number in numbers:
                with self._reading(names.GAMES_PGN):
                    game = read_pgn(text)
                result = "1-0" if len(game.sans) % 2 else "0-1"
                yield GameRow(number, game.san, game.colour, game.ply + 1, game.sans, result)

    def game(self, number: int) -> GameRow:
        """Return one proof game. For many games, call :meth:`games` once."""
        for game in self.games([number]):
            return game
        raise ArchiveError(f"{self.directory} has no game {number}")

    def pgn(self, *, cover: bool = False) -> Iterator[tuple[PgnGame, str]]:
        """Yield the proof games, or those of the cover, each with its text in the file."""
        name = names.COVER_PGN if cover else names.GAMES_PGN
        for _, text in self._texts(name):
            with self._reading(name):
                game = read_pgn(text)
            yield game, text

    def _texts(self, name: str) -> Iterator[tuple[int, str]]:
        """Yield each game's number and text; a game ends with its second empty line."""
        parts = self._text_of(name).split("\n\n")
        for number, (tags, moves) in enumerate(zip(parts[::2], parts[1::2], strict=False), 1):
            yield number, f"{tags}\n\n{moves}\n\n"

    # Files

    def _rows(self, name: str) -> Iterator[list[str]]:
        """Yield the cells of each row of a table below its header; no cell holds a comma."""
        rows = iter(self._text_of(name).splitlines())
        next(rows, None)
        for row in rows:
            yield row.split(",")

    def _text_of(self, name: str) -> str:
        """Return a file's text, unpacked."""
        with self._reading(name):
            return unpacked(name, self.content(name)).decode("ascii")

    def content(self, name: str) -> bytes:
        """Return a file's content, unpacked if it is published packed. Its hash is checked."""
        path = self._path(name)
        if name not in self._hashes or not path.exists():
            raise ArchiveError(f"{self.directory} holds no {name}")
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
        return packed if packed.exists() and not plain.exists() else plain

    def _reading(self, name: str) -> AbstractContextManager[None]:
        return reading(self.directory, name)


def _witness(cells: Sequence[str]) -> WitnessRow:
    san, before_fen, uci, after_fen, *places = cells
    return WitnessRow(san, before_fen, uci, after_fen, *(int(n) if n else None for n in places))


def _place_in_order(line: str) -> tuple[tuple[int, str], bool]:
    """Return by what a game is numbered: its string, and White's game before Black's."""
    _, ply, san = line.rsplit(" ", 2)
    return list_order(san), int(ply) % 2 == 0
