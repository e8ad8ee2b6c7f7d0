"""A report for a library's maintainers, to be pasted: the smallest failing case of a mechanism."""

import json
import shlex
from string import Template
from typing import Final

from conformance.scoreboard.contents import LibraryRun, Scoreboard
from conformance.scoreboard.tables import came, expected, played, question
from sanproof.reports.escaping import markdown, markdown_code, web_address
from sanproof.verify.conformance.outcome import Entry
from sanproof.verify.conformance.sanproof_runner import by_mechanism
from sanproof.verify.conformance.suite import Case, case_as_json
from sanproof.verify.conformance.suite import question as line_of

FENCES: Final = {"Python": "python", "JavaScript": "js", "C": "sh", "C++": "sh"}


def maintainers_report(scoreboard: Scoreboard, run: LibraryRun) -> bytes:
    """Write what a library fails, in Markdown; the board's file for it is ``reports/SLUG.md``."""
    failures = scoreboard.failures(run)
    count, suite = scoreboard.count(run), scoreboard.suite
    origin = f" from {markdown(run.registry)}" if run.registry else ""
    lines = [
        f"# {markdown(run.title)}: SAN cases that fail",
        "",
        (
            f"{markdown(run.title)}{origin} was asked the cases of the SAN conformance suite "
            f"{markdown(suite.version)} (level {suite.level.value}) on "
            f"{markdown(run.date)}: {count.passed:,} of "
            f"{count.asked:,} passed, {count.failed:,} failed."
        ),
        "",
    ]
    if run.ended:
        lines += [f"Not all cases could be asked: it {markdown(run.ended)}.", ""]
    if not failures:
        lines += ["Nothing fails."]
    for _, group in by_mechanism(failures, lambda entry: case_as_json(entry.case)):
        lines += _section(scoreboard, run, group)
    return ("\n".join(lines).rstrip() + "\n").encode("utf-8")


def _section(scoreboard: Scoreboard, run: LibraryRun, group: list[Entry]) -> list[str]:
    case = group[0].case
    others = ", ".join(markdown_code(other.case.id) for other in group[1:])
    heading = f"## {markdown(case.mechanism)}: {markdown(question(case))}"
    lines = [heading, "", markdown(case.why), ""]
    if case.fen:
        lines.append(f"- position: {markdown_code(case.fen)}")
    lines += [
        f"- expected: {_quoted(case, expected(case))}",
        f"- got: {_quoted(case, came(group[0]))}",
        f"- case: {markdown_code(case.id)}" + (f"; the same in {others}" if others else ""),
    ]
    lines += [f"- see also {address}" for address in filter(web_address, case.reports)]
    if moves := scoreboard.game_to(case):
        lines.append(f"- a legal game that reaches it: {markdown_code(played(moves))}")
    lines.append("")
    snippet = scoreboard.snippets.get(run.key, {}).get(case.operation.value)
    if snippet is not None:
        return lines + _fenced(_filled(snippet, case, run.language), FENCES.get(run.language, ""))
    asked = json.dumps({"id": 1} | line_of(case))
    return lines + _fenced(f"printf '%s\\n' {shlex.quote(asked)} | ./adapter", "sh")


def _quoted(case: Case, text: str) -> str:
    """Return an answer as code; words about an answer as words."""
    is_words = text == "a rejection" or ": " in text or not case.asked
    return markdown(text) if is_words else markdown_code(text)


def _filled(snippet: str, case: Case, language: str) -> str:
    """Fill literals of its language into a snippet."""
    literal = shlex.quote if FENCES.get(language) == "sh" else json.dumps
    values = {name: literal(case.asked or "") for name in ("san", "uci", "pgn")}
    return Template(snippet).substitute(values | {"fen": literal(case.fen or "")}).rstrip("\n")


def _fenced(text: str, language: str) -> list[str]:
    fence = "```"
    while fence in text:
        fence += "`"
    return [f"{fence}{language}", text, fence, ""]
