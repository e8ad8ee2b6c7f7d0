"""Writes what the suite found in libraries, in each format of :mod:`verify.findings.formats`."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sanproof.reports.escaping import shown
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.outcome import Entry, LibraryReport, Outcome
from sanproof.verify.conformance.suite import case_as_json
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
    """The suite with which libraries were tested, its file's hash, and the day (2026-01-31).

    ``unused`` are patterns of expected failures that name no case of it.
    """

    version: str
    level: str
    sha256: str
    date: str
    unused: tuple[str, ...] = ()


def to_text(_: UsedSuite, reports: Sequence[LibraryReport], display: Display) -> Iterator[str]:
    """Return a line for each library, and below it what fails the run."""
    lines = (line for report in reports for line in _lines(report, display.limit))
    return text_lines(lines, display.columns)


def _lines(report: LibraryReport, limit: int) -> Iterator[str]:
    """Yield the cause why cases were not asked stands in the error that ends the command."""
    if report.ended is not None and not report.entries:
        yield f"{report.title}: no case was answered."
    else:
        yield report.headline
        cases = ((case_as_json(entry.case), entry.outcome.value) for entry in report.entries)
        if said := runner.by_operation(cases):
            yield f"  {said}"
        if report.ended is not None:
            yield "  The remaining cases were not asked."
    yield from (f"  note: {note}" for note in _notes(report))
    groups = _by_mechanism(report)
    for group in groups[:limit]:
        entry = group[0]
        yield f"  {_said(entry.case.id)}{runner.alike(group)}"
        yield f"      {entry.sentence()}"
        yield f"      {_said(entry.case.why)}"
    if rest := more(len(groups), limit, "mechanisms"):
        yield f"  {rest}"


def _by_mechanism(report: LibraryReport) -> list[list[Entry]]:
    """Return what fails the run: failures by operation and mechanism, and what passes though known.

    The smallest position of a group comes first.
    """
    surprises = list(report.surprises)
    failures = (entry for entry in surprises if entry.is_failure)
    groups = runner.by_mechanism(failures, lambda entry: case_as_json(entry.case))
    return [group for _, group in groups] + [[e] for e in surprises if not e.is_failure]


def _notes(report: LibraryReport) -> Iterator[str]:
    yield from report.notes
    answers = ((case_as_json(e.case), e.answer) for e in report.entries if e.is_failure)
    if note := runner.castling_note(answers):
        yield note
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
    """Return a result file, a case a line: its head, and the head and the cases of each library."""
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
    """Return a suite for each library, and in it each case under its mechanism."""
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
    """Yield the first failures of each library beside the build, and a sentence for the log."""
    for report in reports:
        groups = _by_mechanism(report)[: display.limit]
        yield from github_lines(_finding(report, group) for group in groups)
        if report.ended is not None:
            yield from github_lines([Finding("ended", f"It {report.ended}.", report.title)])
        yield from github_lines([report.headline])


def _finding(report: LibraryReport, group: Sequence[Entry]) -> Finding:
    entry, case = group[0], group[0].case
    text = f"{entry.sentence()} {_said(case.why)}"
    return Finding(case.mechanism, text, f"{report.title}: {_said(case.id)}{runner.alike(group)}")


def _said(text: str) -> str:
    """Return a text of the suite, escaped: it may be a foreign suite."""
    return shown(text, _LONGEST)


FORMATS: Final[
    Mapping[str, Callable[[UsedSuite, Sequence[LibraryReport], Display], Iterator[str]]]
] = {"text": to_text, "json": to_json, "junit": to_junit, "github": to_github}
"""The formats, each with what makes its text; only ``print_written`` and ``written`` see it."""
