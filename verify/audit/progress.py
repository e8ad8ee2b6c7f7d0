"""The phases of an audit, and how it gets on."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from enum import Enum
from typing import Any, Final, ParamSpec, TypeVar

from sanproof.proofs.kernel.certificates import check_certificate
from sanproof.verify.audit.evidence import check_rows
from sanproof.verify.audit.opinion import ask_about
from sanproof.verify.audit.record import check_and_record, record_batch
from sanproof.verify.work.progress import Progress, progress_display

P = ParamSpec("P")
R = TypeVar("R")


class Phase(Enum):
    """What an audit is doing."""

    REFUTATIONS = "Checking refutations"
    GAMES = "Replaying games"
    POSITIONS = "Checking positions"
    COMPARISON = "Comparing files"
    COVER = "Replaying the cover"
    OPINION = "Asking dratify"


PHASES: Final[dict[Callable[..., Any], Phase]] = {
    check_certificate: Phase.REFUTATIONS,
    check_and_record: Phase.GAMES,
    check_rows: Phase.POSITIONS,
    record_batch: Phase.COVER,
    ask_about: Phase.OPINION,
}
"""The phase in which workers do each work."""


class Phases:
    """The phases of an audit on one scale, which a display shows."""

    def __init__(self, display: Progress) -> None:
        self._display = display
        self._costs: Mapping[Phase, float] = {}
        self._done: dict[Phase, float] = {}

    def plan(self, costs: Mapping[Phase, float]) -> None:
        """The phases that there will be, and about how long each takes, in any unit."""
        self._costs = costs

    def begin(self, phase: Phase) -> None:
        """A phase begins."""
        self._display.begin(phase.value, self._share_done())

    def advance(self, phase: Phase, share: float) -> None:
        """Such a share of a phase is done, besides what was done of it before."""
        before = self._share_done()
        self._done[phase] = min(1.0, self._done.get(phase, 0.0) + share)
        self._display.advance(self._share_done() - before)

    def _share_done(self) -> float:
        """The share of the whole that is done."""
        done = sum(cost * self._done.get(phase, 0.0) for phase, cost in self._costs.items())
        return done / (sum(self._costs.values()) or 1.0)


class WatchedExecutor(Executor):
    """Hands work on to another executor, and shows how much of it has come back."""

    def __init__(self, executor: Executor, phases: Phases) -> None:
        self._executor = executor
        self._phases = phases

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
        self._phases.begin(phase)
        for result in results:
            yield result
            self._phases.advance(phase, 1 / number)


@contextmanager
def phases_display() -> Iterator[Phases]:
    """Show the progress of an audit on standard error."""
    with progress_display(1.0, "audit") as display:
        yield Phases(display)
