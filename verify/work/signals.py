"""The signals that end a command: Ctrl-C, SIGTERM and SIGHUP (the terminal was closed).

The first raises :class:`Stopped`, so that files, workers and programs are tidied up; a second ends
the process at once. A signal that was ignored when the process started stays ignored, as ``nohup``
wants it.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

from sanproof.verify.errors import SIGNALLED

SENTENCES: Final = {
    signal.SIGINT: "Interrupted.",
    signal.SIGTERM: "Ended by the signal SIGTERM.",
    signal.SIGHUP: "Ended by the signal SIGHUP: the terminal was closed.",
}


class Stopped(KeyboardInterrupt):
    """A signal ends the command."""


_received: list[signal.Signals] = []
_groups: set[int] = set()
_postponed = False


def received() -> signal.Signals | None:
    """Return the first signal that arrived."""
    return _received[0] if _received else None


def catch() -> None:
    """Let the first signal raise :class:`Stopped` from now on, and a second end the process."""
    for number in SENTENCES:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _stop)


@contextmanager
def postponed() -> Iterator[None]:
    """Let a signal that arrives in the block stop the command when the block is left."""
    global _postponed  # noqa: PLW0603 - signals are the whole process's
    before, _postponed = len(_received), True
    try:
        yield
    finally:
        _postponed = False
    if len(_received) > before:
        raise Stopped


def add_group(number: int) -> None:
    """Have a process group killed if a second signal ends this process at once."""
    _groups.add(number)


def end_group(number: int) -> None:
    """Kill a process group, if it was added; one that is gone is forgotten."""
    if number in _groups:
        _groups.discard(number)
        with suppress(ProcessLookupError):
            os.killpg(number, signal.SIGKILL)


def _stop(number: int, _: FrameType | None) -> None:
    _received.append(signal.Signals(number))
    if _postponed:
        return
    if len(_received) == 1:
        raise Stopped
    for group in tuple(_groups):
        end_group(group)
    with suppress(OSError):
        os.write(2, b"sanproof: Ended at once.\n")
    os._exit(SIGNALLED + number)
