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

from sanproof.proofs.games.boards import (
    LETTERS,
    Bytes,
    Ints,
    board_of,
    copy_board,
    is_legal_in_passing,
    write_board,
    write_rest,
    write_san,
)
from sanproof.proofs.games.compiled import ZERO, compiled
from sanproof.proofs.games.game import SAMPLED, CheckedGame, ProofGame, Recorder
from sanproof.proofs.games.pieces import Setting, read_setting, setting_of
from sanproof.proofs.games.states import (
    KINGS,
    MAX_MOVES,
    NO_FILE,
    PASSING,
    RIGHTS,
    SIDE,
    STATE_BYTES,
    find_moves,
    initial_state,
    is_check,
    make,
    may_go,
)
from sanproof.proofs.kernel.games import GameError
from sanproof.proofs.rules.cubes import WHITE

PLY, CLOCK = range(2)
"""The counters of a position: the plies that were made, White being to move if they are even; and
those since the last capture or move of a pawn."""
NO_MOVE: Final = -1
MAX_FEN_BYTES: Final = 96
MAX_QUIET: Final = 150
"""The number of plies after which a game is drawn (FIDE 9.6.2)."""
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
    """A state of :mod:`proofs.games.states`, and counts."""

    state: Bytes
    counts: Ints

    @property
    def white_to_move(self) -> bool:
        """Check whether White is to move."""
        return bool(self.state[SIDE] == 0)

    @property
    def is_check(self) -> bool:
        """Check whether the player to move is in check."""
        return bool(is_check(self.state, int(self.state[SIDE])))

    @property
    def fen(self) -> str:
        """The position as python-chess writes it."""
        out = np.empty(MAX_FEN_BYTES, np.uint8)
        return out[: write_fen(self, out, 0)].tobytes().decode("ascii")

    @property
    def setting(self) -> Setting:
        """The pieces."""
        placed = enumerate(self.state[:RIGHTS].tobytes())
        return setting_of([(piece > 6, -piece % 6, square) for square, piece in placed if piece])


def read_position(fen: str) -> Position:
    """Return the position of a FEN, which is legal and of standard chess."""
    placed, turn, rights, passed, clock, number = fen.split(" ")
    position = position_of(read_setting(placed))
    position.counts[:] = 2 * (int(number) - 1) + (turn == "b"), int(clock)
    position.state[RIGHTS:PASSING] = [letter in rights for letter in "KQkq"]
    position.state[PASSING] = NO_FILE if passed == "-" else ord(passed[0]) - ord("a")
    position.state[SIDE] = turn == "b"
    return position


def position_of(setting: Setting) -> Position:
    """Return the position of a setting, White to move and without rights."""
    kinds, whites, squares = setting
    state = np.zeros(STATE_BYTES, np.uint8)
    state[:RIGHTS] = board_of(np.array(kinds), whites, np.array(squares))
    state[PASSING:] = NO_FILE, squares[0], squares[whites], 0
    return Position(state, np.zeros(2, np.int64))


def play_on(position: Position, moves: Sequence[str]) -> tuple[Position, tuple[str, ...]]:
    """Play moves (UCI) from a position; what came before it is not known.

    Returns:
        The position after them, and how they are written: only the last may be written as mate.

    Raises:
        GameError: One is illegal, or the game is over before it.
    """
    after = Position(position.state.copy(), position.counts.copy())
    status, played, sans, _, _ = play(after, _bytes(" ".join(moves)), NO_MOVE)
    if status != PLAYED:
        raise GameError(_reason(status, moves[played]))
    return after, tuple(sans.tobytes().decode("ascii").split(" "))


class PlayedGame(NamedTuple):
    """All moves of a game in SAN, with spaces between, and the positions around one of them."""

    sans: str
    before_fen: str
    after_fen: str


def play_game(moves: str, ply: int, san: str) -> PlayedGame:
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
        raise GameError(
            f"game of {san}: ply {ply + 1} is not among its {moves.count(' ') + 1} plies"
        )
    position = Position(initial_state(), np.zeros(2, np.int64))
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
    return PlayedGame(text, both[:middle], both[middle:])


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
    # The positions before each move, rights included; two more boards, and moves.
    past, boards = np.empty((1 + len(text) // 5, PASSING), np.uint8), np.empty((2, 64), np.uint8)
    moves = np.empty(MAX_MOVES, np.int64)
    number = at = size = middle = end = ZERO
    while at <= len(text):
        if number == shown:
            middle = write_fen(position, fens, ZERO)
        status, at, size = _play_next(position, past, boards, moves, text, at, sans, size, number)
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
    moves: Ints,
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
    state, counts = position
    end = at
    while end < len(text) and text[end] != SPACE:
        end += 1
    if counts[CLOCK] >= MAX_QUIET:
        return QUIET, at, size
    if _occurrences(past, position, number) >= OCCURRENCES:
        return REPEATED, at, size
    move = _read_move(text, at, end)
    if move == NO_MOVE or not may_go(state, move, moves):
        return ILLEGAL, at, size
    scratch, before = boards[0], boards[1]
    copy_board(state, before)
    origin, to = move & 63, move >> 6 & 63
    side = np.int64(state[SIDE])
    king = np.int64(state[KINGS + side])
    counts[PLY] += 1
    counts[CLOCK] = 0 if state[origin] in (1, 7) or state[to] else counts[CLOCK] + 1
    make(state, move)
    if is_check(state, side):
        return ILLEGAL, at, size
    suffix = ZERO
    if is_check(state, 1 - side):
        # A move that is not the last one does not mate, for another follows.
        suffix = PLUS if end < len(text) or find_moves(state, moves) else HASH
    san = write_san(before, scratch, (origin, to, move >> 12, king), suffix)
    while san:
        sans[size] = san & np.uint64(255)
        san >>= np.uint64(8)
        size += 1
    sans[size] = SPACE
    return PLAYED, end + 1, size + 1


@compiled
def _read_move(text: Bytes, at: int, end: int) -> int:
    """Read a move in UCI; NO_MOVE for any other text."""
    if not 4 <= end - at <= 5:
        return NO_MOVE
    move = ZERO
    for i in range(2):
        file, rank = np.int64(text[at + 2 * i]) - 97, np.int64(text[at + 2 * i + 1]) - 49
        if not (0 <= file < 8 and 0 <= rank < 8):
            return NO_MOVE
        move |= (file + 8 * rank) << 6 * i
    if end - at == 4:
        return move
    for kind in range(2, 6):
        if LETTERS[kind - 1] + 32 == text[at + 4]:
            return move | kind << 12
    return NO_MOVE


@compiled
def _occurrences(past: Bytes, position: Position, number: int) -> int:
    """Note the position before a move, and count how often it occurred since the clock stood at 0.

    Whether a pawn could be captured in passing is not asked: that rather counts too many.
    """
    for i in range(PASSING):
        past[number, i] = position.state[i]
    count, clock = 1, position.counts[CLOCK]
    if clock >= 4 * (OCCURRENCES - 1):
        for earlier in range(number - 4, max(number - clock, 0) - 1, -2):
            same = 0
            while same < past.shape[1] and past[earlier, same] == past[number, same]:
                same += 1
            count += same == past.shape[1]
    return count


@compiled
def write_fen(position: Position, out: Bytes, size: int) -> int:
    """Write a position as python-chess does; how many bytes are written then."""
    state, counts = position
    passing = np.int64(state[PASSING])
    mover = 6 * np.int64(state[SIDE])
    if passing == NO_FILE or not is_legal_in_passing(state, np.empty(64, np.uint8), passing, mover):
        passing = np.int64(-1)
    size = write_board(out, size, state)
    return write_rest(out, size, counts[PLY], state[RIGHTS:PASSING], passing, counts[CLOCK])
