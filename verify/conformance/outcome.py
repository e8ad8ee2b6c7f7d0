"""The result of a suite for a library: outcomes, counts, and a sentence for each failure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple

from sanproof.reports.escaping import shown
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.suite import Case, Demand, Operation

MAX_MESSAGE: Final = 300
"""So many characters of a library's message are kept, and of its name."""
MAX_MOVES: Final = 8
"""So many moves of an answer are shown."""


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
        judged = [entry for entry in self.entries if entry.case.demand is not Demand.MAY]
        skipped = sum(entry.record.outcome is Outcome.SKIPPED for entry in judged)
        passed = sum(entry.record.outcome is Outcome.PASSED for entry in judged)
        known = sum(entry.is_known and is_failure(entry.case, entry.record) for entry in judged)
        failed = len(judged) - skipped - passed
        text = f"{self.title}: {passed:,} of {len(judged) - skipped:,} cases passed"
        if failed:
            text += f", {failed:,} failed" + (f" ({known:,} of them known)" if known else "")
        if skipped:
            text += f", {skipped:,} skipped"
        free = Counter(
            entry.record.outcome.value for entry in self.entries if entry.case.demand is Demand.MAY
        )
        if free:
            counts = ", ".join(f"{free[word]:,} {word}" for word in sorted(free))
            text += f"; of {free.total():,} that a library may accept or reject: {counts}"
        return f"{text}."


def sentence(entry: Entry) -> str:
    """Return what was asked, what was expected and what came, as it can be printed anywhere."""
    case, record, _ = entry
    if entry.is_known and entry.is_surprise:
        return "It passes, but is listed as a known failure: take it off the list."
    return f"{_question(case)} {_expected(case)}, {_came(case, record)}."


def _question(case: Case) -> str:
    asked = "" if case.asked is None else shown(case.asked, MAX_MESSAGE)
    place = "" if case.fen is None else f" in {shown(case.fen, MAX_MESSAGE)}"
    what = asked or "All moves"
    return f"{case.operation.value}: {what}{place}:"


def _expected(case: Case) -> str:
    if case.demand is Demand.MUST_NOT:
        return "must be rejected"
    match case.operation:
        case Operation.PLAY:
            return "expected " + " or ".join(_texts(dict.fromkeys(case.expected.values())))
        case Operation.MOVES | Operation.GAME:
            return "expected other moves"
        case _:
            return f"expected {shown(str(case.expected), MAX_MESSAGE)}"


def _came(case: Case, record: CaseRecord) -> str:
    match record.outcome:
        case Outcome.CRASHED | Outcome.HUNG | Outcome.GARBLED:
            message = f"{record.message[:1].lower()}{record.message[1:]}".rstrip(".")
            return f"{record.outcome.value}: {shown(message, 2 * MAX_MESSAGE)}"
        case _ if record.answer is None:
            return f"rejected: {shown(record.message, MAX_MESSAGE)}"
        case _ if case.demand is Demand.MUST_NOT:
            return f"was accepted: {_answer(record.answer)}"
        case _:
            return _difference(case, record.answer)


def _difference(case: Case, answer: Any) -> str:  # noqa: ANN401 - JSON
    match case.operation:
        case Operation.MOVES:
            missing = Counter(case.expected) - Counter(answer)
            extra = Counter(answer) - Counter(case.expected)
            parts = [
                f"{word}: {_some(sorted(moves.elements()))}"
                for word, moves in (("missing", missing), ("too many", extra))
                if moves
            ]
            return "; ".join(parts)
        case Operation.GAME:
            return _game_difference(case.expected, answer)
        case _:
            return f"answered {_answer(answer)}"


def _game_difference(expected: Any, answer: Any) -> str:  # noqa: ANN401 - JSON
    """The first move that differs, or the position after all of them."""
    moves, others = expected["moves"], answer["moves"]
    for ply, (move, other) in enumerate(zip(moves, others, strict=False), 1):
        if move != other:
            return f"ply {ply} is {shown(move)} and not {shown(other, MAX_MESSAGE)}"
    if len(moves) != len(others):
        return f"there are {len(moves)} of them and not {len(others)}"
    fens = " or ".join(_texts(dict.fromkeys(expected["fen"].values())))
    return f"they lead to {fens} and not to {shown(answer['fen'], MAX_MESSAGE)}"


def _answer(value: Any) -> str:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        value = value.get("moves", "")
    if isinstance(value, list):
        return f"{len(value)} moves: {_some(value)}"
    return shown(str(value), MAX_MESSAGE)


def _some(moves: Sequence[str]) -> str:
    more = f" and {len(moves) - MAX_MOVES} more" if len(moves) > MAX_MOVES else ""
    return ", ".join(_texts(moves[:MAX_MOVES])) + more


def _texts(texts: Any) -> list[str]:  # noqa: ANN401 - JSON
    return [shown(str(text), MAX_MESSAGE) for text in texts]
