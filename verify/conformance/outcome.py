"""The result of a suite for a library: outcomes, counts, and a sentence for each failure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple

from sanproof.reports.escaping import shown
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.suite import Case, Demand, Operation, case_as_json


class Outcome(Enum):
    """The result of a case; the value is the name in a result file.

    ``ACCEPTED``, ``REJECTED`` and ``DIFFERS`` are for cases in which the library may do as it
    likes; they are never failures.
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


FAILURES: Final = {Outcome(name) for name in runner.FAILURES}


@dataclass(frozen=True, slots=True)
class Greeting:
    """The library that answers.

    Attributes:
        name: The library.
        version: Its version.
        language: The language that it is used from.
        operations: What it can be asked.
        settings: How it was set up, such as ``strict``; empty if there is nothing to say.
        from_game: Whether it takes no FEN, but the moves from the initial position.
    """

    name: str
    version: str
    language: str
    operations: tuple[Operation, ...]
    settings: str = ""
    from_game: bool = False

    @property
    def title(self) -> str:
        """The library as people name it."""
        return f"{self.name} {self.version}" + (f" ({self.settings})" if self.settings else "")


class CaseRecord(NamedTuple):
    """The record of a case: the outcome, and what came with it.

    The answer is the library's result, None if there is none or the case is passed with it. The
    message has the library's words in a rejection or a skip, or what went wrong.
    """

    outcome: Outcome
    answer: Any = None
    message: str = ""


def is_failure(case: Case, record: CaseRecord) -> bool:
    """Check whether a library fails the suite with this; a case that is up to it never fails."""
    return case.demand is not Demand.MAY and record.outcome in FAILURES


class Entry(NamedTuple):
    """A case that was asked, what became of it, and whether it is an expected failure."""

    case: Case
    record: CaseRecord
    is_known: bool = False

    @property
    def is_surprise(self) -> bool:
        """Whether it fails the run: a failure that is not expected, or the other way round."""
        if self.is_known:
            return self.record.outcome is Outcome.PASSED
        return is_failure(self.case, self.record)


class LibraryReport(NamedTuple):
    """The result of a suite for a library.

    Nobody greeted if the greeting is None. The customs for the en passant square are those that fit
    all its answers. The notes say what went wrong without a case at fault. Why cases are left is in
    ``ended``, as a part of a sentence; None if none are.
    """

    command: str
    greeting: Greeting | None
    entries: Sequence[Entry]
    seconds: float
    en_passant: Sequence[str]
    restarts: int
    notes: Sequence[str]
    ended: str | None

    @property
    def title(self) -> str:
        """The library as people name it, as it can be printed anywhere."""
        return shown(self.command if self.greeting is None else self.greeting.title, 200)

    @property
    def surprises(self) -> Iterator[Entry]:
        """The cases that fail the run."""
        return (entry for entry in self.entries if entry.is_surprise)

    @property
    def is_untested(self) -> bool:
        """Whether every case was skipped."""
        return all(entry.record.outcome is Outcome.SKIPPED for entry in self.entries)

    @property
    def headline(self) -> str:
        """One sentence that counts."""
        cases = ((e.case.demand.value, e.record.outcome.value) for e in self.entries)
        known = sum(e.is_known and is_failure(e.case, e.record) for e in self.entries)
        return runner.counted(self.title, cases, known)


def sentence(entry: Entry) -> str:
    """Return what was asked, what was expected and what came, as it can be printed anywhere."""
    if entry.is_known and entry.is_surprise:
        return "It passes, but is listed as a known failure: take it off the list."
    outcome, answer, message = entry.record
    return runner.Record(case_as_json(entry.case), outcome.value, answer, message).sentence()
