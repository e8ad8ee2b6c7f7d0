"""Numbers the plausible positions of John Tromp's ChessPositionRanking.

Source: https://github.com/tromp/ChessPositionRanking (MIT licence, copyright 2021 John Tromp),
commit e6fc7cd: the module `src/Chess/Position/Ranking.hs` defines the ranking as a chain of
fourteen choices. This is a new implementation of that definition; the numbers are the same.

The choices, the first being the most significant:

1. the player to move;
2. how many rooks castling rights fix, for White, then for Black, and whether a capture in passing
   is possible (`census`);
3. group and shape of White's army, then of Black's;
4. the pawn structure (`pawns`);
5. which of two rooks has its castling right, where only one has; the armies in the two shapes; the
   squares of the pieces.

An *urposition* is a position with two kinds of choices that leave no trace on the board: which
pairs of opposed pawns are picked, if there are more than the material requires, and which of two
pawns is the one that may capture in passing. The choices of a position are numbered: the *index* of
an urposition is from 0 to the *multiplicity* of its position less 1. First come all choices with
the capturer nearer to the file a; pairs are sorted as in `choices.Picks`.
"""

from bisect import bisect_left
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from sanproof.proofs.numbering.census import (
    KINDS,
    OFFICERS,
    PAWNS,
    Counts,
    MoveState,
    Place,
    case_ends,
    demand_of,
    find_shapes,
    first_number,
    most_unopposed,
    place_of,
    promotions_in,
)
from sanproof.proofs.numbering.choices import (
    Pair,
    Picks,
    opposed_on_files,
    permutation,
    permutation_number,
)
from sanproof.proofs.numbering.fen import (
    EMPTY,
    FILES,
    Fields,
    read_board,
    split_fields,
    write_board,
)
from sanproof.proofs.numbering.pawns import (
    BETWEEN,
    BLOCKED,
    Passing,
    PawnNeeds,
    Structure,
    structure_at,
    structure_number,
)
from sanproof.proofs.numbering.placements import Numbering

RIGHTS: Final = "KQkq"
HOMES: Final = {"K": (60, 63), "Q": (60, 56), "k": (4, 7), "q": (4, 0)}
"""The squares of king and rook for each castling right."""
_FILES: Final = "abcdefgh"
_KINDS: Final = EMPTY + KINDS + KINDS.lower()


class Position(NamedTuple):
    """The first four fields of a FEN, after they were checked."""

    case: MoveState
    board: str
    rights: str
    stepper: int | None
    """The square of the pawn that has just made a double step, if it may be captured in passing."""

    def choices(self) -> list[tuple[Passing | None, Picks]]:
        """List the possible capturers in passing, each with the picks of pairs.

        A pawn of the capture in passing is picked with its own pair only: on its file no other pair
        counts.
        """
        options = opposed_on_files(self.board)
        if self.stepper is None:
            return [(None, Picks(options))]
        captures = _captures(self.board, self.stepper, white_to_move=self.case.white_to_move)
        return [(passing, Picks(_with_own_pairs(options, passing))) for passing in captures]

    def write(self, index: int, multiplicity: int) -> str:
        """Return the FEN of an urposition of this position."""
        target = "-"
        if self.stepper is not None:
            target = _square_name(self.stepper + (-FILES if self.case.white_to_move else FILES))
        side = "w" if self.case.white_to_move else "b"
        fields = write_board(self.board), side, self.rights or "-", target, index, multiplicity
        return " ".join(map(str, fields))


class UrpositionSide(NamedTuple):
    """One side's free pieces and its promotions; see `armies`."""

    pieces: int
    """All pieces, fixed ones included."""
    pawns: int
    promotions: int
    army: Counts


def fixed_pieces(rights: str) -> dict[int, str]:
    """Return the kings and rooks that castling rights fix, by square."""
    pieces: dict[int, str] = {}
    for right in rights:
        king, rook = HOMES[right]
        pieces[king] = "K" if right.isupper() else "k"
        pieces[rook] = "R" if right.isupper() else "r"
    return pieces


# Reading


def read_fields(fields: Fields) -> Position:
    """Check the first four fields of a FEN.

    An en passant square where no pawn can capture is dropped: the PGN standard, section 16.1.3.4,
    has it after every double step, this numbering only where it matters.

    Raises:
        ValueError: A field is wrong. The message names the first one.
    """
    board = read_board(fields.placement)
    if any(piece in "Pp" for piece in board[:FILES] + board[-FILES:]):
        raise ValueError("a pawn stands on the first or the last rank")
    rights = _read_rights(fields.castling, board)
    white_to_move = fields.side == "w"
    stepper = _read_passing(fields.en_passant, board, white_to_move=white_to_move)
    white_rooks, black_rooks = (sum(map(letters.count, rights)) for letters in ("KQ", "kq"))
    case = MoveState(white_to_move, white_rooks, black_rooks, stepper is not None)
    return Position(case, board, rights, stepper)


def _read_rights(text: str, board: str) -> str:
    rights = "" if text == "-" else text
    if not text or "".join(right for right in RIGHTS if right in rights) != rights:
        raise ValueError(f"castling rights are - or some of KQkq in this order, not {text!r}")
    for square, piece in fixed_pieces(rights).items():
        if board[square] != piece:
            name = _square_name(square)
            raise ValueError(f"castling rights are {rights}, but {piece} is not on {name}")
    return rights


def _read_passing(text: str, board: str, *, white_to_move: bool) -> int | None:
    """Return the square of the pawn that can be captured in passing."""
    if text == "-":
        return None
    target_rank = "6" if white_to_move else "3"
    if len(text) != 2 or text[0] not in _FILES:
        raise ValueError(f"the en passant field is - or a square, not {text!r}")
    if text[1] != target_rank:
        raise ValueError(f"the en passant square is on rank {target_rank}, not {text!r}")
    step = FILES if white_to_move else -FILES
    target = (8 - int(text[1])) * FILES + _FILES.index(text[0])
    stepper = target + step
    if board[stepper] != ("p" if white_to_move else "P"):
        raise ValueError(f"no pawn has just made a double step over {text}")
    if board[target] != EMPTY or board[target - step] != EMPTY:
        raise ValueError(f"{text} or the square behind it is not empty")
    return stepper if _captures(board, stepper, white_to_move=white_to_move) else None


def sides_of(position: Position) -> tuple[UrpositionSide, UrpositionSide]:
    """Count the pieces of White and of Black.

    Raises:
        ValueError: A side has no king or two, or too many promoted pieces.
    """
    board, case = position.board, position.case
    white = _side("White", board, case.white_rooks, passing=case.passing)
    return white, _side("Black", board.swapcase(), case.black_rooks, passing=case.passing)


def _side(name: str, board: str, rooks: int, *, passing: bool) -> UrpositionSide:
    """Count the pieces of a side whose letters are capitals."""
    count = {kind: board.count(kind) for kind in "P" + KINDS}
    if count["K"] != 1:
        raise ValueError(f"{name} has {count['K'] or 'no'} kings")
    officers = tuple(count[kind] - rooks * (kind == "R") for kind in OFFICERS)
    promotions = promotions_in(officers, rooks)
    if count["P"] + promotions > PAWNS:
        raise ValueError(
            f"{name} has {count['P']} pawns and at least {promotions} promoted pieces, "
            f"together more than {PAWNS}"
        )
    army = (0 if rooks else 1, *officers)
    return UrpositionSide(sum(count.values()), count["P"] - passing, promotions, army)


# Choices


def _captures(board: str, stepper: int, *, white_to_move: bool) -> list[Passing]:
    """List the captures in passing of a pawn, the capturer nearer to the file a first."""
    beside = (stepper + side for side in (-1, 1) if 0 <= stepper % FILES + side < FILES)
    if white_to_move:
        return [Passing(other, stepper) for other in beside if board[other] == "P"]
    return [Passing(stepper, other) for other in beside if board[other] == "p"]


def _with_own_pairs(options: list[list[Pair]], passing: Passing) -> list[list[Pair]]:
    own = list(options)
    white, black = passing.white % FILES, passing.black % FILES
    own[white] = [pair for pair in options[white] if pair[1] == passing.white]
    own[black] = [pair for pair in options[black] if pair[0] == passing.black]
    return own


def _square_name(square: int) -> str:
    rank, file = divmod(square, FILES)
    return f"{_FILES[file]}{8 - rank}"


# The numbering


class Plausible(Numbering):
    """The urpositions: plausible positions, each with an index below its multiplicity.

    A FEN names an en passant square only where an enemy pawn stands beside the pawn that made the
    double step. Its last two fields are not move counters, but index and multiplicity.
    """

    @property
    def size(self) -> int:
        """The number of urpositions."""
        return case_ends()[-1]

    def position(self, number: int) -> str:
        """Return the urposition with a number, as a FEN with index and multiplicity."""
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

        With `index`, the last two fields of the FEN are ignored. Without, they are the index and
        the multiplicity if the last one is the multiplicity of the position and the other is
        smaller. Otherwise they are move counters, and the index is 0, as for a FEN of four fields.

        Raises:
            ValueError: The text is not a FEN, the position is not plausible, or `index` is not
                below its multiplicity.
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
        """Return how many numbers the position of a FEN has. The last two fields are ignored."""
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
    """Analyse a position, or raise a ValueError if it is not plausible."""
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
