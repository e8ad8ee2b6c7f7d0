"""Numbers the ways to pick opposed pawns of a position.

Two pawns are *opposed* here when they stand on one file, the black one nearer to the eighth rank,
with no pawn between them: neither can pass the other unless something is captured. A *pair* is
(square of the black pawn, square of the white pawn); its *gap* is the number of squares between.
At most one pair is picked on a file.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from sanproof.proofs.numbering.fen import FILES

Pair = tuple[int, int]


def gap(pair: Pair) -> int:
    """Return how many squares lie between the two pawns."""
    black, white = pair
    return (white - black) // FILES - 1


@lru_cache(1000)
def count_picks(
    gaps: tuple[tuple[int, ...], ...], needed: tuple[int, ...] = ()
) -> list[Counter[tuple[int, int]]]:
    """Count the ways to pick gaps from the lists from each one on, at most one of each list.

    Returns:
        For each start the ways by the number of gaps picked and their sum.
    """
    ways = [Counter({(0, 0): 1})]
    for index, gaps_here in reversed([*enumerate(gaps)]):
        more = Counter[tuple[int, int]]() if index in needed else ways[-1].copy()
        for here, times in Counter(gaps_here).items():
            for (pairs, total), count in ways[-1].items():
                more[pairs + 1, total + here] += count * times
        ways.append(more)
    return ways[::-1]


class Picks:
    """Numbers the ways to pick pairs from lists, at most one from each list.

    Sorted by lists: first all ways without a pair of the first list, then those with one, in the
    list's order. From the lists in ``needed`` a pair must be picked. Ways are counted for
    each sum of gaps if they are told apart ``by_gaps``; if not, all gaps count as 0.
    """

    def __init__(
        self,
        lists: Sequence[Sequence[Pair]],
        needed: Sequence[int] = (),
        *,
        by_gaps: bool = False,
    ) -> None:
        self._lists = lists
        self._by_gaps = by_gaps
        self._needed = needed
        gaps = tuple(tuple(map(self._gap, pairs)) for pairs in lists)
        self._ways = count_picks(gaps, tuple(needed))

    def _gap(self, pair: Pair) -> int:
        return gap(pair) if self._by_gaps else 0

    def count(self, pairs: int, gaps: int = 0, start: int = 0) -> int:
        """Count the ways to pick so many pairs from the lists from one on."""
        return self._ways[start][pairs, gaps]

    def _options(self, index: int, pairs: int, gaps: int) -> Iterator[tuple[Pair | None, int]]:
        """Yield what can be picked from a list, None for nothing, and the ways to go on."""
        if index not in self._needed:
            yield None, self.count(pairs, gaps, index + 1)
        for pair in self._lists[index] if pairs else ():
            yield pair, self.count(pairs - 1, gaps - self._gap(pair), index + 1)

    def pick(self, number: int, pairs: int, gaps: int = 0) -> list[Pair]:
        """Return the pairs of a number from 0 to `count(pairs, gaps)` - 1.

        Raises:
            ValueError: The number is too large.
        """
        picked: list[Pair] = []
        for index in range(len(self._lists)):
            pair, number = _find(self._options(index, pairs, gaps), number)
            if pair is not None:
                picked.append(pair)
                pairs, gaps = pairs - 1, gaps - self._gap(pair)
        return picked

    def number(self, picked: Sequence[Pair]) -> int:
        """Return the number of these pairs; the inverse of `pick`."""
        pairs, gaps, number = len(picked), sum(map(self._gap, picked)), 0
        for index, listed in enumerate(self._lists):
            chosen = next((pair for pair in listed if pair in picked), None)
            for pair, ways in self._options(index, pairs, gaps):
                if pair == chosen:
                    break
                number += ways
            if chosen is not None:
                pairs, gaps = pairs - 1, gaps - self._gap(chosen)
        if pairs:
            raise ValueError(f"{picked} are no pairs of opposed pawns")
        return number


def _find(options: Iterable[tuple[Pair | None, int]], number: int) -> tuple[Pair | None, int]:
    for pair, ways in options:
        if number < ways:
            return pair, number
        number -= ways
    raise ValueError("the number of the opposed pawns is too large")


def opposed_on_files(board: str) -> list[list[Pair]]:
    """List for each file the pairs on it, from the far rank."""
    found: list[list[Pair]] = []
    for file in range(FILES):
        pawns = [(rank, piece) for rank, piece in enumerate(board[file::FILES]) if piece in "Pp"]
        found.append(
            [
                (black * FILES + file, white * FILES + file)
                for (black, upper), (white, lower) in pairwise(pawns)
                if upper == "p" and lower == "P"
            ]
        )
    return found
