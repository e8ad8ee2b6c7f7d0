"""Writes reports of the gate in each format of :mod:`verify.findings.formats`.

Lists are taken one by one, so that many need no more memory than one.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from sanproof.proofs.theory.reasons import RULES as REASONS
from sanproof.proofs.theory.reasons import Reason
from sanproof.reports.archive.door import ArchiveError, open_complete
from sanproof.reports.tables.pgn import movetext
from sanproof.verify.errors import Failure
from sanproof.verify.explain.answers import Answer
from sanproof.verify.findings.formats import (
    STANDARD_INPUT,
    Display,
    Finding,
    first,
    github_lines,
    json_object,
    more,
    print_written,
    sarif,
    text_lines,
)
from sanproof.verify.findings.width import columns_of
from sanproof.verify.gate.compare import SUFFIX, GateReport, compare
from sanproof.verify.gate.lists import read_list, title

SORTS: Final = {
    "missing": "A reachable string is missing.",
    "too-many": "A string is not among the reachable ones.",
    "repeated": "An entry is repeated.",
    "not-san": "An entry is not a SAN string.",
    "order": "The list is ordered otherwise than the proven one, by length and then by text.",
}
"""The kinds of differences by their names in programs, with their meanings."""
WORDS: Final = dict(zip(SORTS, ("missing", "extra", "repeated", "not SAN", "order"), strict=True))
"""The words for the kinds of differences in texts for people."""


def findings(report: GateReport) -> Iterator[Finding]:
    """Yield all differences of a list, each as a sentence that names the string and its place."""
    for missing in report.missing:
        witness = missing.witness
        said = f"it is how {witness.uci} is written in {witness.before_fen}"
        yield _finding(report, "missing", None, f"{missing.san} is missing: {said}.")
    for extra in report.too_many:
        sentence = f"{extra.san} is extra ({extra.reason}): {extra.sentence}"
        yield _finding(report, "too-many", extra.place, sentence)
    for twice in report.repeated:
        where = "on line" if report.unit == "line" else f"at {report.unit}"
        sentence = f"{twice.text} is repeated: it is {where} {twice.first} already."
        yield _finding(report, "repeated", twice.place, sentence)
    if order := report.order:
        yield _finding(report, "order", order.place, f"{order.sentence}.")
    for other in report.not_san:
        yield _finding(report, "not-san", other.place, f"{other.sentence}. {other.hint}".rstrip())


def _finding(report: GateReport, sort: str, place: int | None, sentence: str) -> Finding:
    """Place a difference; a missing string or an item of a JSON array stands at the first line."""
    at = f"{report.unit} {place}: " if place else ""
    line = place if place and report.unit == "line" else 1
    return Finding(sort, f"{at}{sentence}", f"sanproof: {WORDS[sort]}", report.source, line)


# For people


def to_text(reports: Iterable[GateReport], display: Display) -> Iterator[str]:
    """Yield a line for each list, followed by its differences."""
    return text_lines(
        (line for report in reports for line in _lines(report, display.limit)), display.columns
    )


def _lines(report: GateReport, limit: int) -> Iterator[str]:
    yield report.headline
    yield from (f"  note: {note}" for note in report.notes)
    if not report.entries:
        return
    if rules := dict.fromkeys(report.rules.values()):
        yield f"  Look first at these rules of your generator: {'; '.join(rules)}."
    for missing in report.missing[:limit]:
        yield from _missing(missing)
    yield from _more("missing", len(report.missing), limit)
    yield from _extra(report, limit)
    sentences = {sort: list[str]() for sort in SORTS}
    for finding in findings(report._replace(missing=[], too_many=[])):
        sentences[finding.rule].append(f"  {finding.sentence}")
    for sort in ("order", "repeated", "not-san"):
        yield from sentences[sort][:limit]
        yield from _more(sort, len(sentences[sort]), limit)


def _more(sort: str, number: int, limit: int) -> list[str]:
    sentence = more(number, limit, WORDS[sort])
    return [f"  {sentence}"] if sentence else []


def _missing(missing: Answer) -> Iterator[str]:
    """Yield where the shortest game known has the string, and that game up to it."""
    shown = missing.shown
    yield f"  {missing.san} is missing: it is how {shown.uci} is written in {shown.before_fen}."
    if game := missing.game:
        yield f"      A game up to it: {movetext(game.sans[: game.ply])}"


def _extra(report: GateReport, limit: int) -> Iterator[str]:
    """Yield the extra strings: those with the same reason together, and one of them explained."""
    by_reason = sorted(report.too_many, key=lambda extra: extra.reason)
    for reason, group in groupby(by_reason, key=lambda extra: extra.reason):
        extras = list(group)
        rule = "The list is compared with the strings without suffix (--suffixed: with all)."
        if reason != SUFFIX:
            rule = REASONS[Reason(reason)]
        yield f"  {len(extras):,} extra ({reason}): {rule}"
        if limit:
            named = [f"{extra.san} ({report.unit} {extra.place})" for extra in extras[:limit]]
            named += filter(None, [more(len(extras), limit)])
            yield f"      {', '.join(named)}."
            yield f"      {'For example, ' * (len(extras) > 1)}{extras[0].sentence}"


# For programs


def to_json(reports: Iterable[GateReport], display: Display) -> Iterator[str]:
    """Yield JSON with everything that is known about each difference."""
    exact = True

    def entries() -> Iterator[str]:
        nonlocal exact
        for report in reports:
            exact = exact and report.exact
            yield json.dumps(_as_json(report, display.limit), indent=2)

    return json_object({}, "lists", entries(), lambda: {"exact": exact})


def _as_json(report: GateReport, limit: int) -> dict[str, Any]:
    """Return a report; the first missing strings have their games, which take time to play."""
    found = report._asdict() | {
        "source": title(report.source),
        "missing": [
            _missing_as_json(missing, with_game=number < limit)
            for number, missing in enumerate(report.missing)
        ],
        "order": report.order and report.order._asdict(),
    }
    for sort in ("too_many", "repeated", "not_san"):
        found[sort] = [entry._asdict() for entry in found[sort]]
    return {"exact": report.exact, **found}


def _missing_as_json(missing: Answer, *, with_game: bool) -> dict[str, Any]:
    """Return a missing string with the shortest game known, or with its witness alone."""
    game = missing.game if with_game else None
    position = missing.shown if game else missing.witness
    return {
        "san": missing.san,
        "before_fen": position.before_fen,
        "uci": position.uci,
        "after_fen": position.after_fen,
        **({"ply": game.ply, "game": game.sans} if game else {}),
    }


def to_junit(reports: Iterable[GateReport], _: Display) -> Iterator[str]:
    """Yield a test suite for each list, with a case for each kind of difference, which may fail."""
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - for this format only

    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="sanproof gate">\n'
    for report in reports:
        name = title(report.source)
        sentences = {sort: list[str]() for sort in SORTS}
        for finding in findings(report):
            sentences[finding.rule].append(finding.sentence)
        counts = {"tests": len(SORTS), "failures": sum(map(bool, sentences.values()))}
        suite = ET.Element("testsuite", name=name)
        for word, number in (counts | {"errors": 0, "skipped": 0}).items():
            suite.set(word, str(number))
        for sort, found in sentences.items():
            case = ET.SubElement(suite, "testcase", classname=name, name=sort)
            if found:
                message = f"{SORTS[sort]} ({len(found):,})"
                ET.SubElement(case, "failure", message=message).text = "\n".join(found)
        ET.indent(suite)
        yield f"{ET.tostring(suite, encoding='unicode')}\n"
    yield "</testsuites>\n"


def to_sarif(reports: Iterable[GateReport], _: Display) -> Iterator[str]:
    """Yield a result for each difference, under the rule of its kind."""
    return sarif(SORTS, (finding for report in reports for finding in findings(report)))


def to_github(reports: Iterable[GateReport], display: Display) -> Iterator[str]:
    """Yield annotations of the first differences of each kind, and a sentence for the log."""
    for report in reports:
        yield from github_lines(first(findings(report), display.limit))
        yield from github_lines([report.headline])


FORMATS: Final[dict[str, Callable[[Iterable[GateReport], Display], Iterator[str]]]] = {
    "text": to_text,
    "json": to_json,
    "junit": to_junit,
    "sarif": to_sarif,
    "github": to_github,
}
"""The formats with their writers."""


def run_gate(
    files: Sequence[str],
    directory: Path | None,
    form: str,
    limit: int,
    *,
    bare: bool | None,
    ordered: bool = False,
) -> bool:
    """Check lists, print the result in one of ``FORMATS``, and return whether all are right.

    Each list is read when its turn comes; ``-``, or no file, is standard input. They are compared
    with a finished run, or with the published data; for ``bare`` and ``ordered`` see
    :func:`compare`.

    Raises:
        Failure: A list or the run cannot be read.
    """
    exact = True

    def compared() -> Iterator[GateReport]:
        nonlocal exact
        archive = open_complete(directory)
        for name in files or (STANDARD_INPUT,):
            report = compare(archive, read_list(name), bare=bare, ordered=ordered)
            exact = exact and report.exact
            yield report

    try:
        print_written(form, FORMATS[form](compared(), Display(limit, columns_of(sys.stdout))))
    except ArchiveError as error:
        raise Failure(f"{error}.") from error
    return exact
