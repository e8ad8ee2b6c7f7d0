"""All legal moves of a position and the string of each, in compiled code. Untrusted.

A *state* is a board of :mod:`proofs.games.boards` and eight more bytes: the four rights to castle,
the file of the pawn that has just advanced two squares, the two kings' squares, and who is to move.
A *move* is one number: the origin, 64 times the destination, and 4096 times the kind that a pawn
becomes. A *code* is the number of a string by its parts, whether or not it is reachable.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from sanproof.proofs.games.boards import (
    INITIAL,
    KNIGHT,
    LINES,
    RAYS,
    Bytes,
    Ints,
    is_attacked,
    may_castle,
    move_piece,
    reaches,
    targets,
)
from sanproof.proofs.games.compiled import ZERO, compiled
from sanproof.proofs.rules.san import PROMOTIONS, San, parse_san
from sanproof.proofs.rules.squares import square_name

RIGHTS, PASSING, KINGS, SIDE, STATE_BYTES = 64, 68, 69, 71, 72
"""The places in a state of the rights, the file (8 for none), both kings and the player:
0 for White, 1 for Black."""
NO_FILE: Final = 8
MAX_MOVES: Final = 256
NONE, CHECK, MATE = range(3)

_PIECES: Final = 4 * 81 * 2 * 64 * 3
_KINGS: Final = _PIECES + 2 * 64 * 3
_PAWNS: Final = _KINGS + 9 * 64 * 5 * 3
CODES: Final = _PAWNS + 2 * 3
"""The number of codes: of pieces, then of kings, pawns and castling."""


class Scratch(NamedTuple):
    """Arrays that the compiled functions write to, so that they need not make any."""

    state: Bytes
    replies: Ints
    moves: Ints
    codes: Ints


def new_scratch() -> Scratch:
    """Return arrays to work with."""
    return Scratch(np.zeros(STATE_BYTES, np.uint8), *np.zeros((3, MAX_MOVES), np.int64))


def initial_state() -> Bytes:
    """Return the initial position."""
    return np.array([*INITIAL, 1, 1, 1, 1, NO_FILE, 4, 60, 0], np.uint8)


def code_of(san: str) -> int:
    """Return the code of a string that some legal move may have."""
    parts = parse_san(san)
    suffix = ("", "+", "#").index(parts.suffix)
    if parts.piece.startswith("O"):
        return _PAWNS + 3 * (parts.piece == "O-O-O") + suffix
    to = square_number(parts.destination)
    captures = bool(parts.capture)
    if parts.piece == "":
        promotion = (0, 2, 0, 1, 4, 3)[PROMOTIONS.index(parts.promotion)]
        file = 1 + "abcdefgh".index(parts.file) if parts.file else 0
        return _KINGS + ((file * 64 + to) * 5 + promotion) * 3 + suffix
    if parts.piece == "K":
        return _PIECES + (64 * captures + to) * 3 + suffix
    due = _discriminator(parts)
    return ((("NBRQ".index(parts.piece) * 81 + due) * 2 + captures) * 64 + to) * 3 + suffix


def _discriminator(parts: San) -> int:
    """Return 0 for none, then numbers for the files, the ranks and the squares."""
    if parts.file and parts.rank:
        return 17 + square_number(parts.file + parts.rank)
    if parts.file:
        return 1 + "abcdefgh".index(parts.file)
    return 8 + int(parts.rank) if parts.rank else 0


def square_number(name: str) -> int:
    """Return a square's number, from a1 to h8 by ranks."""
    return 8 * (int(name[1]) - 1) + "abcdefgh".index(name[0])


def numbers_of(strings: Iterable[str]) -> Ints:
    """Return for each code the index of its string, -1 for those that are not given."""
    numbers = np.full(CODES, -1, np.int64)
    for number, san in enumerate(strings):
        numbers[code_of(san)] = number
    return numbers


def read_uci(text: str) -> int:
    """Return a move that is written in UCI."""
    promotion = " .nbrq".index(text[4]) if len(text) > 4 else 0
    return square_number(text[:2]) + 64 * square_number(text[2:4]) + 4096 * promotion


def write_uci(move: int) -> str:
    """Return a move in UCI."""
    squares = square_name(move & 63) + square_name(move >> 6 & 63)
    return squares + " .nbrq"[move >> 12].strip()


@compiled
def copy_state(state: Bytes, other: Bytes) -> None:
    """Copy a state."""
    for i in range(STATE_BYTES):
        other[i] = state[i]


@compiled
def make(state: Bytes, move: int) -> None:
    """Make a legal move."""
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
def _king_moves(state: Bytes, king: int, moves: Ints) -> int:
    """Find the king's steps, safe or not, and castling; how many they are."""
    side = np.int64(state[SIDE])
    number = ZERO
    for step in range(8):
        to = RAYS[king, step, 0]
        if to >= 0 and not 1 <= np.int64(state[to]) - 6 * side <= 6:
            moves[number] = king + 64 * to
            number += 1
    if state[RIGHTS + 2 * side] or state[RIGHTS + 2 * side + 1]:
        for to in (king + 2, king - 2):
            if may_castle(state, state[RIGHTS:PASSING], king, to, side):
                moves[number] = king + 64 * to
                number += 1
    return number


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
    """Add the moves of a knight, bishop, rook or queen; how many there are then."""
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
def _is_safe(state: Bytes, move: int, scratch: Bytes) -> bool:
    """Check whether the player's king is not attacked after a move that is otherwise legal."""
    copy_state(state, scratch)
    make(scratch, move)
    return not is_check(scratch, np.int64(state[SIDE]))


@compiled
def find_moves(state: Bytes, moves: Ints) -> int:
    """Find all legal moves; how many they are."""
    side = np.int64(state[SIDE])
    king = np.int64(state[KINGS + side])
    scratch = np.empty(STATE_BYTES, np.uint8)
    number = _king_moves(state, king, moves)
    for origin in range(64):
        kind = np.int64(state[origin]) - 6 * side
        if kind == 1:
            number = _pawn_moves(state, origin, moves, number)
        elif 2 <= kind <= 5:
            number = _piece_moves(state, origin, moves, number)
    in_check = is_check(state, side)
    legal = ZERO
    for i in range(number):
        origin, to = moves[i] & 63, moves[i] >> 6 & 63
        # Out of check, only what leaves a line to the king can open it, or a capture in passing.
        opens = LINES[king, origin] < KNIGHT or _passes(state, origin, to)
        if not (in_check or origin == king or opens) or _is_safe(state, moves[i], scratch):
            moves[legal] = moves[i]
            legal += 1
    return legal


@compiled
def _passes(state: Bytes, origin: int, to: int) -> bool:
    """Check whether a move captures in passing."""
    return state[origin] in (1, 7) and (origin & 7) != (to & 7) and state[to] == 0


@compiled
def is_check(state: Bytes, side: int) -> bool:
    """Check whether the king of a side, 0 for White, is attacked."""
    return is_attacked(state, np.int64(state[KINGS + side]), 6 - 6 * side)


@compiled
def _due(moves: Ints, number: int, move: int, state: Bytes) -> int:
    """Return the discriminator of a piece's move, as in codes (PGN standard 8.2.3.4)."""
    origin, to = move & 63, move >> 6
    twins = same_file = same_rank = ZERO
    for i in range(number):
        other = moves[i] & 63
        if moves[i] >> 6 == to and other != origin and state[other] == state[origin]:
            twins += 1
            same_file += (other & 7) == (origin & 7)
            same_rank += (other >> 3) == (origin >> 3)
    if not twins:
        return 0
    if not same_file:
        return 1 + (origin & 7)
    return 17 + origin if same_rank else 9 + (origin >> 3)


@compiled
def replies_after(state: Bytes, move: int, room: Scratch) -> int:
    """Return how many legal moves there are after a move, which the scratch state is then after."""
    copy_state(state, room.state)
    make(room.state, move)
    return find_moves(room.state, room.replies)


@compiled
def suffix_of(state: Bytes, move: int, room: Scratch) -> int:
    """Return the suffix of a legal move."""
    origin, to = move & 63, move >> 6 & 63
    side = np.int64(state[SIDE])
    king = np.int64(state[KINGS + 1 - side])
    kind = np.int64(state[origin]) - 6 * side
    # A plain move checks from where it ends, or opens a line from where it begins.
    plain = move >> 12 == 0 and not (kind == 6 and abs(to - origin) == 2)
    plain = plain and LINES[king, origin] >= KNIGHT and not _passes(state, origin, to)
    if plain and not reaches(state, kind, to, king, 6 * side):
        return NONE
    copy_state(state, room.state)
    make(room.state, move)
    if not is_check(room.state, 1 - side):
        return NONE
    return CHECK if find_moves(room.state, room.replies) else MATE


@compiled
def name_moves(state: Bytes, room: Scratch) -> int:
    """Find all legal moves and their codes; how many they are."""
    moves, codes = room.moves, room.codes
    number = find_moves(state, moves)
    for i in range(number):
        move = moves[i]
        origin, to, promotion = move & 63, move >> 6 & 63, move >> 12
        kind = np.int64(state[origin]) - 6 * np.int64(state[SIDE])
        captures = 1 if state[to] else 0
        if kind == 6 and abs(to - origin) == 2:
            code = _PAWNS // 3 + (1 if to < origin else 0)
        elif kind == 1:
            file = 1 + (origin & 7) if (origin & 7) != (to & 7) else 0
            code = _KINGS // 3 + (file * 64 + to) * 5 + (promotion - 1 if promotion else 0)
        elif kind == 6:
            code = _PIECES // 3 + 64 * captures + to
        else:
            due = _due(moves, number, move, state)
            code = (((kind - 2) * 81 + due) * 2 + captures) * 64 + to
        codes[i] = 3 * code + suffix_of(state, move, room)
    return number
