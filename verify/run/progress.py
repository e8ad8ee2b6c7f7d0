"""How a run gets on: a live line on a terminal, plain lines every few seconds elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from verify.run.harness import Progress as Observer

SECONDS_BETWEEN_LINES: Final = 5.0


class _Live:
    """A progress bar with cubes, strings, rate and time left."""

    def __init__(self, bar: Progress, done: int, total: int, doing: str) -> None:
        self._bar = bar
        self._done = done
        self._strings = 0
        self._started = time.monotonic()
        self._task = bar.add_task(doing, total=total, completed=done, strings=0, rate=0.0)

    def advance(self, cubes: int, strings: int) -> None:
        self._done += cubes
        self._strings += strings
        rate = self._strings / (time.monotonic() - self._started)
        self._bar.update(self._task, advance=cubes, strings=self._strings, rate=rate)


class _Lines:
    """The same as lines of text, for a log or a pipe."""

    def __init__(self, done: int, total: int, things: str, unit: str) -> None:
        self._done, self._start, self._total = done, done, total
        self._things, self._unit = things, unit
        self._strings = 0
        self._started = self._printed = time.monotonic()

    def advance(self, cubes: int, strings: int) -> None:
        self._done += cubes
        self._strings += strings
        now = time.monotonic()
        if now - self._printed < SECONDS_BETWEEN_LINES and self._done < self._total:
            return
        self._printed = now
        elapsed = now - self._started
        left = elapsed / max(1, self._done - self._start) * (self._total - self._done)
        sys.stderr.write(
            f"{self._done}/{self._total} {self._unit}, {self._strings:,} {self._things}, "
            f"{self._strings / elapsed:,.0f}/s, {left:.0f} s left\n"
        )


@contextmanager
def progress_display(
    done: int,
    total: int,
    doing: str = "deciding",
    things: str = "witnesses",
    unit: str = "cubes",
) -> Iterator[Observer]:
    """Show the progress of a run on standard error, starting from cubes done before."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(done, total, things, unit)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn(f"{unit}  {{task.fields[strings]:,}} {things}  {{task.fields[rate]:,.0f}}/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        yield _Live(bar, done, total, doing)
