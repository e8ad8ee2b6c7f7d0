"""How an answer is judged, and what is said of a library, in each format."""

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.conformance import files
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import Asked, en_passant
from sanproof.verify.findings.formats import written
from tests.verify.conformance.suites import suite

A, B = "8/8 w - e3 0 1", "8/8 w - - 0 1"
FENS = {"always": A, "pseudo-legal": B, "legal": B}
GAME = {"moves": ["e4"], "fen": FENS}
SUITE = suite(
    {"id": "no", "class": "must not", "san": "Rh9", "expected": None},
    {"id": "may", "class": "may", "san": "e4", "expected": "e2e4"},
    {"id": "all", "operation": "moves", "expected": ["a3", "a4", "b3"]},
    {"id": "play", "operation": "play", "san": "e4", "expected": FENS},
    {"id": "game", "operation": "game", "pgn": "1. e4", "expected": GAME},
)
BY_ID = {case["id"]: case for case in SUITE["cases"]}
GREETING: dict[str, Any] = {"name": "lib", "version": "1", "language": "C", "settings": "strict"}
GREETING |= {"operations": ["read"]}
NC3 = BY_ID["initial.Nc3"]


@pytest.mark.parametrize(
    ("name", "answer", "outcome"),
    [
        ("initial.Nc3", {"result": "b1c3"}, "passed"),
        ("initial.Nc3", {"result": "b1a3"}, "failed"),
        ("initial.Nc3", {"rejected": "no"}, "failed"),
        ("initial.Nc3", {"result": None}, "garbled"),
        ("initial.Nc3", {"skip": "cannot"}, "skipped"),
        ("no", {"result": "e2e4"}, "failed"),
        ("no", {"rejected": "no"}, "passed"),
        ("no", {"result": 7}, "garbled"),
        ("may", {"result": "e2e4"}, "accepted"),
        ("may", {"result": "e2e3"}, "failed"),
        ("may", {"rejected": "no"}, "rejected"),
        ("all", {"result": ["b3", "a4", "a3"]}, "passed"),
        ("all", {"result": ["a3", "a4", "b3", "b3"]}, "failed"),
        ("all", {"result": "a3"}, "garbled"),
        ("all", {"result": [1]}, "garbled"),
        ("play", {"result": B}, "passed"),
        ("play", {"result": "8/8 w"}, "failed"),
        ("game", {"result": {"moves": ["e4"], "fen": A}}, "passed"),
        ("game", {"result": {"moves": ["e3"], "fen": A}}, "failed"),
        ("game", {"result": {"moves": ["e4"], "fen": "8/8"}}, "failed"),
        ("game", {"result": {"moves": ["e4"]}}, "garbled"),
    ],
)
def test_outcome(name: str, answer: dict[str, Any], outcome: str) -> None:
    assert runner.judged(BY_ID[name], answer) == outcome


def record(name: str, outcome: str, answer: object = None, message: str = "") -> runner.Record:
    return runner.Record(BY_ID[name], outcome, answer, message)


def test_a_library_in_this_process_is_asked_by_functions() -> None:
    def read(asked: dict[str, Any]) -> object:
        if asked["san"] == "a3":
            raise runner.Skip("tired")
        if asked["san"] == "Rh9":
            raise ValueError("no such square")
        return f"{asked['san'][0]}2{asked['san']}"

    found = runner.ask(SUITE, {"read": read}, only=["initial.a*", "no", "may", "play"])
    assert {
        record.case["id"]: (record.outcome, record.message[:5]) for record in found.records
    } == {
        "initial.a3": ("skipped", "tired"),
        "initial.a4": ("passed", ""),
        "may": ("accepted", ""),
        "no": ("passed", "no su"),
        "play": ("skipped", "It do"),
    }


def test_conventions_for_the_passed_square_are_those_that_fit_all_answers() -> None:
    alike = BY_ID["play"] | {"expected": dict.fromkeys(FENS, B)}
    says_nothing = [record("initial.Nc3", "passed", "b1c3"), runner.Record(alike, "passed", B)]
    named, unnamed = record("play", "passed", A), record("play", "passed", B)
    assert en_passant(says_nothing) == en_passant([unnamed, named]) == ()
    assert en_passant([unnamed, record("play", "failed", "8/8")]) == ("pseudo-legal", "legal")
    assert en_passant([record("game", "passed", {"moves": ["e4"], "fen": A})]) == ("always",)


MIXED = [
    record("initial.Nf3", "passed"),
    record("initial.Nc3", "failed", "b1a3"),
    record("initial.Na3", "failed", message="illegal <move> & worse"),
    record("initial.Nh3", "crashed", message="It ended with exit code 1."),
    record("initial.e4", "skipped", message="not offered"),
    record("initial.e3", "failed", "e2e4"),
    record("initial.d3", "passed"),
    record("no", "failed", "h1h9"),
    record("may", "failed", "g1h3"),
]
KNOWN = ["initial.e3", "initial.d3"]


def report(records: list[runner.Record], title: str = "lib 1 (strict)", **more: Any) -> Any:  # noqa: ANN401
    return runner.Report(SUITE, title, records, **more)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (record("initial.Nc3", "failed", "b1a3"), "expected b1c3, answered b1a3."),
        (record("initial.Nc3", "failed", message="bad\n"), "expected b1c3, rejected: 'bad\\n'."),
        (record("no", "failed", "h1h9"), "must be rejected, was accepted: h1h9."),
        (record("all", "failed", ["a3", "b3", "b3", "x"]), "missing: a4; extra: b3, x."),
        (record("play", "failed", "C"), f"expected {A} or {B}, answered C."),
        (
            record("game", "failed", {"moves": ["e3"], "fen": A}),
            "expected e4 at ply 1, answered e3.",
        ),
        (record("game", "failed", {"moves": [], "fen": A}), "expected 1 moves, answered 0."),
        (
            record("game", "failed", {"moves": ["e4"], "fen": "C"}),
            f"expected {A} or {B} at the end, answered C.",
        ),
        (record("initial.Nc3", "hung", message="It slept."), "expected b1c3, hung: it slept."),
    ],
)
def test_a_sentence_says_what_was_expected_and_what_came(found: runner.Record, words: str) -> None:
    assert found.sentence().endswith(words)


def test_people_read_the_counts_and_a_case_of_each_group() -> None:
    text = report(MIXED, known=KNOWN).text()
    assert "2 of 7 cases passed, 5 failed, 1 skipped" in text
    assert "Failed: read 6 of 8." in text
    assert "Skipped 1, optional cases included: not offered" in text
    assert "initial.d3 passes: it is no expected failure" in text
    assert f"\n      Tested: {NC3['why']}\n" in text
    assert "more groups" not in text
    assert "and 1 more groups" in report(MIXED).text(0)
    free = report([record("may", "accepted"), record("initial.e4", "passed")]).headline
    assert re.search(r"1 of 1 cases passed\. .*: 1 accepted\.", free)


def test_failures_are_grouped_by_what_they_share_and_passing_cases_lack() -> None:
    """Black's moves all fail, whatever they are; one of White's of three; and lists of moves."""
    cases = [
        {"id": f"{operation} {colour} {n}", "operation": operation, "colour": colour}
        | {"mechanism": f"{area}.x", "class": "must", "why": "Why.", "fen": "8/8 w", "plies": 9 - n}
        for operation, area in (("read", "castling"), ("write", "check"))
        for colour in ("white", "black")
        for n in range(3)
    ]
    fails = {case["id"] for case in cases if case["colour"] == "black"} | {"read white 1"}
    records = [runner.Record(c, "failed" if c["id"] in fails else "passed") for c in cases]
    for n, outcome in enumerate(("passed", "failed", "failed")):
        more = {"id": f"moves {n}", "operation": "moves", "mechanism": f"moves.{n}"}
        records.append(runner.Record(cases[0] | more, outcome))
    first, second, third = runner.groups([r for r in records if r.is_failure], records)
    assert first[0] == "read black 2 (all 6 cases of black fail)"
    assert {r.case["colour"] for r in first[1]} == {"black"}
    assert second[0] == "read white 1 (1 of 6 cases of castling.x and read fail)"
    assert third[0] == "moves 1 (2 of 3 cases of moves fail)"


def test_castling_as_king_takes_rook_is_told_once() -> None:
    case = BY_ID["initial.e4"] | {"expected": "e1g1"}
    castles = [runner.Record(case | {"id": str(n)}, "failed", "e1h1") for n in range(3)]
    assert report(castles).text().count("castling came as e1h1") == 1
    assert "castling came" not in report(MIXED).text()


def test_builds_see_each_surprise() -> None:
    found = report(MIXED, known=KNOWN)
    junit = ET.fromstring(found.junit())
    assert (junit.get("tests"), junit.get("failures")) == ("10", "6")
    failed = {case.get("name") for case in junit if case.find("failure") is not None}
    assert failed == {r.case["id"] for r in MIXED if r.is_failure} - {"initial.e3"} | {"initial.d3"}
    assert ET.fromstring(report([], ended="broke down").junit()).get("errors") == "1"
    *errors, last = found.github().splitlines()
    assert all(line.startswith("::error") for line in errors)
    assert len(errors) == 1 + len(found.groups())
    assert "title=lib 1 (strict)%3A initial.Na3 (" in found.github()
    assert last == found.headline


def test_the_result_file() -> None:
    adapter = runner.Adapter([], 1)
    adapter.greeting = GREETING
    ended = runner.Adapter([], 1)
    ended.ended = "ended"
    both = [
        Asked("", adapter, report(MIXED, known=KNOWN), 1.25),
        Asked("./adapter", ended, report([]), 0),
    ]
    content = json.loads("".join(files.written(files.results(SUITE, "ab", "2026-01-31", both))))
    assert content["suite"] == {"version": "0.1.0", "level": "core", "sha256": "ab"}
    library, last = content["libraries"]
    assert (library["name"], library["settings"], library["seconds"]) == ("lib", "strict", 1.25)
    assert library["passing though known"] == ["initial.d3"]
    wrong = {"id": "initial.Nc3", "outcome": "failed", "answer": "b1a3"}
    assert library["cases"][:2] == [{"id": "initial.Nf3", "outcome": "passed"}, wrong]
    assert library["cases"][5]["known"] is True
    assert (last["name"], last["ended"], last["cases"]) == ("./adapter", "ended", [])


TEXTS = st.text(max_size=20) | st.sampled_from(
    ["::error::x", "\n::error::x", "##[error]x", "%0A::error::", "\x1b[2J", "]]>", "\x00", "\ud800"]
)


@given(TEXTS, TEXTS, TEXTS, st.booleans())
def test_nothing_that_strangers_wrote_is_a_command(
    name: str, said: str, answer: str, is_suite: bool
) -> None:
    """Neither an adapter nor a foreign suite."""
    changes = dict.fromkeys(("id", "mechanism", "why", "san", "fen"), said) if is_suite else {}
    records = [
        runner.Record(NC3 | changes, "failed", answer),
        record("initial.Na3", "failed", message=said),
        record("initial.a3", "garbled", message=said),
        record("all", "failed", [answer, said]),
        record("game", "failed", {"moves": [answer], "fen": said}),
    ]
    found = report(records, name, ended=said, notes=[said])
    errors = len(found.groups()) + bool(said)
    for form, text in {
        "text": found.text(),
        "github": found.github(),
        "junit": found.junit(),
    }.items():
        shown = "".join(written(form, [f"{text}\n"]))
        assert re.fullmatch(r"[\n -~]*", shown)
        assert "##[" not in shown
        commands = [line for line in shown.splitlines() if line.lstrip().startswith("::")]
        assert len(commands) == (errors if form == "github" else 0)
    assert len(ET.fromstring(found.junit())) == len(records) + bool(said)
