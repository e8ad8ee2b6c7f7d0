"""How a run gets on: one bar for the whole run on a terminal, a line now and then elsewhere.

All phases of a run have one scale, the time that their work is expected to take.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress

SECONDS_BETWEEN_LINES: Final = 15.0
NARROW: Final = 40
"""On a terminal with fewer columns there is no room for a bar."""


class RunProgress(Protocol):
    """Shows how a run gets on."""

    def begin(self, phase: str, done: float) -> None:
        """A phase begins; of the whole run's cost so much is done."""

    def advance(self, cost: float) -> None:
        """Work of this cost is done."""


class _Live:
    """A bar with the phase, the part that is done, and the time left."""

    def __init__(self, bar: "Progress", total: float) -> None:
        self._bar = bar
        self._total = total

    def begin(self, phase: str, done: float) -> None:
        if not self._bar.tasks:
            self._bar.add_task(phase, total=self._total)
        self._bar.update(self._bar.task_ids[0], description=phase, completed=done)

    def advance(self, cost: float) -> None:
        task = self._bar.tasks[0]
        self._bar.update(task.id, completed=min(task.completed + cost, self._total))


class _Lines:
    """The same as lines of text, for a log or a pipe: one for each phase, others now and then."""

    def __init__(self, total: float) -> None:
        self._total = total
        self._done = self._worked = 0.0
        self._phase = ""
        self._started = self._printed = time.monotonic()

    def begin(self, phase: str, done: float) -> None:
        self._phase, self._done = phase, done
        self._print(time.monotonic())

    def advance(self, cost: float) -> None:
        self._done = min(self._done + cost, self._total)
        self._worked += cost
        now = time.monotonic()
        if now - self._printed >= SECONDS_BETWEEN_LINES:
            self._print(now)

    def _print(self, now: float) -> None:
        self._printed = now
        line = f"{self._phase}: {self._done / self._total:.0%} of the run is done"
        if self._worked:
            left = round((now - self._started) / self._worked * (self._total - self._done))
            line += f", about {duration(left)} left"
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def duration(seconds: int) -> str:
    """A time in minutes and seconds."""
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


@contextmanager
def progress_display(total: float) -> Iterator[RunProgress]:
    """Show the progress of a run on standard error.

    Args:
        total: The cost of the whole run, in any unit.
    """
    from rich.console import Console  # noqa: PLC0415 - a finished run shows no progress
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        ProgressColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(total)
        return
    columns: list[ProgressColumn] = [
        TextColumn("{task.description}"),
        TaskProgressColumn(),
        TimeRemainingColumn(compact=True),
    ]
    if console.width >= NARROW:
        columns.insert(1, BarColumn(bar_width=None))
    with Progress(*columns, console=console) as bar:
        yield _Live(bar, total)
