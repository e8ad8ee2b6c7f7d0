"""The fast path: usual games, read by compiled loops.

A game counts as read when every text is exactly what the move is written as, or deviates in a
common way, and what it should be is one of the proven strings. All other games are left.
"""

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import INITIAL
from sanproof.verify.notation.position import FenError
from sanproof.verify.notation.vocabulary import Deviation
from sanproof.verify.scan.borders import game_starts
from sanproof.verify.scan.chunks import READ, FoundString, GameOutcome
from sanproof.verify.scan.loops import (
    HAS_RESULT,
    MIXER,
    TABLE_BITS,
    USUAL,
    Games,
    Int64,
    Room,
    Table,
    find_games,
    new_room,
    read_games,
    write_fens,
)
from sanproof.verify.scan.movetext import MAX_TEXTS, ROSTER, missing_tags, tags_of
from sanproof.verify.scan.reading import OtherVariant, board_and_variant
from sanproof.verify.scan.scanning import ChunkScan, Remark, hash_of
from sanproof.verify.scan.tables import values_of

_FEN_TAG: Final = re.compile(rb"\[FEN\b")
_ALL_RIGHTS: Final = 15
_USUAL_POSITION: Final = [*INITIAL, _ALL_RIGHTS, -1, 0, 0, 0]
_CORNERS: Final = (chess.BB_H1, chess.BB_A1, chess.BB_H8, chess.BB_A8)
_MOST_MOVES: Final = 1 << 20
"""More moves before a position no game has that is read here."""
_FEN_BYTES: Final = 110
_FEW_MOVES: Final = 1 << 12
"""The moves, as of a file of a few games, of which the strings are sooner found than in all."""


class ProvenStrings(NamedTuple):
    """The proven strings, and what the loops need to count them."""

    names: list[str]
    table: Table
    sums: NDArray[np.int32]
    room: Room


@lru_cache(maxsize=1)
def proven_table(lines: bytes) -> ProvenStrings:
    """Return the table of the proven strings, one a line."""
    strings = lines.split()
    keys = np.array(strings, "S8").view(np.uint64)
    slots = (keys * MIXER >> np.uint64(64 - TABLE_BITS)).astype(np.int64)
    table = Table(np.zeros(1 << TABLE_BITS, np.uint64), np.zeros(1 << TABLE_BITS, np.int32))
    left = np.arange(len(keys))
    while len(left):  # each takes the first place that no other has
        free = left[table.keys[slots[left]] == 0]
        table.keys[slots[free]] = keys[free]
        left = left[table.keys[slots[left]] != keys[left]]
        slots[left] = (slots[left] + 1) & ((1 << TABLE_BITS) - 1)
    table.values[slots] = np.arange(len(keys))
    names = [string.decode("ascii") for string in strings]
    return ProvenStrings(names, table, np.zeros((5, len(names)), np.int32), new_room())


def find_starts(data: bytes) -> Int64:
    """Return where the games of a chunk begin, as :func:`verify.scan.borders.game_starts` does."""
    starts = np.empty(len(data) // 5 + 2, np.int64)
    count = find_games(np.frombuffer(data or b"\n", np.uint8), starts)
    return np.array(game_starts(data), np.int64) if count < 0 else starts[:count]


def read_usual(scan: ChunkScan) -> list[tuple[int, int, int]]:
    """Read the usual games of a chunk; the numbers of the others, and where they begin and end."""
    return _Usual(scan).read()


class _Usual:
    """The usual games of a chunk."""

    def __init__(self, scan: ChunkScan) -> None:
        self._scan = scan
        self._data = scan.chunk.data
        self._proven = proven_table(scan.options.proven)
        self._tags_of: dict[int, dict[str, str]] = {}
        self._begins_at: dict[int, str] = {}  # the FENs of first positions, by game
        self._positions = [_USUAL_POSITION]
        self._games = self._read(np.append(find_starts(self._data), len(self._data)))

    def _read(self, starts: Int64) -> Games:
        text = np.frombuffer(self._data or b"\n", np.uint8)
        scan, count, room = self._scan, len(starts) - 1, len(text) // 2 + 2
        self._starts: list[int] = starts.tolist()
        first = np.zeros(count, np.int32)
        for found in _FEN_TAG.finditer(self._data):
            game = int(np.searchsorted(starts, found.start(), side="right")) - 1
            first[game] = self._first_position(game)
        self._is_left_out = np.zeros(count, np.bool_)
        if scan.options.where:
            wanted = [scan.selects(self._tags(i)) for i in range(count)]
            self._is_left_out = ~np.array(wanted, np.bool_)
            first[self._is_left_out] = -1
        if scan.options.variations:
            places = np.flatnonzero(text == ord("("))
            first[np.searchsorted(starts, places, side="right") - 1] = -1
        games = Games(
            starts,
            first,
            np.array(self._positions, np.int32),
            np.zeros(count, np.uint8),
            np.zeros(count + 1, np.int64),
            *(np.empty(room, np.int32) for _ in range(4)),  # type: ignore[arg-type,call-arg]
            np.empty(room, np.int64),
        )
        _, table, sums, followed = self._proven
        read_games(text, games, table, scan.options.strict, MAX_TEXTS, sums, followed)
        return games

    def _first_position(self, game: int) -> int:
        """Return the number of the position from which a game with a FEN begins; -1 to leave it."""
        tags = self._tags(game)
        if "FEN" not in tags:  # it stands in a comment
            return 0
        try:
            board, variant, drops_right = board_and_variant(tags)
        except (FenError, OtherVariant):
            return -1
        if variant or drops_right or max(board.fullmove_number, board.halfmove_clock) > _MOST_MOVES:
            return -1
        squares = [0] * 64
        for square, piece in board.piece_map().items():
            squares[square] = piece.piece_type + 6 * (not piece.color)
        rights = sum(1 << i for i, bit in enumerate(_CORNERS) if board.castling_rights & bit)
        passing = -1 if board.ep_square is None else board.ep_square
        rest = passing, int(not board.turn), board.halfmove_clock, board.ply()
        self._positions.append([*squares, rights, *rest])
        self._begins_at[game] = board.fen()
        return len(self._positions) - 1

    def _ends(self, game: int) -> tuple[int, int]:
        return self._starts[game], self._starts[game + 1]

    def _tags(self, game: int) -> dict[str, str]:
        """Return the tags of a game; they are kept, for they may be asked for again."""
        if game not in self._tags_of:
            self._tags_of[game] = tags_of(self._data, *self._ends(game))
        return self._tags_of[game]

    def read(self) -> list[tuple[int, int, int]]:
        """Tell the scan what was found; the games that are left."""
        scan, games, names = self._scan, self._games, self._proven.names
        read = np.flatnonzero(games.flags)
        sums = self._proven.sums
        numbers = games.numbers[: games.bounds[-1]]
        played = np.unique(numbers) if len(numbers) < _FEW_MOVES else np.flatnonzero(sums[0])
        columns = (column.tolist() for column in sums[:4, played])
        strings = map(names.__getitem__, played.tolist())
        scan.played.seen = dict(zip(strings, zip(*columns, strict=True), strict=True))
        sums[:, played] = 0
        self._remark()
        if scan.options.strict:
            for i in read.tolist():
                for kind, begin, end, due in missing_tags(
                    self._data, *self._ends(i), self._tags(i)
                ):
                    scan.remark(Remark(begin, end, i + 1, 1, due, kind.value, ""))
        if scan.options.rewrite:
            for i in np.flatnonzero(games.flags == USUAL).tolist():
                has_moves = bool(games.bounds[i] < games.bounds[i + 1])
                scan.end(*self._ends(i), self._tags(i), has_moves=has_moves)
        if scan.options.split:
            scan.ends_of.update((i + 1, self._ends(i)) for i in read.tolist())
        if scan.options.games:
            scan.games += map(self._game_row, read.tolist())
        if scan.options.find:
            self._find(scan.options.find)
        if scan.options.rows and len(read):
            self._rows(read)
        scan.count_left_out(int(self._is_left_out.sum()))
        scan.counts.update(
            {
                "games": len(read),
                f"games_{READ}": len(read),
                "games_without_result": int((games.flags[read] & HAS_RESULT == 0).sum()),
                "games_from_position": int((games.first[read] > 0).sum()),
                "games_without_moves": int((np.diff(games.bounds)[read] == 0).sum()),
                "moves": int(games.bounds[-1]),
            }
        )
        left = np.flatnonzero((games.flags == 0) & ~self._is_left_out)
        return [(i + 1, *self._ends(i)) for i in left.tolist()]

    def _remark(self) -> None:
        """Note what deviates."""
        scan, games, names = self._scan, self._games, self._proven.names
        found = np.flatnonzero(games.bits[: games.bounds[-1]])
        if not len(found):
            return
        scan.counts["deviating_moves"] += len(found)
        which = np.searchsorted(games.bounds, found, side="right") - 1
        if scan.options.split:
            scan.deviating.update((np.unique(which) + 1).tolist())
        rest = found[scan.options.most :]
        for bits, times in zip(*np.unique(games.bits[rest], return_counts=True), strict=True):
            scan.unlisted[_kind_of_bits(int(bits)), False] += int(times)
        found, which = found[: scan.options.most], which[: scan.options.most]
        plies = found - games.bounds[which]
        fens, _ = self._fens(which, plies)
        columns = (games.begins[found], games.finishes[found], games.numbers[found])
        rows = zip(*(c.tolist() for c in (*columns, games.bits[found], which, plies)), strict=True)
        for (begin, end, number, bits, game, ply), fen in zip(rows, fens, strict=True):
            place = begin, self._text_end(end), game + 1, ply + 1
            scan.remark(Remark(*place, names[number], _kind_of_bits(bits), fen))
            if scan.options.rewrite and bits:
                scan.edits.append((begin, end, names[number]))

    def _text_end(self, end: int) -> int:
        """Return where a move text ends: with its suffix annotation, if that deviates."""
        while self._scan.options.strict and self._data[end : end + 1] in (b"!", b"?"):
            end += 1
        return end

    def _fens(self, games: Int64, plies: Int64) -> tuple[list[str], list[int]]:
        """Return the FENs of positions, and how often each has occurred in its game."""
        out = np.empty(_FEN_BYTES * len(games), np.uint8)
        ends, times = np.empty(len(games) + 1, np.int32), np.empty(len(games), np.int64)
        size = write_fens(self._games, games, plies, out, ends, times, self._proven.room)
        text = out[:size].tobytes().decode("ascii")
        return [text[a:b] for a, b in pairwise(ends.tolist())], times.tolist()

    def _rows(self, read: Int64) -> None:
        """Note each move for the table of all."""
        games, names, scan = self._games, self._proven.names, self._scan
        for game in read.tolist():
            begin, end = games.bounds[game : game + 2].tolist()
            plies = np.arange(end - begin + 1)
            fens, times = self._fens(np.full(len(plies), game), plies)
            tags = values_of(self._tags(game), scan.options.tags) if scan.options.tags else ()
            moves, numbers = (c[begin:end].tolist() for c in (games.moves, games.numbers))
            for ply, (move, number) in enumerate(zip(moves, numbers, strict=True), start=1):
                where = fens[ply - 1], names[number], fens[ply], _uci(move)
                scan.row(*where, game + 1, ply, times[ply], tags)

    def _game_row(self, i: int) -> GameOutcome:
        """Return the row of a game that was read here, with its offset in place of its line."""
        begin, end = self._games.bounds[i : i + 2].tolist()
        numbers = self._games.numbers[begin:end].tolist()
        moves = " ".join(map(self._proven.names.__getitem__, numbers))
        start = self._begins_at.get(i, "")
        if start and start != chess.STARTING_FEN:
            moves = f"{start} {moves}"
        tags = values_of(self._tags(i), ROSTER)
        more = "\n".join(values_of(self._tags(i), self._scan.options.tags))
        row = (self._starts[i], READ, "", end - begin, 0, *tags, hash_of(moves), more)
        return GameOutcome._make((i + 1, *row, None))

    def _find(self, san: str) -> None:
        """Note where a string was played in the games that were read here."""
        bounds = self._games.bounds
        numbers = self._games.numbers[: bounds[-1]]
        found = np.flatnonzero(numbers == self._proven.names.index(san))
        games = np.searchsorted(bounds, found, side="right") - 1
        plies = found - bounds[games] + 1
        for game, ply in zip(games.tolist(), plies.tolist(), strict=True):
            text = self._scan.text_of(*self._ends(game))
            self._scan.hits.append(FoundString(game + 1, ply, text))


@cache
def _uci(move: int) -> str:
    return chess.Move(move & 63, move >> 6 & 63, move >> 12 or None).uci()


@cache
def _kind_of_bits(bits: int) -> str:
    """Return the public names of deviations that are bits, in the order of all names."""
    return " ".join(name.value for i, name in enumerate(Deviation) if bits >> i & 1)
