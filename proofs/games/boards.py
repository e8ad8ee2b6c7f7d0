"""Boards in compiled code: attacks, moves, SAN and FEN. Untrusted.

A board is 64 bytes from a1 to h8: 0 for an empty square, 1 to 6 for White's pawn, knight, bishop,
rook, queen and king, and 7 to 12 for Black's. A side is the number before those of its pieces: 0 is
White, 6 is Black.

Numba compiles a function when it is first called, which takes some seconds, and keeps the result
beside the file, in the home folder, or in ``NUMBA_CACHE_DIR``. It does not notice changes in other
files whose constants or functions it inlined: after a change here, delete the compiled files of
:mod:`proofs.shortest.states`. An assignment of a whole array takes longer to compile than a loop.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

import warnings
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.rules.squares import DIRECTIONS, KNIGHT_STEPS, RAY, SQUARES
from sanproof.proofs.rules.squares import step as step_from

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import numba

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

F = TypeVar("F", bound=Callable[..., Any])

ZERO: Final = cast("int", np.int64(0))
"""A zero of numba's own integer type; for a plain 0 it would compile a function once more."""


def compiled(function: F, **options: Any) -> F:  # noqa: ANN401 - of numba
    """Compile a function. Without a place to keep the result, each process compiles it again."""
    try:
        return cast("F", numba.njit(cache=True, **options)(function))
    except RuntimeError:  # neither its folder nor the home can be written
        return cast("F", numba.njit(**options)(function))


KNIGHT: Final = 8
NO_LINE: Final = 9


def _padded(squares: Iterable[int | None], length: int) -> list[int]:
    """Return the squares, -1 for each that is not on the board, and so many in all."""
    found = [-1 if square is None else square for square in squares]
    return found + [-1] * (length - len(found))


RAYS: Final = np.array(
    [[_padded(RAY[d][square], 8) for d in DIRECTIONS] for square in SQUARES], dtype=np.int64
)
"""The squares on each line from each square, with at least one -1 after them.
The first four directions are a rook's, the others a bishop's."""
KNIGHTS: Final = np.array(
    [_padded((step_from(square, by) for by in KNIGHT_STEPS), 8) for square in SQUARES],
    dtype=np.int64,
)
MAX_TARGETS: Final = 27
"""The most squares that a piece attacks: those of a queen in the centre."""


def _lines() -> NDArray[np.int64]:
    """For two squares the step from the first toward the second, KNIGHT or NO_LINE."""
    lines = np.full((64, 64), NO_LINE, dtype=np.int64)
    for square in SQUARES:
        for i in range(8):
            lines[square, [to for to in RAYS[square, i] if to >= 0]] = i
        lines[square, [to for to in KNIGHTS[square] if to >= 0]] = KNIGHT
    return lines


LINES: Final = _lines()
INITIAL: Final = np.array(
    [4, 2, 3, 5, 6, 3, 2, 4, *[1] * 8, *[0] * 32, *[7] * 8, 10, 8, 9, 11, 12, 9, 8, 10],
    dtype=np.uint8,
)
"""The initial position."""


@compiled
def copy_board(board: Bytes, other: Bytes) -> None:
    """Copy a board square by square, because numba compiles whole-array assignments slowly."""
    for square in range(64):
        other[square] = board[square]


@compiled
def first_piece(board: Bytes, square: int, step: int) -> int:
    """Return the first occupied square from a square in a direction, or -1 if there is none."""
    for i in range(8):
        to = RAYS[square, step, i]
        if to < 0 or board[to]:
            return to
    return -1


@compiled
def strikes(board: Bytes, piece: int, square: int, step: int, theirs: int) -> bool:
    """Check whether the first piece from a square in this direction attacks the square."""
    kind = board[piece] - theirs
    if kind in (5, 4 if step < 4 else 3):
        return True
    if piece != RAYS[square, step, 0]:
        return False
    # A pawn attacks the squares before it, so it stands behind this one.
    return kind == 6 or (kind == 1 and step >= 4 and (piece < square) == (theirs == 0))


@compiled
def is_attacked(board: Bytes, square: int, theirs: int) -> bool:
    """Check whether a square is attacked by White (``theirs`` is 0) or Black (6)."""
    for step in range(8):
        piece = first_piece(board, square, step)
        if piece >= 0 and strikes(board, piece, square, step, theirs):
            return True
        knight = KNIGHTS[square, step]
        if knight >= 0 and board[knight] == 2 + theirs:
            return True
    return False


@compiled
def reaches(board: Bytes, kind: int, origin: int, to: int, mover: int) -> bool:
    """Check whether a piece can move from ``origin`` to ``to`` with no piece in its way."""
    if kind == 1:
        ahead = to - origin if mover == 0 else origin - to
        is_double = ahead == 16 and board[(origin + to) // 2] == 0
        return ahead in (7, 8, 9) or is_double
    step = LINES[origin, to]
    if kind == 2 or step >= KNIGHT:
        return kind == 2 and step == KNIGHT
    if kind == 6:
        return RAYS[origin, step, 0] == to
    if (kind == 4 and step >= 4) or (kind == 3 and step < 4):
        return False
    for i in range(8):
        square = RAYS[origin, step, i]
        if square == to:
            return True
        if square < 0 or board[square]:
            return False
    return False


@compiled
def targets(board: Bytes, kind: int, origin: int, found: Ints) -> int:
    """Put the squares that a piece attacks from ``origin`` into ``found``, and count them."""
    number = 0
    for i in range(8):
        if kind == 2:
            if KNIGHTS[origin, i] >= 0:
                found[number] = KNIGHTS[origin, i]
                number += 1
        elif kind >= 5 or (kind == 4) == (i < 4):
            for to in RAYS[origin, i]:
                if to < 0:
                    break
                found[number] = to
                number += 1
                if kind == 6 or board[to]:
                    break
    return number


@compiled
def move_piece(board: Bytes, origin: int, to: int) -> bool:
    """Move a piece on the board and return whether it captures.

    A king that moves two files castles with its rook, and a pawn that changes files to an empty
    square captures in passing.
    """
    piece = board[origin]
    kind = piece if piece <= 6 else piece - 6
    captures = board[to] != 0
    board[to], board[origin] = piece, 0
    if kind == 6 and origin in (4, 60) and abs(to - origin) == 2:
        rook = origin + 3 if to > origin else origin - 4
        board[(to + origin) // 2], board[rook] = board[rook], 0
    elif kind == 1 and (origin & 7) != (to & 7) and not captures:
        captures = True
        board[8 * (origin >> 3) + (to & 7)] = 0
    return captures


@compiled
def may_castle(board: Bytes, castling: NDArray[np.bool_], origin: int, to: int, side: int) -> bool:
    """Check whether a king on e1 or e8 may castle (FIDE 3.8)."""
    home, queenside = 4 + 56 * side, to < origin
    if origin != home or not castling[2 * side + queenside]:
        return False
    for square in range(home - 3, home) if queenside else range(home + 1, home + 3):
        if board[square]:
            return False
    theirs = 6 - 6 * side
    for square in (home, (home + to) // 2, to):  # noqa: SIM110 - compiled
        if is_attacked(board, square, theirs):
            return False
    return True
