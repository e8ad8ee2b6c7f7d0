"""docs/test-your-library.md: its commands, the adapters that it shows, and complete ones."""

import doctest
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Final

import pytest

from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import PYTHON_CHESS
from tests.verify.command import ROOT, shell

PAGE = (ROOT / "docs" / "test-your-library.md").read_text(encoding="utf-8")
ADAPTERS = ROOT / "conformance" / "adapters"
CORE: Final = ROOT / "data" / "conformance" / "core.json"
LIBRARIES: Final = ROOT / "tests" / "node_modules"


def blocks(language: str) -> list[str]:
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", PAGE, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", text, flags=re.MULTILINE) for indent, text in found]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder as the page has it: the adapter saved from the text, and complete ones."""
    for name, text in zip(("adapter.py", "test_san.py"), blocks("python"), strict=True):
        (tmp_path / name).write_text(text)
    for path in (PYTHON_CHESS, ADAPTERS / "chessjs.mjs"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


@pytest.mark.slow
@pytest.mark.skipif(
    not (LIBRARIES / "chess.js").is_dir() or shutil.which("node") is None,
    reason="install Node.js, and chess.js with npm ci --prefix tests",
)
def test_the_adapter_in_javascript_fails_as_is_shown(folder: Path) -> None:
    (folder / "node_modules").symlink_to(LIBRARIES)
    (shown,) = blocks("text")
    line, _, output = shown.removeprefix("$ ").partition("\n")
    done = shell(line, folder)
    assert done.returncode == 1
    assert doctest.OutputChecker().check_output(output, done.stdout, doctest.ELLIPSIS), done.stdout


@pytest.mark.slow
def test_five_lines_of_pytest_find_an_error(folder: Path) -> None:
    line = "python -m pytest -q -p no:cacheprovider test_san.py"
    assert shell(line, folder).returncode == 0
    adapter = folder / "adapter.py"
    adapter.write_text(adapter.read_text().replace("board.san(", "board.lan("))
    done = shell(line, folder)
    assert (done.returncode, "cases passed" in done.stdout) == (1, True)


def test_every_command_does_what_is_shown(folder: Path) -> None:
    """Of the smoke level; the core's cases of the adapter's two operations are counted."""
    (block,) = blocks("console")
    line, _, shown = block.removeprefix("$ ").partition("\n")
    cases = [case for case in json.loads(CORE.read_bytes())["cases"] if case["class"] != "may"]
    number = f"{sum(case['operation'] in ('read', 'write') for case in cases):,}"
    assert shown.count(number) == 2
    done = shell(f"{line} --level smoke", folder)
    assert (done.returncode, done.stderr) == (0, "")
    output = shown.replace(number, "...")
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
    for operation, name in runner.ASKED.items():
        fen = [] if operation == "game" else ["fen"]
        assert told[operation] == fen + ([] if name is None else [name])


def test_the_example_of_the_file_is_of_the_core() -> None:
    (block,) = [block for block in blocks("json") if '"games"' in block]
    example, core = json.loads(block), json.loads(CORE.read_bytes())
    assert list(example) == list(core)
    for key in ("format", "suite", "version", "level", "licence"):
        assert example[key] == core[key]
    (shown,) = example["cases"]
    (case,) = [case for case in core["cases"] if case["id"] == shown["id"]]
    assert case["why"].startswith(shown.pop("why").removesuffix(" ..."))
    assert {key: case[key] for key in shown} == shown
