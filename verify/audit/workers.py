"""The worker processes of an audit: they end with it, however it ends."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager


@contextmanager
def audit_workers(number: int) -> Iterator[Executor]:
    """Worker processes; at an error or Ctrl-C they are killed, whatever they are doing."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(number, mp_context=context, initializer=_begin)
    try:
        with _interrupts_held_back():
            for _ in range(number):
                pool.submit(_begin_work)
        yield pool
    except BaseException:
        with _interrupts_held_back():
            for worker in multiprocessing.active_children():
                worker.kill()
            pool.shutdown(wait=True, cancel_futures=True)
        raise
    pool.shutdown(wait=True)


def _begin() -> None:
    """Have a worker end when its parent does, even if that was killed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _begin_work() -> None:
    """The first task of each worker: with it the worker is started."""


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Hold back Ctrl-C; processes started meanwhile never see it: it is for the parent."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
