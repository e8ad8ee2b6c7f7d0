"""Reports of the gate, in each format of :mod:`verify.findings.formats`.

Lists are taken one by one, so that many take no more memory than one.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any, Final, NamedTuple

from sanproof.proofs.verdicts.reasons import RULES as REASONS
from sanproof.proofs.verdicts.reasons import Reason
from sanproof.reports.tables.pgn import LONGEST_LINE, movetext
from sanproof.verify.findings.finding import Finding, more
from sanproof.verify.findings.formats import (
    Display,
    JunitCase,
    JunitSuite,
    first,
    github_lines,
    json_object,
    junit,
    sarif,
    text_lines,
)
from sanproof.verify.findings.width import filled
from sanproof.verify.gate.compare import SUFFIX, GateReport, Missing, TooMany
from sanproof.verify.gate.lists import title


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


def findings(report: GateReport) -> Iterator[Finding]:
    """All differences of a list, each as a sentence that names the string and its place."""
    for missing in report.missing:
        yield _finding(report, "missing", None, _missing_sentence(missing))
    for extra in report.too_many:
        sentence = f"{extra.san} is too many ({extra.reason}): {extra.sentence}"
        yield _finding(report, "too-many", extra.place, sentence)
    for twice in report.repeated:
        where = "on line" if report.unit == "line" else f"at {report.unit}"
        sentence = f"{twice.text} is repeated: it is {where} {twice.first} already."
        yield _finding(report, "repeated", twice.place, sentence)
    for other in report.not_san:
        advice = f" ({other.hint})" if other.hint else ""
        yield _finding(report, "not-san", other.place, f"{other.sentence}{advice}.")


def _finding(report: GateReport, sort: str, place: int | None, sentence: str) -> Finding:
    """Place a difference; a missing string or an item of a JSON array stands at the first line."""
    at = f"{report.unit} {place}: " if place else ""
    line = place if place and report.unit == "line" else 1
    title = f"SAN string {SORTS[sort].word}"
    return Finding(sort, f"{at}{sentence}", title, report.source, line)


def _missing_sentence(missing: Missing) -> str:
    return f"{missing.san} is missing: {missing.uci} in {missing.before_fen}."


# For people


def to_text(reports: Iterable[GateReport], display: Display) -> Iterator[str]:
    """A line for each list, and below it the differences."""
    return text_lines(
        (line for report in reports for line in _lines(report, display)), display.columns
    )


def _lines(report: GateReport, display: Display) -> Iterator[str]:
    yield report.headline
    yield from (f"  note: {note}" for note in report.notes)
    for missing in report.missing[: display.limit]:
        yield f"  {_missing_sentence(missing)}"
        yield from (f"      {line}" for line in _game(missing, display))
    yield from _more("missing", len(report.missing), display.limit)
    yield from _reasons(report, display.limit)
    others = report._replace(missing=[], too_many=[])
    for sort, number in (("repeated", len(report.repeated)), ("not-san", len(report.not_san))):
        some = (finding.sentence for finding in findings(others) if finding.rule == sort)
        yield from (f"  {sentence}" for sentence in islice(some, display.limit))
        yield from _more(sort, number, display.limit)


def _more(sort: str, number: int, limit: int) -> list[str]:
    sentence = more(number, limit, SORTS[sort].word)
    return [f"  {sentence}"] if sentence else []


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
    rest = more(len(extras), limit)
    yield f"      {named}{', ' if rest else ''}{rest}."
    yield f"      For example, {extras[0].san}: {extras[0].sentence}"


def _game(missing: Missing, display: Display) -> Iterator[str]:
    """The game that leads to the position: its last moves, or all of it."""
    if missing.game is None or missing.ply is None:
        return
    player = "White" if missing.ply % 2 else "Black"
    number, last = (missing.ply + 1) // 2, (len(missing.game) + 1) // 2
    where = f"{player} plays it at move {number} of a game of {last}"
    if display.whole_games:
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


def to_json(reports: Iterable[GateReport], _: Display) -> Iterator[str]:
    """Everything that is known of each difference."""
    exact = True

    def entries() -> Iterator[str]:
        nonlocal exact
        for report in reports:
            exact = exact and report.exact
            yield json.dumps(_as_json(report), indent=2)

    return json_object({}, "lists", entries(), lambda: {"exact": exact})


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


def to_junit(reports: Iterable[GateReport], _: Display) -> Iterator[str]:
    """A suite for each list, a case for each sort, which fails if any differ."""
    return junit("sanproof gate", map(_junit_suite, reports))


def _junit_suite(report: GateReport) -> JunitSuite:
    name = title(report.source)
    by_sort: dict[str, list[str]] = {sort: [] for sort in SORTS}
    for finding in findings(report):
        by_sort[finding.rule].append(finding.sentence)
    return JunitSuite(name, [_junit_case(name, *item) for item in by_sort.items()])


def _junit_case(name: str, sort: str, sentences: Sequence[str]) -> JunitCase:
    if not sentences:
        return JunitCase(name, sort)
    message = f"{SORTS[sort].meaning} ({len(sentences):,})"
    return JunitCase(name, sort, "failure", message, "\n".join(sentences))


def to_sarif(reports: Iterable[GateReport], _: Display) -> Iterator[str]:
    """A result for each difference, under the rule of its sort."""
    rules = {name: sort.meaning for name, sort in SORTS.items()}
    return sarif(rules, (finding for report in reports for finding in findings(report)))


def to_github(reports: Iterable[GateReport], display: Display) -> Iterator[str]:
    """The first differences of each sort beside their lines, and the sentence for the log."""
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
"""The formats, each with what makes its text; it is printed by ``print_written`` only."""
