"""Keeps results, in a checkout of the project.

The file is kept under its date and level in ``data/conformance/results``, where those of libraries
that were not asked stay if they are of the same day and suite. From it are written the table in
docs/libraries.md (what stands between its marks) and the longer ones in docs/tables.

``python -m conformance.keep FILE...`` takes files that maintainers sent, each of a whole run, and
writes the tables again.
"""

import csv
import hashlib
import io
import json
import lzma
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from conformance.environments import read_registry
from conformance.scoreboard.contents import SENT, Scoreboard, kept_scoreboard, read_scoreboard
from conformance.scoreboard.tables import WORDS, customs, hardest_cases, operations, question, table
from conformance.survey import packed
from sanproof.reports.escaping import markdown
from sanproof.reports.tables.files import write_whole
from sanproof.verify.commands.ending import run_to_end
from sanproof.verify.conformance.files import read_result
from sanproof.verify.conformance.suite import read_suite

DATA: Final = Path("data/conformance")
DOCUMENT: Final = Path("docs/libraries.md")
TABLES: Final = Path("docs/tables")
MARKS: Final = "<!-- summary: made by nox -s libraries -- --keep -->", "<!-- end -->"
HISTORY: Final = "history.csv"
"""The table of all kept results."""
LIBERTIES: Final = ("accepted", "rejected", "differs", "crashed", "hung", "garbled")
"""The outcomes of what is up to it."""


def with_summary(text: str, scoreboard: Scoreboard) -> str:
    """Return a document with a scoreboard's summary between its marks; a ValueError without them.

    The summary is a Markdown table of the libraries in their usual settings, by how many bugs they
    have.
    """
    begin, end = MARKS
    head, _, rest = text.partition(begin)
    _, found, tail = rest.partition(end)
    if not found:
        raise ValueError(f"{begin!r} or its end is missing")
    rows = []
    for run in (run for run in scoreboard.runs if not run.settings):
        count, older = scoreboard.count(run), run.suite != scoreboard.suite.version
        title = run.title + (f", suite {run.suite}" if older else "")
        failed = zip(WORDS.values(), operations(scoreboard, run), strict=True)
        where = ", ".join(f"{word} {n}" for word, n in failed if n not in {"", "0"})
        rows.append([markdown(title), where, f"{count.failed}/{count.asked}"])
    names = ["library", "mechanisms failed", "cases failed"]
    return f"{head}{begin}\n\n{table(names, rows)}\n\n{end}{tail}"


def tables(scoreboard: Scoreboard) -> dict[str, str]:
    """Return the long tables of a scoreboard, as CSV by the names of their files."""
    return {
        "libraries.csv": csv_text(_libraries(scoreboard)),
        "hardest.csv": csv_text(_hardest(scoreboard)),
    }


def _libraries(scoreboard: Scoreboard) -> Iterable[Sequence[object]]:
    """Yield a row for each library and setting: of an area its failures, if it is asked any."""
    areas = scoreboard.areas_that_can_fail
    yield (
        *("library", "version", "release", "settings", "from", "home", "suite", "date"),
        *(f"{word}: mechanisms failed" for word in WORDS.values()),
        *("passed", "failed", "cannot be asked"),
        *LIBERTIES,
        "en passant",
        *(f"{area} failed" for area in areas),
    )
    for run in scoreboard.runs:
        count, liberties = scoreboard.count(run), scoreboard.liberties(run)
        by_area = [scoreboard.count(run, area=area) for area in areas]
        yield (
            *(run.name, run.version, run.release, run.settings, run.registry, run.home),
            *(run.suite, run.date),
            *operations(scoreboard, run),
            *(count.passed, count.failed, count.skipped),
            *(liberties[outcome] for outcome in LIBERTIES),
            customs(run),
            *(found.failed if found.asked else "" for found in by_area),
        )


def _hardest(scoreboard: Scoreboard) -> Iterable[Sequence[object]]:
    """Yield a row for each case that at least a fifth of the libraries fail."""
    yield "case", "asked", "libraries that fail", "libraries asked", "the rule"
    for case, failing, asked in hardest_cases(scoreboard):
        yield case.id, question(case), failing, asked, case.why


def history(results: Iterable[Path], data: Path = DATA) -> str:
    """Return what all kept results say, by date, as CSV: a row for each library and setting."""
    names = ("date", "level", "suite", "library", "version", "settings", "failed", "asked")
    rows: list[Sequence[object]] = [names]
    for path in sorted(results):
        scoreboard = kept_scoreboard(path, data)
        suite = scoreboard.suite.level.value, scoreboard.suite.version
        for run in scoreboard.runs:
            count = scoreboard.count(run)
            about = run.name, run.version, run.settings
            rows.append((run.date, *suite, *about, count.failed, count.asked))
    return csv_text(rows)


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, with line feeds."""
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def merged(kept: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Add the results of libraries that were not asked again, in the order of the registry."""
    asked = {entry["key"] for entry in new["libraries"]}
    entries = [*new["libraries"], *(e for e in kept["libraries"] if e["key"] not in asked)]
    places = {library.key: place for place, library in enumerate(read_registry())}
    known = (entry for entry in entries if entry["key"] in places)
    return new | {"libraries": sorted(known, key=lambda entry: places[entry["key"]])}


def kept_file(results: Path, folder: Path) -> Path:
    """Keep a result file in a folder, under its date and level; return the file's path there."""
    content = json.loads(lzma.decompress(results.read_bytes()))
    path = folder / f"{content['date']}-{content['suite']['level']}.json.xz"
    if path.exists():
        kept = json.loads(lzma.decompress(path.read_bytes()))
        if kept["suite"] == content["suite"]:
            content = merged(kept, content)
    folder.mkdir(exist_ok=True)
    write_whole(path, packed(content))
    return path


def receive(path: Path) -> Path:
    """Keep a result file that a maintainer's CI made; return where.

    Raises:
        Failure: It is no result file, of a suite that is not published, or lacks cases.
    """
    content = read_result(path)
    newest = (DATA / "core.json").read_bytes()
    suite, sha256 = read_suite(newest, "core.json"), hashlib.sha256(newest).hexdigest()
    board = read_scoreboard(suite, sha256, [(str(path), content)], {}, DATA)
    folder = DATA / SENT
    folder.mkdir(exist_ok=True)
    kept = folder / f"{board.runs[0].key}.json.xz"
    write_whole(kept, packed(content))
    return kept


def main(results: Path | None) -> None:
    """Keep a result file, if there is one, and write the tables."""
    folder = DATA / "results"
    kept = kept_file(results, folder) if results else max(folder.glob("*-core.json.xz"))
    scoreboard = kept_scoreboard(kept, DATA, with_sent=True)
    made = {TABLES / name: content for name, content in tables(scoreboard).items()}
    made[TABLES / HISTORY] = history(folder.glob("*.json.xz"))
    made[DOCUMENT] = with_summary(DOCUMENT.read_text("utf-8"), scoreboard)
    for path, text in made.items():
        write_whole(path, text.encode("utf-8"))


def _run() -> int:
    """Keep the files that ``sys.argv`` names, and write the tables."""
    for sent in sys.argv[1:]:
        sys.stdout.write(f"{receive(Path(sent))}\n")
    main(None)
    return 0


if __name__ == "__main__":
    run_to_end(_run)
