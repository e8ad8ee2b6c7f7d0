"""Proof games, and their records: the kernel's check with all moves in SAN besides.

Untrusted: what the kernel checks, it checks in :class:`proofs.kernel.games.Replay`.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import chess

from sanproof.proofs.board.fens import exchanged_fen, write_fen
from sanproof.proofs.board.strict import written
from sanproof.proofs.kernel.games import (
    GameError,
    Replay,
    Shown,
    common_length,
    read_move,
    replayed,
)
from sanproof.proofs.rules.cubes import COLOURS, WHITE, exchanged_ranks


class ProofGame(NamedTuple):
    """Moves (UCI) from the initial position to checkmate; this player's at ``ply`` is ``san``.

    The first ply is 0.
    """

    san: str
    colour: str
    ply: int
    moves: tuple[str, ...]


def write_line(game: ProofGame) -> str:
    """Return the game as a line of the file of games (:mod:`proofs.kernel.games`)."""
    return " ".join([*game.moves, str(game.ply + 1), game.san])


def read_line(line: str) -> ProofGame:
    """Return the game on a line that the kernel has checked, or that :func:`write_line` wrote."""
    *moves, number, san = line.split(" ")
    return proof_game(moves, int(number), san)


class CheckedGame(NamedTuple):
    """A game that passed the kernel's check, with all its moves in SAN.

    Besides, the string's move in UCI, and the positions before and after it.
    """

    game: ProofGame
    sans: tuple[str, ...]
    before_fen: str
    uci: str
    after_fen: str


class Recorder:
    """Has the kernel replay games one after the other, and writes down what they play.

    Games that are sorted by their moves are checked in half the time, and in half of that if each
    is followed by the same game with the colours exchanged.
    """

    def __init__(self) -> None:
        self._replay = Replay(self._watch)
        self._sans: list[str] = []
        self._fens = {"before": "", "after": ""}
        self._ply = 0
        self._is_played = False
        self._last: CheckedGame

    def record(self, game: ProofGame) -> CheckedGame:
        """Check a game.

        Raises:
            GameError: It breaks a rule, or does not show its string.
        """
        if (game.ply % 2 == 0) != (game.colour == WHITE):
            raise GameError(f"game of {game.san}: its move is not {game.colour}'s")
        self._ply, self._is_played = game.ply, False
        replay(self._replay, game)
        return self._written(game)

    def record_line(self, line: str) -> tuple[Shown, CheckedGame]:
        """Check a game on a line of a file of games; an EvidenceError if it does not hold."""
        number = f" {line}".rsplit(" ", 2)[-2]
        self._ply, self._is_played = int(number[:5]) - 1 if number.isdecimal() else -1, False
        (shown,) = replayed([line], self._replay)
        return shown, self._written(read_line(line))

    def _watch(self, board: chess.Board, move: chess.Move) -> None:
        ply = board.ply()
        if ply == self._ply:
            self._fens["before"] = write_fen(board)
        elif ply == self._ply + 1:
            self._fens["after"] = write_fen(board)
        self._sans[ply:] = [written(move, board, may_mate=False)]
        self._is_played = True

    def _written(self, game: ProofGame) -> CheckedGame:
        """Return the record of a game that holds; one that ends as the last was not played."""
        if not self._is_played:
            return exchanged_record(self._last, game)
        if game.ply + 1 == len(game.moves):
            self._fens["after"] = write_fen(self._replay.board)
        # A move that checks and is not the last one does not mate, for a legal move follows.
        sans = (*self._sans[:-1], self._sans[-1].replace("+", "#"))
        fens = self._fens
        self._last = CheckedGame(game, sans, fens["before"], game.moves[game.ply], fens["after"])
        return self._last


def proof_game(moves: Sequence[str], number: int, san: str) -> ProofGame:
    """Return a game whose move of a number, from 1, is written as the string."""
    return ProofGame(san, COLOURS[(number - 1) % 2], number - 1, tuple(moves))


def replay(by: Replay, game: ProofGame) -> Shown:
    """Have the kernel replay a game, or see that it ends as the one before; a GameError if not."""
    asked = game.moves, game.ply + 1, game.san
    return by.check_exchanged(*asked) or by.check(*asked)


def check_game(game: ProofGame) -> CheckedGame:
    """Check one game.

    Raises:
        GameError: It breaks a rule, or does not show its string.
    """
    return Recorder().record(game)


def exchanged_record(last: CheckedGame, game: ProofGame) -> CheckedGame:
    """Return the record of a game, checked because it ends as the last one with other colours."""
    exchanged = exchanged_ranks(" ".join(last.game.moves)).split(" ")
    shared = common_length(reversed(exchanged), reversed(game.moves))
    start = _written(game.moves[: len(game.moves) - shared])
    sans = (*start, *exchanged_ranks(" ".join(last.sans[-shared:])).split(" "))
    before, after = (
        f"{exchanged_fen(fen).rpartition(' ')[0]} {ply // 2 + 1}"
        for fen, ply in ((last.before_fen, game.ply), (last.after_fen, game.ply + 1))
    )
    return CheckedGame(game, sans, before, game.moves[game.ply], after)


@lru_cache(100)
def _written(moves: Sequence[str]) -> list[str]:
    """Write moves from the initial position in SAN."""
    board = chess.Board()
    return [board.san_and_push(read_move(text)) for text in moves]


def quiet_replies(board: chess.Board) -> Iterator[chess.Move]:
    """Return the legal moves that neither capture nor check."""
    moves = board.generate_legal_moves(to_mask=~board.occupied)
    return (move for move in moves if not board.gives_check(move))
