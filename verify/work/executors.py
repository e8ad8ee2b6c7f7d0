"""Executors: this process, worker processes on this machine, or a cluster."""

import gc
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from logging.handlers import QueueHandler
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from multiprocessing_logging import MultiProcessingHandler

from sanproof.verify.errors import FAILED, Unfinished
from sanproof.verify.work import signals

P = ParamSpec("P")
R = TypeVar("R")
log = logging.getLogger("sanproof")

GARBAGE_THRESHOLD: Final = 100_000
"""The threshold of garbage collection, rare because formulas are many tuples without cycles."""


class Inline(Executor):
    """An executor that does the work in this process, when it is submitted."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Do the work at once, and return a future with the result or the exception."""
        future: Future[R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the future's reader handles it
            future.set_exception(error)
        return future


@contextmanager
def worker_pool(
    workers: int, log_file: Path | None = None, scheduler: str | None = None
) -> Iterator[Executor]:
    """Yield an executor for a job: processes on this machine, or a cluster's workers.

    A single worker that logs nothing is this process. When the block is left by an exception, what
    was not done is dropped.

    Raises:
        Failure: The cluster cannot be used.
        Unfinished: A worker died, or the cluster was lost.
        ValueError: There are less than one ``workers``.
    """
    opened: AbstractContextManager[Executor]
    if scheduler is not None:
        from sanproof.verify.work.cluster import cluster  # noqa: PLC0415 - loads dask

        opened = cluster(scheduler)
    elif log_file is None and workers == 1:
        opened = nullcontext(Inline())
    else:
        opened = _processes(workers, log_file)
    try:
        with opened as executor:
            yield executor
    except BrokenExecutor as error:
        raise Unfinished(
            "A worker died (out of memory, or killed): run the same command again, perhaps with "
            "fewer --workers; what it kept is not done again."
        ) from error


class _Processes(ProcessPoolExecutor):
    """Worker processes, which leave the terminal's signals to this one."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        with _starting():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _starting() -> Iterator[None]:
    """Start processes whole, and such as do not get what a terminal sends to all."""
    with signals.held():  # one that is not told what to do would end in a traceback
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGHUP))
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _processes(workers: int, log_file: Path | None) -> Iterator[ProcessPoolExecutor]:
    """Open an executor of worker processes, which are killed if the block is left by an exception.

    What they log, and what is logged here, goes to the file.
    """
    # A new process is alike on every system, and has nothing of this one's threads.
    multiprocessing.set_start_method("spawn", force=True)
    handler = None
    with _starting():  # with the process that returns the semaphores of all others
        if log_file is not None:  # written by a thread here
            to_file = logging.FileHandler(log_file, encoding="utf-8")
            to_file.setFormatter(logging.Formatter("%(asctime)s %(processName)s %(message)s"))
            handler = MultiProcessingHandler("sanproof-log", sub_handler=to_file)
            _log_to(handler)
        pool = _Processes(workers, initializer=_begin, initargs=(handler and handler.queue,))
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
        if handler:
            log.removeHandler(handler)
            handler.close()


def _log_to(handler: logging.Handler) -> None:
    log.addHandler(handler)
    log.setLevel(logging.INFO)


def _begin(records: Any) -> None:  # noqa: ANN401 - a queue of the parent's, or None
    """Prepare a worker: it ends when its parent does."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if records is not None:
        _log_to(QueueHandler(records))


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(FAILED)
