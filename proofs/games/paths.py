"""Searches a path from a hub to a witness, backwards, by un-moves without captures. Untrusted.

An un-move takes a move back. The witness is the constrained end, so the search begins there and
takes moves of both players back in turn, until every piece stands where the hub has it. It is A*
with the number of steps that the pieces still need on an empty board; a player who needs fewer than
the other waits.

Sets of squares are masks as in python-chess, but signed, because compiled code has only one type of
integer. A position is one integer: six bits for the square of each piece, and a bit for the player
of the next un-move.
"""

# mypy: disable-error-code="no-any-return"

from collections.abc import Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import permutations, product
from typing import Final, NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import MAX_TARGETS, ZERO, Ints, compiled
from sanproof.proofs.games.pieces import ATTACKS, KINDS, KING, KNIGHT, REACH, Setting, distances
from sanproof.proofs.rules.squares import SQUARES, square_name

MAX_HUBS: Final = 1000
"""The size of the cache of hubs' ways. It has room for all hubs, or for the last stops of tours."""

PLY: Final = 10
EAGER: Final = 20
BLACK_KING: Final = 30
WHITE_KING: Final = -7
AGAIN: Final = 40
"""Weights of the search, found by trying: of a ply that was made, and of one that is still needed;
for Black's king, who had better leave White's pieces early, and for White's, who had better wait;
and the penalty for looking again at a position, for its less promising un-moves."""

NONE: Final = -1
"""Stands for a missing node, square or step."""
BITS: Final = 6
TURN: Final = 1 << BITS * 10
"""The bit of the player to un-move, after the squares of ten pieces."""
HALF: Final = 32
"""The shift of the rank in a key of the heap; the node is subtracted, so newer ones come first."""

POSITION, OCCUPIED, WHITE, BLACK, DEPTH, LATER, PARENT, COLUMNS = range(8)
"""The columns of a node: its position; the mask of its pieces; the steps that White's and Black's
pieces still need; how many un-moves led there; whether it is looked at again; the node before."""

STEPS: Final = np.array(
    [[distances(kind, home) for home in SQUARES] for kind in KINDS], dtype=np.int16
)
"""The steps on an empty board, by kind, home and square."""
NEVER: Final = -1
LINES: Final = np.array(
    [
        [[chess.between(s, t) if seen[s] >> t & 1 else 2**64 - 1 for s in SQUARES] for t in SQUARES]
        for seen in ATTACKS
    ],
    np.uint64,
).view(np.int64)
"""The squares that an attack needs empty, by kind, target and square, or ``NEVER``."""


def _origins() -> tuple[Ints, Ints]:
    """By kind and square, where a piece can have come from, ``NONE`` after the last.

    And the mask of the squares that must be empty for it, its origin among them.
    """
    shape = (len(KINDS), len(SQUARES), 1 + MAX_TARGETS)
    origins, ways = np.full(shape, NONE, np.int64), np.zeros(shape, np.uint64)
    for kind, square in product(KINDS, SQUARES):
        for k, origin in enumerate([s for s in SQUARES if square in REACH[kind][s]]):
            origins[kind, square, k] = origin
            ways[kind, square, k] = REACH[kind][origin][square] | 1 << origin
    return origins, ways.view(np.int64)


ORIGINS, WAYS = _origins()


class PathQuery(NamedTuple):
    """A question: is there a path that takes pieces from their ``squares`` back to their ``homes``?

    The first ``whites`` pieces are White's; each side's king comes first. Pieces that are not
    ``loose`` stay where they are. ``black_begins`` says that Black is to move in the hub.
    """

    kinds: Ints
    squares: Ints
    homes: Ints
    loose: NDArray[np.bool_]
    whites: int
    black_begins: bool


def match_homes(setting: Setting, hub: Setting) -> tuple[int, ...]:
    """Return the hub's squares in the order of the setting's pieces, with the fewest steps."""
    homes = list(hub.squares)
    for group, ways in ways_home(hub):
        _, order = _match(ways, [setting.squares[i] for i in group])
        for i, k in zip(group, order, strict=True):
            homes[i] = hub.squares[group[k]]
    return tuple(homes)


def least_steps(setting: Setting, hub: Setting) -> tuple[int, int]:
    """Return how many steps White's and Black's pieces are at least from the hub."""
    steps = [0, 0]
    for group, ways in ways_home(hub):
        steps[group[0] >= hub.whites] += _match(ways, [setting.squares[i] for i in group])[0]
    return steps[0], steps[1]


@lru_cache(MAX_HUBS)
def ways_home(hub: Setting) -> list[tuple[list[int], list[list[int]]]]:
    """Group the equal pieces of a hub, and return the steps home from each square for each."""
    groups: dict[tuple[bool, int], list[int]] = {}
    for i, kind in enumerate(hub.kinds):
        groups.setdefault((i < hub.whites, kind), []).append(i)
    return [
        (group, [distances(hub.kinds[i], hub.squares[i]) for i in group])
        for group in groups.values()
    ]


def _match(ways: Sequence[Sequence[int]], squares: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """Return the fewest steps, and which home each piece takes."""
    if len(squares) == 1:  # mostly
        return ways[0][squares[0]], (0,)
    orders = _orders(len(squares))
    return min([(sum([ways[k][s] for k, s in zip(o, squares, strict=True)]), o) for o in orders])


@cache
def _orders(number: int) -> list[tuple[int, ...]]:
    """All orders of this many things."""
    return list(permutations(range(number)))


@compiled
def plies_left(white: int, black: int, black_first: bool, black_last: bool) -> int:
    """Return the fewest plies back to a hub, given the steps that White's and Black's pieces need.

    ``black_first`` says that Black makes the next un-move, and ``black_last`` that Black makes the
    last, so that Black is to move in the hub.
    """
    if black_first != black_last:
        return 2 * max(white, black)
    first, second = (black, white) if black_first else (white, black)
    return max(2 * first - 1, 2 * second + 1, 1)


def search_path(
    setting: Setting,
    homes: Sequence[int],
    unmoved: frozenset[int],
    most_nodes: int,
    *,
    black_begins: bool = False,
) -> list[str] | None:
    """Search the moves (UCI) from a hub to a setting, or return None if none are found.

    It stops after ``most_nodes`` positions. White is to move in the setting. ``homes`` are the
    squares of its pieces in the hub, where pieces on ``unmoved`` squares stay. ``black_begins``
    says that Black is to move in the hub.
    """
    loose = np.array([i not in unmoved for i in range(len(homes))])
    kinds, squares = np.array(setting.kinds), np.array(setting.squares)
    asked = PathQuery(kinds, squares, np.array(homes), loose, setting.whites, black_begins)
    steps = search_steps(asked, most_nodes).tolist()
    if steps == [NONE]:
        return None
    return [square_name(step >> BITS) + square_name(step & 63) for step in steps]


@compiled
def search_steps(asked: PathQuery, most_nodes: int) -> Ints:
    """Return the steps from the hub to the setting, each 64 times its origin plus its destination.

    The result is ``NONE`` alone if no path was found among ``most_nodes`` positions.
    """
    size = 1 << 13
    while size < most_nodes * MAX_TARGETS * len(asked.kinds):
        size *= 2
    nodes = np.empty((size, COLUMNS), np.int64)
    _put_first(asked, nodes[0])
    known = {nodes[0, POSITION]: ZERO}  # the last node of each position
    number, heap = ZERO + 1, [-ZERO]
    for _ in range(most_nodes):
        if not heap:
            break
        node = -heappop(heap) & (1 << HALF) - 1
        if _is_at_home(nodes[node], asked.black_begins):
            return _steps(nodes, node, len(asked.kinds))
        number = _expand(asked, nodes, known, heap, node, number)
        if not nodes[node, LATER]:
            for column in range(COLUMNS):
                nodes[number, column] = nodes[node, column]
            nodes[number, LATER] = 1
            heappush(heap, (_rank(asked, nodes[node]) + AGAIN << HALF) - number)
            number += 1
    return np.full(1, NONE, np.int64)


@compiled
def _put_first(asked: PathQuery, node: Ints) -> None:
    """Make the setting the first node."""
    for column in range(COLUMNS):
        node[column] = 0
    node[PARENT] = NONE
    for i, square in enumerate(asked.squares):
        node[POSITION] |= square << BITS * i
        node[OCCUPIED] |= 1 << square
        node[_side(asked, i)] += STEPS[asked.kinds[i], asked.homes[i], square]


@compiled
def _side(asked: PathQuery, i: int) -> int:
    """Return the column of the steps of a piece's player."""
    return WHITE if i < asked.whites else BLACK


@compiled
def _rank(asked: PathQuery, node: Ints) -> int:
    """Return the rank of a node: the least is looked at next."""
    white, black, depth = node[WHITE], node[BLACK], node[DEPTH]
    rank = PLY * (depth + white + black)
    rank += EAGER * plies_left(white, black, depth % 2 == 0, asked.black_begins)
    for i, weight in ((0, WHITE_KING), (asked.whites, BLACK_KING)):
        rank += weight * STEPS[KING, asked.homes[i], node[POSITION] >> BITS * i & 63]
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
    asked: PathQuery, nodes: Ints, known: dict[int, int], heap: list[int], node: int, number: int
) -> int:
    """Put in the positions before a player's move, in which the other king is not attacked.

    Before, there are ``number`` nodes; how many there are then is returned.
    """
    row = nodes[node]
    black_first = row[DEPTH] % 2 == 0
    first, last = (asked.whites, len(asked.kinds)) if black_first else (0, asked.whites)
    king = row[POSITION] >> (0 if black_first else BITS * asked.whites) & 63
    lines = _lines(asked, row, king, first, last)
    useful = _useful(row, asked.black_begins)
    for i in range(first, last):
        if asked.loose[i]:
            before = number
            number = _unmove(asked, nodes, known, lines, node, i, king, number, useful)
            for new in range(before, number):
                heappush(heap, (_rank(asked, nodes[new]) << HALF) - new)
    return number


@compiled
def _lines(asked: PathQuery, row: Ints, king: int, first: int, last: int) -> Ints:
    """Return the mask between each piece and the other king, and the one piece there, or 0.

    ``NEVER`` for both if the piece could not see the king, or two pieces stand between.
    """
    lines = np.full((len(asked.kinds), 2), NEVER, np.int64)
    for i in range(first, last):
        between = LINES[asked.kinds[i], king, row[POSITION] >> BITS * i & 63]
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
    asked: PathQuery,
    nodes: Ints,
    known: dict[int, int],
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
    row, kind = nodes[node], asked.kinds[i]
    square = row[POSITION] >> BITS * i & 63
    origins, ways = ORIGINS[kind, square], WAYS[kind, square]
    far, attacks = STEPS[kind, asked.homes[i]], LINES[kind, king]
    others, closed = row[OCCUPIED] ^ 1 << square, _closed(lines, i, square)
    limit = useful if kind in (KING, KNIGHT) else min(useful, 0)
    for change in range(limit + 1, 2) if row[LATER] else range(-1, limit + 1):
        for k, origin in enumerate(origins):
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
                if position in known and nodes[known[position], DEPTH] <= row[DEPTH] + 1:
                    continue
                known[position] = number
                new = nodes[number]
                new[POSITION], new[OCCUPIED] = position, others | 1 << origin
                new[WHITE], new[BLACK] = row[WHITE], row[BLACK]
                new[_side(asked, i)] += change
                new[DEPTH], new[LATER], new[PARENT] = row[DEPTH] + 1, 0, node
                number += 1
    return number
