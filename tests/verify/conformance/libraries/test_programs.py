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
    "adapter.rs": r"Ok(\1.into())",
    "Adapter.java": r"if (true) return \1; throw new RuntimeException();",
    "adapter.cpp": r"return \1;",
    "adapter.go": r"return \1, nil",
}
"""What makes of the library that is to be put in one that gives back what it is asked."""
MISSING: Final = re.compile(
    r"(?P<head>\w+ ?\w*\((?:[^()]*?)_?(?P<asked>\bsan|\buci|_san|_uci)\b[^{]*\{\n\s*)"
    r"[^\n]*put your library in[^\n]*"
)


def test_there_is_one_for_each_language() -> None:
    assert sorted(path.name for path in PROGRAMS.iterdir() if path.is_file()) == sorted(COMPILED)


def lines() -> list[dict[str, Any]]:
    """What an adapter that reads and writes is asked: the cases of the core."""
    cases = json.loads(CORE.read_bytes())["cases"]
    chosen = [case for case in cases if case["operation"] in {"read", "write"}]
    keys = ("operation", "fen", "san", "uci")
    return [
        {"id": number} | {key: case[key] for key in keys if key in case}
        for number, case in enumerate(chosen, 1)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("name", COMPILED)
def test_it_carries_every_text(name: str, dense: bool, tmp_path: Path) -> None:
    compiler, start = COMPILED[name]
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is not there")

    def echo(found: re.Match[str]) -> str:
        return found["head"] + ECHO[name].replace(r"\1", found["asked"])

    text, count = MISSING.subn(echo, (PROGRAMS / name).read_text("utf-8"))
    assert count == 2
    (tmp_path / name).write_text(text, "utf-8")
    subprocess.run([*compiler, name], cwd=tmp_path, check=True, timeout=300)
    asked = lines()
    separators = (",", ":") if dense else (", ", ": ")
    given = [json.dumps(line, separators=separators, ensure_ascii=not dense) for line in asked]
    sent = "".join(f"{line}\n" for line in given).encode()
    run = subprocess.run(start, cwd=tmp_path, input=sent, capture_output=True, check=True)
    greeting, *answers = map(json.loads, run.stdout.splitlines())
    assert greeting["sanproof"] == 1
    assert greeting["operations"] == ["read", "write"]
    due = [{"id": line["id"], "result": line.get("san", line.get("uci"))} for line in asked]
    assert answers == due
