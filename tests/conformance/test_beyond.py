"""Cases of the full suite beyond the core, asked for some seconds and tabled."""

import csv
import json
import re
import sys
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from conformance import beyond, registry
from conformance.registry import Library
from conformance.sequel import Sequel
from sanproof.verify.conformance import sanproof_runner
from sanproof.verify.conformance.asking import ask
from sanproof.verify.conformance.suite import Case, Demand
from tests.conformance.test_news import DISCOVERED, TOO_LITTLE, TWO_FILES
from tests.verify.command import ROOT


@pytest.fixture(scope="module")
def sequel() -> Sequel:
    return Sequel(ROOT / "data")


def test_the_page_says_what_the_table_has() -> None:
    page = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
    table = (ROOT / "docs" / "tables" / "beyond.csv").read_text(encoding="utf-8")
    section = page.partition("## Beyond the core")[2].partition("\n## ")[0]
    about_all = [
        row for row in csv.DictReader(table.splitlines()) if row["mechanism"] == beyond.ALL
    ]
    total = {name: sum(int(row[name]) for row in about_all) for name in ("asked", "failed")}
    assert f"{total['asked']:,} answers that can be wrong, {total['failed']:,} of them" in section
    part = [row for row in about_all if row["whole"] != "yes"]
    assert f"Of {len(about_all)} rows {len(about_all) - len(part)} are whole" in section
    names = section.partition("In part were asked ")[2].partition(". ")[0]
    assert set(re.split(", | and ", names)) - {""} == {row["library"] for row in part}
    news = {row["library"] for row in about_all if row["news"] not in {"", "0"}}
    assert news <= set(re.findall(r"\*\*(.+?)\*\*", section))


def test_what_fails_is_counted_by_mechanism() -> None:
    """An example is news where something is; nothing is news to those who do not know the core."""
    asked = Counter({"string.knight": 7, "play.quiet": 2, "wrong.less-than-needed": 5})
    failures = [TWO_FILES, DISCOVERED, TWO_FILES._replace(id="c"), TOO_LITTLE]
    found = beyond.Progress("x", "kit", "1.2", "strict", 30, 4.0, asked=asked, failures=failures)
    about, known = ["kit", "1.2", "strict"], {"disambiguation.file", "play.quiet"}
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


@pytest.mark.slow
def test_installed_libraries_are_asked_until_the_time_is_over(here: Path) -> None:
    """An adapter that rejects everything fails what must be accepted; one that is absent is not."""
    first, *rest = table_of(here, 0.001)
    assert [first[name] for name in ("library", "mechanism", "whole", "news")] == [
        *("no", "all", "no", "")
    ]
    assert 0 < int(first["failed"]) <= int(first["asked"]) <= beyond.FIRST
    assert sum(int(row["failed"]) for row in rest) == int(first["failed"])


@pytest.mark.slow
def test_asking_goes_on_where_it_stopped(
    here: Path, monkeypatch: pytest.MonkeyPatch, sequel: Sequel
) -> None:
    """No case twice, none left out; what is kept of another adapter does not count."""
    table_of(here, 0.001)
    (path,) = (here / beyond.KEPT).iterdir()
    before = json.loads(path.read_bytes())
    given: list[str] = []
    names = [case.id for case in islice(sequel.cases(), 5000)]

    def noted(commands: list[str], cases: list[Case], *rest: Any) -> Any:  # noqa: ANN401 - theirs
        given.extend(case.id for case in cases)
        return ask(commands, cases, *rest)

    monkeypatch.setattr(beyond, "ask", noted)
    assert table_of(here, before["seconds"] / 2)[0]["asked"] == str(sum(before["asked"].values()))
    assert given == []
    table_of(here, before["seconds"] + 0.001, "away")
    assert given == []
    table_of(here, before["seconds"] + 0.001)
    assert given == names[before["given"] : before["given"] + beyond.FIRST]
    after = json.loads(path.read_bytes())
    assert after["given"] == before["given"] + len(given)
    assert after["seconds"] > before["seconds"]
    assert after["failures"][: len(before["failures"])] == before["failures"]
    given.clear()
    monkeypatch.setattr(registry, "SHARED", ("answering.py",))
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
    (path,) = (here / beyond.KEPT).iterdir()
    assert json.loads(path.read_bytes())["given"] == 300


SLEEPER = f"""#!{sys.executable}
import json, os, sys, time
marks = sys.argv[0] + ".marks"
print(json.dumps({{"sanproof": 1, "name": "no", "version": "1", "language": "Python",
                  "operations": ["read", "write"]}}), flush=True)
for number, line in enumerate(sys.stdin):
    case = json.loads(line)
    asked = case.get("san") or case["uci"]
    if asked in ("a3", "a4") and (asked == "a4" or not os.path.exists(marks)):
        open(marks, "w").close()
        time.sleep(60)
    print(json.dumps({{"id": case["id"], "rejected": "no"}}), flush=True)
"""


@pytest.mark.slow
def test_a_case_without_an_answer_is_asked_again_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sequel: Sequel
) -> None:
    """Only then it counts as hung; and it is kept what came of it."""
    adapter = tmp_path / "sleeper.py"
    adapter.write_text(SLEEPER)
    monkeypatch.setattr(beyond, "TIMEOUT_SECONDS", 1.0)
    monkeypatch.setattr(beyond, "FIRST", 3)

    case = next(case for case in sequel.cases() if case.operation.value == "read")
    three = [replace(case, id=san, asked=san, demand=Demand.MUST) for san in ("a2", "a3", "a4")]
    monkeypatch.setattr(sequel, "cases", lambda: iter(three))
    path = tmp_path / "kept" / "no-0.json"
    progress = beyond.Progress("x")
    beyond.ask_on(f"{sys.executable} {adapter}", sequel, progress, 60, path)
    kept = beyond.Progress.kept(path, "x")
    assert kept == progress
    assert [(came.id, came.outcome, came.said) for came in kept.failures] == [
        ("a2", "failed", "no"),
        ("a3", "failed", "no"),
        ("a4", "hung", "It did not answer within 1 s."),
    ]
    assert kept.given == 3
    assert kept.is_whole


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
    (path,) = (here / beyond.KEPT).iterdir()
    kept = json.loads(path.read_bytes())
    assert int(first["asked"]) == kept["given"] >= 10


ADAPTER = f"""#!{sys.executable}
import json, sys
print(json.dumps({{"sanproof": 1, "name": "no", "version": "1", "language": "Python",
                  "operations": ["read", "write"]}}), flush=True)
for line in sys.stdin:
    print(json.dumps({{"id": json.loads(line)["id"], "rejected": "no"}}), flush=True)
"""


def test_the_kept_table_has_every_library_once_in_each_setting() -> None:
    text = (ROOT / "docs" / "tables" / "beyond.csv").read_text("utf-8")
    totals = [row for row in csv.DictReader(text.splitlines()) if row["mechanism"] == beyond.ALL]
    asked = csv.DictReader((ROOT / "docs/tables/libraries.csv").read_text("utf-8").splitlines())
    names = ("library", "version", "settings")
    assert sorted([r[n] for n in names] for r in totals) == sorted(
        [r[n] for n in names] for r in asked
    )
    assert all(int(row["asked"]) > 0 for row in totals)
