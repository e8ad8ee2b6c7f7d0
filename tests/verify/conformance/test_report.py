"""What is said of a library, in each format; and what strangers wrote, which is no command."""

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.conformance import files
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import Asked
from sanproof.verify.findings.formats import written
from tests.verify.conformance.suites import suite

FENS = {"always": "A", "pseudo-legal": "B", "legal": "B"}
SUITE = suite(
    {"id": "no", "class": "must not", "san": "Rh9", "expected": None},
    {"id": "may", "class": "may", "san": "e4", "expected": "e2e4"},
    {"id": "all", "operation": "moves", "expected": ["a3", "a4", "b3"]},
    {"id": "play", "operation": "play", "san": "e4", "expected": FENS},
    {"id": "game", "operation": "game", "pgn": "1. e4", "expected": {"moves": ["e4"], "fen": FENS}},
)
BY_ID = {case["id"]: case for case in SUITE["cases"]}
GREETING: dict[str, Any] = {"name": "lib", "version": "1", "language": "C", "settings": "strict"}
GREETING |= {"operations": ["read"]}


def record(name: str, outcome: str, answer: object = None, message: str = "") -> runner.Record:
    return runner.Record(BY_ID[name], outcome, answer, message)


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
        (record("play", "failed", "C"), "expected A or B, answered C."),
        (record("game", "failed", {"moves": ["e3"], "fen": "A"}), "ply 1 is e4 and not e3."),
        (record("game", "failed", {"moves": [], "fen": "A"}), "there are 1 of them and not 0."),
        (record("game", "failed", {"moves": ["e4"], "fen": "C"}), "lead to A or B and not to C."),
        (record("initial.Nc3", "hung", message="It slept."), "expected b1c3, hung: it slept."),
    ],
)
def test_a_sentence_says_what_was_expected_and_what_came(found: runner.Record, words: str) -> None:
    assert found.sentence().endswith(words)


def test_people_read_the_counts_and_a_case_of_each_group() -> None:
    text = report(MIXED, known=KNOWN).text()
    assert "2 of 8 cases passed, 6 failed (1 of them expected failures), 1 skipped" in text
    assert "Failed: read 6 of 8." in text
    assert "Skipped 1: not offered" in text
    assert "initial.d3 is an expected failure, and passes" in text
    assert "\n      It can be played in the initial position.\n" in text
    free = report([record("may", "accepted"), record("initial.e4", "passed")]).headline
    assert "1 of 1 cases passed. Another 1 cases are optional" in free
    assert free.endswith(": 1 accepted.")


def test_failures_are_grouped_by_what_they_share_and_passing_cases_lack() -> None:
    """Black's moves all fail, whatever they are; and one of White's of three."""
    cases = [
        {"id": f"{operation} {colour} {n}", "operation": operation, "colour": colour}
        | {"mechanism": f"{area}.x", "class": "must", "why": "Why.", "fen": "8/8 w", "plies": 9 - n}
        for operation, area in (("read", "castling"), ("write", "check"))
        for colour in ("white", "black")
        for n in range(3)
    ]
    fails = {case["id"] for case in cases if case["colour"] == "black"} | {"read white 1"}
    records = [runner.Record(c, "failed" if c["id"] in fails else "passed") for c in cases]
    first, second = runner.groups([r for r in records if r.is_failure], records)
    assert first[0] == "read black 2 (all 6 cases of black fail)"
    assert {r.case["colour"] for r in first[1]} == {"black"}
    assert second[0] == "read white 1 (1 of 6 cases of castling.x and read fail)"
    assert runner.groups([], records) == []


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
    names = {"initial.Nc3", "initial.Na3", "initial.Nh3", "initial.d3", "no", "may"}
    assert failed == names
    assert ET.fromstring(report([], ended="broke down").junit()).get("errors") == "1"
    *errors, last = found.github().splitlines()
    assert all(line.startswith("::error") for line in errors)
    assert len(errors) == 1 + len(found.groups())
    assert "title=lib 1 (strict)%3A initial.Na3 (" in found.github()
    assert last == found.headline


def asked(found: runner.Report, greeting: dict[str, Any]) -> Asked:
    adapter = runner.Adapter([], 1)
    adapter.greeting, adapter.ended = greeting, found.ended
    return Asked("./adapter", adapter, found, 1.25)


def test_the_result_file() -> None:
    other = asked(report([], ended="ended"), {})
    both = [asked(report(MIXED, known=KNOWN), GREETING), other]
    content = json.loads("".join(files.written(files.results(SUITE, "ab", "2026-01-31", both))))
    assert content["suite"] == {"version": "0.1.0", "level": "core", "sha256": "ab"}
    library, ended = content["libraries"]
    assert (library["name"], library["settings"], library["seconds"]) == ("lib", "strict", 1.25)
    assert library["passing though known"] == ["initial.d3"]
    assert library["cases"][:2] == [
        {"id": "initial.Nf3", "outcome": "passed"},
        {"id": "initial.Nc3", "outcome": "failed", "answer": "b1a3"},
    ]
    assert library["cases"][5]["known"] is True
    assert (ended["name"], ended["ended"], ended["cases"]) == ("./adapter", "ended", [])


TEXTS = st.text(max_size=20) | st.sampled_from(
    ["::error::x", "\n::error::x", "##[error]x", "%0A::error::", "\x1b[2J", "]]>", "\x00", "\ud800"]
)


@given(TEXTS, TEXTS, TEXTS, st.booleans())
def test_nothing_that_strangers_wrote_is_a_command(
    name: str, said: str, answer: str, is_suite: bool
) -> None:
    """Neither an adapter nor a foreign suite."""
    case = BY_ID["initial.Nc3"]
    if is_suite:
        case = case | dict.fromkeys(("id", "mechanism", "why", "san", "fen"), said)
    records = [
        runner.Record(case, "failed", answer),
        record("initial.Na3", "failed", message=said),
        record("initial.a3", "garbled", message=said),
        record("all", "failed", [answer, said]),
        record("game", "failed", {"moves": [answer], "fen": said}),
    ]
    found = report(records, name, ended=said, notes=[said])
    for form, text in (
        ("text", found.text()),
        ("github", found.github()),
        ("junit", found.junit()),
    ):
        shown = "".join(written(form, [f"{text}\n"]))
        assert re.fullmatch(r"[\n -~]*", shown)
        assert "##[" not in shown
        commands = [line for line in shown.splitlines() if line.lstrip().startswith("::")]
        errors = len(found.groups()) + bool(said)
        assert len(commands) == (errors if form == "github" else 0)
        if form == "junit":
            assert len(ET.fromstring(shown)) == len(records) + bool(said)
