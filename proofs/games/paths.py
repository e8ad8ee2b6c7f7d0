"""From a hub to a witness: a search backwards, by un-moves without captures. Untrusted.

All the tightness is at the witness, so the search starts there: it takes moves back, for each
player in turn, until every man stands where the hub has it. A* with the number of steps that the
men still need on an empty board; a player who needs fewer than the other loses moves.
"""

from collections.abc import Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import permutations
from typing import Final, NamedTuple

from proofs.games.men import ATTACK, FAR, KING, NEVER, Setting, Step, distances, unmoves

EAGER: Final = 2.0
BLACK_KING: Final = 3.0
WHITE_KING: Final = -0.7
AGAIN: Final = 4.0
"""Weights of the search, found by trying: how much a ply that is still needed counts more than
one made; that Black's king had better leave White's men early and White's king wait; and how much
later a position is looked at again for the un-moves that seemed of no use."""

_ALL: Final = 3
_UNSORTED: Final = -1


def match_homes(setting: Setting, hub: Setting) -> tuple[int, ...]:
    """The hub's squares in the order of the setting's men, equal men matched with least way."""
    homes = list(hub.squares)
    for group in _groups(setting.kinds, setting.whites):
        targets = [hub.squares[i] for i in group]
        tables = [distances(hub.kinds[i], s) for i, s in zip(group, targets, strict=True)]
        squares = [setting.squares[i] for i in group]
        best = min(
            permutations(range(len(group))),
            key=lambda order: sum(tables[k][s] for k, s in zip(order, squares, strict=True)),
        )
        for i, k in zip(group, best, strict=True):
            homes[i] = targets[k]
    return tuple(homes)


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


class _Node(NamedTuple):
    """A position on the way back: who un-moves next, and the steps that the players still need."""

    squares: tuple[int, ...]
    black_first: bool
    white: int
    black: int
    depth: int
    parent: "_Node | None"
    step: Step | None


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
    return _Search(setting, homes, unmoved, black_last=black_begins).run(most_nodes)


class _Search:
    """One search: an open list, ordered by rank, and the positions seen."""

    def __init__(
        self,
        setting: Setting,
        homes: tuple[int, ...],
        unmoved: frozenset[int],
        *,
        black_last: bool,
    ) -> None:
        self._black_last = black_last
        self._setting = setting
        self._homes = homes
        men = range(len(homes))
        self._sides = (men[: setting.whites], men[setting.whites :])
        self._movers = tuple([i for i in side if i not in unmoved] for side in self._sides)
        self._attacks = [ATTACK[kind] for kind in setting.kinds]
        self._king_ways = [distances(KING, homes[side[0]]) for side in self._sides]
        self._open: list[tuple[float, int, int, _Node]] = []
        self._depths: dict[tuple[bool, tuple[int, ...]], int] = {}
        self._pushed = 0
        self.nodes = 0

    def run(self, most_nodes: int) -> list[Step] | None:
        """The path, None if there is none or it takes more nodes than that."""
        white, black = needed_steps(self._setting, self._homes)
        self._push(_Node(self._setting.squares, True, white, black, 0, None, None))
        while self._open and self.nodes < most_nodes:
            rank, _, limit, node = heappop(self._open)
            if node.black_first != self._black_last and not node.white and not node.black:
                return _steps(node)
            self.nodes += 1
            self._expand(node, self._useful(node) if limit == _UNSORTED else limit)
            if limit == _UNSORTED:
                self._pushed += 1
                heappush(self._open, (rank + AGAIN, self._pushed, _ALL, node))
        return None

    def _push(self, node: _Node) -> None:
        squares, black_first, white, black, depth, _, _ = node
        key = (black_first, squares)
        if self._depths.get(key, FAR) <= depth:
            return
        self._depths[key] = depth
        white_way, black_way = self._king_ways
        rank = (
            depth
            + EAGER * self._plies_left(white, black, black_first=black_first)
            + white
            + black
            + BLACK_KING * black_way[squares[self._sides[1][0]]]
            + WHITE_KING * white_way[squares[0]]
        )
        self._pushed += 1
        heappush(self._open, (rank, self._pushed, _UNSORTED, node))

    def _plies_left(self, white: int, black: int, *, black_first: bool) -> int:
        return plies_left(white, black, black_first=black_first, black_last=self._black_last)

    def _useful(self, node: _Node) -> int:
        """Which un-moves to look at first: who has moves to lose need not come nearer."""
        left = self._plies_left(node.white, node.black, black_first=node.black_first)
        to_lose = left - 2 * (node.black if node.black_first else node.white)
        return 0 if to_lose <= 0 else 1 if to_lose <= 2 else 2

    def _expand(self, node: _Node, limit: int) -> None:
        """Push the positions before a player's move; the other king must not be attacked there."""
        squares, black_first, white, black, depth, _, _ = node
        kinds, homes, attacks = self._setting.kinds, self._homes, self._attacks
        side = self._sides[black_first]
        king = squares[self._sides[not black_first][0]]
        occupied = 0
        for s in squares:
            occupied |= 1 << s
        for i in self._movers[black_first]:
            s = squares[i]
            for origin, between, change in unmoves(kinds[i], s, homes[i])[limit]:
                if (between | 1 << origin) & occupied:
                    continue
                before = occupied ^ 1 << s ^ 1 << origin
                for j in side:
                    way = attacks[j][origin if j == i else squares[j]][king]
                    if way != NEVER and not way & before:
                        break
                else:
                    moved = (*squares[:i], origin, *squares[i + 1 :])
                    whites, blacks = (
                        (white, black + change) if black_first else (white + change, black)
                    )
                    self._push(
                        _Node(
                            moved, not black_first, whites, blacks, depth + 1, node, Step(origin, s)
                        )
                    )


def _steps(node: _Node) -> list[Step]:
    steps = []
    while node.parent is not None and node.step is not None:
        steps.append(node.step)
        node = node.parent
    return steps
