"""Judges an answer to a case: the one place that says what passes.

>>> case = Case("x", Operation.READ, Demand.MUST, "x", "white", "", "FEN", "e4", "e2e4")
>>> judge(case, Result("e2e4"))
<Outcome.PASSED: 'passed'>
>>> judge(case, Rejected("illegal san"))
<Outcome.FAILED: 'failed'>
"""

from dataclasses import dataclass
from enum import Enum

from sanproof.verify.conformance.suite import Case, Demand, Operation


class Outcome(Enum):
    """What came of a case; the value is the name in a result file.

    ``ACCEPTED``, ``REJECTED`` and ``DIFFERS`` are for cases in which the library may do as it
    likes; they are never failures. ``CRASHED`` and ``HUNG`` are for runners: no answer has them.
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


@dataclass(frozen=True, slots=True)
class Result:
    """The library's answer.

    Attributes:
        value: UCI (read), SAN (write), a list of SAN (moves), FEN (play), or an object with
            ``moves`` and ``fen`` (game).
    """

    value: object


@dataclass(frozen=True, slots=True)
class Rejected:
    """The library did not accept what it was given."""

    message: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """The library cannot be asked this."""

    why: str


Answer = Result | Rejected | Skipped


def judge(case: Case, answer: Answer) -> Outcome:
    """What came of a case.

    A must case passes with the expected result; a must-not case passes if it is rejected. A may
    case is *accepted* with the expected result, *rejected*, or *differs*: then it was accepted
    with another result. A result of another type than the operation has is *garbled*, whatever
    the class.
    """
    if isinstance(answer, Skipped):
        return Outcome.SKIPPED
    if isinstance(answer, Rejected):
        return {
            Demand.MUST: Outcome.FAILED,
            Demand.MUST_NOT: Outcome.PASSED,
            Demand.MAY: Outcome.REJECTED,
        }[case.demand]
    if not is_well_formed(case.operation, answer.value):
        return Outcome.GARBLED
    if case.demand is Demand.MUST_NOT:
        return Outcome.FAILED
    agrees = _agrees(case, answer.value)
    if case.demand is Demand.MUST:
        return Outcome.PASSED if agrees else Outcome.FAILED
    return Outcome.ACCEPTED if agrees or case.expected is None else Outcome.DIFFERS


def customs(case: Case, answer: Answer) -> tuple[str, ...]:
    """Which customs for the en passant square the FEN of an answer fits, in the case's order.

    Empty for the operations without a FEN and for answers that fit none. A case in which all
    customs write the same FEN says nothing about the library, and yields nothing.
    """
    if not isinstance(answer, Result) or not is_well_formed(case.operation, answer.value):
        return ()
    if case.operation is Operation.PLAY:
        fens, fen = case.expected, answer.value
    elif case.operation is Operation.GAME and isinstance(answer.value, dict):
        fens, fen = (case.expected or {}).get("fen"), answer.value["fen"]
    else:
        return ()
    if not fens or len(set(fens.values())) == 1:
        return ()
    return tuple(custom for custom in fens if fens[custom] == fen)


def is_well_formed(operation: Operation, value: object) -> bool:
    """Whether a result has the type that results of an operation have."""
    if operation is Operation.MOVES:
        return _is_texts(value)
    if operation is Operation.GAME:
        return (
            isinstance(value, dict)
            and _is_texts(value.get("moves"))
            and isinstance(value.get("fen"), str)
        )
    return isinstance(value, str)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _agrees(case: Case, value: object) -> bool:
    """Whether a well-formed result is the expected one."""
    expected = case.expected
    if case.operation is Operation.MOVES and isinstance(value, list):
        return expected is not None and sorted(value) == sorted(expected)
    if case.operation is Operation.PLAY:
        return expected is not None and value in expected.values()
    if case.operation is Operation.GAME and isinstance(value, dict):
        if expected is None:
            return False
        return value["moves"] == expected["moves"] and value["fen"] in expected["fen"].values()
    return bool(value == expected)
