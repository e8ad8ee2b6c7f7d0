"""Tries the programs of docs/programs, in their languages: ``... programs FOLDER [NAME]...``.

In place of a library stand the answers of python-chess, recorded, and those of python-chess with a
bug. sanproof must find through an adapter what it finds of the library itself, and a loop must
fail the same cases of reading and writing, and no others.
"""

import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import PYTHON_CHESS

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[2]
CORE: Final = ROOT / "data/conformance/core.json"
TABLE: Final[dict[str, dict[str, Any]]] = tomllib.loads((HERE / "programs.toml").read_text("utf-8"))
BUG: Final = ('parse_san(case["san"])', 'parse_san(case["san"][:1].upper() + case["san"][1:])')
"""Takes the first letter of a text for a piece: ``nf3`` is read, ``bxc3`` is a bishop's move."""


def look(operation: str, fen: str, text: str) -> list[str]:
    """Return what was recorded; the other ``look`` here do the same."""
    everything = Path("answers").read_bytes().decode()
    _, found, after = everything.partition(f"\x1e{operation}\x1f{fen}\x1f{text}\x1d")
    if not found:
        raise ValueError("rejected")
    return after.partition("\x1e")[0].split("\x1f")


def asked(command: Sequence[str]) -> list[runner.Record]:
    """Ask an adapter the core."""
    suite = runner.load(str(CORE))
    adapter = runner.Adapter(command, 60)
    try:
        return list(adapter.ask(suite["cases"], suite["games"]))
    finally:
        adapter.close()


def answers(records: Sequence[runner.Record]) -> str:
    """Write the accepted answers, as ``look`` reads them."""
    lines = []
    for case, answer in ((record.case, record.answer) for record in records):
        text = case.get(runner.ASKED[case["operation"]] or "", "")
        texts = [*answer["moves"], answer["fen"]] if isinstance(answer, dict) else answer
        texts = [texts] if isinstance(texts, str) else texts
        if texts is not None:
            key = (case["operation"], case.get("fen", ""), text)
            lines.append("\x1f".join(key) + "\x1d" + "\x1f".join(texts))
    return "".join(f"\x1e{line}" for line in lines) + "\x1e"


def make(name: str, folder: Path) -> None:
    """Write a program into a folder with ``look`` put in, which must find its places once."""
    text = (ROOT / "docs/programs" / name).read_text("utf-8")
    for old, new in TABLE[name]["put"]:
        if text.count(old) != 1:
            sys.exit(f"{name} holds {old!r} {text.count(old)} times.")
        text = text.replace(old, new)
    files = {TABLE[name].get("at", name): text}
    for path in HERE.glob("[Ll]ook.*"):
        package = "san" if "failed" in TABLE[name] else "main"
        files[path.name] = path.read_text("utf-8").replace("PACKAGE", package)
    files["look.py"] = f"from pathlib import Path\n\n\n{inspect.getsource(look)}"
    for where, content in (files | TABLE[name].get("beside", {})).items():
        (folder / where).parent.mkdir(parents=True, exist_ok=True)
        (folder / where).write_text(content, "utf-8")


def run(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command, with one stream for all that it prints."""
    pipe, same = subprocess.PIPE, subprocess.STDOUT
    return subprocess.run(words(command), check=False, stdout=pipe, stderr=same, text=True)


def words(command: str) -> list[str]:
    """Split a command; ``python`` is ours."""
    return [sys.executable if word == "python" else word for word in shlex.split(command)]


def outcomes(records: Sequence[runner.Record]) -> set[tuple[str, str]]:
    """Return each case's id and outcome."""
    return {(record.case["id"], record.outcome) for record in records}


def failures(records: Sequence[runner.Record]) -> set[tuple[str, str]]:
    """Return the failures among those that loops ask, with outcomes."""
    asked_too = [r for r in records if r.case["operation"] in {"read", "write"}]
    return outcomes([r for r in asked_too if r.outcome == "failed" and r.case["class"] != "may"])


def check(name: str, folder: Path, records: Sequence[runner.Record]) -> None:
    """Run a program in a new folder; it must find of the records what sanproof finds."""
    folder.mkdir(parents=True)
    shutil.copy(CORE, folder)
    (folder / "answers").write_bytes(answers(records).encode())
    make(name, folder)
    os.chdir(folder)
    entry = TABLE[name]
    for command in entry.get("build", ()):
        subprocess.run(words(command), check=True)
    if "failed" in entry:
        done, due = run(entry["run"]), failures(records)
        named = re.findall(entry["failed"], done.stdout, re.MULTILINE)
        found = {(case, "failed") for case in named}
        if (done.returncode == 0) == bool(due) or found != due:
            sys.stdout.write(done.stdout)
            sys.exit(f"{name} ends with {done.returncode} and differs in {sorted(found ^ due)}.")
    elif wrong := outcomes(asked(words(entry["run"]))) ^ outcomes(records):
        sys.exit(f"{name} differs in {sorted(wrong)}.")


def main(folder: Path, *names: str) -> None:
    """Try the programs that are named, or all."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if "core.test.mjs" in (names or TABLE):
        (folder / "package.json").write_text('{"private": true}')
        subprocess.run(["npm", "install", "--silent", "jest"], cwd=folder, check=True)
    bug = folder / "bug.py"
    bug.write_text(PYTHON_CHESS.read_text("utf-8").replace(*BUG), "utf-8")
    libraries = {p.stem: asked([sys.executable, str(p)]) for p in (PYTHON_CHESS, bug)}
    for name in names or TABLE:
        for library, records in libraries.items():
            check(name, folder / name / library, records)
        counts = {name: len(failures(found)) for name, found in libraries.items()}
        sys.stdout.write(f"{name} fails cases as sanproof does: {counts}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *sys.argv[2:])
