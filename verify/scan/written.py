"""What the fast path writes of a board, in compiled code: discriminators and FENs.

Boards are those of :mod:`proofs.games.boards`.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import KNIGHTS, Bytes, copy_board, first_piece, is_attacked
from sanproof.proofs.games.compiled import compiled

LETTERS: Final = np.frombuffer(b"PNBRQK", dtype=np.uint8)
SHORT: Final = int.from_bytes(b"O-O", "little")
LONG: Final = int.from_bytes(b"O-O-O", "little")


@compiled
def may_go(board: Bytes, scratch: Bytes, origin: int, to: int, king: int) -> bool:
    """Check whether a piece that reaches a square may go there: its king is not attacked then."""
    copy_board(board, scratch)
    scratch[to] = board[origin]
    scratch[origin] = 0
    return not is_attacked(scratch, king, 6 if board[origin] <= 6 else 0)


@compiled
def origin_due(board: Bytes, scratch: Bytes, origin: int, to: int, king: int) -> int:
    """Return the discriminators that a piece's move needs: 1 file, 2 rank (8.2.3.4)."""
    piece = board[origin]
    kind = piece if piece <= 6 else piece - 6
    twins = same_file = same_rank = 0
    for i in range(8):
        if kind == 2:
            square = KNIGHTS[to, i]
        elif kind == 5 or (kind == 4) == (i < 4):
            square = first_piece(board, to, i)
        else:
            continue
        if square < 0 or square == origin or board[square] != piece:
            continue
        if may_go(board, scratch, square, to, king):
            twins += 1
            same_file += (square & 7) == (origin & 7)
            same_rank += (square >> 3) == (origin >> 3)
    if not twins:
        return 0
    if not same_file:
        return 1
    return 3 if same_rank else 2


@compiled
def before(byte: int, text: np.uint64) -> np.uint64:
    """Return a packed text with a byte before it."""
    return (text << np.uint64(8)) | np.uint64(byte)


@compiled
def write_number(out: Bytes, size: int, number: int) -> int:
    """Write a number; how many bytes are written then."""
    digits = 1
    power = 10
    while number >= power:
        digits += 1
        power *= 10
    for i in range(digits):
        out[size + digits - 1 - i] = 48 + number % 10
        number //= 10
    return size + digits


@compiled
def write_board(out: Bytes, size: int, board: Bytes) -> int:
    """Write the first field of a FEN and a space; how many bytes are written then."""
    for rank in range(7, -1, -1):
        empty = 0
        for file in range(8):
            piece = board[8 * rank + file]
            if piece == 0:
                empty += 1
                continue
            if empty:
                out[size] = 48 + empty
                size += 1
                empty = 0
            out[size] = LETTERS[piece - 1] if piece <= 6 else LETTERS[piece - 7] + 32
            size += 1
        if empty:
            out[size] = 48 + empty
            size += 1
        out[size] = 47 if rank else 32
        size += 1
    return size


@compiled
def write_rest(
    out: Bytes,
    size: int,
    ply: int,
    castling: NDArray[np.bool_],
    passing: int,
    clock: int,
) -> int:
    """Write what follows the board in a FEN; how many bytes are written then.

    The ply counts the moves that were made, the clock those since the last capture or move of a
    pawn. ``passing`` is the file of the pawn that can be
    captured in passing, or -1.
    """
    out[size] = 98 if ply % 2 else 119
    out[size + 1] = 32
    size += 2
    none = True
    for i in range(4):
        if castling[i]:
            out[size] = (75, 81, 107, 113)[i]
            size += 1
            none = False
    if none:
        out[size] = 45
        size += 1
    out[size] = 32
    size += 1
    if passing >= 0:
        out[size] = 97 + passing
        out[size + 1] = 51 if ply % 2 else 54
        size += 2
    else:
        out[size] = 45
        size += 1
    out[size] = 32
    size = write_number(out, size + 1, clock)
    out[size] = 32
    return write_number(out, size + 1, 1 + ply // 2)
