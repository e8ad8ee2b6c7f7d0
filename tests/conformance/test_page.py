"""docs/test-your-library.md: its commands, the adapter it shows, and the complete ones."""

import csv
import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from conformance.registry import read_registry
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import PYTHON_CHESS
from sanproof.verify.conformance.outcome import Outcome
from sanproof.verify.conformance.suite import ASKED, Operation
from tests.campaigns.replay.programs import LIBRARIES
from tests.conformance.tables import FOLDER, TABLES, written
from tests.verify.command import PROGRAM, ROOT

PAGE = (ROOT / "docs" / "test-your-library.md").read_text(encoding="utf-8")
ADAPTERS = ROOT / "conformance" / "adapters"
ACTION = (ROOT / "conformance" / "action.yml").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", PAGE, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", text, flags=re.MULTILINE) for indent, text in found]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as the page has it: the adapter saved from the text, programs on the PATH."""
    (text,) = blocks("python")
    (tmp_path / "adapter.py").write_text(text)
    for path in (PYTHON_CHESS, ADAPTERS / "chessjs.mjs"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    programs = tmp_path / "bin"
    programs.mkdir()
    sanproof = f"#!{sys.executable}\nimport sys\nsys.path.insert(0, '{ROOT}')\n{PROGRAM}\n"
    (programs / "sanproof").write_text(sanproof)
    (programs / "python").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    for program in programs.iterdir():
        program.chmod(0o755)
    return tmp_path


def bash(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def results(folder: Path, line: str) -> dict[str, str]:
    """The outcomes of the whole core suite, by the ids of the cases."""
    out = folder / "core.json"
    done = bash(f"sanproof conformance run --format json --out {out} '{line}'", folder)
    assert done.returncode in {0, 1}, done.stderr
    (library,) = json.loads(out.read_bytes())["libraries"]
    assert library["restarts"] == 0
    assert library["operations"] == [operation.value for operation in Operation]
    return {case["id"]: case["outcome"] for case in library["cases"]}


def test_the_adapter_in_python_answers_all_cases(folder: Path) -> None:
    outcomes = results(folder, "python python_chess.py")
    assert set(outcomes.values()) <= {"passed", "failed", "accepted", "rejected", "differs"}
    failed = [name for name, outcome in outcomes.items() if outcome == "failed"]
    assert all(name.startswith("broken.") for name in failed), failed


@pytest.mark.skipif(
    not (LIBRARIES / "chess.js").is_dir() or shutil.which("node") is None,
    reason="install Node.js, and chess.js with npm ci --prefix tests/campaigns/replay",
)
def test_the_adapter_in_javascript_answers_all_cases(folder: Path) -> None:
    (folder / "node_modules").symlink_to(LIBRARIES)
    usual, strict = (results(folder, f"node chessjs.mjs{more}") for more in ("", " --strict"))
    for outcomes in (usual, strict):
        found = list(outcomes.values())
        assert set(found) <= {"passed", "failed", "accepted", "rejected", "differs"}
        assert found.count("passed") > 20 * found.count("failed")
    accepted = [list(outcomes.values()).count("accepted") for outcomes in (usual, strict)]
    assert accepted[0] > accepted[1]
    (shown,) = blocks("text")
    line, _, output = shown.removeprefix("$ ").partition("\n")
    done = bash(line, folder)
    assert done.returncode == 1
    assert doctest.OutputChecker().check_output(output, done.stdout, doctest.ELLIPSIS), done.stdout


def test_every_command_does_what_is_shown(folder: Path) -> None:
    parts = [part for block in blocks("console") for part in block.split("$ ")[1:]]
    assert parts
    for part in parts:
        line, _, output = part.partition("\n")
        done = bash(line, folder)
        assert (done.returncode, done.stderr) == (0, ""), line
        assert doctest.OutputChecker().check_output(output, done.stdout, doctest.ELLIPSIS)


def test_the_lines_of_the_protocol_are_read() -> None:
    greeting, case, answers, *_ = blocks("json")
    program = f"print({greeting.strip()!r}, flush=True)\nfor said in {answers.splitlines()!r}:\n"
    program += "    input()\n    print(said, flush=True)\n"
    adapter = runner.Adapter([sys.executable, "-c", program], 30)
    asked = dict.fromkeys(("operation", "fen", "san"), "read") | {"class": "may"}
    records = list(adapter.ask([asked] * 3))
    assert adapter.title == "chess.js 1.4.0 (strict)"
    assert [record.outcome for record in records] == ["accepted", "rejected", "skipped"]
    assert json.loads(case)["operation"] == "read"
    table = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE, re.MULTILINE)
    told = {name: re.findall(r"`(\w+)`", given) for name, given in table}
    for operation, name in ASKED.items():
        fen = [] if operation is Operation.GAME else ["fen"]
        assert told[operation.value] == fen + ([] if name is None else [name])


def test_the_result_file_is_as_described(folder: Path) -> None:
    out = folder / "result.json"
    line = f"sanproof conformance run --only 'castling.*' --format json --out {out} 'python {{}}'"
    assert bash(line.format("python_chess.py"), folder).returncode == 0
    (library,) = json.loads(out.read_bytes())["libraries"]
    assert {"name", "version", "language", "settings", "operations"} <= library.keys()
    for outcome in Outcome:
        assert f"`{outcome.value}`" in PAGE


def test_the_bounds_are_those_of_the_program() -> None:
    assert f"more than {runner.MAX_BYTES >> 20} MiB" in PAGE
    assert f"breaks down {runner.MAX_IN_A_ROW} times in a row" in PAGE
    assert f"takes too long {runner.MAX_HANGS} times" in PAGE
    assert f"was started {runner.MAX_STARTS} times" in PAGE


def test_the_workflow_names_inputs_that_there_are() -> None:
    (workflow,) = blocks("yaml")
    used = re.findall(r"^ +(\w+): ", workflow.partition("{{ slug }}/conformance")[2], re.MULTILINE)
    assert used == ["command", "known"]
    named = re.search(r"The inputs (.*?) are described", PAGE)
    assert named is not None
    inputs = re.findall(r"^  (\w+):\n    description:", ACTION, re.MULTILINE)
    assert sorted([*used, *re.findall(r"`(\w+)`", named[1])]) == sorted(inputs)


def test_how_many_libraries_were_asked() -> None:
    names = {library.name for library in read_registry()}
    twice = len(read_registry()) - len(names)
    assert f"for {len(names)} libraries in Python and JavaScript" in PAGE
    listed = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
    assert f"was asked of {len(names)} chess libraries" in listed
    assert twice == 1  # "of chess.js in two versions"
    assert "of chess.js in two versions" in listed
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"a scoreboard of {len(names)} libraries" in changes


def test_what_was_found_is_of_libraries_that_were_asked() -> None:
    names = {library.name for library in read_registry()}
    with (ROOT / "docs" / "tables" / "findings.csv").open(encoding="utf-8", newline="") as file:
        found = {name for row in csv.DictReader(file) for name in row["libraries"].split(", ")}
    assert found
    assert {re.sub(r" [\d.]+$", "", name) for name in found} <= names


CORE: Final = ROOT / "data" / "conformance" / "core.json"


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_are_the_suites(name: str) -> None:
    again = "write it again: python -m tests.conformance.tables"
    assert (FOLDER / name).read_text(encoding="utf-8") == written(name), again


def test_the_example_of_the_file_is_of_the_core() -> None:
    blocks = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (block,) = [block for block in blocks if '"games"' in block]
    example, core = json.loads(block), json.loads(CORE.read_bytes())
    assert list(example) == list(core)
    for key in ("format", "suite", "version", "level", "licence"):
        assert example[key] == core[key]
    (shown,) = example["cases"]
    (case,) = [case for case in core["cases"] if case["id"] == shown["id"]]
    assert case["why"].startswith(shown.pop("why").removesuffix(" ..."))
    assert {key: case[key] for key in shown} == shown


def test_the_number_of_cases_is_about_what_is_said() -> None:
    cases = json.loads(CORE.read_bytes())["cases"]
    (said,) = re.findall(r"some (\d+) cases", PAGE)
    assert round(len(cases), -2) == int(said)
