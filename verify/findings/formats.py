"""Writes findings in formats for people, and for the tools that read a build's results.

Each writer yields its text in pieces, so that many findings need no more memory than one. The
output of :func:`written` is printable ASCII and line ends, whatever the findings contain.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from sanproof.reports.escaping import github_data, github_property, only_printable, shown
from sanproof.verify.findings.width import filled

STANDARD_INPUT: Final = "-"
"""The file name of standard input."""
SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
WHOLE: Final = frozenset({"json", "junit", "sarif"})
"""The formats that are useful only if all of the text was written."""


class Finding(NamedTuple):
    """One thing that is wrong with a list, a game or a library.

    Attributes:
        rule: The public name of the kind of finding.
        sentence: What is wrong, for people, safe to print.
        title: A heading for it.
        source: The name of its file, ``-`` for standard input, or None if it is in no file.
        line: The line, from 1.
        column: The column at which it begins, from 1, or None if it is a whole line.
        end_column: The column after it.
        level: The severity in SARIF's words: ``error``, ``warning`` or ``note``.
        fingerprint: A text that stays the same when lines before the finding change. May be empty.
    """

    rule: str
    sentence: str
    title: str
    source: str | None = None
    line: int = 1
    column: int | None = None
    end_column: int | None = None
    level: str = "error"
    fingerprint: str = ""


class Display(NamedTuple):
    """The amount of output for people.

    Attributes:
        limit: The number of findings of each kind, or of each library, in the formats text and
            github.
        columns: The width of the terminal, or None if lines may have any length.
    """

    limit: int = 20
    columns: int | None = None


def written(form: str, pieces: Iterable[str], *, letters: bool = False) -> Iterator[str]:
    """Escape the text of a format. ``letters`` keeps all letters that can be printed."""
    return only_printable(pieces, form, letters=letters)


def print_written(form: str, pieces: Iterable[str]) -> None:
    """Print the text of a format, piece by piece, or at once if it has to be complete.

    For people, a terminal in UTF-8 shows all letters.
    """
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    pieces = written(form, pieces, letters=form in {"text", "github"} and encoding == "utf8")
    if form in WHOLE:
        from shutil import copyfileobj  # noqa: PLC0415 - take long to import
        from tempfile import TemporaryFile  # noqa: PLC0415 - takes long to import

        with TemporaryFile("w+", encoding="ascii", newline="\n") as file:
            file.writelines(pieces)
            file.seek(0)
            copyfileobj(file, sys.stdout)
    else:
        for piece in pieces:
            sys.stdout.write(piece)
    sys.stdout.flush()


# For people


def source_name(source: str) -> str:
    """Return the name of a file as other tools expect it."""
    return "stdin" if source == STANDARD_INPUT else shown(source, 1000)


def more(number: int, limit: int, word: str = "") -> str:
    """Return the end of a list of which only the first ones are shown, or an empty text."""
    if number <= limit:
        return ""
    words = f"{number - limit:,} more {word}".rstrip()
    return f"and {words} (--limit {number} shows them all)"


def first(findings: Iterable[Finding], limit: int) -> Iterator[Finding]:
    """Yield the first ``limit`` findings of each rule. All findings are consumed."""
    shown: dict[str, int] = {}
    for finding in findings:
        shown[finding.rule] = shown.get(finding.rule, 0) + 1
        if shown[finding.rule] <= limit:
            yield finding


def text_lines(lines: Iterable[str], columns: int | None) -> Iterator[str]:
    """Yield lines wrapped to a terminal, or of any length if ``columns`` is None."""
    for line in lines:
        yield f"{line if columns is None else filled(line, columns, 2)}\n"


def github_lines(items: Iterable[Finding | str]) -> Iterator[str]:
    """Yield GitHub's workflow commands. A finding annotates its line; a text is a line of log."""
    for item in items:
        if isinstance(item, str):
            yield f"{item}\n"
            continue
        at = {}
        if item.source is not None:
            at = {"file": source_name(item.source), "line": str(item.line)}
        if item.column is not None:
            at |= {"col": str(item.column), "endColumn": str(item.end_column)}
        at["title"] = item.title
        properties = ",".join(f"{name}={github_property(value)}" for name, value in at.items())
        yield f"::error {properties}::{github_data(item.sentence)}\n"


# For programs


def json_object(
    head: Mapping[str, Any],
    name: str,
    entries: Iterable[str],
    tail: Callable[[], Mapping[str, Any]] = dict,
) -> Iterator[str]:
    """Write a JSON object with one long array, whose entries are already JSON.

    The entries of ``head`` come before the array. ``tail`` is called after the array is written.
    """
    yield f"{{{_members(head)}{', ' if head else ''}{json.dumps(name)}: ["
    for number, entry in enumerate(entries):
        yield f"{',' if number else ''}\n{entry}"
    rest = _members(tail())
    yield f"\n]{', ' if rest else ''}{rest}}}\n"


def _members(entries: Mapping[str, Any]) -> str:
    return json.dumps(entries)[1:-1]


def sarif(
    rules: Mapping[str, str],
    findings: Iterable[Finding],
    tail: Callable[[], Mapping[str, Any]] = dict,
) -> Iterator[str]:
    """Write SARIF 2.1.0, which code hosts show beside the lines. ``rules`` has each rule's meaning.

    ``tail`` is called after the results are written, and returns the end of the run.
    """
    described = [{"id": name, "shortDescription": {"text": text}} for name, text in rules.items()]
    run = {
        "tool": {"driver": {"name": "sanproof", "rules": described}},
        "columnKind": "unicodeCodePoints",
    }
    results = (json.dumps(_sarif_result(finding)) for finding in findings)
    yield f'{{"$schema": "{SARIF_SCHEMA}", "version": "2.1.0", "runs": [\n'
    yield from json_object(run, "results", results, tail)
    yield "]}\n"


def _sarif_result(finding: Finding) -> dict[str, Any]:
    region = {"startLine": finding.line}
    if finding.column is not None and finding.end_column is not None:
        region |= {
            "startColumn": finding.column,
            "endLine": finding.line,
            "endColumn": finding.end_column,
        }
    place = {"artifactLocation": {"uri": _uri(finding.source or "")}, "region": region}
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": finding.level,
        "message": {"text": finding.sentence},
        "locations": [{"physicalLocation": place}],
    }
    if finding.fingerprint:
        result["partialFingerprints"] = {"sanproof/v1": finding.fingerprint}
    return result


def _uri(source: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415 - for this format only

    return "stdin" if source == STANDARD_INPUT else quote(source.encode(errors="surrogateescape"))
