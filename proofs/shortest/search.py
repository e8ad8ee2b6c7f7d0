"""A search for shorter games, in compiled code: changes known games, and plays on. Untrusted.

For each *goal*, a player and a string, the search holds the shortest game known, up to the string's
move. It takes one, leaves out moves or changes them, and plays what is left: a move that is not
legal now waits until it is. At each position on the way *all* legal moves' strings count, so a game
that shows one string earlier mostly shows others earlier too. Toward a mate it climbs: from the
game to the same move without mate, over games that leave the opponent fewer and fewer replies.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import KNIGHT, LINES, Bytes, Ints, is_attacked
from sanproof.proofs.games.compiled import ZERO, compiled
from sanproof.proofs.shortest.moves import (
    CHECK,
    KINGS,
    MATE,
    SIDE,
    STATE_BYTES,
    Scratch,
    find_moves,
    kin_of,
    make,
    name_moves,
    replies_after,
)

Moves = NDArray[np.uint16]

MOST_PLIES: Final = 96
"""Longer games are not kept."""
_WAITING: Final = 2 * MOST_PLIES
_ANY: Final = -1
"""Stands in a queue for a random move; lower numbers for one of a piece on a square."""
_DRIFT: Final = 12
"""One in so many games that are as short as the one known takes its place: the search drifts."""
_REACH: Final = 60
"""Strings that are so near in the list are alike, as `Qa1b2+` and `Qa1b3+` are."""
(
    _LEAVE_OUT,
    _LEAVE_TWO_OUT,
    _REPLACE,
    _SWAP,
    _JOIN,
    _INSERT,
    _REROUTE,
    _CUT,
    _BORROW,
    _EXCHANGE,
    _WAYS,
) = range(11)
_WALKS_A_CLIMB: Final = 64
"""For each climb toward a mate so many games are changed in other ways."""
_PATIENCE: Final = 400
"""So many changes in vain end a climb."""
_QUIET: Final = 50
"""A move without check is so many replies farther from mate."""
_FAR: Final = 1 << 20


class Known(NamedTuple):
    """The games known: for each player and string the ply, and the moves up to it.

    Attributes:
        plies: The ply of the string's move, from 1; 0 for strings that the player never writes.
        games: The moves.
        bounds: What no game can beat.
        numbers: The string of each code.
        codes: The code of each string.
        goals: The strings that are searched.
        exchanged: The string of each string with the colours exchanged.
        wants: For each string the kind of its piece, how many of them it needs, where it goes, and
            the file and the rank that are written of where it comes from, or -1.
    """

    plies: Ints
    games: Moves
    bounds: Ints
    numbers: Ints
    codes: Ints
    goals: Ints
    exchanged: Ints
    wants: Ints


class Cells(NamedTuple):
    """The earliest position known for each *cell*: what pieces there are, and roughly where.

    Attributes:
        keys: What the cells have in common (:func:`key_of`), in the order of their discovery.
        slots: Where a key is, from 1, by its hash.
        plies: The ply of each position.
        games: The moves to it.
        tries: How often it was played on.
        rich: The cells in which a player has two, or three, of a kind of piece.
        sizes: How many cells there are, and then how many in each row of the one before.
    """

    keys: Ints
    slots: Ints
    plies: Ints
    games: Moves
    tries: Ints
    rich: Ints
    sizes: Ints


def new_cells() -> Cells:
    """Return cells of which none has a position."""
    return Cells(
        np.zeros(MOST_CELLS, np.int64),
        np.zeros(4 * MOST_CELLS, np.int64),
        np.zeros(MOST_CELLS, np.int64),
        np.zeros((MOST_CELLS, MOST_PLIES), np.uint16),
        np.zeros(MOST_CELLS, np.int64),
        np.zeros((16, MOST_CELLS), np.int64),
        np.zeros(17, np.int64),
    )


KIND, COUNT, TO, FILE, RANK = range(5)
MOST_CELLS: Final = 1 << 18


class _Queues(NamedTuple):
    """The moves that the players still want to make, and how many they are."""

    moves: Ints
    sizes: Ints


class _Near(NamedTuple):
    """A game that is near a mate, and numbers.

    Attributes:
        line: Its moves.
        facts: The code of the move without mate, or -1, how far it is, and how many moves it has.
    """

    line: Ints
    facts: Ints


@compiled
def search_games(known: Known, cells: Cells, seed: int, work: int, room: Scratch) -> None:
    """Change so many games, and keep each that shows a string earlier."""
    np.random.seed(seed)
    queues = _Queues(np.zeros((2, _WAITING), np.int64), np.zeros(2, np.int64))
    near = _Near(np.zeros(MOST_PLIES, np.int64), np.full(3, -1))
    left = np.int64(work)
    while left > 0:
        left -= 1
        if cells.sizes[0] and np.random.randint(5) == 0:
            first = _load_cell(cells, queues, _rare_cell(cells))
            tail = 4 + np.random.randint(14)
            limit = min(first + tail, np.int64(MOST_PLIES))
            _play(known, cells, queues, near, first, (-1, -1), limit, tail, room)
            continue
        side, string = _choose(known)
        if known.plies[side, string] == 0:
            continue
        if known.codes[string] % 3 == MATE and np.random.randint(_WALKS_A_CLIMB) == 0:
            left -= _climb(known, cells, queues, near, side, string, room)
            continue
        first = _load(known, queues, side, string)
        changes = 1 + (np.random.randint(3) == 0) + (np.random.randint(6) == 0)
        tail = ZERO
        if known.wants[string, COUNT] > 1 and np.random.randint(2):
            first = min(first, _from_cell(known, cells, queues, side, string))
            tail += np.random.randint(13)
            changes = ZERO
        for _ in range(changes):
            way = np.random.randint(_WAYS)
            if way == _BORROW:
                first = min(first, _borrow(known, queues, side, string))
            elif way == _EXCHANGE:
                first = min(first, _exchange(known, queues, side, string))
            else:
                first = min(first, _change(queues, way))
                tail += np.random.randint(9) if way == _CUT else 0
        if np.random.randint(4) == 0:
            tail += 1 + np.random.randint(3)
        limit = min(known.plies[side, string] + 1, np.int64(MOST_PLIES))
        aim = string if known.wants[string, COUNT] > 1 and np.random.randint(4) else np.int64(-1)
        _play(known, cells, queues, near, max(first, ZERO), (side, aim), limit, tail, room)


@compiled
def _climb(
    known: Known,
    cells: Cells,
    queues: _Queues,
    near: _Near,
    side: int,
    string: int,
    room: Scratch,
) -> int:
    """Change a game to a move step by step, until the move mates; how many games that takes."""
    code, best = known.codes[string], known.plies[side, string]
    other = known.numbers[code - MATE + np.random.randint(MATE)]
    if other < 0 or not 0 < known.plies[side, other] < best or best <= known.bounds[side, string]:
        return 1
    near.facts[0], near.facts[1], near.facts[2] = code - MATE, _FAR, known.plies[side, other]
    for i in range(near.facts[2]):
        near.line[i] = known.games[side, other, i]
    games, until = ZERO, np.int64(_PATIENCE)
    while games < until and known.plies[side, string] == best:
        games += 1
        before = near.facts[1]
        first = _load_line(queues, near.line, near.facts[2])
        for _ in range(1 + np.random.randint(3)):
            way = np.random.randint(_CUT)
            first = min(first, _change(queues, way))
        tail = np.random.randint(4)
        _play(known, cells, queues, near, max(first, ZERO), (side, -1), best - 2, tail, room)
        if near.facts[1] < before:
            until = games + _PATIENCE
    near.facts[0] = -1
    return games


@compiled
def _compare(state: Bytes, number: int, near: _Near, line: Ints, ply: int, room: Scratch) -> None:
    """Keep the game if it is nearer the mate, or as near and not longer."""
    for i in range(number):
        suffix = room.codes[i] - near.facts[0]
        if not 0 <= suffix < MATE:
            continue
        far = replies_after(state, room.moves[i], room) + (0 if suffix == CHECK else _QUIET)
        if far > near.facts[1] or (far == near.facts[1] and ply >= near.facts[2]):
            continue
        near.facts[1], near.facts[2] = far, ply + 1
        for k in range(ply):
            near.line[k] = line[k]
        near.line[ply] = room.moves[i]


@compiled
def _choose(known: Known) -> tuple[int, int]:
    """Choose a goal: of some, the one that is farthest from its bound."""
    side = string = far = np.int64(-1)
    for _ in range(1 + np.random.randint(5)):
        a, b = np.random.randint(2), known.goals[np.random.randint(len(known.goals))]
        gap = known.plies[a, b] - known.bounds[a, b]
        if gap > far:
            side, string, far = np.int64(a), b, gap
    return max(side, ZERO), max(string, ZERO)


@compiled
def _load(known: Known, queues: _Queues, side: int, string: int) -> int:
    """Load a goal's game; how many plies it has."""
    return _load_line(queues, known.games[side, string], known.plies[side, string])


@compiled
def _load_line(queues: _Queues, line: Ints, plies: int) -> int:
    """Load so many moves; how many they are."""
    for i in range(plies):
        queues.moves[i % 2, i // 2] = line[i]
    queues.sizes[0], queues.sizes[1] = (plies + 1) // 2, plies // 2
    return plies


@compiled
def _borrow(known: Known, queues: _Queues, side: int, string: int) -> int:
    """Take another goal's game, and add this one's last moves; the first ply that differs."""
    other = string + np.random.randint(2 * _REACH) - _REACH
    if np.random.randint(2):
        other = known.numbers[kin_of(known.codes[string], np.random.randint(6))]
    elif np.random.randint(3) == 0:
        other = np.int64(np.random.randint(known.plies.shape[1]))
    other = min(max(other, ZERO), known.plies.shape[1] - 1)
    if known.plies[side, other] == 0:
        return MOST_PLIES
    last = 1 + np.random.randint(4)
    kept = np.zeros((2, 4), np.int64)
    sizes = np.zeros(2, np.int64)
    for i in range(2):
        sizes[i] = min(last, queues.sizes[i])
        for k in range(sizes[i]):
            kept[i, k] = queues.moves[i, queues.sizes[i] - sizes[i] + k]
    first = _load(known, queues, side, other)
    drop = np.random.randint(3)
    for i in range(2):
        queues.sizes[i] = max(queues.sizes[i] - drop, 0)
        first = min(first, 2 * queues.sizes[i])
        for k in range(sizes[i]):
            queues.moves[i, queues.sizes[i]] = kept[i, k]
            queues.sizes[i] += 1
    return first


@compiled
def _exchange(known: Known, queues: _Queues, side: int, string: int) -> int:
    """Take the other player's game with the colours exchanged; 0, the first ply that differs."""
    other = known.exchanged[string]
    if other < 0 or known.plies[1 - side, other] == 0:
        return MOST_PLIES
    _load(known, queues, 1 - side, other)
    for i in range(max(queues.sizes[0], queues.sizes[1])):
        a, b = queues.moves[0, i], queues.moves[1, i]
        queues.moves[0, i], queues.moves[1, i] = b ^ 0o7070, a ^ 0o7070
    queues.sizes[0], queues.sizes[1] = queues.sizes[1], queues.sizes[0]
    if np.random.randint(2):
        _insert(queues, 0, 0, _ANY)
    return 0


@compiled
def _from_cell(known: Known, cells: Cells, queues: _Queues, side: int, string: int) -> int:
    """Begin with an early position of enough pieces, and add the goal's last moves.

    Returns:
        The first ply that differs.
    """
    kind, count = known.wants[string, KIND], known.wants[string, COUNT]
    row = np.int64(-1) if count < 2 else 8 * side + 2 * (kind - 2) + (count > 2)
    size = cells.sizes[row + 1]
    if not size:
        return MOST_PLIES
    cell = np.int64(-1)
    for _ in range(1 + np.random.randint(8)):
        other = np.int64(np.random.randint(size))
        if row >= 0:
            other = cells.rich[row, other]
        if cell < 0 or cells.plies[other] < cells.plies[cell]:
            cell = other
    kept = np.zeros((2, 4), np.int64)
    sizes = np.zeros(2, np.int64)
    last = np.random.randint(5) * np.random.randint(2)
    for i in range(2):
        sizes[i] = min(last, queues.sizes[i])
        for k in range(sizes[i]):
            kept[i, k] = queues.moves[i, queues.sizes[i] - sizes[i] + k]
    first = _load_cell(cells, queues, cell)
    for i in range(2):
        for k in range(sizes[i]):
            queues.moves[i, queues.sizes[i]] = kept[i, k]
            queues.sizes[i] += 1
    return first


@compiled
def _load_cell(cells: Cells, queues: _Queues, cell: int) -> int:
    """Load the game to a cell's position; how many plies it has."""
    return _load_line(queues, cells.games[cell], cells.plies[cell])


@compiled
def _rare_cell(cells: Cells) -> int:
    """Choose a cell that was rarely tried and is early."""
    cell, least = ZERO, np.int64(1 << 40)
    for _ in range(8):
        other = np.int64(np.random.randint(cells.sizes[0]))
        score = cells.tries[other] + cells.plies[other] // 2
        if score < least:
            cell, least = other, score
    cells.tries[cell] += 1
    return cell


@compiled
def key_of(state: Bytes) -> int:
    """Return a state's cell: the pieces of both by kind, the foremost pawns, and zones of kings."""
    counts = np.zeros(16, np.int64)
    white = black = ZERO
    for square in range(64):
        man = np.int64(state[square])
        counts[man] += 1
        if man == 1:
            white = np.int64(square >> 3)
        elif man == 7 and not black:
            black = np.int64(7 - (square >> 3))
    key = 8 * white + black
    for kind in range(2, 6):
        key = 64 * key + 8 * min(counts[kind + 6], np.int64(7)) + min(counts[kind], np.int64(7))
    for i in range(2):
        king = np.int64(state[KINGS + i])
        key = 16 * key + 2 * (king >> 4) + ((king & 7) >> 2)
    return key + 1


@compiled
def pieces_of(key: int, side: int, kind: int) -> int:
    """Return how many pieces of a kind a player has in a cell; 7 may be more."""
    return ((key - 1) >> (8 + 6 * (5 - kind) + 3 * side)) & 7


@compiled
def keep_cell(cells: Cells, key: int, line: Ints, plies: int) -> None:
    """Keep the game to a position if it is the earliest of its cell."""
    mask = len(cells.slots) - 1
    slot = (key ^ key >> 17 ^ key >> 31) & mask
    while cells.slots[slot] and cells.keys[cells.slots[slot] - 1] != key:
        slot = (slot + 1) & mask
    cell = cells.slots[slot] - 1
    if cell < 0:
        cell = cells.sizes[0]
        if cell == len(cells.keys):
            return
        cells.slots[slot] = cell + 1
        cells.sizes[0] += 1
        cells.keys[cell] = key
        for side in range(2):
            for kind in range(2, 6):
                for enough in range(2, min(pieces_of(key, side, kind), 3) + 1):
                    row = 8 * side + 2 * (kind - 2) + enough - 2
                    cells.rich[row, cells.sizes[row + 1]] = cell
                    cells.sizes[row + 1] += 1
    else:
        best = cells.plies[cell]
        if plies > best or (plies == best and np.random.randint(_DRIFT)):
            return
        if plies < best:
            cells.tries[cell] //= 2
    cells.plies[cell] = plies
    for i in range(plies):
        cells.games[cell, i] = line[i]


@compiled
def merge_cells(cells: Cells, keys: Ints, plies: Ints, games: Moves, seed: int) -> None:
    """Keep each of other games to positions that is the earliest of its cell."""
    np.random.seed(seed)
    line = np.zeros(MOST_PLIES, np.int64)
    for i in range(len(keys)):
        for k in range(plies[i]):
            line[k] = games[i, k]
        keep_cell(cells, keys[i], line, plies[i])


@compiled
def add_game(known: Known, line: Ints, room: Scratch) -> int:
    """Play a game, and keep what any legal move on its way shows earlier; how many those are.

    Of games that are as short the first stays.
    """
    state = np.zeros(STATE_BYTES, np.uint8)
    _begin(state)
    found = ZERO
    for ply in range(len(line)):
        number = name_moves(state, room)
        found += _keep(known, state, number, line, ply, False, room)
        make(state, line[ply])
    return found


@compiled
def _aimed(wants: Ints, state: Bytes, moves: Ints, number: int, move: int) -> int:
    """Return a move that brings a piece to a place that a string needs, or another of its kind.

    The places are the origin, and for twins the file and the rank of it; pieces on them stay.
    """
    side = np.int64(state[SIDE])
    man = wants[KIND] + 6 * side
    filled = ZERO
    for square in range(64):
        if state[square] == man:
            filled |= np.int64(1) << _place(wants, square)
    start = np.random.randint(number)
    spare = np.int64(-1)
    for k in range(number):
        other = moves[(start + k) % number]
        if state[other & 63] != man or (_place(wants, other & 63) and np.random.randint(8)):
            continue
        to = other >> 6 & 63
        place = _place(wants, to)
        if place and not filled >> place & 1 and np.random.randint(16):
            return other
        # It should not be captured, and reach a place with its next move.
        if not _sees_place(wants, filled, to) and np.random.randint(8):
            continue
        if not is_attacked(state, to, 6 - 6 * side):
            spare = other
    return spare if spare >= 0 else move


@compiled
def _place(wants: Ints, square: int) -> int:
    """Return which of its places a string has on a square, 0 for none: see :func:`_aimed`."""
    if not _serves(wants, square):
        return 0
    same_file, same_rank = (square & 7) == wants[FILE], (square >> 3) == wants[RANK]
    if wants[FILE] < 0 or wants[RANK] < 0:
        return 1 if same_file or same_rank else 4
    return 1 if same_file and same_rank else 2 if same_file else 3


@compiled
def _sees_place(wants: Ints, filled: int, square: int) -> bool:
    """Check whether a piece on a square may reach one of a string's places that is not filled."""
    kind = wants[KIND]
    for to in range(64):
        step = LINES[square, to]
        if (step == KNIGHT) != (kind == 2) or step > KNIGHT:
            continue
        if (kind == 3 and step < 4) or (kind == 4 and 4 <= step < KNIGHT):
            continue
        place = _place(wants, to)
        if place and not filled >> place & 1:
            return True
    return False


@compiled
def _quiet_move(state: Bytes, moves: Ints, number: int) -> int:
    """Return a random legal move that rather captures nothing."""
    move = moves[np.random.randint(number)]
    for _ in range(3):
        if state[move >> 6 & 63] == 0:
            break
        move = moves[np.random.randint(number)]
    return move


@compiled
def _serves(wants: Ints, square: int) -> bool:
    """Check whether a piece on a square can be a string's mover or its twin."""
    kind, step = wants[KIND], LINES[square, wants[TO]]
    if square == wants[TO] or (step == KNIGHT) != (kind == 2) or step > KNIGHT:
        return False
    if (kind == 3 and step < 4) or (kind == 4 and 4 <= step < KNIGHT):
        return False
    if wants[FILE] < 0 or wants[RANK] < 0:
        return True
    return (square & 7) == wants[FILE] or (square >> 3) == wants[RANK]


@compiled
def _change(queues: _Queues, way: int) -> int:  # noqa: C901, PLR0912 - compiled
    """Change the queues in a way; the first ply that may differ."""
    moves, sizes = queues
    if sizes[0] < 3 or sizes[1] < 3:
        return MOST_PLIES
    if way == _CUT:
        cut = 1 + np.random.randint(4)
        for k in range(2):
            sizes[k] = max(sizes[k] - cut, 0)
        return 2 * min(sizes[0], sizes[1])
    i = np.random.randint(2)
    a = np.random.randint(sizes[i])
    ply = 2 * a + i
    if way == _REPLACE:
        moves[i, a] = _ANY
    elif way == _REROUTE:
        if moves[i, a] >= 0:
            moves[i, a] = -2 - (moves[i, a] & 4095)
    elif way == _INSERT:
        _insert(queues, i, a, _ANY)
    elif way == _SWAP:
        b = np.random.randint(sizes[i])
        moves[i, a], moves[i, b] = moves[i, b], moves[i, a]
        ply = min(ply, 2 * b + i)
    else:
        if way == _JOIN:
            _join(queues, i, a)
        else:
            _remove(queues, i, a)
        b = np.random.randint(sizes[1 - i])
        if np.random.randint(2):
            b = min(a, sizes[1 - i] - 1)
        _remove(queues, 1 - i, b)
        ply = min(ply, 2 * b + 1 - i)
        if way == _LEAVE_TWO_OUT:
            for k in range(2):
                a = np.random.randint(sizes[k])
                _remove(queues, k, a)
                ply = min(ply, 2 * a + k)
    return ply


@compiled
def _join(queues: _Queues, side: int, at: int) -> None:
    """Have a piece go at once where it goes in two moves, or leave a move out."""
    moves, sizes = queues
    move = moves[side, at]
    for later in range(at + 1, sizes[side]):
        if move >= 0 and moves[side, later] >= 0 and moves[side, later] & 63 == move >> 6 & 63:
            moves[side, at] = (move & 63) | moves[side, later] & ~63
            _remove(queues, side, later)
            return
    _remove(queues, side, at)


@compiled
def _remove(queues: _Queues, side: int, at: int) -> None:
    """Remove a move from a queue."""
    for i in range(at, queues.sizes[side] - 1):
        queues.moves[side, i] = queues.moves[side, i + 1]
    queues.sizes[side] -= 1


@compiled
def _insert(queues: _Queues, side: int, at: int, move: int) -> None:
    """Insert a move into a queue."""
    if queues.sizes[side] == _WAITING:
        return
    for i in range(queues.sizes[side], at, -1):
        queues.moves[side, i] = queues.moves[side, i - 1]
    queues.moves[side, at] = move
    queues.sizes[side] += 1


@compiled
def _play(  # noqa: C901 - compiled
    known: Known,
    cells: Cells,
    queues: _Queues,
    near: _Near,
    first: int,
    goal: tuple[int, int],
    limit: int,
    tail: int,
    room: Scratch,
) -> None:
    """Play the queues: from a ply on, look at all moves, and keep what is earlier."""
    state = np.zeros(STATE_BYTES, np.uint8)
    _begin(state)
    moves = room.moves
    line = np.zeros(MOST_PLIES + 1, np.int64)
    goal_side, aim = goal
    explores = goal_side < 0
    waits = np.random.randint(2) == 0
    for ply in range(first):
        line[ply] = queues.moves[ply % 2, ply // 2]
        make(state, line[ply])
    at = np.array([(first + 1) // 2, first // 2])
    for ply in range(first, limit):
        number = name_moves(state, room) if ply >= 8 else find_moves(state, moves)
        if number == 0:
            break
        side = ply % 2
        if ply >= 8:
            _keep(known, state, number, line, ply, True, room)
            if side == goal_side and near.facts[0] >= 0:
                _compare(state, number, near, line, ply, room)
        if not explores and at[goal_side] >= queues.sizes[goal_side]:
            if tail <= 0:
                break
            tail -= 1
        if explores:
            move = _liked_move(state, moves, number)
            line[ply] = move
            make(state, move)
            keep_cell(cells, key_of(state), line, ply + 1)
            continue
        ends = at[side] >= queues.sizes[side]
        move = _next_move(state, queues, side, at, moves, number, waits)
        if ends and aim >= 0 and side == goal_side:
            move = _aimed(known.wants[aim], state, moves, number, move)
        elif aim >= 0 and at[side] >= queues.sizes[side]:
            move = _quiet_move(state, moves, number)
        line[ply] = move
        make(state, move)
        if np.random.randint(8) == 0:
            keep_cell(cells, key_of(state), line, ply + 1)


@compiled
def _begin(state: Bytes) -> None:
    """Make a state the initial position."""
    back = (4, 2, 3, 5, 6, 3, 2, 4)
    for file in range(8):
        state[file], state[8 + file] = back[file], 1
        state[48 + file], state[56 + file] = 7, back[file] + 6
    for i in range(64, 68):
        state[i] = 1
    state[68], state[69], state[70], state[71] = 8, 4, 60, 0


@compiled
def _keep(
    known: Known,
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
    state: Bytes, queues: _Queues, side: int, at: Ints, moves: Ints, number: int, waits: bool
) -> int:
    """Return the first move of a player's queue that is legal, or a random one."""
    for i in range(at[side], queues.sizes[side]):
        wanted = queues.moves[side, i]
        if wanted == _ANY:
            at[side] += 1
            return _any_move(state, moves, number)
        if wanted < 0:
            at[side] += 1
            return _other_way(queues, side, at[side], -2 - wanted, state, moves, number)
        for k in range(number):
            if moves[k] == wanted:
                for j in range(i, at[side], -1):
                    queues.moves[side, j] = queues.moves[side, j - 1]
                at[side] = at[side] + 1 if waits else i + 1
                return wanted
    at[side] += not waits
    return _any_move(state, moves, number)


@compiled
def _other_way(
    queues: _Queues, side: int, at: int, move: int, state: Bytes, moves: Ints, number: int
) -> int:
    """Return a random move of a piece; when it moves again, it does so from there."""
    start = np.random.randint(number)
    for k in range(number):
        other = moves[(start + k) % number]
        if other & 63 == move & 63:
            for i in range(at, queues.sizes[side]):
                later = queues.moves[side, i]
                if later >= 0 and later & 63 == move >> 6:
                    queues.moves[side, i] = (other >> 6 & 63) | later & ~63
                    break
            return other
    return _any_move(state, moves, number)


@compiled
def _liked_move(state: Bytes, moves: Ints, number: int) -> int:
    """Return a random legal move that leads to strange positions.

    Promotions are liked, then captures by pawns, then other moves of pawns; but once there are
    three of a kind, moves of pieces.
    """
    side = np.int64(state[SIDE])
    counts = np.zeros(16, np.int64)
    for square in range(64):
        counts[state[square]] += 1
    many = False
    for kind in range(2, 6):
        many = many or counts[kind + 6 * side] > 2
    best, most = moves[0], np.int64(-1)
    for _ in range(3 if many else 4):
        move = moves[np.random.randint(number)]
        origin, to = move & 63, move >> 6 & 63
        is_pawn = np.int64(state[origin]) - 6 * side == 1
        score = np.int64(np.random.randint(3))
        if move >> 12:
            score += 6
        elif is_pawn and (origin ^ to) & 7:
            score += 0 if many else 4
        elif is_pawn:
            score += 0 if many else 2
        elif many:
            score += 2
        if score > most:
            best, most = move, score
    return best


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
