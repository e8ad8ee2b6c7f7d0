"""How a scan gets on: bytes, games a second and the time left."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from sanproof.verify.progress import SECONDS_BETWEEN_LINES, duration

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_MIB: Final = 1 << 20


class ScanProgress(Protocol):
    """Shows how a scan gets on."""

    def advance(self, taken_bytes: int, games: int) -> None:
        """So many bytes of the files were read in all, and so many games scanned just now."""


class _Rate:
    """Counts games, and says how many a second."""

    def __init__(self, total_bytes: int | None) -> None:
        self.total = total_bytes
        self.games = self.taken = self._skipped = 0
        self._begun = time.monotonic()

    def advance(self, taken_bytes: int, games: int) -> None:
        if not games and not self.games:
            self._skipped = taken_bytes  # an earlier run has scanned these
        self.games += games
        self.taken = taken_bytes

    def text(self) -> str:
        """The bytes, the rate and the time left."""
        seconds = max(time.monotonic() - self._begun, 1e-9)
        total = f" of {self.total / _MIB:,.0f}" if self.total else ""
        said = f"{self.taken / _MIB:,.0f}{total} MiB, {self.games / seconds:,.0f} games/s"
        done = self.taken - self._skipped
        if self.total and done > 0:
            left = round(seconds / done * max(0, self.total - self.taken))
            said += f", about {duration(left)} left"
        return said


class _Lines:
    """A line of text now and then, for a log or a pipe."""

    def __init__(self, rate: _Rate) -> None:
        self._rate = rate
        self._printed = time.monotonic()

    def advance(self, taken_bytes: int, games: int) -> None:
        self._rate.advance(taken_bytes, games)
        now = time.monotonic()
        if now - self._printed >= SECONDS_BETWEEN_LINES:
            self._printed = now
            sys.stderr.write(f"scanning: {self._rate.text()}\n")
            sys.stderr.flush()


class _Live:
    """A bar on a terminal."""

    def __init__(self, rate: _Rate, bar: "Progress", task: "TaskID") -> None:
        self._rate, self._bar, self._task = rate, bar, task

    def advance(self, taken_bytes: int, games: int) -> None:
        self._rate.advance(taken_bytes, games)
        self._bar.update(self._task, completed=taken_bytes, description=self._rate.text())


@contextmanager
def scan_display(total_bytes: int | None) -> Iterator[ScanProgress]:
    """Show the progress of a scan on standard error.

    Args:
        total_bytes: The size of all files together; None if that is not known.
    """
    rate = _Rate(total_bytes)
    if not sys.stderr.isatty():
        yield _Lines(rate)
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (BarColumn(bar_width=None), TextColumn("{task.description}"))
    with Progress(*columns, console=console) as bar:
        yield _Live(rate, bar, bar.add_task("scanning", total=total_bytes))
