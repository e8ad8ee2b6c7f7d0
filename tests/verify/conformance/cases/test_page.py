"""What docs/test-your-library.md says of the suite's file; its tables and the programs."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.verify.command import ROOT
from tests.verify.conformance.cases.tables import FOLDER, TABLES, written

CORE: Final = ROOT / "data" / "conformance" / "core.json"
PAGE: Final = (ROOT / "docs" / "test-your-library.md").read_text(encoding="utf-8")
PROGRAMS: Final = ROOT / "docs" / "programs"
MODULES: Final = ROOT / "tests" / "replay" / "node_modules"
MOST_LINES: Final = 33
"""Thirty, with a head that says what the program does."""
WRONG: Final = "check.direct.white.1.write"


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


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_are_the_suites(name: str) -> None:
    again = "write it again: python -m tests.verify.conformance.cases.tables"
    assert (FOLDER / name).read_text(encoding="utf-8") == written(name), again


def test_the_programs_are_short() -> None:
    programs = sorted(path.name for path in PROGRAMS.iterdir() if path.is_file())
    assert programs == ["suite.mjs", "suite.py", "suite.rs"]
    for name in programs:
        assert (PROGRAMS / name).read_text(encoding="utf-8").count("\n") <= MOST_LINES


def test_the_python_program_runs(tmp_path: Path) -> None:
    program = str(PROGRAMS / "suite.py")
    assert printed(sys.executable, program, str(CORE)) == []
    (line,) = printed(sys.executable, program, str(forged(tmp_path)))
    assert line.startswith(WRONG)


def test_the_javascript_program_runs(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not there: apt-get install nodejs npm")
    if not (MODULES / "chess.js").exists():
        pytest.skip("chess.js is not there: npm ci --prefix tests/replay")
    (tmp_path / "node_modules").symlink_to(MODULES)
    path = tmp_path / "suite.mjs"
    path.write_bytes((PROGRAMS / "suite.mjs").read_bytes())
    assert printed(node, str(path), str(CORE)) == []
    (line,) = printed(node, str(path), str(forged(tmp_path)))
    assert line.startswith(WRONG)


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
