"""Replays the games of the table in compiled code. Untrusted: the kernel replays a sample."""

# mypy: disable-error-code="no-any-return,arg-type,assignment,return-value"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from collections.abc import Iterable
from typing import Final

import numpy as np

from sanproof.proofs.games.boards import Ints
from sanproof.proofs.games.compiled import compiled
from sanproof.proofs.shortest.states import (
    SIDE,
    Scratch,
    code_of,
    find_moves,
    initial_state,
    is_check,
    make,
    name_moves,
    new_scratch,
    read_uci,
)

_INITIAL: Final = initial_state()


def holds(moves: Iterable[str], ply: int, san: str) -> bool:
    """Return whether a game (UCI) is legal, ends with mate, and has the string at the ply."""
    line = np.array([read_uci(move) for move in moves], np.int64)
    return bool(1 <= ply <= len(line) and _holds(line, ply, code_of(san), new_scratch()))


@compiled
def _holds(line: Ints, ply: int, code: int, room: Scratch) -> bool:
    state = _INITIAL.copy()
    for number in range(1, len(line) + 1):
        count = name_moves(state, room) if number == ply else find_moves(state, room.moves)
        found = -1
        for i in range(count):
            if room.moves[i] == line[number - 1]:
                found = i
        if found < 0 or (number == ply and room.codes[found] != code):
            return False
        make(state, line[number - 1])
    return is_check(state, np.int64(state[SIDE])) and find_moves(state, room.moves) == 0
