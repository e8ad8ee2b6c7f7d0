"""The signals that end a command: Ctrl-C, SIGTERM and SIGHUP (the terminal was closed).

While Python loads the command nothing has to be tidied up, and an exception could be raised where
nobody catches it: the process ends at once. While the command runs the first signal raises
:class:`Stopped`, so that files, workers and programs are tidied up; a second signal ends the
process at once. When the command is done the process ends at once again.

A signal that was ignored when the process started stays ignored, as ``nohup`` wants it.
"""

import os
import signal
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
_SHOW_CURSOR: Final = "\x1b[?25h"
_AGAIN_SECONDS: Final = 0.01


class Stopped(KeyboardInterrupt):
    """A signal ends the command."""


class _State:
    """What arrived, what is done about it, and the process groups that end with this process."""

    first: signal.Signals | None = None
    held_back: bool = False
    groups: Final[set[int]] = set()


def received() -> signal.Signals | None:
    """The first signal that arrived while the command ran."""
    return _State.first


def exit_code(number: int) -> int:
    """The exit code of a process that this signal ended, as shells give it."""
    return SIGNALLED + number


def end_at_once() -> None:
    """From now on a signal ends the process at once, with a sentence."""
    _handle(_end)


def raise_first() -> None:
    """From now on the first signal raises :class:`Stopped`, and a second one ends the process."""
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


def add_group(group: int) -> None:
    """Have a process group killed if a signal ends this process at once."""
    _State.groups.add(group)


def end_group(group: int) -> None:
    """Kill the processes of a group that was added."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
    _State.groups.discard(group)


def _handle(handler: Callable[[int, FrameType | None], None]) -> None:
    for number in SENTENCES:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)


def _raise(number: int, _: FrameType | None) -> None:
    if _State.first is not None:
        _end(number)
    _State.first = signal.Signals(number)
    if not _State.held_back:
        raise Stopped


def _end(number: int, _: FrameType | None = None) -> NoReturn:
    for group in tuple(_State.groups):
        end_group(group)
    with suppress(OSError):
        cursor = _SHOW_CURSOR if _State.first is not None and os.isatty(2) else ""
        sentence = SENTENCES[signal.Signals(number)]
        os.write(2, f"{cursor}sanproof: {sentence}\n".encode())
    os._exit(exit_code(number))
