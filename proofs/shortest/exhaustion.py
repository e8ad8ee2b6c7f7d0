"""All positions within some plies, each once, and when each string first occurs. Untrusted.

A position is packed into 32 bytes: four bits a square, and of the 16 numbers one is a rook that may
still castle, one a pawn that can be captured in passing. Two positions are the same if all of these
bytes are: a table of hashes finds those that may be, and compares them whole. So the numbers of
positions are those of OEIS A083276. The sum of all is exact, which makes it a bound: a string that
no move has within so many plies is written later in every game.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import Bytes, Ints, is_legal_in_passing
from sanproof.proofs.games.compiled import ZERO, compiled
from sanproof.proofs.shortest.states import (
    CODES,
    KINGS,
    NO_FILE,
    PASSING,
    RIGHTS,
    SIDE,
    STATE_BYTES,
    Scratch,
    copy_state,
    initial_state,
    make,
    name_moves,
    new_scratch,
)

Words = NDArray[np.uint64]
Places = NDArray[np.int32]

AT_ONCE: Final = 200_000
"""The positions that are expanded before Python looks at signals again."""
FULL: Final = -1
_BRANCHING: Final = 20
"""More than the new positions that a position has on average; the first has so many."""
_ROOK, _PAWN = 13, 14
_CORNERS: Final = (7, 0, 63, 56)


class Ply(NamedTuple):
    """The counts of a ply, from 1: positions before it, moves that it may be, and first codes."""

    ply: int
    positions: int
    moves: int
    firsts: list[int]


@compiled
def _put(words: Words, square: int, piece: int) -> None:
    """Put another piece on a square."""
    shift = np.uint64(4 * (square & 15))
    words[square >> 4] &= ~(np.uint64(15) << shift)
    words[square >> 4] |= np.uint64(piece) << shift


@compiled
def pack(state: Bytes, scratch: Bytes, words: Words) -> None:
    """Pack a state into four words."""
    for i in range(4):
        word = np.uint64(0)
        for square in range(16 * i + 15, 16 * i - 1, -1):
            word = (word << np.uint64(4)) | np.uint64(state[square])
        words[i] = word
    for right, corner in enumerate(_CORNERS):
        if state[RIGHTS + right]:
            _put(words, corner, _ROOK)
    file = np.int64(state[PASSING])
    if file == NO_FILE:
        return
    side = np.int64(state[SIDE])
    taken = 8 * (4 if side == 0 else 3) + file
    mine = 1 + 6 * side
    beside = (file > 0 and state[taken - 1] == mine) or (file < 7 and state[taken + 1] == mine)
    if beside and is_legal_in_passing(state, scratch, file, 6 * side):
        _put(words, taken, _PAWN)


@compiled
def unpack(words: Words, side: int, state: Bytes) -> None:
    """Unpack a state, of which is known who is to move."""
    for i in range(RIGHTS, STATE_BYTES):
        state[i] = 0
    state[PASSING] = NO_FILE
    state[SIDE] = side
    for square in range(64):
        piece = np.int64(words[square >> 4] >> np.uint64(4 * (square & 15))) & 15
        if piece == _ROOK:
            piece = 4 if square < 8 else 10
            for right, corner in enumerate(_CORNERS):
                if corner == square:
                    state[RIGHTS + right] = 1
        elif piece == _PAWN:
            piece = 1 if square < 32 else 7
            state[PASSING] = square & 7
        elif piece == 6:
            state[KINGS] = square
        elif piece == 12:
            state[KINGS + 1] = square
        state[square] = piece


@compiled
def _slot(positions: Words, table: Places, words: Words) -> int:
    """Return where a position is in the table of hashes, or the empty place that it would have."""
    mix = words[0] * np.uint64(0x9E3779B97F4A7C15)
    for i in range(1, 4):
        mix ^= mix >> np.uint64(29)
        mix = (mix + words[i]) * np.uint64(0xBF58476D1CE4E5B9)
    mix ^= mix >> np.uint64(32)
    mix *= np.uint64(0x94D049BB133111EB)
    mix ^= mix >> np.uint64(31)
    mask = len(table) - 1
    slot = np.int64(mix >> np.uint64(1)) & mask
    while table[slot]:
        at = table[slot] - 1
        same = True
        for i in range(4):
            same = same and positions[at, i] == words[i]
        if same:
            return slot
        slot = (slot + 1) & mask
    return slot


@compiled
def _expand(
    positions: Words,
    bounds: Ints,
    side: int,
    seen: Bytes,
    following: Words,
    table: Places,
    room: Scratch,
) -> tuple[int, int]:
    """Name all moves of some positions, and add the positions after them to those that follow.

    Args:
        positions: All positions before a ply.
        bounds: The first of those to expand, the last, and how many follow so far.
        side: Who is to move.
        seen: The codes that the player wrote before; those of this ply are added.
        following: The positions before the next ply; none are kept if it has no room at all.
        table: Where each of them is, from 1, by its hash.
        room: Arrays to work with.

    Returns:
        How many moves there are, and how many positions follow now, or that there is no room.
    """
    state, child = np.empty(STATE_BYTES, np.uint8), np.empty(STATE_BYTES, np.uint8)
    moves, codes = room.moves, room.codes
    words = np.empty(4, np.uint64)
    total, known = ZERO, bounds[2]
    for at in range(bounds[0], bounds[1]):
        unpack(positions[at], side, state)
        number = name_moves(state, room)
        total += number
        for i in range(number):
            seen[codes[i]] = 1
            if len(following) == 0:
                continue
            copy_state(state, child)
            make(child, moves[i])
            pack(child, room.state, words)
            slot = _slot(following, table, words)
            if table[slot] == 0:
                if known == len(following):
                    return total, FULL
                for k in range(4):
                    following[known, k] = words[k]
                known += 1
                table[slot] = known
    return total, known


def count_games(plies: int) -> Iterator[Ply]:
    """Play all games of so many plies, and yield the counts of each ply when it is done.

    Raises:
        MemoryError: There is no room for the positions before a ply.
    """
    room = new_scratch()
    positions = np.zeros((1, 4), np.uint64)
    pack(initial_state(), room.state, positions[0])
    seen = np.zeros((2, CODES), np.uint8)
    for ply in range(1, plies + 1):
        side = (ply - 1) % 2
        before, size = seen[side].copy(), len(positions)
        # Memory that is not written to takes none.
        following = np.empty(((ply < plies) * _BRANCHING * size, 4), np.uint64)
        table = np.zeros(1 << (max(len(following), 64) - 1).bit_length(), np.int32)
        moves = known = 0
        for start in range(0, size, AT_ONCE):
            bounds = np.array([start, min(start + AT_ONCE, size), known])
            made, known = _expand(positions, bounds, side, seen[side], following, table, room)
            if known == FULL:
                raise MemoryError(f"more positions than expected follow ply {ply}")
            moves += made
        yield Ply(ply, size, moves, np.flatnonzero(seen[side] > before).tolist())
        positions = following[:known]
