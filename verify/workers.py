"""The work of one worker process, and the pool that runs them.

Workers are started afresh (``spawn``), which works alike on every system; so the handler of
multiprocessing-logging is handed to them as a queue instead of being inherited by a fork.
"""

import logging
import logging.handlers
import multiprocessing
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.queues import Queue
from pathlib import Path
from typing import NamedTuple

from multiprocessing_logging import MultiProcessingHandler

from proofs.cubes import Cube
from proofs.witness import Witness
from verify.store import CubeFindings
from verify.witness import check_witness

log = logging.getLogger("sanproof")


class OrbitFindings(NamedTuple):
    """What a worker found of an orbit of cubes, and the seconds it took."""

    found: list[CubeFindings]
    seconds: float


def solve_orbit(orbit: tuple[Cube, ...]) -> OrbitFindings:
    """Decide the cubes of an orbit and check every witness; the unit of work."""
    from proofs.decide import decide_orbit  # noqa: PLC0415 - only workers pay for a solver

    started = time.perf_counter()
    found = []
    for result in decide_orbit(orbit):
        images = [
            image for w in result.witnesses.values() for image in mirror_images(result.cube, w)
        ]
        checked = [check_witness(image) for image in images]
        unexplained = sorted(map(str, result.unexplained))
        found.append(CubeFindings(result.cube, sorted(set(checked)), unexplained))
    seconds = time.perf_counter() - started
    log.info("%s: %d witnesses, %.2f s", orbit[0], sum(len(f.witnesses) for f in found), seconds)
    return OrbitFindings(found, seconds)


def mirror_images(cube: Cube, witness: Witness) -> Iterator[Witness]:
    """The witness, reflected from left to right, and (for pawns) with the colours exchanged.

    Black's other strings are White's as well.
    """
    sides = [witness] if cube.castling else [witness, witness.mirrored_files()]
    yield from sides
    if cube.piece == "":
        yield from (side.exchanged_colours() for side in sides)


def _begin(queue: "Queue[logging.LogRecord]") -> None:
    """Set up a worker: the interrupt is the parent's to handle, and log records go to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    log.addHandler(logging.handlers.QueueHandler(queue))
    log.setLevel(logging.INFO)


@contextmanager
def worker_pool(workers: int, log_file: Path) -> Iterator[Executor]:
    """A pool of processes whose log records end up in one file."""
    multiprocessing.set_start_method("spawn", force=True)
    file_handler = logging.FileHandler(log_file, encoding="utf-8")
    file_handler.setFormatter(logging.Formatter("%(asctime)s %(processName)s %(message)s"))
    handler = MultiProcessingHandler("sanproof-log", sub_handler=file_handler)
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    pool = ProcessPoolExecutor(workers, initializer=_begin, initargs=(handler.queue,))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        log.removeHandler(handler)
        handler.close()
