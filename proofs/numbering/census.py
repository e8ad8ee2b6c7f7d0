"""Counts the plausible positions, case by case, and finds the armies that a number falls to.

See `plausible` for the order of the choices. Listing all pairs of shapes of armies would take
minutes. But the number of positions of two shapes is the product of their weights and of a factor
that depends on their groups only, and there are some 300 groups in place of 1,400 shapes. The
sizes of the cases come from sums over pawns, pieces and promotions, in which groups fall together
once more. The sums over a case's groups are made when the case first comes up; those over Black's
groups beside one group of White's, when that group does.
"""

from bisect import bisect_right
from collections import defaultdict
from functools import cache, lru_cache
from itertools import accumulate, product
from math import comb
from typing import Final, NamedTuple

from sanproof.proofs.numbering.armies import PAWNS, Group, Shape, list_armies
from sanproof.proofs.numbering.fen import SQUARES
from sanproof.proofs.numbering.pawns import PawnNeeds, count_structures

Balance = tuple[int, int, int, int]
"""The numbers of free pawns of White and Black, and of free pieces and promotions of both."""

PIECES: Final = 32
_ROWS_KEPT: Final = 2_000


class MoveState(NamedTuple):
    """The player to move, the squares that castling rights fix, and captures in passing."""

    white_to_move: bool
    white_rooks: int
    black_rooks: int
    passing: bool

    @property
    def rights(self) -> int:
        """In how many ways castling rights can fix so many rooks."""
        return comb(2, self.white_rooks) * comb(2, self.black_rooks)

    @property
    def fixed_pieces(self) -> int:
        """Count the pieces that have their squares by castling rights or a capture in passing."""
        kings = (self.white_rooks > 0) + (self.black_rooks > 0)
        return self.white_rooks + self.black_rooks + kings + 2 * self.passing

    @property
    def mirrored(self) -> "MoveState":
        """The case with the colours exchanged."""
        return MoveState(not self.white_to_move, self.black_rooks, self.white_rooks, self.passing)

    @property
    def same_size(self) -> tuple["MoveState", ...]:
        """Other cases with as many positions: mirrored, or with another side to move."""
        if self.passing:
            return (self.mirrored,)
        swapped = MoveState(self.white_to_move, self.black_rooks, self.white_rooks, passing=False)
        return self.mirrored, swapped

    def armies(self, *, white: bool) -> tuple[Group, ...]:
        """Return the armies that one side can have."""
        return list_armies(self.white_rooks if white else self.black_rooks, int(self.passing))

    def piece_squares(self, pawns: int) -> int:
        """Count the squares that are left for free pieces beside so many free pawns."""
        return SQUARES - self.fixed_pieces - 2 * self.passing - pawns


CASES: Final = tuple(
    MoveState(*choice) for choice in product((True, False), range(3), range(3), (False, True))
)


class Place(NamedTuple):
    """The shape of an army, and its group; each with its index."""

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
    """Return the place of a shape."""
    found = case.armies(white=white)[group]
    return Place(group, shape, found, found.shapes[shape])


def most_unopposed(case: MoveState, balance: Balance) -> tuple[int, int]:
    """Return how many white and black pawns can be past their opponents; negative: none fit.

    To promote or to be past its opponent, a pawn needed an occasion: a capture, by either side
    (each missing piece was captured once), or that the opponent was captured.
    """
    white, black, pieces, promotions = balance
    captures = PIECES - case.fixed_pieces - white - black - pieces
    occasions = PAWNS - case.passing + captures - promotions
    return occasions - black, occasions - white


def demand_of(case: MoveState, balance: Balance) -> PawnNeeds:
    """Return what the pawns must fulfil; it means something if some can be unopposed."""
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
    sizes: dict[MoveState, int] = {}
    for case in CASES:
        known = (sizes.get(other) for other in case.same_size)
        sizes[case] = next(filter(None, known), None) or case_size(case)
    return tuple(accumulate(sizes[case] for case in CASES))


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


def _make_row(case: MoveState, group: int) -> _Row:
    own, blacks = case.armies(white=True)[group], case.armies(white=False)
    pawns, pieces, promotions, factor = own.pawns, own.pieces, own.promotions, _factor
    factors = tuple(
        comb(pieces + b.pieces, pieces)
        * factor(case, (pawns, b.pawns, pieces + b.pieces, promotions + b.promotions))
        for b in blacks
    )
    sizes = (factor * black.weight for factor, black in zip(factors, blacks, strict=True))
    return _Row(factors, tuple(accumulate(sizes)))


_row = lru_cache(_ROWS_KEPT)(_make_row)


@cache
def _group_ends(case: MoveState) -> tuple[int, ...]:
    groups = case.armies(white=True)
    sizes = (group.weight * _make_row(case, i).ends[-1] for i, group in enumerate(groups))
    return tuple(accumulate(sizes))


def find_shapes(number: int) -> tuple[MoveState, Place, Place, int]:
    """Return the case, the places of White's and Black's shapes, and what is left of a number.

    What is left counts the positions with these two shapes before this one.
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
    """Return the first number with these shapes: what `find_shapes` takes off."""
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
