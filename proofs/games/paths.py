"""From a hub to a witness: a search backwards, by un-moves without captures. Untrusted.

All the tightness is at the witness, so the search starts there: it takes moves back, for each
player in turn, until every piece stands where the hub has it. A* with the number of steps that the
pieces still need on an empty board; a player who needs fewer than the other loses moves.

Squares are masks as python-chess keeps them, but signed, for compiled code has numbers of one sort.
A position is one integer: six bits for the square of each piece, and a bit for whose un-move is
next.
"""

# mypy: disable-error-code="no-any-return"

from collections.abc import Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import permutations, product
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import MAX_TARGETS, Ints
from sanproof.proofs.games.compiled import ZERO, compiled
from sanproof.proofs.games.pieces import (
    ATTACK_ON,
    FAR,
    KINDS,
    KING,
    KNIGHT,
    NEVER,
    REACH,
    PieceStep,
    Setting,
    distances,
)
from sanproof.proofs.rules.squares import SQUARES

Rows = NDArray[np.int32]
Plies = TypeVar("Plies", int, Ints)

MAX_HUBS: Final = 1000
"""Of how many hubs the ways are kept: of all that there are, or of the last stops of tours."""

PLY: Final = 10
EAGER: Final = 20
BLACK_KING: Final = 30
WHITE_KING: Final = -7
AGAIN: Final = 40
"""Weights of the search, found by trying: of a ply that was made, and of one that is still needed;
for Black's king, who had better leave White's pieces early, and for White's, who had better wait;
and how much later a position is looked at again for the un-moves that seemed of no use."""

NONE: Final = -1
"""In place of a node, of a square, or of steps."""
BITS: Final = 6
MAX_PIECES: Final = 10
TURN: Final = 1 << BITS * MAX_PIECES
HALF: Final = 32
"""A key of the heap has a rank so far up, less the node: of equal ranks the newest comes first."""
HASH: Final = 0x9E3779B97F4A7C15 - 2**64
"""Fibonacci hashing: 2**64 divided by the golden ratio (Knuth, volume 3, 6.4)."""

POSITION, OCCUPIED, WHITE, BLACK, DEPTH, LATER, PARENT, PLACE, COLUMNS = range(9)
"""The columns of a node: its position; the mask of its pieces; the steps that White's and Black's
pieces still need; how many un-moves led there; whether it is looked at again; the node before; and
where its position is known."""


class Tables(NamedTuple):
    """The tables of :mod:`proofs.games.pieces` as arrays.

    ``far``: the steps by kind, home and square. ``attack_on``: the same as there. ``origins`` and
    ``ways``: by kind and square, where a piece can have come from, up to the first ``NONE``, and
    the mask of what must be empty for it, the origin among it. ``most``: how many these are, by
    kind.
    """

    far: Ints
    attack_on: Ints
    origins: Ints
    ways: Ints
    most: tuple[int, ...]


class PathQuery(NamedTuple):
    """A question: a way from pieces on their ``squares`` back to their ``homes``.

    The first ``whites`` pieces are White's; the king is the first of each side. Those that are not
    ``loose`` stay where they are. Black is to move in the hub if ``black_begins``.
    """

    kinds: Ints
    squares: Ints
    homes: Ints
    loose: NDArray[np.bool_]
    whites: int
    black_begins: bool


class Room(NamedTuple):
    """A store of nodes: ``known`` finds the last one of a position, by its hash.

    What is known is forgotten after a search, for to make room takes longer than most searches.
    """

    nodes: Ints
    known: Rows


def match_homes(setting: Setting, hub: Setting) -> tuple[int, ...]:
    """Return the hub's squares in the order of the setting's pieces, equal ones by least way."""
    homes = list(hub.squares)
    for _, group, ways in _ways_home(hub):
        if len(group) > 1:
            _, order = _match(ways, [setting.squares[i] for i in group])
            for i, k in zip(group, order, strict=True):
                homes[i] = hub.squares[group[k]]
    return tuple(homes)


def least_steps(setting: Setting, hub: Setting) -> tuple[int, int]:
    """Return how many steps White's and Black's pieces are from the hub, matched with least way."""
    steps, squares = [0, 0], setting.squares
    for is_black, group, ways in _ways_home(hub):
        if len(group) == 1:
            steps[is_black] += ways[0][squares[group[0]]]
        else:
            steps[is_black] += _match(ways, [squares[i] for i in group])[0]
    return steps[0], steps[1]


@lru_cache(MAX_HUBS)
def _ways_home(hub: Setting) -> list[tuple[bool, list[int], list[list[int]]]]:
    """Return a hub's pieces by player and kind: whether Black's, which, and their ways home."""
    return [
        (group[0] >= hub.whites, group, [distances(hub.kinds[i], hub.squares[i]) for i in group])
        for group in _groups(hub.kinds, hub.whites)
    ]


def _match(ways: Sequence[Sequence[int]], squares: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """Return the fewest steps, and which home each piece takes."""
    if len(squares) == 2:
        (a, b), (s, t) = ways, squares
        straight, crossed = a[s] + b[t], b[s] + a[t]
        return (straight, (0, 1)) if straight <= crossed else (crossed, (1, 0))
    least, best = FAR * len(squares) + 1, _orders(len(squares))[0]
    for order in _orders(len(squares)):
        steps = 0
        for k, s in zip(order, squares, strict=True):
            steps += ways[k][s]
        if steps < least:
            least, best = steps, order
    return least, best


@cache
def _orders(number: int) -> tuple[tuple[int, ...], ...]:
    """All orders of this many things."""
    return tuple(permutations(range(number)))


@cache
def _groups(kinds: tuple[int, ...], whites: int) -> list[list[int]]:
    """Return the indices of equal pieces."""
    found: dict[tuple[bool, int], list[int]] = {}
    for i, kind in enumerate(kinds):
        found.setdefault((i < whites, kind), []).append(i)
    return list(found.values())


@compiled
def plies_left(white: Plies, black: Plies, black_first: bool, black_last: bool) -> Plies:
    """Return the fewest plies back to a hub, for the steps that White's and Black's pieces need.

    Black takes back the next move if ``black_first``, and the last one if ``black_last``, so that
    Black is to move in the hub.
    """
    if black_first != black_last:
        return 2 * np.maximum(white, black)
    first, second = (black, white) if black_first else (white, black)
    return np.maximum(np.maximum(2 * first - 1, 2 * second + 1), 1)


def search_path(
    setting: Setting,
    homes: Sequence[int],
    unmoved: frozenset[int],
    most_nodes: int,
    *,
    black_begins: bool = False,
) -> list[PieceStep] | None:
    """Search the moves from a hub to a setting; None without a path, or after too many nodes.

    In the setting White is to move. The hub has each of its pieces at home; those ``unmoved`` stand
    there and stay; Black is to move in the hub if ``black_begins``.
    """
    tables = make_tables()
    loose = np.array([i not in unmoved for i in range(len(homes))])
    kinds, squares = np.array(setting.kinds), np.array(setting.squares)
    pieces = PathQuery(kinds, squares, np.array(homes), loose, setting.whites, black_begins)
    most = 1 + most_nodes * (1 + sum(tables.most[kind] for kind in setting.kinds))
    room = _room(1 << (most - 1).bit_length())
    steps = search_steps(tables, pieces, room, most_nodes).tolist()
    return None if steps == [NONE] else [PieceStep(*divmod(step, 1 << BITS)) for step in steps]


@cache
def make_tables() -> Tables:
    """Return the tables."""
    shape = (len(KINDS), len(SQUARES), 1 + MAX_TARGETS)
    origins, ways = np.full(shape, NONE, np.int64), np.zeros(shape, np.uint64)
    most = [0 for _ in KINDS]
    for kind, square in product(KINDS, SQUARES):
        come = [origin for origin in SQUARES if square in REACH[kind][origin]]
        most[kind] = max(most[kind], len(come))
        for k, origin in enumerate(come):
            origins[kind, square, k] = origin
            ways[kind, square, k] = REACH[kind][origin][square] | 1 << origin
    far = np.array([[distances(kind, home) for home in SQUARES] for kind in KINDS], np.int64)
    masks = np.array(ATTACK_ON, np.object_) & (2**64 - 1)
    attack_on = masks.astype(np.uint64).view(np.int64)
    return Tables(far, attack_on, origins, ways.view(np.int64), tuple(most))


@cache
def _room(rows: int) -> Room:
    """Room for so many nodes."""
    return Room(np.empty((rows, COLUMNS), np.int64), np.full(2 * rows, NONE, np.int32))


@compiled
def search_steps(tables: Tables, asked: PathQuery, room: Room, most_nodes: int) -> Ints:
    """Return the steps from the hub to the setting, each 64 times its origin plus its destination.

    ``NONE`` alone without a path, or if so many nodes were looked at in vain.
    """
    number, heap = ZERO + 1, [_put_first(tables, asked, room) << HALF]
    steps = np.full(1, NONE, np.int64)
    for _ in range(most_nodes):
        if not heap:
            break
        key = heappop(heap)
        node = -key & (1 << HALF) - 1
        rank = key + node >> HALF
        if _is_at_home(room.nodes[node], asked.black_begins):
            steps = _steps(room.nodes, node, len(asked.kinds))
            break
        number = _expand(tables, asked, room, heap, node, number)
        if not room.nodes[node, LATER]:
            for column in range(COLUMNS):
                room.nodes[number, column] = room.nodes[node, column]
            room.nodes[number, LATER] = 1
            heappush(heap, (rank + AGAIN << HALF) - number)
            number += 1
    for node in range(number):
        room.known[room.nodes[node, PLACE]] = NONE
    return steps


@compiled
def _put_first(tables: Tables, asked: PathQuery, room: Room) -> int:
    """Make the setting the first node, and return its rank."""
    position, occupied, needed = ZERO, ZERO, np.zeros(2, np.int64)
    for i, square in enumerate(asked.squares):
        position |= square << BITS * i
        occupied |= 1 << square
        needed[int(i >= asked.whites)] += tables.far[asked.kinds[i], asked.homes[i], square]
    node = room.nodes[0]
    node[POSITION], node[OCCUPIED] = position, occupied
    node[WHITE], node[BLACK] = needed[0], needed[1]
    node[DEPTH], node[LATER], node[PARENT], node[PLACE] = 0, 0, NONE, _place(room, position)
    room.known[node[PLACE]] = 0
    left = _rank_left(node[WHITE], node[BLACK], node[DEPTH], asked.black_begins)
    return left + _rank_of_kings(tables, asked, position)


@compiled
def _place(room: Room, position: int) -> int:
    """Return where the last node of a position is known, or is to be."""
    last = len(room.known) - 1
    place = position * HASH >> 32 & last
    while room.known[place] != NONE and room.nodes[room.known[place], POSITION] != position:
        place = place + 1 & last
    return place


@compiled
def _rank_left(white: int, black: int, depth: int, black_begins: bool) -> int:
    """Return the rank of a node but for its depth and its kings."""
    left = plies_left(white, black, depth % 2 == 0, black_begins)
    return EAGER * left + PLY * (white + black)


@compiled
def _rank_of_kings(tables: Tables, asked: PathQuery, position: int) -> int:
    """Return the kings' part of a node's rank."""
    rank = 0
    for i, weight in ((0, WHITE_KING), (asked.whites, BLACK_KING)):
        rank += weight * tables.far[KING, asked.homes[i], position >> BITS * i & 63]
    return rank


@compiled
def _is_at_home(node: Ints, black_begins: bool) -> bool:
    """Check whether every piece is at home, and the right player to move."""
    black_first = node[DEPTH] % 2 == 0
    return node[WHITE] == 0 and node[BLACK] == 0 and black_first != black_begins


@compiled
def _steps(nodes: Ints, node: int, pieces: int) -> Ints:
    """Return the moves that lead on from a node: each is the difference between two positions."""
    steps = np.empty(nodes[node, DEPTH], np.int64)
    for k in range(len(steps)):
        after = nodes[node, PARENT]
        for i in range(pieces):
            origin = nodes[node, POSITION] >> BITS * i & 63
            destination = nodes[after, POSITION] >> BITS * i & 63
            if origin != destination:
                steps[k] = origin << BITS | destination
        node = after
    return steps


@compiled
def _expand(
    tables: Tables, asked: PathQuery, room: Room, heap: list[int], node: int, number: int
) -> int:
    """Put in the positions before a player's move, in which the other king is not attacked.

    Before, there are ``number`` nodes; how many there are then is returned.
    """
    row = room.nodes[node]
    position, black_first = row[POSITION], row[DEPTH] % 2 == 0
    first, last = (asked.whites, len(asked.kinds)) if black_first else (0, asked.whites)
    king = position >> (0 if black_first else BITS * asked.whites) & 63
    lines = _lines(tables, asked, row, king, first, last)
    useful = _useful(row, asked.black_begins)
    beside = PLY * (row[DEPTH] + 1) + _rank_of_kings(tables, asked, position)
    for i in range(first, last):
        if not asked.loose[i]:
            continue
        before = number
        number = _unmove(tables, asked, room, lines, node, i, king, number, useful)
        for new in range(before, number):
            child = room.nodes[new]
            rank = beside + _rank_left(child[WHITE], child[BLACK], child[DEPTH], asked.black_begins)
            if i == first:
                change = child[WHITE] + child[BLACK] - row[WHITE] - row[BLACK]
                rank += change * (BLACK_KING if black_first else WHITE_KING)
            heappush(heap, (rank << HALF) - new)
    return number


@compiled
def _lines(tables: Tables, asked: PathQuery, row: Ints, king: int, first: int, last: int) -> Ints:
    """Return the mask between each piece and the other king, and the one piece there, or 0.

    ``NEVER`` for both if the piece could not see the king, or two pieces stand between.
    """
    lines = np.full((len(asked.kinds), 2), NEVER, np.int64)
    for i in range(first, last):
        between = tables.attack_on[asked.kinds[i], king, row[POSITION] >> BITS * i & 63]
        screen = between & row[OCCUPIED]
        if between != NEVER and not screen & (screen - 1):
            lines[i, 0], lines[i, 1] = between, screen
    return lines


@compiled
def _closed(lines: Ints, i: int, square: int) -> int:
    """Return the squares that a piece cannot come from: it would open a line to the king."""
    closed = 0
    for j, (between, screen) in enumerate(lines):
        if j != i and (screen == 0 or screen == 1 << square):
            closed |= ~between
    return closed


@compiled
def _useful(row: Ints, black_begins: bool) -> int:
    """Return the most steps an un-move may go away from home to be looked at first: -1, 0 or 1.

    Who has moves to lose need not come nearer.
    """
    left = plies_left(row[WHITE], row[BLACK], row[DEPTH] % 2 == 0, black_begins)
    to_lose = left - 2 * (row[BLACK] if row[DEPTH] % 2 == 0 else row[WHITE])
    return -1 if to_lose <= 0 else 0 if to_lose <= 2 else 1


@compiled
def _unmove(
    tables: Tables,
    asked: PathQuery,
    room: Room,
    lines: Ints,
    node: int,
    i: int,
    king: int,
    number: int,
    useful: int,
) -> int:
    """Make a node for each of a piece's un-moves that leads to a new position, or sooner to one.

    They come in the order of the steps that they go away from home. Returns how many nodes there
    are then.
    """
    row, kind = room.nodes[node], asked.kinds[i]
    square = row[POSITION] >> BITS * i & 63
    origins, ways = tables.origins[kind, square], tables.ways[kind, square]
    far, attacks = tables.far[kind, asked.homes[i]], tables.attack_on[kind, king]
    others, closed = row[OCCUPIED] ^ 1 << square, _closed(lines, i, square)
    limit = useful if kind in (KING, KNIGHT) else min(useful, 0)
    for change in range(limit + 1, 2) if row[LATER] else range(-1, limit + 1):
        for k in range(tables.most[kind]):
            origin = origins[k]
            if origin == NONE:
                break
            # Where the king is never attacked from, all squares count as between: NEVER.
            if (
                far[origin] - far[square] == change
                and not ways[k] & row[OCCUPIED]
                and not closed >> origin & 1
                and attacks[origin] & others
            ):
                position = row[POSITION] - (square << BITS * i) + (origin << BITS * i) ^ TURN
                place = _place(room, position)
                known = room.known[place]
                if known != NONE and room.nodes[known, DEPTH] <= row[DEPTH] + 1:
                    continue
                room.known[place] = number
                new = room.nodes[number]
                new[POSITION], new[OCCUPIED] = position, others | 1 << origin
                new[WHITE] = row[WHITE] + (change if i < asked.whites else 0)
                new[BLACK] = row[BLACK] + (change if i >= asked.whites else 0)
                new[DEPTH], new[LATER], new[PARENT] = row[DEPTH] + 1, 0, node
                new[PLACE] = place
                number += 1
    return number
