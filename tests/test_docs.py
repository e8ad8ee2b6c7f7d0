"""The pages on the gate and on the data: their commands are run, their tables compared."""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sanproof.reports.exports.exports import TABLES
from sanproof.verify.gate.formats import FORMATS
from sanproof.verify.gate.lists import MOST_BYTES, MOST_ENTRIES
from tests.verify.command import PROGRAM, ROOT

PAGES = ("gate.md", "data.md")
WRONG_LIST = re.compile(r"sanproof gate (.* )?mine\.txt")
"""The gate's answer to the list that is wrong on purpose is no."""


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page(name), re.MULTILINE | re.DOTALL)


def commands(name: str) -> Iterator[tuple[str, str]]:
    """Each command of a page with the output that is shown for it."""
    for block in blocks(name, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A PATH on which this tree's sanproof comes first."""
    program = tmp_path / "bin" / "sanproof"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, '{ROOT}')\n{PROGRAM}\n")
    program.chmod(0o755)
    return f"{program.parent}:{os.environ['PATH']}"


@pytest.mark.parametrize("name", PAGES)
def test_every_command_does_what_is_shown(name: str, tmp_path: Path, path: str) -> None:
    seen = 0
    for command, output in commands(name):
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        fails = bool(WRONG_LIST.match(command))
        assert (run.returncode, run.stderr) == (int(fails), ""), command
        if output:
            checker = doctest.OutputChecker()
            assert checker.check_output(output, run.stdout, doctest.ELLIPSIS), run.stdout
        seen += 1
    assert seen > 5


@pytest.mark.parametrize("name", PAGES)
def test_python_is_run(name: str) -> None:
    for block in blocks(name, "python"):
        run = subprocess.run(
            [sys.executable, "-c", block.replace('sanproof.games(run="run")', "")],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr


def test_every_table_and_column_is_described() -> None:
    text = page("data.md")
    for what, table in TABLES.items():
        (row,) = re.findall(rf"^\| `{what}` \|.*$", text, re.MULTILINE)
        _, _, columns, forms, _ = row.split("|")
        assert re.findall(r"`(\w+)`", columns.partition(";")[0]) == list(table.usual)
        named = re.findall(r"`(\w+)`", columns)
        assert sorted(named) == sorted(table.columns)
        assert forms.strip().split(", ") == list(table.forms)
        for column in table.columns:
            assert re.search(rf"^\| (`\w+`, )?`{column}`.* \|", text, re.MULTILINE), column


def test_the_table_of_files_names_what_is_published() -> None:
    """In the folder; a name that is packed there may stand in its row without ``.xz``."""
    section = page("data.md").partition("\n## ")[0]
    named: list[str] = []
    for row in re.findall(r"^\| (`.*)", section, re.MULTILINE):
        cell, _, text = row.partition(" | ")
        packed = re.search(r"packed as `([^`]+)` in `data/`", text)
        named += [packed[1]] if packed else re.findall(r"`([^`]+)`", cell)
    there = [path.name for path in (ROOT / "data").iterdir() if path.is_file()]
    assert sorted(named) == sorted(there)


def test_every_form_and_bound_of_the_gate_is_described() -> None:
    text = page("gate.md")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(FORMATS)
    assert f"more than {MOST_BYTES >> 20} MiB" in text
    assert f"more than {MOST_ENTRIES:,} entries" in text


def test_the_workflow_names_inputs_that_there_are() -> None:
    action = (ROOT / "action.yml").read_text(encoding="utf-8")
    (workflow,) = [block for block in blocks("gate.md", "yaml") if "OWNER/sanproof@" in block]
    used = re.findall(r"^ +(\w+): ", workflow.partition("OWNER/sanproof@")[2], re.MULTILINE)
    assert used == ["command", "files"]
    for name in [*used, "list", "prove", "timeout", "python"]:
        assert f"\n  {name}:\n    description:" in action


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page(name)):
        assert (ROOT / "docs" / target).exists(), target
