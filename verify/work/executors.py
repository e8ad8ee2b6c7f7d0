"""Executors of work: this process, worker processes of this machine, or a cluster."""

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, Final, ParamSpec, TypeVar

from sanproof.verify.errors import FAILED, Unfinished

P = ParamSpec("P")
R = TypeVar("R")

GARBAGE_THRESHOLD: Final = 100_000
"""Formulas are many tuples and no cycles: garbage is looked for less often than Python would."""


class Inline(Executor):
    """Does the work in this process, when it is submitted."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Do it, and keep what came out."""
        future: Future[R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the future's reader handles it
            future.set_exception(error)
        return future


@contextmanager
def worker_pool(
    workers: int, scheduler: str | None = None, *, inline: bool = True
) -> Iterator[Executor]:
    """Yield an executor for a job: processes of this machine, or a cluster's workers.

    A single worker is this process, if the work may be done ``inline``. When the block is left by
    an exception, what was not done is dropped.
    """
    if scheduler is not None:
        from sanproof.verify.work.cluster import cluster  # noqa: PLC0415 - loads dask

        with cluster(scheduler) as executor:
            yield executor
    elif workers == 1 and inline:
        yield Inline()
    else:
        with _processes(workers) as executor:
            yield executor


def worker_died(consequence: str) -> Unfinished:
    """Return the failure when a worker is gone, with what follows for the job."""
    return Unfinished(
        f"A worker died (out of memory, killed, or its cluster was lost){consequence}, perhaps "
        "with fewer --workers."
    )


class _Processes(ProcessPoolExecutor):
    """Worker processes, which leave the terminal's signals to this one."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        with _deaf_to_terminal():  # a process may be started
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _deaf_to_terminal() -> Iterator[None]:
    """Start processes that do not get what a terminal sends to all."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _processes(workers: int) -> Iterator[Executor]:
    """Open an executor of processes, which are killed if the block is left by an exception."""
    # A new process is alike on every system, and has nothing of this one's threads.
    multiprocessing.set_start_method("spawn", force=True)
    with _deaf_to_terminal():  # with the process that returns the semaphores of all others
        pool = _Processes(workers, initializer=_begin)
    results: Any = pool._result_queue  # noqa: SLF001 - Python has no other way, see below
    try:
        yield pool
    except BaseException:
        for process in multiprocessing.active_children():
            process.kill()
        # Or the pool would wait for the rest of a result in the middle of which one was killed.
        results._writer.close()  # noqa: SLF001
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Prepare a worker: it ends when its parent does."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(FAILED)
