"""The fast path: usual games, their moves by the native reader, and their SAN by compiled loops.

The native reader (shakmaty) says which move a text denotes and that it is legal; from its boards
the compiled loops write the move and compare. A game counts as read when every text is exactly
what comes out and is one of the proven strings. All other games are python-chess's.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import rust_pgn_reader_python_binding as native
from numpy.typing import NDArray

from verify.scan.borders import game_starts
from verify.scan.chunks import Seen
from verify.scan.kernels import (
    HAS_RESULT,
    TABLE_BITS,
    USUAL,
    compare_games,
    count_games,
    fill_table,
    read_usual,
    write_fens,
    write_ucis,
)
from verify.scan.rows import table_of

Int64 = NDArray[np.int64]


class Proven(NamedTuple):
    """The proven strings, and a table that finds their numbers."""

    strings: list[str]
    keys: NDArray[np.uint64]
    values: NDArray[np.int32]


class Texts(NamedTuple):
    """The move texts of a chunk's usual games.

    Attributes:
        starts: Where the chunk's games begin, and its end.
        begins: Where each move text begins.
        finishes: Where it ends.
        bounds: The number of texts before each game, and of all.
        flags: The flags of each game.
        clean: The texts alone.
        clean_bounds: Where each game begins in them.
    """

    starts: Int64
    begins: NDArray[np.int32]
    finishes: NDArray[np.int32]
    bounds: Int64
    flags: NDArray[np.uint8]
    clean: NDArray[np.uint8]
    clean_bounds: NDArray[np.int32]


class Compared(NamedTuple):
    """What the fast path found.

    Attributes:
        texts: The move texts.
        read: Which games, from 0, are canonical from beginning to end.
        moves: The number of moves of each of them.
        native_games: Which of the native reader's games each is.
        bounds: The number of moves before each of the native reader's games, and of all.
        numbers: The number of each move's string.
        parsed: The native reader's arrays.
    """

    texts: Texts
    read: Int64
    native_games: Int64
    bounds: Int64
    numbers: NDArray[np.int32]
    parsed: Any


@lru_cache(maxsize=1)
def proven_table(lines: bytes) -> Proven:
    """The table of the proven strings, one a line."""
    strings = lines.split()
    joined = np.frombuffer(b" ".join(strings) + b" ", dtype=np.uint8)
    bounds = np.zeros(len(strings) + 1, dtype=np.int64)
    np.cumsum([len(string) + 1 for string in strings], out=bounds[1:])
    keys = np.zeros(1 << TABLE_BITS, dtype=np.uint64)
    values = np.zeros(1 << TABLE_BITS, dtype=np.int32)
    fill_table(joined, bounds, keys, values)
    return Proven([string.decode() for string in strings], keys, values)


def read_texts(data: bytes, *, strict: bool = False) -> Texts:
    """The move texts of a chunk's usual games."""
    found = game_starts(data)
    starts = np.array([*found, len(data)], dtype=np.int64)
    room = len(data) // 2 + 2
    texts = Texts(
        starts,
        np.empty(room, dtype=np.int32),
        np.empty(room, dtype=np.int32),
        np.zeros(len(starts), dtype=np.int64),
        np.zeros(len(found), dtype=np.uint8),
        np.empty(len(data) + 2, dtype=np.uint8),
        np.zeros(len(starts), dtype=np.int32),
    )
    read_usual(
        np.frombuffer(data, dtype=np.uint8),
        starts,
        texts.begins,
        texts.finishes,
        texts.bounds,
        texts.flags,
        texts.clean,
        texts.clean_bounds,
        strict,
    )
    return texts


def compare(data: bytes, proven: Proven, *, strict: bool = False) -> Compared:
    """Compare the usual games of a chunk with how their moves are written."""
    texts = read_texts(data, strict=strict)
    usual = np.flatnonzero(texts.flags & USUAL)
    nothing = np.zeros(0, dtype=np.int64)
    if not len(usual):
        return Compared(texts, nothing, nothing, np.zeros(1, dtype=np.int64), _no(), None)
    parsed = _parse(texts, usual)
    if parsed is None:
        return Compared(texts, nothing, nothing, np.zeros(1, dtype=np.int64), _no(), None)
    bounds = parsed.move_offsets.astype(np.int64)
    first = texts.bounds[usual]
    wanted = texts.bounds[usual + 1] - first
    whole = parsed.valid & (np.diff(bounds) == wanted)
    numbers = np.zeros(int(bounds[-1]), dtype=np.int32)
    canonical = np.zeros(len(usual), dtype=np.bool_)
    compare_games(
        np.frombuffer(data, dtype=np.uint8),
        texts.begins,
        texts.finishes,
        parsed.boards.reshape(-1, 64),
        parsed.from_squares,
        parsed.to_squares,
        parsed.promotions,
        parsed.is_checkmate,
        bounds,
        first,
        proven.keys,
        proven.values,
        numbers,
        canonical,
    )
    chosen = np.flatnonzero(whole & canonical)
    return Compared(texts, usual[chosen], chosen, bounds, numbers, parsed)


def _no() -> NDArray[np.int32]:
    return np.zeros(0, dtype=np.int32)


def _parse(texts: Texts, usual: Int64) -> Any:  # noqa: ANN401 - the native reader's
    """The native reader's arrays of the usual games; None if it lost a game."""
    bounds = np.append(texts.clean_bounds[usual], texts.clean_bounds[-1])
    size = int(bounds[-1])
    array = pa.StringArray.from_buffers(
        len(usual), pa.py_buffer(bounds.astype(np.int32)), pa.py_buffer(texts.clean[:size])
    )
    parsed = native.parse_games(pa.chunked_array([array]), num_threads=1)
    (chunk,) = parsed.chunks
    return chunk if chunk.num_games == len(usual) else None


def seen(compared: Compared, counted: Int64, proven: Proven) -> dict[str, Seen]:
    """Count the strings of some of the native reader's games."""
    size = len(proven.strings)
    times, games, first_game, first_ply = (np.zeros(size, dtype=np.int64) for _ in range(4))
    wanted = np.zeros(len(compared.bounds) - 1, dtype=np.bool_)
    wanted[counted] = True
    game_numbers = np.flatnonzero(compared.texts.flags & USUAL) + 1
    count_games(
        compared.bounds, wanted, game_numbers, compared.numbers, times, games, first_game, first_ply
    )
    played = np.flatnonzero(times)
    values = zip(
        times[played].tolist(),
        games[played].tolist(),
        first_game[played].tolist(),
        first_ply[played].tolist(),
        strict=True,
    )
    return {
        proven.strings[number]: Seen(*value)
        for number, value in zip(played.tolist(), values, strict=True)
    }


def has_result(compared: Compared) -> NDArray[np.bool_]:
    """Whether each game of the chunk has a result."""
    flags: NDArray[np.bool_] = (compared.texts.flags & HAS_RESULT) != 0
    return flags


def rows(compared: Compared, proven: Proven, source: str, first_game: int) -> pa.Table:
    """The table of the moves of the games that the fast path read.

    Args:
        compared: What it found.
        proven: The proven strings.
        source: The name of the source.
        first_game: How many of its games come before the chunk.
    """
    parsed, games, bounds = compared.parsed, compared.native_games, compared.bounds
    if not len(games):
        return table_of([], [], [], [], source, [], [])
    lengths = bounds[games + 1] - bounds[games]
    moves = _ranges(bounds[games], lengths)
    befores = _ranges(np.cumsum(lengths + 1) - lengths - 1, lengths)
    count = int(lengths.sum()) + len(games)
    text, ends = np.empty(96 * count, dtype=np.uint8), np.empty(count + 1, dtype=np.int32)
    size = write_fens(
        parsed.boards.reshape(-1, 64),
        parsed.castling,
        parsed.en_passant,
        parsed.from_squares,
        parsed.to_squares,
        bounds,
        games,
        text,
        ends,
    )
    fens = _strings(text[:size], ends)
    text, ends = np.empty(5 * len(moves), dtype=np.uint8), np.empty(len(moves) + 1, dtype=np.int32)
    size = write_ucis(
        parsed.from_squares[moves],
        parsed.to_squares[moves],
        parsed.promotions[moves],
        text,
        ends,
    )
    return table_of(
        fens.take(pa.array(befores)),
        pa.array(proven.strings).take(pa.array(compared.numbers[moves])),
        fens.take(pa.array(befores + 1)),
        _strings(text[:size], ends),
        source,
        np.repeat(first_game + compared.read + 1, lengths),
        _ranges(np.ones(len(games), dtype=np.int64), lengths),
    )


def _ranges(begins: Int64, lengths: Int64) -> Int64:
    """The numbers from each begin on, as many as its length says, one after the other."""
    before = np.cumsum(lengths) - lengths
    ranges: Int64 = np.arange(int(lengths.sum())) + np.repeat(begins - before, lengths)
    return ranges


def _strings(text: NDArray[np.uint8], ends: NDArray[np.int32]) -> pa.StringArray:
    return pa.StringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(text))
