"""How long work gets on: one bar for the whole on a terminal, a line now and then elsewhere.

All phases of the work have one scale: the time that they are expected to take, or bytes.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

SECONDS_BETWEEN_LINES: Final = 10.0
SECONDS_UNTIL_A_GUESS: Final = 5.0
MINUTE: Final = 60
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


class Scale:
    """How much of the whole is done, and how long the rest will take at the pace so far.

    What was done before this command began is done, but says nothing about the pace. A total of
    None is not known.
    """

    def __init__(self, total: float | None) -> None:
        self.total = total
        self.done = 0.0
        self._worked = 0.0
        self._started = time.monotonic()

    def begin(self, done: float) -> None:
        """So much is done, whoever did it."""
        self.done = done

    def advance(self, cost: float) -> None:
        """So much more was done just now."""
        self.done = self.done + cost if self.total is None else min(self.done + cost, self.total)
        self._worked += cost

    def seconds(self) -> float:
        """How long it has taken so far."""
        return max(time.monotonic() - self._started, 1e-9)

    def time_left(self) -> str:
        """In words; nothing while nobody knows: the first moments say little about the pace."""
        if self.total is None or not self._worked or self.seconds() < SECONDS_UNTIL_A_GUESS:
            return ""
        left = self.seconds() / self._worked * (self.total - self.done)
        return f"{roughly(left)} left" if left > 0 else ""


class _Live:
    """A bar with the phase, the part that is done, and the time left."""

    def __init__(self, bar: "Bar", scale: Scale, text: Callable[[Scale], str]) -> None:
        self._bar = bar
        self._scale = scale
        self._text = text

    def begin(self, phase: str, done: float) -> None:
        if not self._bar.tasks:
            self._bar.add_task(phase, total=self._scale.total, text="", left="")
        self._scale.begin(done)
        self._bar.update(self._bar.task_ids[0], description=phase)
        self._show()

    def advance(self, cost: float) -> None:
        self._scale.advance(cost)
        self._show()

    def _show(self) -> None:
        done, text, left = self._scale.done, self._text(self._scale), self._scale.time_left()
        self._bar.update(self._bar.task_ids[0], completed=done, text=text, left=left)


class _Lines:
    """The same as lines of text, for a log or a pipe: one for each phase, others now and then."""

    def __init__(self, scale: Scale, text: Callable[[Scale], str], whole: str, phase: str) -> None:
        self._scale = scale
        self._text = text
        self._whole = whole
        self._phase = phase
        self._printed = time.monotonic()

    def begin(self, phase: str, done: float) -> None:
        self._scale.begin(done)
        if phase != self._phase:
            self._phase = phase
            self._print()

    def advance(self, cost: float) -> None:
        self._scale.advance(cost)
        if time.monotonic() - self._printed >= SECONDS_BETWEEN_LINES:
            self._print()

    def _print(self) -> None:
        self._printed = time.monotonic()
        said = f"{self._phase}: {self._text(self._scale)}{self._whole}"
        sys.stderr.write(", ".join(filter(None, [said, self._scale.time_left()])) + "\n")
        sys.stderr.flush()


def roughly(seconds: float) -> str:
    """A time as exactly as a guess is: in whole minutes, or in tens of seconds, rounded up."""
    if seconds > MINUTE:
        return f"about {ceil(seconds / MINUTE)} min"
    return f"about {ceil(seconds / 10) * 10} s" if seconds > 10 else "a few seconds"


def percentage(scale: Scale) -> str:
    """The part that is done."""
    return "" if not scale.total else f"{scale.done / scale.total:.0%}"


@contextmanager
def progress_display(
    total: float | None,
    whole: str = "",
    text: Callable[[Scale], str] = percentage,
    only_phase: str = "",
) -> Iterator[Progress]:
    """Show the progress of long work on standard error.

    Args:
        total: The cost of the whole, in any unit; None if it is not known.
        whole: What the whole is called, as in "10% of the run is done".
        text: Says how much is done.
        only_phase: The phase, if there is one only: nothing is printed when it begins.
    """
    scale = Scale(total)
    if not sys.stderr.isatty():
        yield _Lines(scale, text, whole and f" of the {whole} is done", only_phase)
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import BarColumn, ProgressColumn, TextColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    console = Console(stderr=True)
    columns: list[ProgressColumn] = [
        TextColumn("{task.description}"),
        TextColumn("{task.fields[text]:>4}"),
    ]
    if console.width >= NARROW:
        columns.insert(1, BarColumn(bar_width=None))
        columns.append(TextColumn("{task.fields[left]}"))
    with Bar(*columns, console=console, transient=True) as bar:
        yield _Live(bar, scale, text)
