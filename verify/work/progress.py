"""Shows how far work has come: one line that changes on a terminal, a line now and then elsewhere.

All phases of the work have one scale: the time that they are expected to take, or bytes.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import ceil
from typing import Final, TypeVar

from sanproof.verify.findings.width import columns_of

T = TypeVar("T")

SECONDS_BETWEEN_LINES: Final = 10.0
SECONDS_UNTIL_A_GUESS: Final = 5.0
_SECONDS_BETWEEN_CHANGES: Final = 0.1
_CLEAR_REST: Final = "\x1b[K"


class Scale:
    """A scale of the whole: how much is done, and how long the rest will take at this pace.

    What was done before this command began is done, but says nothing about the pace. A total of
    None is not known. ``draw`` shows the scale, and is told whether a phase began just now.
    """

    def __init__(
        self, total: float | None, draw: Callable[["Scale", bool], None] = lambda *_: None
    ) -> None:
        self.total = total
        self.phase = ""
        self.done = 0.0
        self._draw = draw
        self._worked = 0.0
        self._started = time.monotonic()

    def begin(self, phase: str, done: float) -> None:
        """Begin a phase, or go on with it; so much is done, by whatever command."""
        is_new = phase != self.phase
        self.phase, self.done = phase, done
        self._draw(self, is_new)

    def advance(self, cost: float) -> None:
        """Note that so much more is done."""
        self.done = self.done + cost if self.total is None else min(self.done + cost, self.total)
        self._worked += cost
        self._draw(self, False)

    def watch(self, phase: str, cost: float, results: Iterable[T], number: int) -> Iterator[T]:
        """Yield so many results of a phase of this cost, which begins when one is asked for."""
        self.begin(phase, self.done)
        for result in results:
            yield result
            self.advance(cost / number)

    def seconds(self) -> float:
        """Return how long it has taken so far."""
        return max(time.monotonic() - self._started, 1e-9)

    def time_left(self) -> str:
        """Say how long the rest will take; nothing at first, which says little about the pace."""
        if self.total is None or self.seconds() < SECONDS_UNTIL_A_GUESS:
            return ""
        if not self._worked or self._worked < self.total / 100 or self.done >= self.total:
            return ""
        return f"{roughly(self.seconds() / self._worked * (self.total - self.done))} left"


def roughly(seconds: float) -> str:
    """Say a time as exactly as a guess is: in whole minutes, or tens of seconds, rounded up."""
    if seconds > 60:
        return f"about {ceil(seconds / 60)} min"
    return f"about {ceil(seconds / 10) * 10} s" if seconds > 10 else "a few seconds"


def percentage(scale: Scale) -> str:
    """Return the part that is done."""
    return f"{scale.done / scale.total:.0%}" if scale.total else ""


@contextmanager
def progress_display(
    total: float | None, whole: str = "", text: Callable[[Scale], str] = percentage
) -> Iterator[Scale]:
    """Show the progress of long work on standard error.

    Args:
        total: The cost of the whole, in any unit; None if it is not known.
        whole: What the whole is called, as in "10% of the run is done".
        text: Says how much is done.
    """
    columns = columns_of(sys.stderr)
    pause = SECONDS_BETWEEN_LINES if columns is None else _SECONDS_BETWEEN_CHANGES
    printed = time.monotonic()

    def draw(scale: Scale, is_new: bool) -> None:
        nonlocal printed
        if time.monotonic() - printed < pause and not (is_new and columns):
            return
        printed = time.monotonic()
        done = f"{scale.phase}: {text(scale)}{whole and f' of the {whole} is done'}"
        line = ", ".join(filter(None, [done, scale.time_left()]))
        if columns is None:
            sys.stderr.write(f"{line}\n")
        else:
            sys.stderr.write(f"\r{line[: columns - 1]}{_CLEAR_REST}")
        sys.stderr.flush()

    try:
        yield Scale(total, draw)
    finally:
        if columns is not None:
            sys.stderr.write(f"\r{_CLEAR_REST}")
