"""The phases of an audit, and how it gets on."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import TypeVar

from sanproof.verify.work.progress import Progress, progress_display

T = TypeVar("T")


class Phase(Enum):
    """A phase of an audit, in words."""

    REFUTATIONS = "Checking refutations"
    GAMES = "Replaying games"
    POSITIONS = "Checking positions"
    COMPARISON = "Comparing files"
    COVER = "Replaying the cover"
    OPINION = "Asking dratify"


class Phases:
    """The phases of an audit on one scale, which a display shows."""

    def __init__(self, display: Progress) -> None:
        self._display = display
        self._costs: Mapping[Phase, float] = {}
        self._done: dict[Phase, float] = {}

    def plan(self, costs: Mapping[Phase, float]) -> None:
        """Say which phases there will be, and about how long each takes, in any unit."""
        self._costs = costs

    def begin(self, phase: Phase) -> None:
        """Begin a phase."""
        self._display.begin(phase.value, self._share_done())

    def advance(self, phase: Phase, share: float) -> None:
        """Show that such a share of a phase is done, besides what was done of it before."""
        before = self._share_done()
        self._done[phase] = min(1.0, self._done.get(phase, 0.0) + share)
        self._display.advance(self._share_done() - before)

    def watch(self, phase: Phase, results: Iterable[T], number: int) -> Iterator[T]:
        """Yield so many results; the phase begins when the first is asked for."""
        self.begin(phase)
        for result in results:
            yield result
            self.advance(phase, 1 / number)

    def _share_done(self) -> float:
        """Return the share of the whole that is done."""
        done = sum(cost * self._done.get(phase, 0.0) for phase, cost in self._costs.items())
        return done / (sum(self._costs.values()) or 1.0)


@contextmanager
def phases_display() -> Iterator[Phases]:
    """Show the progress of an audit on standard error."""
    with progress_display(1.0, "audit") as display:
        yield Phases(display)
