"""Finishes games: both players together look for a mate, in compiled code. Untrusted.

A game counts as evidence when it ends in mate. Random moves find one soon, if one player likes
checks, and the other one leaves his pieces where they are; the effort grows until one is found.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from collections.abc import Sequence
from typing import Final

import numpy as np

from sanproof.proofs.games.boards import Bytes, Ints
from sanproof.proofs.games.compiled import ZERO, compiled
from sanproof.proofs.shortest.states import (
    MATE,
    SIDE,
    STATE_BYTES,
    Scratch,
    copy_state,
    find_moves,
    initial_state,
    make,
    name_moves,
)

LONGEST: Final = 60
"""The most plies that may be added."""
_TRIES: Final = (64, 400, 2000, 10_000, 60_000)


def finish(moves: Sequence[int], room: Scratch) -> tuple[int, ...] | None:
    """Return a game's moves with others added, the last of which mates; None if none is found.

    If the last move mates already, nothing is added.
    """
    state = initial_state()
    for move in moves:
        make(state, move)
    if find_moves(state, room.replies) == 0:
        return tuple(moves)
    line = np.zeros(LONGEST, np.int64)
    for seed, tries in enumerate(_TRIES):
        if length := _find_mate(state, line, tries, seed, room):
            return (*moves, *(int(move) for move in line[:length]))
    return None


@compiled
def _find_mate(start: Bytes, line: Ints, tries: int, seed: int, room: Scratch) -> int:
    """Search a mate at random, so many times; how many moves the shortest one takes, or 0."""
    np.random.seed(seed)
    state = np.zeros(STATE_BYTES, np.uint8)
    moves, codes = room.moves, room.codes
    played = np.zeros(LONGEST, np.int64)
    best = ZERO
    for attempt in range(tries):
        copy_state(start, state)
        limit = best - 1 if best else min(np.int64(12 + attempt), np.int64(LONGEST))
        for ply in range(limit):
            number = name_moves(state, room)
            if number == 0:
                break
            move = np.int64(-1)
            for i in range(number):
                if codes[i] % 3 == MATE:
                    move = moves[i]
            if move >= 0:
                played[ply] = move
                best = np.int64(ply + 1)
                for i in range(best):
                    line[i] = played[i]
                break
            move = _helpful(state, moves, codes, number, state[SIDE] == attempt % 2)
            played[ply] = move
            make(state, move)
        if best and best <= 2:
            break
    return best


@compiled
def _helpful(state: Bytes, moves: Ints, codes: Ints, number: int, attacks: bool) -> int:
    """Return a random move that rather checks or comes nearer, or rather changes little."""
    move = moves[np.random.randint(number)]
    for _ in range(3):
        i = np.random.randint(number)
        if attacks:
            if codes[i] % 3 == 1 and np.random.randint(2):
                return moves[i]
            if state[move & 63] in (1, 7, 6, 12):
                move = moves[i]
        elif state[move >> 6 & 63]:
            move = moves[i]
    return move
