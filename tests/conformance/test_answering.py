"""The common part of adapters: a greeting, then an answer for each case, whatever is raised."""

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import chess
import pytest

from conformance.environments import ADAPTERS, SHARED

PYTHON = """
from answering import Skip, answer_cases

def read(case):
    if case["san"] == "bad":
        raise KeyError("no such move")
    if case["san"] == "over":
        raise Skip("the game is over")
    return case["san"] + "?"

answer_cases("made up", read, version="1.2", settings="odd")
"""
JAVASCRIPT = """
import { answerCases } from './answering.mjs';

function read({ san }) {
  if (san === 'bad') throw new Error('no such move');
  return `${san}?`;
}

await answerCases('made up', { read }, { folder: 'made-up', settings: 'odd' });
"""
OVER = {"over": {"skip": "the game is over"}}


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - a module
    monkeypatch.syspath_prepend(ADAPTERS)
    return importlib.import_module("answering")


@pytest.mark.parametrize(
    ("name", "program", "start", "why", "more"),
    [
        ("a.py", PYTHON, sys.executable, "KeyError: 'no such move'", OVER),
        ("a.mjs", JAVASCRIPT, "node", "no such move", {}),
    ],
)
def test_cases_are_answered_one_a_line(
    tmp_path: Path, name: str, program: str, start: str, why: str, more: dict[str, Any]
) -> None:
    if shutil.which(start) is None:
        pytest.skip(f"{start} is not here")
    for shared in SHARED:
        shutil.copy(ADAPTERS / shared, tmp_path)
    (tmp_path / name).write_text(program)
    (tmp_path / "node_modules" / "made-up").mkdir(parents=True)
    (tmp_path / "node_modules" / "made-up" / "package.json").write_text('{"version": "1.2"}')
    due = {"e4": {"result": "e4?"}, "bad": {"rejected": why}, **more}
    asked = ({"id": f"{san} 1", "operation": "read", "san": san} for san in due)
    sent = "".join(f"{json.dumps(case)}\n" for case in asked)
    line = [start, str(tmp_path / name)]
    run = subprocess.run(line, input=sent, capture_output=True, text=True, check=True)
    greeting, *answers = map(json.loads, run.stdout.splitlines())
    about = {"sanproof": 1, "name": "made up", "version": "1.2", "settings": "odd"}
    assert greeting | about == greeting
    assert greeting["operations"] == ["read"]
    assert answers == [{"id": f"{san} 1"} | answer for san, answer in due.items()]


TALKER = """
import sys
print("hello", flush=True)
for number, line in enumerate(sys.stdin):
    if line == "end\\n":
        sys.exit()
    known = line.startswith("say ")
    print(number, line[4:] if known else "Error: " + line, end="", flush=True)
"""


def test_a_program_goes_on_from_case_to_case(answering: Any) -> None:  # noqa: ANN401
    """One that ends is started again for that case, and what it wrote is the answer."""
    program = answering.Program([sys.executable, "-c", TALKER])
    try:
        assert program.said("say a", "say b") == "hello\n0 a\n1 b\n"
        assert program.said("say c") == "3 c\n"
        assert program.said("say d", "end") == "hello\n0 d\n"
        assert program.said("say e") == "hello\n0 e\n"
        for said in (program.said, lambda line: answering.said_by(["cat"], line)):
            with pytest.raises(ValueError, match="cannot be typed in"):
                said("say f\nend")
        program._running.kill()
        assert program.said("say g") == "hello\n0 g\n"
    finally:
        program._stop()
    said = answering.said_by(["cat"], f"> {chess.STARTING_FEN}!", "8/8/8/8/8/8/8/K1k5 w - - -1 2")
    assert answering.fens(said) == [chess.STARTING_FEN, "8/8/8/8/8/8/8/K1k5 w - - -1 2"]


@pytest.mark.parametrize(
    "fen",
    [
        "r3k2r/1P6/8/3pP3/8/8/p6p/R3K2R w KQkq d6 0 1",
        "r3k2r/6P1/8/8/3pP3/8/p6p/R3K1NR b KQkq e3 0 1",
    ],
)
def test_a_move_is_found_between_the_boards_around_it(fen: str, answering: Any) -> None:  # noqa: ANN401
    """Castling, promotions, captures in passing: as the adapters without moves of their own."""
    board = chess.Board(fen)
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        assert answering.read_by({"fen": fen}, after.fen()) == move.uci()
