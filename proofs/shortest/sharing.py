"""Has as many strings as possible share the beginnings of their games, in compiled code. Untrusted.

Where a known game passes a position from which a legal move shows another string at its earliest
ply known, that string may have this game up to there as well. Of all such positions each string
takes the one that serves most strings: the table of the games is a third smaller so, and a reader
meets fewer games.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

import numpy as np

from sanproof.proofs.games.boards import Bytes, Ints
from sanproof.proofs.games.compiled import ZERO, compiled
from sanproof.proofs.shortest.moves import (
    MATE,
    MAX_MOVES,
    SIDE,
    Scratch,
    initial_state,
    make,
    name_moves,
    replies_after,
)
from sanproof.proofs.shortest.search import Known, Moves


def share_games(known: Known, room: Scratch) -> None:
    """Give strings games of the same length that begin as others do."""
    served = np.zeros(known.games.shape, np.int64)
    games = known.games.copy()
    start = initial_state()
    _serve(known, start, served, games, False, room)
    _serve(known, start, served, games, True, room)
    known.games[:] = games


@compiled
def _serve(
    known: Known, start: Bytes, served: Ints, games: Moves, takes: bool, room: Scratch
) -> None:
    """Count how many strings each position serves; then have each string take the best one."""
    best = np.zeros(known.plies.shape, np.int64)
    strings = np.empty(MAX_MOVES, np.int64)
    moves, codes = room.moves, room.codes
    state = start.copy()
    for goal in range(2 * known.plies.shape[1]):
        owner, number = goal % 2, goal // 2
        for i in range(len(state)):
            state[i] = start[i]
        for ply in range(known.plies[owner, number]):
            count = served[owner, number, ply]
            if not takes or count:
                found = _shown(known, state, ply, strings, room)
                if not takes:
                    served[owner, number, ply] = found
                for i in range(found * takes):
                    string = known.numbers[codes[strings[i]]]
                    if count > best[ply % 2, string]:
                        best[ply % 2, string] = count
                        for k in range(ply):
                            games[ply % 2, string, k] = known.games[owner, number, k]
                        games[ply % 2, string, ply] = moves[strings[i]]
            make(state, np.int64(known.games[owner, number, ply]))


@compiled
def _shown(
    known: Known,
    state: Bytes,
    ply: int,
    found: Ints,
    room: Scratch,
) -> int:
    """Find the moves whose strings are never shown earlier than here; how many they are."""
    moves, codes = room.moves, room.codes
    number = ZERO
    for i in range(name_moves(state, room)):
        string = known.numbers[codes[i]]
        if string < 0 or known.plies[np.int64(state[SIDE]), string] != ply + 1:
            continue
        if codes[i] % 3 == MATE or replies_after(state, moves[i], room):
            found[number] = i
            number += 1
    return number
