"""``sanproof scan --check``: what deviates in one's own games, with its line."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import REFUTED, Failure
from sanproof.verify.escaping import github_data, github_property, only_printable
from sanproof.verify.gate.lists import shown
from sanproof.verify.notation.deviations import Deviation
from sanproof.verify.notation.illegal import Reason
from sanproof.verify.printing import print_pieces
from sanproof.verify.scan.chunks import AFTER_RESULT, Deviating, Options
from sanproof.verify.scan.harness import scan_in_order, tasks
from sanproof.verify.scan.show import apart
from sanproof.verify.scan.sources import STANDARD_INPUT, Source, find_sources
from sanproof.verify.work.executors import Inline

SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
FAST_FROM_BYTES: Final = 1 << 20
"""Below this size python-chess is done before the fast path is loaded."""

AMBIGUOUS: Final = "ambiguous"
ILLEGAL: Final = "illegal"
NOT_SAN: Final = "not-san"
REFUTING: Final = "not-proven"
SENTENCES: Final = {
    AMBIGUOUS: "It can be several legal moves; the rest of the game is not read.",
    ILLEGAL: "It denotes no legal move; the rest of the game is not read.",
    NOT_SAN: "It is no move; the rest of the game is not read.",
    AFTER_RESULT: "It follows the result of the game.",
    REFUTING: "The move is legal, and its string is not among the proven ones.",
}


class Finding(NamedTuple):
    """What deviates in a source."""

    source: str
    found: Deviating

    @property
    def sentence(self) -> str:
        """What is wrong, for people."""
        found = self.found
        written = shown(found.written)
        if found.canonical:
            means = " ".join(Deviation(kind).sentence for kind in found.kind.split())
            return f"{written} is written {found.canonical} ({found.kind}). {means}"
        kind, _, reason = found.kind.partition(" ")
        why = f" ({reason}). {Reason(reason).sentence}" if reason else "."
        name = {NOT_SAN: "not SAN", AFTER_RESULT: "after the result"}.get(kind, kind)
        where = f" Position: {found.fen}" if found.fen else ""
        return f"{written} is {name}{why} {SENTENCES[kind]}{where}"

    @property
    def rules(self) -> list[str]:
        """The public names of what is wrong."""
        return self.found.kind.split()[:1] if not self.found.canonical else self.found.kind.split()


def lint(names: Sequence[str], options: Options, form: str, limit: int) -> bool:
    """Print what deviates in some sources.

    Args:
        names: Files, folders, addresses, or ``-``.
        options: How they are read.
        form: One of :data:`FORMS`.
        limit: How many deviations the forms for people show.

    Returns:
        Whether anything deviates.

    Raises:
        Failure: A source cannot be read, or a legal move's string is not among the proven ones.
    """
    sources = find_sources(names)
    sizes = [source.size for source in sources]
    small = None not in sizes and sum(size or 0 for size in sizes) < FAST_FROM_BYTES
    counts: Counter[str] = Counter()
    findings = _findings(sources, options._replace(fast=options.fast and not small), counts)
    pieces = only_printable(FORMS[form](findings, counts, limit), form)
    print_pieces(pieces, whole=form in {"json", "sarif"})
    return counts["found"] > 0


def _findings(
    sources: Sequence[Source], options: Options, counts: Counter[str]
) -> Iterator[Finding]:
    """What deviates, in order; the sums are in ``counts`` when all was taken."""
    before: dict[int, Counter[str]] = {}
    for task, result in scan_in_order(tasks(sources), Inline(), options, 1):
        base = before.setdefault(task.source, Counter())
        for found in result.deviations:
            counts["found"] += 1
            game, line = base["games"] + found.game, base["lines"] + found.line
            yield Finding(task.chunk.source, found._replace(game=game, line=line))
        if result.refuting:
            first = result.refuting[0]
            raise Refuted(
                f"{first.san} is legal in {first.fen} and not among the proven strings, in "
                f"game {base['games'] + first.game} of {task.chunk.source}: the theorem is "
                "refuted, or the list is wrong."
            )
        base.update(result.counts)
        counts.update(result.counts)


class Refuted(Failure):
    """A legal move's string is not among the proven ones."""

    exit_code = REFUTED


def _headline(counts: Counter[str]) -> str:
    deviating = number_of(counts["found"], "text deviates", "texts deviate")
    first = f"{number_of(counts['games'], 'game')}, {number_of(counts['moves'], 'move')}: "
    first += f"{deviating}." if counts["found"] else "nothing deviates."
    return " ".join([first, *apart(counts)])


def _more(counts: Counter[str], limit: int) -> Iterator[str]:
    if counts["found"] > limit:
        yield f"and {counts['found'] - limit:,} more (--limit {counts['found']} shows them all)\n"


def to_text(findings: Iterator[Finding], counts: Counter[str], limit: int) -> Iterator[str]:
    """A line for each deviation, as compilers write them."""
    for number, finding in enumerate(findings):
        if number < limit:
            place = f"{_name(finding.source)}:{finding.found.line}:{finding.found.column}"
            yield f"{place}: {finding.sentence}\n"
    yield from _more(counts, limit)
    yield f"{_headline(counts)}\n"


def to_json(findings: Iterator[Finding], counts: Counter[str], _: int) -> Iterator[str]:
    """Everything that is known of each deviation."""
    yield '{\n  "deviations": ['
    for number, finding in enumerate(findings):
        content = {"source": finding.source, **finding.found._asdict()}
        content |= {"rules": finding.rules, "sentence": finding.sentence}
        yield f"{',' if number else ''}\n    {json.dumps(content)}"
    sums = {name: count for name, count in sorted(counts.items()) if name != "found"}
    yield f'\n  ],\n  "found": {counts["found"]},\n  "counts": {json.dumps(sums)}\n}}\n'


def to_sarif(findings: Iterator[Finding], _: Counter[str], __: int) -> Iterator[str]:
    """SARIF 2.1.0, which code hosts show beside the lines."""
    meanings = {deviation.value: deviation.sentence for deviation in Deviation} | SENTENCES
    rules = [{"id": name, "shortDescription": {"text": m}} for name, m in meanings.items()]
    tool = json.dumps({"driver": {"name": "sanproof", "rules": rules}})
    yield (
        f'{{"$schema": "{SARIF_SCHEMA}", "version": "2.1.0", "runs": [{{"tool": {tool}, '
        '"columnKind": "unicodeCodePoints", "results": ['
    )
    for number, finding in enumerate(findings):
        yield f"{',' if number else ''}\n{json.dumps(_sarif_result(finding))}"
    yield "\n]}]}\n"


def _sarif_result(finding: Finding) -> dict[str, Any]:
    found = finding.found
    region = {
        "startLine": found.line,
        "startColumn": found.column,
        "endLine": found.line,
        "endColumn": found.end_column,
    }
    name = finding.source
    uri = "stdin" if name == STANDARD_INPUT else quote(name.encode(errors="surrogateescape"))
    place = {"artifactLocation": {"uri": uri}, "region": region}
    return {
        "ruleId": finding.rules[0],
        "level": "error",
        "message": {"text": finding.sentence},
        "locations": [{"physicalLocation": place}],
    }


def to_github(findings: Iterator[Finding], counts: Counter[str], limit: int) -> Iterator[str]:
    """GitHub's workflow commands, which annotate the lines."""
    for number, finding in enumerate(findings):
        if number < limit:
            found = finding.found
            name = github_property(_name(finding.source))
            at = f"file={name},line={found.line},col={found.column},endColumn={found.end_column}"
            sentence = github_data(finding.sentence)
            yield f"::error {at},title=SAN {finding.rules[0]}::{sentence}\n"
    yield from _more(counts, limit)
    yield f"{_headline(counts)}\n"


def _name(source: str) -> str:
    return "stdin" if source == STANDARD_INPUT else shown(source, 1000)


Form = Callable[[Iterator[Finding], Counter[str], int], Iterator[str]]
FORMS: Final[dict[str, Form]] = {
    "text": to_text,
    "json": to_json,
    "sarif": to_sarif,
    "github": to_github,
}
