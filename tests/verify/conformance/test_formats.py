"""Reports that hold what strangers wrote: printable, and what their readers expect."""

import json
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.conformance.formats import FORMATS, UsedSuite
from sanproof.verify.conformance.outcome import Entry, LibraryReport, Outcome
from sanproof.verify.findings.formats import Display, written
from tests.verify.conformance.suites import cases

TESTED = UsedSuite("1.0.0", "core", "ab" * 32, "2026-01-31")
CASES = cases(
    {"id": "no", "class": "must not", "san": "Qh9"},
    {"id": "may", "class": "may", "san": "g1f3", "expected": "g1f3"},
    {"id": "all", "operation": "moves", "expected": ["a3", "a4", "b3"]},
    {"id": "play", "operation": "play", "san": "e4", "expected": {"always": "A", "legal": "B"}},
    {
        "id": "game",
        "operation": "game",
        "pgn": "1. e4 *",
        "expected": {"moves": ["e4"], "fen": {"always": "A", "legal": "B"}},
    },
)
BY_ID = {case.id: case for case in CASES}
GREETING: dict[str, Any] = {"name": "lib", "version": "1", "language": "C", "settings": "strict"}
GREETING |= {"operations": ["read"]}


def report(*entries: Entry, **changes: Any) -> LibraryReport:  # noqa: ANN401
    whole = LibraryReport("./adapter", GREETING, entries, 1.25, ["legal"], 0, [], None)
    return whole._replace(**changes)


def entry(
    name: str, outcome: str, answer: object = None, message: str = "", known: bool = False
) -> Entry:
    return Entry(BY_ID[name], Outcome(outcome), answer, message, known)


def text(form: str, *reports: LibraryReport, limit: int = 20) -> str:
    return "".join(written(form, FORMATS[form](TESTED, reports, Display(limit))))


MIXED = report(
    entry("initial.Nf3", "passed"),
    entry("initial.Nc3", "failed", "b1a3"),
    entry("initial.Na3", "failed", message="illegal <move> & worse"),
    entry("initial.Nh3", "crashed", message="It ended with exit code 1."),
    entry("initial.e4", "skipped", message="not offered"),
    entry("initial.e3", "failed", "e2e4", known=True),
    entry("initial.d3", "passed", known=True),
    entry("no", "failed", "h1h9"),
    entry("may", "failed", "g1h3"),
)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (entry("initial.Nc3", "failed", "b1a3"), "expected b1c3, answered b1a3."),
        (entry("initial.Nc3", "failed", message="bad\n"), "expected b1c3, rejected: 'bad\\n'."),
        (entry("no", "failed", "h1h9"), "must be rejected, was accepted: h1h9."),
        (entry("all", "failed", ["a3", "b3", "b3", "x"]), "missing: a4; too many: b3, x."),
        (entry("play", "failed", "C"), "expected A or B, answered C."),
        (entry("game", "failed", {"moves": ["e3"], "fen": "A"}), "ply 1 is e4 and not e3."),
        (entry("game", "failed", {"moves": [], "fen": "A"}), "there are 1 of them and not 0."),
        (entry("game", "failed", {"moves": ["e4"], "fen": "C"}), "lead to A or B and not to C."),
        (entry("initial.Nc3", "hung", message="It slept."), "expected b1c3, hung: it slept."),
        (entry("initial.d3", "passed", known=True), "take it off the list."),
    ],
)
def test_a_sentence_says_what_was_expected_and_what_came(found: Entry, words: str) -> None:
    assert found.sentence().endswith(words)


def test_the_headline_counts() -> None:
    assert MIXED.headline == (
        "lib 1 (strict): 2 of 8 cases passed, 6 failed (1 of them known), 1 skipped."
    )
    freely = report(entry("may", "accepted"), entry("initial.e4", "passed"))
    assert freely.headline == (
        "lib 1 (strict): 1 of 1 cases passed; of 1 that a library may accept or reject: 1 accepted."
    )
    assert [found.case.id for found in MIXED.surprises] == [
        "initial.Nc3",
        "initial.Na3",
        "initial.Nh3",
        "initial.d3",
        "no",
        "may",
    ]


def test_text_shows_a_case_of_each_mechanism_and_as_many_as_are_wanted() -> None:
    lines = text("text", MIXED).splitlines()
    assert lines[1] == "  Failed: read 6 of 8 (1 mechanism)."
    shown = [line for line in lines[2:] if not line.startswith("   ")]
    assert shown[-2:] == ["  initial.Na3 (and 4 more)", "  initial.d3"]
    last = text("text", MIXED, limit=1).splitlines()[-1]
    assert last == "  and 1 more mechanisms (--limit 2 shows them all)"


def test_castling_as_king_takes_rook_is_told_once() -> None:
    castles = [
        Entry(replace(BY_ID["initial.e4"], id=str(n), expected="e1g1"), Outcome.FAILED, "e1h1")
        for n in range(3)
    ]
    assert text("text", report(*castles)).count("castling came as e1h1") == 1
    assert "castling came" not in text("text", MIXED)


def test_json_is_the_result_file() -> None:
    other = report(greeting={}, ended="ended before its greeting")
    found = json.loads(text("json", MIXED, other))
    assert found["format"] == 1
    assert found["suite"] == {"version": "1.0.0", "level": "core", "sha256": "ab" * 32}
    assert found["date"] == "2026-01-31"
    library, ended = found["libraries"]
    assert (library["name"], library["version"], library["settings"]) == ("lib", "1", "strict")
    assert library["operations"] == ["read"]
    assert library["cases"][:2] == [
        {"id": "initial.Nf3", "outcome": "passed"},
        {"id": "initial.Nc3", "outcome": "failed", "answer": "b1a3"},
    ]
    assert library["cases"][6] == {"id": "initial.d3", "outcome": "passed", "known": True}
    assert (ended["name"], ended["ended"]) == ("./adapter", "ended before its greeting")
    assert ended["cases"] == []


def test_builds_see_each_surprise() -> None:
    names = [found.case.id for found in MIXED.surprises]
    first, second = ET.fromstring(text("junit", MIXED, report(ended="broke down")))
    counts = {"tests": 9, "failures": 6, "skipped": 2, "errors": 0}
    assert {name: int(first.get(name, "")) for name in counts} == counts
    assert {c.get("name") for c in first if c.find("failure") is not None} == set(names)
    assert (second.get("tests"), second.get("errors")) == ("1", "1")
    *lines, last = text("github", MIXED).splitlines()
    title = "::error title=lib 1 (strict)%3A "
    shown = [line.removeprefix(title).partition("::")[0] for line in lines]
    assert shown == ["initial.Na3 (and 4 more)", "initial.d3"]
    assert last == MIXED.headline
    assert text("github", MIXED, limit=1).count("::error") == 1


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
        case = replace(case, id=said, mechanism=said, why=said, asked=said, fen=said)
    hostile = report(
        Entry(case, Outcome.FAILED, answer),
        entry("initial.Na3", "failed", message=said),
        entry("initial.a3", "garbled", message=said),
        entry("all", "failed", [answer, said]),
        entry("game", "failed", {"moves": [answer], "fen": said}),
        greeting=GREETING | {"name": name, "version": said, "settings": answer},
        command=name,
    )
    for form in FORMATS:
        shown = text(form, hostile)
        assert re.fullmatch(r"[\n -~]*", shown)
        assert "##[" not in shown
        commands = [line for line in shown.splitlines() if line.lstrip().startswith("::")]
        kinds = {(found.case.operation, found.case.mechanism) for found in hostile.entries}
        assert len(commands) == (len(kinds) if form == "github" else 0)
        if form == "json":
            (library,) = json.loads(shown)["libraries"]
            assert (library["name"], library["cases"][0]["answer"]) == (name, answer)
        elif form == "junit":
            assert len(ET.fromstring(shown)[0]) == 5
        elif form == "github":
            assert len(shown.splitlines()) == len(kinds) + 1
