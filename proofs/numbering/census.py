"""Counts the plausible positions, case by case, and finds the armies of a number.

See `plausible` for the order of the choices. An *army* is the pawns of one side and its number of
pieces of each kind. Only free ones are counted, not those whose squares are fixed by castling
rights or by a capture in passing. Armies are sorted in three steps:

- A *group* is all armies with the same number of pieces (fixed ones included), of free pawns, and
  of promotions; groups are sorted by these three.
- A *shape* in a group is all armies whose pieces can be arranged in equally many ways: the same
  product of the factorials of their counts. Shapes are sorted by the exponents of 2, 3, 5 and 7 in
  that product.
- In a shape, armies are sorted by their counts, larger counts first.

A promoted piece is one beyond the number at the start, and nothing more: that two bishops on
squares of one colour prove a promotion is ignored here.

Listing all pairs of shapes would take minutes. But the number of positions of two shapes is the
product of their weights and of a factor that depends only on their groups, and there are some 300
groups in place of 1,400 shapes. The sizes of the cases come from sums over pawns, pieces and
promotions, which combine groups once more. The sums over a case's groups are made when the case is
first needed, and those over Black's groups beside one of White's groups when that group is.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate, product
from math import comb, factorial, prod
from typing import Final, NamedTuple

from sanproof.proofs.numbering.choices import count_permutations
from sanproof.proofs.numbering.fen import SQUARES
from sanproof.proofs.numbering.pawns import PawnNeeds, count_structures

OFFICERS: Final = {"Q": 1, "R": 2, "B": 2, "N": 2}
"""The pieces that a pawn may become, with the number that a side has at the start."""
KINDS: Final = "K" + "".join(OFFICERS)
"""The pieces in the order in which they are numbered."""
PAWNS: Final = 8
PRIMES: Final = (2, 3, 5, 7)
Counts = tuple[int, ...]
"""The numbers of free pieces of each kind, in the order of `KINDS`."""
Balance = tuple[int, int, int, int]
"""The numbers of free pawns of White and Black, and of free pieces and promotions of both."""

PIECES: Final = 32
_ROWS_KEPT: Final = 2_000


# Armies


class Shape(NamedTuple):
    """Armies of one group whose pieces can be arranged in equally many ways."""

    armies: tuple[Counts, ...]
    permutations: int
    """The number of ways to put the pieces of one army on as many squares."""

    @property
    def weight(self) -> int:
        """The number of ways to choose and arrange an army."""
        return len(self.armies) * self.permutations


class Group(NamedTuple):
    """Armies with the same number of pieces, of free pawns and of promotions."""

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
        """The number of ways to choose and arrange an army of the group."""
        return self.ends[-1]


@cache
def list_armies(fixed_rooks: int, fixed_pawns: int) -> tuple[Group, ...]:
    """List the armies of a side with this many fixed rooks and pawns, in sorted groups."""
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


# Cases


class MoveState(NamedTuple):
    """The player to move, the rooks that castling rights fix, and captures in passing."""

    white_to_move: bool
    white_rooks: int
    black_rooks: int
    passing: bool

    @property
    def rights(self) -> int:
        """The number of ways in which castling rights can fix these rooks."""
        return comb(2, self.white_rooks) * comb(2, self.black_rooks)

    @property
    def fixed_pieces(self) -> int:
        """The number of pieces whose squares castling rights or a capture in passing fix."""
        kings = (self.white_rooks > 0) + (self.black_rooks > 0)
        return self.white_rooks + self.black_rooks + kings + 2 * self.passing

    def armies(self, *, white: bool) -> tuple[Group, ...]:
        """Return the armies that one side can have."""
        return list_armies(self.white_rooks if white else self.black_rooks, int(self.passing))

    def piece_squares(self, pawns: int) -> int:
        """Return the number of squares left for free pieces beside this many free pawns."""
        return SQUARES - self.fixed_pieces - 2 * self.passing - pawns


CASES: Final = tuple(
    MoveState(*choice) for choice in product((True, False), range(3), range(3), (False, True))
)


class Place(NamedTuple):
    """The place of an army: its group and its shape, each with its index."""

    group_index: int
    shape_index: int
    group: Group
    shape: Shape


class _Row(NamedTuple):
    """A group of White's beside each group of Black's."""

    factors: tuple[int, ...]
    """For each group of Black's: positions for each weight of White's and of Black's shape."""
    ends: tuple[int, ...]
    """Running sums of the factors, each times the weight of Black's group."""


def place_of(case: MoveState, group: int, shape: int, *, white: bool) -> Place:
    """Return the place of the shape with these indices."""
    found = case.armies(white=white)[group]
    return Place(group, shape, found, found.shapes[shape])


def most_unopposed(case: MoveState, balance: Balance) -> tuple[int, int]:
    """Return how many white and how many black pawns can be past their opponents at most.

    To promote or to be past its opponent, a pawn needed an occasion: a capture, by either side
    (each missing piece was captured once), or that the opponent was captured. If a number is
    negative, no structure is possible.
    """
    white, black, pieces, promotions = balance
    captures = PIECES - case.fixed_pieces - white - black - pieces
    occasions = PAWNS - case.passing + captures - promotions
    return occasions - black, occasions - white


def demand_of(case: MoveState, balance: Balance) -> PawnNeeds:
    """Return the conditions on the pawns. :func:`most_unopposed` must not be negative."""
    white, black, *_ = balance
    pairs = max(0, case.passing + white - most_unopposed(case, balance)[0])
    return PawnNeeds(case.white_to_move, case.passing, white, black, pairs)


def _structures(case: MoveState, balance: Balance) -> int:
    """Count the ways in which the pawns can stand; pieces and promotions matter as a sum."""
    if min(most_unopposed(case, balance)) < 0:
        return 0
    return count_structures(demand_of(case, balance))


@cache
def case_ends() -> tuple[int, ...]:
    """Return the running sums of the sizes of the cases."""
    return tuple(accumulate(map(case_size, CASES)))


def case_size(case: MoveState) -> int:
    """Count the urpositions of a case: pairs of armies, each times its `_factor`."""
    pairs = _army_pairs(case.white_rooks, case.black_rooks, int(case.passing))
    squares = case.piece_squares(0)
    known: dict[tuple[int, int, int], int] = {}
    size = 0
    for balance, ways in pairs.items():
        white, black, pieces, promotions = balance
        key = white, black, pieces + promotions
        if key not in known:
            known[key] = _structures(case, balance)
        if structures := known[key]:
            size += ways * structures * comb(squares - white - black, pieces)
    return size * case.rights


# The groups and shapes of a case.


@cache
def _factor(case: MoveState, balance: Balance) -> int:
    """Count the ways to choose pawns, castling rights and the squares of the pieces."""
    white, black, pieces, _ = balance
    ways = comb(case.piece_squares(white + black), pieces)
    return _structures(case, balance) * case.rights * ways


@lru_cache(_ROWS_KEPT)
def _row(case: MoveState, group: int) -> _Row:
    own, blacks = case.armies(white=True)[group], case.armies(white=False)
    factors = []
    for other in blacks:
        pieces, promotions = own.pieces + other.pieces, own.promotions + other.promotions
        factor = _factor(case, (own.pawns, other.pawns, pieces, promotions))
        factors.append(comb(pieces, own.pieces) * factor)
    sizes = (factor * black.weight for factor, black in zip(factors, blacks, strict=True))
    return _Row(tuple(factors), tuple(accumulate(sizes)))


@cache
def _group_ends(case: MoveState) -> tuple[int, ...]:
    groups = case.armies(white=True)
    return tuple(
        accumulate(group.weight * _row(case, i).ends[-1] for i, group in enumerate(groups))
    )


def find_shapes(number: int) -> tuple[MoveState, Place, Place, int]:
    """Return the case, the places of White's and Black's shapes, and the remainder of a number.

    The remainder is the number of positions with these two shapes before this one.
    """
    index, number = _find(case_ends(), number)
    case = CASES[index]
    group, number = _find(_group_ends(case), number)
    row = _row(case, group)
    shape, number = _find_shape(case.armies(white=True)[group], number, row.ends[-1])
    white = place_of(case, group, shape, white=True)
    group, left = _find(row.ends, number // white.shape.weight)
    number = left * white.shape.weight + number % white.shape.weight
    size = white.shape.weight * row.factors[group]
    shape, number = _find_shape(case.armies(white=False)[group], number, size)
    return case, white, place_of(case, group, shape, white=False), number


def first_number(case: MoveState, white: Place, black: Place) -> int:
    """Return the first number with these shapes, which `find_shapes` subtracts."""
    row = _row(case, white.group_index)
    weight = white.shape.weight
    return (
        _before(case_ends(), CASES.index(case))
        + _before(_group_ends(case), white.group_index)
        + _before(white.group.ends, white.shape_index) * row.ends[-1]
        + _before(row.ends, black.group_index) * weight
        + _before(black.group.ends, black.shape_index) * weight * row.factors[black.group_index]
    )


def _before(ends: tuple[int, ...], index: int) -> int:
    return ends[index - 1] if index else 0


def _find(ends: tuple[int, ...], number: int) -> tuple[int, int]:
    """Return which part the number falls to, and its number in that part."""
    index = bisect_right(ends, number)
    return index, number - _before(ends, index)


def _find_shape(group: Group, number: int, size: int) -> tuple[int, int]:
    """As `_find`, for shapes with `size` positions for each weight."""
    shape, _ = _find(group.ends, number // size)
    return shape, number - _before(group.ends, shape) * size


@cache
def _army_pairs(white_rooks: int, black_rooks: int, fixed_pawns: int) -> dict[Balance, int]:
    """Count the pairs of armies by white pawns, black pawns, pieces and promotions of both.

    The sum runs over the ways to choose the two armies and to arrange their pieces on as many
    squares as they are.
    """
    whites = _weights(list_armies(white_rooks, fixed_pawns))
    blacks = _weights(list_armies(black_rooks, fixed_pawns))
    # First the pieces alone: a group's weight is the same for each number of pawns.
    pieces: dict[tuple[int, int, int], int] = defaultdict(int)
    for (white, white_promotions), white_weight in whites.items():
        for (black, black_promotions), black_weight in blacks.items():
            ways = comb(white + black, white) * white_weight * black_weight
            pieces[white + black, white_promotions, black_promotions] += ways
    pawns = PAWNS - fixed_pawns
    pairs: dict[Balance, int] = defaultdict(int)
    for (both, first, second), ways in pieces.items():
        for white_pawns in range(pawns - first + 1):
            for black_pawns in range(pawns - second + 1):
                pairs[white_pawns, black_pawns, both, first + second] += ways
    return pairs


def _weights(groups: tuple[Group, ...]) -> dict[tuple[int, int], int]:
    return {(group.pieces, group.promotions): group.weight for group in groups if group.pawns == 0}
