"""What the runner takes for a suite, and how it judges an answer."""

import json
from typing import Any

import pytest

from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import customs

HEAD = {"format": 1, "suite": "sanproof conformance", "version": "1", "level": "core"}
CASE = {"id": "x", "operation": "read", "class": "must", "mechanism": "m", "why": "Why."}
CASE |= {"san": "e4", "expected": "e2e4", "fen": "8/8"}
PLACED = CASE | {"game": 0, "plies": 2}


def whole(*cases: object, **changes: object) -> str:
    return json.dumps(HEAD | {"games": ["e2e4 e7e5"], "cases": cases} | changes)


def test_a_suite_is_read() -> None:
    assert runner.suite_of(whole(CASE, PLACED).encode(), "x")["cases"] == [CASE, PLACED]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is not a conformance suite"),
        ('{"suite": "another"}', "is not a conformance suite"),
        (whole(format=2), "has a format"),
        (whole(level=7), "lacks version or level"),
        (json.dumps(HEAD), "lacks games or cases"),
        (whole(7), "case 1"),
        (whole(CASE, {"id": "x"}), "case 2"),
        (whole(CASE | {"operation": "fly"}), "case 1"),
        *(
            (whole(PLACED | place), "case 1")
            for place in ({"game": 1}, {"game": -1}, {"game": "0"}, {"plies": "2"}, {"plies": None})
        ),
    ],
)
def test_what_is_no_suite_is_refused(content: str, why: str) -> None:
    with pytest.raises(runner.Misuse, match=why):
        runner.suite_of(content.encode(), "suite.json")


ALWAYS, LEGAL = "8/8 w - e3 0 1", "8/8 w - - 0 1"
FENS = {"always": ALWAYS, "pseudo-legal": LEGAL, "legal": LEGAL}
GAME = {"moves": ["e4"], "fen": FENS}


def case(operation: str, demand: str, expected: object) -> runner.Case:
    asked = {"operation": operation, "class": demand}
    return CASE | asked | ({"expected": expected} if expected is not None else {})


@pytest.mark.parametrize(
    ("operation", "demand", "expected", "answer", "outcome"),
    [
        ("read", "must", "e2e4", {"result": "e2e4"}, "passed"),
        ("read", "must", "e2e4", {"result": "e2e3"}, "failed"),
        ("read", "must", "e2e4", {"rejected": "no"}, "failed"),
        ("read", "must", "e2e4", {"result": None}, "garbled"),
        ("read", "must", "e2e4", {"skip": "cannot"}, "skipped"),
        ("read", "must not", None, {"result": "e2e4"}, "failed"),
        ("read", "must not", None, {"rejected": "no"}, "passed"),
        ("read", "must not", None, {"result": 7}, "garbled"),
        ("read", "may", "e2e4", {"result": "e2e4"}, "accepted"),
        ("read", "may", "e2e4", {"result": "e2e3"}, "failed"),
        ("read", "may", "e2e4", {"rejected": "no"}, "rejected"),
        ("moves", "must", ["a", "b"], {"result": ["b", "a"]}, "passed"),
        ("moves", "must", ["a", "b"], {"result": ["a", "b", "b"]}, "failed"),
        ("moves", "must", ["a", "b"], {"result": "ab"}, "garbled"),
        ("moves", "must", ["a", "b"], {"result": [1]}, "garbled"),
        ("play", "must", FENS, {"result": LEGAL}, "passed"),
        ("play", "must", FENS, {"result": "8/8 w"}, "failed"),
        ("game", "must", GAME, {"result": {"moves": ["e4"], "fen": ALWAYS}}, "passed"),
        ("game", "must", GAME, {"result": {"moves": ["e3"], "fen": ALWAYS}}, "failed"),
        ("game", "must", GAME, {"result": {"moves": ["e4"], "fen": "8/8"}}, "failed"),
        ("game", "must", GAME, {"result": {"moves": ["e4"]}}, "garbled"),
    ],
)
def test_outcome(
    operation: str, demand: str, expected: object, answer: dict[str, Any], outcome: str
) -> None:
    assert runner.judged(case(operation, demand, expected), answer) == outcome


@pytest.mark.parametrize(
    ("operation", "expected", "value", "found"),
    [
        ("play", FENS, ALWAYS, ("always",)),
        ("play", FENS, LEGAL, ("pseudo-legal", "legal")),
        ("play", FENS, "8/8", ()),
        ("play", dict.fromkeys(FENS, LEGAL), LEGAL, ()),
        ("game", GAME, {"moves": [], "fen": ALWAYS}, ("always",)),
        ("game", GAME, {"moves": []}, ()),
        ("read", "e2e4", "e2e4", ()),
        ("play", FENS, None, ()),
    ],
)
def test_customs(operation: str, expected: object, value: object, found: tuple[str, ...]) -> None:
    assert customs(case(operation, "must", expected), value) == found
