"""``sanproof conformance``: exports the suite, compares results, and writes the scoreboard."""

import hashlib
import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sanproof.verify.commands.cli import cli
from sanproof.verify.commands.conformance import write_suite
from sanproof.verify.conformance import strings
from sanproof.verify.conformance.files import MOST_OF_RESULTS, MOST_PARTS
from sanproof.verify.conformance.strings import LineError, published_lines
from sanproof.verify.conformance.suite import Level, read_suite
from sanproof.verify.errors import Failure
from tests.reports.scoreboard.samples import RESULTS, SUITE
from tests.verify.command import ROOT, expect_sentence, sanproof

PUBLISHED = ROOT / "data" / "conformance"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["conformance", *map(str, arguments)], prog_name="sanproof")


# Export


def test_it_writes_the_published_core(tmp_path: Path) -> None:
    out = tmp_path / "new" / "suite"
    done = run("export", "--out", out)
    assert (done.exit_code, done.stderr) == (0, "")
    assert sorted(path.name for path in out.iterdir()) == ["core.json", "schema.json", "smoke.json"]
    for path in out.iterdir():
        assert path.read_bytes() == (PUBLISHED / path.name).read_bytes()


def test_it_writes_the_full_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few strings, which is enough to see the parts together."""
    monkeypatch.setattr(strings, "published_lines", lambda path: published_lines(path)[::2000])
    done = run("export", "--out", tmp_path, "--level", "full")
    assert done.exit_code == 0
    suite = read_suite((tmp_path / "full.json").read_bytes(), "")
    core = read_suite((PUBLISHED / "core.json").read_bytes(), "")
    assert suite.level is Level.FULL
    assert {case.id for case in core.cases} < {case.id for case in suite.cases}
    assert any(case.id.startswith("string.") for case in suite.cases)
    assert len({case.id for case in suite.cases}) == len(suite.cases)
    assert all(suite.games[case.game] is not None for case in suite.cases if case.game is not None)
    assert "strings" in done.stderr


def test_what_cannot_be_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(_: Path) -> list[str]:
        raise LineError("games.txt.xz: is cut short")

    monkeypatch.setattr(strings, "published_lines", damaged)
    (tmp_path / "file").write_text("")
    for out, level, words in (
        (tmp_path / "file", "core", "name a folder"),
        (tmp_path / "file" / "folder", "core", "cannot be written"),
        (tmp_path, "full", "cut short"),
    ):
        with pytest.raises(Failure, match=words):
            write_suite(out, level)
    assert not (tmp_path / "full.json").exists()


# Compare


def results(folder: Path, name: str, version: str, **cases: str) -> Path:
    """Write a result file with one library and the outcomes of its cases."""
    found: dict[str, Any] = {"name": "lib", "version": version, "settings": ""}
    found["cases"] = [{"id": key, "outcome": outcome} for key, outcome in cases.items()]
    path = folder / name
    path.write_text(json.dumps({"libraries": [found]}))
    return path


def test_each_change_has_its_word(tmp_path: Path) -> None:
    old = results(tmp_path, "old", "1", a="passed", b="failed", c="crashed", e="passed")
    new = results(tmp_path, "new", "2", a="hung", b="passed", d="failed", e="passed")
    done = run("compare", old, new)
    assert done.exit_code == 1
    head, *lines = done.output.splitlines()
    assert head.startswith("lib 1 -> 2: 1 failing now, 1 passing now, 1 failing, and asked for")
    assert [line.split()[-1] for line in lines] == ["a", "b", "d", "c"]


def test_nothing_worse_is_no_failure(tmp_path: Path) -> None:
    old = results(tmp_path, "old", "1", a="failed", b="skipped")
    assert run("compare", old, old).output == "lib 1: nothing changed.\n"
    other = results(tmp_path, "skipped", "1", a="skipped", b="failed")  # which neither passes
    assert run("compare", old, other).output == "lib 1: nothing changed.\n"
    assert run("compare", old, results(tmp_path, "new", "1", a="passed", b="failed")).exit_code == 0


def test_two_versions_in_one_file_are_compared_each_with_itself(tmp_path: Path) -> None:
    one, two = (results(tmp_path, v, v, a=o) for v, o in (("1", "passed"), ("2", "failed")))
    found = [json.loads(path.read_bytes())["libraries"][0] for path in (one, two)]
    (tmp_path / "both").write_text(json.dumps({"libraries": found}))
    done = run("compare", tmp_path / "both", tmp_path / "both")
    assert done.output == "lib 1: nothing changed.\nlib 2: nothing changed.\n"


@pytest.mark.parametrize("content", ["[]", "{}", '{"libraries": [1]}', "no JSON"])
def test_what_is_no_result_is_said(content: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(content)
    assert isinstance(run("compare", tmp_path / "file", tmp_path / "file").exception, Failure)


# Report


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A suite and results of it."""
    content = json.dumps(SUITE).encode()
    (tmp_path / "suite.json").write_bytes(content)
    suite = RESULTS["suite"] | {"sha256": hashlib.sha256(content).hexdigest()}
    text = json.dumps(RESULTS | {"suite": suite}).encode()
    (tmp_path / "results.json").write_bytes(text)
    (tmp_path / "results.json.xz").write_bytes(lzma.compress(text))
    return tmp_path


def report(files: Path, name: str) -> list[str]:
    suite, out = files / "suite.json", files / "board"
    return ["conformance", "report", str(files / name), "--suite", str(suite), "--out", str(out)]


@pytest.mark.parametrize("name", ["results.json", "results.json.xz"])
def test_the_scoreboard_of_a_file_is_made_and_named(files: Path, name: str) -> None:
    done = sanproof(*report(files, name))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [str(files / "board" / "index.html")]
    assert (files / "board" / "reports" / "worst.md").exists()


@pytest.mark.slow
def test_the_results_that_come_with_sanproof(tmp_path: Path) -> None:
    done = sanproof("conformance", "report", "--out", str(tmp_path / "board"))
    assert (done.returncode, done.stderr) == (0, "")
    content = json.loads((tmp_path / "board" / "scoreboard.json").read_bytes())
    assert len(content["libraries"]) >= 14


WRONG = {
    "no JSON": ("no.json", b"no", "is not JSON"),
    "no result": ("empty.json", b"{}", "is not a result file"),
    "not packed": ("torn.json.xz", b"no", "is not packed with xz"),
    "another suite": ("other.json", json.dumps(RESULTS).encode(), "another suite"),
    # 3 GB of blanks take 458 kB; here are as few as are refused.
    "much": ("a.xz", lzma.compress(b" " * (MOST_OF_RESULTS + 1), preset=0), "than 16 MiB"),
    "many parts": ("b.json", b"[" + b"{}," * MOST_PARTS + b"{}]", "1,048,576 objects"),
    "not there": ("nobody.json", None, "nobody.json"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files_are_refused_in_a_sentence(files: Path, case: str) -> None:
    name, content, words = WRONG[case]
    if content is not None:
        (files / name).write_bytes(content)
    expect_sentence(sanproof(*report(files, name)), 2, words)
    assert not (files / "board").exists()


def test_a_suite_that_is_not_installed_is_said_to_be_written_first(tmp_path: Path) -> None:
    line = ["conformance", "report", "--level", "full", "--out", str(tmp_path / "board")]
    expect_sentence(sanproof(*line), 2, "export --level full --out DIR")


def test_a_folder_with_something_else_is_left_alone(files: Path) -> None:
    (files / "board").mkdir()
    (files / "board" / "mine").write_text("mine", "utf-8")
    expect_sentence(sanproof(*report(files, "results.json")), 2, "something other")
    assert (files / "board" / "mine").exists()
