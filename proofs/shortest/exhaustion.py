"""Plays all games of a few plies, and finds when each string first occurs. Untrusted.

A position is packed into 40 bytes: four bits a square, then the castling rights, and the file of a
pawn that can be captured in passing. Two positions are the same if all of these bytes are: a table
of hashes finds candidates, which are compared in full. So the numbers of positions are those of
OEIS A083276. They are exact, which makes the result a bound: a string that no move of these plies
has occurs later in every game.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import ZERO, Bytes, compiled
from sanproof.proofs.shortest.states import (
    CODES,
    KINGS,
    NO_FILE,
    PASSING,
    RIGHTS,
    SIDE,
    STATE_BYTES,
    after,
    codes_of,
    initial_state,
    legal_moves,
    passes,
)

Words = NDArray[np.uint64]
Places = NDArray[np.int32]

WORDS: Final = 5
_AT_ONCE: Final = 200_000
"""The positions that are expanded before Python looks at signals again."""
_BRANCHING: Final = 20
"""More than the new positions that a position has on average; the first has so many."""


class Ply(NamedTuple):
    """The counts of a ply, from 1: positions before it, legal moves, and codes that are new."""

    ply: int
    positions: int
    moves: int
    firsts: list[int]


@compiled
def pack(state: Bytes, words: Words) -> None:
    """Pack a state into ``words``."""
    for i in range(4):
        word = np.uint64(0)
        for square in range(16 * i + 15, 16 * i - 1, -1):
            word = (word << np.uint64(4)) | np.uint64(state[square])
        words[i] = word
    file = np.int64(NO_FILE)
    if state[PASSING] != NO_FILE:
        for move in legal_moves(state):
            if passes(state, move & 63, move >> 6 & 63):
                file = np.int64(state[PASSING])
    for right in range(4):
        file = 2 * file + state[RIGHTS + right]
    words[4] = np.uint64(file)


@compiled
def unpack(words: Words, side: int) -> Bytes:
    """Unpack a state in which ``side`` is to move."""
    state = np.empty(STATE_BYTES, np.uint8)
    for square in range(64):
        piece = np.int64(words[square >> 4] >> np.uint64(4 * (square & 15))) & 15
        state[square] = piece
        if piece in (6, 12):
            state[KINGS + (piece == 12)] = square
    rest = np.int64(words[4])
    for right in range(4):
        state[RIGHTS + right] = rest >> (3 - right) & 1
    state[PASSING] = rest >> 4
    state[SIDE] = side
    return state


@compiled
def _slot(positions: Words, table: Places, words: Words) -> int:
    """Return where a position is in the table of hashes, or the empty place that it would have."""
    mix = np.uint64(0)
    for word in words:
        mix = (mix + word) * np.uint64(0xBF58476D1CE4E5B9)
        mix ^= mix >> np.uint64(29)
    mask = len(table) - 1
    slot = np.int64(mix >> np.uint64(1)) & mask
    while table[slot]:
        same = True
        for i in range(WORDS):
            same = same and positions[table[slot] - 1, i] == words[i]
        if same:
            return slot
        slot = (slot + 1) & mask
    return slot


@compiled
def _expand(
    positions: Words, side: int, seen: Bytes, following: Words, known: int, table: Places
) -> tuple[int, int]:
    """Name all moves of some positions, and add the positions after them to those that follow.

    Args:
        positions: The positions to expand.
        side: Who is to move.
        seen: The codes that the player wrote before; those of these positions are added.
        following: The positions before the next ply; none are kept if it has no room at all.
        known: How many of them there are so far.
        table: Where each of them is, from 1, by its hash.

    Returns:
        How many moves there are, and how many positions follow now: -1 if there is no room.
    """
    words = np.empty(WORDS, np.uint64)
    total = ZERO
    for position in positions:
        state = unpack(position, side)
        moves = legal_moves(state)
        total += len(moves)
        for code in codes_of(state, moves):
            seen[code] = 1
        if len(following) == 0:
            continue
        for move in moves:
            pack(after(state, move), words)
            slot = _slot(following, table, words)
            if table[slot] == 0:
                if known == len(following):
                    return total, -1
                for i in range(WORDS):
                    following[known, i] = words[i]
                known += 1
                table[slot] = known
    return total, known


def count_games(plies: int) -> Iterator[Ply]:
    """Play all games of ``plies`` plies, and yield the counts of each ply when it is done.

    Raises:
        MemoryError: The positions before a ply do not fit into memory.
    """
    positions = np.zeros((1, WORDS), np.uint64)
    pack(initial_state(), positions[0])
    seen = np.zeros((2, CODES), np.uint8)
    for ply in range(1, plies + 1):
        side = (ply - 1) % 2
        before, size = seen[side].copy(), len(positions)
        # Memory that is not written to takes none.
        following = np.empty(((ply < plies) * _BRANCHING * size, WORDS), np.uint64)
        table = np.zeros(1 << (max(len(following), 64) - 1).bit_length(), np.int32)
        moves, known = 0, ZERO
        for start in range(0, size, _AT_ONCE):
            some = positions[start : start + _AT_ONCE]
            made, known = _expand(some, side, seen[side], following, known, table)
            if known < 0:
                raise MemoryError(f"more positions than expected follow ply {ply}")
            moves += made
        yield Ply(ply, size, moves, np.flatnonzero(seen[side] > before).tolist())
        positions = following[:known]
