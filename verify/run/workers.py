"""The work of one worker process, and the pool that runs them.

Their log records come back through the pipes of the pool, and multiprocessing-logging writes them
to one file.
"""

import gc
import logging
import logging.handlers
import multiprocessing
import queue
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from multiprocessing_logging import MultiProcessingHandler

from sanproof.proofs.cover.parts import Part, Tour
from sanproof.proofs.cover.tours import tour_part
from sanproof.proofs.games.game import CheckedGame, ProofGame, Recorder
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.search.symmetry import exchanged_colours
from sanproof.proofs.verdicts.check import check_witness
from sanproof.proofs.verdicts.witness import CheckedWitness, Witness
from sanproof.verify.run.pool import ProcessExecutor
from sanproof.verify.run.rows import CubeFindings, GamesFound
from sanproof.verify.run.stopping import signals_held_back

if TYPE_CHECKING:
    from sanproof.proofs.search.decide import CubeResult

log = logging.getLogger("sanproof")
GARBAGE_THRESHOLD: Final = 100_000


class UnitFindings(NamedTuple):
    """What a worker found of the cubes of a work unit and their mirror images, and its seconds."""

    found: list[CubeFindings]
    seconds: float


def solve_unit(unit: tuple[Cube, ...]) -> UnitFindings:
    """Decide the cubes of a work unit and their mirror images.

    Every witness is checked.
    """
    # Only workers pay for a solver.
    from sanproof.proofs.search.decide import decide_unit, with_mirror_images  # noqa: PLC0415

    started = time.perf_counter()
    found = [
        CubeFindings(result.cube, _checked(result), result.left_open(), result.certificate)
        for result in with_mirror_images(decide_unit(unit))
    ]
    seconds = time.perf_counter() - started
    log.info("%s: %d witnesses, %.2f s", unit[0], sum(len(f.witnesses) for f in found), seconds)
    return UnitFindings(found, seconds)


class UnitGames(NamedTuple):
    """The games that a worker found for a unit's witnesses, and the seconds it took."""

    found: list[GamesFound]
    seconds: float


def search_unit_games(witnesses: Sequence[Witness]) -> UnitGames:
    """Find a game for each of White's witnesses, or for other positions of their strings.

    Every game is checked.
    """
    from sanproof.proofs.games.search import solve_games  # noqa: PLC0415

    started = time.perf_counter()
    found = solve_games(witnesses)
    recorder = Recorder()
    # Sorted by their moves, games share their beginnings, which are then replayed once.
    in_order = sorted((game for item in found for game in item.games), key=lambda g: g.moves)
    checked = {game: recorder.record(game) for game in in_order}
    games = [
        GamesFound(item.san, [checked[game] for game in item.games], len(item.given_up))
        for item in found
    ]
    seconds = time.perf_counter() - started
    log.info("%d games for %d strings, %.2f s", len(checked), len(witnesses), seconds)
    return UnitGames(games, seconds)


class CoverTours(NamedTuple):
    """The tours that a worker found for a part of the cover, and the seconds it took."""

    found: list[Tour]
    seconds: float


def search_tours(part: Part) -> CoverTours:
    """Tours for one part of the cover."""
    started = time.perf_counter()
    found = tour_part(part)
    seconds = time.perf_counter() - started
    log.info("%s: %d tours, %.2f s", part.name, len(found), seconds)
    return CoverTours(found, seconds)


def check_games(games: Sequence[ProofGame]) -> list[CheckedGame]:
    """Check games, which are sorted by their moves.

    Raises:
        GameError: One of them does not hold.
    """
    return list(map(Recorder().record, games))


def _checked(result: "CubeResult") -> list[CheckedWitness]:
    """The witnesses of a cube; and for a pawn's, whose strings differ, Black's as well."""
    witnesses = sorted(result.witnesses.values())
    if result.cube.piece == "":  # the other strings of Black's are White's as well
        witnesses += [exchanged_colours(witness) for witness in witnesses]
    return list(map(check_witness, witnesses))


def _begin(send: Callable[[object], None]) -> None:
    """Set up a worker: its log records go to the parent.

    Formulas are many tuples and no cycles, so garbage is looked for less often than Python would.
    """
    gc.set_threshold(GARBAGE_THRESHOLD)
    log.addHandler(RecordSender(send))
    log.setLevel(logging.INFO)


class RecordSender(logging.handlers.QueueHandler):
    """Hands log records to a function, in a form that can be sent."""

    def __init__(self, send: Callable[[logging.LogRecord], None]) -> None:
        super().__init__(queue.SimpleQueue())
        self._send = send

    def enqueue(self, record: logging.LogRecord) -> None:
        """Hand a record over, which :meth:`prepare` made ready to be sent."""
        self._send(record)


@contextmanager
def worker_pool(workers: int, log_file: Path) -> Iterator[Executor]:
    """A pool of processes whose log records end up in one file."""
    with gathered_log(log_file):
        pool = ProcessExecutor(workers, _begin, log.handle)
        try:
            yield pool
            pool.shutdown(cancel_futures=True)
        except BaseException:
            pool.kill()
            raise


@contextmanager
def gathered_log(log_file: Path) -> Iterator[None]:
    """Have a thread write all log records to a file, so that nobody waits for the disk."""
    logging.raiseExceptions = False  # a log that cannot be written is no reason for a traceback
    file_handler = logging.FileHandler(log_file, encoding="utf-8")
    file_handler.setFormatter(logging.Formatter("%(asctime)s %(processName)s %(message)s"))
    with _unnamed_semaphores(), signals_held_back():
        handler = MultiProcessingHandler("sanproof-log", sub_handler=file_handler)
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        handler.close()


@contextmanager
def _unnamed_semaphores() -> Iterator[None]:
    """Let a queue's semaphores have no names in the system, which a kill would leave behind.

    The handler's queue makes them as processes are started by default; and only processes that
    are not forked need the names. Ours send their records through their pipes.
    """
    before = multiprocessing.get_start_method(allow_none=True)
    multiprocessing.set_start_method("fork", force=True)
    try:
        yield
    finally:
        multiprocessing.set_start_method(before, force=True)
