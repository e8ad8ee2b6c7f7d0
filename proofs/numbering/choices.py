"""Numbers choices: the permutations of things in a row, and the ways to pick opposed pawns.

Permutations are sorted as in a dictionary: the first place decides, and the kinds, whose things
look alike, come in the order in which they are given. `aab, aba, baa` are the permutations 0, 1, 2
of two `a` and one `b`.

Two pawns are *opposed* here when they stand on one file, the black one nearer to the eighth rank,
with no pawn between them: neither can pass the other unless something is captured. A *pair* is
(square of the black pawn, square of the white pawn); its *gap* is the number of squares between.
At most one pair is picked on a file.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import factorial, prod

from sanproof.proofs.numbering.fen import FILES

Pair = tuple[int, int]


def count_permutations(counts: Iterable[int]) -> int:
    """Return the number of permutations, given how many things of each kind there are."""
    counts = tuple(counts)
    return factorial(sum(counts)) // prod(map(factorial, counts))


def permutation(kinds: str, counts: Sequence[int], number: int) -> str:
    """Return the permutation with a number from 0 to `count_permutations(counts) - 1`.

    `kinds` names one character for each kind.
    """
    pairs = [(kind, count) for kind, count in zip(kinds, counts, strict=True) if count]
    names = [kind for kind, _ in pairs]
    left = [count for _, count in pairs]
    size = count_permutations(counts)
    row: list[str] = []
    for places in range(sum(left), 0, -1):
        # `size` permutations of `places` things; `share` of them begin with this kind.
        kind = 0
        while number >= (share := size * left[kind] // places):
            number -= share
            kind += 1
        row.append(names[kind])
        size = share
        left[kind] -= 1
    return "".join(row)


def permutation_number(kinds: str, counts: Sequence[int], row: str) -> int:
    """Return the number of a permutation. This is the inverse of `permutation`."""
    left = list(counts)
    places = sum(left)
    size = count_permutations(left)
    number = 0
    for thing in row:
        kind = kinds.index(thing)
        number += size * sum(left[:kind]) // places
        size = size * left[kind] // places
        left[kind] -= 1
        places -= 1
    return number


# Opposed pawns


def gap(pair: Pair) -> int:
    """Return the number of squares between the two pawns."""
    black, white = pair
    return (white - black) // FILES - 1


@lru_cache(1000)
def count_picks(
    gaps: tuple[tuple[int, ...], ...], needed: tuple[int, ...] = ()
) -> list[Counter[tuple[int, int]]]:
    """Count the ways to pick gaps from the lists from each one on, at most one of each list.

    From the lists in ``needed`` one has to be picked.

    Returns:
        For each start the number of ways, by the number of picked gaps and their sum.
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

    They are sorted by lists: first all ways without a pair of the first list, then those with one,
    in the list's order. From the lists in ``needed`` a pair must be picked. With ``by_gaps`` ways
    are counted for each sum of gaps; without, all gaps count as 0.
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
        """Count the ways to pick this many pairs from the lists from ``start`` on.

        The pairs have the sum of gaps ``gaps``, which is 0 unless ways are told apart ``by_gaps``.
        """
        return self._ways[start][pairs, gaps]

    def _options(self, index: int, pairs: int, gaps: int) -> Iterator[tuple[Pair | None, int]]:
        """Yield what can be picked from a list, None for nothing, and the ways to go on."""
        if index not in self._needed:
            yield None, self.count(pairs, gaps, index + 1)
        for pair in self._lists[index] if pairs else ():
            yield pair, self.count(pairs - 1, gaps - self._gap(pair), index + 1)

    def pick(self, number: int, pairs: int, gaps: int = 0) -> list[Pair]:
        """Return the pairs with a number from 0 to `count(pairs, gaps)` - 1.

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
        """Return the number of these pairs. This is the inverse of `pick`."""
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
    """List the opposed pairs on each file, from the far rank."""
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
