"""What the suite found in libraries, for people and for the tools that read a build's results.

Nothing that an adapter wrote is in a text as it is: sentences hold it escaped, and
:func:`written` escapes whatever else there should be.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree as ET

from sanproof.verify.conformance.cases.judge import Outcome
from sanproof.verify.conformance.libraries.outcome import Entry, LibraryReport, sentence
from sanproof.verify.escaping import github_data, github_property, only_printable
from sanproof.verify.gate.lists import shown
from sanproof.verify.width import filled

FORMAT: Final = 1
"""The number of the result file's form."""

_LONGEST: Final = 1000


class UsedSuite(NamedTuple):
    """The suite with which libraries were tested, and when.

    Attributes:
        version: The suite's version.
        level: Its level.
        sha256: The hash of its file.
        date: The day, as in 2026-01-31.
    """

    version: str
    level: str
    sha256: str
    date: str


class Options(NamedTuple):
    """What people want to see.

    Attributes:
        limit: Failures of each library that the forms text and github show.
        columns: The width of the terminal; None where lines may be of any length.
    """

    limit: int = 20
    columns: int | None = None


def to_text(_: UsedSuite, reports: Sequence[LibraryReport], options: Options) -> Iterator[str]:
    """A line for each library, and below it what fails the run."""
    for report in reports:
        for line in _lines(report, options.limit):
            whole = options.columns is None
            yield f"{line if whole else filled(line, options.columns, 2)}\n"


def _lines(report: LibraryReport, limit: int) -> Iterator[str]:
    yield report.headline
    if report.ended is not None:
        yield f"  It {report.ended}. What is left of the cases was not asked."
    yield from (f"  note: {note}" for note in _notes(report))
    surprises = list(report.surprises)
    for entry in surprises[:limit]:
        yield f"  {_said(entry.case.id)}"
        yield f"      {sentence(entry)}"
        yield f"      {_said(entry.case.why)}"
    if len(surprises) > limit:
        yield f"  and {len(surprises) - limit:,} more (--limit {len(surprises)} shows them all)"


def _notes(report: LibraryReport) -> Iterator[str]:
    yield from report.notes
    if report.restarts:
        often = "once" if report.restarts == 1 else f"{report.restarts} times"
        yield f"The adapter was started again {often}."
    if report.en_passant:
        customs = " and ".join(report.en_passant)
        yield f"Its en passant squares follow the custom {customs}."


def to_json(tested: UsedSuite, reports: Sequence[LibraryReport], _: Options) -> Iterator[str]:
    """Everything; docs/test-your-library.md describes it."""
    suite = {"version": tested.version, "level": tested.level, "sha256": tested.sha256}
    head = json.dumps({"format": FORMAT, "suite": suite, "date": tested.date})
    yield head[:-1] + ', "libraries": [\n'
    for i, report in enumerate(reports):
        yield ",\n" * bool(i) + json.dumps(_head(report))[:-1] + ', "cases": [\n'
        yield ",\n".join(json.dumps(_as_json(entry)) for entry in report.entries)
        yield "\n]}"
    yield "\n]}\n"


def _head(report: LibraryReport) -> dict[str, Any]:
    greeting = report.greeting
    return {
        "name": report.command if greeting is None else greeting.name,
        "version": "" if greeting is None else greeting.version,
        "language": "" if greeting is None else greeting.language,
        "settings": "" if greeting is None else greeting.settings,
        "command": report.command,
        "operations": [] if greeting is None else [o.value for o in greeting.operations],
        "en_passant": list(report.en_passant),
        "seconds": round(report.seconds, 3),
        "restarts": report.restarts,
        "notes": list(report.notes),
        "ended": report.ended,
    }


def _as_json(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {"id": entry.case.id, "outcome": entry.record.outcome.value}
    if entry.record.answer is not None:
        found["answer"] = entry.record.answer
    if entry.record.message:
        found["message"] = entry.record.message
    if entry.is_known:
        found["known"] = True
    return found


def to_junit(_: UsedSuite, reports: Sequence[LibraryReport], __: Options) -> Iterator[str]:
    """JUnit's XML: a suite for each library, and in it each case under its mechanism."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="sanproof conformance">\n'
    for report in reports:
        suite = ET.Element("testsuite", name=report.title)
        counts = {"failures": 0, "skipped": 0}
        for entry in report.entries:
            _add_case(suite, entry, counts)
        if report.ended is not None:
            case = ET.SubElement(suite, "testcase", classname="adapter", name="answers all cases")
            ET.SubElement(case, "error", message=f"It {report.ended}.")
        suite.set("tests", str(len(suite)))
        suite.set("errors", str(int(report.ended is not None)))
        suite.set("time", f"{report.seconds:.3f}")
        for name, number in counts.items():
            suite.set(name, str(number))
        ET.indent(suite)
        yield f"{ET.tostring(suite, encoding='unicode')}\n"
    yield "</testsuites>\n"


def _add_case(suite: ET.Element, entry: Entry, counts: dict[str, int]) -> None:
    names = {"classname": _said(entry.case.mechanism), "name": _said(entry.case.id)}
    case = ET.SubElement(suite, "testcase", names)
    if entry.is_surprise:
        counts["failures"] += 1
        failure = ET.SubElement(case, "failure", message=sentence(entry))
        failure.text = _said(entry.case.why)
    elif entry.is_known or entry.record.outcome is Outcome.SKIPPED:
        counts["skipped"] += 1
        why = "a known failure" if entry.is_known else "the adapter skipped it"
        ET.SubElement(case, "skipped", message=why)


def to_github(_: UsedSuite, reports: Sequence[LibraryReport], options: Options) -> Iterator[str]:
    """GitHub's workflow commands, which annotate the build, and a sentence for the log."""
    for report in reports:
        surprises = list(report.surprises)
        for entry in surprises[: options.limit]:
            title = github_property(f"{report.title}: {_said(entry.case.id)}")
            text = github_data(f"{sentence(entry)} {_said(entry.case.why)}")
            yield f"::error title={title}::{text}\n"
        if report.ended is not None:
            title = github_property(report.title)
            yield f"::error title={title}::{github_data(f'It {report.ended}.')}\n"
        yield f"{report.headline}\n"


def _said(text: str) -> str:
    """What the suite says; it may be somebody else's."""
    return shown(text, _LONGEST)


FORMATS: Final[
    Mapping[str, Callable[[UsedSuite, Sequence[LibraryReport], Options], Iterable[str]]]
] = {"text": to_text, "json": to_json, "junit": to_junit, "github": to_github}
"""The forms of a report, each with what writes it in pieces."""


def written(
    form: str, tested: UsedSuite, reports: Sequence[LibraryReport], options: Options
) -> Iterator[str]:
    """The text of a form in pieces: printable ASCII and line ends, and nothing else.

    Args:
        form: One of :data:`FORMATS`.
        tested: The suite.
        reports: What came of it.
        options: What people want to see.
    """
    return only_printable(FORMATS[form](tested, reports, options), form)
