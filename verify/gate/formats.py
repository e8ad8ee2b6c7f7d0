"""What the gate found, for people and for the tools that read a build's results.

A form takes the lists one by one and gives its text in pieces, so that many lists take no more
memory than one. Nothing that a list or its name holds is in the text as it is: what is not plain
ASCII was escaped by ``shown``, and :func:`written` escapes whatever else there should be.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree as ET

from sanproof.proofs.verdicts.reasons import RULES as REASONS
from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.tables.pgn import LONGEST_LINE, movetext
from sanproof.verify.escaping import github_data, github_property, only_printable
from sanproof.verify.gate.compare import SUFFIX, GateReport, Missing, TooMany
from sanproof.verify.gate.lists import STANDARD_INPUT, title
from sanproof.verify.width import filled

SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


class Sort(NamedTuple):
    """A sort of difference: its word, and what it means."""

    word: str
    meaning: str


SORTS: Final = {
    "missing": Sort("missing", "A reachable string is missing."),
    "too-many": Sort("too many", "A string is not among the reachable ones."),
    "repeated": Sort("repeated", "An entry is repeated."),
    "not-san": Sort("not SAN", "An entry is not a SAN string."),
}
"""The sorts of differences by their names in programs."""

_MOVES_SHOWN: Final = 3


class Options(NamedTuple):
    """What people want to see.

    Attributes:
        limit: Differences of each sort that the forms text and github show.
        whole_games: Whether the form text shows whole games.
        columns: The width of the terminal; None where lines may be of any length.
    """

    limit: int = 20
    whole_games: bool = False
    columns: int | None = None


class Finding(NamedTuple):
    """One difference: its sort, what it is about, where (from 1), and the sentence."""

    sort: str
    text: str
    place: int | None
    sentence: str


def findings(report: GateReport) -> Iterator[Finding]:
    """All differences of a list, each as a sentence that names the string."""
    for missing in report.missing:
        yield Finding("missing", missing.san, None, _missing_sentence(missing))
    for extra in report.too_many:
        sentence = f"{extra.san} is too many ({extra.reason}): {extra.sentence}"
        yield Finding("too-many", extra.san, extra.place, sentence)
    for twice in report.repeated:
        sentence = f"{twice.text} is repeated: it is at {report.unit} {twice.first} already."
        yield Finding("repeated", twice.text, twice.place, sentence)
    for other in report.not_san:
        advice = f" ({other.hint})" if other.hint else ""
        yield Finding("not-san", other.text, other.place, f"{other.sentence}{advice}.")


def _missing_sentence(missing: Missing) -> str:
    return f"{missing.san} is missing: {missing.uci} in {missing.before_fen}."


def _placed(report: GateReport, finding: Finding) -> str:
    at = f"{report.unit} {finding.place}: " if finding.place else ""
    return at + finding.sentence


# For people


def to_text(reports: Iterable[GateReport], options: Options) -> Iterator[str]:
    """A line for each list, and below it the differences."""
    for report in reports:
        for line in _lines(report, options):
            if options.columns is None:
                yield f"{line}\n"
            else:
                yield f"{filled(line, options.columns, 2)}\n"


def _lines(report: GateReport, options: Options) -> Iterator[str]:
    yield report.headline
    yield from (f"  note: {note}" for note in report.notes)
    for missing in report.missing[: options.limit]:
        yield f"  {_missing_sentence(missing)}"
        yield from (f"      {line}" for line in _game(missing, options))
    yield from _more("missing", len(report.missing), options.limit)
    yield from _reasons(report, options.limit)
    for sort, number in (("repeated", len(report.repeated)), ("not-san", len(report.not_san))):
        some = (finding for finding in findings(report) if finding.sort == sort)
        yield from (f"  {_placed(report, finding)}" for finding in islice(some, options.limit))
        yield from _more(sort, number, options.limit)


def _more(sort: str, number: int, limit: int) -> Iterator[str]:
    if number > limit:
        more = f"{number - limit:,} more {SORTS[sort].word}"
        yield f"  and {more} (--limit {number} shows them all)"


def _reasons(report: GateReport, limit: int) -> Iterator[str]:
    """Strings that are too many, those with the same reason together."""
    by_reason = sorted(report.too_many, key=lambda extra: extra.reason)
    for reason, group in groupby(by_reason, key=lambda extra: extra.reason):
        extras = list(group)
        if len(extras) == 1:
            (extra,) = extras
            at = f"{report.unit} {extra.place}"
            yield f"  {at}: {extra.san} is too many ({reason}): {extra.sentence}"
        else:
            yield f"  {len(extras):,} are too many ({reason}): {_rule(reason)}"
            yield from _named(report, extras, limit)


def _rule(reason: str) -> str:
    """A reason in general."""
    return "This list is the one without suffixes." if reason == SUFFIX else REASONS[Reason(reason)]


def _named(report: GateReport, extras: Sequence[TooMany], limit: int) -> Iterator[str]:
    """Strings with one reason, each with its place, and one of them explained."""
    if not limit:
        return
    named = ", ".join(f"{extra.san} ({report.unit} {extra.place})" for extra in extras[:limit])
    more = f", and {len(extras) - limit:,} more (--limit {len(extras)} shows them all)"
    yield f"      {named}{more * (len(extras) > limit)}."
    yield f"      For example, {extras[0].san}: {extras[0].sentence}"


def _game(missing: Missing, options: Options) -> Iterator[str]:
    """The game that leads to the position: its last moves, or all of it."""
    if missing.game is None or missing.ply is None:
        return
    player = "White" if missing.ply % 2 else "Black"
    number, last = (missing.ply + 1) // 2, (len(missing.game) + 1) // 2
    where = f"{player} plays it at move {number} of a game of {last}"
    if options.whole_games:
        yield f"{where}, with its move and on to checkmate:"
        yield from filled(movetext(missing.game), LONGEST_LINE).split("\n")
    else:
        yield f"{where} (--whole-games shows it): {_last_moves(missing.game, missing.ply)}"


def _last_moves(game: Sequence[str], ply: int) -> str:
    """The moves before a ply and its own, as movetext that begins with White's move."""
    begin = max(0, (ply - 1) // 2 - _MOVES_SHOWN) * 2
    moves = [f"{i // 2 + 1}. {game[i]}" if i % 2 == 0 else game[i] for i in range(begin, ply)]
    return ("... " if begin else "") + " ".join(moves)


# For programs


def to_json(reports: Iterable[GateReport], _: Options) -> Iterator[str]:
    """Everything that is known of each difference."""
    yield '{\n  "lists": [\n'
    exact = True
    for i, report in enumerate(reports):
        exact = exact and report.exact
        yield (",\n" if i else "") + json.dumps(_as_json(report), indent=2)
    yield f'\n  ],\n  "exact": {json.dumps(exact)}\n}}\n'


def _as_json(report: GateReport) -> dict[str, Any]:
    return {
        "source": title(report.source),
        "exact": report.exact,
        "kind": report.kind,
        "unit": report.unit,
        "entries": report.entries,
        "expected": report.expected,
        "missing": [missing._asdict() for missing in report.missing],
        "too_many": [extra._asdict() for extra in report.too_many],
        "repeated": [twice._asdict() for twice in report.repeated],
        "not_san": [other._asdict() for other in report.not_san],
        "more": report.more,
        "notes": report.notes,
    }


def to_junit(reports: Iterable[GateReport], _: Options) -> Iterator[str]:
    """JUnit's XML: a suite for each list, a case for each sort, which fails if any differ."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="sanproof gate">\n'
    for report in reports:
        suite = _suite(report)
        ET.indent(suite)
        yield f"{ET.tostring(suite, encoding='unicode')}\n"
    yield "</testsuites>\n"


def _suite(report: GateReport) -> ET.Element:
    name = title(report.source)
    suite = ET.Element("testsuite", name=name, errors="0", skipped="0", tests=str(len(SORTS)))
    failed = 0
    by_sort: dict[str, list[str]] = {sort: [] for sort in SORTS}
    for finding in findings(report):
        by_sort[finding.sort].append(_placed(report, finding))
    for sort, sentences in by_sort.items():
        case = ET.SubElement(suite, "testcase", classname=name, name=sort)
        if sentences:
            failed += 1
            message = f"{SORTS[sort].meaning} ({len(sentences):,})"
            ET.SubElement(case, "failure", message=message).text = "\n".join(sentences)
    suite.set("failures", str(failed))
    return suite


def to_sarif(reports: Iterable[GateReport], _: Options) -> Iterator[str]:
    """SARIF 2.1.0, which code hosts show beside the lines."""
    rules = [{"id": name, "shortDescription": {"text": s.meaning}} for name, s in SORTS.items()]
    tool = json.dumps({"driver": {"name": "sanproof", "rules": rules}})
    yield (
        f'{{"$schema": "{SARIF_SCHEMA}", "version": "2.1.0", "runs": [{{"tool": {tool}, '
        '"columnKind": "unicodeCodePoints", "results": ['
    )
    results = (_sarif_result(report, found) for report in reports for found in findings(report))
    for i, result in enumerate(results):
        yield f"{',' if i else ''}\n{json.dumps(result)}"
    yield "\n]}]}\n"


def _sarif_result(report: GateReport, finding: Finding) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(report.source)}}
    location["region"] = {"startLine": _line(report, finding)}
    return {
        "ruleId": finding.sort,
        "level": "error",
        "message": {"text": _placed(report, finding)},
        "locations": [{"physicalLocation": location}],
    }


def _uri(source: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415 - for this format only

    return "stdin" if source == STANDARD_INPUT else quote(source.encode(errors="surrogateescape"))


def _line(report: GateReport, finding: Finding) -> int:
    """The line to point at: what is missing, and what is in a JSON array, has none of its own."""
    return finding.place if finding.place and report.unit == "line" else 1


def to_github(reports: Iterable[GateReport], options: Options) -> Iterator[str]:
    """GitHub's workflow commands, which annotate the file's lines, and the sentence for the log."""
    for report in reports:
        name = github_property(title(report.source))
        shown = dict.fromkeys(SORTS, 0)
        for finding in findings(report):
            shown[finding.sort] += 1
            if shown[finding.sort] <= options.limit:
                word = SORTS[finding.sort].word
                at = f"file={name},line={_line(report, finding)},title=SAN string {word}"
                yield f"::error {at}::{github_data(_placed(report, finding))}\n"
        yield f"{report.headline}\n"


class Form(NamedTuple):
    """How a report is written."""

    pieces: Callable[[Iterable[GateReport], Options], Iterator[str]]
    is_whole: bool
    """Whether the text is of use only when all of it was written."""


FORMATS: Final = {
    "text": Form(to_text, is_whole=False),
    "json": Form(to_json, is_whole=True),
    "junit": Form(to_junit, is_whole=True),
    "sarif": Form(to_sarif, is_whole=True),
    "github": Form(to_github, is_whole=False),
}


def written(form: str, reports: Iterable[GateReport], options: Options) -> Iterator[str]:
    """The text of a form in pieces: printable ASCII and line ends, and nothing else.

    Args:
        form: One of :data:`FORMATS`.
        reports: The lists.
        options: What people want to see.
    """
    return only_printable(FORMATS[form].pieces(reports, options), form)
