"""The work of one worker process, and the pool that runs them.

Workers are started afresh (``spawn``), which works alike on every system; so the handler of
multiprocessing-logging is handed to them as a queue instead of being inherited by a fork.
"""

import gc
import logging
import logging.handlers
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from multiprocessing_logging import MultiProcessingHandler

from proofs.games.game import CheckedGame, ProofGame, Recorder
from proofs.rules.cubes import Cube
from proofs.rules.san import list_order
from proofs.search.symmetry import exchanged_colours, mirrored_cube, mirrored_files, mirrored_san
from proofs.suite.tours import Part, Tour, tour_part
from proofs.verdicts.check import check_witness
from proofs.verdicts.witness import Witness
from verify.run.store import CubeFindings, GamesFound

if TYPE_CHECKING:
    from multiprocessing.queues import Queue

    from proofs.search.decide import CubeResult

log = logging.getLogger("sanproof")
GARBAGE_THRESHOLD: Final = 100_000


class OrbitFindings(NamedTuple):
    """What a worker found of an orbit of cubes and their mirror images, and the seconds it took."""

    found: list[CubeFindings]
    seconds: float


def solve_orbit(orbit: tuple[Cube, ...]) -> OrbitFindings:
    """Decide the cubes of an orbit and their mirror images: the unit of work.

    Every witness is checked, and every cube closed a second time, by another solver.
    """
    # Only workers pay for a solver.
    from proofs.search.decide import decide_unit  # noqa: PLC0415
    from proofs.search.refute import search_certificate  # noqa: PLC0415

    started = time.perf_counter()
    found = []
    for result in decide_unit(orbit):
        for cube, witnesses, unexplained in mirror_images(result):
            checked = [check_witness(w) for w in witnesses]
            if cube.piece == "":  # the other strings of Black's are White's as well
                checked += [check_witness(exchanged_colours(w)) for w in witnesses]
            left_open = sorted({w.san for w in witnesses} | set(unexplained), key=list_order)
            certificate = search_certificate(cube, left_open)
            found.append(CubeFindings(cube, checked, left_open, certificate))
    seconds = time.perf_counter() - started
    log.info("%s: %d witnesses, %.2f s", orbit[0], sum(len(f.witnesses) for f in found), seconds)
    return OrbitFindings(found, seconds)


class OrbitGames(NamedTuple):
    """The games that a worker found for an orbit's witnesses, and the seconds it took."""

    found: list[GamesFound]
    seconds: float


def search_orbit_games(witnesses: Sequence[Witness]) -> OrbitGames:
    """Find a game for each of White's witnesses, or for other positions of their strings.

    Every game is checked.
    """
    from proofs.games.search import solve_games  # noqa: PLC0415

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
    return OrbitGames(games, seconds)


class SuiteTours(NamedTuple):
    """The tours that a worker found for a part of the covering suite, and the seconds it took."""

    found: list[Tour]
    seconds: float


def search_tours(part: Part) -> SuiteTours:
    """Tours for one part of the covering suite."""
    started = time.perf_counter()
    found = tour_part(part)
    seconds = time.perf_counter() - started
    log.info("%s: %d tours, %.2f s", part.name, len(found), seconds)
    return SuiteTours(found, seconds)


def check_games(games: Sequence[ProofGame]) -> list[CheckedGame]:
    """Check games, which are sorted by their moves.

    Raises:
        GameError: One of them does not hold.
    """
    return list(map(Recorder().record, games))


def mirror_images(result: "CubeResult") -> Iterator[tuple[Cube, list[Witness], list[str]]]:
    """A cube with its witnesses and unexplained strings, then the same reflected left to right."""
    witnesses = sorted(result.witnesses.values())
    yield result.cube, witnesses, [str(san) for san in result.unexplained]
    if not result.cube.castling:
        cube = mirrored_cube(result.cube)
        unexplained = [str(mirrored_san(san)) for san in result.unexplained]
        yield cube, list(map(mirrored_files, witnesses)), unexplained


def _begin(queue: "Queue[logging.LogRecord]") -> None:
    """Set up a worker: its log records go to the parent, and it ends when the parent does.

    Formulas are many tuples and no cycles, so garbage is looked for less often than Python would.
    """
    gc.set_threshold(GARBAGE_THRESHOLD)
    log.addHandler(logging.handlers.QueueHandler(queue))
    log.setLevel(logging.INFO)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _nothing() -> None:
    """The first task of each worker."""


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Hold back Ctrl-C; processes started meanwhile never see it: it is the parent's to handle."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def worker_pool(workers: int, log_file: Path) -> Iterator[Executor]:
    """A pool of processes whose log records end up in one file."""
    multiprocessing.set_start_method("spawn", force=True)
    logging.raiseExceptions = False  # a log that cannot be written is no reason for a traceback
    file_handler = logging.FileHandler(log_file, encoding="utf-8")
    file_handler.setFormatter(logging.Formatter("%(asctime)s %(processName)s %(message)s"))
    handler = MultiProcessingHandler("sanproof-log", sub_handler=file_handler)
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    pool = ProcessPoolExecutor(workers, initializer=_begin, initargs=(handler.queue,))
    try:
        with _interrupts_held_back():
            for _ in range(workers):
                pool.submit(_nothing)
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        log.removeHandler(handler)
        handler.close()
