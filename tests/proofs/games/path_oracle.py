"""The search for a path in plain Python, on tuples, a dict and a heap: what compiled code must do.

It is far slower, says the same, and shares with it the tables of men and the weights only.
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count

from sanproof.proofs.games.paths import plies_left
from sanproof.proofs.games.pieces import (
    ATTACK,
    BACK,
    FAR,
    KING,
    KNIGHT,
    NEVER,
    ManStep,
    Setting,
    distances,
)
from sanproof.proofs.games.unmoves import AGAIN, BLACK_KING, EAGER, PLY, WHITE_KING

Node = tuple[tuple[int, ...], list[ManStep]]
"""The men's squares, and the moves from there on to the setting."""


class Oracle:
    """A search that takes the same arguments as :func:`proofs.games.paths.search_path`."""

    def __init__(
        self,
        setting: Setting,
        homes: tuple[int, ...],
        unmoved: frozenset[int],
        *,
        black_begins: bool = False,
    ) -> None:
        self.setting, self.unmoved, self.black_begins = setting, unmoved, black_begins
        kinds = setting.kinds
        self.far = [distances(kind, home) for kind, home in zip(kinds, homes, strict=True)]
        self.white = range(setting.whites)
        self.black = range(setting.whites, len(kinds))

    def search(self, most_nodes: int) -> list[ManStep] | None:
        """The path, the first of least rank; of one rank the newest."""
        heap = [(0, 0, False, (self.setting.squares, list[ManStep]()))]
        fewest: dict[tuple[bool, tuple[int, ...]], int] = {(True, self.setting.squares): 0}
        heap[0] = (self.rank(self.setting.squares, 0), 0, False, heap[0][3])
        newest = count(-1, -1)
        for _ in range(most_nodes):
            if not heap:
                return None
            rank, _, again, (squares, steps) = heappop(heap)
            black_is_next = len(steps) % 2 == 0
            if self.steps_left(squares) == (0, 0) and black_is_next != self.black_begins:
                return steps
            for before, step, king_change in self.unmoves(squares, again=again, depth=len(steps)):
                key = (not black_is_next, before)
                if fewest.get(key, FAR) > len(steps) + 1:
                    fewest[key] = len(steps) + 1
                    new_rank = self.rank(before, len(steps) + 1, squares) + king_change
                    heappush(heap, (new_rank, next(newest), False, (before, [step, *steps])))
            if not again:
                heappush(heap, (rank + AGAIN, next(newest), True, (squares, steps)))
        return None

    def steps_left(self, squares: tuple[int, ...]) -> tuple[int, int]:
        """The steps that White's and Black's men need."""
        white, black = (sum(self.far[i][squares[i]] for i in s) for s in (self.white, self.black))
        return white, black

    def rank(
        self, squares: tuple[int, ...], depth: int, kings: tuple[int, ...] | None = None
    ) -> int:
        """The rank; the kings count where they stood after the un-move."""
        white, black = self.steps_left(squares)
        first = depth % 2 == 0
        left = plies_left(white, black, black_first=first, black_last=self.black_begins)
        rank = EAGER * left + PLY * (white + black + depth)
        for i, weight in ((0, WHITE_KING), (self.setting.whites, BLACK_KING)):
            rank += weight * self.far[i][(kings or squares)[i]]
        return rank

    def unmoves(
        self, squares: tuple[int, ...], *, again: bool, depth: int
    ) -> Iterator[tuple[tuple[int, ...], ManStep, int]]:
        """The positions before a player's move, the move, and what its king's change weighs."""
        black_first = depth % 2 == 0
        side, king = (self.black, squares[0])
        if not black_first:
            side, king = self.white, squares[self.setting.whites]
        white, black = self.steps_left(squares)
        left = plies_left(white, black, black_first=black_first, black_last=self.black_begins)
        to_lose = left - 2 * (black if black_first else white)
        for i in side:
            kind, square = self.setting.kinds[i], squares[i]
            limit = -1 if to_lose <= 0 else 0
            if to_lose > 2 and kind in {KING, KNIGHT}:
                limit = 1
            changes = {t: self.far[i][t] - self.far[i][square] for t in BACK[kind][square]}
            for origin in sorted(changes, key=lambda t: changes[t]):
                useful = changes[origin] <= limit
                before = (*squares[:i], origin, *squares[i + 1 :])
                if (
                    i not in self.unmoved
                    and useful != again
                    and self.far[i][origin] < FAR
                    and origin not in squares
                    and not any(BACK[kind][square][origin] >> s & 1 for s in squares)
                    and not any(self.attacks(j, king, before) for j in side)
                ):
                    weight = (BLACK_KING if black_first else WHITE_KING) if i == side[0] else 0
                    yield before, ManStep(origin, square), weight * changes[origin]

    def attacks(self, i: int, target: int, squares: tuple[int, ...]) -> bool:
        """Whether a man attacks a square."""
        between = ATTACK[self.setting.kinds[i]][squares[i]][target]
        return between != NEVER and not any(between >> s & 1 for s in squares)
