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

from sanproof.proofs.numbering.armies import Armies, Group, list_armies
from sanproof.proofs.numbering.pawns import PawnNeeds, PawnStructures
from sanproof.proofs.numbering.setup import Setup

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


class ShapePlace(NamedTuple):
    """The place of an army's shape: its group, and the shape in that group."""

    group: int
    shape: int


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

    # Positions with these numbers of free pawns, of free pieces and of promotions, both sides
    # together but for the pawns.

    def most_unopposed(
        self, case: MoveState, white: int, black: int, pieces: int, promotions: int
    ) -> tuple[int, int]:
        """How many white and how many black pawns can be past their opponents; negative: none fit.

        To promote or to be past its opponent, a pawn needed an occasion: a capture, by either side
        (each missing man was captured once), or that the opponent was captured.
        """
        pawns_each = self.setup.pawns_each - case.passing
        captures = self.setup.men - case.fixed_men - white - black - pieces
        occasions = pawns_each + captures - promotions
        return occasions - black, occasions - white

    def demand(
        self, case: MoveState, white: int, black: int, pieces: int, promotions: int
    ) -> PawnNeeds:
        """What the pawns must fulfil; meaningful where `most_unopposed` is not negative."""
        most, _ = self.most_unopposed(case, white, black, pieces, promotions)
        pairs = max(0, case.passing + white - most)
        return PawnNeeds(case.white_to_move, case.passing, white, black, pairs)

    def piece_squares(self, case: MoveState, pawns: int) -> int:
        """How many squares are left for free pieces beside so many free pawns."""
        return self.setup.squares - case.fixed_men - 2 * case.passing - pawns

    def _count_factor(
        self, case: MoveState, white: int, black: int, pieces: int, promotions: int
    ) -> int:
        """In how many ways pawns, castling rights and the squares of the pieces can be chosen."""
        structures = self._count_structures(case, white, black, pieces, promotions)
        return structures * case.rights * comb(self.piece_squares(case, white + black), pieces)

    def _count_structures(
        self, case: MoveState, white: int, black: int, pieces: int, promotions: int
    ) -> int:
        """In how many ways the pawns can stand; of pieces and promotions only the sum matters."""
        if min(self.most_unopposed(case, white, black, pieces, promotions)) < 0:
            return 0
        return self.pawns.count(self.demand(case, white, black, pieces, promotions))

    def case_size(self, case: MoveState) -> int:
        """Counts the urpositions of a case: pairs of armies, each times its `_count_factor`."""
        pairs = _army_pairs(self.setup, case.white_rooks, case.black_rooks, int(case.passing))
        squares = self.piece_squares(case, 0)
        known: dict[tuple[int, int, int], int] = {}
        size = 0
        for (white, black, pieces, promotions), ways in pairs.items():
            key = white, black, pieces + promotions
            if key not in known:
                known[key] = self._count_structures(case, white, black, pieces, promotions)
            if structures := known[key]:
                size += ways * structures * comb(squares - white - black, pieces)
        return size * case.rights

    # The groups and shapes of a case.

    def _make_row(self, case: MoveState, group: int) -> _Row:
        white = self.armies(case, white=True).groups[group]
        blacks = self.armies(case, white=False).groups
        factors = tuple(
            comb(white.pieces + black.pieces, white.pieces)
            * self._factor(
                case,
                white.pawns,
                black.pawns,
                white.pieces + black.pieces,
                white.promotions + black.promotions,
            )
            for black in blacks
        )
        sizes = (factor * black.weight for factor, black in zip(factors, blacks, strict=True))
        return _Row(factors, tuple(accumulate(sizes)))

    def _make_group_ends(self, case: MoveState) -> tuple[int, ...]:
        groups = self.armies(case, white=True).groups
        rows = (self._make_row(case, index) for index in range(len(groups)))
        sizes = (group.weight * row.ends[-1] for group, row in zip(groups, rows, strict=True))
        return tuple(accumulate(sizes))

    def find(self, number: int) -> tuple[MoveState, ShapePlace, ShapePlace, int]:
        """Returns the case, the places of White's and Black's shapes, and what is left of a number.

        What is left counts the positions with these two shapes before this one.
        """
        index, number = _find(self.case_ends, number)
        case = self.cases[index]
        white, number = _find(self._group_ends(case), number)
        row = self._row(case, white)
        white_group = self.armies(case, white=True).groups[white]
        white_shape, number = _find_shape(white_group, number, row.ends[-1])
        weight = white_group.shapes[white_shape].weight
        black, left = _find(row.ends, number // weight)
        number = left * weight + number % weight
        black_group = self.armies(case, white=False).groups[black]
        black_shape, number = _find_shape(black_group, number, weight * row.factors[black])
        return case, ShapePlace(white, white_shape), ShapePlace(black, black_shape), number

    def start(self, case: MoveState, white: ShapePlace, black: ShapePlace) -> int:
        """Returns the first number with these shapes: what `find` takes off."""
        row = self._row(case, white.group)
        white_group = self.armies(case, white=True).groups[white.group]
        black_group = self.armies(case, white=False).groups[black.group]
        weight = white_group.shapes[white.shape].weight
        return (
            _before(self.case_ends, self.cases.index(case))
            + _before(self._group_ends(case), white.group)
            + _before(white_group.ends, white.shape) * row.ends[-1]
            + _before(row.ends, black.group) * weight
            + _before(black_group.ends, black.shape) * weight * row.factors[black.group]
        )


def _before(ends: tuple[int, ...], index: int) -> int:
    return ends[index - 1] if index else 0


def _find(ends: tuple[int, ...], number: int) -> tuple[int, int]:
    """Returns which part the number falls to, and its number in that part."""
    index = bisect_right(ends, number)
    return index, number - _before(ends, index)


def _find_shape(group: Group, number: int, size: int) -> tuple[int, int]:
    """As `_find`, for shapes with `size` positions for each weight."""
    shape, _ = _find(group.ends, number // size)
    return shape, number - _before(group.ends, shape) * size


@cache
def _army_pairs(
    setup: Setup, white_rooks: int, black_rooks: int, fixed_pawns: int
) -> dict[tuple[int, int, int, int], int]:
    """Counts the pairs of armies by white pawns, black pawns, pieces and promotions of both.

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
    pawns = setup.pawns_each - fixed_pawns
    pairs: dict[tuple[int, int, int, int], int] = defaultdict(int)
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
