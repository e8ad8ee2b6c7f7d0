"""Cases of the full suite beyond the core, asked for some seconds and tabled."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sanproof.verify.conformance.cases.case import Demand
from sanproof.verify.conformance.cases.judge import Outcome
from sanproof.verify.conformance.libraries import beyond
from sanproof.verify.conformance.libraries.conversation import CaseRecord
from sanproof.verify.conformance.libraries.outcome import Entry
from sanproof.verify.conformance.libraries.protocol import Greeting
from sanproof.verify.conformance.libraries.registry import Library
from tests.verify.command import ROOT

GREETING = Greeting("kit", "1.2", "Python", (), "strict")


@pytest.fixture(scope="module")
def sequel() -> beyond.Sequel:
    return beyond.Sequel(ROOT / "data")


def test_the_cases_are_not_those_of_the_core_and_keep_their_places(sequel: beyond.Sequel) -> None:
    core = json.loads((ROOT / "data" / "conformance" / "core.json").read_bytes())["cases"]
    cases = sequel.part(0, 1000)
    names = [case.id for case in cases]
    assert len(set(names)) == 1000
    assert not set(names) & {case["id"] for case in core}
    assert {case.mechanism.partition(".")[0] for case in cases[:100]} >= {"check", "not-mate"}
    assert any(case.mechanism.startswith("string.") for case in cases)
    assert [case.id for case in sequel.part(900, 50)] == names[900:950]


def test_the_page_says_what_the_table_has() -> None:
    page = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
    table = (ROOT / "docs" / "tables" / "beyond.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(table.splitlines())
    about_all = [row for row in rows if row["mechanism"] == beyond.ALL]
    assert f"{sum(int(row['asked']) for row in about_all):,} answers" in page
    most = max(int(row["asked"]) for row in about_all)
    whole = [row for row in about_all if int(row["asked"]) == most]
    assert {row["library"] for row in whole} == {"chessops", "kokopu"}
    assert {row["failed"] for row in whole} == {"0"}
    assert f"chessops and kokopu were asked all, {most:,} each, and failed none" in page


@pytest.mark.slow
def test_the_cases_are_the_same_each_time(sequel: beyond.Sequel) -> None:
    """In another process, in which sets of texts have another order."""
    program = (
        "from pathlib import Path; from sanproof.verify.conformance.libraries.beyond import Sequel;"
        "print(*(case.id for case in Sequel(Path('data')).part(0, 1200)), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": ".", "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [case.id for case in sequel.part(0, 1200)]


def test_what_fails_is_counted_by_mechanism(sequel: beyond.Sequel) -> None:
    """What may be accepted never fails, and what cannot be asked was not asked."""
    cases = sequel.part(0, 200)
    demanded = [case for case in cases if case.demand is not Demand.MAY]
    wrong = demanded[3]
    outcomes = {wrong.id: Outcome.FAILED, demanded[5].id: Outcome.SKIPPED}
    entries = [
        Entry(case, CaseRecord(outcomes.get(case.id, Outcome.PASSED), None, "")) for case in cases
    ]
    free = [
        Entry(case, CaseRecord(Outcome.CRASHED, None, ""))
        for case in cases
        if case.demand is Demand.MAY
    ]
    found = list(beyond.rows(GREETING, [*entries, *free]))
    about = ["kit", "1.2", "strict"]
    of_wrong = sum(case.mechanism == wrong.mechanism for case in demanded if case != demanded[5])
    assert [list(row) for row in found] == [
        [*about, "all", 1, len(demanded) - 1, ""],
        [*about, wrong.mechanism, 1, of_wrong, wrong.id],
    ]


def test_installed_libraries_are_asked_until_the_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sequel: beyond.Sequel
) -> None:
    """An adapter that rejects everything fails what must be accepted; one that is absent is not."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a.py").write_text(ADAPTER)
    (tmp_path / "installed.json").write_text('{"here": "", "away": "no wheel"}', "utf-8")
    libraries = tuple(
        Library(key, key, "Debian", "1", "Python", "a.py", "", "") for key in ("here", "away")
    )
    monkeypatch.setattr(beyond, "read_registry", lambda: libraries)
    monkeypatch.setattr(beyond, "Sequel", lambda _: sequel)
    out = tmp_path / "beyond.csv"
    beyond.main([str(tmp_path), "0.001", str(out)])
    head, first, *rest = csv.reader(out.read_text("utf-8").splitlines())
    assert tuple(head) == beyond.HEAD
    assert first[:4] == ["no", "1", "", "all"]
    assert 0 < int(first[4]) <= int(first[5]) <= beyond.FIRST
    assert sum(int(row[4]) for row in rest) == int(first[4])


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
