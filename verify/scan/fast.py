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

import numpy as np
import pyarrow as pa
import rust_pgn_reader_python_binding as native
from numpy.typing import NDArray

from sanproof.verify.notation.vocabulary import Deviation
from sanproof.verify.scan.borders import LONGEST_RESULT, RESULTS, has_text_before
from sanproof.verify.scan.frequencies import packed
from sanproof.verify.scan.kernels import (
    DEVIATIONS,
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
    find_starts,
    read_usual,
    write_fens,
    write_ucis,
)
from sanproof.verify.scan.rows import table_of, values_of

Int64 = NDArray[np.int64]
BATCH_MOVES: Final = 1 << 16
"""So many moves are compared at once. Their boards take some 5 MiB, and the next have the same
place in memory; those of a whole chunk take 45. Of fewer moves, the native reader's start is a
larger part of the work."""


class Proven(NamedTuple):
    """The proven strings, and a table that finds their numbers."""

    strings: pa.StringArray
    table: Table


class Wanted(NamedTuple):
    """What the table of all moves says of the chunk.

    Attributes:
        source: The name of its source.
        first_game: How many games come before.
        names: The tags that are columns.
        tags: The tags of the game that lies between two offsets.
    """

    source: str
    first_game: int
    names: tuple[str, ...]
    tags: Callable[[int, int], Mapping[str, str]]


class Named(NamedTuple):
    """Columns of the move texts that deviate as the fast path can name them, in order.

    Numbers are NumPy's, texts Arrow's.

    Attributes:
        start: Where they begin, in bytes of the chunk.
        end: Where they end; with their suffix annotation if that deviates.
        game: The numbers of their games in the chunk, from 1.
        ply: The 1-based plies.
        canonical: How the moves are written.
        kind: The public names of their deviations.
        fen: The positions.
    """

    start: Int64
    end: Int64
    game: Int64
    ply: Int64
    canonical: pa.StringArray
    kind: pa.StringArray
    fen: pa.StringArray


class Told(NamedTuple):
    """Which deviations are told: so many, and those of the games that are read again.

    Attributes:
        most: So many; all if it is None.
        first: The first game that is read again, of those that are read, from 0.
        step: One in so many is.
    """

    most: int | None = None
    first: int = 0
    step: int = 1

    def which(self, games: Int64, read: Int64) -> NDArray[np.bool_]:
        """Which deviations are told, by their games, and which games were read."""
        is_told: NDArray[np.bool_] = np.isin(games, read[self.first :: self.step])
        is_told[: self.most] = True
        return is_told

    def after(self, deviations: int, games: int) -> "Told":
        """The same of what comes after so many deviations that were told, and games."""
        most = None if self.most is None else max(0, self.most - deviations)
        return Told(most, (self.first - games) % self.step, self.step)


class Compared(NamedTuple):
    """What the fast path found.

    Attributes:
        texts: The move texts.
        read: Which games, from 0, were read from beginning to end.
        numbers: The number of each move text's string, in these games.
        named: What deviates in them, as far as it is told.
        untold: How often each kind deviates beside.
        seen: The strings of their moves, as :func:`verify.scan.frequencies.packed` packs them.
        rows: The table of their moves, if it is wanted.
    """

    texts: Texts
    read: Int64
    numbers: NDArray[np.int32]
    named: Named
    untold: Counter[str]
    seen: bytes
    rows: pa.Table | None


class _Batch(NamedTuple):
    """Some of the chunk's games, as the native reader gives them.

    In ``read`` are those of them, from 0, that were read from beginning to end.
    """

    moves: Moves
    read: Int64
    games: Int64


@lru_cache(maxsize=1)
def proven_table(lines: bytes) -> Proven:
    """The table of the proven strings, one a line."""
    strings = lines.split()
    joined = np.frombuffer(b" ".join(strings) + b" ", dtype=np.uint8)
    bounds = np.zeros(len(strings) + 1, dtype=np.int64)
    np.cumsum([len(string) + 1 for string in strings], out=bounds[1:])
    size = 1 << TABLE_BITS
    table = Table(np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.int32))
    fill_table(joined, bounds, table)
    return Proven(pa.array([string.decode() for string in strings]), table)


def find_games(data: bytes) -> Int64:
    """The same as :func:`verify.scan.borders.game_starts`, faster."""
    starts = np.empty(len(data) // 3 + 2, dtype=np.int64)
    text = np.frombuffer(data, dtype=np.uint8)
    ends = np.append(np.flatnonzero(text == ord("\n")), len(data))  # much faster than one by one
    count = find_starts(text, ends, LONGEST_RESULT, starts)
    found = starts[:count].copy()
    first = int(found[0]) if count else len(data)
    return np.insert(found, 0, 0) if has_text_before(data, first) else found


def read_texts(data: bytes, *, strict: bool = False) -> Texts:
    """The move texts of a chunk's usual games."""
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
    read_usual(np.frombuffer(data, dtype=np.uint8), texts, strict)
    return texts


def with_parentheses(data: bytes, starts: Int64) -> list[int]:
    """The games of a chunk, from 0, that may hold variations."""
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
    told: Told = Told(),  # noqa: B008 - immutable
) -> Compared:
    """Compare the usual games of a chunk with how their moves are written.

    If it is strict, suffix annotations deviate. ``wanted`` asks for the moves' table;
    ``leave`` says, from where the games begin, which of them are not to be read here; ``told``,
    which deviations are told.
    """
    texts = read_texts(data, strict=strict)
    if leave is not None:
        texts.flags[leave(texts.starts)] = 0
    numbers = np.zeros(int(texts.bounds[-1]), dtype=np.int32)
    deviating = np.zeros(len(numbers), dtype=np.int32)
    canonical = np.zeros(len(texts.flags), dtype=np.bool_)
    tables = []
    parts = [_no_names()]
    untold: Counter[str] = Counter()
    for games in _batches(texts):
        batch = _compare_batch(data, texts, games, proven, numbers, deviating, strict=strict)
        if batch is None:
            continue
        canonical[games[batch.read]] = True
        found, others = _named(data, batch, texts, numbers, deviating, proven, told, strict=strict)
        told = told.after(len(found.start), len(batch.read))
        parts.append(found)
        untold.update(others)
        if wanted is not None:
            strings = proven.strings.take(pa.array(_of_canonical(batch, texts, numbers)))
            tables.append(_rows(batch, strings, wanted, texts.starts))
    return Compared(
        texts,
        np.flatnonzero(canonical),
        numbers,
        _joined(parts),
        untold,
        _counted(texts, canonical, numbers, len(proven.strings)),
        None if wanted is None else pa.concat_tables([_no_rows(wanted.names), *tables]),
    )


def _counted(
    texts: Texts, canonical: NDArray[np.bool_], numbers: NDArray[np.int32], size: int
) -> bytes:
    """The counts of the strings of the canonical games, packed."""
    sums = np.zeros((5, size), dtype=np.int32)
    count_games(texts.bounds, canonical, numbers, sums)
    played = np.flatnonzero(sums[0])
    return packed(played, sums[:4, played])


def _batches(texts: Texts) -> list[Int64]:
    """The usual games, in parts of some :data:`BATCH_MOVES` moves."""
    usual = np.flatnonzero(texts.flags & USUAL)
    if not len(usual):
        return []
    first = texts.bounds[usual]
    borders = np.flatnonzero(np.diff(first // BATCH_MOVES)) + 1
    return np.split(usual, borders)


def _compare_batch(
    data: bytes,
    texts: Texts,
    games: Int64,
    proven: Proven,
    numbers: NDArray[np.int32],
    deviating: NDArray[np.int32],
    *,
    strict: bool,
) -> _Batch | None:
    """Compare some usual games; None if the native reader lost one.

    The numbers are filled with those of the move texts' strings, and what deviates in each text.
    """
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
    text = np.frombuffer(data, dtype=np.uint8)
    found = Matched(numbers, deviating, canonical)
    compare_games(text, texts, first, moves, proven.table, found, strict)
    canonical[_contradicted(data, texts, games, parsed, canonical)] = False
    return _Batch(moves, np.flatnonzero(canonical), games)


def _contradicted(
    data: bytes,
    texts: Texts,
    games: Int64,
    parsed: Any,  # noqa: ANN401 - the native reader's
    canonical: NDArray[np.bool_],
) -> list[int]:
    """Which of a batch's games may tell another result than their last position."""
    is_mate = parsed.is_checkmate
    is_draw = parsed.is_stalemate | parsed.is_insufficient.all(axis=1)
    found = []
    for i in np.flatnonzero(canonical & (is_mate | is_draw)).tolist():
        game = games[i]
        begin, end = texts.bounds[game], texts.bounds[game + 1]
        due = b"1/2-1/2" if is_draw[i] else b"1-0" if (end - begin) % 2 else b"0-1"
        head = data[texts.starts[game] : texts.begins[begin]]
        tail = data[texts.finishes[end - 1] : texts.starts[game + 1]]
        others = [result for result in RESULTS[:3] if result != due]
        if any(result in tail or b'"%b"' % result in head for result in others):
            found.append(i)
    return found


def _named(
    data: bytes,
    batch: _Batch,
    texts: Texts,
    numbers: NDArray[np.int32],
    deviating: NDArray[np.int32],
    proven: Proven,
    told: Told,
    *,
    strict: bool,
) -> tuple[Named, Counter[str]]:
    """What deviates in the games of a batch that were read, and how often what is not told."""
    begin, end = texts.bounds[batch.games[0]], texts.bounds[batch.games[-1] + 1]
    found = np.flatnonzero(deviating[begin:end]) + begin
    games = np.searchsorted(texts.bounds, found, side="right") - 1
    is_read = np.isin(games, batch.games[batch.read])
    found, games = found[is_read], games[is_read]
    is_told = told.which(games, batch.games[batch.read])
    bits, times = np.unique(deviating[found[~is_told]], return_counts=True)
    others = Counter(dict(zip(map(kind_of_bits, bits.tolist()), times.tolist(), strict=True)))
    found, games = found[is_told], games[is_told]
    if not len(found):
        return _no_names(), others
    plies = found - texts.bounds[games]
    chosen, place = np.unique(games, return_inverse=True)
    lengths = texts.bounds[chosen + 1] - texts.bounds[chosen] + 1
    fens = _fens(batch.moves, np.searchsorted(batch.games, chosen), int(lengths.sum()))
    positions = (np.cumsum(lengths) - lengths)[place] + plies
    ends = texts.finishes[found].astype(np.int64)
    if strict:
        ends = np.array([_full_end(data, end) for end in ends.tolist()], dtype=np.int64)
    bits, kinds = np.unique(deviating[found], return_inverse=True)
    columns = Named(
        texts.begins[found].astype(np.int64),
        ends,
        games + 1,
        plies + 1,
        proven.strings.take(pa.array(numbers[found])),
        pa.array(map(kind_of_bits, bits.tolist()), pa.string()).take(pa.array(kinds)),
        fens.take(pa.array(positions)),
    )
    return columns, others


def _no_names() -> Named:
    none, texts = np.zeros(0, dtype=np.int64), pa.array([], pa.string())
    return Named(*[none] * 4, *[texts] * 3)


def _joined(parts: Sequence[Named]) -> Named:
    """All parts as one."""
    numbers, texts = (
        zip(*(part[:4] for part in parts), strict=True),
        zip(*(part[4:] for part in parts), strict=True),
    )
    return Named(*map(np.concatenate, numbers), *map(pa.concat_arrays, texts))


@cache
def kind_of_bits(bits: int) -> str:
    """The public names of deviations that are bits, in the order of all names."""
    found = {name for i, name in enumerate(DEVIATIONS) if bits >> i & 1}
    return " ".join(name.value for name in Deviation if name in found)


def _full_end(data: bytes, end: int) -> int:
    """Where a move text ends with its suffix annotation."""
    while data[end : end + 1] in (b"!", b"?"):
        end += 1
    return end


def _fens(moves: Moves, games: Int64, count: int) -> pa.StringArray:
    """The FENs of all positions of some games of a batch, which are so many."""
    text, ends = np.empty(96 * count, dtype=np.uint8), np.empty(count + 1, dtype=np.int32)
    size = write_fens(moves, games, text, ends)
    return _strings(text[:size], ends)


def _parse(texts: Texts, games: Int64) -> Any:  # noqa: ANN401 - the native reader's
    """The native reader's arrays of some usual games; None if it lost a game."""
    begin, end = texts.clean_bounds[games[0]], texts.clean_bounds[games[-1] + 1]
    bounds = texts.clean_bounds[games[0] : games[-1] + 2] - begin
    array = pa.StringArray.from_buffers(
        len(bounds) - 1, pa.py_buffer(bounds), pa.py_buffer(texts.clean[begin:end])
    )
    if len(games) < len(array):
        array = array.take(pa.array(games - games[0]))
    parsed = native.parse_games(pa.chunked_array([array]), num_threads=1)
    (chunk,) = parsed.chunks
    return chunk if chunk.num_games == len(games) else None


def has_result(compared: Compared) -> NDArray[np.bool_]:
    """Whether each game of the chunk has a result."""
    flags: NDArray[np.bool_] = (compared.texts.flags & HAS_RESULT) != 0
    return flags


def _no_rows(names: Sequence[str]) -> pa.Table:
    return table_of([], [], [], [], "", [], [], tags={name: [] for name in names})


def _of_canonical(batch: _Batch, texts: Texts, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
    """The numbers of the strings of the canonical games' moves."""
    games = batch.games[batch.read]
    begins = texts.bounds[games]
    return numbers[_ranges(begins, texts.bounds[games + 1] - begins)]


def _rows(batch: _Batch, strings: pa.Array, wanted: Wanted, starts: Int64) -> pa.Table:
    """The table of the moves of the games that are canonical."""
    all_moves, games, bounds = batch.moves, batch.read, batch.moves.bounds
    if not len(games):
        return _no_rows(wanted.names)
    lengths = bounds[games + 1] - bounds[games]
    moves = _ranges(bounds[games], lengths)
    befores = _ranges(np.cumsum(lengths + 1) - lengths - 1, lengths)
    fens = _fens(all_moves, games, int(lengths.sum()) + len(games))
    text, ends = np.empty(5 * len(moves), dtype=np.uint8), np.empty(len(moves) + 1, dtype=np.int32)
    size = write_ucis(
        all_moves.origins[moves],
        all_moves.destinations[moves],
        all_moves.promotions[moves],
        text,
        ends,
    )
    return table_of(
        fens.take(pa.array(befores)),
        strings,
        fens.take(pa.array(befores + 1)),
        _strings(text[:size], ends),
        wanted.source,
        np.repeat(wanted.first_game + batch.games[games] + 1, lengths),
        _ranges(np.ones(len(games), dtype=np.int64), lengths),
        tags=_tag_columns(starts, batch.games[games], lengths, wanted),
    )


def _tag_columns(
    starts: Int64, games: Int64, lengths: Int64, wanted: Wanted
) -> dict[str, pa.Array]:
    """The columns of the tags that are wanted, of games with so many moves each."""
    if not wanted.names:
        return {}
    found = [
        values_of(wanted.tags(int(starts[i]), int(starts[i + 1])), wanted.names) for i in games
    ]
    rows = pa.array(np.repeat(np.arange(len(games)), lengths))
    columns = zip(*found, strict=True)
    return {
        name: pa.array(column, pa.string()).take(rows)
        for name, column in zip(wanted.names, columns, strict=True)
    }


def _ranges(begins: Int64, lengths: Int64) -> Int64:
    """The numbers from each begin on, as many as its length says, one after the other."""
    before = np.cumsum(lengths) - lengths
    ranges: Int64 = np.arange(int(lengths.sum())) + np.repeat(begins - before, lengths)
    return ranges


def _strings(text: NDArray[np.uint8], ends: NDArray[np.int32]) -> pa.StringArray:
    return pa.StringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(text))
