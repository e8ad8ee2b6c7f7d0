"""Writes down the games of a run in SAN, with their witnesses, to compare its other files with."""

import queue
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from itertools import chain, pairwise
from sys import intern
from threading import Semaphore
from typing import Final, NamedTuple

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.games.game import (
    SAMPLED,
    CheckedGame,
    ProofGame,
    Recorder,
    read_line,
    write_line,
)
from sanproof.proofs.kernel.files import GAMES, EvidenceError
from sanproof.proofs.kernel.games import GameError, Shown, check_games, replayed
from sanproof.proofs.kernel.theorem import BATCH as KERNEL_BATCH
from sanproof.proofs.rules.cubes import exchanged_ranks
from sanproof.reports.tables.names import COVER
from sanproof.verify.audit.evidence import Phase
from sanproof.verify.work.executors import beside
from sanproof.verify.work.progress import Scale

BATCH: Final = 500


GameEntry = tuple[str, int, tuple[str, ...]]
"""A game's string, the index of its move, and all moves in SAN."""


class GameRecord(NamedTuple):
    """The record of a game, in few objects, for it goes from one process to another.

    Attributes:
        san: The string that it shows.
        ply: The index of the string's move.
        sans: All its moves in SAN, with spaces between.
        witness: The position before the string's move, and after it.
    """

    san: str
    ply: int
    sans: str
    witness: Witness

    def played(self) -> GameEntry:
        """Return what is published of it; equal moves are one string in memory."""
        return self.san, self.ply, tuple(map(intern, self.sans.split(" ")))


ReplayResult = tuple[list[Shown], list[GameRecord]]
"""The kernel's verdicts on some games, and their records."""


def check_lines(name: str, text: str) -> list[str]:
    """Return the lines of a file of games, one game for each player of a string.

    Raises:
        EvidenceError: They are not whole, sorted and different, or a string has two games of a
            player. That they are games is not looked at.
    """
    lines = text.removesuffix("\n").split("\n") if text else []
    if text and not text.endswith("\n"):
        raise EvidenceError(f"{name}: its last line is not ended")
    shown = set()
    for before, line in pairwise(["", *lines]):
        _, ply, san = f"  {line}".rsplit(" ", 2)
        key = (san, ply[-1:] in {*"13579"})
        if before >= line:
            raise EvidenceError(f"{name}: its lines are not sorted and all different")
        if key in shown:
            raise EvidenceError(f"{name}: two games show {san[:20]!a} of the same player")
        shown.add(key)
    return lines


def moves_of(lines: Iterable[str]) -> Callable[[tuple[str, int]], Sequence[str]]:
    """Return a function that gives the moves (UCI) of a game on these lines.

    The game is named by its string and by whether Black plays it. It is read when it is asked for:
    most games never are.
    """
    games = {}
    for line in lines:
        _, number, san = line.rsplit(" ", 2)
        games[san, (int(number) - 1) % 2] = line
    return lambda name: read_line(games[name]).moves


def check_and_record(lines: Sequence[str]) -> ReplayResult:
    """Have the kernel check games of the proof, and write them down.

    Raises:
        EvidenceError: One does not hold.
    """
    if can_compile():
        shown = check_games(lines)
        with _named(GAMES):
            return shown, list(map(_record, lines))
    recorder = Recorder()
    with _named(GAMES):
        pairs = [(found, _record_of(recorder.last)) for found in replayed(lines, recorder)]
    return [found for found, _ in pairs], [record for _, record in pairs]


def submit_games(
    lines: Sequence[str], executor: Executor, progress: Scale
) -> Iterator[ReplayResult]:
    """Have the kernel check the games on lines, and write them down; the work begins at once.

    Games that should end alike but for the colours follow one another, as the kernel has it.
    """
    pairs: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        _, ply, san = f"  {line}".rsplit(" ", 2)
        pairs[exchanged_ranks(san) if ply[-1:] in "02468" else san].append(line)
    batches = _batches(list(chain.from_iterable(pairs.values())), KERNEL_BATCH)
    replaying = executor.map(check_and_record, batches)
    return progress.watch(Phase.GAMES, replaying, len(batches))


def submit_cover(
    lines: Sequence[str], executor: Executor, progress: Scale, at_once: int
) -> Iterator[list[GameRecord]]:
    """Have the cover's games checked and written down, batch by batch; the work begins at once.

    The executor has so many batches at once: what others want done comes between.
    """
    batches = _batches(lines, BATCH)
    futures: queue.SimpleQueue[Future[list[GameRecord]]] = queue.SimpleQueue()
    room = Semaphore(at_once)

    def hand_on() -> None:
        with suppress(RuntimeError):  # the executor is shut down: the audit has ended
            for batch in batches:
                room.acquire()
                future = executor.submit(record_batch, batch)
                future.add_done_callback(lambda _: room.release())
                futures.put(future)

    beside(hand_on)
    replaying = (futures.get().result() for _ in batches)
    return progress.watch(Phase.COVER, replaying, len(batches))


def _batches(lines: Sequence[str], size: int) -> list[Sequence[str]]:
    return [lines[i : i + size] for i in range(0, len(lines), size)]


def record_batch(lines: Sequence[str]) -> list[GameRecord]:
    """Check games of the cover, and write them down; an EvidenceError if one does not hold.

    Where numba is installed that is done in compiled code, and python-chess replays a sample.
    """
    recorder = Recorder()
    with _named(COVER):
        if not can_compile():
            return [_record_of(recorder.record(_read(line))) for line in lines]
        records = list(map(_record, lines))
        for line, record in list(zip(lines, records, strict=True))[::SAMPLED]:
            if _record_of(recorder.record(_read(line))) != record:
                raise GameError(f"game of {record.san}: python-chess plays it otherwise")
        return records


@contextmanager
def _named(file: str) -> Iterator[None]:
    try:
        yield
    except (GameError, ValueError) as error:
        raise EvidenceError(f"{file}: {error}") from error


@cache
def can_compile() -> bool:
    """Check whether numba can be loaded, which only the larger installations have."""
    try:
        import_module("sanproof.proofs.games.player")
    except ImportError:
        return False
    return True


def _read(line: str) -> ProofGame:
    """Return the game on a line of the cover."""
    game = read_line(line)
    if write_line(game) != line:
        raise ValueError(f"the line {line[-40:]!a} is not written as a run writes it")
    return game


def _record(line: str) -> GameRecord:
    """Play the game on a line in compiled code, and write it down."""
    from sanproof.proofs.games.player import play_game  # noqa: PLC0415 - numba is slow to load

    san, _, ply, moves = _read(line)
    sans, before, after = play_game(" ".join(moves), ply, san)
    return GameRecord(san, ply, sans, Witness(san, before, moves[ply], after))


def _record_of(checked: CheckedGame) -> GameRecord:
    game, sans, *position = checked
    return GameRecord(game.san, game.ply, " ".join(sans), Witness(game.san, *position))
