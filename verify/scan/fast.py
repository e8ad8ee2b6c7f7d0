"""The fast path: usual games, their moves by the native reader, and their SAN by compiled loops.

The native reader (shakmaty) says which move a text denotes and that it is legal; from its boards
the compiled loops write the move and compare. A game counts as read when every text is exactly
what comes out, or deviates in a common way, and what comes out is one of the proven strings. All
other games are python-chess's.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import chess
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import rust_pgn_reader_python_binding as native
from numpy.typing import NDArray

from sanproof.verify.notation.vocabulary import Deviation
from sanproof.verify.scan.arrow import joined, ranges, table_of
from sanproof.verify.scan.borders import RESULTS, game_starts, has_text_before
from sanproof.verify.scan.chunks import Seen
from sanproof.verify.scan.kernels import (
    HAS_RESULT,
    TABLE_BITS,
    USUAL,
    Matched,
    Moves,
    Table,
    Texts,
    compare_games,
    count_games,
    fill_table,
    find_tags,
    read_usual,
    write_fens,
)
from sanproof.verify.scan.tables import MOVES, utf_8, values_of

Int64 = NDArray[np.int64]
_ODD_BEGINNINGS: Final = np.frombuffer(b" \t\r%\x1a\xef", dtype=np.uint8)
"""What may stand before a tag on its line, or make the line none of the text."""
_SQUARES: Final = pa.array(chess.SQUARE_NAMES)
_PROMOTED: Final = pa.array(["", "", "", "n", "b", "r", "q"])
"""What UCI has for a promotion, after one place for no promotion."""
BATCH_MOVES: Final = 1 << 16
"""So many moves are compared at once. Their boards take some 5 MiB, and the next have the same
place in memory; those of a whole chunk take 45. Of fewer moves, the native reader's start is a
larger part of the work."""


class Proven(NamedTuple):
    """The proven strings, and a table that finds their numbers."""

    names: list[str]
    strings: pa.StringArray
    table: Table


class Wanted(NamedTuple):
    """The part of the table of all moves that is about the chunk."""

    source: str  # the name of its source
    first_game: int  # how many games come before
    names: tuple[str, ...]  # the tags that are columns
    tags: Callable[[int, int], Mapping[str, str]]  # the tags of the game between two offsets

    def table(self, columns: Sequence[Any]) -> pa.Table:
        """Return a table of these columns, and the source after the first four."""
        source = pa.repeat(pa.scalar(utf_8(self.source)), len(columns[0]))
        kinds = MOVES | dict.fromkeys(self.names, str)
        return table_of(kinds, [*columns[:4], source, *columns[4:]])


class Compared(NamedTuple):
    """The findings of the fast path."""

    texts: Texts  # the move texts
    read: Int64  # which games, from 0, were read from beginning to end
    numbers: NDArray[np.int32]  # the number of each move text's string, in these games
    deviating: Int64  # the bits of what deviates in it
    named: list[Any]  # what deviates in them, as far as it is listed: columns, see _named
    unlisted: Counter[str]  # how often each kind deviates beside
    seen: dict[str, Seen]  # the strings of their moves
    rows: pa.Table | None  # the table of their moves, if it is wanted

    def has_result(self) -> NDArray[np.bool_]:
        """Return whether each game of the chunk has a result."""
        flags: NDArray[np.bool_] = (self.texts.flags & HAS_RESULT) != 0
        return flags


class _Batch(NamedTuple):
    """Some of the chunk's games, as the native reader gives them."""

    moves: Moves
    read: Int64  # those of them, from 0, that were read from beginning to end
    games: Int64


@lru_cache(maxsize=1)
def proven_table(lines: bytes) -> Proven:
    """Return the table of the proven strings, one a line."""
    strings = lines.split()
    text = np.frombuffer(b" ".join(strings) + b" ", dtype=np.uint8)
    bounds = np.zeros(len(strings) + 1, dtype=np.int64)
    np.cumsum([len(string) + 1 for string in strings], out=bounds[1:])
    size = 1 << TABLE_BITS
    table = Table(np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.int32))
    fill_table(text, bounds, table)
    names = [string.decode() for string in strings]
    return Proven(names, pa.array(names, pa.string()), table)


def find_games(data: bytes) -> Int64:
    """Do what :func:`verify.scan.borders.game_starts` does: faster, if all games begin with tags.

    That is so if no line looks odd: after one that may end in a result stand tags, nothing comes
    before a tag on its line, and no empty line stands between two.
    """
    text = np.frombuffer(b"%b\n\n" % data, dtype=np.uint8)
    ends = np.flatnonzero(text == ord("\n"))
    begins = np.append(0, ends[:-1] + 1)
    lasts = ends - (text[ends - 1] == ord("\r"))
    is_full = begins < lasts
    begins, ends, lasts = begins[is_full], ends[is_full], lasts[is_full]
    is_tag = np.zeros(len(begins), dtype=np.bool_)
    find_tags(text, begins, is_tag)
    last, before = text[lasts - 1], text[lasts - 2]
    is_result = (last == ord("*")) | (last <= ord(" ")) | (last >= 128)
    is_result |= (before == ord("-")) | (before == ord("/")) | (before >= 128)
    is_far = begins[1:] > ends[:-1] + 1
    is_odd = np.where(is_tag[1:], is_tag[:-1] & is_far, is_result[:-1])
    if is_odd.any() or np.isin(text[begins], _ODD_BEGINNINGS).any():
        return np.array(game_starts(data), dtype=np.int64)
    found = begins[is_tag & ~np.append(False, is_tag[:-1])]
    first = int(found[0]) if len(found) else len(data)
    return np.insert(found, 0, 0) if has_text_before(data, first) else found


def read_texts(data: bytes) -> Texts:
    """Return the move texts of a chunk's usual games."""
    starts = np.append(find_games(data), len(data))
    room = len(data) // 2 + 2
    texts = Texts(
        starts,
        np.empty(room, dtype=np.int32),
        np.empty(room, dtype=np.int32),
        np.zeros(len(starts), dtype=np.int64),
        np.zeros(len(starts) - 1, dtype=np.uint8),
        np.empty(2 * len(data) + 2, dtype=np.uint8),
        np.zeros(len(starts), dtype=np.int32),
    )
    read_usual(np.frombuffer(data, dtype=np.uint8), texts)
    return texts


def with_parentheses(data: bytes, starts: Int64) -> list[int]:
    """Return the games of a chunk, from 0, that may hold variations."""
    places = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("("))
    games: list[int] = np.unique(np.searchsorted(starts, places, side="right") - 1).tolist()
    return games


def compare(
    data: bytes,
    proven: Proven,
    *,
    strict: bool = False,
    wanted: Wanted | None = None,
    leave: Callable[[Int64], Sequence[int]] | None = None,
    most: int | None = None,
) -> Compared:
    """Compare the usual games of a chunk with how their moves are written.

    If it is strict, suffix annotations deviate. ``wanted`` asks for the moves' table; ``leave``
    says, from where the games begin, which of them are not to be read here; at most so many
    deviations are listed, and the others counted.
    """
    return _Comparison(data, proven, strict, most).run(wanted, leave)


class _Comparison:
    """The comparison of a chunk, batch by batch."""

    def __init__(self, data: bytes, proven: Proven, strict: bool, most: int | None) -> None:
        self._data = data
        self._proven = proven
        self._strict = strict
        self._most = most
        self._texts = read_texts(data)
        texts = int(self._texts.bounds[-1])
        self._numbers = np.zeros(texts, dtype=np.int32)
        self._deviating = np.zeros(texts, dtype=np.int64)
        self._unlisted: Counter[str] = Counter()

    def run(
        self, wanted: Wanted | None, leave: Callable[[Int64], Sequence[int]] | None
    ) -> Compared:
        """Compare all games but those that are left."""
        texts, proven = self._texts, self._proven
        if leave is not None:
            texts.flags[leave(texts.starts)] = 0
        canonical = np.zeros(len(texts.flags), dtype=np.bool_)
        no_texts = pa.array([], pa.string())
        named: list[list[Any]] = [[*[np.zeros(0, dtype=np.int64)] * 4, *[no_texts] * 3]]
        tables = [] if wanted is None else [wanted.table([()] * (6 + len(wanted.names)))]
        for games in _batches(texts):
            batch = self._compare_batch(games)
            if batch is None:
                continue
            canonical[games[batch.read]] = True
            named.append(self._named(batch))
            if wanted is not None and len(batch.read):
                tables.append(self._rows(batch, wanted))
        sums = np.zeros((5, len(proven.names)), dtype=np.int32)
        count_games(texts.bounds, canonical, self._numbers, sums)
        played = np.flatnonzero(sums[0])
        strings = map(proven.names.__getitem__, played.tolist())
        return Compared(
            texts,
            np.flatnonzero(canonical),
            self._numbers,
            self._deviating,
            joined(named),
            self._unlisted,
            dict(zip(strings, zip(*sums[:4, played].tolist(), strict=True), strict=True)),
            pa.concat_tables(tables) if tables else None,
        )

    def _compare_batch(self, games: Int64) -> _Batch | None:
        """Compare some usual games; None if the native reader lost one."""
        texts = self._texts
        parsed = _parse(texts, games)
        if parsed is None:
            return None
        moves = Moves(
            parsed.move_offsets.astype(np.int64),
            parsed.boards.reshape(-1, 64),
            parsed.castling,
            parsed.en_passant,
            parsed.from_squares,
            parsed.to_squares,
            parsed.promotions,
            parsed.is_checkmate,
        )
        first = texts.bounds[games]
        canonical = parsed.valid & (np.diff(moves.bounds) == texts.bounds[games + 1] - first)
        text = np.frombuffer(self._data, dtype=np.uint8)
        found = Matched(self._numbers, self._deviating, canonical)
        compare_games(text, texts, first, moves, self._proven.table, found, self._strict)
        canonical[self._contradicted(games, parsed, canonical)] = False
        return _Batch(moves, np.flatnonzero(canonical), games)

    def _contradicted(
        self,
        games: Int64,
        parsed: Any,  # noqa: ANN401 - the native reader's
        canonical: NDArray[np.bool_],
    ) -> list[int]:
        """Return which of a batch's games may tell another result than their last position."""
        texts = self._texts
        is_mate = parsed.is_checkmate
        is_draw = parsed.is_stalemate | parsed.is_insufficient.all(axis=1)
        found = []
        for i in np.flatnonzero(canonical & (is_mate | is_draw)).tolist():
            game = games[i]
            begin, end = texts.bounds[game], texts.bounds[game + 1]
            due = b"1/2-1/2" if is_draw[i] else b"1-0" if (end - begin) % 2 else b"0-1"
            head = self._data[texts.starts[game] : texts.begins[begin]]
            tail = self._data[texts.finishes[end - 1] : texts.starts[game + 1]]
            others = [result for result in RESULTS[:3] if result != due]
            if any(result in tail or b'"%b"' % result in head for result in others):
                found.append(i)
        return found

    def _named(self, batch: _Batch) -> list[Any]:
        """Return the deviations of a batch that are listed, in order; the others are counted.

        The columns are those of :class:`verify.scan.scanning.Remark`, but for the last.
        """
        texts, numbers, deviating = self._texts, self._numbers, self._deviating
        begin, end = texts.bounds[batch.games[0]], texts.bounds[batch.games[-1] + 1]
        found = np.flatnonzero(deviating[begin:end]) + begin
        games = np.searchsorted(texts.bounds, found, side="right") - 1
        is_read = np.isin(games, batch.games[batch.read])
        found, games = found[is_read], games[is_read]
        if self._most is not None:
            bits, times = np.unique(deviating[found[self._most :]], return_counts=True)
            kinds = map(kind_of_bits, bits.tolist())
            self._unlisted.update(dict(zip(kinds, times.tolist(), strict=True)))
            found, games = found[: self._most], games[: self._most]
            self._most -= len(found)
        plies = found - texts.bounds[games]
        ends = texts.finishes[found].astype(np.int64)
        if self._strict:
            ends = np.array([full_end(self._data, end) for end in ends.tolist()], dtype=np.int64)
        bits, numbered = np.unique(deviating[found], return_inverse=True)
        kinds = pa.array(map(kind_of_bits, bits.tolist()), pa.string())
        return [
            texts.begins[found].astype(np.int64),
            ends,
            games + 1,
            plies + 1,
            self._proven.strings.take(pa.array(numbers[found])),
            kinds.take(pa.array(numbered)),
            _fens(batch.moves, np.searchsorted(batch.games, games), plies),
        ]

    def _rows(self, batch: _Batch, wanted: Wanted) -> pa.Table:
        """Return the table of the moves of a batch's games that are canonical."""
        texts, moves, read = self._texts, batch.moves, batch.read
        games, bounds = batch.games[read], moves.bounds
        lengths = bounds[read + 1] - bounds[read]
        own = ranges(bounds[read], lengths)
        befores = ranges(np.cumsum(lengths + 1) - lengths - 1, lengths)
        fens = _fens(moves, np.repeat(read, lengths + 1), ranges(0 * read, lengths + 1))
        origins, destinations = moves.origins[own], moves.destinations[own]
        promoted = _PROMOTED.take(pa.array(moves.promotions[own] + 1))
        squares = (_SQUARES.take(pa.array(places)) for places in (origins, destinations))
        numbers = self._numbers[ranges(texts.bounds[games], lengths)]
        values = [
            values_of(wanted.tags(int(texts.starts[i]), int(texts.starts[i + 1])), wanted.names)
            for i in games
        ]
        each = pa.array(np.repeat(np.arange(len(games)), lengths))
        tags = [pa.array(c, pa.string()).take(each) for c in zip(*values, strict=True)]
        return wanted.table(
            [
                fens.take(pa.array(befores)),
                self._proven.strings.take(pa.array(numbers)),
                fens.take(pa.array(befores + 1)),
                pc.binary_join_element_wise(*squares, promoted, ""),
                np.repeat(wanted.first_game + games + 1, lengths),
                ranges(np.ones(len(games), dtype=np.int64), lengths),
                *tags,
            ]
        )


def _batches(texts: Texts) -> list[Int64]:
    """Return the usual games, in parts of some :data:`BATCH_MOVES` moves."""
    usual = np.flatnonzero(texts.flags & USUAL)
    if not len(usual):
        return []
    borders = np.flatnonzero(np.diff(texts.bounds[usual] // BATCH_MOVES)) + 1
    return np.split(usual, borders)


@cache
def kind_of_bits(bits: int) -> str:
    """Return the public names of deviations that are bits, in the order of all names."""
    return " ".join(name.value for i, name in enumerate(Deviation) if bits >> i & 1)


def full_end(data: bytes, end: int) -> int:
    """Return where a move text ends with its suffix annotation."""
    while data[end : end + 1] in (b"!", b"?"):
        end += 1
    return end


def _fens(moves: Moves, games: Int64, plies: Int64) -> pa.StringArray:
    """Return the FENs of positions of a batch, by their games and the moves before them."""
    text, ends = np.empty(96 * len(games), dtype=np.uint8), np.empty(len(games) + 1, dtype=np.int32)
    size = write_fens(moves, games, plies, text, ends)
    return _strings(text[:size], ends)


def _parse(texts: Texts, games: Int64) -> Any:  # noqa: ANN401 - the native reader's
    """Return the native reader's arrays of some usual games; None if it lost a game."""
    begin, end = texts.clean_bounds[games[0]], texts.clean_bounds[games[-1] + 1]
    bounds = texts.clean_bounds[games[0] : games[-1] + 2] - begin
    array = _strings(texts.clean[begin:end], bounds)
    if len(games) < len(array):
        array = array.take(pa.array(games - games[0]))
    parsed = native.parse_games(pa.chunked_array([array]), num_threads=1)
    (chunk,) = parsed.chunks
    return chunk if chunk.num_games == len(games) else None


def _strings(text: NDArray[np.uint8], ends: NDArray[np.int32]) -> pa.StringArray:
    return pa.StringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(text))
