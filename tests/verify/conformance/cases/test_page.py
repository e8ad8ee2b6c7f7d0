"""docs/suite.md: its tables are the suite's, and its programs run as they stand."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verify.command import ROOT
from tests.verify.conformance.cases.tables import PAGE, written

CORE = ROOT / "data" / "conformance" / "core.json"
TEXT = PAGE.read_text(encoding="utf-8")
MODULES = ROOT / "tests" / "replay" / "node_modules"
MOST_LINES = 30
WRONG = "check.direct.white.1.write"


def program(language: str) -> str:
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return str(block)


def forged(folder: Path) -> Path:
    """The core with one wrong answer."""
    suite = json.loads(CORE.read_bytes())
    (case,) = [case for case in suite["cases"] if case["id"] == WRONG]
    case["expected"] = case["expected"].replace("+", "")
    path = folder / "forged.json"
    path.write_text(json.dumps(suite))
    return path


def printed(*command: str) -> list[str]:
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.splitlines()


def test_the_tables_are_the_suites() -> None:
    assert written(TEXT) == TEXT


@pytest.mark.parametrize("language", ["python", "js", "rust"])
def test_the_programs_are_short(language: str) -> None:
    assert program(language).count("\n") <= MOST_LINES


def test_the_python_program_runs(tmp_path: Path) -> None:
    path = tmp_path / "suite.py"
    path.write_text(program("python"))
    assert printed(sys.executable, str(path), str(CORE)) == []
    (line,) = printed(sys.executable, str(path), str(forged(tmp_path)))
    assert line.startswith(WRONG)


def test_the_javascript_program_runs(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not there: apt-get install nodejs npm")
    if not (MODULES / "chess.js").exists():
        pytest.skip("chess.js is not there: npm ci --prefix tests/replay")
    (tmp_path / "node_modules").symlink_to(MODULES)
    path = tmp_path / "suite.mjs"
    path.write_text(program("js"))
    assert printed(node, str(path), str(CORE)) == []
    (line,) = printed(node, str(path), str(forged(tmp_path)))
    assert line.startswith(WRONG)


def test_the_example_of_the_file_is_of_the_core() -> None:
    (block,) = re.findall(r"^```json\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    cases = {case["id"]: case for case in json.loads(CORE.read_bytes())["cases"]}
    (shown,) = json.loads(block)["cases"]
    case = cases[shown["id"]]
    assert case["why"].startswith(shown.pop("why").removesuffix(" ..."))
    assert {key: case[key] for key in shown} == shown
