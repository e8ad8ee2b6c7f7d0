"""``sanproof conformance``: exports the suite and compares results."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sanproof.verify.commands.cli import cli
from sanproof.verify.commands.conformance import write_suite
from sanproof.verify.conformance import strings
from sanproof.verify.conformance.sanproof_runner import load
from sanproof.verify.conformance.strings import published_lines
from sanproof.verify.errors import Failure
from tests.verify.command import ROOT

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
    suite = load(str(tmp_path / "full.json"))
    core = load(str(PUBLISHED / "core.json"))
    assert suite["level"] == "full"
    assert {case["id"] for case in core["cases"]} < {case["id"] for case in suite["cases"]}
    assert any(case["id"].startswith("string.") for case in suite["cases"])
    assert len({case["id"] for case in suite["cases"]}) == len(suite["cases"])
    assert "strings" in done.stderr


def test_what_cannot_be_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(_: Path) -> list[str]:
        raise Failure("games.txt.xz: is cut short.")

    monkeypatch.setattr(strings, "published_lines", damaged)
    (tmp_path / "file").write_text("")
    for out, level, words in (
        (tmp_path / "file", "core", "cannot be written"),
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
    twice = {"b.x.1": "failed", "b.x.2": "failed"}
    old = results(tmp_path, "old", "1", a="passed", c="crashed", e="passed", **twice)
    fixed = {"b.x.1": "passed", "b.x.2": "failed"}
    new = results(tmp_path, "new", "2", a="hung", d="failed", e="passed", **fixed)
    done = run("compare", old, new)
    assert done.exit_code == 1
    head, *lines = done.output.splitlines()
    assert head.startswith("lib 1 -> 2: 1 failing now, 1 passing now, 1")
    assert [line.split()[-1] for line in lines] == ["a", "b.x.1", "d", "c"]
    one, two = (json.loads(path.read_bytes())["libraries"][0] for path in (old, new))
    (tmp_path / "both").write_text(json.dumps({"libraries": [one, two]}))
    done = run("compare", tmp_path / "both", tmp_path / "both")  # each version with itself
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "lib 1: nothing changed.",
        "lib 2: nothing changed.",
    ]
    other = results(
        tmp_path, "other", "1", a="passed", e="passed", **dict.fromkeys(twice, "skipped")
    )
    assert run("compare", old, other).output.splitlines()[1:] == [
        "  failed, and no longer asked: c"
    ]


@pytest.mark.parametrize("content", ["[]", "{}", '{"libraries": [1]}', "no JSON"])
def test_what_is_no_result_is_said(content: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(content)
    assert isinstance(run("compare", tmp_path / "file", tmp_path / "file").exception, Failure)
