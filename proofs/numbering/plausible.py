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

from bisect import bisect_left
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from sanproof.proofs.numbering.armies import KINDS, Counts
from sanproof.proofs.numbering.census import (
    MoveState,
    Place,
    case_ends,
    demand_of,
    find_shapes,
    first_number,
    most_unopposed,
    place_of,
)
from sanproof.proofs.numbering.fen import EMPTY, split_fields
from sanproof.proofs.numbering.opposition import Picks
from sanproof.proofs.numbering.pawns import (
    BETWEEN,
    BLOCKED,
    Passing,
    PawnNeeds,
    Structure,
    structure_at,
    structure_number,
)
from sanproof.proofs.numbering.permutations import permutation, permutation_number
from sanproof.proofs.numbering.placements import Numbering
from sanproof.proofs.numbering.urpositions import (
    Position,
    UrpositionSide,
    fixed_pieces,
    read_fields,
    sides_of,
)

_KINDS: Final = EMPTY + KINDS + KINDS.lower()


class Plausible(Numbering):
    """The urpositions: plausible positions, each with an index below its multiplicity.

    The first four fields of a FEN are as in the PGN standard, section 16.1.3, except that an en
    passant square is named only where an enemy pawn stands beside the pawn that made the double
    step. The last two fields are no move counters: they are the *index* of the urposition, from 0,
    and the *multiplicity* of its position, how many numbers stand for it.
    """

    @property
    def size(self) -> int:
        """Count the urpositions, when their number is first needed."""
        return case_ends()[-1]

    def position(self, number: int) -> str:
        """Return the urposition of a number, as a FEN with index and multiplicity."""
        self.check_number(number)
        case, white, black, number = find_shapes(number)
        one, other = white.group, black.group
        pieces, promotions = one.pieces + other.pieces, one.promotions + other.promotions
        demand = demand_of(case, (one.pawns, other.pawns, pieces, promotions))
        squares = case.piece_squares(one.pawns + other.pawns)
        number, placed = divmod(number, _arrangements(white, black, squares))
        number, second = divmod(number, len(black.shape.armies))
        number, first = divmod(number, len(white.shape.armies))
        number, right = divmod(number, case.rights)
        structure = structure_at(demand, number)
        rights = _list_rights(case)[right]
        counts = (*white.shape.armies[first], *black.shape.armies[second])
        board = _place(structure, rights, counts, placed)
        stepper = None
        if structure.passing is not None:
            stepper = structure.passing.stepper(white_to_move=case.white_to_move)
        return _write(Position(case, board, rights, stepper), structure)

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
        found = _read(read_fields(fields))
        if index is None:
            first, second = fields.counters or (0, 0)
            index = first if first < second == found.multiplicity else 0
        if not 0 <= index < found.multiplicity:
            raise ValueError(f"the index is from 0 to {found.multiplicity - 1}, not {index}")
        return found.number(index)

    def multiplicity(self, position: str) -> int:
        """Return how many numbers stand for the position of a FEN; its last fields mean nothing.

        Raises:
            ValueError: the text is no FEN, or the position is not plausible.
        """
        return _read(read_fields(split_fields(position))).multiplicity


def _place(structure: Structure, rights: str, counts: Counts, number: int) -> str:
    """Return the board with the pieces placed."""
    board = list(structure.board)
    for square, piece in fixed_pieces(rights).items():
        board[square] = piece
    squares = [square for square, piece in enumerate(board) if piece in (EMPTY, BETWEEN)]
    row = permutation(_KINDS, (len(squares) - sum(counts), *counts), number)
    for square, piece in zip(squares, row, strict=True):
        board[square] = piece
    return "".join(board).replace(BLOCKED, EMPTY)


def _write(position: Position, structure: Structure) -> str:
    index = multiplicity = 0
    for passing, picks in position.choices():
        if passing == structure.passing:
            index = multiplicity + picks.number(structure.pairs)
        multiplicity += picks.count(len(structure.pairs))
    return position.write(index, multiplicity)


class _Plausible(NamedTuple):
    """A plausible position, its sides, what its pawns must fulfil, and its choices."""

    position: Position
    white: UrpositionSide
    black: UrpositionSide
    demand: PawnNeeds
    choices: list[tuple[Passing | None, Picks]]

    @property
    def multiplicity(self) -> int:
        """Count the numbers that stand for the position."""
        return sum(picks.count(self.demand.pairs) for _, picks in self.choices)

    def number(self, index: int) -> int:
        """Return the number of an urposition of it."""
        case, structure = self.position.case, self._structure(index)
        white = _shape_place(case, self.white, is_white=True)
        black = _shape_place(case, self.black, is_white=False)
        number = structure_number(self.demand, structure)
        number = number * case.rights + _list_rights(case).index(self.position.rights)
        number = number * len(white.shape.armies) + white.shape.armies.index(self.white.army)
        number = number * len(black.shape.armies) + black.shape.armies.index(self.black.army)
        row = self._piece_row(structure)
        counts = (*self.white.army, *self.black.army)
        number *= _arrangements(white, black, len(row))
        number += permutation_number(_KINDS, (len(row) - sum(counts), *counts), row)
        return first_number(case, white, black) + number

    def _structure(self, index: int) -> Structure:
        for passing, picks in self.choices:
            if index < picks.count(self.demand.pairs):
                pairs = picks.pick(index, self.demand.pairs)
                return Structure(self.position.board, passing, tuple(pairs))
            index -= picks.count(self.demand.pairs)
        raise ValueError("the index is too large")

    def _piece_row(self, structure: Structure) -> str:
        """Return the squares on which a free piece may stand, with what is on them."""
        fixed = set(fixed_pieces(self.position.rights))
        if structure.passing:
            white_to_move = self.position.case.white_to_move
            fixed.update(structure.passing.blocked(white_to_move=white_to_move))
        pieces = enumerate(self.position.board)
        return "".join(
            piece for square, piece in pieces if piece not in "Pp" and square not in fixed
        )


def _read(position: Position) -> _Plausible:
    """Return what is known of a position; a ValueError if it is not plausible."""
    white, black = sides_of(position)
    pieces, promotions = sum(white.army + black.army), white.promotions + black.promotions
    balance = (white.pawns, black.pawns, pieces, promotions)
    if min(most_unopposed(position.case, balance)) < 0:
        raise ValueError(
            "the position is not plausible: its promoted pieces had too few captures to get past "
            "the enemy's pawns"
        )
    demand = demand_of(position.case, balance)
    found = _Plausible(position, white, black, demand, position.choices())
    if not found.multiplicity:
        raise ValueError(
            "the position is not plausible: its captures are so few that on at least "
            f"{demand.pairs} files a black pawn must face a white one"
        )
    return found


def _shape_place(case: MoveState, side: UrpositionSide, *, is_white: bool) -> Place:
    groups = case.armies(white=is_white)
    group = bisect_left(groups, side[:3], key=lambda group: group[:3])
    shapes = groups[group].shapes
    shape = next(i for i, shape in enumerate(shapes) if side.army in shape.armies)
    return place_of(case, group, shape, white=is_white)


def _arrangements(white: Place, black: Place, squares: int) -> int:
    """Count the ways to put the pieces of two shapes on so many squares."""
    pieces = white.group.pieces + black.group.pieces
    own = white.shape.permutations * black.shape.permutations
    return comb(squares, pieces) * comb(pieces, white.group.pieces) * own


def _list_rights(case: MoveState) -> list[str]:
    """List the castling rights that fix so many rooks: a queenside rook alone comes first."""
    white = ["".join(letters) for letters in combinations("KQ", case.white_rooks)]
    black = ["".join(letters) for letters in combinations("kq", case.black_rooks)]
    return [first + second for first in reversed(white) for second in reversed(black)]


PLAUSIBLE: Final = Plausible()
