"""The result of a suite for a library: outcomes, counts, and a sentence for each failure."""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from sanproof.reports.escaping import shown
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.suite import Case, Demand, case_as_json


class Outcome(Enum):
    """The result of a case; the value is the name in a result file.

    ``ACCEPTED`` and ``REJECTED`` are for cases in which the library may do as it likes; they are
    never failures. So was ``DIFFERS``, another move, in results of suites before 2.3.
    """

    PASSED = "passed"
    FAILED = "failed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DIFFERS = "differs"
    SKIPPED = "skipped"
    CRASHED = "crashed"
    HUNG = "hung"
    GARBLED = "garbled"


class Entry(NamedTuple):
    """A case that was asked, what became of it, and whether it is an expected failure.

    The answer is the library's result, None if it has no answer or passes. The
    message has the library's words in a rejection or a skip, or what went wrong.
    """

    case: Case
    outcome: Outcome
    answer: Any = None
    message: str = ""
    is_known: bool = False

    @property
    def is_failure(self) -> bool:
        """Check whether the library fails the suite with this.

        Of a case that is up to it, only another move is a failure.
        """
        return runner.is_failure(self.case.demand.value, self.outcome.value)

    @property
    def counted_as(self) -> str:
        """Say how it is counted: passed, failed, skipped, or free if it is up to the library."""
        if self.outcome is Outcome.SKIPPED:
            return "skipped"
        if self.is_failure:
            return "failed"
        return "free" if self.case.demand is Demand.MAY else "passed"

    @property
    def is_surprise(self) -> bool:
        """Return whether it fails the run: an unexpected failure, or a known one that passes."""
        return self.outcome is Outcome.PASSED if self.is_known else self.is_failure

    def sentence(self) -> str:
        """Return what was asked, expected and answered, as it can be printed anywhere."""
        if self.is_known and self.is_surprise:
            return "It passes, but is listed as a known failure: take it off the list."
        asked = case_as_json(self.case)
        return runner.Record(asked, self.outcome.value, self.answer, self.message).sentence()


class LibraryReport(NamedTuple):
    """The result of a suite for a library.

    The greeting is as docs/test-your-library.md describes it; empty without a greeting. The customs
    for the en passant square are those that fit all its answers. The notes say what went wrong
    without a case at fault. Why cases are left is in ``ended``, as a part of a sentence; None if
    none are.
    """

    command: str
    greeting: Mapping[str, Any]
    entries: Sequence[Entry]
    seconds: float
    en_passant: Sequence[str]
    restarts: int
    notes: Sequence[str]
    ended: str | None

    @property
    def title(self) -> str:
        """The library as people name it, as it can be printed anywhere."""
        return shown(runner.title_of(self.greeting) if self.greeting else self.command, 200)

    @property
    def surprises(self) -> Iterator[Entry]:
        """The cases that fail the run."""
        return (entry for entry in self.entries if entry.is_surprise)

    @property
    def is_untested(self) -> bool:
        """Check whether every case was skipped."""
        return all(entry.outcome is Outcome.SKIPPED for entry in self.entries)

    @property
    def headline(self) -> str:
        """One sentence that counts."""
        cases = ((e.case.demand.value, e.outcome.value) for e in self.entries)
        known = sum(e.is_known and e.is_failure for e in self.entries)
        return runner.counted(self.title, cases, known)
