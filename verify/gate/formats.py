"""Reports of the gate, in each format of :mod:`verify.findings.formats`.

Lists are taken one by one, so that many take no more memory than one.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.theory.reasons import RULES as REASONS
from sanproof.proofs.theory.reasons import Reason
from sanproof.reports.tables.pgn import LONGEST_LINE, movetext
from sanproof.verify.explain.answers import Answer
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
from sanproof.verify.gate.compare import SUFFIX, GateReport, TooMany
from sanproof.verify.gate.lists import title

SORTS: Final = {
    "missing": "A reachable string is missing.",
    "too-many": "A string is not among the reachable ones.",
    "repeated": "An entry is repeated.",
    "not-san": "An entry is not a SAN string.",
    "order": "The list is ordered otherwise than the proven one, by length and then by text.",
}
"""The sorts of differences by their names in programs, with what they mean."""


WORDS: Final = {sort: sort.replace("-", " ") for sort in SORTS} | {
    "too-many": "extra",
    "not-san": "not SAN",
}
"""The words for the sorts of differences."""
_MOVES_SHOWN: Final = 3


def findings(report: GateReport) -> Iterator[Finding]:
    """All differences of a list, each as a sentence that names the string and its place."""
    for missing in report.missing:
        yield _finding(report, "missing", None, _missing_sentence(missing))
    for extra in report.too_many:
        sentence = f"{extra.san} is extra ({extra.reason}): {extra.sentence}"
        yield _finding(report, "too-many", extra.place, sentence)
    yield from _of_entries(report)


def _of_entries(report: GateReport) -> Iterator[Finding]:
    """Yield the differences that need no evidence: repeated, out of order, or not SAN."""
    for twice in report.repeated:
        where = "on line" if report.unit == "line" else f"at {report.unit}"
        sentence = f"{twice.text} is repeated: it is {where} {twice.first} already."
        yield _finding(report, "repeated", twice.place, sentence)
    if order := report.order:
        yield _finding(report, "order", order.place, f"{order.sentence}.")
    for other in report.not_san:
        advice = f" ({other.hint})" if other.hint else ""
        yield _finding(report, "not-san", other.place, f"{other.sentence}{advice}.")


def _finding(report: GateReport, sort: str, place: int | None, sentence: str) -> Finding:
    """Place a difference; a missing string or an item of a JSON array stands at the first line."""
    at = f"{report.unit} {place}: " if place else ""
    line = place if place and report.unit == "line" else 1
    title = f"SAN string {WORDS[sort]}"
    return Finding(sort, f"{at}{sentence}", title, report.source, line)


def _missing_sentence(missing: Answer) -> str:
    witness = missing.found
    where = f"{witness.uci} in {witness.before_fen}" if witness else "it is reachable"
    return f"{missing.san} is missing: {where}."


# For people


def to_text(reports: Iterable[GateReport], display: Display) -> Iterator[str]:
    """Return a line for each list, and below it the differences."""
    return text_lines(
        (line for report in reports for line in _lines(report, display)), display.columns
    )


def _lines(report: GateReport, display: Display) -> Iterator[str]:
    yield report.headline
    yield from (f"  note: {note}" for note in report.notes)
    if not report.entries:
        return
    if rules := dict.fromkeys(alike.rule for alike in report.shared.values()):
        yield f"  Look first at these rules of your generator: {'; '.join(rules)}."
    for missing in report.missing[: display.limit]:
        yield f"  {_missing_sentence(missing)}"
        yield from (f"      {line}" for line in _game(missing, display))
    yield from _more("missing", len(report.missing), display.limit)
    yield from _reasons(report, display.limit)
    others = list(_of_entries(report))
    for sort in ("order", "repeated", "not-san"):
        found = [finding.sentence for finding in others if finding.rule == sort]
        yield from (f"  {sentence}" for sentence in found[: display.limit])
        yield from _more(sort, len(found), display.limit)


def _more(sort: str, number: int, limit: int) -> list[str]:
    sentence = more(number, limit, WORDS[sort])
    return [f"  {sentence}"] if sentence else []


def _reasons(report: GateReport, limit: int) -> Iterator[str]:
    """Yield the extra strings: those with the same reason together, and one of them explained."""
    by_reason = sorted(report.too_many, key=lambda extra: extra.reason)
    for reason, group in groupby(by_reason, key=lambda extra: extra.reason):
        extras = list(group)
        rule = "This list is the one without suffixes."
        if reason != SUFFIX:
            rule = REASONS[Reason(reason)]
        yield f"  {len(extras):,} extra ({reason}): {rule}"
        if limit:
            named = [f"{extra.san} ({report.unit} {extra.place})" for extra in extras[:limit]]
            named += filter(None, [more(len(extras), limit)])
            yield f"      {', '.join(named)}."
            yield f"      For example, {extras[0].san}: {extras[0].sentence}"


def _game(missing: Answer, display: Display) -> Iterator[str]:
    """Yield the game that leads to the position: its last moves, or all of it."""
    if (game := missing.game) is None:
        return
    number, last = (game.ply + 1) // 2, (len(game.sans) + 1) // 2
    where = f"{game.colour.capitalize()} plays it at move {number} of a game with {last} moves"
    if display.whole_games:
        yield f"{where}, with its move and on to checkmate:"
        yield from filled(movetext(game.sans), LONGEST_LINE).split("\n")
    else:
        yield f"{where} (--whole-games shows all of it): {_last_moves(game.sans, game.ply)}"


def _last_moves(game: Sequence[str], ply: int) -> str:
    """Return the moves before a ply and its own, as movetext that begins with White's move."""
    begin = max(0, (ply - 1) // 2 - _MOVES_SHOWN) * 2
    moves = [f"{i // 2 + 1}. {game[i]}" if i % 2 == 0 else game[i] for i in range(begin, ply)]
    return ("... " if begin else "") + " ".join(moves)


# For programs


def to_json(reports: Iterable[GateReport], display: Display) -> Iterator[str]:
    """Everything that is known of each difference."""
    exact = True

    def entries() -> Iterator[str]:
        nonlocal exact
        for report in reports:
            exact = exact and report.exact
            yield json.dumps(_as_json(report, display.limit), indent=2)

    return json_object({}, "lists", entries(), lambda: {"exact": exact})


def _as_json(report: GateReport, limit: int) -> dict[str, Any]:
    """Return a report, with games and searched reasons for the first differences of each kind.

    They take time: the shortest game of a string is kept as moves alone and has to be played.
    """
    return {
        "source": title(report.source),
        "exact": report.exact,
        "kind": report.kind,
        "unit": report.unit,
        "entries": report.entries,
        "expected": report.expected,
        "missing": [
            _missing_as_json(missing)
            | ({"game": missing.game and missing.game.sans} if number < limit else {})
            for number, missing in enumerate(report.missing)
        ],
        "too_many": [
            extra._asdict() | ({"why": _why(extra)} if number < limit else {})
            for number, extra in enumerate(report.too_many)
        ],
        "repeated": [twice._asdict() for twice in report.repeated],
        "not_san": [other._asdict() for other in report.not_san],
        "more": report.more,
        "notes": report.notes,
        "order": report.order and report.order._asdict(),
        "shared": {name: alike._asdict() for name, alike in report.shared.items()},
    }


def _why(extra: TooMany) -> list[str]:
    """Return the arrangements of origin and twins that were searched, if any were."""
    if extra.reason not in {Reason.NO_CHECK.value, Reason.NO_TWINS.value}:
        return []
    from sanproof.proofs.theory.arrangements import sentences  # noqa: PLC0415 - few need it

    return list(sentences(parse_san(extra.san)))


def _missing_as_json(missing: Answer) -> dict[str, Any]:
    witness, place = missing.found, missing.earliest or missing.proof_game
    return {
        "san": missing.san,
        "before_fen": witness and witness.before_fen,
        "uci": witness and witness.uci,
        "after_fen": witness and witness.after_fen,
        "ply": place and place.ply,
    }


def to_junit(reports: Iterable[GateReport], _: Display) -> Iterator[str]:
    """Return a suite for each list, a case for each sort, which fails if any differ."""
    return junit("sanproof gate", map(_junit_suite, reports))


def _junit_suite(report: GateReport) -> JunitSuite:
    name = title(report.source)
    by_sort: dict[str, list[str]] = {sort: [] for sort in SORTS}
    for finding in findings(report):
        by_sort[finding.rule].append(finding.sentence)
    cases = [JunitCase(name, sort) for sort in SORTS]
    for place, (sort, sentences) in enumerate(by_sort.items()):
        if sentences:
            message = f"{SORTS[sort]} ({len(sentences):,})"
            cases[place] = JunitCase(name, sort, "failure", message, "\n".join(sentences))
    return JunitSuite(name, cases)


def to_sarif(reports: Iterable[GateReport], _: Display) -> Iterator[str]:
    """Return a result for each difference, under the rule of its sort."""
    return sarif(SORTS, (finding for report in reports for finding in findings(report)))


def to_github(reports: Iterable[GateReport], display: Display) -> Iterator[str]:
    """Yield the first differences of each sort beside their lines, and the sentence for the log."""
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
