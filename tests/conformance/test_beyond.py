"""Cases of the full suite beyond the core: the same for all, asked for some seconds, and tabled."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from conformance import beyond, environments, keep
from conformance.beyond import Failure, News, Sequel, known_mechanisms
from conformance.environments import Library
from conformance.scoreboard.contents import kept_scoreboard
from conformance.suite.recognise import Asked
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


@pytest.fixture(scope="module")
def sequel() -> Sequel:
    return Sequel(DATA)


# The cases


@pytest.mark.slow
def test_the_cases_are_not_those_of_the_core_and_the_same_each_time(sequel: Sequel) -> None:
    """Also in another process, in which sets of texts have another order."""
    core = json.loads((DATA / "conformance" / "core.json").read_bytes())["cases"]
    cases = list(islice(sequel.cases(), 1200))
    names = [case.id for case in cases]
    assert len(set(names)) == 1200
    assert not set(names) & {case["id"] for case in core}
    assert {case.mechanism.partition(".")[0] for case in cases[:100]} >= {"check", "not-mate"}
    assert any(case.mechanism.startswith("string.") for case in cases)
    assert Demand.MAY not in {case.demand for case in cases}
    program = (
        "from itertools import islice; from pathlib import Path\n"
        "from conformance.beyond import Sequel\n"
        "print(*(case.id for case in islice(Sequel(Path('data')).cases(), 1200)), sep='\\n')"
    )
    env = os.environ | {"PYTHONPATH": ".", "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == names


@pytest.mark.slow
def test_the_name_is_that_of_the_cases(tmp_path: Path, sequel: Sequel) -> None:
    """A version with the same cases beyond the core asks on; one with others begins again."""
    assert Sequel(DATA).name == sequel.name
    (tmp_path / "conformance").mkdir()
    shutil.copy(DATA / "games.txt.xz", tmp_path)
    core = json.loads((DATA / "conformance" / "core.json").read_bytes())
    core["cases"].pop()
    (tmp_path / "conformance" / "core.json").write_text(json.dumps(core))
    assert Sequel(tmp_path).name != sequel.name


# News


@pytest.mark.parametrize(
    ("failure", "known", "is_news"),
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
def test_a_failure_is_news_if_no_failure_of_the_core_has_its_mechanisms(
    failure: Failure, known: set[str], is_news: bool
) -> None:
    assert News(known).has(failure) is is_news


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


def test_a_position_and_a_text_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A move is read and written; and what was found last is tried first."""
    looked: list[str] = []

    class Noted(Asked):
        def wrong_with(self, name: str, *, alone: bool = True) -> str | None:
            looked.append(name)
            return super().wrong_with(name, alone=alone)

    monkeypatch.setattr(beyond, "Asked", Noted)
    found = News({"check.double", "disambiguation.file", "check.direct"})
    assert not found.has(TWO_FILES)
    assert looked == ["check.direct", "check.double", "disambiguation.file"]
    assert not found.has(TWO_FILES._replace(id="write"))
    assert not found.has(TWO_FILES_MATE)
    assert looked[3:] == ["disambiguation.file"]


# Asking


def test_what_fails_is_counted_by_mechanism() -> None:
    """An example is news where something is; nothing is news to those who do not know the core."""
    asked = Counter({"string.knight": 7, "play.quiet": 2, "wrong.less-than-needed": 5})
    failures = [TWO_FILES, DISCOVERED, TWO_FILES._replace(id="c"), TOO_LITTLE]
    about, known = ["kit", "1.2", "strict"], {"disambiguation.file", "play.quiet"}
    found = beyond.Progress("x", about, 30, 4.0, asked=asked, failures=failures)
    assert [list(row) for row in beyond.rows(found, known)] == [
        [*about, "all", 4, 2, 14, "no", ""],
        [*about, "string.knight", 3, 1, 7, "no", "b"],
        [*about, "wrong.less-than-needed", 1, 1, 5, "no", "d"],
    ]
    found.is_whole = True
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
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sequel: Sequel) -> Path:
    """A folder of environments with an adapter that rejects everything; one library is absent."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "chessjs.mjs").write_text(ADAPTER)
    (tmp_path / "installed.json").write_text('{"here": "", "away": "no wheel"}', "utf-8")
    libraries = tuple(
        Library(key, key, "Debian", "1", "Python", "chessjs.mjs", "", "")
        for key in ("here", "away")
    )
    monkeypatch.setattr(beyond, "read_registry", lambda: libraries)
    monkeypatch.setattr(beyond, "Sequel", lambda *_: sequel)
    return tmp_path


def table_of(folder: Path, seconds: float, *keys: str) -> list[dict[str, str]]:
    beyond.main([str(folder), str(seconds), str(folder / "beyond.csv"), *keys])
    text = (folder / "beyond.csv").read_text("utf-8")
    assert tuple(text.splitlines()[0].split(",")) == beyond.HEAD
    return list(csv.DictReader(text.splitlines()))


def kept_of(folder: Path) -> dict[str, Any]:
    (path,) = (folder / beyond.KEPT).iterdir()
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


@pytest.mark.slow
def test_asking_goes_on_where_it_stopped(
    here: Path, monkeypatch: pytest.MonkeyPatch, sequel: Sequel
) -> None:
    """No case twice, none left out; what is kept of another adapter does not count."""
    first, *rest = table_of(here, 0.001)
    assert [first[name] for name in ("library", "mechanism", "whole")] == ["no", "all", "no"]
    assert 0 < int(first["failed"]) <= int(first["asked"]) <= beyond.FIRST
    assert sum(int(row["failed"]) for row in rest) == int(first["failed"])
    before = kept_of(here)
    given: list[str] = []
    names = [case.id for case in islice(sequel.cases(), 5000)]

    def noted(commands: list[str], cases: list[Case], *rest: Any) -> Any:  # noqa: ANN401 - theirs
        given.extend(case.id for case in cases)
        return ask(commands, cases, *rest)

    monkeypatch.setattr(beyond, "ask", noted)
    assert table_of(here, before["seconds"] / 2)[0]["asked"] == str(sum(before["asked"].values()))
    table_of(here, before["seconds"] + 0.001, "away")
    assert given == []
    table_of(here, before["seconds"] + 0.001)
    assert given == names[before["given"] : before["given"] + beyond.FIRST]
    after = kept_of(here)
    assert after["given"] == before["given"] + len(given)
    assert after["seconds"] > before["seconds"]
    assert after["failures"][: len(before["failures"])] == before["failures"]
    given.clear()
    monkeypatch.setattr(environments, "SHARED", ("answering.py",))
    table_of(here, 0.001)
    assert given[:3] == names[:3]


@pytest.mark.slow
def test_who_is_not_asked_now_keeps_its_rows(here: Path) -> None:
    lines = ["away,1,,all,7,,99,no,", "away,1,,x,7,,7,no,a", "gone,1,,all,7,,99,no,"]
    (here / "beyond.csv").write_text("\n".join([",".join(beyond.HEAD), *lines]), "utf-8")
    kept = [",".join(row.values()) for row in table_of(here, 0.001) if row["library"] != "no"]
    assert kept == lines[:2]


def test_a_library_that_was_asked_everything_is_whole(
    here: Path, monkeypatch: pytest.MonkeyPatch, sequel: Sequel
) -> None:
    cases = list(islice(sequel.cases(), 300))
    monkeypatch.setattr(sequel, "cases", lambda: iter(cases))
    first, *_ = table_of(here, 60)
    assert first["whole"] == "yes"
    assert 0 < int(first["asked"]) <= 300
    assert kept_of(here)["given"] == 300


SLEEPS = """
    asked = case.get("san") or case["uci"]
    marks = sys.argv[0] + ".marks"
    if asked in ("a3", "a4") and (asked == "a4" or not os.path.exists(marks)):
        open(marks, "w").close()
        time.sleep(60)
"""


@pytest.mark.slow
def test_a_case_without_an_answer_is_asked_again_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sequel: Sequel
) -> None:
    """Only then it counts as hung; and it is kept what came of it."""
    adapter = tmp_path / "sleeper.py"
    line = "    case = json.loads(line)\n"
    adapter.write_text(ADAPTER.replace(line, line + SLEEPS))
    monkeypatch.setattr(beyond, "TIMEOUT_SECONDS", 1.0)
    monkeypatch.setattr(beyond, "FIRST", 3)
    case = next(case for case in sequel.cases() if case.operation.value == "read")
    three = [replace(case, id=san, asked=san, demand=Demand.MUST) for san in ("a2", "a3", "a4")]
    monkeypatch.setattr(sequel, "cases", lambda: iter(three))
    path = tmp_path / "kept" / "no-0.json"
    progress = beyond.Progress("x")
    beyond.ask_on(f"{sys.executable} {adapter}", sequel, progress, 60, path)
    assert beyond.Progress.kept(path, "x") == progress
    assert [(came.id, came.outcome, came.said) for came in progress.failures] == [
        ("a2", "failed", "no"),
        ("a3", "failed", "no"),
        ("a4", "hung", "It did not answer within 1 s."),
    ]
    assert progress.given == 3
    assert progress.is_whole


@pytest.mark.slow
def test_an_adapter_that_is_given_up_is_asked_on(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was answered is kept, up to the first case without an answer."""
    monkeypatch.setattr(sanproof_runner, "MAX_STARTS", 2)
    five = "for line in (sys.stdin.readline() for _ in range(5)):"
    text = ADAPTER.replace("for line in sys.stdin:", five)
    assert text != ADAPTER
    (here / "here" / "chessjs.mjs").write_text(text)
    first, *_ = table_of(here, 0.2)
    assert int(first["asked"]) == kept_of(here)["given"] >= 10


def test_the_kept_table_has_every_library_once_and_the_page_says_what_it_has() -> None:
    def rows(name: str) -> list[dict[str, str]]:
        text = (ROOT / "docs" / "tables" / name).read_text("utf-8")
        return list(csv.DictReader(text.splitlines()))

    totals = [row for row in rows("beyond.csv") if row["mechanism"] == beyond.ALL]
    about = ("library", "version", "settings")
    assert sorted([row[name] for name in about] for row in totals) == sorted(
        [row[name] for name in about] for row in rows("libraries.csv")
    )
    assert all(int(row["asked"]) > 0 for row in totals)
    page = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
    section = page.partition("## Beyond the core")[2].partition("\n## ")[0]
    asked, failed = (sum(int(row[name]) for row in totals) for name in ("asked", "failed"))
    assert f"{asked:,} answers that can be wrong, {failed:,} of them" in section
    part = {row["library"] for row in totals if row["whole"] != "yes"}
    whole = sum(row["whole"] == "yes" for row in totals)
    assert f"Of {len(totals)} rows {whole} are whole" in section
    names = section.partition("In part were asked ")[2].partition(". ")[0]
    assert set(re.split(", | and ", names)) - {""} == part
    new = {row["library"] for row in totals if row["news"] not in {"", "0"}}
    assert new
    assert new <= set(re.findall(r"\*\*(.+?)\*\*", section))
