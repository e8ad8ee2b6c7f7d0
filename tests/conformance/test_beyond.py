"""Cases of the full suite beyond the core: the same for all, asked for some seconds, and tabled."""

import csv
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from conformance import beyond, keep
from conformance.beyond import Answers, Failure, further_cases, known_mechanisms
from conformance.environments import Library
from conformance.scoreboard.contents import kept_scoreboard
from sanproof.verify.conformance import sanproof_runner
from sanproof.verify.conformance.asking import ask
from sanproof.verify.conformance.suite import Case, Demand
from tests.verify.command import ROOT

DATA = ROOT / "data"
TWO_FILES = Failure(
    "a", "string.knight", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nbd2"
)  # its mechanism: disambiguation.file
TWO_FILES_MATE = Failure("m", "string.knight", "6rk/6pp/8/4N1N1/8/8/8/4K3 w - - 0 1", "Nef7#")
DISCOVERED = Failure("b", "string.knight", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "Nc3+")
ALL_MOVES = Failure("e", "moves.check", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", None)
TOO_LITTLE = Failure("d", "wrong.less-than-needed", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2")


# The cases


def first_cases(number: int) -> list[Case]:
    return list(islice(further_cases(DATA), number))


@pytest.mark.slow
def test_the_cases_are_not_those_of_the_core_and_the_same_each_time() -> None:
    """Also in another process, in which sets of texts have another order."""
    core = json.loads((DATA / "conformance" / "core.json").read_bytes())["cases"]
    cases = first_cases(1200)
    names = [case.id for case in cases]
    assert len(set(names)) == 1200
    assert not set(names) & {case["id"] for case in core}
    assert {case.mechanism.partition(".")[0] for case in cases[:100]} >= {"check", "not-mate"}
    assert any(case.mechanism.startswith("string.") for case in cases)
    assert Demand.MAY not in {case.demand for case in cases}
    program = (
        "from tests.conformance.test_beyond import first_cases\n"
        "print(*(case.id for case in first_cases(1200)), sep='\\n')"
    )
    env = os.environ | {"PYTHONPATH": ".", "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == names


# News


@pytest.mark.parametrize(
    ("failure", "known", "is_new"),
    [
        (TWO_FILES, {"disambiguation.file"}, False),
        (TWO_FILES, {"disambiguation.rank", "disambiguation.square", "moves.all"}, True),
        (DISCOVERED, {"disambiguation.file", "check.double"}, True),
        (DISCOVERED, {"check.discovered-by-piece"}, False),
        (TWO_FILES_MATE, {"disambiguation.file"}, False),  # its cases are no checks; a mate has it
        (TOO_LITTLE, {"wrong.less-than-needed"}, False),
        (TOO_LITTLE, {"disambiguation.file"}, True),  # what is refused is no move of two files
        (ALL_MOVES, {"play.quiet", "check.direct"}, True),
        (ALL_MOVES, {"play.quiet", "moves.mate"}, False),
        (Failure("f", "game.tags", None, "1. e4 *"), {"game.tags"}, False),
    ],
)
def test_a_failure_is_new_if_no_failure_of_the_core_has_its_mechanisms(
    failure: Failure, known: set[str], is_new: bool
) -> None:
    assert beyond.is_new(failure, frozenset(known)) is is_new


def test_what_is_known_are_the_mechanisms_that_the_core_shows() -> None:
    """Of a library in these settings; what is up to it never fails."""
    results = max((ROOT / keep.DATA / "results").glob("*-core.json.xz"))
    core = kept_scoreboard(results, ROOT / keep.DATA)
    sloppy = next(run for run in core.runs if run.title == "chess.js 1.4.0")
    known = known_mechanisms(core, (sloppy.name, sloppy.version, sloppy.settings))
    assert known is not None
    assert "wrong.file-where-square-is-due" in known
    areas = (area for area in core.areas if core.count(sloppy, area=area).failed)
    assert {name.partition(".")[0] for name in known} == set(areas)
    assert known_mechanisms(core, (sloppy.name, sloppy.version, "unheard of")) is None


# Asking


def test_what_fails_is_counted_by_mechanism() -> None:
    """The example is a new failure where there is one; nothing is new if the core is not known."""
    asked = Counter({"string.knight": 7, "play.quiet": 2, "wrong.less-than-needed": 5})
    failures = [TWO_FILES, DISCOVERED, TWO_FILES._replace(id="c"), TOO_LITTLE]
    about = ["kit", "1.2", "strict"]
    known = frozenset({"disambiguation.file", "play.quiet"})
    found = Answers(about, 30, 4.0, asked=asked, failures=failures)
    assert [list(row) for row in beyond.rows(found, known)] == [
        [*about, "all", 4, 2, 14, "no", ""],
        [*about, "string.knight", 3, 1, 7, "no", "b"],
        [*about, "wrong.less-than-needed", 1, 1, 5, "no", "d"],
    ]
    found.is_complete = True
    assert [list(row)[3:] for row in beyond.rows(found, None)] == [
        ["all", 4, "", 14, "yes", ""],
        ["string.knight", 3, "", 7, "yes", "a"],
        ["wrong.less-than-needed", 1, "", 5, "yes", "d"],
    ]


ADAPTER = f"""#!{sys.executable}
import json, os, sys, time
print(json.dumps({{"sanproof": 1, "name": "no", "version": "1", "language": "Python",
                  "operations": ["read", "write"]}}), flush=True)
for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps({{"id": case["id"], "rejected": "no"}}), flush=True)
"""
"""Rejects everything."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder of environments; its adapter rejects everything, and one library is absent."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "chessjs.mjs").write_text(ADAPTER)
    (tmp_path / "installed.json").write_text('{"here": "", "away": "no wheel"}', "utf-8")
    libraries = tuple(
        Library(key, key, "Debian", "1", "Python", "chessjs.mjs", "", "")
        for key in ("here", "away")
    )
    monkeypatch.setattr(beyond, "read_registry", lambda: libraries)
    return tmp_path


def table_of(folder: Path, seconds: float, *keys: str) -> list[dict[str, str]]:
    beyond.main(folder, seconds, folder / "beyond.csv", keys)
    text = (folder / "beyond.csv").read_text("utf-8")
    assert tuple(text.splitlines()[0].split(",")) == beyond.HEAD
    return list(csv.DictReader(text.splitlines()))


def test_the_table_has_who_was_asked_and_the_rows_of_others_stay(here: Path) -> None:
    lines = ["away,1,,all,7,,99,no,", "away,1,,x,7,,7,no,a", "gone,1,,all,7,,99,no,"]
    (here / "beyond.csv").write_text("\n".join([",".join(beyond.HEAD), *lines]), "utf-8")
    first, *rest = table_of(here, 0.001)
    assert [first[name] for name in ("library", "mechanism", "complete")] == ["no", "all", "no"]
    assert 0 < int(first["failed"]) <= int(first["asked"]) <= beyond.FIRST
    own = [row for row in rest if row["library"] == "no"]
    assert sum(int(row["failed"]) for row in own) == int(first["failed"])
    assert [",".join(row.values()) for row in rest if row not in own] == lines[:2]
    (path,) = (here / beyond.KEPT).iterdir()
    assert len(json.loads(path.read_bytes())) == int(first["failed"])


def test_every_case_is_asked_once_and_then_the_library_is_complete(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the adapter is given up again and again: it is asked on."""
    monkeypatch.setattr(sanproof_runner, "MAX_STARTS", 2)
    five = "for line in (sys.stdin.readline() for _ in range(5)):"
    text = ADAPTER.replace("for line in sys.stdin:", five)
    assert text != ADAPTER
    (here / "here" / "chessjs.mjs").write_text(text)
    given: list[str] = []

    def noted(commands: list[str], cases: list[Case], *rest: Any) -> Any:  # noqa: ANN401 - theirs
        (report,) = ask(commands, cases, *rest)
        given.extend(entry.case.id for entry in report.entries if len(cases) > 1)
        return [report]

    cases = first_cases(40)
    monkeypatch.setattr(beyond, "ask", noted)
    monkeypatch.setattr(beyond, "further_cases", lambda _: iter(cases))
    first, *_ = table_of(here, 60)
    assert first["complete"] == "yes"
    assert 0 < int(first["asked"]) <= len(cases)
    assert given == [case.id for case in cases]


SLEEPS = """
    asked = case.get("san") or case["uci"]
    marks = sys.argv[0] + ".marks"
    if asked in ("a3", "a4") and (asked == "a4" or not os.path.exists(marks)):
        open(marks, "w").close()
        time.sleep(60)
"""


@pytest.mark.slow
def test_a_case_without_an_answer_is_asked_again_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only then it counts as hung; and it is kept what came of it."""
    adapter = tmp_path / "sleeper.py"
    line = "    case = json.loads(line)\n"
    adapter.write_text(ADAPTER.replace(line, line + SLEEPS))
    monkeypatch.setattr(beyond, "TIMEOUT_SECONDS", 1.0)
    monkeypatch.setattr(beyond, "FIRST", 3)
    case = next(case for case in further_cases(DATA) if case.operation.value == "read")
    three = [replace(case, id=san, asked=san, demand=Demand.MUST) for san in ("a2", "a3", "a4")]
    answers = beyond.ask_for(f"{sys.executable} {adapter}", iter(three), 60)
    assert [(came.id, came.outcome, came.said) for came in answers.failures] == [
        ("a2", "failed", "no"),
        ("a3", "failed", "no"),
        ("a4", "hung", "It did not answer within 1 s."),
    ]
    assert (answers.given, answers.is_complete) == (3, True)


def test_the_kept_table_has_every_library_once_and_the_page_says_what_it_has() -> None:
    def rows(name: str) -> list[dict[str, str]]:
        text = (ROOT / "docs" / "tables" / name).read_text("utf-8")
        return list(csv.DictReader(text.splitlines()))

    totals = [row for row in rows("beyond.csv") if row["mechanism"] == beyond.ALL]
    about = ("library", "version", "settings")
    assert sorted([row[name] for name in about] for row in totals) == sorted(
        [row[name] for name in about] for row in rows("libraries.csv") if row["from"]
    )
    assert all(int(row["asked"]) > 0 for row in totals)
    page = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
    section = page.partition("## Beyond the core")[2].partition("\n## ")[0]
    asked, failed = (sum(int(row[name]) for row in totals) for name in ("asked", "failed"))
    assert f"{failed:,} of {asked:,} answers" in section
    assert {row["complete"] for row in totals} == {"yes"}
    assert f"All {len(totals)} runs were complete" in section
    new = {row["library"] for row in totals if row["new"] not in {"", "0"}}
    assert new
    assert new <= set(re.findall(r"\*\*(.+?)\*\*", section))
