"""From a hub to a witness: a search backwards, by un-moves without captures. Untrusted.

All the tightness is at the witness, so the search starts there: it takes moves back, for each
player in turn, until every man stands where the hub has it. A* with the number of steps that the
men still need on an empty board; a player who needs fewer than the other loses moves.

A position is one integer, a byte for the square of each man.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import pairwise, permutations
from typing import Final

from sanproof.proofs.games.men import (
    ATTACK_ON,
    FAR,
    KING,
    NEVER,
    ManStep,
    Setting,
    distances,
    mask_of,
    unmoves_home,
)

PLY: Final = 10
EAGER: Final = 20
BLACK_KING: Final = 30
WHITE_KING: Final = -7
AGAIN: Final = 40
"""Weights of the search, found by trying: of a ply that was made, and of one that is still needed;
for Black's king, who had better leave White's men early, and for White's, who had better wait; and
how much later a position is looked at again for the un-moves that seemed of no use."""

MOST_HUBS: Final = 1000
"""Of how many hubs the ways are kept: of all that there are, or of the last stops of tours."""

_Man = tuple[int, Sequence[Sequence[int]]]
"""A man, and his part of ATTACK_ON."""
_Line = tuple[int, int, int]
"""A man, the squares between it and a king, and the one man who stands there, or 0."""


def match_homes(setting: Setting, hub: Setting) -> tuple[int, ...]:
    """The hub's squares in the order of the setting's men, equal men matched with least way."""
    homes = list(hub.squares)
    for _, group, ways in _ways_home(hub):
        if len(group) > 1:
            _, order = _match(ways, [setting.squares[i] for i in group])
            for i, k in zip(group, order, strict=True):
                homes[i] = hub.squares[group[k]]
    return tuple(homes)


def least_steps(setting: Setting, hub: Setting) -> tuple[int, int]:
    """The steps that White's and Black's men are away from the hub, matched with least way."""
    steps, squares = [0, 0], setting.squares
    for is_black, group, ways in _ways_home(hub):
        if len(group) == 1:
            steps[is_black] += ways[0][squares[group[0]]]
        else:
            steps[is_black] += fewest_steps(ways, [squares[i] for i in group])
    return steps[0], steps[1]


@lru_cache(MOST_HUBS)
def _ways_home(hub: Setting) -> list[tuple[bool, list[int], list[list[int]]]]:
    """A hub's men by player and kind: whether Black's, which, and the ways to their squares."""
    return [
        (group[0] >= hub.whites, group, [distances(hub.kinds[i], hub.squares[i]) for i in group])
        for group in _groups(hub.kinds, hub.whites)
    ]


def fewest_steps(ways: Sequence[Sequence[int]], squares: Sequence[int]) -> int:
    """The fewest steps of equal men from these squares to as many homes.

    ``ways`` has for each home the steps from every square.
    """
    return _match(ways, squares)[0]


def _match(ways: Sequence[Sequence[int]], squares: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """The fewest steps, and which home each man takes."""
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
    """All orders of so many things."""
    return tuple(permutations(range(number)))


@cache
def _groups(kinds: tuple[int, ...], whites: int) -> list[list[int]]:
    """The indices of equal men."""
    found: dict[tuple[bool, int], list[int]] = {}
    for i, kind in enumerate(kinds):
        found.setdefault((i < whites, kind), []).append(i)
    return list(found.values())


def needed_steps(setting: Setting, homes: Sequence[int]) -> tuple[int, int]:
    """The steps that White's and Black's men are away from their homes."""
    ways = [
        distances(kind, home)[s]
        for kind, home, s in zip(setting.kinds, homes, setting.squares, strict=True)
    ]
    return sum(ways[: setting.whites]), sum(ways[setting.whites :])


def plies_left(white: int, black: int, *, black_first: bool, black_last: bool = False) -> int:
    """The fewest plies back to a hub, for the steps that White's and Black's men need.

    Black takes back the next move if ``black_first``, and the last one if ``black_last``, so that
    Black is to move in the hub.
    """
    if black_first != black_last:
        return 2 * max(white, black)
    first, second = (black, white) if black_first else (white, black)
    return max(2 * first - 1, 2 * second + 1, 1)


_Node = tuple[int, int, int, int, int, bool, "_Node | None"]
"""A position on the way back; the mask of its men; the steps that White's and Black's still need;
the number of un-moves that led there; whether it is looked at again; and the node before."""


class _Queue:
    """Nodes by their ranks, of one rank those first that were put in last."""

    def __init__(self) -> None:
        self._ranks: list[int] = []
        self._nodes: dict[int, list[_Node]] = {}

    def __bool__(self) -> bool:
        return bool(self._ranks)

    def put(self, rank: int, nodes: list[_Node]) -> None:
        """Put nodes in, one or more."""
        known = self._nodes.get(rank)
        if known is None:
            self._nodes[rank] = nodes
            heappush(self._ranks, rank)
        else:
            known += nodes

    def take(self) -> tuple[int, _Node]:
        """Take out a node of the least rank."""
        rank = self._ranks[0]
        nodes = self._nodes[rank]
        node = nodes.pop()
        if not nodes:
            heappop(self._ranks)
            del self._nodes[rank]
        return rank, node


@cache
def _rank_left(white: int, black: int, turns: tuple[bool, bool]) -> int:
    """The rank of a node but for its depth and its kings.

    ``turns`` says whether Black takes back the next move, and the last one.
    """
    black_first, black_last = turns
    left = plies_left(white, black, black_first=black_first, black_last=black_last)
    return EAGER * left + PLY * (white + black)


@cache
def _useful(white: int, black: int, turns: tuple[bool, bool]) -> int:
    """Which un-moves to look at first: who has moves to lose need not come nearer."""
    black_first, black_last = turns
    left = plies_left(white, black, black_first=black_first, black_last=black_last)
    to_lose = left - 2 * (black if black_first else white)
    return 0 if to_lose <= 0 else 1 if to_lose <= 2 else 2


class PathSearch:
    """One search from a hub to a setting, which can go on where it gave up.

    In the setting White is to move. The hub has each of its men at home; those ``unmoved`` stand
    there and stay; Black is to move in the hub if ``black_begins``.
    """

    def __init__(
        self,
        setting: Setting,
        homes: tuple[int, ...],
        unmoved: frozenset[int],
        *,
        black_begins: bool = False,
    ) -> None:
        self._turns = ((False, black_begins), (True, black_begins))
        men = range(len(homes))
        self._kings = (0, setting.whites)
        weights = dict(zip(self._kings, (WHITE_KING, BLACK_KING), strict=True))
        self._king_ranks = [[weights[i] * n for n in distances(KING, homes[i])] for i in weights]
        every = [(i, ATTACK_ON[setting.kinds[i]]) for i in men]
        self._sides = (every[: setting.whites], every[setting.whites :])
        self._movers = tuple(
            [
                (i, on, unmoves_home(setting.kinds[i], homes[i]), weights.get(i, 0))
                for i, on in side
                if i not in unmoved
            ]
            for side in self._sides
        )
        self._number = len(homes)
        self._queue = _Queue()
        self._depths: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self._nodes = 0
        squares = bytes(setting.squares)
        position = int.from_bytes(squares, "little")
        white, black = needed_steps(setting, homes)
        rank = _rank_left(white, black, self._turns[True]) + self._rank_of_kings(squares)
        self._queue.put(rank, [(position, mask_of(squares), white, black, 0, False, None)])
        self._depths[True][position] = 0

    def run(self, most_nodes: int) -> list[ManStep] | None:
        """The path; None if there is none, or if it takes more nodes than that in all."""
        queue = self._queue
        while queue and self._nodes < most_nodes:
            rank, node = queue.take()
            position, occupied, white, black, depth, again, parent = node
            if not white and not black and self._is_last(depth):
                return self._steps(node)
            self._nodes += 1
            self._expand(node)
            if not again:
                again_later = (position, occupied, white, black, depth, True, parent)
                queue.put(rank + AGAIN, [again_later])
        return None

    def _steps(self, node: _Node | None) -> list[ManStep]:
        """The moves that lead on from a node: each is the difference between two positions."""
        positions = []
        while node is not None:
            positions.append(node[0].to_bytes(self._number, "little"))
            node = node[-1]
        return [_step(*pair) for pair in pairwise(positions)]

    def _is_last(self, depth: int) -> bool:
        """Whether the right player is to move in the hub, after so many un-moves."""
        black_first, black_last = self._turns[depth % 2 == 0]
        return black_first != black_last

    def _expand(self, node: _Node) -> None:
        """Put in the positions before a player's move, in which the other king is not attacked."""
        position, occupied, white, black, depth, again, _ = node
        black_first, depth = depth % 2 == 0, depth + 1
        depths, turns = self._depths[not black_first], self._turns[not black_first]
        squares = position.to_bytes(self._number, "little")
        king = squares[self._kings[not black_first]]
        lines = _lines(self._sides[black_first], squares, occupied, king)
        useful = _useful(white, black, self._turns[black_first])
        beside = PLY * depth + self._rank_of_kings(squares)
        for i, attacks_on, unmoves_of, king_weight in self._movers[black_first]:
            s = squares[i]
            groups = unmoves_of[s][useful][again]
            if not groups:
                continue
            attacks, others, byte = attacks_on[king], occupied ^ 1 << s, 8 * i
            taken_out = position - (s << byte)
            closed = _closed(lines, i, 1 << s) if lines else 0
            for change, unmoves in groups:
                whites, blacks = (white, black + change) if black_first else (white + change, black)
                nodes: list[_Node] = []
                for origin, mask, way in unmoves:
                    # Where the king is never attacked from, all squares count as between: NEVER.
                    if not (way & occupied or closed & mask) and attacks[origin] & others:
                        before = taken_out + (origin << byte)
                        if depths.get(before, FAR) > depth:
                            depths[before] = depth
                            men = others | mask
                            nodes.append((before, men, whites, blacks, depth, False, node))
                if nodes:
                    rank = beside + king_weight * change + _rank_left(whites, blacks, turns)
                    self._queue.put(rank, nodes)

    def _rank_of_kings(self, squares: bytes) -> int:
        """The kings' part of a node's rank."""
        (white, black), (white_ranks, black_ranks) = self._kings, self._king_ranks
        return white_ranks[squares[white]] + black_ranks[squares[black]]


def _lines(side: Iterable[_Man], squares: bytes, occupied: int, king: int) -> list[_Line]:
    """The lines between men of a side and the other king that are open or have one man."""
    lines = []
    for i, attacks_on in side:
        between = attacks_on[king][squares[i]]
        if between != NEVER:
            screen = between & occupied
            if not screen & (screen - 1):
                lines.append((i, between, screen))
    return lines


def _step(before: bytes, after: bytes) -> ManStep:
    """The move that leads from one position to the next: one man's square differs."""
    return next(ManStep(s, t) for s, t in zip(before, after, strict=True) if s != t)


def _closed(lines: Iterable[_Line], i: int, square: int) -> int:
    """Where a man must not come from, for another's line to the king would be open then."""
    closed = 0
    for j, between, screen in lines:
        if j != i and (not screen or screen == square):
            closed |= ~between
    return closed
