"""The compiled loop that reads usual games.

A game is usual if each move text is a proven string or one with a small deviation (zeros in
castling, no = before a promotion, only two squares as in UCI), denotes one move, though perhaps
with another suffix, x or origin than is due, and nothing else is to be said of the game. What
deviates is named afterwards, as :mod:`verify.scan.reading` does, to which other games are left.
Boards are those of :mod:`proofs.games.boards`.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar, cast

import chess
import numba
import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import (
    INITIAL,
    KNIGHT,
    LINES,
    Bytes,
    compiled,
    copy_board,
    first_piece,
    is_attacked,
    may_castle,
    move_piece,
    reaches,
    strikes,
)
from sanproof.verify.notation.position import FenError
from sanproof.verify.scan.movetext import RESULTS, ROSTER, WHOLE_TAG, read_tags
from sanproof.verify.scan.reading import MoveText, OtherVariant, board_and_variant, denoted
from sanproof.verify.scan.results import Outcome
from sanproof.verify.scan.scanning import ChunkScan, Span

F = TypeVar("F", bound=Callable[..., Any])
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
TABLE_BITS: Final = 17
MIXER: Final = np.uint64(0x9E3779B97F4A7C15)
KIND, CAPTURES, FILE, RANK, TO, PROMOTION, SUFFIX = range(7)
"""The parts of a string, as numbers: the kind of the piece from 1, whether there is an x, the file
and the rank of the origin from 0 or -1, the destination, the kind of the promotion or 0, and the
suffix as a byte or 0. Castling is a king's move to square 64, or 65 on the queenside. Of a text
that is never canonical, the second is 2 more."""
CASTLES: Final = 64
LEFT, READ, BREAKS_OFF = 0, 1, 2
"""The outcomes of a game: it is not usual, was read, or was read and no result ends it."""
_CHECK, _MATE = 43, 35
_FILE_DUE, _RANK_DUE = 1, 2
_MOST_QUIET: Final = 150
"""The quiet moves after which the game is over (FIDE 9.6.2)."""
_SOONEST_END: Final = 16
"""The quiet moves before a position can occur for the fifth time."""
_RESULT_TAG: Final = rb'\[Result[ \t]++"(1-0|0-1|1/2-1/2|\*)"[ \t]*+\][ \t\r]*+\n'
_USUAL_TAGS: Final = re.compile(
    rb"[\r\n]*+(?:%(tag)b|(?!))*+(?:%(result)b(?:%(tag)b|(?!))*+)?(?!\[)"
    % {b"tag": rb"(?!\[Result\b)%b\n" % WHOLE_TAG, b"result": _RESULT_TAG}
)
"""The tags before the moves, none of them malformed, and one at most a result."""
_BEGINNING: Final = re.compile(rb"\[[ \t]*+(?:FEN|Variant(?! \"Standard\"))\b")
_CODES: Final = {None: 0} | {text: code for code, text in enumerate(RESULTS, start=1)}
_CORNERS: Final = (chess.H1, chess.A1, chess.H8, chess.A8)
_MOST_QUIET_BEFORE: Final = 1 << 20
"""More quiet moves before a position no game has that is read here."""


class Strings(NamedTuple):
    """The proven strings, with the tables that find their numbers."""

    keys: NDArray[np.uint64]  # the strings, packed; 0 where none is
    values: Int32  # their numbers, at the same places
    # The parts of each string by its number, then of texts that deviate; last comes room for one.
    parts: NDArray[np.int8]


class Games(NamedTuple):
    """The games of a chunk, and what is found in them.

    A first position is the squares, four rights to castle (White's first, kingside first), the
    square behind a pawn that has just advanced two squares or -1, the player (0 for White), and the
    clock of quiet moves.
    """

    asked: Int32  # of each where its moves begin, where it ends, the number of its first position,
    # negative if the game is left, and the number of the result that its tags tell, 0 if none
    positions: Int32  # the first positions
    outcomes: Bytes  # what became of each
    bounds: Int32  # the number of moves before each game, and of all, in those that were read
    numbers: Int32  # the canonical string of each move, by its number; room for half the bytes
    texts: Int32  # the number of texts that deviate before each game, and of all
    deviating: Int32  # of each its move's place among the numbers, where it begins, where it ends
    # without and with an annotation, the origin, the destination, and before it the clock and the
    # square behind a pawn that has just advanced two squares, or -1; room for a fifth of the bytes
    before: Bytes  # the squares and the rights to castle before each


class Room(NamedTuple):
    """The memory for the game that is being followed: its last positions, at least two."""

    boards: Bytes
    rights: NDArray[np.bool_]  # the four rights to castle in each
    scratch: Bytes  # for a board
    now: Int64  # see SLOT and its followers


SLOT, FIRST, PASSING, SIDE, CLOCK, IN_CHECK, KINGS = range(7)
"""The entries of ``now``: the place of the last position; that from which quiet moves lead to it;
the square behind a pawn that has just advanced two squares, or -1; the player; the clock of quiet
moves; whether the player is in check; and the two kings' squares."""


_LETTERS: Final = tuple(b" PNBRQK")
CLASSES: Final = np.zeros(256, np.uint8)
"""For each byte: 1 white space, 2 what ends a text, 4 a digit, 8 part of an annotation."""
for _bits, _bytes in ((3, b" \t\n\r\v\f"), (2, b"{}();$"), (4, b"0123456789"), (8, b"!?")):
    CLASSES[list(_bytes)] = _bits
RIGHTS_KEPT: Final = np.ones((64, 4), np.bool_)
"""For each square the castling rights that are left after a move from or to it."""
for _right, _squares in enumerate(((4, 7), (4, 0), (60, 63), (60, 56))):
    RIGHTS_KEPT[_squares, _right] = False
PACKED_RESULTS: Final = tuple(np.uint64(int.from_bytes(text, "little")) for text in RESULTS)
_ALONE: Final[dict[str, Any]] = {"_nrt": False, "error_model": "numpy"}
"""Nothing is allocated, nor raised."""


def part(function: F) -> F:
    """Compile a function as a part of the loop that calls it."""
    return cast("F", numba.njit(**_ALONE)(function))


# The texts of a game.


@part
def _find(data: Bytes, byte: int, at: int, end: int) -> int:
    while at < end and data[at] != byte:
        at += 1
    return at


@part
def _digits_end(data: Bytes, at: int, end: int) -> int:
    while at < end and CLASSES[data[at]] & 4:
        at += 1
    return at


@part
def _ends(data: Bytes, at: int, end: int) -> bool:
    return at >= end or CLASSES[data[at]] & 2 != 0


@part
def _next_text(data: Bytes, at: int, end: int) -> int:  # noqa: C901 - a branch for each part
    """Return where the next move or result begins, or the end; -1 if something is not usual.

    Comments, variations, codes such as $1, numbers of moves and their periods are passed over.
    """
    depth = 0
    while at < end:
        byte = data[at]
        after = at + 1
        if byte == 123:  # {
            after = _find(data, 125, at, end) + 1
            if after > end:
                return -1
        elif byte == 59 or (byte == 37 and data[at - 1] == 10):  # ; and % begin a remark
            after = _find(data, 10, at, end)
        elif byte == 36:  # $
            after = _digits_end(data, at + 1, end)
            if not 1 < after - at < 4:
                return -1
        elif byte == 40:
            depth += 1
        elif byte == 41:
            depth -= 1
        elif byte == 125:
            return -1
        elif depth == 0 and not CLASSES[byte] & 1 and byte != 46:
            after = _digits_end(data, at, end)
            if after == at or not (_ends(data, after, end) or data[after] == 46):
                return at
        if depth < 0:
            return -1
        at = after
    return -1 if depth else at


@part
def _packed(data: Bytes, at: int, end: int) -> tuple[np.uint64, int]:
    """Return a text as a number, its first character the lowest byte, and where it ends.

    It is 0 if it is longer than eight characters, or has a NUL, which the number would not show.
    """
    text, begin = np.uint64(0), at
    while at < end and not CLASSES[data[at]] & 10:
        if at - begin == 8 or data[at] == 0:
            return np.uint64(0), at
        text |= np.uint64(data[at]) << np.uint64(8 * (at - begin))
        at += 1
    return text, at


@part
def _result_code(text: np.uint64) -> int:
    """Return the number of a result from 1, 4 for ``*``; 0 if it is another text."""
    for i in range(4):
        if PACKED_RESULTS[i] == text:
            return i + 1
    return 0


@part
def _number(text: np.uint64, strings: Strings) -> int:
    """Return the number of a packed string; -1 if it is not a proven one."""
    slot = np.int64((text * MIXER) >> np.uint64(64 - TABLE_BITS))
    while strings.keys[slot] != 0:
        if strings.keys[slot] == text:
            return strings.values[slot]
        slot = (slot + 1) & ((1 << TABLE_BITS) - 1)
    return -1


@part
def _annotation_end(data: Bytes, at: int, end: int, strict: bool) -> int:
    """Return where a move's text ends with ! and ? after it; -1 if something else follows."""
    begin = at
    while at < end and CLASSES[data[at]] & 8:
        at += 1
    if at - begin > (0 if strict else 2) or not _ends(data, at, end):
        return -1
    return -1 if at < end and data[at] in (36, 40) else at  # $ and ( may belong to the move


# The game on the board.


@part
def _begin(position: Int32, room: Room) -> None:
    """Begin a game at its first position."""
    boards, rights, _, now = room
    for square in range(64):
        boards[0, square] = position[square]
        if position[square] in (6, 12):
            now[KINGS + (position[square] == 12)] = square
    for i in range(4):
        rights[0, i] = position[64 + i]
    now[SLOT] = now[FIRST] = 0
    now[PASSING], now[SIDE], now[CLOCK] = position[68], position[69], position[70]
    now[IN_CHECK] = is_attacked(boards[0], now[KINGS + now[SIDE]], 6 - 6 * now[SIDE])


@part
def _make(room: Room, origin: int, to: int, promotion: int) -> None:
    """Make a move: the position after it takes the next place, or begins anew if it is not quiet.

    The position before it keeps its place.
    """
    boards, rights, _, now = room
    slot, side = now[SLOT], now[SIDE]
    board = boards[slot]
    kind = np.int64(board[origin]) - 6 * side
    is_quiet = kind != 1 and board[to] == 0
    following = slot + 1 if is_quiet or slot == 0 else 0
    after = boards[following]
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
    for i in range(4):
        rights[following, i] = rights[slot, i] & RIGHTS_KEPT[origin, i] & RIGHTS_KEPT[to, i]
    now[PASSING] = (origin + to) // 2 if kind == 1 and abs(to - origin) == 16 else -1
    now[SIDE], now[SLOT] = 1 - side, following
    now[CLOCK] += 1
    if not is_quiet:
        now[FIRST], now[CLOCK] = following, 0


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
def _may_have_ended(room: Room) -> bool:
    """Check whether 75 moves or a fifth repetition may have ended the game before (FIDE 9.6).

    Rights to castle and to capture in passing are not compared.
    """
    boards, now = room.boards, room.now
    slot, times = now[SLOT], 1
    if now[CLOCK] < _SOONEST_END:
        return False
    for there in range(slot - 4, now[FIRST] - 1, -2):
        square = 0
        while square < 64 and boards[there, square] == boards[slot, square]:
            square += 1
        times += square == 64
    return now[CLOCK] >= _MOST_QUIET or times >= 5


@part
def _is_legal(room: Room, origin: int, to: int) -> bool:
    """Check whether a piece of the player's may go to a square, without castling."""
    boards, _, scratch, now = room
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
def _origin(parts: NDArray[np.int8], room: Room) -> tuple[int, int]:
    """Return whence the move comes that is written so, and what is due of its origin.

    Of a piece, x is not looked at, nor of any move the suffix. The origin is -1 if none agrees, or
    more than one does.
    """
    slot, side = room.now[SLOT], room.now[SIDE]
    board, piece = room.boards[slot], parts[KIND] + 6 * side
    to, file, rank = parts[TO], parts[FILE], parts[RANK]
    if to >= CASTLES:
        king = room.now[KINGS + side]
        may = may_castle(board, room.rights[slot], king, king + 2 - 4 * (to - CASTLES), side)
        return (king if may else -1), 0
    is_pawn = parts[KIND] == 1
    if is_pawn and (parts[CAPTURES] & 1) != _captures(room, 1, to):
        return -1, 0
    if is_pawn and file < 0:
        file = to & 7
    found = -1
    legal = files = ranks = 0  # four bits count the pieces of each file and of each rank
    first, step = (file, 8) if is_pawn else (0, 1)
    for origin in range(first, 64, step):
        if board[origin] != piece or not _is_legal(room, origin, to):
            continue
        legal += 1
        files += 1 << 4 * (origin & 7)
        ranks += 1 << 4 * (origin >> 3)
        if file in (-1, origin & 7) and rank in (-1, origin >> 3):
            if found >= 0:
                return -1, 0
            found = origin
    due = 0
    if is_pawn:
        due = _FILE_DUE * (parts[CAPTURES] & 1)
    elif legal > 1:  # PGN standard, section 8.2.3.4
        has_twin = files >> 4 * (found & 7) & 15 > 1, ranks >> 4 * (found >> 3) & 15 > 1
        due = _FILE_DUE if not has_twin[0] else _RANK_DUE + _FILE_DUE * has_twin[1]
    return found, due


@part
def _captures(room: Room, kind: int, to: int) -> bool:
    """Check whether a move of a piece of a kind to a square captures."""
    boards, now = room.boards, room.now
    return to < CASTLES and (boards[now[SLOT], to] != 0 or (kind == 1 and to == now[PASSING]))


@part
def _read_coordinates(text: np.uint64, room: Room, parts: NDArray[np.int8]) -> bool:
    """Fill in the parts of a move of which only the squares are written; False if it is another."""
    place = 0
    for i in range(4):
        value = np.int64((text >> np.uint64(8 * i)) & np.uint64(255)) - (49 if i & 1 else 97)
        if not 0 <= value < 8:
            return False
        place |= value << 3 * i
    origin, to, letter = place & 63, place >> 6, np.int64(text >> np.uint64(32))
    become = 0
    if letter:
        for kind in range(2, 6):
            if letter == _LETTERS[kind] + 32:
                become = kind
        if not become:
            return False
    side = room.now[SIDE]
    kind = np.int64(room.boards[room.now[SLOT], origin]) - 6 * side
    if not 1 <= kind <= 6 or (become != 0) != (kind == 1 and to >> 3 in (0, 7)):
        return False
    parts[KIND], parts[CAPTURES] = kind, 2 + _captures(room, kind, to)
    parts[FILE], parts[RANK], parts[PROMOTION] = origin & 7, origin >> 3, become
    is_castling = kind == 6 and origin == 4 + 56 * side and abs(to - origin) == 2
    parts[TO] = CASTLES + (to < origin) if is_castling else to
    parts[SUFFIX] = 0
    return True


@part
def _canonical(parts: NDArray[np.int8], origin: int, due: int, x: bool, suffix: int) -> np.uint64:
    """Return how a move is written, packed; its characters are put before one another."""
    text, to = np.int64(suffix), np.int64(parts[TO])
    if to >= CASTLES:
        for byte in b"O-O-O"[: 3 if to == CASTLES else 5]:
            text = text << 8 | byte
        return np.uint64(text)
    if parts[PROMOTION]:
        text = text << 16 | _LETTERS[parts[PROMOTION]] << 8 | 61
    text = text << 16 | (49 + (to >> 3)) << 8 | (97 + (to & 7))
    if x:
        text = text << 8 | 120
    if due & _RANK_DUE:
        text = text << 8 | (49 + (origin >> 3))
    if due & _FILE_DUE:
        text = text << 8 | (97 + (origin & 7))
    return np.uint64(text << 8 | _LETTERS[parts[KIND]] if parts[KIND] > 1 else text)


# Whole games.


@part
def _agrees(result: int, is_mate: bool, room: Room) -> bool:
    """Check whether a result agrees with the last position; False also if only minor pieces won."""
    if result in (0, 4):
        return True
    if is_mate:
        return result == (2 if room.now[SIDE] == 0 else 1)
    if result == 3:
        return True
    for square in range(64):  # with a pawn, rook or queen mate is possible
        if room.boards[room.now[SLOT], square] in (1, 4, 5, 7, 10, 11):
            return _has_move(room)
    return False


@part
def _read_game(  # noqa: C901 - compiled
    data: Bytes, game: int, games: Games, strings: Strings, strict: bool, room: Room
) -> int:
    """Read a game; its result's number, -1 if it is left."""
    at, end, first, told = games.asked[game]
    count, texts, ended, suffix = games.bounds[game], games.texts[game], 0, 0
    now = room.now
    _begin(games.positions[first], room)
    while True:
        at = _next_text(data, at, end)
        if at < 0:
            return -1
        if at >= end:
            break
        begin = at
        text, at = _packed(data, at, end)
        code = _result_code(text)
        if ended or (code and ((told and code != told) or not _ends(data, at, end))):
            return -1
        if code:
            ended = code
            continue
        number = _number(text, strings)
        parts = strings.parts[number]  # the last if it is -1
        if (number < 0 and not _read_coordinates(text, room, parts)) or _may_have_ended(room):
            return -1
        origin, due = _origin(parts, room)
        if origin < 0:
            return -1
        to, suffix, x = parts[TO], parts[SUFFIX], _captures(room, parts[KIND], parts[TO])
        if to >= CASTLES:
            to = origin + 2 - 4 * (to - CASTLES)
        is_due = parts[KIND] == 1 or due == (parts[FILE] >= 0) + 2 * (parts[RANK] >= 0)
        slot, clock, passing = now[SLOT], now[CLOCK], now[PASSING]
        _make(room, origin, to, parts[PROMOTION])
        is_check = now[IN_CHECK] != 0
        text_end, at = at, _annotation_end(data, at, end, strict)
        if at < 0:
            return -1
        is_wrong = is_check != (suffix != 0) or (suffix == _MATE and _has_move(room))
        if is_wrong or parts[CAPTURES] != x or not is_due:
            suffix = 0 if not is_check else _CHECK if _has_move(room) else _MATE
            number = _number(_canonical(parts, origin, due, x, suffix), strings)
            if number < 0 or texts == len(games.deviating):
                return -1
            row = count, begin, text_end, at, origin, to, clock, passing
            _note(games, texts, row, slot, room)
            texts += 1
        games.numbers[count] = number
        count += 1
    is_mate = now[IN_CHECK] != 0 and not _has_move(room)
    if is_mate and suffix == _CHECK:
        return -1
    games.bounds[game + 1], games.texts[game + 1] = count, texts
    is_right = _agrees(told, is_mate, room) and _agrees(ended, is_mate, room)
    return ended if is_right else -1


@part
def _note(games: Games, text: int, row: tuple[int, ...], slot: int, room: Room) -> None:
    """Note a text that deviates, and the position before it, which has a place in the room."""
    for i in range(8):
        games.deviating[text, i] = row[i]
    before = games.before[text]
    copy_board(room.boards[slot], before)
    for i in range(4):
        before[64 + i] = room.rights[slot, i]


def _read_games(
    data: Bytes,
    games: Games,
    strings: Strings,
    strict: bool,
    must_end: bool,
    sums: Int32,
    room: Room,
) -> int:
    """Read the games that are usual, and fill what is found in them; how many strings have sums.

    If it is strict, suffix annotations are not usual; nor are games without a result if they must
    end (rewriting adds one). The sums, which are 0, are filled for each string: how often it was
    played, in how many games, in which game first, from 1, and at which ply, and in which last.
    Last come the numbers of the strings that were played.
    """
    played = 0
    games.bounds[0] = games.texts[0] = 0
    for game in range(len(games.asked)):
        games.outcomes[game] = LEFT
        ended = -1
        if games.asked[game, 2] >= 0:
            ended = _read_game(data, game, games, strings, strict, room)
        if ended < 0 or (must_end and not ended):
            games.bounds[game + 1], games.texts[game + 1] = games.bounds[game], games.texts[game]
            continue
        games.outcomes[game] = READ if ended else BREAKS_OFF
        for i in range(games.bounds[game], games.bounds[game + 1]):
            number = games.numbers[i]
            sums[0, number] += 1
            if sums[4, number] != game + 1:
                sums[4, number] = game + 1
                sums[1, number] += 1
                if sums[2, number] == 0:
                    sums[2, number], sums[3, number] = game + 1, i - games.bounds[game] + 1
                    sums[5, played] = number
                    played += 1
    return played


read_games = compiled(_read_games, **_ALONE)


# A chunk.


@lru_cache(maxsize=1)
def proven_strings(lines: bytes) -> tuple[list[str], Strings, Int32, Room]:
    """Read the proven strings, one a line, and return the tables that find and count them."""
    names = lines.decode("ascii").split()
    respelled = [name.replace("O", "0").replace("=", "") for name in names]
    pairs = [(text, name) for text, name in zip(respelled, names, strict=True) if text != name]
    keys = np.array([*names, *(text for text, _ in pairs)], "S8").view(np.uint64)
    slots = (keys * MIXER >> np.uint64(64 - TABLE_BITS)).astype(np.int64)
    table, values = np.zeros(1 << TABLE_BITS, np.uint64), np.zeros(1 << TABLE_BITS, np.int32)
    left = np.arange(len(keys))
    while len(left):  # each takes the first place that no other has
        free = left[table[slots[left]] == 0]
        table[slots[free]] = keys[free]
        left = left[table[slots[left]] != keys[left]]
        slots[left] = (slots[left] + 1) & ((1 << TABLE_BITS) - 1)
    values[slots] = np.arange(len(keys))
    parts = _parts_of(np.array([*names, *(name for _, name in pairs), "e4"], "S8"))
    parts[len(names) :, CAPTURES] += 2
    room = Room(
        np.zeros((_MOST_QUIET + 3, 64), np.uint8),
        np.zeros((_MOST_QUIET + 3, 4), np.bool_),
        np.zeros(64, np.uint8),
        np.zeros(KINGS + 2, np.int64),
    )
    return names, Strings(table, values, parts), np.zeros((6, len(names)), np.int32), room


def _parts_of(names: NDArray[np.bytes_]) -> NDArray[np.int8]:
    """Return the parts of strings, in the order of :data:`KIND`."""
    texts = names.astype("S9").view(np.uint8).reshape(-1, 9)
    rows, ends = np.arange(len(names)), np.count_nonzero(texts, axis=1)

    def last(wanted: bytes) -> Int64:
        """Cut off the last character if it is among the wanted ones; its place there, or -1."""
        places = np.full(256, -1)
        places[list(wanted)] = range(len(wanted))
        found = places[texts[rows, ends - 1]]
        ends[found >= 0] -= 1
        return found

    suffix, promotion, _ = last(b"+#"), last(b"PNBRQ"), last(b"=")
    to_rank, to_file, x = last(b"12345678"), last(b"abcdefgh"), last(b"x")
    rank, file = last(b"12345678"), last(b"abcdefgh")
    to = np.where(to_rank < 0, CASTLES + (ends == 5), 8 * to_rank + to_file)
    kind = np.where(to_rank < 0, chess.KING, np.maximum(last(b"PNBRQK"), 0) + 1)
    ending = np.array([_CHECK, _MATE, 0])[suffix]
    parts = kind, x >= 0, file, rank, to, promotion + 1, ending
    return np.stack(parts, axis=1).astype(np.int8)


def read_usual(scan: ChunkScan, games: list[Span]) -> list[Span]:
    """Read the usual games among those of a chunk into ``scan``, and return the others."""
    options, data = scan.options, scan.data
    names, strings, sums, room = proven_strings(options.proven)
    found, starts = _games(scan, games)
    text = np.frombuffer(data or b"\n", np.uint8)
    count = read_games(text, found, strings, options.strict, options.rewrite, sums, room)
    played = sums[5, :count].copy()
    scan.found.seen = {
        names[number]: (times, in_games, games[first - 1][0], ply)
        for number, times, in_games, first, ply in zip(
            played.tolist(), *sums[:4, played].tolist(), strict=True
        )
    }
    sums[:, played] = 0
    _count(scan, games, found)
    left = []
    bounds, texts = found.bounds.tolist(), found.texts.tolist()
    moves = found.numbers.tolist() if options.games or options.find else []
    for i, (game, outcome) in enumerate(zip(games, found.outcomes.tolist(), strict=True)):
        if not outcome:
            left.append(game)
            continue
        for j in range(texts[i], texts[i + 1]):
            first = starts.get(i, chess.STARTING_FEN)
            scan.take_deviating(game[0], _move_text(scan, found, j, names, bounds[i], first))
        if moves:
            sans = [names[number] for number in moves[bounds[i] : bounds[i + 1]]]
            scan.take_usual(game, sans, starts.get(i, ""))
    return left


def _count(scan: ChunkScan, games: list[Span], found: Games) -> None:
    """Count the games that were read, and their moves, for each piece of the chunk."""
    is_read, moves = found.outcomes != LEFT, np.diff(found.bounds)
    counted = {
        "games": is_read,
        f"games_{Outcome.READ}": is_read,
        "games_without_result": found.outcomes == BREAKS_OFF,
        "games_from_position": is_read & (found.asked[:, 2] > 0),
        "games_without_moves": is_read & (moves == 0),
        "moves": moves,
        "deviating_moves": np.diff(found.texts),
    }
    pieces = np.array([scan.places[begin][0] for begin, _ in games], np.int64)
    for name, of_games in counted.items():
        numbers = np.bincount(pieces, of_games, len(scan.chunk)).astype(int)
        for counts, number in zip(scan.found.counts, numbers.tolist(), strict=True):
            counts[name] += number


def _games(scan: ChunkScan, games: list[Span]) -> tuple[Games, dict[int, str]]:
    """Return what the loop needs to know of games; and the FENs from which some begin."""
    options, data = scan.options, scan.data
    asked = [(0, 0, -1, 0)] * len(games)
    positions, fens = [[*INITIAL.tolist(), 1, 1, 1, 1, -1, 0, 0]], dict[int, str]()
    for i, (begin, end) in enumerate(games):
        head = _USUAL_TAGS.match(data, begin, end)
        if head is None or (options.variations and data.find(b"(", head.end(), end) >= 0):
            continue
        if options.strict and not ROSTER.keys() <= read_tags(data, begin, end)[0].keys():
            continue
        first = 0
        if _BEGINNING.search(data, begin, head.end()):
            tags = read_tags(data, begin, end)[0]
            try:
                board, variant, drops_right = board_and_variant(tags)
            except (FenError, OtherVariant):
                continue
            if variant or drops_right or board.halfmove_clock >= _MOST_QUIET_BEFORE:
                continue
            if "FEN" in tags:
                first = len(positions)
                positions.append(_as_numbers(board))
                fens[i] = board.fen()
        asked[i] = head.end(), end, first, _CODES[head[1]]
    found = Games(
        np.array(asked, np.int32).reshape(-1, 4),
        np.array(positions, np.int32),
        np.zeros(len(games), np.uint8),
        np.zeros(len(games) + 1, np.int32),
        np.empty(len(data) // 2 + 2, np.int32),
        np.zeros(len(games) + 1, np.int32),
        np.empty((len(data) // 5, 8), np.int32),
        np.empty((len(data) // 5, 68), np.uint8),
    )
    return found, fens


def _move_text(
    scan: ChunkScan, games: Games, text: int, names: list[str], before_game: int, first: str
) -> MoveText:
    """Return a text that deviates; the moves before its game and the first position are known."""
    at, begin, end, full_end, origin, to, clock, passing = games.deviating[text].tolist()
    san, place = names[games.numbers[at]], (begin, end, full_end)
    turn, *_, number = first.split()[1:]
    half_moves = at - before_game + (turn == "b")
    before = _fen(games.before[text].tobytes(), half_moves & 1, passing)
    fen = f"{before} {clock} {int(number) + half_moves // 2}"
    data = scan.data
    written = data[begin:end], san
    if written not in _KINDS:
        *_, _KINDS[written] = denoted(data, place, chess.Board(fen), scan.options)
    promotion = san.partition("=")[2][:1].lower()
    uci = f"{chess.SQUARE_NAMES[origin]}{chess.SQUARE_NAMES[to]}{promotion}"
    return MoveText(place, at - before_game + 1, san, uci, fen, kind=_KINDS[written])


_KINDS: Final[dict[tuple[bytes, str], str]] = {}
"""What deviates in a text if a string is canonical; the loop reads no text that tells more."""
_PIECES: Final = bytes.maketrans(bytes(range(13)), b".PNBRQKpnbrqk")
_EMPTY: Final = re.compile(r"\.+")


def _fen(before: bytes, player: int, passing: int) -> str:
    """Return the FEN of a position of the loop, without its clocks."""
    board = "/".join(_rank(before[rank : rank + 8]) for rank in range(56, -1, -8))
    rights = "".join(right for right, has in zip("KQkq", before[64:68], strict=True) if has)
    fen = f"{board} {'wb'[player]} {rights or '-'}"
    if passing < 0:
        return f"{fen} -"
    return chess.Board(f"{fen} {chess.SQUARE_NAMES[passing]} 0 1").fen().removesuffix(" 0 1")


@lru_cache(maxsize=1 << 16)
def _rank(squares: bytes) -> str:
    """Return eight squares as a FEN has them."""
    letters = squares.translate(_PIECES).decode("ascii")
    return _EMPTY.sub(lambda match: str(len(match[0])), letters)


def _as_numbers(board: chess.Board) -> list[int]:
    """Return a first position as the loop has it."""
    squares = [0] * 64
    for square, piece in board.piece_map().items():
        squares[square] = piece.piece_type + 6 * (not piece.color)
    rights = [bool(board.castling_rights & chess.BB_SQUARES[s]) for s in _CORNERS]
    passing = -1 if board.ep_square is None else board.ep_square
    return [*squares, *rights, passing, int(not board.turn), board.halfmove_clock]
