"""Writes down the games of a run in SAN, with their witnesses, to compare its other files with."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from itertools import pairwise
from typing import Final, NamedTuple

import chess

from sanproof.proofs.games.game import (
    CheckedGame,
    ProofGame,
    Recorder,
    bare_san,
    read_line,
    write_line,
)
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.kernel.games import GameError, common_length, read_move
from sanproof.proofs.verdicts.fens import write_fen
from sanproof.proofs.verdicts.witness import CheckedWitness

BATCH: Final = 500


class GameRecord(NamedTuple):
    """What a game plays, in few objects, for it goes from one process to another.

    Attributes:
        san: The string that it shows.
        ply: The index of the string's move.
        sans: All its moves in SAN, with spaces between.
        witness: The position before the string's move, and after it.
    """

    san: str
    ply: int
    sans: str
    witness: CheckedWitness


class Scribe:
    """Writes down games that the kernel has checked: no rule is checked a second time.

    Moves that a game shares with the one before are written once.
    """

    def __init__(self) -> None:
        self._board = chess.Board()
        self._moves: list[str] = []
        self._sans: list[str] = []

    def record(self, game: ProofGame) -> CheckedGame:
        """Write down a game, legal and mating; a GameError if its move is not written so."""
        self._take_back(game.moves[: game.ply])
        self._play(game.moves[len(self._moves) : game.ply])
        before = write_fen(self._board)
        self._play(game.moves[game.ply : game.ply + 1])
        after = write_fen(self._board)
        self._play(game.moves[game.ply + 1 :])
        # A move that checks and is not the last one does not mate, for a legal move follows.
        sans = (*self._sans[:-1], self._sans[-1].replace("+", "#"))
        if sans[game.ply] != game.san:
            raise GameError(f"game of {game.san}: its move is written {sans[game.ply]}")
        return CheckedGame(game, sans, before, game.moves[game.ply], after)

    def _take_back(self, moves: Sequence[str]) -> None:
        """Go back to the last position of the game before that these moves pass too."""
        length = common_length(self._moves, moves)
        while len(self._moves) > length:
            self._moves.pop()
            self._sans.pop()
            self._board.pop()

    def _play(self, moves: Sequence[str]) -> None:
        for text in moves:
            move = read_move(text)
            san = bare_san(self._board, move)
            self._board.push(move)
            self._moves.append(text)
            self._sans.append(f"{san}+" if self._board.is_check() else san)


def check_lines(name: str, text: str) -> list[str]:
    """The lines of a file of games, one game for each player of a string.

    Raises:
        EvidenceError: They are not whole, sorted and different, or a string has two games of a
            player. That they are games is not looked at.
    """
    lines = text.removesuffix("\n").split("\n") if text else []
    if text and not text.endswith("\n"):
        raise EvidenceError(f"{name}: its last line is not ended")
    shown = set()
    for before, line in pairwise(["", *lines]):
        _, ply, san = ("  " + line).rsplit(" ", 2)
        key = (san, ply[-1:] in {*"13579"})
        if before >= line:
            raise EvidenceError(f"{name}: its lines are not sorted and all different")
        if key in shown:
            raise EvidenceError(f"{name}: two games show {san[:20]!a} of the same player")
        shown.add(key)
    return lines


def record_games(name: str, lines: Sequence[str], executor: Executor) -> Iterator[GameRecord]:
    """Have the games on these lines of a file written down; an EvidenceError if one does not hold.

    The records are in the order of the lines. The work begins at once, not when they are asked for.
    """
    batches = [lines[i : i + BATCH] for i in range(0, len(lines), BATCH)]
    results = executor.map(record_batch, [name] * len(batches), batches)
    return (record for batch in results for record in batch)


def record_batch(name: str, lines: Sequence[str]) -> list[GameRecord]:
    """Write down the games on some lines of a file; an EvidenceError if one does not hold.

    The kernel has checked those of the proof, and no other file's.
    """
    recorder = Scribe() if name == GAMES else Recorder()
    try:
        return [_record(recorder, line) for line in lines]
    except (GameError, ValueError) as error:
        raise EvidenceError(f"{name}: {error}") from error


def _record(recorder: Recorder | Scribe, line: str) -> GameRecord:
    game = read_line(line)
    if write_line(game) != line:
        raise ValueError(f"the line {line[-40:]!a} is not written as a run writes it")
    _, sans, *position = recorder.record(game)
    return GameRecord(game.san, game.ply, " ".join(sans), CheckedWitness(game.san, *position))
