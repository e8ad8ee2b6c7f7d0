"""Runs the suite on every installed library, and keeps the results and docs/libraries.md's table.

The result file is that of ``sanproof conformance run``, with the registry's entries about each
library. A library that is not installed is in it as well, with the reason and without cases.
"""

import csv
import hashlib
import io
import json
import lzma
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from conformance.environments import INSTALLED, Library, read_registry
from conformance.scoreboard import (
    CORE,
    DATA,
    KEPT,
    WORDS,
    Scoreboard,
    read_scoreboard,
)
from sanproof.reports.escaping import markdown
from sanproof.reports.tables.files import write_whole
from sanproof.verify.conformance import files
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import Asked, ask

DOCUMENT: Final = Path("docs/libraries.md")
TIMEOUT_SECONDS: Final = 60.0
"""The time for a case. It is generous, because several libraries run side by side."""
SIDE_BY_SIDE: Final = 2
MARKS: Final = "<!-- summary: made by nox -s libraries -- --keep -->", "<!-- end -->"


def survey(environments: Path, path: Path, keys: Sequence[str] = ()) -> dict[str, Any]:
    """Run the suite on every library in every setting, and return the content of the result file.

    Args:
        environments: The folder that :mod:`conformance.environments` has filled.
        path: The file of the suite.
        keys: The libraries to run, by default all.
    """
    suite, sha256 = runner.load(str(path)), hashlib.sha256(path.read_bytes()).hexdigest()
    installed = json.loads((environments / INSTALLED).read_bytes())
    chosen = [library for library in read_registry() if not keys or library.key in keys]
    why = {one.key: installed.get(one.key, "it was never tried") for one in chosen}
    commands = [(one, c) for one in chosen if not why[one.key] for c in one.commands(environments)]
    found: list[Asked] = []
    for start in range(0, len(commands), SIDE_BY_SIDE):
        some = [command for _, command in commands[start : start + SIDE_BY_SIDE]]
        for one in ask(some, suite, suite["cases"], TIMEOUT_SECONDS):
            sys.stderr.write(f"{one.report.title}: {one.seconds:.3f} s\n")
            plain = one.command.replace(f"{environments.resolve()}/", "")
            found.append(one._replace(command=plain.replace(sys.executable, "python")))
    content = files.results(suite, sha256, datetime.now(UTC).date().isoformat(), found)
    for (library, _), entry in zip(commands, content["libraries"], strict=True):
        entry.update(_registered(library))
        entry["cases"].sort(key=lambda case: case["id"])
    content["libraries"] += [_absent(one, why[one.key]) for one in chosen if why[one.key]]
    return content


def _registered(library: Library) -> dict[str, Any]:
    names = ("name", "key", "registry", "home", "licence", "release")
    return {name: getattr(library, name) for name in names}


def _absent(library: Library, why: str) -> dict[str, Any]:
    """Return the entry of a library that answered nothing."""
    about = {"version": library.version, "language": library.language, "settings": ""}
    nothing: dict[str, Any] = {"operations": [], "en_passant": [], "cases": []}
    ended = {"ended": f"could not be installed: {why}"}
    return _registered(library) | about | nothing | ended


def packed(content: dict[str, Any]) -> bytes:
    """Return a packed result file, with a line for each case."""
    return lzma.compress("".join(files.written(content)).encode("ascii"), preset=9)


def with_summary(text: str, scoreboard: Scoreboard) -> str:
    """Return a document with the table of the libraries, in their usual settings, in its place.

    Raises:
        ValueError: The document has no marks for the table.
    """
    begin, end = MARKS
    head, _, rest = text.partition(begin)
    _, found, tail = rest.partition(end)
    if not found:
        raise ValueError(f"{begin!r} or its end is missing")
    lines = ["| library | mechanisms failed | cases failed |", "| --- | --- | --- |"]
    for run in (run for run in scoreboard.runs if not run.about["settings"]):
        failed = zip(WORDS.values(), run.by_operation, strict=True)
        where = ", ".join(f"{word} {number}" for word, number in failed if number not in {"", "0"})
        lines.append(f"| {markdown(run.title)} | {where} | {len(run.failures)}/{run.asked()} |")
    return "\n\n".join([f"{head}{begin}", "\n".join(lines), f"{end}{tail}"])


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, with LF as line ends."""
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def main(results: Path) -> None:
    """Keep the results of a whole survey and write the table, or raise a Failure if cases lack."""
    board = read_scoreboard(DATA / CORE, [results])
    write_whole(DATA / KEPT, results.read_bytes())
    document = with_summary(DOCUMENT.read_text("utf-8"), board)
    write_whole(DOCUMENT, document.encode("utf-8"))
