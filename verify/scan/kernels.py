"""The loops of the fast path, compiled: usual movetext to move texts, and moves to SAN.

Both are careful: what is not usual is left to :mod:`verify.scan.movetext` and python-chess. Boards
are those of :mod:`proofs.games.boards`. The loops that the fast path calls allocate nothing; each
is kept as machine code (:mod:`proofs.games.machine_code`). Their scratch has room for a board.
"""

# mypy: disable-error-code="no-any-return,arg-type,return-value,assignment"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import (
    INITIAL,
    LETTERS,
    Bytes,
    OneMove,
    before,
    copy_board,
    gives_check,
    is_legal_in_passing,
    move_piece,
    origin_due,
    write_board,
    write_rest,
    write_san,
)
from sanproof.proofs.games.compiled import part
from sanproof.verify.notation.vocabulary import SUFFIX_DEVIATIONS, Deviation
from sanproof.verify.scan import borders
from sanproof.verify.scan.arrays import (
    HAS_RESULT,
    TABLE_BITS,
    USUAL,
    Int32,
    Int64,
    MatchArrays,
    Moves,
    Table,
    Texts,
)

LONGEST_TEXT: Final = 8
"""Longer texts are not usual; one more byte than SAN takes."""

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
    [
        [0, _FILE, _RANK, _SQUARE],
        [-1, 0, _OTHER, _RANK],
        [-1, -1, 0, _FILE],
        [-1, -1, -1, 0],
    ],
    dtype=np.int64,
)
"""The deviation, by what is due of the origin and what is written: 1 for the file, 2 for the rank.

It is -1 if something is missing.
"""

SKIPPED, DOWN, UP, RESULT, MOVE, OTHER, UNUSUAL = range(7)
"""The kind of a part of movetext."""


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
STANDARD_TAG: Final = np.frombuffer(b'[Variant "Standard"]', dtype=np.uint8)
FEN_TAG: Final = np.frombuffer(b"[FEN", dtype=np.uint8)
RESULT_TAG: Final = np.frombuffer(b"[Result", dtype=np.uint8)
VARIANT_TAG: Final = np.frombuffer(b"[Variant", dtype=np.uint8)


@part
def find_tags(data: Bytes, lines: Int64, is_tag: NDArray[np.bool_]) -> None:
    """Note which lines begin as a tag does: ``[Name "``. The text ends in a line end."""
    for i in range(len(lines)):
        at = lines[i] + 1
        begin = at
        while IN_NAMES[data[at]]:
            at += 1
        after = at
        while data[at] == 32 or data[at] == 9:
            at += 1
        is_tag[i] = data[lines[i]] == 91 and begin < after < at and data[at] == 34


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
    at += 1
    begin = at
    while at < end and IN_NAMES[data[at]]:
        at += 1
    after = at
    while at < end and (data[at] == 32 or data[at] == 9):
        at += 1
    if not (begin < after < at < end and data[at] == 34):
        return 0, 0
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
def _begins_otherwise(data: Bytes, at: int, end: int) -> bool:
    """Check whether a tag gives another first position, or another variant."""
    is_variant = _begins_with(data, at, end, VARIANT_TAG)
    is_other = is_variant and not _begins_with(data, at, end, STANDARD_TAG)
    return is_other or _begins_with(data, at, end, FEN_TAG)


@part
def _skip_tags(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """Return the offset after the tags at a game's beginning, and the number of their result.

    The offset is -1 if they say that the game is not usual.
    """
    told = 0
    while at < end and data[at] in (10, 13):
        at += 1
    while at < end and data[at] == 91:  # [
        if _begins_otherwise(data, at, end):
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
        return SKIPPED, _digits_end(data, at + 1, end)
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
    if data[begin] == 48 and end - begin not in (3, 5):  # 0-0 with a result
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
    if not _ends(data, at, end) or (at < end and data[at] == 40):  # a ( may belong to the move
        return -1
    return at


@part
def _read_moves(
    data: Bytes, at: int, end: int, told: int, begins: Int32, finishes: Int32, count: int
) -> tuple[int, int]:
    """Note the move texts of a game from a place on; how many there are then, and the flags.

    The flags are 0 if anything is not usual, such as another result than the tags told.
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
            is_other = told != 0 and _result_code(data, at, after) != told
            part = UNUSUAL if is_other or flags & HAS_RESULT else part
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


@part
def _is_square(data: Bytes, at: int) -> bool:
    return 97 <= data[at] <= 104 and 49 <= data[at + 1] <= 56


@part
def _is_coordinates(data: Bytes, begin: int, end: int) -> bool:
    """Check whether a text begins as UCI does: with two squares."""
    return end - begin >= 4 and _is_square(data, begin) and _is_square(data, begin + 2)


@part
def _write_clean(
    data: Bytes, begins: Int32, finishes: Int32, clean: Bytes, size: int, board: Bytes
) -> int:
    """Write the texts of a game as the native reader takes them; how many bytes are written then.

    It refuses ``++``, needs the = of a promotion, and takes UCI of pawns only: as long as all texts
    are in UCI, the pieces are followed on the board. What it takes, it reads as the judge does.
    """
    follows = True
    copy_board(INITIAL, board)
    for i in range(len(begins)):
        begin, end = begins[i], finishes[i]
        follows = follows and _is_coordinates(data, begin, end)
        if follows:
            size = _write_from_uci(data, begin, end, clean, size, board)
        else:
            size = _write_from_san(data, begin, end, clean, size)
        clean[size] = 32
        size += 1
    return size


@part
def _write_from_san(data: Bytes, begin: int, end: int, clean: Bytes, size: int) -> int:
    """Write a text without its suffix, and with the = of a promotion."""
    while end > begin and data[end - 1] in (35, 43):  # + and #
        end -= 1
    letter = data[end - 1]
    lacks_sign = (
        97 <= data[begin] <= 104
        and end - begin > 2
        and letter in (66, 78, 81, 82)  # BNQR
        and data[end - 2] != 61
    )
    for j in range(begin, end - lacks_sign):
        clean[size] = data[j]
        size += 1
    if lacks_sign:
        clean[size], clean[size + 1] = 61, letter
        size += 2
    return size


@part
def _write_from_uci(
    data: Bytes, begin: int, end: int, clean: Bytes, size: int, board: Bytes
) -> int:
    """Write a text in UCI with the letter of its piece, and move that on the board.

    Nothing is checked: the native reader does. What follows the squares is a promotion.
    """
    origin = np.int64(data[begin]) - 97 + 8 * (np.int64(data[begin + 1]) - 49)
    to = np.int64(data[begin + 2]) - 97 + 8 * (np.int64(data[begin + 3]) - 49)
    piece = board[origin]
    kind = piece if piece <= 6 else piece - 6
    captures = move_piece(board, origin, to)
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
        board[to] = (piece - 1) + _kind_of(letter)
    return size


@part
def _kind_of(letter: int) -> int:
    for kind in range(6):
        if LETTERS[kind] == letter:
            return kind + 1
    return 0


@part
def read_usual(data: Bytes, texts: Texts, scratch: Bytes) -> None:
    """Read the move texts of the games that are usual.

    It is given where the chunk's games begin, and fills all else of the texts.
    """
    starts, begins, finishes, bounds, flags, clean, clean_bounds = texts
    count = size = 0
    for game in range(len(starts) - 1):
        bounds[game] = count
        clean_bounds[game] = size
        flags[game] = 0
        at, told = _skip_tags(data, starts[game], starts[game + 1])
        if at < 0:
            continue
        found, flag = _read_moves(data, at, starts[game + 1], told, begins, finishes, count)
        if flag == 0 or found == count:
            continue
        flags[game] = flag
        size = _write_clean(data, begins[count:found], finishes[count:found], clean, size, scratch)
        count = found
    bounds[len(starts) - 1] = count
    clean_bounds[len(starts) - 1] = size


@part
def _packed(data: Bytes, begin: int, end: int) -> np.uint64:
    """Return a text of at most eight bytes as a number."""
    text = np.uint64(0)
    for i in range(end - begin):
        text |= np.uint64(data[begin + i]) << np.uint64(8 * i)
    return text


@part
def _slot(text: np.uint64) -> int:
    return np.int64((text * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - TABLE_BITS))


@part
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


@part
def _number(text: np.uint64, keys: NDArray[np.uint64], values: Int32) -> int:
    """Return the number of a string in the table; -1 if it is not there."""
    slot = _slot(text)
    mask = len(keys) - 1
    while keys[slot] != 0:
        if keys[slot] == text:
            return values[slot]
        slot = (slot + 1) & mask
    return -1


@part
def _deviations_of(
    data: Bytes, begin: int, end: int, board: Bytes, scratch: Bytes, move: OneMove, suffix: int
) -> int:
    """Return the bits of what deviates in the text of a move, as the judge names it.

    The move is the only one that the text denotes; the suffix is due. It is -1 if it may be more.
    """
    written = 0
    if data[end - 1] in (35, 43):
        written = np.int64(data[end - 1])
        end -= 1
    bits = _body_bits(_packed(data, begin, end), board, scratch, move)
    if bits < 0 or (bits == COORDINATES and not written):
        return bits
    return bits | SUFFIX_BITS[written, suffix]


@part
def _body_bits(text: np.uint64, board: Bytes, scratch: Bytes, move: OneMove) -> int:
    """Return the bits of what deviates in a packed text without its suffix; -1 for any other."""
    origin, to, promotion, king = move
    kind = (np.int64(board[origin]) - 1) % 6 + 1
    canonical = write_san(board, scratch, move, 0)
    squares = np.uint64(0)
    for square in (to, origin):
        squares = before(97 + (square & 7), before(49 + (square >> 3), squares))
    letter = np.uint64(LETTERS[promotion - 1] if promotion > 0 else 0)
    small = letter | np.uint64(32 if promotion > 0 else 0)
    if text == squares | letter << np.uint64(32) or text == squares | small << np.uint64(32):
        return COORDINATES
    if kind == 6 and abs(to - origin) == 2:
        zeros = SHORT_IN_ZEROS if to > origin else LONG_IN_ZEROS
        return 0 if text == canonical else ZEROS if text == np.uint64(zeros) else -1
    if promotion > 0 and text == _without_sign(canonical, letter):
        return NO_SIGN
    due = 1 if kind == 1 and (origin & 7) != (to & 7) else 0
    if kind not in (1, 6):
        due = origin_due(board, scratch, origin, to, king)
    rest = canonical >> np.uint64(8 * ((kind > 1) + (due & 1) + (due >> 1)))
    for given in range(4):
        other = before(49 + (origin >> 3), rest) if given & 2 else rest
        other = before(97 + (origin & 7), other) if given & 1 else other
        if text == (before(LETTERS[kind - 1], other) if kind > 1 else other):
            return ORIGIN_BITS[due, given]
    return -1


@part
def _without_sign(text: np.uint64, letter: np.uint64) -> np.uint64:
    """Return a packed text that ends in a = and a letter without the =."""
    length = np.uint64(0)
    while text >> length > np.uint64(255):
        length += np.uint64(8)
    before_sign = length - np.uint64(8)
    return (text & ((np.uint64(1) << before_sign) - np.uint64(1))) | letter << before_sign


@part
def compare_games(
    data: Bytes,
    texts: Texts,
    first_text: Int64,
    moves: Moves,
    table: Table,
    found: MatchArrays,
    strict: bool,
    scratch: Bytes,
) -> None:
    """Check whether the move texts of each game are canonical and proven, or how they deviate.

    The games of the moves begin with these texts; if it is strict, suffix annotations deviate.
    """
    bounds, boards, _, _, origins, destinations, promotions, mates = moves
    begins, finishes = texts.begins, texts.finishes  # to take them in the loop takes longer
    keys, values = table
    numbers, deviating, canonical = found
    for game in range(len(bounds) - 1):
        if not canonical[game]:
            continue
        white_king, black_king = 4, 60
        for n in range(bounds[game], bounds[game + 1]):
            board, after = boards[n + game], boards[n + game + 1]
            origin, to = np.int64(origins[n]), np.int64(destinations[n])
            piece = board[origin]
            own, other = (white_king, black_king) if piece <= 6 else (black_king, white_king)
            if piece == 6:
                white_king = to
            elif piece == 12:
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
                deviating[i] |= ANNOTATION
            if number < 0:
                canonical[game] = False
                break
            numbers[i] = number


@part
def count_games(bounds: Int64, counted: NDArray[np.bool_], numbers: Int32, sums: Int32) -> None:
    """Count the strings of the games that are to be counted.

    The bounds are the numbers of move texts before each game, and of all. The sums, which are 0,
    are filled for each string: how often it was played, in how many games, in which game first,
    from 1, and at which ply, and in which last.
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


@part
def times_before(moves: Moves, game: int, ply: int, scratch: Bytes) -> int:
    """Count how often the position after so many moves of a game has occurred, this time too.

    Two positions are the same if pieces, rights and the possible captures in passing are.
    """
    first = moves.bounds[game]
    here = first + game + ply
    board, times = moves.boards[here], 1
    for back in range(1, ply + 1):
        move, there = first + ply - back, here - back
        earlier = moves.boards[there]
        if earlier[moves.origins[move]] % 6 == 1 or earlier[moves.destinations[move]]:
            break
        if back % 2 or back < 4:
            continue
        square = 0
        while square < 64 and earlier[square] == board[square]:
            square += 1
        if square < 64:
            continue
        right = 0
        while right < 4 and moves.castling[there][right] == moves.castling[here][right]:
            right += 1
        file = np.int64(moves.en_passant[there])
        passes = file >= 0 and is_legal_in_passing(earlier, scratch, file, 6 * (ply % 2))
        times += right == 4 and not passes
    return times


@part
def count_times(moves: Moves, games: Int64, plies: Int64, times: Int64, scratch: Bytes) -> None:
    """Fill how often positions of games have occurred, this time too."""
    for i in range(len(games)):
        times[i] = times_before(moves, games[i], plies[i], scratch)


@part
def leave_ended(moves: Moves, looked_at: NDArray[np.bool_], scratch: Bytes) -> None:
    """Take out games that go on after a fifth repetition or 75 moves (FIDE 9.6)."""
    for game in range(len(looked_at)):
        if not looked_at[game]:
            continue
        first, quiet = moves.bounds[game], 0
        for ply in range(1, moves.bounds[game + 1] - first):
            board, move = moves.boards[first + game + ply - 1], first + ply - 1
            piece = board[moves.origins[move]]
            quiet = 0 if piece % 6 == 1 or board[moves.destinations[move]] else quiet + 1
            if quiet >= 150 or (quiet >= 16 and times_before(moves, game, ply, scratch) >= 5):
                looked_at[game] = False
                break


@part
def write_fens(
    moves: Moves, games: Int64, plies: Int64, out: Bytes, ends: Int32, scratch: Bytes
) -> int:
    """Write the FENs of positions of games that begin from the initial position.

    As python-chess writes it: the en passant square only if a capture there is legal. The native
    reader has the clock of quiet moves as well, but in eight bits. Of each position its game and
    the number of moves before it are given, and room for 96 bytes; the ends are filled with 0 and
    where each text ends. Return how many bytes were written.
    """
    bounds, boards, castling, en_passant, origins, destinations, _, _ = moves
    size = 0
    ends[0] = 0
    for i in range(len(games)):
        first, ply = bounds[games[i]], plies[i]
        position = first + games[i] + ply
        clock = 0
        while clock < ply:
            move, board = first + ply - 1 - clock, boards[position - 1 - clock]
            if board[origins[move]] % 6 == 1 or board[destinations[move]]:
                break
            clock += 1
        board, file = boards[position], np.int64(en_passant[position])
        if file >= 0 and not is_legal_in_passing(board, scratch, file, 6 * (ply % 2)):
            file = -1
        size = write_board(out, size, board)
        size = write_rest(out, size, ply, castling[position], file, clock)
        ends[i + 1] = size
    return size
