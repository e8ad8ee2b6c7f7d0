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
    KNIGHTS,
    LINES,
    RAYS,
    Bytes,
    Ints,
    is_attacked,
    may_castle,
    move_piece,
    reaches,
    strikes,
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
def _bit(square: int) -> int:
    return np.int64(1) << np.int64(square)


@compiled
def _look(state: Bytes, king: int, step: int, side: int) -> tuple[int, int, int]:
    """Return the squares from a king up to the first piece in a direction, his square, and another.

    That is the second piece's if the first is of the side; -1 stands for no piece.
    """
    seen, first = ZERO, np.int64(-1)
    for i in range(8):
        square = RAYS[king, step, i]
        if square < 0:
            break
        if first < 0:
            seen |= _bit(square)
        if state[square]:
            if first >= 0:
                return seen, first, square
            first = square
            if not 1 <= np.int64(state[square]) - side <= 6:
                break
    return seen, first, np.int64(-1)


@compiled
def _slides(state: Bytes, square: int, step: int, theirs: int) -> bool:
    """Check whether a piece of a side on a square, or on none, moves along a direction."""
    return square >= 0 and np.int64(state[square]) - theirs in (5, 4 if step < 4 else 3)


@compiled
def _dangers(state: Bytes, king: int, theirs: int) -> tuple[int, int, int]:
    """Return how many pieces give check, where a piece may go, and which pieces are pinned."""
    checkers, pinned = ZERO, ZERO
    allowed = np.int64(-1)
    for step in range(8):
        seen, first, second = _look(state, king, step, 6 - theirs)
        if _slides(state, second, step, theirs):
            pinned |= _bit(first)
        elif first >= 0 and strikes(state, first, king, step, theirs):
            checkers += 1
            allowed &= seen
        square = KNIGHTS[king, step]
        if square >= 0 and state[square] == 2 + theirs:
            checkers += 1
            allowed &= _bit(square)
    return checkers, allowed, pinned


@compiled
def _king_moves(state: Bytes, king: int, in_check: bool, moves: Ints) -> int:
    """Find the king's moves, castling with them; how many they are."""
    side = np.int64(state[SIDE])
    mover, theirs = 6 * side, 6 - 6 * side
    number = ZERO
    piece = state[king]
    state[king] = 0
    for step in range(8):
        to = RAYS[king, step, 0]
        if to < 0 or 1 <= np.int64(state[to]) - mover <= 6:
            continue
        if not is_attacked(state, to, theirs):
            moves[number] = king + 64 * to
            number += 1
    state[king] = piece
    if not in_check and (state[RIGHTS + 2 * side] or state[RIGHTS + 2 * side + 1]):
        for to in (king + 2, king - 2):
            if may_castle(state, state[RIGHTS:PASSING], king, to, side):
                moves[number] = king + 64 * to
                number += 1
    return number


@compiled
def _pawn_moves(  # noqa: C901, PLR0912 - compiled
    state: Bytes, origin: int, allowed: int, held: bool, king: int, moves: Ints, number: int
) -> int:
    """Add a pawn's moves; how many there are then."""
    side = np.int64(state[SIDE])
    theirs = 6 - 6 * side
    ahead = np.int64(8) if side == 0 else np.int64(-8)
    line = LINES[king, origin]
    ends = (origin >> 3) == (6 if side == 0 else 1)
    for way in range(-1, 3):
        to = origin + ahead
        if way == 2:
            if (origin >> 3) != (1 if side == 0 else 6) or state[to]:
                continue
            to += ahead
        elif way:
            if not 0 <= (origin & 7) + way < 8:
                continue
            to += way
        piece = np.int64(state[to])
        if way in (-1, 1):
            if piece == 0:
                if state[PASSING] == (to & 7) and (origin >> 3) == (4 if side == 0 else 3):
                    number = _capture_in_passing(state, origin, to, king, moves, number)
                continue
            if not 1 <= piece - theirs <= 6:
                continue
        elif piece:
            continue
        if not allowed >> to & 1 or (held and LINES[king, to] != line):
            continue
        move = origin + 64 * to
        if ends:
            for promotion in range(2, 6):
                moves[number] = move + 4096 * promotion
                number += 1
        else:
            moves[number] = move
            number += 1
    return number


@compiled
def _capture_in_passing(
    state: Bytes, origin: int, to: int, king: int, moves: Ints, number: int
) -> int:
    """Add a capture in passing if the king is not attacked then; how many there are then."""
    side = np.int64(state[SIDE])
    taken = 8 * (origin >> 3) + (to & 7)
    piece, other = state[origin], state[taken]
    state[to], state[origin], state[taken] = piece, 0, 0
    legal = not is_attacked(state, king, 6 - 6 * side)
    state[to], state[origin], state[taken] = 0, piece, other
    if legal:
        moves[number] = origin + 64 * to
        number += 1
    return number


@compiled
def _piece_moves(  # noqa: C901 - compiled
    state: Bytes, origin: int, allowed: int, held: bool, king: int, moves: Ints, number: int
) -> int:
    """Add the moves of a knight, bishop, rook or queen; how many there are then."""
    mover = 6 * np.int64(state[SIDE])
    kind = np.int64(state[origin]) - mover
    if kind == 2:
        if held:
            return number
        for i in range(8):
            to = KNIGHTS[origin, i]
            if to >= 0 and allowed >> to & 1 and not 1 <= np.int64(state[to]) - mover <= 6:
                moves[number] = origin + 64 * to
                number += 1
        return number
    line = LINES[king, origin]
    first = 4 if kind == 3 else 0
    last = 4 if kind == 4 else 8
    for step in range(first, last):
        for i in range(8):
            to = RAYS[origin, step, i]
            if to < 0:
                break
            piece = np.int64(state[to])
            if 1 <= piece - mover <= 6 or (held and LINES[king, to] != line):
                break
            if allowed >> to & 1:
                moves[number] = origin + 64 * to
                number += 1
            if piece:
                break
    return number


@compiled
def find_moves(state: Bytes, moves: Ints) -> int:
    """Find all legal moves; how many they are."""
    side = np.int64(state[SIDE])
    mover = 6 * side
    king = np.int64(state[KINGS + side])
    checkers, allowed, pinned = _dangers(state, king, 6 - mover)
    number = _king_moves(state, king, checkers > 0, moves)
    if checkers > 1:
        return number
    for origin in range(64):
        kind = np.int64(state[origin]) - mover
        if 1 <= kind <= 5:
            held = (pinned >> origin & 1) == 1
            if kind == 1:
                number = _pawn_moves(state, origin, allowed, held, king, moves, number)
            else:
                number = _piece_moves(state, origin, allowed, held, king, moves, number)
    return number


@compiled
def may_go(state: Bytes, move: int, moves: Ints) -> bool:
    """Check whether a move is legal, its king's safety apart; the array has room for moves."""
    origin, to, promotion = move & 63, move >> 6 & 63, move >> 12
    side = np.int64(state[SIDE])
    kind = np.int64(state[origin]) - 6 * side
    if kind == 1:
        king = np.int64(state[KINGS + side])
        return move in moves[: _pawn_moves(state, origin, np.int64(-1), False, king, moves, ZERO)]
    if promotion or not 2 <= kind <= 6 or 1 <= np.int64(state[to]) - 6 * side <= 6:
        return False
    if kind == 6 and abs(to - origin) == 2:
        return may_castle(state, state[RIGHTS:PASSING], origin, to, side)
    return reaches(state, kind, origin, to, 6 * side)


@compiled
def is_check(state: Bytes, side: int) -> bool:
    """Check whether the king of a side, 0 for White, is attacked."""
    return is_attacked(state, np.int64(state[KINGS + side]), 6 - 6 * side)


@compiled
def _threats(state: Bytes, king: int, mover: int) -> tuple[int, int, int, int, int]:
    """Return the squares from which a piece checks a king: a pawn, knight, bishop, rook.

    The last are the pieces of the mover's that uncover a check when they leave their line.
    """
    pawn, knight, bishop, rook, covers = ZERO, ZERO, ZERO, ZERO, ZERO
    for step in range(8):
        seen, first, second = _look(state, king, step, mover)
        if step < 4:
            rook |= seen
        else:
            bishop |= seen
            near = RAYS[king, step, 0]
            if near >= 0 and (near < king) == (mover == 0):
                pawn |= _bit(near)
        if _slides(state, second, step, mover):
            covers |= _bit(first)
        if KNIGHTS[king, step] >= 0:
            knight |= _bit(KNIGHTS[king, step])
    return pawn, knight, bishop, rook, covers


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
    """Return the suffix of a move that may give check, by making it."""
    after = room.state
    copy_state(state, after)
    make(after, move)
    if not is_check(after, np.int64(after[SIDE])):
        return NONE
    return CHECK if find_moves(after, room.replies) else MATE


@compiled
def name_moves(state: Bytes, room: Scratch) -> int:
    """Find all legal moves and their codes; how many they are."""
    moves, codes = room.moves, room.codes
    number = find_moves(state, moves)
    side = np.int64(state[SIDE])
    mover = 6 * side
    king = np.int64(state[KINGS + 1 - side])
    pawn, knight, bishop, rook, covers = _threats(state, king, mover)
    checks = (ZERO, pawn, knight, bishop, rook, bishop | rook, ZERO)
    # The squares that pieces of one kind reach, and those that two of them do.
    once_knight = once_bishop = once_rook = once_queen = twice = ZERO
    for i in range(number):
        kind = np.int64(state[moves[i] & 63]) - mover
        to = _bit(moves[i] >> 6 & 63)
        if kind == 2:
            twice |= once_knight & to
            once_knight |= to
        elif kind == 3:
            twice |= once_bishop & to
            once_bishop |= to
        elif kind == 4:
            twice |= once_rook & to
            once_rook |= to
        elif kind == 5:
            twice |= once_queen & to
            once_queen |= to
    for i in range(number):
        move = moves[i]
        origin, to, promotion = move & 63, move >> 6 & 63, move >> 12
        kind = np.int64(state[origin]) - mover
        captures = 1 if state[to] else 0
        castles = kind == 6 and abs(to - origin) == 2
        strays = kind == 1 and (origin & 7) != (to & 7)
        may_check = promotion or castles or (strays and not captures) or checks[kind] >> to & 1
        may_check |= covers >> origin & 1 and LINES[king, to] != LINES[king, origin]
        suffix = suffix_of(state, move, room) if may_check else np.int64(NONE)
        if castles:
            codes[i] = _PAWNS + (3 if to < origin else 0) + suffix
        elif kind == 1:
            file = 1 + (origin & 7) if strays else 0
            what = promotion - 1 if promotion else 0
            codes[i] = _KINGS + ((file * 64 + to) * 5 + what) * 3 + suffix
        elif kind == 6:
            codes[i] = _PIECES + (64 * captures + to) * 3 + suffix
        else:
            due = _due(moves, number, move, state) if twice >> to & 1 else ZERO
            codes[i] = ((((kind - 2) * 81 + due) * 2 + captures) * 64 + to) * 3 + suffix
    return number
