"""The compiled loops of the fast path: where games begin, what their texts denote, and FENs.

A loop is careful: what is not usual is left to :mod:`verify.scan.movetext` and python-chess. Boards
are those of :mod:`proofs.games.boards`.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import (
    KNIGHT,
    LINES,
    Bytes,
    copy_board,
    first_piece,
    is_attacked,
    is_legal_in_passing,
    may_castle,
    move_piece,
    reaches,
    strikes,
)
from sanproof.proofs.games.compiled import compiled
from sanproof.verify.notation.vocabulary import SUFFIX_DEVIATIONS, Deviation
from sanproof.verify.scan import borders
from sanproof.verify.scan.written import (
    LETTERS,
    LONG,
    SHORT,
    before,
    origin_due,
    write_board,
    write_rest,
)

F = TypeVar("F", bound=Callable[..., Any])
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
USUAL, HAS_RESULT = 1, 2
"""The flags of a game."""
TABLE_BITS: Final = 17
MIXER: Final = np.uint64(0x9E3779B97F4A7C15)
LONGEST_TEXT: Final = 8
"""Longer texts are not usual; one more byte than SAN takes."""
_MOST_QUIET: Final = 150
"""The quiet moves after which the game is over (FIDE 9.6.2)."""
_SOONEST_END: Final = 16
"""The quiet moves before a position can occur for the fifth time."""

_BITS: Final = {deviation: 1 << place for place, deviation in enumerate(Deviation)}
"""A bit for each deviation, the first the lowest."""
SHORT_IN_ZEROS: Final = int.from_bytes(b"0-0", "little")
LONG_IN_ZEROS: Final = int.from_bytes(b"0-0-0", "little")
COORDINATES: Final = _BITS[Deviation.COORDINATE_NOTATION]
ZEROS: Final = _BITS[Deviation.ZEROS_IN_CASTLING]
NO_SIGN: Final = _BITS[Deviation.MISSING_PROMOTION_SIGN]
ANNOTATION: Final = _BITS[Deviation.ANNOTATION]
SUFFIX_BITS: Final = np.zeros((44, 44), dtype=np.int64)
"""The deviation, by the suffix that is written and the one that is due, as bytes; 0 for none."""
for (_written, _due), _deviation in SUFFIX_DEVIATIONS.items():
    SUFFIX_BITS[ord(_written or "\0"), ord(_due or "\0")] = _BITS[_deviation]
_FILE, _RANK, _SQUARE, _OTHER = (
    _BITS[Deviation[name]]
    for name in ("EXCESS_FILE", "EXCESS_RANK", "EXCESS_SQUARE", "RANK_INSTEAD_OF_FILE")
)
ORIGIN_BITS: Final = np.array(
    [[0, _FILE, _RANK, _SQUARE], [-1, 0, _OTHER, _RANK], [-1, -1, 0, _FILE], [-1, -1, -1, 0]],
    dtype=np.int64,
)
"""The deviation, by what is due of the origin and what is written: 1 for the file, 2 for the rank.

It is -1 if something is missing.
"""
SKIPPED, DOWN, UP, RESULT, MOVE, OTHER, UNUSUAL = range(7)
"""The kind of a part of movetext."""


class Table(NamedTuple):
    """Finds the numbers of the proven strings."""

    keys: NDArray[np.uint64]  # the strings, packed; 0 where none is
    values: Int32  # their numbers, at the same places


class Games(NamedTuple):
    """The games of a chunk, and what is found in them.

    A first position is the squares, the rights to castle as bits, the square behind a pawn that has
    just advanced two squares or -1, the player (0 for White), the clock of quiet moves, and the
    plies before.
    """

    starts: Int64  # where they begin, and the end of the chunk
    first: Int32  # the number of each game's first position; negative if the game is left
    positions: Int32  # the first positions
    flags: Bytes  # the flags of each game that was read, 0 for the others
    bounds: Int64  # the number of texts before each game, and of all; those that were read
    begins: Int32  # where each text begins; room for half the bytes
    finishes: Int32  # where it ends
    moves: Int32  # its move: the origin, 64 times the destination, 4096 times a promotion's kind
    numbers: Int32  # the number of its string
    bits: Int64  # what deviates in it


class Room(NamedTuple):
    """A game that is followed: the positions since the last capture or move of a pawn."""

    boards: Bytes
    rights: Bytes  # the rights to castle in each: bits for White's, kingside first, and Black's
    scratch: Bytes  # for a board
    castling: NDArray[np.bool_]  # for four rights
    now: Int64  # see SLOT and its followers


SLOT, SIDE, CLOCK, PLY, PASSING, FIRST_PASSING, IN_CHECK, KINGS = range(8)
"""The place of the last position in a room; who is to move; the quiet moves and all moves until
then; the square behind a pawn that has just advanced two squares, or -1, in that position and in
the room's first; whether the player to move is in check; and the two kings' squares."""


def new_room() -> Room:
    """Return room for a game."""
    slots = _MOST_QUIET + 2
    boards, rights = np.zeros((slots, 64), np.uint8), np.zeros(slots, np.uint8)
    castling, now = np.zeros(4, np.bool_), np.zeros(KINGS + 2, np.int64)
    return Room(boards, rights, np.zeros(64, np.uint8), castling, now)


def _classes() -> Bytes:
    """For each byte: 1 white space, 2 what ends a text, 4 a digit, 8 a character of SAN or UCI."""
    classes = np.zeros(256, dtype=np.uint8)
    classes[list(b" \t\n\r\v\f")] |= 3
    classes[list(b"{}();$")] |= 2
    classes[list(b"0123456789")] |= 4
    classes[list(b"abcdefgh12345678xKQRBNO=+#-qrn")] |= 8
    return classes


CLASSES: Final = _classes()
IN_NAMES: Final = np.array([bool(re.match(rb"\w", bytes([byte]))) for byte in range(256)])
"""For each byte whether it may be in the name of a tag."""
RIGHTS_KEPT: Final = np.full(64, 15, np.uint8)
"""For each square the rights to castle, as bits, that a move from or to it leaves."""
for _square_of, _kept in ((4, 12), (7, 14), (0, 13), (60, 3), (63, 11), (56, 7)):
    RIGHTS_KEPT[_square_of] = _kept
RESULTS: Final = tuple(np.frombuffer(text, dtype=np.uint8) for text in borders.RESULTS[:3])
STANDARD_TAG, VARIANT_TAG, RESULT_TAG = (
    np.frombuffer(text, dtype=np.uint8)
    for text in (b'[Variant "Standard"]', b"[Variant", b"[Result")
)

_ALONE: Final[dict[str, Any]] = {
    "_nrt": False,
    "error_model": "numpy",
}  # nothing is allocated, nor raised


def root(function: F) -> F:
    """Compile a loop that Python calls, and keep it."""
    return compiled(function, **_ALONE)


def part(function: F) -> F:
    """Compile a function with the loops that call it."""
    return cast("F", numba.njit(**_ALONE)(function))


# Where games begin.


@part
def _is_tag(data: Bytes, at: int, end: int) -> bool:
    """Check whether a line begins as a tag does: ``[Name "``."""
    if data[at] != 91:
        return False
    at += 1
    begin = at
    while at < end and IN_NAMES[data[at]]:
        at += 1
    after = at
    while at < end and (data[at] == 32 or data[at] == 9):
        at += 1
    return begin < after < at < end and data[at] == 34


@part
def _may_end_in_result(data: Bytes, begin: int, end: int) -> bool:
    """Check whether a line may end in a result, or in white space after one."""
    last = data[end - 1]
    if last == 42 or last <= 32 or last >= 128:
        return True
    before = data[end - 2] if end - 2 >= begin else 0
    is_dash = (before == 45 and last != 79) or before in (47, 58) or before >= 128
    return is_dash or (before == 32 and end - 3 >= begin and data[end - 3] == 45)


@root
def find_games(data: Bytes, starts: Int64) -> int:
    """Find where the games of a chunk begin, if all begin with tags; how many they are.

    It is -1 if a line looks odd: after one that may end in a result stands no tag, something comes
    before a tag on its line, empty lines stand between two, or a tag is malformed.
    """
    size, count, at = len(data), 0, 0
    was_tag = may_be_result = False
    is_first, far = True, False
    while at < size:
        end = at
        while end < size and data[end] != 10:
            end += 1
        last = end - 1 if end > at and data[end - 1] == 13 else end
        begin = at
        while begin < last and data[begin] in (9, 32):
            begin += 1
        if begin == last:
            far = True
            at = end + 1
            continue
        byte = data[begin]
        if byte in (13, 26, 37, 239) or (byte == 91 and begin > at):
            return -1  # an escaped line, or something before a tag
        is_tag = _is_tag(data, at, last)
        if is_tag:
            if was_tag and far:
                return -1
            if not was_tag:
                starts[count] = at
                count += 1
        elif (
            may_be_result
            or is_first
            or (byte == 91 and (was_tag or at + 1 >= size or data[at + 1] != 37))
        ):
            return -1
        was_tag, is_first, far = is_tag, False, False
        may_be_result = _may_end_in_result(data, at, last)
        at = end + 1
    return count


# The texts of a game.


@part
def _ends(data: Bytes, at: int, end: int) -> bool:
    return at >= end or CLASSES[data[at]] & 2 != 0


@part
def _begins_with(data: Bytes, at: int, end: int, text: Bytes) -> bool:
    if at + len(text) > end:
        return False
    for i in range(len(text)):  # noqa: SIM110 - compiled
        if data[at + i] != text[i]:
            return False
    return True


@part
def _tag_value(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """Return where the value of a tag begins, and where its quote ends it; 0 if it is odd."""
    if not _is_tag(data, at, end):
        return 0, 0
    while data[at] != 34:
        at += 1
    at += 1
    begin = at
    while at < end and data[at] not in (10, 34):
        at += 2 if data[at] == 92 and at + 1 < end and data[at + 1] != 10 else 1
    if at >= end or data[at] == 10:
        return 0, 0
    return begin, at


@part
def _result_code(data: Bytes, begin: int, end: int) -> int:
    """Return the number of a result from 1, 4 for ``*``; 0 if it is another text."""
    for i in range(len(RESULTS)):
        if end - begin == len(RESULTS[i]) and _begins_with(data, begin, end, RESULTS[i]):
            return i + 1
    return 4 if end - begin == 1 and data[begin] == 42 else 0


@part
def _skip_tags(data: Bytes, at: int, end: int, may_vary: bool) -> tuple[int, int]:
    """Return the offset after the tags at a game's beginning, and the number of their result.

    The offset is -1 if they say that the game is not usual, such as another variant.
    """
    told = 0
    while at < end and data[at] in (10, 13):
        at += 1
    while at < end and data[at] == 91:  # [
        is_variant = _begins_with(data, at, end, VARIANT_TAG)
        if is_variant and not (may_vary or _begins_with(data, at, end, STANDARD_TAG)):
            return -1, 0
        is_result = _begins_with(data, at, end, RESULT_TAG) and not IN_NAMES[data[at + 7]]
        begin, at = _tag_value(data, at, end)
        if begin == 0:
            return -1, 0
        if is_result:
            told = 0 if told else _result_code(data, begin, at)
            if told == 0:
                return -1, 0
        at = _tag_line_end(data, at + 1, end)
        if at < 0:
            return -1, 0
    return min(at, end), told


@part
def _tag_line_end(data: Bytes, at: int, end: int) -> int:
    """Return the offset after a tag's line, given the end of its value; -1 if more stands there."""
    while at < end and (data[at] == 32 or data[at] == 9):
        at += 1
    if at >= end or data[at] != 93:  # ]
        return -1
    at += 1
    while at < end and data[at] != 10:
        if not CLASSES[data[at]] & 1:  # a second tag, or moves
            return -1
        at += 1
    return at + 1


@part
def _part(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """Return what begins at a place, in a variation or outside, and where it ends."""
    byte = data[at]
    if CLASSES[byte] & 1:
        return SKIPPED, at + 1
    if byte == 123:  # {
        while at < end and data[at] != 125:
            at += 1
        return (SKIPPED if at < end else UNUSUAL), at + 1
    if byte == 59 or (byte == 37 and data[at - 1] == 10):  # ; and % begin a remark
        while at < end and data[at] != 10:
            at += 1
        return SKIPPED, at
    if byte == 40:
        return DOWN, at + 1
    if byte == 41:
        return UP, at + 1
    if byte == 36:  # $
        after = _digits_end(data, at + 1, end)
        return (SKIPPED if 1 < after - at < 4 else UNUSUAL), after
    return (UNUSUAL if byte == 125 else OTHER), at


@part
def _digits_end(data: Bytes, at: int, end: int) -> int:
    while at < end and CLASSES[data[at]] & 4:
        at += 1
    return at


@part
def _number_or_result(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """Return what begins with a digit outside variations, and where it ends."""
    for text in RESULTS:
        if _begins_with(data, at, end, text) and _ends(data, at + len(text), end):
            return RESULT, at + len(text)
    at = _digits_end(data, at, end)
    if at < end and data[at] == 46:
        return SKIPPED, at + 1  # more periods are skipped by themselves
    return (SKIPPED if _ends(data, at, end) else UNUSUAL), at


@part
def _main_part(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """Return what begins at a place outside variations, and where it ends, without a glyph."""
    byte = data[at]
    kind = CLASSES[byte]
    if byte == 42:  # *
        return (RESULT if _ends(data, at + 1, end) else UNUSUAL), at + 1
    if kind & 4 and not (byte == 48 and at + 2 < end and data[at + 1] == 45 and data[at + 2] == 48):
        return _number_or_result(data, at, end)
    if byte == 46:
        return SKIPPED, at + 1
    if not kind & 8 and byte != 48:
        return UNUSUAL, at
    begin = at
    while at < end and (CLASSES[data[at]] & 8 or (byte == 48 and data[at] == 48)):
        at += 1
    is_move = at - begin <= LONGEST_TEXT and _may_be_move(data, begin, at)
    return (MOVE if is_move else UNUSUAL), at


@part
def _may_be_move(data: Bytes, begin: int, end: int) -> bool:
    """Check whether a text ends as a move does, and not in a sign or a word such as ``ch``."""
    while end > begin and data[end - 1] in (35, 43):  # + and #
        end -= 1
    if end - begin < 2 or data[begin] in (35, 43, 45, 61):  # + # - =
        return False
    if data[begin] in (48, 79) and end - begin not in (3, 5):  # 0-0 with a result
        return False
    last = data[end - 1]
    if CLASSES[last] & 4 or last == 79:  # a digit or O
        return True
    is_piece = last in (66, 78, 81, 82, 98, 110, 113, 114)  # BNQR, bnqr
    return is_piece and data[end - 2] in (49, 56, 61)  # 1, 8, =


@part
def _glyph_end(data: Bytes, at: int, end: int) -> int:
    """Return the offset after ! and ? that follow a move; -1 if something else follows them."""
    begin = at
    while at < end and at < begin + 2 and data[at] in (33, 63):
        at += 1
    if not _ends(data, at, end) or (at < end and data[at] in (36, 40)):  # of the move, perhaps
        return -1
    return at


@part
def _read_texts(
    data: Bytes, at: int, end: int, told: int, games: Games, count: int
) -> tuple[int, int]:
    """Note the texts of a game from a place on; how many there are then, and its result's number.

    That is 0 without one, and -1 if anything is not usual, such as another result than tags told.
    """
    depth = ended = 0
    room = len(games.begins)
    while at < end:
        kind, after = _part(data, at, end)
        if kind == OTHER:
            kind, after = (SKIPPED, at + 1) if depth else _main_part(data, at, end)
        if kind == DOWN:
            depth += 1
        elif kind == UP:
            depth -= 1
        elif kind == RESULT:
            if ended or (told and _result_code(data, at, after) != told):
                return count, -1
            ended = _result_code(data, at, after)
        elif kind == MOVE:
            games.begins[count] = at
            games.finishes[count] = after
            count += 1
            after = _glyph_end(data, after, end)
            if after < 0 or ended or count == room:
                return count, -1
        if kind == UNUSUAL or depth < 0:
            return count, -1
        at = after
    return count, -1 if depth else ended


# The game on the board.


@part
def _begin(position: Int32, room: Room) -> None:
    """Begin a game at its first position."""
    boards, rights, _, _, now = room
    for square in range(64):
        boards[0, square] = position[square]
        if position[square] in (6, 12):
            now[KINGS + (position[square] == 12)] = square
    rights[0], now[SLOT] = position[64], 0
    now[PASSING] = now[FIRST_PASSING] = position[65]
    now[SIDE], now[CLOCK], now[PLY] = position[66], position[67], position[68]
    king = now[KINGS + now[SIDE]]
    now[IN_CHECK] = is_attacked(boards[0], king, 6 - 6 * now[SIDE])


@part
def _make(room: Room, move: int) -> None:
    """Make a move: the position after it takes the next place, or the first if it is not quiet."""
    boards, rights, _, _, now = room
    slot, side = now[SLOT], now[SIDE]
    board, after = boards[slot], boards[slot + 1]
    origin, to, promotion = move & 63, move >> 6 & 63, move >> 12
    kind = np.int64(board[origin]) - 6 * side
    is_quiet = kind != 1 and board[to] == 0
    copy_board(board, after)
    move_piece(after, origin, to)
    if promotion:
        after[to] = promotion + 6 * side
    king, is_usual = now[KINGS + 1 - side], kind != 1 or to != now[PASSING]
    if kind == 6:
        now[KINGS + side] = to
        is_usual = abs(to - origin) != 2
    if is_usual:
        now[IN_CHECK] = _gives_check(after, origin, to, king, 6 * side)
    else:
        now[IN_CHECK] = is_attacked(after, king, 6 * side)
    rights[slot + 1] = rights[slot] & RIGHTS_KEPT[origin] & RIGHTS_KEPT[to]
    now[PASSING] = (origin + to) // 2 if kind == 1 and abs(to - origin) == 16 else -1
    now[SIDE] = 1 - side
    now[PLY] += 1
    now[SLOT] += 1
    now[CLOCK] += 1
    if not is_quiet:
        copy_board(after, boards[0])
        rights[0] = rights[slot + 1]
        now[SLOT] = now[CLOCK] = 0
        now[FIRST_PASSING] = now[PASSING]


@part
def _gives_check(board: Bytes, origin: int, to: int, king: int, mover: int) -> bool:
    """Check whether a move, neither castling nor in passing, has given check, itself or behind."""
    for square in (to, origin):
        step = LINES[king, square]
        if step < KNIGHT:
            piece = first_piece(board, king, step)
            if piece >= 0 and strikes(board, piece, king, step, mover):
                return True
    return LINES[king, to] == KNIGHT and board[to] == 2 + mover


@part
def _times(room: Room) -> int:
    """Count how often the position has occurred, this time too.

    Two positions are the same if pieces, rights and the possible captures in passing are.
    """
    boards, rights, scratch, _, now = room
    slot, times = now[SLOT], 1
    for there in range(slot - 4, -1, -2):
        square = 0
        while square < 64 and boards[there, square] == boards[slot, square]:
            square += 1
        if square < 64:
            continue
        passes = False
        if there == 0 and now[FIRST_PASSING] >= 0:
            file = now[FIRST_PASSING] & 7
            passes = is_legal_in_passing(boards[0], scratch, file, 6 * now[SIDE])
        times += rights[there] == rights[slot] and not passes
    return times


@part
def _is_legal(room: Room, origin: int, to: int) -> bool:
    """Check whether a piece of the player's may go to a square, without castling."""
    boards, _, scratch, _, now = room
    board, mover = boards[now[SLOT]], 6 * now[SIDE]
    kind = np.int64(board[origin]) - mover
    if 1 <= np.int64(board[to]) - mover <= 6 or not 1 <= kind <= 6 or origin == to:
        return False
    if kind == 1:
        away = abs((origin & 7) - (to & 7))
        is_usual = away < 2 and (board[to] != 0) == (away == 1)
        if not is_usual and not (away == 1 and to == now[PASSING]):
            return False
        if abs(to - origin) == 16 and origin >> 3 != (1 if mover == 0 else 6):
            return False
    if not reaches(board, kind, origin, to, mover):
        return False
    king = now[KINGS + now[SIDE]]
    if kind != 6 and to != now[PASSING] and not now[IN_CHECK]:
        step = LINES[king, origin]
        if step >= KNIGHT or first_piece(board, king, step) != origin:
            return True  # it is not pinned
    copy_board(board, scratch)
    move_piece(scratch, origin, to)
    return not is_attacked(scratch, to if kind == 6 else king, 6 - mover)


@part
def _may_castle(room: Room, to: int) -> bool:
    """Check whether the player's king may castle to a square."""
    boards, _, _, castling, now = room
    _spread(room)
    return may_castle(boards[now[SLOT]], castling, now[KINGS + now[SIDE]], to, now[SIDE])


@part
def _spread(room: Room) -> None:
    """Fill the array of the rights to castle."""
    for i in range(4):
        room.castling[i] = room.rights[room.now[SLOT]] >> i & 1


@part
def _has_move(room: Room) -> bool:
    """Check whether the player has a legal move; who can castle has another too."""
    board, mover = room.boards[room.now[SLOT]], 6 * room.now[SIDE]
    for origin in range(64):
        if not 1 <= np.int64(board[origin]) - mover <= 6:
            continue
        for to in range(64):
            if _is_legal(room, origin, to):
                return True
    return False


@part
def _kind_of(letter: int) -> int:
    for kind in range(6):
        if LETTERS[kind] == letter:
            return kind + 1
    return 0


@part
def _is_square(data: Bytes, at: int) -> bool:
    return 97 <= data[at] <= 104 and 49 <= data[at + 1] <= 56


@part
def _square(data: Bytes, at: int) -> int:
    return np.int64(data[at]) - 97 + 8 * (np.int64(data[at + 1]) - 49)


@part
def _find_move(data: Bytes, begin: int, end: int, room: Room) -> tuple[int, int]:  # noqa: C901, PLR0912
    """Return the only legal move that a text without a suffix may denote; -1 if it is not clear.

    With it is what is due of the origin, as in :func:`verify.scan.written.origin_due`. Signs of
    capture and promotion are compared later.
    """
    board, side = room.boards[room.now[SLOT]], room.now[SIDE]
    king = room.now[KINGS + side]
    if data[begin] in (48, 79):  # 0 and O
        to = king + 2 if end - begin == 3 else king - 2
        return (king + 64 * to if _may_castle(room, to) else -1), 0
    kind, promotion, has_sign = _kind_of(data[begin]), 0, False
    if kind:
        begin += 1
    elif end - begin > 2 and not CLASSES[data[end - 1]] & 4:
        promotion, has_sign = _kind_of(data[end - 1] & 95), data[end - 2] == 61
        end -= 2 if has_sign else 1
    if end - begin < 2 or not _is_square(data, end - 2):
        return -1, 0
    to = _square(data, end - 2)
    if kind == 0 and not has_sign and end - begin == 4 and _is_square(data, begin):
        origin = _square(data, begin)
        file, rank, kind = origin & 7, origin >> 3, np.int64(board[origin]) - 6 * side
        if origin == king and abs(to - origin) == 2:
            return (origin + 64 * to if _may_castle(room, to) else -1), 0
    else:
        captures = end - begin > 2 and data[end - 3] == 120  # x
        file, rank = _origin_written(data, begin, end - 3 if captures else end - 2)
        if kind == 0:
            kind, file = 1, file if captures else to & 7
        if file < -1 or (kind == 1 and file < 0):
            return -1, 0
    if (kind == 1 and to >> 3 in (0, 7)) != (2 <= promotion <= 5):
        return -1, 0
    found = -1
    for origin in range(64):
        if board[origin] != kind + 6 * side or file not in (-1, origin & 7):
            continue
        if rank in (-1, origin >> 3) and _is_legal(room, origin, to):
            if found >= 0:
                return -1, 0
            found = origin
    if found < 0:
        return -1, 0
    due = 0
    if kind == 1:
        due = 1 if (found & 7) != (to & 7) else 0
    elif kind != 6 and (file >= 0 or rank >= 0):  # otherwise no other piece may go there
        due = origin_due(board, room.scratch, found, to, king)
    return found + 64 * to + 4096 * promotion, due


@part
def _origin_written(data: Bytes, begin: int, end: int) -> tuple[int, int]:
    """Return the file and the rank of the origin in a text, -1 if missing; -2 if it is odd."""
    file = rank = -1
    for i in range(begin, end):
        if 97 <= data[i] <= 104 and file < 0 and rank < 0:
            file = np.int64(data[i]) - 97
        elif 49 <= data[i] <= 56 and rank < 0:
            rank = np.int64(data[i]) - 49
        else:
            return -2, -2
    return file, rank


# How a move is written.


@part
def _packed(data: Bytes, begin: int, end: int) -> np.uint64:
    """Return a text of at most eight bytes as a number: the first character is the lowest byte."""
    text = np.uint64(0)
    for i in range(end - begin):
        text |= np.uint64(data[begin + i]) << np.uint64(8 * i)
    return text


@part
def _canonical(board: Bytes, move: int, due: int) -> np.uint64:
    """Return a move in SAN without its suffix, packed, given what is due of the origin."""
    origin, to, promotion = move & 63, move >> 6 & 63, move >> 12
    kind = (np.int64(board[origin]) - 1) % 6 + 1
    if kind == 6 and to == origin + 2:
        return np.uint64(SHORT)
    if kind == 6 and to == origin - 2:
        return np.uint64(LONG)
    text = np.uint64(0)
    if promotion:
        text = before(61, before(LETTERS[promotion - 1], text))
    text = before(97 + (to & 7), before(49 + (to >> 3), text))
    if board[to] != 0 or (kind == 1 and (origin & 7) != (to & 7)):
        text = before(120, text)
    if due & 2:
        text = before(49 + (origin >> 3), text)
    if due & 1:
        text = before(97 + (origin & 7), text)
    return text if kind == 1 else before(LETTERS[kind - 1], text)


@part
def _number(text: np.uint64, table: Table) -> int:
    """Return the number of a string in the table; -1 if it is not there."""
    slot = np.int64((text * MIXER) >> np.uint64(64 - TABLE_BITS))
    while table.keys[slot] != 0:
        if table.keys[slot] == text:
            return table.values[slot]
        slot = (slot + 1) & ((1 << TABLE_BITS) - 1)
    return -1


@part
def _body_bits(text: np.uint64, board: Bytes, move: int, due: int) -> int:
    """Return the bits of what deviates in a packed text without its suffix; -1 for any other."""
    origin, to, promotion = move & 63, move >> 6 & 63, move >> 12
    kind = (np.int64(board[origin]) - 1) % 6 + 1
    canonical = _canonical(board, move, due)
    squares = np.uint64(0)
    for square in (to, origin):
        squares = before(97 + (square & 7), before(49 + (square >> 3), squares))
    letter = np.uint64(LETTERS[promotion - 1] if promotion else 0)
    small = letter | np.uint64(32 if promotion else 0)
    if text == squares | letter << np.uint64(32) or text == squares | small << np.uint64(32):
        return COORDINATES
    if kind == 6 and abs(to - origin) == 2:
        zeros = SHORT_IN_ZEROS if to > origin else LONG_IN_ZEROS
        return 0 if text == canonical else ZEROS if text == np.uint64(zeros) else -1
    if promotion and text == _without_sign(canonical, letter):
        return NO_SIGN
    rest = canonical >> np.uint64(8 * ((kind > 1) + (due & 1) + (due >> 1)))
    for given in range(4):
        other = before(49 + (origin >> 3), rest) if given & 2 else rest
        other = before(97 + (origin & 7), other) if given & 1 else other
        if text == (before(LETTERS[kind - 1], other) if kind > 1 else other):
            return ORIGIN_BITS[due, given]
    return -1


@part
def _with_suffix(text: np.uint64, suffix: int) -> np.uint64:
    """Return a packed text with a character after it."""
    length = np.uint64(0)
    while text >> length:
        length += np.uint64(8)
    return text | np.uint64(suffix) << length


@part
def _without_sign(text: np.uint64, letter: np.uint64) -> np.uint64:
    """Return a packed text that ends in a = and a letter without the =."""
    length = np.uint64(0)
    while text >> length > np.uint64(255):
        length += np.uint64(8)
    before_sign = length - np.uint64(8)
    return (text & ((np.uint64(1) << before_sign) - np.uint64(1))) | letter << before_sign


# Whole games.


@part
def _judge(  # noqa: C901 - compiled
    data: Bytes, games: Games, first: int, last: int, table: Table, strict: bool, room: Room
) -> bool:
    """Compare the texts of a game with how their moves are written; False if one is not usual."""
    now = room.now
    for i in range(first, last):
        if now[CLOCK] >= _SOONEST_END and (now[CLOCK] >= _MOST_QUIET or _times(room) >= 5):
            return False
        begin, end = games.begins[i], games.finishes[i]
        body = end
        while body > begin and data[body - 1] in (35, 43):  # + and #
            body -= 1
        move, due = _find_move(data, begin, body, room)
        if move < 0 or end - body > 1:
            return False
        board, text, bits = room.boards[now[SLOT]], _packed(data, begin, body), 0
        canonical = _canonical(board, move, due)
        if text != canonical:
            bits = _body_bits(text, board, move, due)
            if bits < 0:
                return False
        _make(room, move)
        suffix, written = 0, np.int64(data[body]) if end > body else 0
        if now[IN_CHECK]:
            suffix = 43 if i + 1 < last or _has_move(room) else 35
            canonical = _with_suffix(canonical, suffix)
        if bits != COORDINATES or written:
            bits |= SUFFIX_BITS[written, suffix]
        if strict and end < len(data) and data[end] in (33, 63):  # ! and ?
            bits |= ANNOTATION
        games.moves[i], games.numbers[i], games.bits[i] = move, _number(canonical, table), bits
        if games.numbers[i] < 0:
            return False
    return True


@part
def _result_due(room: Room) -> int:
    """Return the number of the result that the position may mean; 0 if the game goes on."""
    board, side = room.boards[room.now[SLOT]], room.now[SIDE]
    if not _has_move(room):
        return (2 if side == 0 else 1) if room.now[IN_CHECK] else 3
    knights = dark = light = 0
    for square in range(64):
        piece = board[square]
        if piece in (1, 4, 5, 7, 10, 11):  # with a pawn, rook or queen mate is possible
            return 0
        knights += piece in (2, 8)
        if piece in (3, 9):
            dark += (square ^ square >> 3) & 1 == 0
            light += (square ^ square >> 3) & 1
    is_dead = knights + dark + light < 2 or (knights == 0 and (dark == 0 or light == 0))
    return 3 if is_dead else 0


@part
def _count(games: Games, game: int, first: int, last: int, sums: Int32) -> None:
    """Count the strings of a game: see :func:`read_games`."""
    for i in range(first, last):
        number = games.numbers[i]
        sums[0, number] += 1
        if sums[4, number] != game + 1:
            sums[4, number] = game + 1
            sums[1, number] += 1
            if sums[2, number] == 0:
                sums[2, number], sums[3, number] = game + 1, i - first + 1


@root
def read_games(
    data: Bytes, games: Games, table: Table, strict: bool, most: int, sums: Int32, room: Room
) -> None:
    """Read the games that are usual, with so many texts at most, and fill what is found in them.

    If it is strict, suffix annotations deviate. The sums, which are 0, are filled for each string:
    how often it was played, in how many games, in which game first, from 1, and at which ply, and
    in which last.
    """
    count = 0
    for game in range(len(games.starts) - 1):
        games.bounds[game] = count
        games.flags[game] = 0
        if games.first[game] < 0:
            continue
        end = games.starts[game + 1]
        at, told = _skip_tags(data, games.starts[game], end, games.first[game] > 0)
        if at < 0:
            continue
        last, ended = _read_texts(data, at, end, told, games, count)
        if ended < 0 or last - count > most:
            continue
        _begin(games.positions[games.first[game]], room)
        if not _judge(data, games, count, last, table, strict, room):
            continue
        due = _result_due(room)
        if due and (told not in (0, 4, due) or ended not in (0, 4, due)):
            continue
        games.flags[game] = USUAL | (HAS_RESULT if ended else 0)
        _count(games, game, count, last, sums)
        count = last
    games.bounds[len(games.starts) - 1] = count


@root
def write_fens(
    games: Games, wanted: Int64, plies: Int64, out: Bytes, ends: Int32, times: Int64, room: Room
) -> int:
    """Write the FENs of positions, as python-chess does; how many bytes they take.

    Of each its game and the number of moves before it are given, in order, and room for 110 bytes.
    The ends are filled with 0 and where each FEN ends, the times with how often the position has
    occurred in its game, this time too.
    """
    size, game, ply = 0, -1, 0
    ends[0] = 0
    boards, _, scratch, castling, now = room
    for i in range(len(wanted)):
        if wanted[i] != game:
            game, ply = wanted[i], 0
            _begin(games.positions[games.first[game]], room)
        while ply < plies[i]:
            _make(room, games.moves[games.bounds[game] + ply])
            ply += 1
        slot = now[SLOT]
        file = now[PASSING] & 7 if now[PASSING] >= 0 else -1
        if file >= 0 and not is_legal_in_passing(boards[slot], scratch, file, 6 * now[SIDE]):
            file = -1
        size = write_board(out, size, boards[slot])
        _spread(room)
        size = write_rest(out, size, now[PLY], castling, file, now[CLOCK])
        ends[i + 1] = size
        times[i] = _times(room)
    return size
