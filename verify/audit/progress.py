"""Shows how an audit gets on: one bar for the whole on a terminal, a line now and then elsewhere.

All phases have one scale, the time that they are expected to take.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol, TypeVar

from proofs.kernel.certificates import check_certificate
from proofs.kernel.games import check_games
from verify.audit.evidence import check_rows
from verify.audit.opinion import ask_about
from verify.audit.record import record_batch

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

P = ParamSpec("P")
R = TypeVar("R")
SECONDS_BETWEEN_LINES: Final = 5.0
NARROW: Final = 60
"""On a terminal with fewer columns there is no room for a bar."""


class Phase(Enum):
    """What an audit is doing."""

    REFUTATIONS = "Checking refutations"
    GAMES = "Replaying games"
    POSITIONS = "Checking positions"
    COMPARISON = "Comparing files"
    RECORD = "Writing down games"
    OPINION = "Asking dratify"


PHASES: Final[dict[Callable[..., Any], Phase]] = {
    check_certificate: Phase.REFUTATIONS,
    check_games: Phase.GAMES,
    check_rows: Phase.POSITIONS,
    record_batch: Phase.RECORD,
    ask_about: Phase.OPINION,
}
"""The phase in which workers do each work."""


class Progress(Protocol):
    """Shows how an audit gets on."""

    def plan(self, costs: Mapping[Phase, float]) -> None:
        """The phases that there will be, and about how long each takes, in any unit."""

    def begin(self, phase: Phase) -> None:
        """A phase begins."""

    def advance(self, phase: Phase, share: float) -> None:
        """Such a share of a phase is done, besides what was done of it before."""


class WatchedExecutor(Executor):
    """Hands work on to another executor, and shows how much of it has come back."""

    def __init__(self, executor: Executor, progress: Progress) -> None:
        self._executor = executor
        self._progress = progress

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have it done."""
        return self._executor.submit(fn, *args, **kwargs)

    def map(
        self,
        fn: Callable[..., R],
        *iterables: Iterable[Any],
        timeout: float | None = None,
        chunksize: int = 1,
    ) -> Iterator[R]:
        """Have it done for each; the phase begins when the first result is asked for."""
        tasks = list(zip(*iterables, strict=True))
        columns = zip(*tasks, strict=True)
        results = self._executor.map(fn, *columns, timeout=timeout, chunksize=chunksize)
        return self._watch(PHASES[fn], results, len(tasks))

    def _watch(self, phase: Phase, results: Iterator[R], number: int) -> Iterator[R]:
        self._progress.begin(phase)
        for result in results:
            yield result
            self._progress.advance(phase, 1 / number)


class _Display:
    """What the forms of a display share: how much of the whole is done."""

    def __init__(self) -> None:
        self._costs: dict[Phase, float] = {}
        self._done: dict[Phase, float] = {}

    def plan(self, costs: Mapping[Phase, float]) -> None:
        self._costs = dict(costs)

    def advance(self, phase: Phase, share: float) -> None:
        self._done[phase] = min(1.0, self._done.get(phase, 0.0) + share)

    def share_done(self) -> float:
        """The share of the whole that is done."""
        done = sum(cost * self._done.get(phase, 0.0) for phase, cost in self._costs.items())
        return done / (sum(self._costs.values()) or 1.0)


class _Live(_Display):
    """A bar with the phase, the share that is done, and the time left."""

    def __init__(self, bar: "Bar") -> None:
        super().__init__()
        self._bar = bar
        self._task = bar.add_task("Reading files", total=1.0)

    def begin(self, phase: Phase) -> None:
        self._bar.update(self._task, description=phase.value)

    def advance(self, phase: Phase, share: float) -> None:
        super().advance(phase, share)
        self._bar.update(self._task, completed=self.share_done())


class _Lines(_Display):
    """The same as lines of text, for a log or a pipe: one for each phase, others now and then."""

    def __init__(self) -> None:
        super().__init__()
        self._phase = Phase.REFUTATIONS
        self._printed = 0.0

    def begin(self, phase: Phase) -> None:
        self._phase = phase
        self._print()

    def advance(self, phase: Phase, share: float) -> None:
        super().advance(phase, share)
        if time.monotonic() - self._printed >= SECONDS_BETWEEN_LINES:
            self._print()

    def _print(self) -> None:
        self._printed = time.monotonic()
        sys.stderr.write(f"{self._phase.value}: {self.share_done():.0%} of the audit is done\n")
        sys.stderr.flush()


@contextmanager
def progress_display() -> Iterator[Progress]:
    """Show the progress of an audit on standard error."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        ProgressColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar  # noqa: PLC0415

    console = Console(stderr=True)
    columns: list[ProgressColumn] = [
        TextColumn("{task.description}"),
        TaskProgressColumn(),
        TimeRemainingColumn(compact=True),
    ]
    if console.width >= NARROW:
        columns.insert(1, BarColumn(bar_width=None))
    with Bar(*columns, console=console, transient=True) as bar:
        yield _Live(bar)
