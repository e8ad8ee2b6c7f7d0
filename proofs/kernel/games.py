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
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from operator import ne
from typing import NamedTuple

import chess

from sanproof.proofs.kernel.files import GAMES, EvidenceError

read_move = cache(chess.Move.from_uci)
"""Reads a move from UCI. Only some 29,000 texts are moves, so the cache is bounded."""


class GameError(Exception):
    """A game that does not show what it should; the message names the string and the ply."""


class Shown(NamedTuple):
    """What a checked game shows: that a player writes a string."""

    san: str
    white: bool


class Replay:
    """Plays games one after the other; moves that a game shares with the one before are kept.

    Attributes:
        board: The position at the end of the last game.
    """

    def __init__(self) -> None:
        self.board = chess.Board()
        self._moves: list[str] = []
        self._occupied: list[int] = []

    def check(self, moves: Sequence[str], ply: int, san: str) -> Shown:
        """Play a game from the initial position to its end.

        Args:
            moves: All its moves, in UCI.
            ply: When the string is played, from 1.
            san: The string.

        Raises:
            GameError: It breaks a rule, does not end in checkmate, or does not show its string.
        """
        if not 1 <= ply <= len(moves):
            raise GameError(f"game of {san}: ply {ply} is none of its {len(moves)}")
        self._take_back(common_length(self._moves, moves[: ply - 1]))
        try:
            self._play(moves[len(self._moves) : ply - 1])
            shown = Shown(self.board.san(self._next(moves[ply - 1])), self.board.turn)
            self._play(moves[ply - 1 :])
        except GameError as error:
            raise GameError(f"game of {san}, ply {len(self._moves) + 1}: {error}") from error
        if shown.san != san:
            raise GameError(f"game of {san}: python-chess writes its move as {shown.san}")
        if not self.board.is_checkmate():
            raise GameError(f"game of {san}: it does not end in checkmate")
        return shown

    def _play(self, moves: Iterable[str]) -> None:
        for text in moves:
            self._push(self._next(text), text)
            if self.board.was_into_check():
                self._take_back(len(self._moves) - 1)
                raise GameError(f"{text} is not legal in {self.board.fen()}")

    def _next(self, text: str) -> chess.Move:
        """The move, if the game is not over and it is legal but for checks to the own king."""
        board = self.board
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

    def _push(self, move: chess.Move, text: str) -> None:
        self.board.push(move)
        self._moves.append(text)
        self._occupied.append(self.board.occupied)

    def _take_back(self, length: int) -> None:
        while len(self._moves) > length:
            self._moves.pop()
            self._occupied.pop()
            self.board.pop()


def check_games(lines: Iterable[str]) -> list[Shown]:
    """Replay games, given as lines of the file.

    Raises:
        EvidenceError: One of them does not hold.
    """
    return list(replayed(lines, Replay()))


def replayed(lines: Iterable[str], replay: Replay) -> Iterator[Shown]:
    """Replay games one by one; after each, the replay's board is at its end."""
    for line in lines:
        moves, _, san = line.rpartition(" ")
        moves, _, ply = moves.rpartition(" ")
        if not re.fullmatch("[1-9][0-9]{0,3}", ply):
            raise EvidenceError(f"{GAMES}: {line[-40:]!a} does not end a game's line")
        try:
            yield replay.check(moves.split(" "), int(ply), san)
        except GameError as error:
            raise EvidenceError(f"{GAMES}: {error}") from error


def common_length(a: Iterable[str], b: Iterable[str]) -> int:
    """The number of moves that two games share at their beginning."""
    return [*map(ne, a, b), True].index(True)
