"""What the gate found, for people and for the tools that read a build's results."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree as ET

from reports.tables.pgn import movetext, wrapped
from verify.gate.compare import GateReport, Missing
from verify.gate.lists import STANDARD_INPUT, title

SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
RULES: Final = {
    "missing": "A reachable string is missing.",
    "too-many": "A string is not among the reachable ones.",
    "duplicate": "A string is repeated.",
    "strange": "An entry is not a SAN string.",
}


class Finding(NamedTuple):
    """One difference: its rule, what it is about, where, and the sentence."""

    rule: str
    text: str
    place: int | None
    sentence: str
    detail: str = ""


def findings(report: GateReport) -> Iterator[Finding]:
    """All differences of a list, each as a sentence."""
    for missing in report.missing:
        sentence = f"{missing.san} is missing: {missing.uci} in {missing.before_fen}."
        yield Finding("missing", missing.san, None, sentence, _game(missing))
    for extra in report.too_many:
        yield Finding("too-many", extra.san, extra.place, extra.sentence)
    for strange in report.strange:
        yield Finding("strange", strange.text, strange.place, f"{strange.sentence}.")
    for twice in report.duplicates:
        sentence = f"{twice.text} is there already, at {report.unit} {twice.first}."
        yield Finding("duplicate", twice.text, twice.place, sentence)


def _game(missing: Missing) -> str:
    """The game that leads to the position, with its move and on to checkmate."""
    if missing.game is None or missing.ply is None:
        return ""
    player = "White" if missing.ply % 2 else "Black"
    where = f"played by {player} at move {(missing.ply + 1) // 2} of"
    return f"{where}\n{wrapped(movetext(missing.game))}"


def to_text(reports: Sequence[GateReport], limit: int) -> str:
    """For people: a line for each list, and below it the differences."""
    lines = []
    for report in reports:
        lines.append(report.headline)
        lines += [f"  note: {note}" for note in report.notes]
        some = list(findings(report))
        by_rule = {rule: [f for f in some if f.rule == rule] for rule in RULES}
        for group in by_rule.values():
            for finding in group[:limit]:
                where = f"{report.unit} {finding.place}: " if finding.place else ""
                lines.append(f"  {where}{finding.sentence}")
                lines += [f"      {line}" for line in finding.detail.splitlines()]
            if len(group) > limit:
                more = f"{len(group) - limit:,} more {group[0].rule}"
                lines.append(f"  and {more} (--limit {len(group)} shows them all)")
    return "\n".join(lines)


def to_json(reports: Sequence[GateReport], _: int) -> str:
    """Everything that is known of each difference."""
    lists = [
        {
            "source": title(report.source),
            "exact": report.exact,
            "kind": report.kind,
            "unit": report.unit,
            "entries": report.entries,
            "expected": report.expected,
            "missing": [missing._asdict() for missing in report.missing],
            "too_many": [extra._asdict() for extra in report.too_many],
            "duplicates": [twice._asdict() for twice in report.duplicates],
            "strange": [strange._asdict() for strange in report.strange],
            "more": report.more,
            "notes": report.notes,
        }
        for report in reports
    ]
    return json.dumps({"exact": all(report.exact for report in reports), "lists": lists}, indent=2)


def to_junit(reports: Sequence[GateReport], _: int) -> str:
    """JUnit's XML: a suite for each list, a case for each rule, a failure for each difference."""
    root = ET.Element("testsuites", name="sanproof gate")
    for report in reports:
        some = list(findings(report))
        name = title(report.source)
        suite = ET.SubElement(root, "testsuite", name=name, errors="0", skipped="0")
        failed = 0
        for rule, meaning in RULES.items():
            case = ET.SubElement(suite, "testcase", classname=name, name=rule)
            group = [finding for finding in some if finding.rule == rule]
            if group:
                failed += 1
                failure = ET.SubElement(case, "failure", message=f"{meaning} ({len(group):,})")
                failure.text = "\n".join(_placed(report, finding) for finding in group)
        suite.set("tests", str(len(RULES)))
        suite.set("failures", str(failed))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}'


def _placed(report: GateReport, finding: Finding) -> str:
    return (
        f"{report.unit} {finding.place}: {finding.sentence}" if finding.place else finding.sentence
    )


def to_sarif(reports: Sequence[GateReport], _: int) -> str:
    """SARIF 2.1.0, which code hosts show beside the lines."""
    rules = [{"id": rule, "shortDescription": {"text": text}} for rule, text in RULES.items()]
    results = [_sarif_result(report, found) for report in reports for found in findings(report)]
    driver = {"name": "sanproof", "rules": rules}
    run = {"tool": {"driver": driver}, "results": results, "columnKind": "unicodeCodePoints"}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _sarif_result(report: GateReport, finding: Finding) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(report.source)}}
    location["region"] = {"startLine": _line(report, finding)}
    return {
        "ruleId": finding.rule,
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


def to_github(reports: Sequence[GateReport], limit: int) -> str:
    """GitHub's workflow commands, which annotate the file's lines, and the sentence for the log."""
    lines = []
    for report in reports:
        name = _escaped(title(report.source)).replace(":", "%3A").replace(",", "%2C")
        by_rule: dict[str, int] = dict.fromkeys(RULES, 0)
        for finding in findings(report):
            by_rule[finding.rule] += 1
            if by_rule[finding.rule] <= limit:
                at = f"file={name},line={_line(report, finding)},title=SAN {finding.rule}"
                lines.append(f"::error {at}::{_escaped(_placed(report, finding))}")
        lines.append(report.headline)
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


FORMATS: Final[dict[str, Callable[[Sequence[GateReport], int], str]]] = {
    "text": to_text,
    "json": to_json,
    "junit": to_junit,
    "sarif": to_sarif,
    "github": to_github,
}
