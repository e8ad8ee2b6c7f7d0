"""The signals that end a command: Ctrl-C, SIGTERM and SIGHUP (the terminal was closed).

While Python loads the command nothing has to be tidied up, and an exception could be raised where
no code catches it: the process ends at once. While the command runs the first signal raises
:class:`Stopped`, so that files, workers and programs are tidied up; a second signal ends the
process at once. When the command is done the process ends at once again.

Python runs a signal's handler between two steps of the main thread, which a long compression or a
blocked terminal delays. Long work is therefore done :func:`in_order`, where a thread listens too.

A signal that was ignored when the process started stays ignored, as ``nohup`` wants it.
"""

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

from sanproof.verify.errors import SIGNALLED

SENTENCES: Final = {
    signal.SIGINT: "Interrupted.",
    signal.SIGTERM: "Ended by the signal SIGTERM.",
    signal.SIGHUP: "Ended by the signal SIGHUP: the terminal was closed.",
}
SAID_AFTER_SECONDS: Final = 0.25
ENDED_AFTER_SECONDS: Final = 10.0
_SHOW_CURSOR: Final = "\x1b[?25h"
_AGAIN_SECONDS: Final = 0.01
_LEFT: Final = 0
_LATE: Final = -1


class Stopped(KeyboardInterrupt):
    """A signal ends the command."""


class _State:
    """The signal that arrived, how signals are handled, and which processes end with this one.

    The last are numbers of processes, or of groups with a minus, as kill(2) takes them.
    """

    first: signal.Signals | None = None
    held_back: bool = False
    is_watched: bool = False
    with_us: Final[set[int]] = set()


def received() -> signal.Signals | None:
    """Return the first signal that arrived while the command ran."""
    return _State.first


def end_at_once() -> None:
    """Let a signal end the process at once from now on, with a sentence."""
    _handle(_end)


def raise_first() -> None:
    """Let the first signal raise :class:`Stopped` from now on; a second ends the process."""
    _handle(_raise)


def raise_again() -> None:
    """Have :class:`Stopped` raised once more, after it was raised where Python drops exceptions.

    Python calls a signal's handler between any two steps, those of a destructor or of a weak
    reference's callback among them, and an exception that is raised there ends nothing.
    """
    number, _State.first = _State.first, None
    if number is not None:
        signal.signal(signal.SIGALRM, lambda _, __: _raise(number, None))
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)


@contextmanager
def in_order() -> Iterator[None]:
    """Have long work end in order, and not later than it may.

    The first signal raises :class:`Stopped` in the block. If the block is not left soon, a thread
    says that it ends; at a second signal, or after some seconds, the thread ends the process. What
    is done here must be safe at any moment. Only the main thread can do this; in another one
    nothing is changed.
    """
    import threading  # noqa: PLC0415 - the shortest commands end before it is loaded

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with blocked():  # the thread leaves signals to the main one
        threading.Thread(target=_watch, args=(reading,), daemon=True).start()
    handlers = {number: signal.getsignal(number) for number in SENTENCES}
    descriptor = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    _State.first, _State.is_watched = None, True
    try:
        raise_first()
        yield
    finally:
        _State.is_watched = False
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(descriptor)
        os.close(writing)


@contextmanager
def held_back() -> Iterator[None]:
    """Let a signal raise :class:`Stopped` at the end of the block, not within it.

    For a few steps that belong together, such as starting a program and noting its number. What is
    started inherits nothing of this.
    """
    _State.held_back = True
    try:
        yield
    finally:
        _State.held_back = False
        if _State.first is not None:
            raise Stopped


@contextmanager
def blocked() -> Iterator[None]:
    """Block signals; processes and threads that are started meanwhile never see them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SENTENCES)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def add_process(number: int) -> None:
    """Have a process killed if a signal ends this one at once; a group with a minus."""
    _State.with_us.add(number)


def end_process(number: int) -> None:
    """Kill a process that was added, or a group; one that was waited for is forgotten."""
    if number in _State.with_us:
        _State.with_us.discard(number)
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def _handle(handler: Callable[[int, FrameType | None], None]) -> None:
    for number in SENTENCES:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)


def _raise(number: int, _: FrameType | None) -> None:
    if _State.first is None:
        _State.first = signal.Signals(number)
        if not _State.held_back:
            raise Stopped
    elif not _State.is_watched:  # otherwise the thread sees to it
        _end(number)


def _end(number: int, _: FrameType | None = None) -> NoReturn:
    _end_others()
    with suppress(OSError):
        cursor = _SHOW_CURSOR if _State.first is not None and os.isatty(2) else ""
        sentence = SENTENCES[signal.Signals(number)]
        os.write(2, f"{cursor}sanproof: {sentence}\n".encode())
    os._exit(SIGNALLED + number)


def _end_others() -> None:
    for number in tuple(_State.with_us):
        end_process(number)


def _watch(reading: int) -> None:
    """Wait for signals until the block is left."""
    first = then = _next(reading, None)
    if first != _LEFT:
        then = _next(reading, SAID_AFTER_SECONDS)
    if then == _LATE:
        to_hurry = " (press Ctrl-C again to end at once)" if first == signal.SIGINT else ""
        _say(f"\nsanproof: ending{to_hurry}.\n")
        then = _next(reading, ENDED_AFTER_SECONDS)
    os.close(reading)
    if then != _LEFT:
        _end_others()
        _say("\nsanproof: Ended at once.\n")
        os._exit(SIGNALLED + first)


def _next(reading: int, timeout: float | None) -> int:
    """Return the next signal; ``_LEFT`` if the block was left, ``_LATE`` if none came in time."""
    while select.select([reading], [], [], timeout)[0]:
        received = os.read(reading, 1)
        if not received:
            return _LEFT
        if received[0] in SENTENCES and signal.getsignal(received[0]) != signal.SIG_IGN:
            return received[0]
    return _LATE


def _say(sentence: str) -> None:
    """Write to standard error, unless it is closed: that must not keep the end waiting."""
    if sys.stderr is not None and select.select([], [2], [], 0)[1]:
        with suppress(OSError):
            os.write(2, sentence.encode())
