"""Cases of the full suite beyond the core, asked for some seconds and tabled."""

import csv
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sanproof.verify.conformance.cases.case import Case, Demand
from sanproof.verify.conformance.libraries import beyond, keep, registry
from sanproof.verify.conformance.libraries.asking import ask
from sanproof.verify.conformance.libraries.registry import Library
from tests.verify.command import ROOT


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
    assert Demand.MAY not in {case.demand for case in cases}
    assert [case.id for case in sequel.part(900, 50)] == names[900:950]


def test_the_page_says_what_the_table_has() -> None:
    page = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
    table = (ROOT / "docs" / "tables" / "beyond.csv").read_text(encoding="utf-8")
    section = page.partition("## Beyond the core")[2].partition("\n## ")[0]
    about_all = [
        row for row in csv.DictReader(table.splitlines()) if row["mechanism"] == beyond.ALL
    ]
    assert f"{sum(int(row['asked']) for row in about_all):,} answers" in section
    before, _, after = section.partition(" were asked all")
    assert after
    *_, whole = before.split("; ")
    assert set(re.split(", | and ", whole)) == {
        row["library"] for row in about_all if row["whole"] == "yes"
    }
    news = {row["library"] for row in about_all if row["news"] not in {"", "0"}}
    assert news <= set(re.findall(r"\*\*(.+?)\*\*", section))


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


TWO_FILES = beyond.Failure(
    "a", "string.knight", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nbd2"
)  # its mechanism: disambiguation.file
TWO_FILES_MATE = beyond.Failure(
    "m", "string.knight", "6rk/6pp/8/4N1N1/8/8/8/4K3 w - - 0 1", "Nef7#"
)
DISCOVERED = beyond.Failure("b", "string.knight", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "Nc3+")
ALL_MOVES = beyond.Failure("e", "moves.check", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", None)
TOO_LITTLE = beyond.Failure(
    "d", "wrong.less-than-needed", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2"
)


@pytest.mark.parametrize(
    ("failure", "known", "news"),
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
        (beyond.Failure("f", "game.tags", None, "1. e4 *"), {"game.tags"}, False),
    ],
)
def test_a_failure_is_news_if_no_failure_of_the_core_has_its_mechanisms(
    failure: beyond.Failure, known: set[str], news: bool
) -> None:
    assert beyond.is_news(failure, known) is news


def test_what_is_known_are_the_mechanisms_that_the_core_shows() -> None:
    """Of a library in these settings; what is up to it never fails."""
    core = keep.kept_scoreboard(max((ROOT / keep.DATA / "results").glob("*-core.json.xz")))
    sloppy = next(run for run in core.runs if run.title == "chess.js 1.4.0")
    asked = beyond.Progress("x", sloppy.name, sloppy.version, sloppy.settings)
    known = beyond.known_mechanisms(core, asked)
    assert known is not None
    assert "wrong.file-where-square-is-due" in known
    rows = csv.DictReader((ROOT / "docs/tables/libraries.csv").read_text("utf-8").splitlines())
    row = next(r for r in rows if f"{r['library']} {r['version']}{r['settings']}" == sloppy.title)
    areas = {name.removesuffix(" failed") for name in row if name.endswith(" failed")}
    assert {name.partition(".")[0] for name in known} == {
        area for area in areas if row[f"{area} failed"] not in {"", "0"}
    }
    asked.settings = "unheard of"
    assert beyond.known_mechanisms(core, asked) is None


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sequel: beyond.Sequel) -> Path:
    """A folder of environments with an adapter that rejects everything; one library is absent."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "chessjs.mjs").write_text(ADAPTER)
    (tmp_path / "installed.json").write_text('{"here": "", "away": "no wheel"}', "utf-8")
    libraries = tuple(
        Library(key, key, "Debian", "1", "Python", "chessjs.mjs", "", "")
        for key in ("here", "away")
    )
    monkeypatch.setattr(beyond, "read_registry", lambda: libraries)
    monkeypatch.setattr(beyond, "Sequel", lambda _: sequel)
    return tmp_path


def table_of(folder: Path, seconds: float, *keys: str) -> list[dict[str, str]]:
    beyond.main([str(folder), str(seconds), str(folder / "beyond.csv"), *keys])
    text = (folder / "beyond.csv").read_text("utf-8")
    assert tuple(text.splitlines()[0].split(",")) == beyond.HEAD
    return list(csv.DictReader(text.splitlines()))


def test_installed_libraries_are_asked_until_the_time_is_over(here: Path) -> None:
    """An adapter that rejects everything fails what must be accepted; one that is absent is not."""
    first, *rest = table_of(here, 0.001)
    assert [first[name] for name in ("library", "mechanism", "whole", "news")] == [
        *("no", "all", "no", "")
    ]
    assert 0 < int(first["failed"]) <= int(first["asked"]) <= beyond.FIRST
    assert sum(int(row["failed"]) for row in rest) == int(first["failed"])


def test_asking_goes_on_where_it_stopped(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No case twice, none left out; what is kept of another adapter does not count."""
    table_of(here, 0.001)
    (path,) = (here / beyond.KEPT).iterdir()
    before = json.loads(path.read_bytes())
    given: list[str] = []

    def noted(commands: list[str], cases: list[Case], *rest: Any) -> Any:  # noqa: ANN401 - theirs
        given.extend(case.id for case in cases)
        return ask(commands, cases, *rest)

    monkeypatch.setattr(beyond, "ask", noted)
    assert table_of(here, before["seconds"] / 2)[0]["asked"] == str(sum(before["asked"].values()))
    assert given == []
    table_of(here, before["seconds"] + 0.001, "away")
    assert given == []
    table_of(here, before["seconds"] + 0.001)
    sequel = beyond.Sequel(ROOT)
    assert given == [case.id for case in sequel.part(before["given"], beyond.FIRST)]
    after = json.loads(path.read_bytes())
    assert after["given"] == before["given"] + len(given)
    assert after["seconds"] > before["seconds"]
    assert after["failures"][: len(before["failures"])] == before["failures"]
    given.clear()
    monkeypatch.setattr(registry, "SHARED", ("answering.py",))
    table_of(here, 0.001)
    assert given[:3] == [case.id for case in sequel.part(0, 3)]


def test_a_library_that_got_further_before_keeps_its_rows(here: Path) -> None:
    """Of the same version in the same settings; an earlier table need not have all columns."""
    head = "library,version,settings,mechanism,failed,asked,for example"
    lines = [
        "no,1,,all,7,99999,",
        "no,1,,x,7,7,a",
        "no,1,strict,all,1,99999,",
        "no,2,,all,1,99999,",
    ]
    (here / "beyond.csv").write_text("\n".join([head, *lines]), "utf-8")
    assert [list(row.values()) for row in table_of(here, 0.001)] == [
        ["no", "1", "", "all", "7", "", "99999", "", ""],
        ["no", "1", "", "x", "7", "", "7", "", "a"],
    ]
    (here / "beyond.csv").write_text("\n".join([head, "no,1,,all,9,9,", *lines[2:]]), "utf-8")
    first, *_ = table_of(here, 0.001)
    assert int(first["asked"]) > 9
    assert first["whole"] == "no"


def test_what_is_news_now_was_so_before() -> None:
    """What is not known to be news stays open, but for what never failed."""
    head = [name for name in beyond.HEAD if name not in {"news", "whole"}]
    before = [("no", "all", "7", "99", ""), ("no", "x", "6", "7", "a"), ("no", "y", "1", "3", "b")]
    earlier = [
        dict(zip(head, (name, "1", "", *rest), strict=True))
        for name, *rest in (*before, ("well", "all", "0", "99", ""))
    ]
    now = [("no", "all", "3", "2", "9", "no", ""), ("no", "x", "2", "2", "3", "no", "new")]
    now += [("no", "y", "1", "0", "1", "no", "b"), ("well", "all", "0", "0", "9", "no", "")]
    found = [dict(zip(beyond.HEAD, (name, "1", "", *rest), strict=True)) for name, *rest in now]
    assert [list(row.values())[3:] for row in beyond.with_further(found, earlier)] == [
        ["all", "7", "2", "99", "", ""],
        ["x", "6", "2", "7", "", "new"],
        ["y", "1", "", "3", "", "b"],
        ["all", "0", "0", "99", "", ""],
    ]


def test_a_library_that_was_asked_everything_is_whole(
    here: Path, monkeypatch: pytest.MonkeyPatch, sequel: beyond.Sequel
) -> None:
    class Short:
        name = "short"

        def part(self, start: int, size: int) -> list[Case]:
            return sequel.part(start, min(size, 300 - start))

    monkeypatch.setattr(beyond, "Sequel", lambda _: Short())
    (here / "beyond.csv").write_text(
        "library,version,settings,mechanism,failed,asked\nno,1,,all,7,999\n"
    )
    first, *_ = table_of(here, 60)
    assert first["whole"] == "yes"  # though an earlier suite had more cases
    assert int(first["asked"]) <= 300
    (path,) = (here / beyond.KEPT).iterdir()
    assert json.loads(path.read_bytes())["given"] == 300


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
