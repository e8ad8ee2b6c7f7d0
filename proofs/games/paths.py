"""From a hub to a witness: a search backwards, by un-moves without captures. Untrusted.

All the tightness is at the witness, so the search starts there: it takes moves back, for each
player in turn, until every man stands where the hub has it. A* with the number of steps that the
men still need on an empty board; a player who needs fewer than the other loses moves.

A position is one integer, six bits for the square of each man, and one bit for who un-moves next.
"""

from collections import deque
from collections.abc import Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise, permutations
from operator import lshift
from typing import Final

from proofs.games.men import (
    ATTACK_ON,
    FAR,
    KING,
    NEVER,
    Setting,
    Step,
    distances,
    unmoves_home,
)

EAGER: Final = 2
BLACK_KING: Final = 3
WHITE_KING: Final = -0.7
AGAIN: Final = 4.0
"""Weights of the search, found by trying: how much a ply that is still needed counts more than
one made; that Black's king had better leave White's men early and White's king wait; and how much
later a position is looked at again for the un-moves that seemed of no use."""

_EVERYWHERE: Final = -1
"""The mask of all squares."""

_Line = tuple[int, int, int]
"""A man, the squares between it and a king, and the one man who stands there, or 0."""


def match_homes(setting: Setting, hub: Setting) -> tuple[int, ...]:
    """The hub's squares in the order of the setting's men, equal men matched with least way."""
    homes = list(hub.squares)
    for group in _groups(setting.kinds, setting.whites):
        targets = [hub.squares[i] for i in group]
        ways = [distances(setting.kinds[group[0]], target) for target in targets]
        _, order = _match(ways, [setting.squares[i] for i in group])
        for i, k in zip(group, order, strict=True):
            homes[i] = targets[k]
    return tuple(homes)


def fewest_steps(ways: Sequence[Sequence[int]], squares: Sequence[int]) -> int:
    """The fewest steps of equal men from these squares to as many homes.

    Args:
        ways: For each home, the steps from every square.
        squares: Where the men stand.
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
    """The indices of equal men that are more than one."""
    found: dict[tuple[bool, int], list[int]] = {}
    for i, kind in enumerate(kinds):
        found.setdefault((i < whites, kind), []).append(i)
    return [group for group in found.values() if len(group) > 1]


def needed_steps(setting: Setting, homes: Sequence[int]) -> tuple[int, int]:
    """The steps that White's and Black's men are away from their homes."""
    ways = [
        distances(kind, home)[s]
        for kind, home, s in zip(setting.kinds, homes, setting.squares, strict=True)
    ]
    return sum(ways[: setting.whites]), sum(ways[setting.whites :])


def plies_left(white: int, black: int, *, black_first: bool, black_last: bool = False) -> int:
    """The fewest plies back to a hub, for these steps of the players.

    Args:
        white: The steps that White's men need.
        black: The steps that Black's men need.
        black_first: Whether Black takes back the next move.
        black_last: Whether Black takes back the last one, so that Black is to move in the hub.
    """
    if black_first != black_last:
        return 2 * max(white, black)
    first, second = (black, white) if black_first else (white, black)
    return max(2 * first - 1, 2 * second + 1, 1)


_Node = tuple[int, int, int, int, bool, "_Node | None"]
"""A position on the way back; the steps that White's and Black's men still need; the number of
un-moves that led there; whether it is looked at again; and the node before, for the path."""


class _Queue:
    """Nodes by their ranks, those of one rank in the order in which they were put in."""

    def __init__(self) -> None:
        self._ranks: list[float] = []
        self._nodes: dict[float, deque[_Node]] = {}

    def __bool__(self) -> bool:
        return bool(self._ranks)

    def put(self, rank: float, node: _Node) -> None:
        """Put a node in."""
        nodes = self._nodes.get(rank)
        if nodes is None:
            nodes = self._nodes[rank] = deque()
            heappush(self._ranks, rank)
        nodes.append(node)

    def take(self) -> tuple[float, _Node]:
        """Take out the first node of the least rank."""
        rank = self._ranks[0]
        nodes = self._nodes[rank]
        node = nodes.popleft()
        if not nodes:
            heappop(self._ranks)
            del self._nodes[rank]
        return rank, node


def search_path(
    setting: Setting,
    homes: tuple[int, ...],
    unmoved: frozenset[int],
    most_nodes: int,
    *,
    black_begins: bool = False,
) -> list[Step] | None:
    """Moves from the hub to the setting, or None if the search gave up.

    Args:
        setting: The position to reach, with White to move.
        homes: Where the hub has each of its men.
        unmoved: The men that stand at home and stay there.
        most_nodes: When to give up.
        black_begins: Whether Black is to move in the hub.
    """
    return PathSearch(setting, homes, unmoved, black_begins=black_begins).run(most_nodes)


class PathSearch:
    """One search, which can go on where it gave up: a queue, and the positions seen."""

    def __init__(
        self,
        setting: Setting,
        homes: tuple[int, ...],
        unmoved: frozenset[int],
        *,
        black_begins: bool = False,
    ) -> None:
        self._black_last = black_begins
        men = range(len(homes))
        self._kings = (0, setting.whites)
        self._sides = (men[: setting.whites], men[setting.whites :])
        self._movers = tuple([i for i in side if i not in unmoved] for side in self._sides)
        self._shifts = [6 * i + 1 for i in men]
        self._attacks_on = [ATTACK_ON[kind] for kind in setting.kinds]
        self._unmoves = list(map(unmoves_home, setting.kinds, homes))
        white_king, black_king = (distances(KING, homes[i]) for i in self._kings)
        self._king_ranks = (
            [BLACK_KING * way for way in black_king],
            [WHITE_KING * way for way in white_king],
            self._shifts[setting.whites],
        )
        self._queue = _Queue()
        self._depths: dict[int, int] = {}
        self._nodes = 0
        position = 1 | sum(map(lshift, setting.squares, self._shifts))
        white, black = needed_steps(setting, homes)
        whole = self._whole_rank(0, white, black, black_first=True)
        self._queue.put(self._rank(whole, position), (position, white, black, 0, False, None))
        self._depths[position] = 0

    def run(self, most_nodes: int) -> list[Step] | None:
        """The path; None if there is none, or if it takes more nodes than that in all."""
        queue = self._queue
        while queue and self._nodes < most_nodes:
            rank, node = queue.take()
            position, white, black, depth, again, parent = node
            if not white and not black and (depth % 2 == 0) != self._black_last:
                return self._steps(node)
            self._nodes += 1
            self._expand(node)
            if not again:
                queue.put(rank + AGAIN, (position, white, black, depth, True, parent))
        return None

    def _steps(self, node: _Node | None) -> list[Step]:
        """The moves that lead on from a node: each is the difference between two positions."""
        positions = []
        while node is not None:
            positions.append(node[0])
            node = node[-1]
        return [self._step(*pair) for pair in pairwise(positions)]

    def _step(self, before: int, after: int) -> Step:
        shift = next(shift for shift in self._shifts if (before ^ after) >> shift & 63)
        return Step(before >> shift & 63, after >> shift & 63)

    def _whole_rank(self, depth: int, white: int, black: int, *, black_first: bool) -> int:
        """The rank of a node but for its kings, a whole number."""
        left = plies_left(white, black, black_first=black_first, black_last=self._black_last)
        return depth + EAGER * left + white + black

    def _rank(self, whole: int, position: int) -> float:
        """The rank of a node, the kings' part of it added."""
        black_ranks, white_ranks, black_shift = self._king_ranks
        return whole + black_ranks[position >> black_shift & 63] + white_ranks[position >> 1 & 63]

    def _expand(self, node: _Node) -> None:
        """Put in the positions before a player's move, in which the other king is not attacked."""
        position, white, black, depth, again, _ = node
        black_first, depth = depth % 2 == 0, depth + 1
        depths, put = self._depths, self._queue.put
        black_ranks, white_ranks, black_shift = self._king_ranks
        squares, occupied = self._men(position)
        king = squares[self._kings[not black_first]]
        lines = self._lines(self._sides[black_first], squares, occupied, king)
        useful = self._useful(white, black, black_first=black_first)
        whole_ranks: dict[int, int] = {}
        for i in self._movers[black_first]:
            s, shift = squares[i], self._shifts[i]
            attacks, others = self._attacks_on[i][king], occupied ^ 1 << s
            forbidden = occupied | _closed(lines, i, 1 << s) if lines else occupied
            for change, unmoves in self._unmoves[i][s][useful][again]:
                whites, blacks = (white, black + change) if black_first else (white + change, black)
                whole = whole_ranks.get(change)
                if whole is None:
                    whole = self._whole_rank(depth, whites, blacks, black_first=not black_first)
                    whole_ranks[change] = whole
                for origin, way in unmoves:
                    if way & occupied or forbidden >> origin & 1:
                        continue
                    line = attacks[origin]
                    if line == NEVER or line & others:
                        before = (position ^ 1) + ((origin - s) << shift)
                        if depths.get(before, FAR) > depth:
                            depths[before] = depth
                            partly = whole + black_ranks[before >> black_shift & 63]
                            rank = partly + white_ranks[before >> 1 & 63]
                            put(rank, (before, whites, blacks, depth, False, node))

    def _men(self, position: int) -> tuple[list[int], int]:
        """Where the men stand: square by square, and as a mask."""
        squares, occupied = [], 0
        for shift in self._shifts:
            s = position >> shift & 63
            squares.append(s)
            occupied |= 1 << s
        return squares, occupied

    def _lines(
        self, side: Sequence[int], squares: Sequence[int], occupied: int, king: int
    ) -> list[_Line]:
        """The lines between men of a side and the other king that are open or have one man."""
        lines = []
        for i in side:
            between = self._attacks_on[i][king][squares[i]]
            if between != NEVER:
                screen = between & occupied
                if not screen & (screen - 1):
                    lines.append((i, between, screen))
        return lines

    def _useful(self, white: int, black: int, *, black_first: bool) -> int:
        """Which un-moves to look at first: who has moves to lose need not come nearer."""
        left = plies_left(white, black, black_first=black_first, black_last=self._black_last)
        to_lose = left - 2 * (black if black_first else white)
        return 0 if to_lose <= 0 else 1 if to_lose <= 2 else 2


def _closed(lines: Sequence[_Line], i: int, square: int) -> int:
    """Where a man must not come from, for another's line to the king would be open then."""
    allowed = _EVERYWHERE
    for j, between, screen in lines:
        if j != i and screen in {0, square}:
            allowed &= between
    return ~allowed
