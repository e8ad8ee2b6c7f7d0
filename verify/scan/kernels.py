"""The loops of the fast path, compiled: usual movetext to move texts, and moves to SAN.

Both are careful: what is not usual is left to :mod:`verify.scan.movetext` and python-chess. Boards
are those of :mod:`proofs.games.boards`.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

import re
from collections import namedtuple
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import (
    INITIAL,
    LETTERS,
    Bytes,
    OneMove,
    copy_board,
    gives_check,
    is_legal_in_passing,
    may_go,
    move_man,
    origin_due,
    reaches,
    write_board,
    write_rest,
    write_san,
)
from sanproof.proofs.games.compiled import compiled
from sanproof.verify.notation.vocabulary import Deviation
from sanproof.verify.scan import borders

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

USUAL: Final = 1
HAS_RESULT: Final = 2
TABLE_BITS: Final = 17
LONGEST_TEXT: Final = 8
"""Longer texts are not usual; one more byte than SAN takes."""
DEVIATIONS: Final = (
    Deviation.ZEROS_IN_CASTLING,
    Deviation.COORDINATE_NOTATION,
    Deviation.MISSING_PROMOTION_SIGN,
    Deviation.RANK_INSTEAD_OF_FILE,
    Deviation.EXCESS_FILE,
    Deviation.EXCESS_RANK,
    Deviation.EXCESS_SQUARE,
    Deviation.MISSING_CHECK,
    Deviation.SUPERFLUOUS_CHECK,
    Deviation.MISSING_MATE,
    Deviation.SUPERFLUOUS_MATE,
    Deviation.MATE_WRITTEN_AS_CHECK,
    Deviation.CHECK_WRITTEN_AS_MATE,
    Deviation.ANNOTATION,
)
"""The deviations that the loops can name: each is a bit, the first the lowest."""
Bits = namedtuple("Bits", [deviation.name for deviation in DEVIATIONS])  # type: ignore[misc]  # noqa: PYI024
BIT: Final[Any] = Bits(*(1 << place for place in range(len(DEVIATIONS))))
"""The bit of each, by its name."""

SKIPPED, DOWN, UP, RESULT, MOVE, OTHER, UNUSUAL = range(7)
"""What a part of movetext is."""


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
RESULTS: Final = tuple(np.frombuffer(text, dtype=np.uint8) for text in borders.RESULTS[:3])
ENDINGS: Final = tuple(
    np.frombuffer(text[::-1], dtype=np.uint8) for text in (*borders.RESULTS, *borders.OTHER_RESULTS)
)
"""All results from end to beginning."""
LAST_OF_RESULTS: Final = np.isin(np.arange(256), [text[0] for text in ENDINGS])
"""For each byte whether a result may end with it."""
FIRST_MOVES: Final = np.array(
    [
        int.from_bytes(f"{piece}{file}{rank}".encode(), "little")
        for pieces, files, ranks in (
            (("", *(f"{file}2" for file in "abcdefgh")), "abcdefgh", "34"),
            (("N", "b1", "g1"), "acfh", "3"),
        )
        for piece in pieces
        for file in files
        for rank in ranks
    ],
    dtype=np.uint64,
)
"""The first moves of pawns and knights, in SAN and in UCI, as :func:`_packed` packs them."""
STANDARD_TAG: Final = np.frombuffer(b'[Variant "Standard"]', dtype=np.uint8)
FEN_TAG: Final = np.frombuffer(b"[FEN", dtype=np.uint8)
VARIANT_TAG: Final = np.frombuffer(b"[Variant", dtype=np.uint8)


class Texts(NamedTuple):
    """The move texts of a chunk's usual games."""

    starts: Int64  # where the chunk's games begin, and its end
    begins: Int32  # where each move text begins; room for half the bytes
    finishes: Int32  # where it ends
    bounds: Int64  # the number of texts before each game, and of all
    flags: Bytes  # the flags of each game, 0 for one that is not usual
    clean: Bytes  # the texts alone as the native reader takes them, a space after each
    clean_bounds: Int32  # where each usual game begins in them; the others are empty


class Moves(NamedTuple):
    """The moves of some games, game after game, as the native reader gives them.

    A game of n moves has n + 1 positions: one before each move and one after the last.

    Attributes:
        bounds: The number of moves before each game, and of all.
        boards: The positions.
        castling: The rights in each: White's kingside and queenside, Black's.
        en_passant: In each the file of the pawn that has just advanced two squares, or -1.
        origins: The square that each move leaves.
        destinations: The square that it reaches.
        promotions: The kind of man that a pawn becomes, or -1.
        mates: Whether a game's last position is mate.
    """

    bounds: Int64
    boards: Bytes
    castling: NDArray[np.bool_]
    en_passant: NDArray[np.int8]
    origins: Bytes
    destinations: Bytes
    promotions: NDArray[np.int8]
    mates: NDArray[np.bool_]


class Table(NamedTuple):
    """Finds the numbers of the proven strings.

    Attributes:
        keys: The strings, packed; 0 where none is.
        values: Their numbers, at the same places.
    """

    keys: NDArray[np.uint64]
    values: Int32


class Matched(NamedTuple):
    """What is filled when texts are compared with their moves.

    Attributes:
        numbers: The number of each move text's string.
        deviating: The bits of what deviates in each move text.
        canonical: Says which games are looked at; those with a text that has other deviations, or
            whose string is not proven, are taken out.
    """

    numbers: Int32
    deviating: Int32
    canonical: NDArray[np.bool_]


@compiled
def _lead_end(data: Bytes, at: int) -> int:
    """The offset after white space, Ctrl-Z and byte order marks at the beginning of a line."""
    end = len(data)
    while at < end:
        if data[at] in (32, 9, 26):
            at += 1
        elif at + 2 < end and data[at] == 239 and data[at + 1] == 187 and data[at + 2] == 191:
            at += 3
        else:
            break
    return at


@compiled
def _is_tag_line(data: Bytes, at: int) -> bool:
    """Check whether a line begins as a tag does: ``[Name "``."""
    end = len(data)
    at = _lead_end(data, at)
    if at >= end or data[at] != 91:
        return False
    at += 1
    begin = at
    while at < end and IN_NAMES[data[at]]:
        at += 1
    after = at
    while at < end and (data[at] == 32 or data[at] == 9):
        at += 1
    return begin < after < at < end and data[at] == 34


@compiled
def _is_first_move(data: Bytes, at: int) -> bool:
    """Check whether a line begins as games do: with the number 1, or with a first move."""
    end = len(data)
    at = _lead_end(data, at)
    if at < end and data[at] == 49:  # 1
        return _is_first_number(data, at + 1)
    for after in range(at + 2, min(at + 4, end) + 1):
        if after == end or CLASSES[data[after]] & 1 or data[after] in (33, 63):
            text = _packed(data, at, after)
            for move in FIRST_MOVES:
                if text == move:
                    return True
    return False


@compiled
def _is_first_number(data: Bytes, at: int) -> bool:
    """Check whether what follows a 1 makes it the number of a first move."""
    end = len(data)
    after = at
    while after < end and data[after] in (32, 9):
        after += 1
    if after >= end:
        return False
    if data[after] == 46:
        return after + 1 >= end or data[after + 1] != 46
    return after > at and (97 <= data[after] <= 104 or data[after] == 78)


@compiled
def _has_result_before(data: Bytes, begin: int, end: int) -> bool:
    """Check whether a text ends in a result, after white space, a bracket or nothing."""
    while end > begin and CLASSES[data[end - 1]] & 1:
        end -= 1
    for text in ENDINGS:
        at = end - len(text)
        if at < begin or not _ends_with(data, end, text):
            continue
        if at == begin or CLASSES[data[at - 1]] & 1 or data[at - 1] in (41, 125):
            return True
    return False


@compiled
def _ends_with(data: Bytes, end: int, reverse: Bytes) -> bool:
    """Check whether a text is before an offset, given from its end to its beginning."""
    for i in range(len(reverse)):  # noqa: SIM110 - compiled
        if data[end - 1 - i] != reverse[i]:
            return False
    return True


@compiled
def _begins_text(data: Bytes, at: int) -> bool:
    """Check whether there is text that is no tag and no remark, after an empty line."""
    end = len(data)
    while at < end:
        after = _lead_end(data, at)
        if after == at and not CLASSES[data[at]] & 1:
            return data[at] not in (91, 37)  # [ %
        at = after if after > at else at + 1
    return False


@compiled
def _blank_end(data: Bytes, at: int) -> tuple[int, int]:
    """After an empty line: where the next text begins, and its line; -1 if the line is not empty.

    The line that may be empty begins ``at`` an offset.
    """
    end = len(data)
    while at < end and data[at] in (32, 9, 13):
        at += 1
    if at >= end or data[at] != 10:
        return -1, -1
    line = at
    while at < end and CLASSES[data[at]] & 1:
        at += 1
        if data[at - 1] == 10:
            line = at
    return at, line


@compiled
def find_starts(data: Bytes, ends: Int64, longest_result: int, starts: Int64) -> int:
    """Find where games begin, as :func:`verify.scan.borders.game_starts` does after the first.

    Args:
        data: A text that begins at the border of a game.
        ends: Where its lines end, and where it does.
        longest_result: How many bytes before an empty line are searched for a result.
        starts: Is filled with the offsets, whose number is returned; room for one in three bytes.
    """
    count = 0
    end = len(data)
    at = 0
    text, line = _blank_end(data, at)
    if text >= 0:
        at = line
    number = 0
    goes_on = -1
    while at < end:
        line_begin, is_tag = at, _is_tag_line(data, at)
        if is_tag and at != goes_on:
            starts[count] = at
            count += 1
        while ends[number] < at:
            number += 1
        at = ends[number]
        if is_tag:
            goes_on = _next_tag(data, line_begin, min(at + 1, end), end)
        text, line = _blank_end(data, at + 1)
        first, last = max(0, at - longest_result), at - 1
        while last >= first and CLASSES[data[last]] & 1:
            last -= 1
        if (
            last >= first
            and LAST_OF_RESULTS[data[last]]
            and (_begins_text(data, text) if text >= 0 else _is_first_move(data, at + 1))
            and _has_result_before(data, first, at)
        ):
            starts[count] = line if text >= 0 else at + 1
            count += 1
        if text < 0:
            at += 1
            continue
        at = line
    return count


@compiled
def _next_tag(data: Bytes, line: int, after: int, end: int) -> int:
    """The same as :func:`verify.scan.borders.next_tag`."""
    if after < end and data[after] == 91:  # [
        return after
    last = after - 1
    while last > line and data[last] in (32, 9, 13, 10):
        last -= 1
    if data[last] != 93:  # ]
        return after
    at, has_empty = after, False
    while at < end:
        begin, is_escaped = at, data[at] == 37  # %
        while at < end and (is_escaped or data[at] in (32, 9, 13)) and data[at] != 10:
            at += 1
        if at >= end or data[at] != 10 or (has_empty and not is_escaped):
            at = begin
            break
        has_empty = has_empty or not is_escaped
        at += 1
    if at == after:
        return after
    return at if at < end and _is_tag_line(data, at) else after


@compiled
def _ends(data: Bytes, at: int, end: int) -> bool:
    return at >= end or CLASSES[data[at]] & 2 != 0


@compiled
def _begins_with(data: Bytes, at: int, end: int, text: Bytes) -> bool:
    if at + len(text) > end:
        return False
    for i in range(len(text)):  # noqa: SIM110 - compiled
        if data[at + i] != text[i]:
            return False
    return True


@compiled
def _skip_tags(data: Bytes, at: int, end: int, strict: bool) -> int:
    """The offset after the tag section; -1 if the game is not usual.

    As a tag can say. If it is strict, tags begin their lines.
    """
    while at < end and (CLASSES[data[at]] & 1 or _lead_end(data, at) > at):
        after = _lead_end(data, at)
        if not _is_usual_lead(data, at, after, strict):
            return -1
        at = max(at + 1, after)
    while at < end and data[at] == 91:  # [
        if _begins_with(data, at, end, FEN_TAG):
            return -1
        if _begins_with(data, at, end, VARIANT_TAG) and not _begins_with(
            data, at, end, STANDARD_TAG
        ):
            return -1
        line = at
        at += 1
        is_closed = False
        while at < end and data[at] != 10:
            if data[at] == 91 or (is_closed and not CLASSES[data[at]] & 1):
                return -1  # a second tag on the line, or moves
            is_closed = is_closed or data[at] == 93  # ]
            at += 1
        if not is_closed:
            return -1
        at = _next_tag(data, line, min(at + 1, end), end)
        after = _lead_end(data, at)
        if not _is_usual_lead(data, at, after, strict):
            return -1
        at = after
    return min(at, end)


@compiled
def _is_usual_lead(data: Bytes, at: int, after: int, strict: bool) -> bool:
    """Check whether nothing odd begins a line, up to an offset: white space is, if it is strict."""
    for i in range(at, after):  # noqa: SIM110 - compiled
        if data[i] == 26 or (strict and data[i] in (32, 9)):
            return False
    return True


@compiled
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
        return SKIPPED, _digits_end(data, at + 1, end)
    return (UNUSUAL if byte == 125 else OTHER), at


@compiled
def _digits_end(data: Bytes, at: int, end: int) -> int:
    while at < end and CLASSES[data[at]] & 4:
        at += 1
    return at


@compiled
def _number_or_result(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """Return what begins with a digit outside variations, and where it ends."""
    for text in RESULTS:
        if _begins_with(data, at, end, text) and _ends(data, at + len(text), end):
            return RESULT, at + len(text)
    at = _digits_end(data, at, end)
    if at < end and data[at] == 46:
        return SKIPPED, at + 1  # more periods are skipped by themselves
    return (SKIPPED if _ends(data, at, end) else UNUSUAL), at


@compiled
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
    return (MOVE if at - begin <= LONGEST_TEXT else UNUSUAL), at


@compiled
def _glyph_end(data: Bytes, at: int, end: int) -> int:
    """The offset after ! and ? that follow a move; -1 if something else follows them."""
    begin = at
    while at < end and at < begin + 2 and data[at] in (33, 63):
        at += 1
    if not _ends(data, at, end) or (at < end and data[at] == 40):  # a ( may belong to the move
        return -1
    return at


@compiled
def _read_moves(
    data: Bytes, at: int, end: int, begins: Int32, finishes: Int32, count: int
) -> tuple[int, int]:
    """Note the move texts of a game from a place on; how many there are then, and the flags.

    The flags are 0 if anything is not usual.
    """
    depth = 0
    flags = USUAL
    while at < end:
        part, after = _part(data, at, end)
        if part == OTHER:
            part, after = (SKIPPED, at + 1) if depth else _main_part(data, at, end)
        if part == DOWN:
            depth += 1
        elif part == UP:
            depth -= 1
        elif part == RESULT:
            part = UNUSUAL if flags & HAS_RESULT else part
            flags |= HAS_RESULT
        elif part == MOVE:
            begins[count] = at
            finishes[count] = after
            count += 1
            full_end = _glyph_end(data, after, end)
            if full_end < 0 or flags & HAS_RESULT:
                part = UNUSUAL
            after = full_end
        if part == UNUSUAL or depth < 0:
            return count, 0
        at = after
    return (count, 0) if depth else (count, flags)


@compiled
def _is_square(data: Bytes, at: int) -> bool:
    return 97 <= data[at] <= 104 and 49 <= data[at + 1] <= 56


@compiled
def _is_coordinates(data: Bytes, begin: int, end: int) -> bool:
    """Check whether a text begins as UCI does: with two squares."""
    return end - begin >= 4 and _is_square(data, begin) and _is_square(data, begin + 2)


@compiled
def _write_clean(
    data: Bytes, begins: Int32, finishes: Int32, clean: Bytes, size: int, board: Bytes
) -> int:
    """Write the texts of a game as the native reader takes them; how many bytes are written then.

    It refuses ``++``, needs the = of a promotion, and takes UCI of pawns only: from the first text
    in UCI on, the men are followed on the board. What it takes, it reads as the judge does.
    """
    follows = False
    for i in range(len(begins)):
        begin, end = begins[i], finishes[i]
        is_uci = _is_coordinates(data, begin, end)
        if is_uci and not follows:
            follows = True
            copy_board(INITIAL, board)
            for j in range(i):
                _play_san(data, begins[j], finishes[j], board, 6 * (j % 2))
        if is_uci:
            size = _write_from_uci(data, begin, end, clean, size, board)
        elif data[end - 1] in (66, 78, 81, 82, 35, 43):  # B, N, Q, R, # and +
            size = _write_with_sign(data, begin, end, clean, size)
        else:
            for j in range(begin, end):
                clean[size] = data[j]
                size += 1
        if follows and not is_uci:
            _play_san(data, begin, end, board, 6 * (i % 2))
        clean[size] = 32
        size += 1
    return size


@compiled
def _play_san(data: Bytes, begin: int, end: int, board: Bytes, mover: int) -> None:
    """Move the man that a text in SAN names; the mover is 0 for White, 6 for Black.

    Nothing is checked, as with UCI: what is not understood moves nothing, and then the native
    reader refuses a later text in UCI, for its letter or square is wrong.
    """
    while end > begin and data[end - 1] in (35, 43):  # + and #
        end -= 1
    if data[begin] in (48, 79):  # 0 and O
        king = 60 if mover else 4
        move_man(board, king, king + 2 if end - begin == 3 else king - 2)
        return
    promotion = _kind_of(data[end - 1])
    if promotion:
        end -= 2 if data[end - 2] == 61 else 1
    kind = max(1, _kind_of(data[begin]))
    begin += kind > 1
    if end - begin < 2 or not _is_square(data, end - 2):
        return
    to = np.int64(data[end - 2]) - 97 + 8 * (np.int64(data[end - 1]) - 49)
    origin = _origin_of(board, kind + mover, to, data[begin : end - 2])
    if origin >= 0:
        move_man(board, origin, to)
        if promotion:
            board[to] = promotion + mover


@compiled
def _origin_of(board: Bytes, man: int, to: int, written: Bytes) -> int:
    """Return where a piece stands that may go to a square, by what is written of it; or -1."""
    mover = 6 if man > 6 else 0
    king = 0
    for square in range(64):
        if board[square] == 6 + mover:
            king = square
    scratch = np.zeros(64, dtype=np.uint8)
    for square in range(64):
        if (
            board[square] == man
            and _is_from(square, written, to if man - mover == 1 else square)
            and reaches(board, man - mover, square, to, mover)
            and may_go(board, scratch, square, to, to if square == king else king)
        ):
            return square
    return -1


@compiled
def _is_from(square: int, written: Bytes, else_file: int) -> bool:
    """Check whether a square is what is written of it; its file is another square's if none is."""
    file = else_file & 7
    for byte in written:
        if 97 <= byte <= 104:
            file = np.int64(byte) - 97
        elif 49 <= byte <= 56 and byte - 49 != square >> 3:
            return False
    return (square & 7) == file


@compiled
def _write_with_sign(data: Bytes, begin: int, end: int, clean: Bytes, size: int) -> int:
    """Write a text, with the = of a promotion."""
    last = end
    while last > begin and data[last - 1] in (35, 43):  # + and #
        last -= 1
    is_pawn = 97 <= data[begin] <= 104
    if is_pawn and last - begin > 2 and data[last - 1] in (66, 78, 81, 82):  # BNQR
        for j in range(begin, last - 1):
            clean[size] = data[j]
            size += 1
        if data[last - 2] != 61:
            clean[size] = 61
            size += 1
        clean[size] = data[last - 1]
        return size + 1
    for j in range(begin, last):
        clean[size] = data[j]
        size += 1
    return size


@compiled
def _write_from_uci(
    data: Bytes, begin: int, end: int, clean: Bytes, size: int, board: Bytes
) -> int:
    """Write a text in UCI with the letter of its piece, and move that on the board.

    Nothing is checked: the native reader does. What follows the squares is a promotion.
    """
    origin = np.int64(data[begin]) - 97 + 8 * (np.int64(data[begin + 1]) - 49)
    to = np.int64(data[begin + 2]) - 97 + 8 * (np.int64(data[begin + 3]) - 49)
    man = board[origin]
    kind = man if man <= 6 else man - 6
    captures = move_man(board, origin, to)
    if kind == 6 and origin in (4, 60) and abs(to - origin) == 2:
        for j in range(3 if to > origin else 5):
            clean[size] = 45 if j % 2 else 79  # - and O
            size += 1
        return size
    if kind > 1:
        clean[size] = LETTERS[kind - 1]
        size += 1
    clean[size], clean[size + 1] = data[begin], data[begin + 1]
    size += 2
    if captures:
        clean[size] = 120
        size += 1
    clean[size], clean[size + 1] = data[begin + 2], data[begin + 3]
    size += 2
    letter = data[begin + 4] & 95 if end > begin + 4 else 0  # a capital; + and # become none
    if letter in (66, 78, 81, 82):
        clean[size], clean[size + 1] = 61, letter
        size += 2
        board[to] = (man - 1) + _kind_of(letter)
    return size


@compiled
def _kind_of(letter: int) -> int:
    for kind in range(6):
        if LETTERS[kind] == letter:
            return kind + 1
    return 0


@compiled
def read_usual(data: Bytes, texts: Texts, strict: bool) -> None:
    """Read the move texts of the games that are usual.

    It is given where the chunk's games begin, and fills all else of the texts. If it is strict,
    white space before a tag makes a game unusual.
    """
    starts, begins, finishes, bounds, flags, clean, clean_bounds = texts
    board = np.zeros(64, dtype=np.uint8)
    count = size = 0
    for game in range(len(starts) - 1):
        bounds[game] = count
        clean_bounds[game] = size
        flags[game] = 0
        at = _skip_tags(data, starts[game], starts[game + 1], strict)
        if at < 0:
            continue
        found, flag = _read_moves(data, at, starts[game + 1], begins, finishes, count)
        if flag == 0 or found == count:
            continue
        flags[game] = flag
        size = _write_clean(data, begins[count:found], finishes[count:found], clean, size, board)
        count = found
    bounds[len(starts) - 1] = count
    clean_bounds[len(starts) - 1] = size


@compiled
def _packed(data: Bytes, begin: int, end: int) -> np.uint64:
    """A text of at most seven bytes as a number."""
    text = np.uint64(0)
    for i in range(end - begin):
        text |= np.uint64(data[begin + i]) << np.uint64(8 * i)
    return text


@compiled
def _slot(text: np.uint64) -> int:
    return np.int64((text * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - TABLE_BITS))


@compiled
def fill_table(data: Bytes, bounds: Int64, table: Table) -> None:
    """Put strings into an empty table, with their numbers.

    They stand one after the other, a byte between them. The bounds say where each begins, and one
    more than where the last ends.
    """
    mask = len(table.keys) - 1
    for i in range(len(bounds) - 1):
        text = _packed(data, bounds[i], bounds[i + 1] - 1)
        slot = _slot(text)
        while table.keys[slot] != 0:
            slot = (slot + 1) & mask
        table.keys[slot] = text
        table.values[slot] = i


@compiled
def _number(text: np.uint64, keys: NDArray[np.uint64], values: Int32) -> int:
    """The number of a string in the table; -1 if it is not there."""
    slot = _slot(text)
    mask = len(keys) - 1
    while keys[slot] != 0:
        if keys[slot] == text:
            return values[slot]
        slot = (slot + 1) & mask
    return -1


@compiled
def _suffix_bit(written: int, due: int) -> int:
    """The deviation of a suffix; both are 0, 43 (+) or 35 (#)."""
    if written == due:
        return 0
    if written == 0:
        return BIT.MISSING_CHECK if due == 43 else BIT.MISSING_MATE
    if due == 0:
        return BIT.SUPERFLUOUS_CHECK if written == 43 else BIT.SUPERFLUOUS_MATE
    return BIT.MATE_WRITTEN_AS_CHECK if written == 43 else BIT.CHECK_WRITTEN_AS_MATE


@compiled
def _origin_bit(file: bool, rank: bool, due: int) -> int:
    """The deviation of what is written of the origin; -1 if something is missing.

    What is due is 1 for the file, 2 for the rank, 3 for both.
    """
    excess_rank = rank and not due & 2
    if due & 1 and not file:
        return BIT.RANK_INSTEAD_OF_FILE if excess_rank else -1
    if due & 2 and not rank:
        return -1
    excess_file = file and not due & 1
    if excess_file and excess_rank:
        return BIT.EXCESS_SQUARE
    if excess_file:
        return BIT.EXCESS_FILE
    return BIT.EXCESS_RANK if excess_rank else 0


@compiled
def _castling_bit(data: Bytes, begin: int, end: int, origin: int, to: int) -> int:
    """The deviation of castling without its suffix; -1 if it is written otherwise."""
    if end - begin == 4 and _is_coordinates(data, begin, end):
        return BIT.COORDINATE_NOTATION
    if end - begin != (3 if to > origin else 5):
        return -1
    letter = data[begin]
    for j in range(begin, end):
        if data[j] != (45 if (j - begin) % 2 else letter):
            return -1
    if letter == 48:
        return BIT.ZEROS_IN_CASTLING
    return 0 if letter == 79 else -1


@compiled
def _promotion_end(data: Bytes, begin: int, end: int, promotion: int) -> tuple[int, int]:
    """Return where a text ends before its promotion, and the deviation there; -1 for any other."""
    if promotion <= 0:
        return end, 0
    letter = LETTERS[promotion - 1]
    if _is_coordinates(data, begin, end) and end - begin == 5 and data[end - 1] | 32 == letter | 32:
        return end - 1, 0
    if end - begin < 3 or data[end - 1] != letter:
        return end, -1
    return (end - 2, 0) if data[end - 2] == 61 else (end - 1, BIT.MISSING_PROMOTION_SIGN)


@compiled
def _prefix_bit(
    data: Bytes,
    begin: int,
    last: int,
    board: Bytes,
    scratch: Bytes,
    origin: int,
    to: int,
    king: int,
) -> int:
    """The deviation of what is written before the destination; -1 if it may be more than one."""
    man = board[origin]
    kind = man if man <= 6 else man - 6
    is_capture = board[to] != 0 or (kind == 1 and (origin & 7) != (to & 7))
    has_sign = last > begin and data[last - 1] == 120
    if has_sign != is_capture:
        return -1
    last -= has_sign
    if kind > 1:
        if begin >= last or data[begin] != LETTERS[kind - 1]:
            return -1
        begin += 1
    has_file = begin < last and data[begin] == 97 + (origin & 7)
    begin += has_file
    has_rank = begin < last and data[begin] == 49 + (origin >> 3)
    if begin + has_rank != last:
        return -1
    due = 1 if kind == 1 and is_capture else 0
    if kind not in (1, 6):
        due = origin_due(board, scratch, origin, to, king)
    return _origin_bit(has_file, has_rank, due)


@compiled
def _deviations_of(
    data: Bytes, begin: int, end: int, board: Bytes, scratch: Bytes, move: OneMove, suffix: int
) -> int:
    """The bits of what deviates in the text of a move, as the judge names it; -1 if it may be more.

    The move is the only one that the text denotes; the suffix is due.
    """
    origin, to, promotion, king = move
    written = 0
    if data[end - 1] in (35, 43):
        written = np.int64(data[end - 1])
        end -= 1
    if end - begin < 2 or data[end - 1] in (35, 43):
        return -1
    suffix_bit = _suffix_bit(written, suffix)
    last, bits = _promotion_end(data, begin, end, promotion)
    if last - begin < 2:
        return -1
    if board[origin] % 6 == 0 and abs(to - origin) == 2:
        bits = _castling_bit(data, begin, end, origin, to)
    elif data[last - 2] != 97 + (to & 7) or data[last - 1] != 49 + (to >> 3) or bits < 0:
        return -1
    elif last - begin == 4 and _is_coordinates(data, begin, last):
        bits = BIT.COORDINATE_NOTATION
    else:
        bit = _prefix_bit(data, begin, last - 2, board, scratch, origin, to, king)
        bits = -1 if bit < 0 else bits | bit
    if bits < 0 or (bits == BIT.COORDINATE_NOTATION and not written):
        return bits
    return bits | suffix_bit


@compiled
def compare_games(
    data: Bytes,
    texts: Texts,
    first_text: Int64,
    moves: Moves,
    table: Table,
    found: Matched,
    strict: bool,
) -> None:
    """Check whether the move texts of each game are canonical and proven, or how they deviate.

    Args:
        data: The chunk.
        texts: Its move texts.
        first_text: Which move text is the first of each game.
        moves: The moves that they denote.
        table: The proven strings.
        found: Is filled.
        strict: Whether suffix annotations deviate.
    """
    bounds, boards, _, _, origins, destinations, promotions, mates = moves
    begins, finishes = texts.begins, texts.finishes  # to take them in the loop takes longer
    keys, values = table
    numbers, deviating, canonical = found
    scratch = np.zeros(64, dtype=np.uint8)
    for game in range(len(bounds) - 1):
        if not canonical[game]:
            continue
        white_king, black_king = 4, 60
        for n in range(bounds[game], bounds[game + 1]):
            board, after = boards[n + game], boards[n + game + 1]
            origin, to = np.int64(origins[n]), np.int64(destinations[n])
            man = board[origin]
            own, other = (white_king, black_king) if man <= 6 else (black_king, white_king)
            if man == 6:
                white_king = to
            elif man == 12:
                black_king = to
            suffix = 0
            if gives_check(board, after, origin, to, other):
                suffix = 35 if mates[game] and n == bounds[game + 1] - 1 else 43
            move = origin, to, np.int64(promotions[n]), own
            text = write_san(board, scratch, move, suffix)
            i = first_text[game] + n - bounds[game]
            number = _number(text, keys, values)
            if text != _packed(data, begins[i], finishes[i]):
                bits = _deviations_of(data, begins[i], finishes[i], board, scratch, move, suffix)
                deviating[i] = bits
                number = number if bits > 0 else -1
            if strict and finishes[i] < len(data) and data[finishes[i]] in (33, 63):  # ! and ?
                deviating[i] |= BIT.ANNOTATION
            if number < 0:
                canonical[game] = False
                break
            numbers[i] = number


@compiled
def count_games(bounds: Int64, counted: NDArray[np.bool_], numbers: Int32, sums: Int32) -> None:
    """Count the strings of the games that are to be counted.

    Args:
        bounds: The number of move texts before each game, and of all.
        counted: Which games are to be counted.
        numbers: The number of each move text's string.
        sums: Is filled, for each string: how often it was played, in how many games, in which game
            first, from 1, and at which ply, and in which last; all 0 before.
    """
    for game in range(len(bounds) - 1):
        if not counted[game]:
            continue
        for move in range(bounds[game], bounds[game + 1]):
            number = numbers[move]
            sums[0, number] += 1
            if sums[4, number] != game + 1:
                sums[4, number] = game + 1
                sums[1, number] += 1
                if sums[2, number] == 0:
                    sums[2, number] = game + 1
                    sums[3, number] = move - bounds[game] + 1


@compiled
def write_fens(moves: Moves, chosen: Int64, out: Bytes, ends: Int32) -> int:
    """Write the FEN of every position of some games that begin from the initial position.

    As python-chess writes it: the en passant square only if a capture there is legal. The native
    reader has the clock of quiet moves as well, but in eight bits.

    Args:
        moves: The moves of the games.
        chosen: The games.
        out: Is filled with the texts; room for 96 bytes each.
        ends: Is filled with 0 and where each text ends.

    Returns:
        How many bytes were written.
    """
    bounds, boards, castling, en_passant, origins, destinations, _, _ = moves
    scratch = np.zeros(64, dtype=np.uint8)
    size = count = 0
    ends[0] = 0
    for game in chosen:
        clock = 0
        for ply in range(bounds[game + 1] - bounds[game] + 1):
            position = bounds[game] + game + ply
            board = boards[position]
            if ply:
                move = bounds[game] + ply - 1
                before = boards[position - 1]
                is_pawn = before[origins[move]] % 6 == 1
                clock = 0 if is_pawn or before[destinations[move]] else clock + 1
            file = np.int64(en_passant[position])
            if file >= 0 and not is_legal_in_passing(board, scratch, file, 6 * (ply % 2)):
                file = -1
            size = write_board(out, size, board)
            size = write_rest(out, size, ply, castling[position], file, clock)
            count += 1
            ends[count] = size
    return size


@compiled
def write_ucis(
    origins: Bytes,
    destinations: Bytes,
    promotions: NDArray[np.int8],
    out: Bytes,
    ends: Int32,
) -> int:
    """Write moves in UCI, 5 bytes each at most; how many bytes were written.

    The ends are filled with 0 and where each text ends.
    """
    size = 0
    ends[0] = 0
    for i in range(len(origins)):
        for square in (origins[i], destinations[i]):
            out[size] = 97 + (square & 7)
            out[size + 1] = 49 + (square >> 3)
            size += 2
        if promotions[i] > 0:
            out[size] = LETTERS[promotions[i] - 1] + 32
            size += 1
        ends[i + 1] = size
    return size
