"""Numbers the plausible positions of John Tromp's ChessPositionRanking.

Source: https://github.com/tromp/ChessPositionRanking (MIT licence, copyright 2021 John Tromp),
commit e6fc7cd: the module `src/Chess/Position/Ranking.hs` defines the ranking as a chain of
fourteen choices, `src/CountChess.hs` counts it. This is a new implementation of that definition;
the numbers are the same.

The choices, the first being the most significant:

1. who is to move;
2. how many rooks castling rights fix, for White, then for Black, and whether a capture in passing
   is possible (`census`);
3. group and shape of White's army, then of Black's (`armies`);
4. the pawn structure (`pawns`);
5. which of two rooks has its castling right, where one has; the armies in the two shapes; the
   squares of the pieces.

What was learned about speed: the definition sums over millions of pairs of shapes. The sums factor
(`census`), so that the whole is counted in well under a second, and what is left for one position
is a few bisections in short lists, and one multiplication and division of a long number for each
square that is filled or read (`permutations`), which is most of the time.
"""

from functools import cached_property
from itertools import combinations
from math import comb
from typing import Final

from sanproof.proofs.numbering.census import Census, MoveState, Place
from sanproof.proofs.numbering.fen import EMPTY, Fields, split_fields
from sanproof.proofs.numbering.opposition import Picks
from sanproof.proofs.numbering.pawns import Passing, PawnNeeds, Structure
from sanproof.proofs.numbering.permutations import permutation, permutation_number
from sanproof.proofs.numbering.placements import Numbering
from sanproof.proofs.numbering.setup import BETWEEN, BLOCKED, CHESS, Setup
from sanproof.proofs.numbering.urpositions import (
    Position,
    UrpositionForm,
    UrpositionSide,
    fixed_men,
)

_SideChoices = list[tuple[Passing | None, Picks]]


class Plausible(Numbering):
    """The urpositions: plausible positions, each with an index below its multiplicity.

    The first four fields of a FEN are as in the PGN standard, section 16.1.3, except that an en
    passant square is named only where an enemy pawn stands beside the pawn that made the double
    step. The last two fields are no move counters: they are the *index* of the urposition, from 0,
    and the *multiplicity* of its position, how many numbers stand for it.
    """

    def __init__(self, setup: Setup = CHESS) -> None:
        self._setup = setup
        self._form = UrpositionForm(setup)
        self._kinds = EMPTY + setup.kinds + setup.kinds.lower()

    @cached_property
    def _census(self) -> Census:
        return Census(self._setup)

    @property
    def size(self) -> int:
        """How many urpositions there are; counted when it is first needed."""
        return self._census.case_ends[-1]

    # From a number.

    def position(self, number: int) -> str:
        """Return the urposition of a number, as a FEN with index and multiplicity."""
        self.check_number(number)
        case, white, black, number = self._census.find(number)
        one, other = white.group, black.group
        pieces, promotions = one.pieces + other.pieces, one.promotions + other.promotions
        balance = (one.pawns, other.pawns, pieces, promotions)
        squares = self._census.piece_squares(case, one.pawns + other.pawns)
        number, placed = divmod(number, _arrangements(white, black, squares))
        number, second = divmod(number, len(black.shape.armies))
        number, first = divmod(number, len(white.shape.armies))
        number, right = divmod(number, case.rights)
        structure = self._census.pawns.structure(self._census.demand(case, balance), number)
        rights = _list_rights(case)[right]
        counts = (*white.shape.armies[first], *black.shape.armies[second])
        board = self._place(structure, rights, counts, placed)
        stepper = None
        if structure.passing is not None:
            stepper = structure.passing.stepper(white_to_move=case.white_to_move)
        return self._write(Position(case, board, rights, stepper), structure)

    def _place(
        self, structure: Structure, rights: str, counts: tuple[int, ...], number: int
    ) -> str:
        """Return the board with the pieces placed."""
        board = list(structure.board)
        for square, man in fixed_men(rights).items():
            board[square] = man
        squares = [square for square, man in enumerate(board) if man in (EMPTY, BETWEEN)]
        row = permutation(self._kinds, (len(squares) - sum(counts), *counts), number)
        for square, man in zip(squares, row, strict=True):
            board[square] = man
        return "".join(board).replace(BLOCKED, EMPTY)

    def _write(self, position: Position, structure: Structure) -> str:
        index = multiplicity = 0
        for passing, picks in self._form.choices(position):
            if passing == structure.passing:
                index = multiplicity + picks.number(structure.pairs)
            multiplicity += picks.count(len(structure.pairs))
        return self._form.write(position, index, multiplicity)

    # From a position.

    def number(self, position: str, *, index: int | None = None) -> int:
        """Return the number of an urposition that is given as a FEN.

        With `index`, the last two fields of the FEN mean nothing. Without, they are the index and
        the multiplicity if the last is the multiplicity of the position and the other is smaller;
        otherwise they are taken for move counters, and the index is 0, as it is for a FEN of four
        fields. All numbers of a position are as good as one another where it is the position
        that matters, not the urposition.

        Raises:
            ValueError: the text is no FEN, the position is not plausible, or `index` is not below
                its multiplicity.
        """
        fields = split_fields(position)
        found, sides, demand, choices = self._read(fields)
        multiplicity = _multiplicity(choices, demand)
        if index is None:
            first, second = fields.counters or (0, 0)
            index = first if first < second == multiplicity else 0
        if not 0 <= index < multiplicity:
            raise ValueError(f"the index is from 0 to {multiplicity - 1}, not {index}")
        structure = _structure(found.board, choices, demand.pairs, index)
        return self._urposition_number(found, sides, demand, structure)

    def multiplicity(self, position: str) -> int:
        """Return how many numbers stand for the position of a FEN; its last fields mean nothing.

        Raises:
            ValueError: the text is no FEN, or the position is not plausible.
        """
        *_, demand, choices = self._read(split_fields(position))
        return _multiplicity(choices, demand)

    def _read(
        self, fields: Fields
    ) -> tuple[Position, tuple[UrpositionSide, UrpositionSide], PawnNeeds, _SideChoices]:
        found = self._form.read(fields)
        white, black = self._form.sides(found)
        pieces, promotions = sum(white.army + black.army), white.promotions + black.promotions
        balance = (white.pawns, black.pawns, pieces, promotions)
        if min(self._census.most_unopposed(found.case, balance)) < 0:
            raise ValueError(
                "the position is not plausible: its promoted men had too few captures to get past "
                "the enemy's pawns"
            )
        demand = self._census.demand(found.case, balance)
        choices = self._form.choices(found)
        if not _multiplicity(choices, demand):
            raise ValueError(
                "the position is not plausible: its captures are so few that on at least "
                f"{demand.pairs} files a black pawn must face a white one"
            )
        return found, (white, black), demand, choices

    def _urposition_number(
        self,
        found: Position,
        sides: tuple[UrpositionSide, UrpositionSide],
        demand: PawnNeeds,
        structure: Structure,
    ) -> int:
        case, (one, other) = found.case, sides
        white = self._shape_place(case, one, is_white=True)
        black = self._shape_place(case, other, is_white=False)
        number = self._census.pawns.number(demand, structure)
        number = number * case.rights + _list_rights(case).index(found.rights)
        number = number * len(white.shape.armies) + white.shape.armies.index(one.army)
        number = number * len(black.shape.armies) + black.shape.armies.index(other.army)
        row = self._piece_row(found, structure)
        counts = (*one.army, *other.army)
        counts = (len(row) - sum(counts), *counts)
        number *= _arrangements(white, black, len(row))
        number += permutation_number(self._kinds, counts, row)
        return self._census.start(case, white, black) + number

    def _shape_place(self, case: MoveState, side: UrpositionSide, *, is_white: bool) -> Place:
        armies = self._census.armies(case, white=is_white)
        group = armies.places[side.men, side.pawns, side.promotions]
        shapes = armies.groups[group].shapes
        shape = next(i for i, shape in enumerate(shapes) if side.army in shape.armies)
        return self._census.place(case, group, shape, white=is_white)

    def _piece_row(self, found: Position, structure: Structure) -> str:
        """The squares on which a free piece may stand, with what is on them."""
        fixed = set(fixed_men(found.rights))
        if structure.passing:
            white_to_move = found.case.white_to_move
            fixed.update(structure.passing.blocked(self._setup, white_to_move=white_to_move))
        return "".join(
            man for square, man in enumerate(found.board) if man not in "Pp" and square not in fixed
        )


def _arrangements(white: Place, black: Place, squares: int) -> int:
    """Count the ways to put the pieces of two shapes on so many squares."""
    pieces = white.group.pieces + black.group.pieces
    own = white.shape.permutations * black.shape.permutations
    return comb(squares, pieces) * comb(pieces, white.group.pieces) * own


def _multiplicity(choices: _SideChoices, demand: PawnNeeds) -> int:
    return sum(picks.count(demand.pairs) for _, picks in choices)


def _structure(board: str, choices: _SideChoices, pairs: int, index: int) -> Structure:
    for passing, picks in choices:
        if index < picks.count(pairs):
            return Structure(board, passing, tuple(picks.pick(index, pairs)))
        index -= picks.count(pairs)
    raise ValueError("the index is too large")


def _list_rights(case: MoveState) -> list[str]:
    """List the castling rights that fix so many rooks: a queenside rook alone comes first."""
    white = ["".join(letters) for letters in combinations("KQ", case.white_rooks)]
    black = ["".join(letters) for letters in combinations("kq", case.black_rooks)]
    return [first + second for first in reversed(white) for second in reversed(black)]


PLAUSIBLE: Final = Plausible()
