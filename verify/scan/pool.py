"""Who scans the chunks: this process, worker processes, or a cluster."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

from sanproof.verify.run.pool import ProcessExecutor, Send
from sanproof.verify.run.stopping import NUMBERS
from sanproof.verify.scan.scanning import NEEDED

P = ParamSpec("P")
R = TypeVar("R")


class Inline(Executor):
    """Does the work at once, in this process: for one worker nothing has to be sent anywhere."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Do it, and keep what came out."""
        future: Future[R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - as an executor does
            future.set_exception(error)
        return future


@contextmanager
def scan_pool(workers: int) -> Iterator[Executor]:
    """An executor for the chunks of a scan.

    Args:
        workers: How many processes scan; one is this process.
    """
    if workers == 1:
        yield Inline()
        return
    pool = ProcessExecutor(workers, _begin, _hear)
    try:
        yield pool
        pool.shutdown(cancel_futures=True)
    except BaseException:
        pool.kill()
        raise


@contextmanager
def scan_hands(
    workers: int, log_file: Path, scheduler: str | None
) -> Iterator[tuple[Executor, int]]:
    """An executor for the chunks of a scan, and how many chunks may be in memory.

    Args:
        workers: How many processes of this machine scan; not used with a scheduler.
        log_file: Where the log records of a cluster go.
        scheduler: The address of a cluster's scheduler, whose workers scan instead.

    Raises:
        Failure: The cluster cannot be used.
    """
    if scheduler is None:
        with scan_pool(workers) as pool:
            yield pool, 1 if workers == 1 else _ahead(workers)
        return
    # Only a scan on a cluster needs dask.
    from sanproof.verify.run.cluster import cluster  # noqa: PLC0415

    with cluster(scheduler, log_file, NEEDED) as hands:
        yield hands, _ahead(hands.workers)


def _ahead(workers: int) -> int:
    """So many that nobody waits while the first is taken in."""
    return 2 * workers + 1


def _begin(_: Send) -> None:
    """A worker begins: signals are for the parent, which ends its workers."""
    for number in NUMBERS:
        signal.signal(number, signal.SIG_IGN)


def _hear(_: object) -> None:
    """Workers send nothing but results."""
