"""Proof games, and records of checked ones, which have all moves in SAN as well.

Untrusted: the kernel's own check is :class:`proofs.kernel.games.Replay`.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from sys import intern
from typing import NamedTuple

import chess

from sanproof.proofs.board.fens import exchanged_fen, write_fen
from sanproof.proofs.board.strict import written
from sanproof.proofs.board.witness import Witness
from sanproof.proofs.kernel.games import Replay, Shown, common_length, read_move, replayed
from sanproof.proofs.rules.cubes import COLOURS, exchanged_ranks


class ProofGame(NamedTuple):
    """Moves (UCI) from the initial position to checkmate; the one at index ``ply`` is ``san``."""

    san: str
    ply: int
    moves: tuple[str, ...]

    @property
    def colour(self) -> str:
        """The player of the string."""
        return COLOURS[self.ply % 2]


def write_line(game: ProofGame) -> str:
    """Write the game as a line of the file of games (:mod:`proofs.kernel.games`)."""
    return " ".join([*game.moves, str(game.ply + 1), game.san])


def read_line(line: str) -> ProofGame:
    """Read a game from a line that the kernel has checked, or that :func:`write_line` wrote.

    Here and in records, equal moves share one string in memory.
    """
    *moves, number, san = line.split(" ")
    return ProofGame(san, int(number) - 1, tuple(map(intern, moves)))


class CheckedGame(NamedTuple):
    """A game that passed the kernel's check, with all its moves in SAN.

    It also has the positions before and after the string's move, and the kernel's result.
    """

    game: ProofGame
    sans: tuple[str, ...]
    before_fen: str
    after_fen: str
    shown: Shown

    @property
    def witness(self) -> Witness:
        """The position in which the string is played, its move, and the next position."""
        game = self.game
        return Witness(game.san, self.before_fen, game.moves[game.ply], self.after_fen)


class Recorder:
    """Makes the kernel replay games one after the other, and records their moves in SAN.

    Games that are sorted by their moves are checked in half the time, and in half of that again if
    each is followed by the same game with the colours exchanged.
    """

    def __init__(self) -> None:
        self._replay = Replay(self._watch)
        self._sans: list[str] = []
        self._fens = {"before": "", "after": ""}
        self._ply = 0
        self._is_played = False
        self._last: CheckedGame

    def record(self, line: str) -> CheckedGame:
        """Check the game on a line of a file of games.

        Raises:
            EvidenceError: The game breaks a rule, or does not contain its string.
        """
        number = f" {line}".rsplit(" ", 2)[-2]
        self._ply, self._is_played = int(number[:5]) - 1 if number.isdecimal() else -1, False
        (shown,) = replayed([line], self._replay)
        game = read_line(line)
        if not self._is_played:  # it ends as the last one
            return exchanged_record(self._last, game, shown)
        if game.ply + 1 == len(game.moves):
            self._fens["after"] = write_fen(self._replay.board)
        # A move that checks and is not the last one does not mate, for a legal move follows.
        sans = (*self._sans[:-1], intern(self._sans[-1].replace("+", "#")))
        self._last = CheckedGame(game, sans, self._fens["before"], self._fens["after"], shown)
        return self._last

    def _watch(self, board: chess.Board, move: chess.Move) -> None:
        ply = len(board.move_stack)
        if ply == self._ply:
            self._fens["before"] = write_fen(board)
        elif ply == self._ply + 1:
            self._fens["after"] = write_fen(board)
        self._sans[ply:] = [intern(written(move, board, may_mate=False))]
        self._is_played = True


def check_game(game: ProofGame) -> CheckedGame:
    """Check one game, or raise an EvidenceError if it breaks a rule or lacks its string."""
    return Recorder().record(write_line(game))


def exchanged_record(last: CheckedGame, game: ProofGame, shown: Shown) -> CheckedGame:
    """Return the record of a game that ends like the last one with the colours exchanged."""
    exchanged = exchanged_ranks(" ".join(last.game.moves)).split(" ")
    shared = common_length(reversed(exchanged), reversed(game.moves))
    start = in_san(game.moves[: len(game.moves) - shared])
    end = exchanged_ranks(" ".join(last.sans[-shared:])).split(" ")
    sans = tuple(map(intern, [*start, *end]))
    before, after = (
        f"{exchanged_fen(fen).rpartition(' ')[0]} {ply // 2 + 1}"
        for fen, ply in ((last.before_fen, game.ply), (last.after_fen, game.ply + 1))
    )
    return CheckedGame(game, sans, before, after, shown)


@lru_cache(100)
def in_san(moves: Sequence[str]) -> list[str]:
    """Write moves (UCI) from the initial position in SAN."""
    board = chess.Board()
    return [board.san_and_push(read_move(text)) for text in moves]


def quiet_replies(board: chess.Board) -> Iterator[chess.Move]:
    """Yield the legal moves that neither capture nor check."""
    moves = board.generate_legal_moves(to_mask=~board.occupied)
    return (move for move in moves if not board.gives_check(move))
