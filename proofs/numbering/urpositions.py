"""Urpositions: positions with the choices that the plausible numbering makes beside them.

Two sorts of choice leave no trace on the board: which pairs of opposed pawns are picked, where
there are more than the material demands, and which of two pawns is the one that may capture in
passing. The choices of a position are numbered: the *index* of an urposition is from 0 to the
*multiplicity* of its position less 1. First come all choices with the capturer nearer to the file
a; pairs are sorted as in `opposition.Picks`.
"""

from typing import Final, NamedTuple

from sanproof.proofs.numbering.armies import KINDS, OFFICERS, PAWNS, Counts, promotions_in
from sanproof.proofs.numbering.census import MoveState
from sanproof.proofs.numbering.fen import EMPTY, FILES, Fields, read_board, write_board
from sanproof.proofs.numbering.opposition import Pair, Picks, opposed_on_files
from sanproof.proofs.numbering.pawns import Passing

RIGHTS: Final = "KQkq"
HOMES: Final = {"K": (60, 63), "Q": (60, 56), "k": (4, 7), "q": (4, 0)}
"""Squares of king and rook for each castling right."""
_FILES: Final = "abcdefgh"


class Position(NamedTuple):
    """The first four fields of a FEN, checked."""

    case: MoveState
    board: str
    rights: str
    stepper: int | None
    """The square of the pawn that has just made a double step, if it may be captured in passing."""

    def choices(self) -> list[tuple[Passing | None, Picks]]:
        """List the choices, for each capturer.

        A pawn of the capture in passing is picked with its own pair only: on its file no other
        pair counts.
        """
        options = opposed_on_files(self.board)
        if self.stepper is None:
            return [(None, Picks(options))]
        captures = _captures(self.board, self.stepper, white_to_move=self.case.white_to_move)
        return [(passing, Picks(_with_own_pairs(options, passing))) for passing in captures]

    def write(self, index: int, multiplicity: int) -> str:
        """Return the FEN of an urposition."""
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
        ValueError: with the first field that is wrong.
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
        ValueError: a side has no king or two, or too many promoted pieces.
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
