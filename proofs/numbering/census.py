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

from sanproof.proofs.numbering.armies import Armies, Group, Shape, list_armies
from sanproof.proofs.numbering.pawns import PawnNeeds, PawnStructures
from sanproof.proofs.numbering.setup import Setup

Balance = tuple[int, int, int, int]
"""How many free pawns White and Black have, and how many free pieces and promotions both have."""

_ROWS_KEPT: Final = 2_000


class MoveState(NamedTuple):
    """Who is to move, what castling rights fix, and whether a capture in passing is possible."""

    white_to_move: bool
    white_rooks: int
    black_rooks: int
    passing: bool

    @property
    def rights(self) -> int:
        """In how many ways castling rights can fix so many rooks."""
        return comb(2, self.white_rooks) * comb(2, self.black_rooks)

    @property
    def fixed_men(self) -> int:
        """How many men have their squares by castling rights or a capture in passing."""
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


class Census:
    """The sizes of all parts of the numbering."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.pawns: Final = PawnStructures(setup)
        rooks = range(3) if setup.castling else range(1)
        passing = (False, True) if setup.en_passant else (False,)
        self.cases: Final = tuple(
            MoveState(*choice) for choice in product((True, False), rooks, rooks, passing)
        )
        sizes: dict[MoveState, int] = {}
        for case in self.cases:
            known = (sizes.get(other) for other in case.same_size)
            sizes[case] = next(filter(None, known), None) or self.case_size(case)
        self.case_ends: Final = tuple(accumulate(sizes[case] for case in self.cases))
        self._factor = cache(self._count_factor)
        self._group_ends = cache(self._make_group_ends)
        self._row = lru_cache(_ROWS_KEPT)(self._make_row)

    def armies(self, case: MoveState, *, white: bool) -> Armies:
        """The armies that one side can have."""
        rooks = case.white_rooks if white else case.black_rooks
        return list_armies(self.setup, rooks, int(case.passing))

    def place(self, case: MoveState, group: int, shape: int, *, white: bool) -> Place:
        """Return the place of a shape."""
        found = self.armies(case, white=white).groups[group]
        return Place(group, shape, found, found.shapes[shape])

    def most_unopposed(self, case: MoveState, balance: Balance) -> tuple[int, int]:
        """Return how many white and black pawns can be past their opponents; negative: none fit.

        To promote or to be past its opponent, a pawn needed an occasion: a capture, by either side
        (each missing man was captured once), or that the opponent was captured.
        """
        white, black, pieces, promotions = balance
        pawns_each = self.setup.files - case.passing
        captures = self.setup.men - case.fixed_men - white - black - pieces
        occasions = pawns_each + captures - promotions
        return occasions - black, occasions - white

    def demand(self, case: MoveState, balance: Balance) -> PawnNeeds:
        """Return what the pawns must fulfil; it means something if some can be unopposed."""
        white, black, *_ = balance
        pairs = max(0, case.passing + white - self.most_unopposed(case, balance)[0])
        return PawnNeeds(case.white_to_move, case.passing, white, black, pairs)

    def piece_squares(self, case: MoveState, pawns: int) -> int:
        """Return how many squares are left for free pieces beside so many free pawns."""
        return self.setup.squares - case.fixed_men - 2 * case.passing - pawns

    def _count_factor(self, case: MoveState, balance: Balance) -> int:
        """Count the ways to choose pawns, castling rights and the squares of the pieces."""
        white, black, pieces, _ = balance
        ways = comb(self.piece_squares(case, white + black), pieces)
        return self._count_structures(case, balance) * case.rights * ways

    def _count_structures(self, case: MoveState, balance: Balance) -> int:
        """Count the ways in which the pawns can stand; pieces and promotions matter as a sum."""
        if min(self.most_unopposed(case, balance)) < 0:
            return 0
        return self.pawns.count(self.demand(case, balance))

    def case_size(self, case: MoveState) -> int:
        """Count the urpositions of a case: pairs of armies, each times its `_count_factor`."""
        pairs = _army_pairs(self.setup, case.white_rooks, case.black_rooks, int(case.passing))
        squares = self.piece_squares(case, 0)
        known: dict[tuple[int, int, int], int] = {}
        size = 0
        for balance, ways in pairs.items():
            white, black, pieces, promotions = balance
            key = white, black, pieces + promotions
            if key not in known:
                known[key] = self._count_structures(case, balance)
            if structures := known[key]:
                size += ways * structures * comb(squares - white - black, pieces)
        return size * case.rights

    # The groups and shapes of a case.

    def _make_row(self, case: MoveState, group: int) -> _Row:
        own = self.armies(case, white=True).groups[group]
        blacks = self.armies(case, white=False).groups
        pawns, pieces, promotions, factor = own.pawns, own.pieces, own.promotions, self._factor
        factors = tuple(
            comb(pieces + b.pieces, pieces)
            * factor(case, (pawns, b.pawns, pieces + b.pieces, promotions + b.promotions))
            for b in blacks
        )
        sizes = (factor * black.weight for factor, black in zip(factors, blacks, strict=True))
        return _Row(factors, tuple(accumulate(sizes)))

    def _make_group_ends(self, case: MoveState) -> tuple[int, ...]:
        groups = self.armies(case, white=True).groups
        rows = (self._make_row(case, index) for index in range(len(groups)))
        sizes = (group.weight * row.ends[-1] for group, row in zip(groups, rows, strict=True))
        return tuple(accumulate(sizes))

    def find(self, number: int) -> tuple[MoveState, Place, Place, int]:
        """Return the case, the places of White's and Black's shapes, and what is left of a number.

        What is left counts the positions with these two shapes before this one.
        """
        index, number = _find(self.case_ends, number)
        case = self.cases[index]
        group, number = _find(self._group_ends(case), number)
        row = self._row(case, group)
        groups = self.armies(case, white=True).groups
        shape, number = _find_shape(groups[group], number, row.ends[-1])
        white = self.place(case, group, shape, white=True)
        group, left = _find(row.ends, number // white.shape.weight)
        number = left * white.shape.weight + number % white.shape.weight
        groups = self.armies(case, white=False).groups
        shape, number = _find_shape(groups[group], number, white.shape.weight * row.factors[group])
        return case, white, self.place(case, group, shape, white=False), number

    def start(self, case: MoveState, white: Place, black: Place) -> int:
        """Return the first number with these shapes: what `find` takes off."""
        row = self._row(case, white.group_index)
        weight = white.shape.weight
        return (
            _before(self.case_ends, self.cases.index(case))
            + _before(self._group_ends(case), white.group_index)
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
def _army_pairs(
    setup: Setup, white_rooks: int, black_rooks: int, fixed_pawns: int
) -> dict[Balance, int]:
    """Count the pairs of armies by white pawns, black pawns, pieces and promotions of both.

    The sum runs over the ways to choose the two armies and to arrange their pieces on as many
    squares as they are.
    """
    whites = _weights(list_armies(setup, white_rooks, fixed_pawns))
    blacks = _weights(list_armies(setup, black_rooks, fixed_pawns))
    # First the pieces alone: a group's weight is the same for each number of pawns.
    pieces: dict[tuple[int, int, int], int] = defaultdict(int)
    for (white, white_promotions), white_weight in whites.items():
        for (black, black_promotions), black_weight in blacks.items():
            ways = comb(white + black, white) * white_weight * black_weight
            pieces[white + black, white_promotions, black_promotions] += ways
    pawns = setup.files - fixed_pawns
    pairs: dict[Balance, int] = defaultdict(int)
    for (both, first, second), ways in pieces.items():
        for white_pawns in range(pawns - first + 1):
            for black_pawns in range(pawns - second + 1):
                pairs[white_pawns, black_pawns, both, first + second] += ways
    return pairs


def _weights(armies: Armies) -> dict[tuple[int, int], int]:
    return {
        (group.pieces, group.promotions): group.weight
        for group in armies.groups
        if group.pawns == 0
    }
