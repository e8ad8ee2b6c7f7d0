"""Ctrl-C and its like while a run is at work: the first ends it in order, the second at once.

Python runs a signal's handler between two steps of the main thread, which a long compression or a
blocked terminal delays. A thread therefore listens as well. If the main thread is not done soon,
it says so; at a second signal, or after some seconds, it ends the process. That is safe at any
moment, because a run may be killed at any moment.
"""

import multiprocessing
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

from sanproof.verify.signals import Stopped

NUMBERS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SAID_AFTER_SECONDS: Final = 0.25
ENDED_AFTER_SECONDS: Final = 10.0
ENDING: Final = b"\nsanproof: ending; what is done is kept (once more ends it now).\n"
ENDED: Final = b"\nsanproof: Ended at once; what was decided is kept.\n"
LEFT: Final = 0
LATE: Final = -1


class RunStopped(Stopped):
    """A signal asks the run to end.

    Attributes:
        exit_code: The exit code that a shell gives a process that the signal ends.
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = 128 + number


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """Raise :class:`RunStopped` in the block at the first signal that asks the process to end.

    What the user has it ignore (``nohup``) stays ignored. Only the main thread can do this; in
    another one nothing is changed.
    """
    numbers = [number for number in NUMBERS if signal.getsignal(number) != signal.SIG_IGN]
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    with signals_held_back():  # from the thread as well: they are to reach the main thread
        threading.Thread(target=_watch, args=(reading, numbers), daemon=True).start()
    handlers = {number: signal.getsignal(number) for number in numbers}
    descriptor = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    raise_once = _RaiseOnce()
    try:
        for number in numbers:
            signal.signal(number, raise_once)
        yield
    finally:
        raise_once.done = True
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(descriptor)
        writing.close()


class _RaiseOnce:
    """The handler: later signals do not disturb what ends in order; the thread sees to them."""

    def __init__(self) -> None:
        self.done = False

    def __call__(self, number: int, _: FrameType | None) -> None:
        if not self.done:
            self.done = True
            raise RunStopped(number)


def _watch(reading: socket.socket, numbers: list[signal.Signals]) -> None:
    """Wait for signals until the block is left."""
    with reading:
        first = _next(reading, numbers, None)
        if first == LEFT:
            return
        then = _next(reading, numbers, SAID_AFTER_SECONDS)
        if then == LATE:
            _say(ENDING)
            then = _next(reading, numbers, ENDED_AFTER_SECONDS)
        if then == LEFT:
            return
    for child in multiprocessing.active_children():
        child.kill()
    _say(ENDED)
    os._exit(128 + first)


def _next(reading: socket.socket, numbers: list[signal.Signals], timeout: float | None) -> int:
    """The next signal; ``LEFT`` if the block was left, ``LATE`` if nothing happened in time."""
    while select.select([reading], [], [], timeout)[0]:
        received = reading.recv(1)
        if not received:
            return LEFT
        if received[0] in numbers:
            return received[0]
    return LATE


def _say(sentence: bytes) -> None:
    """Write to standard error, unless nobody reads there: that must not keep the end waiting."""
    if sys.stderr is not None and select.select([], [2], [], 0)[1]:
        with suppress(OSError):
            os.write(2, sentence)


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Hold signals back.

    Processes and threads started meanwhile never see them: they are for the main thread.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, NUMBERS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
