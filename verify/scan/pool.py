"""Who scans the chunks: this process, or worker processes."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from verify.run.pool import ProcessExecutor, Send
from verify.run.stopping import NUMBERS

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


def _begin(_: Send) -> None:
    """A worker begins: signals are for the parent, which ends its workers."""
    for number in NUMBERS:
        signal.signal(number, signal.SIG_IGN)


def _hear(_: object) -> None:
    """Workers send nothing but results."""
