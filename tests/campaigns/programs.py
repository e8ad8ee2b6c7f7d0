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
from tests.verify.command import ROOT

CORE: Final = ROOT / "data/conformance/core.json"
TABLE: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)
LOOK: Final = TABLE.pop("look")
BUG: Final = ('parse_san(case["san"])', 'parse_san(case["san"][:1].upper() + case["san"][1:])')
"""Takes the first letter of a text for a piece: ``nf3`` is read, ``bxc3`` is a bishop's move."""


def look(operation: str, fen: str, text: str) -> list[str]:
    """Return what was recorded; the ``look`` of other languages does the same."""
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


def recorded(records: Sequence[runner.Record]) -> str:
    """Write the accepted answers, as ``look`` reads them."""
    lines = [""]
    for case, answer in ((record.case, record.answer) for record in records):
        text = case.get(runner.ASKED[case["operation"]] or "", "")
        texts = [*answer["moves"], answer["fen"]] if isinstance(answer, dict) else answer
        if texts is not None:
            key = "\x1f".join((case["operation"], case.get("fen", ""), text))
            lines.append(f"{key}\x1d" + "\x1f".join([texts] if isinstance(texts, str) else texts))
    return "\x1e".join([*lines, ""])


def make(name: str, folder: Path) -> None:
    """Write a program into a folder with ``look`` put in, which must find its places once."""
    entry, text = TABLE[name], (ROOT / "docs/programs" / name).read_text("utf-8")
    for old, new in entry["put"]:
        if text.count(old) != 1:
            sys.exit(f"{name} holds {old!r} {text.count(old)} times.")
        text = text.replace(old, new)
    package = "san" if "failed" in entry else "main"
    files = {where: content.replace("PACKAGE", package) for where, content in LOOK.items()}
    files["look.py"] = f"from pathlib import Path\n\n\n{inspect.getsource(look)}"
    files |= entry.get("beside", {}) | {entry.get("at", name): text}
    for where, content in files.items():
        (folder / where).parent.mkdir(parents=True, exist_ok=True)
        (folder / where).write_text(content, "utf-8")


def words(command: str) -> list[str]:
    """Split a command; ``python`` is ours."""
    return [sys.executable if word == "python" else word for word in shlex.split(command)]


def outcomes(records: Sequence[runner.Record]) -> set[tuple[str, str]]:
    """Return each case's id and outcome."""
    return {(record.case["id"], record.outcome) for record in records}


def failures(records: Sequence[runner.Record]) -> set[str]:
    """Return the cases among those that loops ask which a library fails."""
    return {
        record.case["id"]
        for record in records
        if record.case["operation"] in {"read", "write"}
        and record.outcome == "failed"
        and record.case["class"] != "may"
    }


def check(name: str, folder: Path, records: Sequence[runner.Record]) -> None:
    """Run a program in a new folder; it must find of the records what sanproof finds."""
    folder.mkdir(parents=True)
    shutil.copy(CORE, folder)
    (folder / "answers").write_bytes(recorded(records).encode())
    make(name, folder)
    os.chdir(folder)
    entry = TABLE[name]
    for command in entry.get("build", ()):
        subprocess.run(words(command), check=True)
    if "failed" not in entry:
        if wrong := outcomes(asked(words(entry["run"]))) ^ outcomes(records):
            sys.exit(f"{name} differs in {sorted(wrong)}.")
        return
    command = words(entry["run"])
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    found = set(re.findall(entry["failed"], done.stdout, re.MULTILINE))
    due = failures(records)
    if found != due or (done.returncode == 0) == bool(due):
        sys.stdout.write(done.stdout)
        sys.exit(f"{name} ends with {done.returncode} and differs in {sorted(found ^ due)}.")


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
        counts = {library: len(failures(found)) for library, found in libraries.items()}
        sys.stdout.write(f"{name} fails cases as sanproof does: {counts}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *sys.argv[2:])
