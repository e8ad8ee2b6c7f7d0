"""A report for a library's maintainers, to be pasted: the smallest failing case of a mechanism."""

import json
import shlex
from collections.abc import Sequence
from string import Template
from typing import Final

from conformance.scoreboard.contents import AskedCase, CaseResult, LibraryRun, Scoreboard
from conformance.scoreboard.words import came, expected, played, question
from sanproof.reports.escaping import markdown, markdown_code, web_address

FENCES: Final = {"Python": "python", "JavaScript": "js", "C": "sh", "C++": "sh"}


def maintainers_report(scoreboard: Scoreboard, run: LibraryRun) -> bytes:
    """Write what a library fails, in Markdown; the board's file for it is ``reports/SLUG.md``."""
    failures = scoreboard.failures(run)
    count = scoreboard.count(run)
    lines = [
        f"# {markdown(run.title)}: SAN cases that fail",
        "",
        (
            f"{_origin(run)} was asked the cases of the SAN conformance suite "
            f"{markdown(scoreboard.version)} (level {markdown(scoreboard.level)}) on "
            f"{markdown(run.date)}: {count.passed:,} of "
            f"{count.asked:,} passed, {count.failed:,} failed."
        ),
        "",
    ]
    if run.ended:
        lines += [f"Not all cases could be asked: it {markdown(run.ended)}.", ""]
    if not failures:
        lines += ["Nothing fails."]
    for pairs in _by_mechanism(failures):
        lines += _section(scoreboard, run, pairs)
    return ("\n".join(lines).rstrip() + "\n").encode("utf-8")


def _origin(run: LibraryRun) -> str:
    origin = f" from {markdown(run.registry)}" if run.registry else ""
    return f"{markdown(run.title)}{origin}"


def _by_mechanism(
    failures: Sequence[tuple[AskedCase, CaseResult]],
) -> list[list[tuple[AskedCase, CaseResult]]]:
    """The failures of each mechanism and operation, the one with the smallest position first.

    Broken input comes last: a library may have reasons to repair it.
    """
    groups: dict[tuple[str, str], list[tuple[AskedCase, CaseResult]]] = {}
    for case, answer in failures:
        groups.setdefault((case.mechanism, case.operation), []).append((case, answer))
    return [
        sorted(pairs, key=lambda pair: (pair[0].men, len(pair[0].game), pair[0].id))
        for _, pairs in sorted(groups.items(), key=lambda item: (_is_broken(item[0]), item[0]))
    ]


def _is_broken(group: tuple[str, str]) -> bool:
    return group[0].startswith("broken.")


def _section(
    scoreboard: Scoreboard, run: LibraryRun, pairs: Sequence[tuple[AskedCase, CaseResult]]
) -> list[str]:
    case, answer = pairs[0]
    others = [markdown_code(other.id) for other, _ in pairs[1:]]
    heading = f"## {markdown(case.mechanism)}: {markdown(question(case))}"
    lines = [heading, "", markdown(case.why), ""]
    if case.fen:
        lines.append(f"- position: {markdown_code(case.fen)}")
    lines += [
        f"- expected: {_quoted(case, expected(case))}",
        f"- came: {_quoted(case, came(case, answer))}",
        f"- case: {markdown_code(case.id)}"
        + (f"; the same in {', '.join(others)}" if others else ""),
    ]
    lines += [f"- see also {address}" for address in filter(web_address, case.reports)]
    if case.game:
        lines.append(f"- a legal game to it: {markdown_code(played(case))}")
    lines.append("")
    snippet = scoreboard.snippets.get(run.key, {}).get(case.operation)
    if snippet is not None:
        lines += _fenced(_filled(snippet, case, run.language), FENCES.get(run.language, ""))
    else:
        lines += _fenced(_asked_of_adapter(case), "sh")
    return lines


def _asked_of_adapter(case: AskedCase) -> str:
    """A line for a shell that asks an adapter the case: it needs nothing else."""
    asked = {"id": 1, "operation": case.operation}
    name = {"read": "san", "write": "uci", "play": "san", "game": "pgn"}.get(case.operation)
    asked |= {"fen": case.fen} if case.fen else {}
    asked |= {name: case.asked} if name else {}
    return f"printf '%s\\n' {shlex.quote(json.dumps(asked))} | ./adapter"


def _quoted(case: AskedCase, text: str) -> str:
    """An answer as code; words about an answer as words."""
    return (
        markdown(text)
        if text == "a rejection" or ": " in text or not case.asked
        else markdown_code(text)
    )


def _filled(snippet: str, case: AskedCase, language: str) -> str:
    """A snippet with literals of its language in it."""
    literal = shlex.quote if FENCES.get(language) == "sh" else json.dumps
    values = {name: literal(case.asked) for name in ("san", "uci", "pgn")}
    return Template(snippet).substitute(values | {"fen": literal(case.fen)}).rstrip("\n")


def _fenced(text: str, language: str) -> list[str]:
    fence = "```"
    while fence in text:
        fence += "`"
    return [f"{fence}{language}", text, fence, ""]
