"""The adapters of docs/programs: they compile, and carry every text of the core unharmed."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from tests.verify.command import ROOT

PROGRAMS: Final = ROOT / "docs" / "programs"
CORE: Final = ROOT / "data" / "conformance" / "core.json"
COMPILED: Final = {
    "adapter.rs": (("rustc", "-o", "adapter"), ("./adapter",)),
    "Adapter.java": (("javac", "-Xlint:all"), ("java", "-cp", ".", "Adapter")),
    "adapter.cpp": (("g++", "-std=c++17", "-o", "adapter"), ("./adapter",)),
    "adapter.go": (("go", "build", "-o", "adapter"), ("./adapter",)),
}
"""How each is compiled, but for its name, and started."""
ECHO: Final = {
    "adapter.rs": (
        'if ["read", "write"].contains(&_operation) '
        '{ return Ok(format!("{_operation} {_fen} {_text}")) }'
    ),
    "Adapter.java": (
        'if (operation.matches("read|write")) return operation + " " + fen + " " + text;'
    ),
    "adapter.cpp": (
        'if (operation == "read" || operation == "write") '
        'return operation + " " + fen + " " + text;'
    ),
    "adapter.go": (
        'if operation == "read" || operation == "write" '
        '{ return operation + " " + fen + " " + text, nil }'
    ),
}
"""What makes of the library that is to be put in one that gives back what it is asked."""
MISSING: Final = re.compile(r'^.*"put your library in".*$', re.MULTILINE)
EVERY_ESCAPE: Final = '"\\/ \b\f\n\r\t \\u0041 \0\x1f\x7f \xe9\u2658\uffff'
MOST_LINES: Final = 40
MOST_COLUMNS: Final = 100


def test_there_is_one_for_each_language() -> None:
    assert sorted(path.name for path in PROGRAMS.iterdir() if path.is_file()) == sorted(COMPILED)


def lines() -> list[dict[str, Any]]:
    """What an adapter that reads and writes is asked: the cases of the core, and all escapes."""
    cases = json.loads(CORE.read_bytes())["cases"]
    chosen = [case for case in cases if case["operation"] in {"read", "write"}]
    chosen.append({"operation": "read", "fen": "", "san": EVERY_ESCAPE})
    keys = ("operation", "fen", "san", "uci")
    return [
        {"id": number} | {key: case[key] for key in keys if key in case}
        for number, case in enumerate(chosen, 1)
    ]


@pytest.mark.parametrize("name", COMPILED)
def test_it_is_short_without_being_squeezed(name: str) -> None:
    text = (PROGRAMS / name).read_text("utf-8").splitlines()
    assert len(text) <= MOST_LINES
    assert max(map(len, text)) <= MOST_COLUMNS


@pytest.mark.slow
@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("name", COMPILED)
def test_it_carries_every_text(name: str, dense: bool, tmp_path: Path) -> None:
    compiler, start = COMPILED[name]
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is not there")

    def echo(found: re.Match[str]) -> str:
        return f"{ECHO[name]}\n{found[0]}"

    text, count = MISSING.subn(echo, (PROGRAMS / name).read_text("utf-8"))
    assert count == 1
    (tmp_path / name).write_text(text, "utf-8")
    subprocess.run([*compiler, name], cwd=tmp_path, check=True, timeout=300)
    asked = lines()
    asked.append({"id": len(asked) + 1, "operation": "another", "fen": "", "uci": ""})
    separators = (",", ":") if dense else (", ", ": ")
    given = [json.dumps(line, separators=separators, ensure_ascii=not dense) for line in asked]
    sent = "".join(f"{line}\n" for line in given).encode()
    run = subprocess.run(start, cwd=tmp_path, input=sent, capture_output=True, check=True)
    greeting, *answers, last = map(json.loads, run.stdout.splitlines())
    assert greeting["sanproof"] == 1
    assert greeting["operations"] == ["read", "write"]
    due = [{"id": line.pop("id"), "result": " ".join(line.values())} for line in asked[:-1]]
    assert answers == due
    assert last == {"id": len(asked), "rejected": "put your library in"}
