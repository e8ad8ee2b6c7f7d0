"""Reading a finished run, or its published files: none is used before its hash is checked.

The hashes tell a damaged file from a whole one; they do not tell a forged one. That is what
``sanproof audit`` is for. A forged file can say what is not so, but nothing that a run could not
say: everything read is checked against :mod:`reports.archive.schema` first.
"""

import hashlib
import json
import os
import re
import zlib
from bisect import bisect_left
from collections.abc import Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from sanproof.proofs.kernel.files import MOST_BYTES, EvidenceError, read_bytes, unpacked
from sanproof.proofs.verdicts.drawing import board_svg
from sanproof.reports.archive import schema
from sanproof.reports.tables import names
from sanproof.reports.tables.pgn import PgnGame

LONGEST_LINE: Final = 1 << 14
_PIECE_BYTES: Final = 1 << 20
_GZIP: Final = 31
_WITHIN_GZIP: Final = -15
_TRAILER_BYTES: Final = 8
_FLUSHED: Final = re.compile(b"\x00\x00\xff\xff")
"""The end of what a compressor flushed; it may stand elsewhere by chance."""
_ROUND: Final = re.compile(rb'\n\[Round "([1-9][0-9]{0,6})"\]\n')


class ArchiveError(Exception):
    """A directory that is not a finished run, or is damaged; the message is a sentence."""


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
        return tuple(sorted(("black", "white")[ply % 2] for _, ply in self.places))[::-1]

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
        try:
            self._hashes = schema.check_manifest(self._manifest)
        except schema.SchemaError as error:
            raise self.damaged(names.MANIFEST, error) from error
        try:
            self.summary: dict[str, Any] = schema.check_summary(self.content(names.SUMMARY))
        except schema.SchemaError as error:
            raise self.damaged(names.SUMMARY, error) from error

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

    def is_reachable(self, san: str) -> bool:
        """Whether a string is in the list of all reachable strings."""
        return b"\n%b\n" % san.encode() in b"\n%b\n" % self.content(names.FULL_LIST)

    def strings(self, *, bare: bool = False) -> list[str]:
        """The reachable strings in list order: all, or those without suffix."""
        name = names.BARE_LIST if bare else names.FULL_LIST
        text = self._ascii(name, self.content(name))
        sans = text.split("\n") if text else []
        try:
            schema.LIST.check("".join(f"{san}\n" for san in sans))
            schema.check_order(sans)
        except schema.SchemaError as error:
            raise self.damaged(name, error) from error
        return sans

    def reachable(self) -> frozenset[str]:
        """The reachable strings; unlike :meth:`strings` it does not check their form and order."""
        text = self._ascii(names.FULL_LIST, self.content(names.FULL_LIST))
        return frozenset(text.split("\n")) - {""}

    def witnesses(self) -> Iterator[WitnessRow]:
        """The witness of each reachable string, in list order."""
        for cells in self._rows(names.WITNESSES, schema.PLAYED_ROWS, schema.WITNESS_ROWS):
            yield self._witness(cells)

    def witness_of(self, san: str) -> WitnessRow:
        """The witness of one reachable string; only its row is taken apart."""
        return self.witness_table().witness_of(san)

    def witness_table(self) -> "WitnessTable":
        """The witnesses, for many look-ups; a row is taken apart when it is asked for."""
        table = self._ascii(names.WITNESSES, self.content(names.WITNESSES))
        header = table[: table.find("\n")]
        form = self._form(names.WITNESSES, header, schema.PLAYED_ROWS, schema.WITNESS_ROWS)
        return WitnessTable(self, form, table)

    def witnesses_of(self, sans: Collection[str]) -> dict[str, WitnessRow]:
        """The witnesses of these reachable strings."""
        wanted = set(sans)
        rows = {row.san: row for row in self.witnesses() if row.san in wanted}
        if without := wanted.difference(rows):
            raise self.lacks(min(without))
        return rows

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

    def games(self, numbers: Collection[int] | None = None) -> Iterator[GameRow]:
        """The proof games in order, all or those with these numbers."""
        games = (
            (game for game, _ in self._all_games(names.GAMES_PGN, "games"))
            if numbers is None
            else self._chosen_games(names.GAMES_PGN, "games", numbers)
        )
        for game in games:
            result = "1-0" if len(game.sans) % 2 else "0-1"
            row = game.number, game.san, game.colour, game.ply + 1, game.sans, result
            yield GameRow(*row)

    def game(self, number: int) -> GameRow:
        """One proof game. The file is read up to it: for many games, ask :meth:`games` once."""
        for game in self.games([number]):
            return game
        raise ArchiveError(f"{self.directory} has no game {number}")

    def games_text(self) -> Iterator[str]:
        """The games as they are written, each with the empty line that ends it."""
        for _, text in self._all_games(names.GAMES_PGN, "games"):
            yield text

    def cover_text(self) -> Iterator[str]:
        """The games of the cover as they are written, as :meth:`games_text`."""
        for _, text in self._all_games(names.COVER_PGN, "cover"):
            yield text

    def witness(self, form: schema.RowForm, line: str) -> WitnessRow:
        """A row of the table of witnesses, taken apart and checked."""
        try:
            return self._witness(form.cells(line))
        except schema.SchemaError as error:
            raise self.damaged(names.WITNESSES, error) from error

    def _witness(self, cells: tuple[str, ...]) -> WitnessRow:
        san, before_fen, uci, after_fen, *places = cells
        try:
            schema.check_witness_row(san, before_fen, uci, after_fen)
        except schema.SchemaError as error:
            raise self.damaged(names.WITNESSES, error) from error
        if "" in places and places[-2:] != ["", ""]:
            raise self.damaged(names.WITNESSES, f"has half a place of {san}")
        numbers = (int(place) if place else None for place in places)
        return WitnessRow(san, before_fen, uci, after_fen, *numbers)

    def _rows(self, name: str, *forms: schema.RowForm) -> Iterator[tuple[str, ...]]:
        """The cells of each row of a table in one of these forms."""
        form = None
        for block in self._blocks(name):
            text = block
            if form is None:
                header, _, text = block.partition("\n")
                form = self._form(name, header, *forms)
            if not block.endswith("\n"):
                raise self.damaged(name, "ends within a row")
            try:
                form.check(text)
            except schema.SchemaError as error:
                raise self.damaged(name, error) from error
            for line in text.split("\n")[:-1]:
                yield tuple(line.split(","))
        if form is None:
            raise self.damaged(name, "is empty")

    def _form(self, name: str, header: str, *forms: schema.RowForm) -> schema.RowForm:
        for form in forms:
            if form.header == header:
                return form
        raise self.damaged(name, f"begins with {header[:60]!a}, which is no header of a run")

    def _all_games(self, name: str, what: str) -> Iterator[tuple[PgnGame, str]]:
        """Every game of a file with its text."""
        rest, number = b"", 0
        for piece in self._game_pieces(name, what):
            *parts, rest = (rest + piece).split(b"\n\n")
            if len(parts) % 2:  # each game ends with its second empty line
                rest = parts.pop() + b"\n\n" + rest
            for tags, moves in zip(parts[::2], parts[1::2], strict=True):
                number += 1
                yield self._game(name, number, b"%b\n\n%b\n\n" % (tags, moves))
            if len(rest) > schema.LONGEST_GAME:
                raise self.damaged(name, "holds a game longer than any of a run")
        if rest:
            raise self.damaged(name, "ends within a game")

    def _chosen_games(self, name: str, what: str, numbers: Collection[int]) -> Iterator[PgnGame]:
        """The games with these numbers; the others are not taken apart, and those after not read.

        A file of games in the wrong order lacks some of them.
        """
        wanted = sorted(set(numbers), reverse=True)
        content = b""
        for piece in self._game_pieces(name, what, wanted[-1] if wanted else 1):
            content = content[-schema.LONGEST_GAME :] + piece
            at = 0
            while wanted and (found := content.find(b'\n[Round "%d"]\n' % wanted[-1], at)) >= 0:
                start = content.rfind(b"[Event ", at, found)
                moves = content.find(b"\n\n", found) + 2
                at = content.find(b"\n\n", moves) + 2
                if start < 0 or moves < 2 or at < 2:
                    break  # the next piece has the rest of it
                yield self._game(name, wanted.pop(), content[start:at])[0]
            if not wanted:
                return

    def _game_pieces(self, name: str, what: str, first: int = 1) -> Iterator[bytes]:
        """A file of games, unpacked from its start or from a place that is before a game."""
        if name not in self._hashes or not self._path(name).exists():
            raise ArchiveError(f"{self.directory} holds no {what}")
        return self._pieces(name, first)

    def _game(self, name: str, number: int, content: bytes) -> tuple[PgnGame, str]:
        text = self._ascii(name, content)
        try:
            game = schema.check_game(text)
        except schema.SchemaError as error:
            raise self.damaged(name, error) from error
        if game.number != number:
            raise self.damaged(name, f"has game {game.number} as number {number}")
        return game, text

    def _blocks(self, name: str) -> Iterator[str]:
        """A text in large parts that end where a line ends; the last may end within one."""
        rest = b""
        for piece in self._pieces(name):
            whole, end, rest = (rest + piece).rpartition(b"\n")
            if len(rest) > LONGEST_LINE:
                raise self.damaged(name, "holds a line longer than any of a run")
            if end:
                yield self._ascii(name, whole + end)
        if rest:
            yield self._ascii(name, rest)

    def _pieces(self, name: str, first_game: int = 1) -> Iterator[bytes]:
        """A file's content, unpacked as it is read: never more than a piece of it in memory.

        Of a file of games, what is before the first game that is wanted may be left out.
        """
        packed = self.content(name)
        if not name.endswith(".gz"):
            yield packed
            return
        start = _place_before(packed, first_game)
        packed = packed[start:]
        unpacker = zlib.decompressobj(wbits=_WITHIN_GZIP if start else _GZIP)
        total = 0
        try:
            while not unpacker.eof:
                piece = unpacker.decompress(packed, _PIECE_BYTES)
                packed = unpacker.unconsumed_tail
                if not piece and not packed and not unpacker.eof:
                    raise self.damaged(name, "is cut short")
                total += len(piece)
                if total > MOST_BYTES:
                    raise self.damaged(name, "unpacks to more than any file of a run")
                yield piece
        except zlib.error as error:
            raise self.damaged(name, "cannot be unpacked") from error
        if len(unpacker.unused_data) != (_TRAILER_BYTES if start else 0):
            raise self.damaged(name, "has something after its end")

    def _ascii(self, name: str, content: bytes) -> str:
        try:
            return content.decode("ascii")
        except UnicodeDecodeError as error:
            raise self.damaged(name, "is not plain text") from error

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
            raise self.damaged(path.name, f"is not the file that {names.MANIFEST} names")
        return content

    def _path(self, name: str) -> Path:
        plain = self.directory / name
        packed = self.directory / names.PUBLISHED_AS.get(name, name)
        return packed if packed.exists() and not os.path.lexists(plain) else plain

    def lacks(self, san: str) -> ArchiveError:
        """The error that says that a string has no witness."""
        return self.damaged(names.WITNESSES, f"has no row of {san}, which is in the list")

    def damaged(self, name: str, what: object) -> ArchiveError:
        """The error that says what is wrong with a file."""
        return ArchiveError(f"{self.directory} is damaged: {name} {what}")


class WitnessTable:
    """The table of witnesses, in memory: for look-ups, each of one string.

    Most programs ask once: the first string is searched for, for the second all rows are listed.
    """

    def __init__(self, archive: Archive, form: schema.RowForm, table: str) -> None:
        self._archive = archive
        self._form = form
        self._table = table
        self._asked = False

    def witness_of(self, san: str) -> WitnessRow:
        """The witness of one reachable string; an ArchiveError if its row is missing or damaged."""
        row = self._row_of.get(san) if self._asked else self._searched(san)
        self._asked = True
        if row is None:
            raise self._archive.lacks(san)
        return self._archive.witness(self._form, row[:LONGEST_LINE])

    def _searched(self, san: str) -> str | None:
        start = self._table.find(f"\n{san},") + 1
        return self._table[start : self._table.find("\n", start)] if start else None

    @cached_property
    def _row_of(self) -> dict[str, str]:
        _, *rows = self._table.split("\n")
        return {row[: row.find(",")]: row for row in rows}


def _place_before(packed: bytes, number: int) -> int:
    """The last place in a packed file of games where unpacking can begin to find a game; or 0."""
    if number == 1:
        return 0
    places = [match.end() for match in _FLUSHED.finditer(packed)]
    found = bisect_left(places, number, key=lambda place: _first_game(packed, place)) - 1
    place = places[found] if found >= 0 else 0
    return place if place and _first_game(packed, place) < number else 0


def _first_game(packed: bytes, place: int) -> int:
    """The number of the first whole game after a place; a large one if unpacking fails there."""
    try:
        start = zlib.decompressobj(_WITHIN_GZIP).decompress(
            packed[place : place + schema.LONGEST_GAME], schema.LONGEST_GAME
        )
    except zlib.error:
        return MOST_BYTES
    match = _ROUND.search(start)
    return int(match[1]) if match else MOST_BYTES


def _read_manifest(directory: Path) -> bytes:
    path = directory / names.MANIFEST
    if not directory.is_dir():
        raise ArchiveError(f"{directory} is not a directory")
    if not os.path.lexists(path):
        raise ArchiveError(
            f"{directory} holds no finished run: {names.MANIFEST} is missing "
            f"(`sanproof verify --out {directory}` makes or finishes one)"
        )
    return _read(path, schema.MOST_JSON_BYTES)


def _read(path: Path, most_bytes: int) -> bytes:
    """The content of a file that may be anything; links are not followed."""
    try:
        return read_bytes(path, most_bytes)
    except EvidenceError as error:
        raise ArchiveError(f"{path.parent}: {error}") from error
