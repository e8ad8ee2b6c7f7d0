"""Shows how far work has come: one line that changes on a terminal, a line now and then elsewhere.

All phases of the work have one scale: the time that they are expected to take, or bytes.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import ceil, inf
from typing import Final, TypeVar

from sanproof.verify.findings.width import columns_of

T = TypeVar("T")

SECONDS_BETWEEN_LINES: Final = 10.0
SECONDS_UNTIL_A_GUESS: Final = 5.0
_CLEAR_REST: Final = "\x1b[K"


class Scale:
    """How much of a total is done, which is None if it is not known.

    ``draw`` shows the scale, and is told whether a phase began.
    """

    def __init__(
        self, total: float | None, draw: Callable[["Scale", bool], None] = lambda *_: None
    ) -> None:
        self.total = total
        self.phase = ""
        self.done = 0.0
        self._draw = draw
        self._began = 0.0, time.monotonic()

    def begin(self, phase: str, done: float | None = None) -> None:
        """Begin a phase, of which so much was done before and says nothing about the pace."""
        if done is not None:
            self.done = done
            self._began = done, time.monotonic()
        self.phase, is_new = phase, phase != self.phase
        self._draw(self, is_new)

    def advance(self, cost: float) -> None:
        """Note that so much more is done."""
        self.done = min(self.done + cost, self.total or inf)
        self._draw(self, False)

    def watch(self, phase: str, cost: float, results: Iterable[T], number: int) -> Iterator[T]:
        """Yield so many results of a phase of this cost, which begins when one is asked for."""
        self.begin(phase)
        for result in results:
            yield result
            self.advance(cost / number)

    def time_left(self) -> str:
        """Say how long the rest will take at this pace; nothing as long as little is done."""
        total, done = self.total or 0.0, self.done
        worked, seconds = done - self._began[0], time.monotonic() - self._began[1]
        if done >= total or worked < total / 100 or seconds < SECONDS_UNTIL_A_GUESS:
            return ""
        left = seconds / worked * (total - done)
        return f", about {ceil(left / 60)} min left" if left > 60 else ", less than a minute left"


def percentage(scale: Scale) -> str:
    """Return the part that is done."""
    return f"{scale.done / scale.total:.0%}" if scale.total else ""


@contextmanager
def progress_display(
    total: float | None, whole: str = "", text: Callable[[Scale], str] = percentage
) -> Iterator[Scale]:
    """Show the progress of long work on standard error.

    ``whole`` is what it is called, as in "10% of the run is done", and ``text`` says how much is.
    """
    columns = columns_of(sys.stderr)
    pause = SECONDS_BETWEEN_LINES if columns is None else 0.1
    printed = time.monotonic()
    end = whole and f" of the {whole} is done"

    def draw(scale: Scale, is_new: bool) -> None:
        nonlocal printed
        if time.monotonic() - printed >= pause or (is_new and columns):
            printed = time.monotonic()
            line = f"{scale.phase}: {text(scale)}{end}{scale.time_left()}"
            shown = f"{line}\n" if columns is None else f"\r{line[: columns - 1]}{_CLEAR_REST}"
            sys.stderr.write(shown)
            sys.stderr.flush()

    try:
        yield Scale(total, draw)
    finally:
        if columns is not None:
            sys.stderr.write(f"\r{_CLEAR_REST}")
