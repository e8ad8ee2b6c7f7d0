"""What adapters share: a greeting, then an answer for each case, whatever the library raises."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sanproof.verify.conformance.libraries.registry import ADAPTERS, SHARED

PYTHON = """
from answering import answer_cases

def read(case):
    if case["san"] == "bad":
        raise KeyError("no such move")
    return case["san"] + "?"

def moves(case):
    return ["e4"]

answer_cases("made up", read, moves, version="1.2", settings="odd")
"""
JAVASCRIPT = """
import { answerCases } from './answering.mjs';

function read({ san }) {
  if (san === 'bad') throw new Error('no such move');
  return `${san}?`;
}

await answerCases('made up', { read, moves: () => ['e4'] }, { folder: 'made-up', settings: 'odd' });
"""
CASES = (
    {"id": "1", "operation": "read", "san": "e4"},
    {"id": "2", "operation": "read", "san": "bad"},
    {"id": "3", "operation": "moves"},
)


@pytest.mark.parametrize(
    ("name", "program", "start", "language", "why"),
    [
        ("a.py", PYTHON, sys.executable, "Python", "KeyError: 'no such move'"),
        ("a.mjs", JAVASCRIPT, "node", "JavaScript", "no such move"),
    ],
)
def test_cases_are_answered_one_a_line(
    tmp_path: Path, name: str, program: str, start: str, language: str, why: str
) -> None:
    if shutil.which(start) is None:
        pytest.skip(f"{start} is not here")
    for shared in SHARED:
        shutil.copy(ADAPTERS / shared, tmp_path)
    (tmp_path / name).write_text(program)
    package = tmp_path / "node_modules" / "made-up"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"version": "1.2"}')
    asked = "".join(f"{json.dumps(case)}\n" for case in CASES)
    run = subprocess.run(
        [start, str(tmp_path / name)], input=asked, capture_output=True, text=True, check=True
    )
    greeting, *answers = map(json.loads, run.stdout.splitlines())
    assert greeting == {
        "sanproof": 1,
        "name": "made up",
        "version": "1.2",
        "language": language,
        "settings": "odd",
        "operations": ["read", "moves"],
    }
    assert answers == [
        {"id": "1", "result": "e4?"},
        {"id": "2", "rejected": why},
        {"id": "3", "result": ["e4"]},
    ]
