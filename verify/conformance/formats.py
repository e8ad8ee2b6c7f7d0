"""Writes what the suite found in libraries, in each format of :mod:`verify.findings.formats`."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from sanproof.reports.escaping import shown
from sanproof.verify.conformance.outcome import Entry, LibraryReport, Outcome
from sanproof.verify.findings.finding import Finding, more
from sanproof.verify.findings.formats import (
    Display,
    JunitCase,
    JunitSuite,
    github_lines,
    json_object,
    junit,
    text_lines,
)

FORMAT: Final = 1
"""The number of the result file's form."""

_LONGEST: Final = 1000


class UsedSuite(NamedTuple):
    """The suite with which libraries were tested, its file's hash, and the day (2026-01-31)."""

    version: str
    level: str
    sha256: str
    date: str


def to_text(_: UsedSuite, reports: Sequence[LibraryReport], display: Display) -> Iterator[str]:
    """A line for each library, and below it what fails the run."""
    lines = (line for report in reports for line in _lines(report, display.limit))
    return text_lines(lines, display.columns)


def _lines(report: LibraryReport, limit: int) -> Iterator[str]:
    """The cause why cases were not asked stands in the error that ends the command."""
    if report.ended is not None and not report.entries:
        yield f"{report.title}: no case was answered."
    else:
        yield report.headline
        if report.ended is not None:
            yield "  The remaining cases were not asked."
    yield from (f"  note: {note}" for note in _notes(report))
    surprises = list(report.surprises)
    for entry in surprises[:limit]:
        yield f"  {_said(entry.case.id)}"
        yield f"      {entry.sentence()}"
        yield f"      {_said(entry.case.why)}"
    if rest := more(len(surprises), limit):
        yield f"  {rest}"


def _notes(report: LibraryReport) -> Iterator[str]:
    yield from report.notes
    if report.restarts:
        often = "once" if report.restarts == 1 else f"{report.restarts} times"
        yield f"The adapter was started again {often}."
    if report.en_passant:
        customs = " and ".join(report.en_passant)
        yield f"Its en passant squares follow the custom {customs}."


def to_json(tested: UsedSuite, reports: Sequence[LibraryReport], _: Display) -> Iterator[str]:
    """Everything; docs/test-your-library.md describes it."""
    suite = {"version": tested.version, "level": tested.level, "sha256": tested.sha256}
    head = {"format": FORMAT, "suite": suite, "date": tested.date}
    return result_file(head, ((_head(report), map(_as_json, report.entries)) for report in reports))


def result_file(
    head: Mapping[str, Any], libraries: Iterable[tuple[Mapping[str, Any], Iterable[object]]]
) -> Iterator[str]:
    """A result file, a case a line: its head, and the head and the cases of each library."""
    texts = (
        "".join(json_object(about, "cases", map(json.dumps, cases))) for about, cases in libraries
    )
    return json_object(head, "libraries", (text.rstrip("\n") for text in texts))


def _head(report: LibraryReport) -> dict[str, Any]:
    about: dict[str, Any] = dict.fromkeys(("name", "version", "language", "settings"), "")
    about |= {"name": report.command, "command": report.command, "operations": []}
    return {
        **about,
        **report.greeting,
        "en_passant": list(report.en_passant),
        "seconds": round(report.seconds, 3),
        "restarts": report.restarts,
        "notes": list(report.notes),
        "ended": report.ended,
    }


def _as_json(entry: Entry) -> dict[str, Any]:
    found = {"id": entry.case.id, "outcome": entry.outcome.value, "answer": entry.answer}
    found |= {"message": entry.message or None, "known": entry.is_known or None}
    return {name: value for name, value in found.items() if value is not None}


def to_junit(_: UsedSuite, reports: Sequence[LibraryReport], __: Display) -> Iterator[str]:
    """A suite for each library, and in it each case under its mechanism."""
    suites = (JunitSuite(r.title, _junit_cases(r), r.seconds) for r in reports)
    return junit("sanproof conformance", suites)


def _junit_cases(report: LibraryReport) -> Iterator[JunitCase]:
    for entry in report.entries:
        names = _said(entry.case.mechanism), _said(entry.case.id)
        if entry.is_surprise:
            yield JunitCase(*names, "failure", entry.sentence(), _said(entry.case.why))
        elif entry.is_known:
            yield JunitCase(*names, "skipped", "a known failure")
        elif entry.outcome is Outcome.SKIPPED:
            yield JunitCase(*names, "skipped", "the adapter skipped it")
        else:
            yield JunitCase(*names)
    if report.ended is not None:
        yield JunitCase("adapter", "answers all cases", "error", f"It {report.ended}.")


def to_github(_: UsedSuite, reports: Sequence[LibraryReport], display: Display) -> Iterator[str]:
    """The first failures of each library beside the build, and a sentence for the log."""
    for report in reports:
        yield from github_lines(
            _finding(report, e) for e in islice(report.surprises, display.limit)
        )
        if report.ended is not None:
            yield from github_lines([Finding("ended", f"It {report.ended}.", report.title)])
        yield from github_lines([report.headline])


def _finding(report: LibraryReport, entry: Entry) -> Finding:
    case = entry.case
    text = f"{entry.sentence()} {_said(case.why)}"
    return Finding(case.mechanism, text, f"{report.title}: {_said(case.id)}")


def _said(text: str) -> str:
    """Return a text of the suite, escaped: it may be somebody else's."""
    return shown(text, _LONGEST)


FORMATS: Final[
    Mapping[str, Callable[[UsedSuite, Sequence[LibraryReport], Display], Iterator[str]]]
] = {"text": to_text, "json": to_json, "junit": to_junit, "github": to_github}
"""The formats, each with what makes its text; only ``print_written`` and ``written`` see it."""
