"""What the runner takes for a suite, and how it judges an answer."""

import json
from typing import Any

import pytest

from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import en_passant

HEAD = {"format": 1, "suite": "sanproof conformance", "version": "1", "level": "core"}
CASE = {"id": "x", "operation": "read", "class": "must", "mechanism": "m", "why": "Why."}
CASE |= {"san": "e4", "expected": "e2e4", "fen": "8/8"}


def whole(*cases: object, **changes: object) -> str:
    return json.dumps(HEAD | {"games": ["e2e4 e7e5"], "cases": cases} | changes)


def test_a_suite_is_read() -> None:
    assert runner.suite_of(whole(CASE).encode(), "x")["cases"] == [CASE]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('{"suite": "another"}', "is not a conformance suite"),
        (whole(format=2), "has a format"),
        (json.dumps(HEAD), "lacks games or cases"),
        (whole(7), "case 1"),
        (whole(CASE, {"id": "x"}), "case 2"),
        (whole(games=None), "lacks games"),
        (whole(CASE | {"operation": "fly"}), "case 1"),
        (whole(CASE | {"class": "can"}), "case 1"),
        (whole(CASE | {"san": None}), "case 1"),
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


def test_conventions_for_the_en_passant_square_are_those_that_fit_all_answers() -> None:
    silent = case("play", "must", dict.fromkeys(FENS, LEGAL))
    records = [runner.Record(case("read", "must", "e2e4"), "passed", "e2e4")]
    records += [runner.Record(silent, "passed", LEGAL)]
    assert en_passant(records) == ()
    records += [runner.Record(case("play", "must", FENS), "passed", LEGAL)]
    assert en_passant(records) == ("pseudo-legal", "legal")
    records += [runner.Record(case("play", "must", FENS), "failed", "8/8")]
    assert en_passant(records) == ("pseudo-legal", "legal")
    answer = {"moves": ["e4"], "fen": ALWAYS}
    assert en_passant([runner.Record(case("game", "must", GAME), "passed", answer)]) == ("always",)
    assert en_passant([*records, runner.Record(case("play", "must", FENS), "passed", ALWAYS)]) == ()
