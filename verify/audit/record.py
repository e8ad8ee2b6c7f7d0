"""Writes down the games of a run in SAN, with their witnesses, to compare its other files with."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from itertools import pairwise
from sys import intern
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

import chess

from sanproof.proofs.games.game import (
    CheckedGame,
    ProofGame,
    Recorder,
    bare_san,
    exchanged_record,
    is_king_attacked,
    read_line,
    write_line,
)
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.kernel.games import (
    GameError,
    Replay,
    Shown,
    check_games,
    common_length,
    read_move,
    replayed,
)
from sanproof.proofs.verdicts.fens import write_fen
from sanproof.proofs.verdicts.witness import CheckedWitness
from sanproof.reports.tables.names import COVER

P = ParamSpec("P")
R = TypeVar("R")

BATCH: Final = 500


Played = tuple[str, int, tuple[str, ...]]
"""A game's string, the index of its move, and all moves in SAN."""


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

    def played(self) -> Played:
        """What is published of it; equal moves are one string in memory."""
        return self.san, self.ply, tuple(map(intern, self.sans.split(" ")))


Replayed = tuple[list[Shown], list[GameRecord]]
"""What the kernel says of some games, and their records."""


class Scribe:
    """Writes down in SAN each game that a replay of the kernel's has just checked.

    It checks no rule again and makes no move again: it copies positions from the replay's stack.
    Moves that a game shares with the one before are written once, and a game that the kernel did
    not replay is written from that with the colours exchanged.
    """

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._copy = chess.Board()
        self._moves: Sequence[str] = ()
        self._sans: list[str] = []
        self._last: CheckedGame | None = None

    def record(self, game: ProofGame) -> CheckedGame:
        """Write down the replay's last game; a GameError if its move is not written so."""
        if self._last and len(self._replay.board.move_stack) != len(game.moves):
            return exchanged_record(self._last, game)
        del self._sans[common_length(self._moves, game.moves) :]
        self._moves = game.moves
        board = self._position(len(self._sans))
        for ply, text in enumerate(game.moves[len(self._sans) :], len(self._sans) + 1):
            san = bare_san(board, read_move(text))
            board = self._position(ply)
            self._sans.append(f"{san}+" if is_king_attacked(board, board.turn) else san)
        # A move that checks and is not the last one does not mate, for a legal move follows.
        sans = (*self._sans[:-1], self._sans[-1].replace("+", "#"))
        if sans[game.ply] != game.san:
            raise GameError(f"game of {game.san}: its move is written {sans[game.ply]}")
        before, after = (write_fen(self._position(ply)) for ply in (game.ply, game.ply + 1))
        self._last = CheckedGame(game, sans, before, game.moves[game.ply], after)
        return self._last

    def _position(self, ply: int) -> chess.Board:
        """The position after so many moves of the replay's game, to be read at once."""
        board = self._replay.board
        stack = board._stack  # noqa: SLF001 - python-chess's copy() copies all moves, slowly
        if ply == len(stack):
            return board
        stack[ply].restore(self._copy)
        return self._copy


class RecordingExecutor(Executor):
    """Hands work on to another executor, and keeps a record of the games that are replayed there.

    The kernel gets what it has asked for.

    Args:
        executor: Who does the work.

    Attributes:
        games: What those games play whose replay has come back, in their order.
        witnesses: The positions that they show.
    """

    def __init__(self, executor: Executor) -> None:
        self.games: list[Played] = []
        self.witnesses: list[CheckedWitness] = []
        self._executor = executor

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have it done."""
        return self._executor.submit(fn, *args, **kwargs)

    def map(
        self,
        fn: Callable[..., Any],
        *iterables: Iterable[Any],
        timeout: float | None = None,
        chunksize: int = 1,
    ) -> Iterator[Any]:
        """Have it done for each."""
        if fn is not check_games:
            return self._executor.map(fn, *iterables, timeout=timeout, chunksize=chunksize)
        return self._kept(self._executor.map(check_and_record, *iterables, timeout=timeout))

    def _kept(self, results: Iterable[Replayed]) -> Iterator[list[Shown]]:
        for shown, records in results:
            self.games += map(GameRecord.played, records)
            self.witnesses += (record.witness for record in records)
            yield shown


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


class Moves(Mapping[tuple[str, int], Sequence[str]]):
    """The moves (UCI) of each game on these lines, by its string and by whether Black plays it.

    They are read when they are asked for: of most games, never.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = {}
        for line in lines:
            _, number, san = line.rsplit(" ", 2)
            self._lines[san, (int(number) - 1) % 2] = line

    def __getitem__(self, key: tuple[str, int]) -> Sequence[str]:
        return read_line(self._lines[key]).moves

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def check_and_record(lines: Sequence[str]) -> Replayed:
    """Have the kernel check games of the proof, and write them down.

    Raises:
        EvidenceError: One does not hold.
    """
    replay = Replay()
    scribe = Scribe(replay)
    shown, records = [], []
    with _named(GAMES):
        for line, found in zip(lines, replayed(lines, replay), strict=True):
            shown.append(found)
            records.append(_record(scribe, line))
    return shown, records


def record_cover(lines: Sequence[str], executor: Executor) -> Iterator[GameRecord]:
    """Have the cover's games checked and written down; an EvidenceError if one does not hold.

    The records are in the order of the lines. The work begins at once, not when they are asked for.
    """
    batches = [lines[i : i + BATCH] for i in range(0, len(lines), BATCH)]
    return (record for batch in executor.map(record_batch, batches) for record in batch)


def record_batch(lines: Sequence[str]) -> list[GameRecord]:
    """Check games of the cover, and write them down; an EvidenceError if one does not hold."""
    recorder = Recorder()
    with _named(COVER):
        return [_record(recorder, line) for line in lines]


@contextmanager
def _named(file: str) -> Iterator[None]:
    try:
        yield
    except (GameError, ValueError) as error:
        raise EvidenceError(f"{file}: {error}") from error


def _record(recorder: Recorder | Scribe, line: str) -> GameRecord:
    game = read_line(line)
    if write_line(game) != line:
        raise ValueError(f"the line {line[-40:]!a} is not written as a run writes it")
    _, sans, *position = recorder.record(game)
    return GameRecord(game.san, game.ply, " ".join(sans), CheckedWitness(game.san, *position))
