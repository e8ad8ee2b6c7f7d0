"""Keeps results in ``data/conformance``, and writes the tables of them in docs/.

``python -m conformance.keep FILE...`` takes results of whole runs of the core, those that
maintainers send too: each replaces the earlier ones of its libraries.
"""

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from conformance.environments import read_registry
from conformance.scoreboard import (
    CORE,
    DATA,
    KEPT,
    WORDS,
    Scoreboard,
    read_result,
    read_scoreboard,
    slug,
)
from conformance.survey import packed
from sanproof.reports.escaping import markdown
from sanproof.reports.tables.files import write_whole
from sanproof.verify.commands.start import run_to_end

DOCUMENT: Final = Path("docs/libraries.md")
TABLE: Final = Path("docs/tables/libraries.csv")
MARKS: Final = "<!-- summary: made by nox -s libraries -- --keep -->", "<!-- end -->"
FREE: Final = ("accepted", "rejected", "crashed", "hung", "garbled")
"""The outcomes of what is up to a library."""


def with_summary(text: str, scoreboard: Scoreboard) -> str:
    """Return a document with a table of the libraries between its marks, in their usual settings.

    Raises:
        ValueError: It has no marks.
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


def libraries(scoreboard: Scoreboard) -> Iterable[Sequence[object]]:
    """Yield a row for each library and setting: of an area its failures, if it is asked any."""
    yield (
        *("library", "version", "release", "settings", "from", "home", "suite", "date"),
        *(f"{word}: mechanisms failed" for word in WORDS.values()),
        *("passed", "failed", "cannot be asked"),
        *FREE,
        "en passant",
        *(f"{area} failed" for area in scoreboard.areas),
    )
    names = ("name", "version", "release", "settings", "registry", "home")
    for run in scoreboard.runs:
        count = run.count()
        areas = [f"{area}.*" for area in scoreboard.areas]
        yield (
            *(run.about[name] for name in names),
            *(scoreboard.suite["version"], run.about["date"]),
            *run.by_operation,
            *(count["passed"], count["failed"], count["skipped"]),
            *(count[f"free: {outcome}"] for outcome in FREE),
            " or ".join(run.en_passant),
            *(run.count(area)["failed"] if run.asked(area) else "" for area in areas),
        )


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, with line feeds."""
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def merged(kept: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Put new results in place of those of the same libraries, in the order of the registry.

    Results of another suite are dropped.
    """
    entries = [_keyed(entry) for entry in new["libraries"]]
    asked = {entry["key"] for entry in entries}
    if kept["suite"] == new["suite"]:
        dated = ({"date": kept["date"]} | entry for entry in kept["libraries"])
        entries += [entry for entry in dated if entry["key"] not in asked]
    places = {library.key: place for place, library in enumerate(read_registry())}
    entries.sort(key=lambda entry: (places.get(entry["key"], len(places)), entry["key"]))
    return new | {"libraries": entries}


def _keyed(entry: dict[str, Any]) -> dict[str, Any]:
    return {"key": slug(f"{entry['name']} {entry['version']}")} | entry


def main(results: Sequence[Path]) -> None:
    """Keep result files, if there are any, and write the tables.

    Raises:
        Failure: One is no result file, of another suite than the published one, or lacks cases.
    """
    core, kept = DATA / CORE, DATA / KEPT
    for path in results:
        read_scoreboard(core, [path])
        write_whole(kept, packed(merged(read_result(kept), read_result(path))))
    scoreboard = read_scoreboard(core, [kept])
    write_whole(TABLE, csv_text(libraries(scoreboard)).encode("utf-8"))
    document = with_summary(DOCUMENT.read_text("utf-8"), scoreboard)
    write_whole(DOCUMENT, document.encode("utf-8"))


def _run() -> int:
    main([Path(name) for name in sys.argv[1:]])
    return 0


if __name__ == "__main__":
    run_to_end(_run)
