"""All legal moves of a position and the string of each, in compiled code. Untrusted.

A *state* is a board of :mod:`proofs.games.boards` and eight more bytes: the four rights to castle,
the file of the pawn that has just advanced two squares, the two kings' squares, and who is to move.
A *move* is one number: the origin, 64 times the destination, and 4096 times the kind that a pawn
becomes. A *code* is the number of a string by its parts, whether or not it is reachable.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from typing import Final

import numpy as np

from sanproof.proofs.games.boards import (
    INITIAL,
    KNIGHT,
    LINES,
    ZERO,
    Bytes,
    Ints,
    compiled,
    is_attacked,
    may_castle,
    move_piece,
    reaches,
    targets,
)
from sanproof.proofs.rules.san import CASTLINGS, parse_san
from sanproof.proofs.rules.squares import parse_square, square_name

RIGHTS, PASSING, KINGS, SIDE, STATE_BYTES = 64, 68, 69, 71, 72
"""The places in a state of the rights, the file (8 for none), both kings and the player:
0 for White, 1 for Black."""
NO_FILE: Final = 8
MAX_MOVES: Final = 256
NONE, CHECK, MATE = range(3)
CODES: Final = 7 * 9 * 9 * 2 * 64 * 6 * 3


def initial_state() -> Bytes:
    """Return the initial position."""
    return np.array([*INITIAL, 1, 1, 1, 1, NO_FILE, 4, 60, 0], np.uint8)


@compiled
def _code(
    kind: int, file: int, rank: int, captures: int, to: int, promotion: int, suffix: int
) -> int:
    """Return the code of a string: file and rank count from 1, 0 if they are not written.

    Castling is a king's move from the e-file to the first rank.
    """
    return (
        ((((kind * 9 + file) * 9 + rank) * 2 + captures) * 64 + to) * 6 + promotion
    ) * 3 + suffix


def code_of(san: str) -> int:
    """Return the code of a string that some legal move may have."""
    parts = parse_san(san)
    suffix = ("", "+", "#").index(parts.suffix)
    if parts.piece in CASTLINGS:
        return _code(6, 5, 0, 0, 6 if parts.piece == "O-O" else 2, 0, suffix)
    return _code(
        1 + "PNBRQK".index(parts.piece or "P"),
        " abcdefgh".index(parts.file or " "),
        int(parts.rank or 0),
        int(bool(parts.capture)),
        parse_square(parts.destination),
        "..NBRQ".index(parts.promotion or "."),
        suffix,
    )


def read_uci(text: str) -> int:
    """Return the number of a move in UCI."""
    promotion = "..nbrq".index(text[4:] or ".")
    return parse_square(text[:2]) + 64 * parse_square(text[2:4]) + 4096 * promotion


def write_uci(move: int) -> str:
    """Return the UCI of a move's number."""
    squares = square_name(move & 63) + square_name(move >> 6 & 63)
    return squares + ("", "", "n", "b", "r", "q")[move >> 12]


@compiled
def make(state: Bytes, move: int) -> None:
    """Make a legal move, which changes the state."""
    origin, to, promotion = move & 63, move >> 6 & 63, move >> 12
    side = np.int64(state[SIDE])
    kind = np.int64(state[origin]) - 6 * side
    move_piece(state, origin, to)
    if promotion:
        state[to] = promotion + 6 * side
    for square in (origin, to):
        if square in (7, 4):
            state[RIGHTS] = 0
        if square in (0, 4):
            state[RIGHTS + 1] = 0
        if square in (63, 60):
            state[RIGHTS + 2] = 0
        if square in (56, 60):
            state[RIGHTS + 3] = 0
    state[PASSING] = to & 7 if kind == 1 and abs(to - origin) == 16 else NO_FILE
    if kind == 6:
        state[KINGS + side] = to
    state[SIDE] = 1 - side


@compiled
def after(state: Bytes, move: int) -> Bytes:
    """Return the state after a move, as a new array."""
    made = np.empty(STATE_BYTES, np.uint8)
    for i in range(STATE_BYTES):
        made[i] = state[i]
    make(made, move)
    return made


@compiled
def _pawn_moves(state: Bytes, origin: int, moves: Ints, number: int) -> int:
    """Add a pawn's moves, its king's safety apart; how many there are then."""
    side = np.int64(state[SIDE])
    ahead = np.int64(8) if side == 0 else np.int64(-8)
    rank = origin >> 3 if side == 0 else 7 - (origin >> 3)
    for way in range(-1, 3):
        to = origin + ahead + (ahead if way == 2 else way)
        if way in (-1, 1):
            if (to & 7) - (origin & 7) != way:
                continue
            passes = state[to] == 0 and rank == 4 and state[PASSING] == (to & 7)
            if not passes and not 1 <= np.int64(state[to]) - 6 + 6 * side <= 6:
                continue
        elif state[to] or (way == 2 and (rank != 1 or state[to - ahead])):
            continue
        for promotion in range(2, 6) if rank == 6 else range(1):
            moves[number] = origin + 64 * to + 4096 * promotion
            number += 1
    return number


@compiled
def _piece_moves(state: Bytes, origin: int, moves: Ints, number: int) -> int:
    """Add the moves of a piece, a king's safety apart; how many there are then."""
    mover = 6 * np.int64(state[SIDE])
    kind = np.int64(state[origin]) - mover
    reached = moves[number:]
    for k in range(targets(state, kind, origin, reached)):
        to = reached[k]
        if not 1 <= np.int64(state[to]) - mover <= 6:
            moves[number] = origin + 64 * to
            number += 1
    return number


@compiled
def legal_moves(state: Bytes) -> Ints:
    """Return all legal moves."""
    moves = np.empty(MAX_MOVES, np.int64)
    side = np.int64(state[SIDE])
    king = np.int64(state[KINGS + side])
    number = ZERO
    for origin in range(64):
        kind = np.int64(state[origin]) - 6 * side
        if kind == 1:
            number = _pawn_moves(state, origin, moves, number)
        elif 2 <= kind <= 6:
            number = _piece_moves(state, origin, moves, number)
    in_check = is_check(state, side)
    legal = ZERO
    for i in range(number):
        origin, to = moves[i] & 63, moves[i] >> 6 & 63
        # Out of check, only what leaves a line to the king can open it, or a capture in passing.
        risky = in_check or origin == king or LINES[king, origin] < KNIGHT
        if (risky or passes(state, origin, to)) and is_check(after(state, moves[i]), side):
            continue
        moves[legal] = moves[i]
        legal += 1
    if state[RIGHTS + 2 * side] or state[RIGHTS + 2 * side + 1]:
        for to in (king + 2, king - 2):
            if may_castle(state, state[RIGHTS:PASSING], king, to, side):
                moves[legal] = king + 64 * to
                legal += 1
    return moves[:legal]


@compiled
def passes(state: Bytes, origin: int, to: int) -> bool:
    """Check whether a move captures in passing."""
    return state[origin] in (1, 7) and (origin & 7) != (to & 7) and state[to] == 0


@compiled
def is_check(state: Bytes, side: int) -> bool:
    """Check whether the king of a side, 0 for White, is attacked."""
    return is_attacked(state, np.int64(state[KINGS + side]), 6 - 6 * side)


@compiled
def _written_of_origin(state: Bytes, moves: Ints, move: int) -> tuple[int, int]:
    """Return file and rank as a piece's string has them (PGN standard 8.2.3.4)."""
    origin, to = move & 63, move >> 6
    twins = same_file = same_rank = ZERO
    for other_move in moves:
        other = other_move & 63
        if other_move >> 6 == to and other != origin and state[other] == state[origin]:
            twins += 1
            same_file += (other & 7) == (origin & 7)
            same_rank += (other >> 3) == (origin >> 3)
    needs_file = twins and (same_rank or not same_file)
    return 1 + (origin & 7) if needs_file else 0, 1 + (origin >> 3) if same_file else 0


@compiled
def _suffix(state: Bytes, move: int) -> int:
    """Return the suffix of a legal move."""
    origin, to = move & 63, move >> 6 & 63
    side = np.int64(state[SIDE])
    king = np.int64(state[KINGS + 1 - side])
    kind = np.int64(state[origin]) - 6 * side
    # A plain move checks from where it ends, or opens a line from where it begins.
    plain = move >> 12 == 0 and not (kind == 6 and abs(to - origin) == 2)
    plain = plain and LINES[king, origin] >= KNIGHT and not passes(state, origin, to)
    if plain and not reaches(state, kind, to, king, 6 * side):
        return NONE
    made = after(state, move)
    if not is_check(made, 1 - side):
        return NONE
    return CHECK if len(legal_moves(made)) else MATE


@compiled
def codes_of(state: Bytes, moves: Ints) -> Ints:
    """Return the codes of the strings of ``moves``, which must be all legal moves."""
    codes = np.empty(len(moves), np.int64)
    for i, move in enumerate(moves):
        origin, to, promotion = move & 63, move >> 6 & 63, move >> 12
        kind = np.int64(state[origin]) - 6 * np.int64(state[SIDE])
        file = rank = ZERO
        captures = 1 if state[to] else 0
        if kind == 6 and abs(to - origin) == 2:
            file, to = ZERO + 5, to & 7
        elif kind == 1 and (origin & 7) != (to & 7):
            file, captures = 1 + (origin & 7), 1
        elif 2 <= kind <= 5:
            file, rank = _written_of_origin(state, moves, move)
        codes[i] = _code(kind, file, rank, captures, to, promotion, _suffix(state, move))
    return codes
