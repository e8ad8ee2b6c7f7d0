"""Replays games with python-chess: the one way in which a string becomes reachable.

A file of games holds one game a line, the lines in ASCII order, none twice::

    e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7 7 Qxf7#

All moves in UCI from the initial position to checkmate, then a string, and before it the ply, from
1, of the move that is written so.

What is checked: every move is legal; the move at the ply is written as the string; the game was
not over before its end, and its last position is checkmate. No position before was mate or
stalemate, for a legal move followed (FIDE 5.1.1, 5.2.1), and none was dead, for mate followed
(5.2.2). Fivefold repetition (9.6.1) and 75 moves by each player without a pawn's move or a capture
(9.6.2) end a game too, but if that last move mates it counts as mate.

Of two games that end alike, but with the colours exchanged (:mod:`proofs.rules.cubes`), one is
replayed, and of the other only what is before. A capture or a pawn's move must stand before the
moves that they share: what was played until then is forgotten by 9.6.1 and 9.6.2.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from operator import ne
from typing import NamedTuple

import chess

from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.rules.cubes import exchanged_ranks

read_move = cache(chess.Move.from_uci)
"""Reads a move from UCI. Only some 29,000 texts are moves, so the cache is bounded."""

Push = Callable[[chess.Board, chess.Move], str | None]
"""Plays a move on a board, and may say how it is written."""


class GameError(Exception):
    """A game that does not show what it should; the message names the string and the ply."""


class Shown(NamedTuple):
    """The result of a checked game: a string, and the player who writes it."""

    san: str
    white: bool


class Replay:
    """Plays games one after the other; moves that a game shares with the one before are kept.

    ``board`` is the position at the end of the last game; ``hook`` sees it before each move.
    """

    def __init__(self, hook: Callable[[chess.Board, chess.Move], object] = lambda *_: None) -> None:
        self.board = chess.Board()
        self._hook = hook
        self._moves: list[str] = []
        self._occupied: list[int] = []
        self._last: tuple[int, str] | None = None  # how many moves from its end, which string

    def check_exchanged(self, moves: Sequence[str], ply: int, san: str) -> Shown | None:
        """Return the result of a game that ends like the last one, colours exchanged, or None."""
        if self._last != (len(moves) - ply, exchanged_ranks(san)):
            return None
        last = exchanged_ranks(" ".join(self._moves)).split(" ")
        shared = common_length(reversed(last), reversed(moves))
        starts = tuple(self._moves[: len(last) - shared]), tuple(moves[: len(moves) - shared])
        return Shown(san, ply % 2 == 1) if shared > len(moves) - ply and _meet(*starts) else None

    def check(self, moves: Sequence[str], ply: int, san: str) -> Shown:
        """Play a game, its moves in UCI, from the initial position; the first has the ply 1.

        Raises:
            GameError: It breaks a rule, does not end in checkmate, or does not show its string.
        """
        self._last = None
        if not 1 <= ply <= len(moves):
            raise GameError(f"game of {san}: ply {ply} is none of its {len(moves)}")
        self._take_back(common_length(self._moves, moves[: ply - 1]))
        try:
            self.play(moves[len(self._moves) : ply - 1])
            written = self.play(moves[ply - 1 : ply], chess.Board.san_and_push)
            self.play(moves[ply:])
        except GameError as error:
            raise GameError(f"game of {san}, ply {len(self._moves) + 1}: {error}") from error
        if written != san:
            raise GameError(f"game of {san}: python-chess writes its move as {written}")
        if not (san.endswith("#") if ply == len(moves) else self.board.is_checkmate()):
            raise GameError(f"game of {san}: it does not end in checkmate")
        self._last = len(moves) - ply, san
        return Shown(san, ply % 2 == 1)

    def play(self, moves: Iterable[str], push: Push = chess.Board.push) -> str | None:
        """Play moves, and return what ``push`` returns for the last one."""
        written = None
        for text in moves:
            written = self._push(self._next(text), text, push)
            if self.board.was_into_check():
                self._take_back(len(self._moves) - 1)
                raise GameError(f"{text} is not legal in {self.board.fen()}")
        return written

    def _next(self, text: str) -> chess.Move:
        """Return the move, if the game is not over and it is legal but for checks to its king."""
        board = self.board
        # A position comes back after four plies at the earliest, none a capture or a pawn's move.
        if board.halfmove_clock >= 16:
            if board.is_seventyfive_moves():
                raise GameError("the game is drawn by 75 moves without progress")
            # Before a fifth occurrence, moves have led four times to men on the same squares.
            if self._occupied.count(board.occupied) >= 4 and board.is_fivefold_repetition():
                raise GameError("the game is drawn by fivefold repetition")
        try:
            move = read_move(text)
        except ValueError as error:
            raise GameError(f"{text[:20]!a} is not a move") from error
        if not board.is_pseudo_legal(move):
            raise GameError(f"{text} is not legal in {board.fen()}")
        if board.occupied_co[board.turn] >> move.to_square & 1:  # python-chess also takes e1h1
            raise GameError(f"{text} is written {board.uci(move)} in UCI")
        return move

    def _push(self, move: chess.Move, text: str, push: Push) -> str | None:
        self._hook(self.board, move)
        written = push(self.board, move)
        self._moves.append(text)
        self._occupied.append(self.board.occupied)
        return written

    def _take_back(self, length: int) -> None:
        for _ in self._moves[length:]:
            self.board.pop()
        del self._moves[length:], self._occupied[length:]


def check_games(lines: Iterable[str]) -> list[Shown]:
    """Replay games, given as lines of the file, or raise an EvidenceError if one is wrong."""
    return list(replayed(lines, Replay()))


def replayed(lines: Iterable[str], replay: Replay) -> Iterator[Shown]:
    """Replay games one by one; see :meth:`Replay.check_exchanged` for those that are not."""
    for line in lines:
        moves, _, san = line.rpartition(" ")
        moves, _, ply = moves.rpartition(" ")
        if not re.fullmatch("[1-9][0-9]{0,3}", ply):
            raise EvidenceError(f"{GAMES}: {line[-40:]!a} does not end a game's line")
        try:
            game = moves.split(" "), int(ply), san
            yield replay.check_exchanged(*game) or replay.check(*game)
        except GameError as error:
            raise EvidenceError(f"{GAMES}: {error}") from error


@cache
def _meet(moves: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether captures or pawns' moves lead both to one position, colours exchanged."""
    replay, other = Replay(), Replay()
    with suppress(GameError):
        replay.play(moves)
        other.play(others)
        clocks = replay.board.halfmove_clock, other.board.halfmove_clock
        return clocks == (0, 0) and replay.board.mirror().epd() == other.board.epd()
    return False


def common_length(a: Iterable[str], b: Iterable[str]) -> int:
    """Return the number of moves that two games share at their beginning."""
    return [*map(ne, a, b), True].index(True)
