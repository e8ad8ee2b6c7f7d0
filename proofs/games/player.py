"""Plays games in compiled code: whether moves are legal, how they are written, where they lead.

Untrusted: what makes a string reachable is the kernel's replay with python-chess. This shares no
code with python-chess, and tests compare the two.
"""

# mypy: disable-error-code="no-any-return,arg-type,assignment,return-value"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from collections.abc import Sequence
from sys import intern
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sanproof.proofs.games.boards import (
    INITIAL,
    LETTERS,
    Bytes,
    Ints,
    board_of,
    copy_board,
    is_attacked,
    is_legal_in_passing,
    may_castle,
    move_man,
    reaches,
    write_board,
    write_rest,
    write_san,
)
from sanproof.proofs.games.compiled import ZERO, compiled
from sanproof.proofs.games.game import SAMPLED, CheckedGame, ProofGame, Recorder
from sanproof.proofs.games.pieces import Setting, read_setting, setting_of
from sanproof.proofs.kernel.games import GameError
from sanproof.proofs.rules.cubes import WHITE

Bools = NDArray[np.bool_]

PLY, CLOCK, PASSING, WHITE_KING, BLACK_KING, FACTS = range(6)
"""The facts of a position besides its men and rights: the plies that were made, White being to
move if they are even; those since the last capture or move of a pawn; the file of the pawn that has
just advanced two squares, or -1; and where the kings are."""
NO_SQUARE: Final = -1
MAX_FEN_BYTES: Final = 96
MAX_QUIET: Final = 150
"""After so many plies a game is drawn (FIDE 9.6.2)."""
OCCURRENCES: Final = 5
"""So often a position may not occur (FIDE 9.6.1)."""

PLAYED, ILLEGAL, QUIET, REPEATED = range(4)
"""The outcomes of playing moves."""
DRAWN: Final = {
    QUIET: "the game is drawn by 75 moves without progress",
    REPEATED: "the game is drawn by fivefold repetition",
}
SPACE, PLUS, HASH = b" +#"


class Position(NamedTuple):
    """A board, the four rights to castle, White's kingside and queenside first, and the facts."""

    board: Bytes
    castling: Bools
    facts: Ints

    @property
    def white_to_move(self) -> bool:
        """Check whether White is to move."""
        return bool(self.facts[PLY] % 2 == 0)

    @property
    def is_check(self) -> bool:
        """Check whether the player to move is in check."""
        return is_check(self)

    @property
    def fen(self) -> str:
        """The position as python-chess writes it."""
        out = np.empty(MAX_FEN_BYTES, np.uint8)
        return out[: write_fen(self, out, 0)].tobytes().decode("ascii")

    @property
    def setting(self) -> Setting:
        """The men."""
        placed = enumerate(self.board.tobytes())
        return setting_of([(man > 6, -man % 6, square) for square, man in placed if man])


def read_position(fen: str) -> Position:
    """Return the position of a FEN, which is legal and of standard chess."""
    placed, turn, rights, passed, clock, number = fen.split(" ")
    position = position_of(read_setting(placed))
    ply = 2 * (int(number) - 1) + (turn == "b")
    file = NO_SQUARE if passed == "-" else ord(passed[0]) - ord("a")
    position.facts[:WHITE_KING] = ply, int(clock), file
    position.castling[:] = [letter in rights for letter in "KQkq"]
    return position


def position_of(setting: Setting) -> Position:
    """Return the position of a setting, White to move and without rights."""
    kinds, whites, squares = setting
    board = board_of(np.array(kinds), whites, np.array(squares))
    facts = np.array([0, 0, NO_SQUARE, squares[0], squares[whites]])
    return Position(board, np.zeros(4, np.bool_), facts)


def play_on(position: Position, moves: Sequence[str]) -> tuple[Position, tuple[str, ...]]:
    """Play moves (UCI) from a position; what came before it is not known.

    Returns:
        The position after them, and how they are written: only the last may be written as mate.

    Raises:
        GameError: One is illegal, or the game is over before it.
    """
    after = Position(position.board.copy(), position.castling.copy(), position.facts.copy())
    status, played, sans, _, _ = play(after, _bytes(" ".join(moves)), NO_SQUARE)
    if status != PLAYED:
        raise GameError(_reason(status, moves[played]))
    return after, tuple(sans.tobytes().decode("ascii").split(" "))


class Played(NamedTuple):
    """All moves of a game in SAN, with spaces between, and the positions around one of them."""

    sans: str
    before_fen: str
    after_fen: str


def play_game(moves: str, ply: int, san: str) -> Played:
    """Play a game from the initial position to checkmate.

    Args:
        moves: Its moves in UCI, with spaces between.
        ply: The index of the move that is written as the string.
        san: The string.

    Raises:
        GameError: A move is illegal, the game is over before its end or is not mate there, or the
            move is written otherwise.
    """
    if not 0 <= ply <= moves.count(" "):  # any number of digits may stand on a line
        raise GameError(f"game of {san}: ply {ply + 1} is none of its {moves.count(' ') + 1}")
    facts = np.array([0, 0, NO_SQUARE, 4, 60], np.int64)
    position = Position(INITIAL.copy(), np.ones(4, np.bool_), facts)
    status, played, sans, fens, middle = play(position, _bytes(moves), ply)
    if status != PLAYED:
        reason = _reason(status, moves.split(" ")[played])
        raise GameError(f"game of {san}, ply {played + 1}: {reason}")
    text = sans.tobytes().decode("ascii")
    if not text.endswith("#"):
        raise GameError(f"game of {san}: it does not end in checkmate")
    written = text.split(" ", ply + 1)[ply]
    if written != san:
        raise GameError(f"game of {san}: its move is written {written}")
    both = fens.tobytes().decode("ascii")
    return Played(text, both[:middle], both[middle:])


def record_game(game: ProofGame) -> CheckedGame:
    """Play a game and write it down, as :class:`proofs.games.game.Recorder` does.

    Raises:
        GameError: It breaks a rule, or does not show its string.
    """
    if (game.ply % 2 == 0) != (game.colour == WHITE):
        raise GameError(f"game of {game.san}: its move is not {game.colour}'s")
    played = play_game(" ".join(game.moves), game.ply, game.san)
    # Equal texts are one object: an answer is shorter, and the largest process smaller by a tenth.
    sans = tuple(map(intern, played.sans.split(" ")))
    return CheckedGame(game, sans, played.before_fen, game.moves[game.ply], played.after_fen)


def record_cover(games: Sequence[ProofGame]) -> list[CheckedGame]:
    """Play games of the cover and write them down, and have the kernel replay a sample of them.

    Raises:
        GameError: One breaks a rule or does not show its string, or was recorded wrongly.
    """
    records = list(map(record_game, games))
    recorder = Recorder()
    for record in records[::SAMPLED]:
        if recorder.record(record.game) != record:
            raise GameError(f"game of {record.game.san}: python-chess plays it otherwise")
    return records


def _reason(status: int, move: str) -> str:
    return DRAWN[status] if status in DRAWN else f"{move[:20]} is not legal"


def _bytes(text: str) -> Bytes:
    return np.frombuffer(text.encode("ascii", "replace"), np.uint8)


@compiled
def play(position: Position, text: Bytes, shown: int) -> tuple[int, int, Bytes, Bytes, int]:
    """Play moves, which changes the position; only the last may be written as mate.

    Returns:
        What came of it, how many moves were played, all of them in SAN, the two positions around
        the move of an index, if there is one, and where the second of them begins.
    """
    # In SAN moves are twice as long as in UCI at most.
    sans, fens = np.empty(2 * len(text) + 8, np.uint8), np.empty(2 * MAX_FEN_BYTES, np.uint8)
    # The positions before each move, rights included, and two more boards.
    past, boards = np.empty((1 + len(text) // 5, 68), np.uint8), np.empty((2, 64), np.uint8)
    number = at = size = middle = end = ZERO
    while at <= len(text):
        if number == shown:
            middle = write_fen(position, fens, ZERO)
        status, at, size = _play_next(position, past, boards, text, at, sans, size, number)
        if status != PLAYED:
            return status, number, sans[:0], fens[:0], 0
        if number == shown:
            end = write_fen(position, fens, middle)
        number += 1
    return PLAYED, number, sans[: size - 1], fens[:end], middle


@compiled
def _play_next(
    position: Position,
    past: Bytes,
    boards: Bytes,
    text: Bytes,
    at: int,
    sans: Bytes,
    size: int,
    number: int,
) -> tuple[int, int, int]:
    """Play the move of a number, at a place of a text, and write it in SAN, with a space after it.

    Returns:
        What came of it; where the next move begins; and how many bytes of SAN there are.
    """
    board, _, facts = position
    end = at
    while end < len(text) and text[end] != SPACE:
        end += 1
    if facts[CLOCK] >= MAX_QUIET:
        return QUIET, at, size
    if _occurrences(past, position, number) >= OCCURRENCES:
        return REPEATED, at, size
    origin, to, promotion = _read_move(text, at, end)
    scratch, before = boards[0], boards[1]
    if origin == NO_SQUARE or not _is_legal(position, scratch, origin, to, promotion):
        return ILLEGAL, at, size
    copy_board(board, before)
    king = facts[WHITE_KING + facts[PLY] % 2]
    _make(position, origin, to, promotion)
    suffix = ZERO
    if is_check(position):
        # A move that is not the last one does not mate, for another follows.
        suffix = PLUS if end < len(text) or _can_move(position, scratch) else HASH
    san = write_san(before, scratch, (origin, to, promotion, king), suffix)
    while san:
        sans[size] = san & np.uint64(255)
        san >>= np.uint64(8)
        size += 1
    sans[size] = SPACE
    return PLAYED, end + 1, size + 1


@compiled
def _read_move(text: Bytes, at: int, end: int) -> tuple[int, int, int]:
    """Read a move in UCI: origin, destination, and the promoted man's kind; NO_SQUARE for none."""
    none = NO_SQUARE, NO_SQUARE, NO_SQUARE
    if not 4 <= end - at <= 5:
        return none
    for i in range(at, at + 4, 2):
        if not (97 <= text[i] <= 104 and 49 <= text[i + 1] <= 56):
            return none
    promotion = NO_SQUARE
    if end - at == 5:
        for kind in range(2, 6):
            if LETTERS[kind - 1] + 32 == text[at + 4]:
                promotion = kind
        if promotion == NO_SQUARE:
            return none
    origin = np.int64(text[at]) - 97 + 8 * (np.int64(text[at + 1]) - 49)
    to = np.int64(text[at + 2]) - 97 + 8 * (np.int64(text[at + 3]) - 49)
    return origin, to, promotion


@compiled
def _occurrences(past: Bytes, position: Position, number: int) -> int:
    """Note the position before a move, and count how often it occurred since the clock stood at 0.

    Whether a pawn could be captured in passing is not asked: that rather counts too many.
    """
    copy_board(position.board, past[number])
    for right in range(4):
        past[number, 64 + right] = position.castling[right]
    count, clock = 1, position.facts[CLOCK]
    if clock >= 4 * (OCCURRENCES - 1):
        for earlier in range(number - 4, max(number - clock, 0) - 1, -2):
            same = 0
            while same < past.shape[1] and past[earlier, same] == past[number, same]:
                same += 1
            count += same == past.shape[1]
    return count


@compiled
def is_check(position: Position) -> bool:
    """Check whether the player to move is in check."""
    mover = position.facts[PLY] % 2
    return is_attacked(position.board, position.facts[WHITE_KING + mover], 6 - 6 * mover)


@compiled
def _is_legal(position: Position, scratch: Bytes, origin: int, to: int, promotion: int) -> bool:
    """Check whether a move is legal (FIDE 3.1 to 3.9)."""
    board, castling, facts = position
    side = facts[PLY] % 2
    mover = 6 * side
    kind, target = np.int64(board[origin]) - mover, np.int64(board[to])
    if not 1 <= kind <= 6 or 1 <= target - mover <= 6:
        return False
    if kind == 1:
        ends = to >> 3 in (0, 7)
        if ends != (promotion > 0) or not _pawn_goes(board, origin, to, mover, facts[PASSING]):
            return False
    elif promotion > 0:
        return False
    elif kind == 6 and abs(to - origin) == 2 and origin in (4, 60):
        return may_castle(board, castling, origin, to, side)
    elif not reaches(board, kind, origin, to, mover):
        return False
    copy_board(board, scratch)
    move_man(scratch, origin, to)
    king = to if kind == 6 else facts[WHITE_KING + side]
    return not is_attacked(scratch, king, 6 - mover)


@compiled
def _pawn_goes(board: Bytes, origin: int, to: int, mover: int, passing: int) -> bool:
    """Check whether a pawn steps or captures so (FIDE 3.7)."""
    ahead = to - origin if mover == 0 else origin - to
    rank = origin >> 3 if mover == 0 else 7 - (origin >> 3)
    if (origin & 7) == (to & 7):
        if ahead == 16 and rank == 1 and board[(origin + to) // 2] == 0:
            return board[to] == 0
        return ahead == 8 and board[to] == 0
    if ahead not in (7, 9) or abs((origin & 7) - (to & 7)) != 1:
        return False
    return board[to] != 0 or (rank == 4 and passing == (to & 7))


@compiled
def _make(position: Position, origin: int, to: int, promotion: int) -> None:
    """Make a legal move."""
    board, castling, facts = position
    side = facts[PLY] % 2
    kind = np.int64(board[origin]) - 6 * side
    captures = move_man(board, origin, to)
    if promotion > 0:
        board[to] = promotion + 6 * side
    for square in (origin, to):
        for right, corner in enumerate((7, 0, 63, 56)):
            if square in (corner, 4 + 56 * (right // 2)):
                castling[right] = False
    facts[PLY] += 1
    facts[CLOCK] = 0 if kind == 1 or captures else facts[CLOCK] + 1
    facts[PASSING] = to & 7 if kind == 1 and abs(to - origin) == 16 else NO_SQUARE
    if kind == 6:
        facts[WHITE_KING + side] = to


@compiled
def _can_move(position: Position, scratch: Bytes) -> bool:
    """Check whether the player to move has a legal move."""
    side = position.facts[PLY] % 2
    for origin in range(64):
        if not 1 <= np.int64(position.board[origin]) - 6 * side <= 6:
            continue
        is_pawn = position.board[origin] == 1 + 6 * side
        for to in range(64):
            promotion = 5 if is_pawn and to >> 3 in (0, 7) else NO_SQUARE
            if _is_legal(position, scratch, origin, to, promotion):
                return True
    return False


@compiled
def write_fen(position: Position, out: Bytes, size: int) -> int:
    """Write a position as python-chess does; how many bytes are written then."""
    board, castling, facts = position
    passing = facts[PASSING]
    mover = 6 * (facts[PLY] % 2)
    if passing >= 0 and not is_legal_in_passing(board, np.empty(64, np.uint8), passing, mover):
        passing = NO_SQUARE
    size = write_board(out, size, board)
    return write_rest(out, size, facts[PLY], castling, passing, facts[CLOCK])
