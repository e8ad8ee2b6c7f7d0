"""Urpositions: positions with the choices that the plausible numbering makes beside them.

Two sorts of choice leave no trace on the board: which pairs of opposed pawns are picked, where
there are more than the material demands, and which of two pawns is the one that may capture in
passing. The choices of a position are numbered: the *index* of an urposition is from 0 to the
*multiplicity* of its position less 1. First come all choices with the capturer nearer to the file
a; pairs are sorted as in `opposition.Picks`.
"""

from typing import Final, NamedTuple

from sanproof.proofs.numbering.armies import Counts, promotions_in
from sanproof.proofs.numbering.census import MoveState
from sanproof.proofs.numbering.fen import EMPTY, Fields, read_board, write_board
from sanproof.proofs.numbering.opposition import Pair, Picks, opposed_on_files
from sanproof.proofs.numbering.pawns import Passing
from sanproof.proofs.numbering.setup import Setup

RIGHTS: Final = "KQkq"
HOMES: Final = {"K": (60, 63), "Q": (60, 56), "k": (4, 7), "q": (4, 0)}
"""Squares of king and rook for each castling right."""


class Position(NamedTuple):
    """What the first four fields of a FEN say, checked."""

    case: MoveState
    board: str
    rights: str
    stepper: int | None
    """The square of the pawn that has just made a double step, if it may be captured in passing."""


class UrpositionSide(NamedTuple):
    """One side's free men and its promotions; see `armies`."""

    men: int
    """All men, fixed ones included."""
    pawns: int
    promotions: int
    army: Counts


def fixed_men(rights: str) -> dict[int, str]:
    """The kings and rooks that castling rights fix, by square."""
    men: dict[int, str] = {}
    for right in rights:
        king, rook = HOMES[right]
        men[king] = "K" if right.isupper() else "k"
        men[rook] = "R" if right.isupper() else "r"
    return men


class UrpositionForm:
    """Read and write FENs, and numbers the choices of a position."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    # Reading.

    def read(self, fields: Fields) -> Position:
        """Check the first four fields of a FEN.

        An en passant square where no pawn can capture is dropped: the PGN standard, section
        16.1.3.4, has it after every double step, this numbering only where it matters.

        Raises:
            ValueError: with the first field that is wrong.
        """
        board = read_board(fields.placement, files=self._setup.files, ranks=self._setup.ranks)
        if any(man in "Pp" for man in board[: self._setup.files] + board[-self._setup.files :]):
            raise ValueError("a pawn stands on the first or the last rank")
        rights = self._read_rights(fields.castling, board)
        white_to_move = fields.side == "w"
        stepper = self._read_passing(fields.en_passant, board, white_to_move=white_to_move)
        case = MoveState(
            white_to_move,
            sum(right in "KQ" for right in rights),
            sum(right in "kq" for right in rights),
            stepper is not None,
        )
        return Position(case, board, rights, stepper)

    def _read_rights(self, text: str, board: str) -> str:
        rights = "" if text == "-" else text
        if not text or "".join(right for right in RIGHTS if right in rights) != rights:
            raise ValueError(f"castling rights are - or some of KQkq in this order, not {text!r}")
        if rights and not self._setup.castling:
            raise ValueError("no castling is possible on this board")
        for square, man in fixed_men(rights).items():
            if board[square] != man:
                name = self.square_name(square)
                raise ValueError(f"castling rights are {rights}, but {man} is not on {name}")
        return rights

    def _read_passing(self, text: str, board: str, *, white_to_move: bool) -> int | None:
        """Return the square of the pawn that can be captured in passing."""
        if text == "-":
            return None
        target_rank = "6" if white_to_move else "3"
        files = "abcdefgh"[: self._setup.files]
        if not self._setup.en_passant or len(text) != 2 or text[0] not in files:
            raise ValueError(f"the en passant field is - or a square, not {text!r}")
        if text[1] != target_rank:
            raise ValueError(f"the en passant square is on rank {target_rank}, not {text!r}")
        step = self._setup.files if white_to_move else -self._setup.files
        target = (8 - int(text[1])) * self._setup.files + files.index(text[0])
        stepper = target + step
        if board[stepper] != ("p" if white_to_move else "P"):
            raise ValueError(f"no pawn has just made a double step over {text}")
        if board[target] != EMPTY or board[target - step] != EMPTY:
            raise ValueError(f"{text} or the square behind it is not empty")
        return stepper if self._captures(board, stepper, white_to_move=white_to_move) else None

    def sides(self, position: Position) -> tuple[UrpositionSide, UrpositionSide]:
        """Count the men of White and of Black.

        Raises:
            ValueError: a side has no king or two, or a piece that this board does not have.
        """
        board, case = position.board, position.case
        for man in set(board) - {EMPTY}:
            if man.upper() not in "P" + self._setup.kinds:
                raise ValueError(f"there is no {man} on this board")
        white = self._side("White", board, case.white_rooks, case)
        return white, self._side("Black", board.swapcase(), case.black_rooks, case)

    def _side(self, name: str, board: str, rooks: int, case: MoveState) -> UrpositionSide:
        """Count the men of a side whose letters are capitals."""
        count = {kind: board.count(kind) for kind in "P" + self._setup.kinds}
        if count["K"] != 1:
            raise ValueError(f"{name} has {count['K'] or 'no'} kings")
        officers = tuple(count[kind] - rooks * (kind == "R") for kind in self._setup.officers)
        promotions = promotions_in(self._setup, officers, rooks)
        if count["P"] + promotions > self._setup.files:
            raise ValueError(
                f"{name} has {count['P']} pawns and at least {promotions} promoted men, "
                f"together more than {self._setup.files}"
            )
        army = (0 if rooks else 1, *officers)
        return UrpositionSide(sum(count.values()), count["P"] - case.passing, promotions, army)

    # Choices.

    def _captures(self, board: str, stepper: int, *, white_to_move: bool) -> list[Passing]:
        """List the captures in passing of a pawn, the capturer nearer to the file a first."""
        files = self._setup.files
        found: list[Passing] = []
        for side in (-1, 1):
            if not 0 <= stepper % files + side < files:
                continue
            other = stepper + side
            if white_to_move and board[other] == "P":
                found.append(Passing(white=other, black=stepper))
            if not white_to_move and board[other] == "p":
                found.append(Passing(white=stepper, black=other))
        return found

    def choices(self, position: Position) -> list[tuple[Passing | None, Picks]]:
        """List the choices of a position, for each capturer.

        A pawn of the capture in passing is picked with its own pair only: on its file no other
        pair counts.
        """
        options = opposed_on_files(position.board, self._setup.files)
        if position.stepper is None:
            return [(None, Picks(options))]
        return [
            (passing, Picks(self._with_own_pairs(options, passing)))
            for passing in self._captures(
                position.board, position.stepper, white_to_move=position.case.white_to_move
            )
        ]

    def _with_own_pairs(self, options: list[list[Pair]], passing: Passing) -> list[list[Pair]]:
        files = self._setup.files
        own = list(options)
        white, black = passing.white % files, passing.black % files
        own[white] = [pair for pair in options[white] if pair[1] == passing.white]
        own[black] = [pair for pair in options[black] if pair[0] == passing.black]
        return own

    # Writing.

    def write(self, position: Position, index: int, multiplicity: int) -> str:
        """Return the FEN of an urposition."""
        placement = write_board(position.board, files=self._setup.files)
        white_to_move = position.case.white_to_move
        target = "-"
        if position.stepper is not None:
            step = -self._setup.files if white_to_move else self._setup.files
            target = self.square_name(position.stepper + step)
        side = "w" if white_to_move else "b"
        return f"{placement} {side} {position.rights or '-'} {target} {index} {multiplicity}"

    def square_name(self, square: int) -> str:
        """The name of a square, such as e4."""
        rank, file = divmod(square, self._setup.files)
        return f"{'abcdefgh'[file]}{self._setup.ranks - rank}"
