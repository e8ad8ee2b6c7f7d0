"""A search for shorter games, in compiled code: changes known games. Untrusted.

For each *goal*, a player and a string, the search holds the shortest game known, up to the string's
move. It takes one, or the other player's with the colours exchanged, or another string's with this
one's last moves; leaves out moves or replaces them by random ones; and plays what is left: a move
that is not legal now waits until it is. At each position on the way *all* legal moves' strings
count, so a game that shows one string earlier mostly shows others earlier too.

Other changes were tried (to swap moves, to insert one, to join a piece's two moves, to cut the end
off): with them the search finds less in the same time.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import Bytes, Ints
from sanproof.proofs.games.compiled import ZERO, compiled
from sanproof.proofs.shortest.states import (
    MATE,
    SIDE,
    Scratch,
    find_moves,
    initial_state,
    make,
    name_moves,
    replies_after,
)

Moves = NDArray[np.uint16]

MOST_PLIES: Final = 96
"""Longer games are not kept."""
_WAITING: Final = 2 * MOST_PLIES
_ANY: Final = -1
"""Stands in a queue for a random move."""
_DRIFT: Final = 12
"""One in this many equally short games replaces the known one, so that the search drifts."""
_REACH: Final = 60
"""Strings that are so near in the list are alike, as `Qa1b2+` and `Qa1b3+` are."""
_LEAVE_OUT, _REPLACE, _BORROW, _EXCHANGE, _WAYS = range(5)
_INITIAL: Final = initial_state()


class KnownGames(NamedTuple):
    """The games known: for each player and string the ply, and the moves up to it.

    Attributes:
        plies: The ply of the string's move, from 1; 0 for strings that the player never writes.
        games: The moves.
        bounds: What no game can beat.
        numbers: The string of each code.
        goals: The strings that are searched.
        exchanged: The string of each string with the colours exchanged.
    """

    plies: Ints
    games: Moves
    bounds: Ints
    numbers: Ints
    goals: Ints
    exchanged: Ints


@compiled
def search_games(known: KnownGames, seed: int, work: int, room: Scratch) -> None:
    """Change so many games, and keep each that shows a string earlier."""
    np.random.seed(seed)
    # The moves that the players still want to make, and how many they are.
    queue, sizes = np.zeros((2, _WAITING), np.int64), np.zeros(2, np.int64)
    for _ in range(work):
        side, string = _choose(known)
        if known.plies[side, string] == 0:
            continue
        first = _load(known, queue, sizes, side, string)
        for _ in range(1 + (np.random.randint(3) == 0) + (np.random.randint(6) == 0)):
            way = np.random.randint(_WAYS)
            if way == _BORROW:
                first = min(first, _borrow(known, queue, sizes, side, string))
            elif way == _EXCHANGE:
                first = min(first, _exchange(known, queue, sizes, side, string))
            else:
                first = min(first, _change(queue, sizes, way))
        tail = ZERO if np.random.randint(4) else np.int64(1 + np.random.randint(3))
        limit = min(known.plies[side, string] + 1, np.int64(MOST_PLIES))
        _play(known, queue, sizes, max(first, ZERO), side, limit, tail, room)


@compiled
def _choose(known: KnownGames) -> tuple[int, int]:
    """Choose a goal: of some, the one that is farthest from its bound."""
    side = string = far = np.int64(-1)
    for _ in range(1 + np.random.randint(5)):
        a, b = np.random.randint(2), known.goals[np.random.randint(len(known.goals))]
        gap = known.plies[a, b] - known.bounds[a, b]
        if gap > far:
            side, string, far = np.int64(a), b, gap
    return max(side, ZERO), max(string, ZERO)


@compiled
def _load(known: KnownGames, queue: Ints, sizes: Ints, side: int, string: int) -> int:
    """Load a goal's game; how many plies it has."""
    plies = known.plies[side, string]
    for i in range(plies):
        queue[i % 2, i // 2] = known.games[side, string, i]
    sizes[0], sizes[1] = (plies + 1) // 2, plies // 2
    return plies


@compiled
def _borrow(known: KnownGames, queue: Ints, sizes: Ints, side: int, string: int) -> int:
    """Take another goal's game, and add this one's last moves; the first ply that differs."""
    other = string + np.random.randint(2 * _REACH) - _REACH
    if np.random.randint(3) == 0:
        other = np.int64(np.random.randint(known.plies.shape[1]))
    other = min(max(other, ZERO), known.plies.shape[1] - 1)
    if known.plies[side, other] == 0:
        return MOST_PLIES
    last = 1 + np.random.randint(4)
    kept = np.zeros((2, 4), np.int64)
    number = np.zeros(2, np.int64)
    for i in range(2):
        number[i] = min(last, sizes[i])
        for k in range(number[i]):
            kept[i, k] = queue[i, sizes[i] - number[i] + k]
    first = _load(known, queue, sizes, side, other)
    drop = np.random.randint(3)
    for i in range(2):
        sizes[i] = max(sizes[i] - drop, 0)
        first = min(first, 2 * sizes[i])
        for k in range(number[i]):
            queue[i, sizes[i]] = kept[i, k]
            sizes[i] += 1
    return first


@compiled
def _exchange(known: KnownGames, queue: Ints, sizes: Ints, side: int, string: int) -> int:
    """Take the other player's game with the colours exchanged; 0, the first ply that differs."""
    other = known.exchanged[string]
    if other < 0 or known.plies[1 - side, other] == 0:
        return MOST_PLIES
    _load(known, queue, sizes, 1 - side, other)
    for i in range(max(sizes[0], sizes[1])):
        a, b = queue[0, i], queue[1, i]
        queue[0, i], queue[1, i] = b ^ 0o7070, a ^ 0o7070
    sizes[0], sizes[1] = sizes[1], sizes[0]
    if np.random.randint(2):
        for i in range(sizes[0], 0, -1):
            queue[0, i] = queue[0, i - 1]
        queue[0, 0] = _ANY
        sizes[0] += 1
    return 0


@compiled
def add_game(known: KnownGames, line: Ints, room: Scratch) -> int:
    """Play a game, and keep what any legal move on its way shows earlier; how many those are.

    Of games that are as short the first stays.
    """
    state = _INITIAL.copy()
    found = ZERO
    for ply in range(len(line)):
        number = name_moves(state, room)
        found += _keep(known, state, number, line, ply, False, room)
        make(state, line[ply])
    return found


@compiled
def _change(queue: Ints, sizes: Ints, way: int) -> int:
    """Replace a move by a random one, or leave out one of each player; the first ply changed."""
    if sizes[0] < 3 or sizes[1] < 3:
        return MOST_PLIES
    i = np.random.randint(2)
    a = np.random.randint(sizes[i])
    ply = 2 * a + i
    if way == _REPLACE:
        queue[i, a] = _ANY
        return ply
    b = np.random.randint(sizes[1 - i])
    if np.random.randint(2):
        b = min(a, sizes[1 - i] - 1)
    _remove(queue, sizes, i, a)
    _remove(queue, sizes, 1 - i, b)
    return min(ply, 2 * b + 1 - i)


@compiled
def _remove(queue: Ints, sizes: Ints, side: int, at: int) -> None:
    """Remove a move from a queue."""
    for i in range(at, sizes[side] - 1):
        queue[side, i] = queue[side, i + 1]
    sizes[side] -= 1


@compiled
def _play(
    known: KnownGames,
    queue: Ints,
    sizes: Ints,
    first: int,
    goal_side: int,
    limit: int,
    tail: int,
    room: Scratch,
) -> None:
    """Play the queues: from a ply on, look at all moves, and keep what is earlier."""
    state = _INITIAL.copy()
    moves = room.moves
    line = np.zeros(MOST_PLIES + 1, np.int64)
    waits = np.random.randint(2) == 0
    for ply in range(first):
        line[ply] = queue[ply % 2, ply // 2]
        make(state, line[ply])
    at = np.array([(first + 1) // 2, first // 2])
    for ply in range(first, limit):
        number = name_moves(state, room) if ply >= 8 else find_moves(state, moves)
        if number == 0:
            break
        if ply >= 8:
            _keep(known, state, number, line, ply, True, room)
        if at[goal_side] >= sizes[goal_side]:
            if tail <= 0:
                break
            tail -= 1
        line[ply] = _next_move(state, queue, sizes, ply % 2, at, moves, number, waits)
        make(state, line[ply])


@compiled
def _keep(
    known: KnownGames,
    state: Bytes,
    number: int,
    line: Ints,
    ply: int,
    drifts: bool,
    room: Scratch,
) -> int:
    """Keep the game for each string of a legal move that it shows earlier; how many they are."""
    side = np.int64(state[SIDE])
    found = ZERO
    moves, codes = room.moves, room.codes
    for i in range(number):
        string = known.numbers[codes[i]]
        if string < 0:
            continue
        best = known.plies[side, string]
        if best and ply + 1 > best:
            continue
        if ply + 1 == best and (not drifts or np.random.randint(_DRIFT)):
            continue
        # After any move but a mate the game must go on.
        if codes[i] % 3 != MATE and not replies_after(state, moves[i], room):
            continue
        for k in range(ply):
            known.games[side, string, k] = line[k]
        known.games[side, string, ply] = moves[i]
        if ply + 1 != best:
            found += 1
            known.plies[side, string] = ply + 1
    return found


@compiled
def _next_move(
    state: Bytes,
    queue: Ints,
    sizes: Ints,
    side: int,
    at: Ints,
    moves: Ints,
    number: int,
    waits: bool,
) -> int:
    """Return the first move of a player's queue that is legal, or a random one."""
    for i in range(at[side], sizes[side]):
        wanted = queue[side, i]
        if wanted == _ANY:
            at[side] += 1
            return _any_move(state, moves, number)
        for k in range(number):
            if moves[k] == wanted:
                for j in range(i, at[side], -1):
                    queue[side, j] = queue[side, j - 1]
                at[side] = at[side] + 1 if waits else i + 1
                return wanted
    at[side] += not waits
    return _any_move(state, moves, number)


@compiled
def _any_move(state: Bytes, moves: Ints, number: int) -> int:
    """Return a random legal move, with a liking for promotions and for captures by pawns."""
    move = moves[np.random.randint(number)]
    for _ in range(np.random.randint(4)):
        if move >> 12:
            break
        is_pawn = state[move & 63] in (1, 7)
        if is_pawn and (move ^ move >> 6) & 7:
            break
        move = moves[np.random.randint(number)]
    return move
