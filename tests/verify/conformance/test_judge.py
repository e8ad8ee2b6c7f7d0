"""What passes, what fails, and what is neither."""

import pytest

from sanproof.verify.conformance.asking import customs, judge
from sanproof.verify.conformance.outcome import Outcome
from sanproof.verify.conformance.suite import Case, Demand, Operation

ALWAYS, LEGAL = "8/8 w - e3 0 1", "8/8 w - - 0 1"
FENS = {"always": ALWAYS, "pseudo-legal": LEGAL, "legal": LEGAL}
GAME = {"moves": ["e4"], "fen": FENS}


def case(operation: Operation, demand: Demand, expected: object) -> Case:
    return Case("x", operation, demand, "x", "white", "Why.", "8/8", "e4", expected)


READ, MOVES, PLAY, PGN = Operation.READ, Operation.MOVES, Operation.PLAY, Operation.GAME
MUST, MUST_NOT, MAY = Demand.MUST, Demand.MUST_NOT, Demand.MAY


@pytest.mark.parametrize(
    ("operation", "demand", "expected", "answer", "outcome"),
    [
        (READ, MUST, "e2e4", {"result": "e2e4"}, Outcome.PASSED),
        (READ, MUST, "e2e4", {"result": "e2e3"}, Outcome.FAILED),
        (READ, MUST, "e2e4", {"result": ""}, Outcome.FAILED),
        (READ, MUST, "e2e4", {"rejected": "no"}, Outcome.FAILED),
        (READ, MUST, "e2e4", {"result": None}, Outcome.GARBLED),
        (READ, MUST, "e2e4", {"result": ["e2e4"]}, Outcome.GARBLED),
        (READ, MUST, "e2e4", {"skip": "cannot"}, Outcome.SKIPPED),
        (READ, MUST_NOT, None, {"result": "e2e4"}, Outcome.FAILED),
        (READ, MUST_NOT, None, {"rejected": "no"}, Outcome.PASSED),
        (READ, MUST_NOT, None, {"result": 7}, Outcome.GARBLED),
        (READ, MUST_NOT, None, {"skip": "cannot"}, Outcome.SKIPPED),
        (READ, MAY, "e2e4", {"result": "e2e4"}, Outcome.ACCEPTED),
        (READ, MAY, "e2e4", {"result": "e2e3"}, Outcome.DIFFERS),
        (READ, MAY, "e2e4", {"rejected": "no"}, Outcome.REJECTED),
        (READ, MAY, None, {"result": "e2e4"}, Outcome.ACCEPTED),
        (Operation.WRITE, MUST, "Nf3", {"result": "Nf3"}, Outcome.PASSED),
        (Operation.WRITE, MUST, "Nf3", {"result": "Ngf3"}, Outcome.FAILED),
        (MOVES, MUST, ["a", "b"], {"result": ["b", "a"]}, Outcome.PASSED),
        (MOVES, MUST, ["a", "b"], {"result": ["a", "b", "b"]}, Outcome.FAILED),
        (MOVES, MUST, ["a", "b"], {"result": ["a"]}, Outcome.FAILED),
        (MOVES, MUST, ["a", "b"], {"result": "ab"}, Outcome.GARBLED),
        (MOVES, MUST, ["a", "b"], {"result": [1]}, Outcome.GARBLED),
        (PLAY, MUST, FENS, {"result": ALWAYS}, Outcome.PASSED),
        (PLAY, MUST, FENS, {"result": LEGAL}, Outcome.PASSED),
        (PLAY, MUST, FENS, {"result": "8/8 w"}, Outcome.FAILED),
        (PGN, MUST, GAME, {"result": {"moves": ["e4"], "fen": ALWAYS}}, Outcome.PASSED),
        (PGN, MUST, GAME, {"result": {"moves": ["e3"], "fen": ALWAYS}}, Outcome.FAILED),
        (PGN, MUST, GAME, {"result": {"moves": ["e4"], "fen": "8/8"}}, Outcome.FAILED),
        (PGN, MUST, GAME, {"result": {"moves": ["e4"]}}, Outcome.GARBLED),
        (PGN, MUST, GAME, {"result": {"moves": "e4", "fen": ALWAYS}}, Outcome.GARBLED),
        (PGN, MUST_NOT, None, {"rejected": "no"}, Outcome.PASSED),
    ],
)
def test_outcome(
    operation: Operation,
    demand: Demand,
    expected: object,
    answer: dict[str, object],
    outcome: Outcome,
) -> None:
    assert judge(case(operation, demand, expected), answer) is outcome


@pytest.mark.parametrize(
    ("operation", "expected", "value", "found"),
    [
        (PLAY, FENS, ALWAYS, ("always",)),
        (PLAY, FENS, LEGAL, ("pseudo-legal", "legal")),
        (PLAY, FENS, "8/8", ()),
        (PLAY, dict.fromkeys(FENS, LEGAL), LEGAL, ()),
        (PGN, GAME, {"moves": [], "fen": ALWAYS}, ("always",)),
        (PGN, GAME, {"moves": []}, ()),
        (READ, "e2e4", "e2e4", ()),
    ],
)
def test_customs(
    operation: Operation, expected: object, value: object, found: tuple[str, ...]
) -> None:
    assert customs(case(operation, MUST, expected), value) == found


def test_a_rejection_fits_no_custom() -> None:
    assert customs(case(PLAY, MUST, FENS), None) == ()
