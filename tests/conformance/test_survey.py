import csv
import hashlib
import io
import json
import lzma
from pathlib import Path

import pytest

from conformance import keep, survey
from conformance.registry import Library, read_registry
from conformance.scoreboard.contents import kept_scoreboard, read_scoreboard, suite_of_hash
from sanproof.verify.conformance.suite import suite_of
from tests.verify.command import ROOT
from tests.verify.conformance.suites import HOSTILE, suite


def library(key: str, registry: str, *settings: tuple[str, ...]) -> Library:
    return Library(
        name=key,
        key=key,
        registry=registry,
        version="1",
        language="Python",
        adapter="hostile.py",
        licence="MIT",
        home="https://example.org",
        settings=settings or ((),),
    )


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Environments of two libraries, of which one could not be installed."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "hostile.py").write_bytes(HOSTILE.read_bytes())
    (tmp_path / "installed.json").write_text('{"here": "", "away": "no wheel"}', "utf-8")
    here = library("here", "Debian", ("crash", "5"))
    away = library("away", "PyPI")
    monkeypatch.setattr(survey, "read_registry", lambda: (here, away))
    return tmp_path


def test_every_library_stands_in_the_results_installed_or_not(two: Path) -> None:
    content = survey.survey(two, suite_of(suite()), "0" * 64)
    asked = content["libraries"][:-1]
    assert [entry["key"] for entry in content["libraries"]] == ["here", "away"]
    assert all(len(entry["cases"]) == 20 for entry in asked)
    assert content["libraries"][-1]["ended"] == "could not be installed: no wheel"
    assert content["libraries"][-1]["cases"] == []
    assert [entry["command"] for entry in asked] == [
        "env PYTHONPATH=here python here/hostile.py crash 5"
    ]


def test_a_packed_result_is_read_by_the_scoreboard_and_is_the_same_each_time(two: Path) -> None:
    content = survey.survey(two, suite_of(suite()), "0" * 64)
    packed = survey.packed(content)
    assert packed == survey.packed(json.loads(lzma.decompress(packed)))
    board = read_scoreboard(suite_of(suite()), "0" * 64, [("x", content)], {})
    assert {run.name for run in board.runs} > {"away"}
    assert board.runs[-1].ended == "could not be installed: no wheel"


def test_libraries_can_be_named(two: Path) -> None:
    content = survey.survey(two, suite_of(suite()), "0" * 64, ["away"])
    assert [entry["key"] for entry in content["libraries"]] == ["away"]


def test_results_of_some_libraries_join_those_of_the_same_day_and_suite(two: Path) -> None:
    """What was asked again is replaced, what the registry no longer has is dropped."""
    names = [library.key for library in read_registry()[:3]]
    first = survey.survey(two, suite_of(suite()), "0" * 64)
    first["libraries"] = [first["libraries"][0] | {"key": key} for key in (names[2], "gone")]
    results, folder = two / "results.json.xz", two / "kept"
    results.write_bytes(survey.packed(first))
    path = keep.kept_file(results, folder)
    second = first | {"libraries": [first["libraries"][0] | {"key": k} for k in names[:2]]}
    second["libraries"].append(first["libraries"][0] | {"seconds": 99.0})
    results.write_bytes(survey.packed(second))
    assert keep.kept_file(results, folder) == path
    kept = json.loads(lzma.decompress(path.read_bytes()))["libraries"]
    assert [entry["key"] for entry in kept] == names
    assert kept[2]["seconds"] == 99.0
    results.write_bytes(survey.packed(first | {"suite": first["suite"] | {"version": "9.9.9"}}))
    keep.kept_file(results, folder)
    kept = json.loads(lzma.decompress(path.read_bytes()))["libraries"]
    assert [entry["key"] for entry in kept] == [names[2], "gone"]


# What is kept in the repository


def newest() -> Path:
    return max((ROOT / "data" / "conformance" / "results").glob("*-core.json.xz"))


def test_the_kept_results_are_of_a_published_suite_and_of_all_libraries() -> None:
    content = json.loads(lzma.decompress(newest().read_bytes()))
    asked = content["suite"]
    published = suite_of_hash(ROOT / "data" / "conformance", "core", asked["sha256"])
    assert asked["sha256"] == hashlib.sha256(published).hexdigest()
    assert asked["version"] == json.loads(published)["version"]
    keys = {entry["key"] for entry in content["libraries"]}
    assert keys == {library.key for library in read_registry()}
    assert content["date"] in newest().name
    commands = "".join(entry["command"] for entry in content["libraries"])
    assert "/home" not in commands
    assert ".venv" not in commands


def test_the_tables_of_the_document_are_those_of_the_kept_results() -> None:
    board = kept_scoreboard(newest(), ROOT / keep.DATA)
    text = (ROOT / keep.DOCUMENT).read_text("utf-8")
    assert keep.with_summary(text, board) == text
    assert keep.with_summary(text.replace(" of 522", " of 521"), board) == text
    for name, content in keep.tables(board).items():
        assert (ROOT / keep.TABLES / name).read_text("utf-8") == content


def test_the_history_is_of_all_kept_results() -> None:
    """A row for each library, by date: what the newest summary says stands at its end."""
    kept = (ROOT / keep.DATA / "results").glob("*.json.xz")
    written = (ROOT / keep.TABLES / keep.HISTORY).read_text("utf-8")
    assert keep.history(kept, ROOT / keep.DATA) == written
    rows = list(csv.DictReader(io.StringIO(written)))
    assert [row["date"] for row in rows] == sorted(row["date"] for row in rows)
    board = kept_scoreboard(newest(), ROOT / keep.DATA)
    newest_date = max(run.date for run in board.runs)
    last = [row for row in rows if row["date"] == newest_date]
    assert [int(row["failed"]) for row in last] == [board.count(run).failed for run in board.runs]


def test_a_document_without_a_mark_is_refused() -> None:
    board = kept_scoreboard(newest(), ROOT / keep.DATA)
    with pytest.raises(ValueError, match="is missing"):
        keep.with_summary("nothing", board)
