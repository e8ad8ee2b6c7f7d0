"""How long work gets on: one bar for the whole on a terminal, a line now and then elsewhere.

All phases of the work have one scale, the time that they are expected to take.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

SECONDS_BETWEEN_LINES: Final = 10.0
NARROW: Final = 60
"""On a terminal with fewer columns there is no room for a bar."""


class Advances(Protocol):
    """Whoever wants to know what a phase has done."""

    def advance(self, cost: float) -> None:
        """Work of this cost is done."""


class Progress(Advances, Protocol):
    """Shows how long work gets on, phase by phase."""

    def begin(self, phase: str, done: float) -> None:
        """A phase begins; of the whole cost so much is done."""


class _Scale:
    """How much of the whole is done, and how long the rest will take at the pace so far.

    What was done before this command began is done, but says nothing about the pace.
    """

    def __init__(self, total: float) -> None:
        self.total = total
        self.done = 0.0
        self._worked = 0.0
        self._started = time.monotonic()

    def begin(self, done: float) -> None:
        self.done = done

    def advance(self, cost: float) -> None:
        self.done = min(self.done + cost, self.total)
        self._worked += cost

    def time_left(self) -> str:
        """In words; nothing while nobody knows."""
        if not self._worked:
            return ""
        pace = (time.monotonic() - self._started) / self._worked
        return f"about {duration(round(pace * (self.total - self.done)))} left"


class _Live:
    """A bar with the phase, the part that is done, and the time left."""

    def __init__(self, bar: "Bar", total: float) -> None:
        self._bar = bar
        self._scale = _Scale(total)

    def begin(self, phase: str, done: float) -> None:
        if not self._bar.tasks:
            self._bar.add_task(phase, total=self._scale.total, left="")
        self._scale.begin(done)
        self._bar.update(self._bar.task_ids[0], description=phase)
        self._show()

    def advance(self, cost: float) -> None:
        self._scale.advance(cost)
        self._show()

    def _show(self) -> None:
        left = self._scale.time_left()
        self._bar.update(self._bar.task_ids[0], completed=self._scale.done, left=left)


class _Lines:
    """The same as lines of text, for a log or a pipe: one for each phase, others now and then."""

    def __init__(self, total: float, whole: str) -> None:
        self._scale = _Scale(total)
        self._whole = whole
        self._phase = ""
        self._printed = time.monotonic()

    def begin(self, phase: str, done: float) -> None:
        self._phase = phase
        self._scale.begin(done)
        self._print()

    def advance(self, cost: float) -> None:
        self._scale.advance(cost)
        if time.monotonic() - self._printed >= SECONDS_BETWEEN_LINES:
            self._print()

    def _print(self) -> None:
        self._printed = time.monotonic()
        share = self._scale.done / self._scale.total
        text = f"{self._phase}: {share:.0%} of the {self._whole} is done"
        sys.stderr.write(", ".join(filter(None, [text, self._scale.time_left()])) + "\n")
        sys.stderr.flush()


def duration(seconds: int) -> str:
    """A time in minutes and seconds."""
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


@contextmanager
def progress_display(total: float, whole: str) -> Iterator[Progress]:
    """Show the progress of long work on standard error.

    Args:
        total: The cost of the whole, in any unit.
        whole: What the whole is called, as in "10% of the run is done".
    """
    if not sys.stderr.isatty():
        yield _Lines(total, whole)
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        ProgressColumn,
        TaskProgressColumn,
        TextColumn,
    )
    from rich.progress import Progress as Bar  # noqa: PLC0415

    console = Console(stderr=True)
    columns: list[ProgressColumn] = [TextColumn("{task.description}"), TaskProgressColumn()]
    if console.width >= NARROW:
        columns.insert(1, BarColumn(bar_width=None))
        columns.append(TextColumn("{task.fields[left]}"))
    with Bar(*columns, console=console, transient=True) as bar:
        yield _Live(bar, total)
