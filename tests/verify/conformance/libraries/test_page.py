"""docs/conformance.md: its adapters and commands are run as they stand there."""

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sanproof.verify.commands.conformance_run import command as run_command
from sanproof.verify.conformance.cases.case import ASKED, Operation
from sanproof.verify.conformance.libraries import conversation
from sanproof.verify.conformance.libraries.formats import FORMATS
from sanproof.verify.conformance.libraries.protocol import (
    LONGEST_LINE,
    parse_answer,
    parse_greeting,
)
from tests.replay.programs import LIBRARIES
from tests.verify.command import PROGRAM, ROOT

PAGE = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
ADAPTERS = ROOT / "verify" / "conformance" / "libraries" / "adapters"
ACTION = (ROOT / "conformance" / "action.yml").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", PAGE, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", text, flags=re.MULTILINE) for indent, text in found]


def adapter(language: str, name: str) -> str:
    (text,) = blocks(language)
    assert text == (ADAPTERS / name).read_text(encoding="utf-8")
    return text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as the page has it: adapters saved from the text, programs on the PATH."""
    (tmp_path / "python_chess.py").write_text(adapter("python", "python_chess.py"))
    (tmp_path / "chessjs.mjs").write_text(adapter("javascript", "chessjs.mjs"))
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
    reason="install Node.js, and chess.js with npm ci --prefix tests/replay",
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


def test_the_versions_in_the_text_are_those_that_are_tested() -> None:
    locked = json.loads((ROOT / "tests" / "replay" / "package.json").read_text())["dependencies"]
    assert set(re.findall(r"chess\.js@([\d.]+)", PAGE)) == {locked["chess.js"]}
    lock = (ROOT / "requirements" / "run.lock").read_text()
    pinned = re.findall(r"^chess==(\S+)", lock, re.MULTILINE)
    assert set(re.findall(r"chess==(\d+\.\d+\.\d+)", PAGE)) == set(pinned)


def test_every_command_does_what_is_shown(folder: Path) -> None:
    parts = [part for block in blocks("console") for part in block.split("$ ")[1:]]
    assert len(parts) >= 2
    for part in parts:
        line, _, output = part.partition("\n")
        done = bash(line, folder)
        assert (done.returncode, done.stderr) == (0, ""), line
        assert doctest.OutputChecker().check_output(output, done.stdout, doctest.ELLIPSIS)


def test_the_lines_of_the_protocol_are_read() -> None:
    greeting, case, answers, *_ = blocks("json")
    assert parse_greeting(greeting.encode()).title == "chess.js 1.4.0 (strict)"
    assert json.loads(case)["operation"] == "read"
    read = [parse_answer(line.encode()) for line in answers.splitlines()]
    assert [number for number, _ in read] == [1, 2, 3]
    table = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE, re.MULTILINE)
    told = {name: re.findall(r"`(\w+)`", given) for name, given in table}
    for operation, name in ASKED.items():
        fen = [] if operation is Operation.GAME else ["fen"]
        assert told[operation.value] == fen + ([] if name is None else [name])


def test_the_result_file_has_the_keys_that_are_described(folder: Path) -> None:
    out = folder / "result.json"
    line = f"sanproof conformance run --only 'castling.*' --format json --out {out} 'python {{}}'"
    assert bash(line.format("python_chess.py"), folder).returncode == 0
    described, found = json.loads(blocks("json")[-1]), json.loads(out.read_bytes())
    assert list(described) == list(found)
    assert list(described["suite"]) == list(found["suite"])
    assert list(described["libraries"][0]) == list(found["libraries"][0])


def test_options_bounds_and_forms_are_those_of_the_program() -> None:
    for option in run_command.params:
        is_own = option.param_type_name == "option" and option.opts != ["--version"]
        assert not is_own or f"`{option.opts[0]}" in PAGE
    for form in FORMATS:
        assert f"`{form}`" in PAGE
    assert f"up to {conversation.WINDOW} cases" in PAGE
    assert f"more than {LONGEST_LINE >> 20} MiB" in PAGE
    assert f"breaks down {conversation.MOST_IN_A_ROW} times in a row" in PAGE
    assert f"takes too long {conversation.MOST_HANGS} times" in PAGE
    assert f"was started {conversation.MOST_STARTS} times" in PAGE


def test_the_workflow_names_inputs_that_there_are() -> None:
    (workflow,) = blocks("yaml")
    used = re.findall(r"^ +(\w+): ", workflow.partition("OWNER/sanproof")[2], re.MULTILINE)
    assert used == ["command", "known"]
    named = re.search(r"^The inputs (.*) are described", PAGE, re.MULTILINE)
    assert named is not None
    inputs = re.findall(r"^  (\w+):\n    description:", ACTION, re.MULTILINE)
    assert sorted([*used, *re.findall(r"`(\w+)`", named[1])]) == sorted(inputs)
