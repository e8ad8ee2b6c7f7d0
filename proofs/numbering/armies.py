"""Groups and numbers the armies of one side: its pawns and how many pieces of each kind it has.

A side's kings and rooks that castling rights fix to their squares, and the pawn that a capture in
passing fixes, are left out: what is free is counted. Armies are sorted in three steps:

- A *group* is all armies with the same number of pieces (fixed ones included), of free pawns, and
  of promotions; groups are sorted by these three.
- A *shape* in a group is all armies whose pieces can be arranged in equally many ways: the same
  product of the factorials of their counts. Shapes are sorted by the exponents of 2, 3, 5 and 7 in
  that product.
- In a shape, armies are sorted by their counts, larger counts first.

A promoted piece is one beyond the number at the start, and nothing more: that two bishops on
squares of one colour betray a promotion is not seen here.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from math import factorial, prod
from typing import Final, NamedTuple

from sanproof.proofs.numbering.permutations import count_permutations

OFFICERS: Final = {"Q": 1, "R": 2, "B": 2, "N": 2}
"""The pieces that a pawn may become, with how many a side has at the start."""
KINDS: Final = "K" + "".join(OFFICERS)
"""The pieces in the order in which they are numbered."""
PAWNS: Final = 8
PRIMES: Final = (2, 3, 5, 7)
Counts = tuple[int, ...]
"""The numbers of free pieces of each kind, in the order of `KINDS`."""


class Shape(NamedTuple):
    """Armies of one group whose pieces can be arranged in equally many ways."""

    armies: tuple[Counts, ...]
    permutations: int
    """In how many ways the pieces of one army can be put on as many squares as they are."""

    @property
    def weight(self) -> int:
        """In how many ways an army can be chosen and arranged."""
        return len(self.armies) * self.permutations


class Group(NamedTuple):
    """Armies of as many pieces, free pawns and promotions."""

    total: int
    pawns: int
    promotions: int
    pieces: int
    """The number of free pieces, with the king unless castling rights fix it."""
    shapes: tuple[Shape, ...]
    ends: tuple[int, ...]
    """The running sums of the weights of the shapes."""

    @property
    def weight(self) -> int:
        """In how many ways an army of the group can be chosen and arranged."""
        return self.ends[-1]


@cache
def list_armies(fixed_rooks: int, fixed_pawns: int) -> tuple[Group, ...]:
    """List the armies of a side of which so many rooks and pawns are fixed, in sorted groups."""
    found: dict[tuple[int, int, int], dict[tuple[int, ...], list[Counts]]]
    found = defaultdict(lambda: defaultdict(list))
    king = 0 if fixed_rooks else 1
    for officers, promotions in _officer_counts(fixed_rooks, fixed_pawns):
        exponents = _exponents(prod(map(factorial, officers)))
        for pawns in range(PAWNS - fixed_pawns - promotions + 1):
            total = fixed_rooks + fixed_pawns + pawns + 1 + sum(officers)
            found[total, pawns, promotions][exponents].append((king, *officers))
    groups = []
    for key, by_exponents in sorted(found.items()):
        shapes = tuple(_shape(by_exponents[exponents]) for exponents in sorted(by_exponents))
        ends = tuple(accumulate(shape.weight for shape in shapes))
        groups.append(Group(*key, sum(shapes[0].armies[0]), shapes, ends))
    return tuple(groups)


def _shape(armies: list[Counts]) -> Shape:
    return Shape(tuple(sorted(armies, reverse=True)), count_permutations(armies[0]))


def promotions_in(officers: Counts, fixed_rooks: int) -> int:
    """Count the free officers that must be promoted: those beyond the number at the start."""
    started = _started(fixed_rooks)
    return sum(max(0, count - start) for count, start in zip(officers, started, strict=True))


def _started(fixed_rooks: int) -> Counts:
    return tuple(count - fixed_rooks * (kind == "R") for kind, count in OFFICERS.items())


def _officer_counts(fixed_rooks: int, fixed_pawns: int) -> Iterator[tuple[Counts, int]]:
    """Yield all counts of the free officers, with the promotions that they need."""

    def extend(counts: Counts, left: int) -> Iterator[tuple[Counts, int]]:
        if len(counts) == len(started):
            yield counts, PAWNS - fixed_pawns - left
            return
        start = started[len(counts)]
        for count in range(start + left + 1):
            yield from extend((*counts, count), left - max(0, count - start))

    started = _started(fixed_rooks)
    return extend((), PAWNS - fixed_pawns)


@cache
def _exponents(number: int) -> tuple[int, ...]:
    """Return how often each prime divides a number."""
    return tuple(
        sum(number % prime**n == 0 for n in range(1, number.bit_length())) for prime in PRIMES
    )
