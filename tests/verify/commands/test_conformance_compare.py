"""``sanproof conformance compare``: what changed between two results."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sanproof.verify.commands.cli import cli


def results(folder: Path, name: str, version: str, **cases: str) -> Path:
    """A result file with one library and the outcomes of its cases."""
    found: dict[str, Any] = {"name": "lib", "version": version, "settings": ""}
    found["cases"] = [{"id": key, "outcome": outcome} for key, outcome in cases.items()]
    path = folder / name
    path.write_text(json.dumps({"libraries": [found]}))
    return path


def compare(*paths: Path) -> Result:
    line = ["conformance", "compare", *map(str, paths)]
    return CliRunner().invoke(cli, line, prog_name="sanproof")


def test_each_change_has_its_word(tmp_path: Path) -> None:
    old = results(tmp_path, "old", "1", a="passed", b="failed", c="crashed", e="passed")
    new = results(tmp_path, "new", "2", a="hung", b="passed", d="failed", e="passed")
    done = compare(old, new)
    assert done.exit_code == 1
    head, *lines = done.output.splitlines()
    assert head.startswith("lib 1 -> 2: 1 failing now, 1 passing now, 1 failing, and asked for")
    assert [line.split()[-1] for line in lines] == ["a", "b", "d", "c"]


def test_nothing_worse_is_no_failure(tmp_path: Path) -> None:
    old = results(tmp_path, "old", "1", a="failed")
    assert compare(old, old).output == "lib 1: nothing changed.\n"
    assert compare(old, results(tmp_path, "new", "1", a="passed", b="failed")).exit_code == 0


@pytest.mark.parametrize("content", ["[]", "{}", '{"libraries": [1]}', "no JSON"])
def test_what_is_no_result_is_said(content: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    done = compare(path, path)
    assert done.exit_code != 0
    assert not isinstance(done.exception, (KeyError, TypeError, AttributeError, ValueError))


def test_two_versions_in_one_file_are_compared_each_with_itself(tmp_path: Path) -> None:
    one, two = (results(tmp_path, v, v, a=o) for v, o in (("1", "passed"), ("2", "failed")))
    found = [json.loads(path.read_bytes())["libraries"][0] for path in (one, two)]
    (tmp_path / "both").write_text(json.dumps({"libraries": found}))
    done = compare(tmp_path / "both", tmp_path / "both")
    assert done.output == "lib 1: nothing changed.\nlib 2: nothing changed.\n"


def test_what_is_skipped_neither_passes_nor_passed(tmp_path: Path) -> None:
    old = results(tmp_path, "old", "1", a="failed", b="skipped")
    new = results(tmp_path, "new", "1", a="skipped", b="failed")
    assert compare(old, new).output == "lib 1: nothing changed.\n"
