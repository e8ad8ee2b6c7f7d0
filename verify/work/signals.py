"""The signals that end a command: Ctrl-C, SIGTERM and SIGHUP (the terminal was closed).

The first one raises KeyboardInterrupt, so that files, workers and programs are tidied up; a second
one ends the process at once. A signal that was ignored when the process started stays ignored, as
``nohup`` requires.
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

_received: list[signal.Signals] = []
_groups: set[int] = set()
_holding: list[int] = []


def received() -> signal.Signals | None:
    """Return the first signal that has arrived, or None."""
    return _received[0] if _received else None


def catch() -> None:
    """Handle these signals from now on."""
    for number in SENTENCES:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _stop)


def add_group(number: int) -> None:
    """Register a process group to kill if a second signal ends this process at once."""
    _groups.add(number)


@contextmanager
def held() -> Iterator[None]:
    """Have a signal wait until the end of the block."""
    _holding.append(len(_received))
    try:
        yield
    finally:
        if _holding.pop() < len(_received):
            _end()


def _stop(number: int, _: FrameType | None) -> None:
    _received.append(signal.Signals(number))
    if not _holding:
        _end()


def _end() -> None:
    if len(_received) == 1:
        raise KeyboardInterrupt
    for group in _groups:
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
    with suppress(OSError):
        cursor = b"\x1b[?25h" * os.isatty(2)  # which a progress bar hides
        os.write(2, cursor + b"sanproof: Ended at once.\n")
    os._exit(SIGNALLED + _received[-1])
