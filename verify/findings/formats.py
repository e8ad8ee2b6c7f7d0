"""Findings and their formats: for people, and for the tools that read a build's results.

Each writer gives its text in pieces, so that many findings take no more memory than one. What
comes out of :func:`written` is printable ASCII and line ends, whatever was found in what.
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
"""The formats that are of use only when all of the text was written."""


class Finding(NamedTuple):
    """One thing that is wrong with a list, a game or a library.

    Attributes:
        rule: The public name of what is wrong.
        sentence: What is wrong, for people; fit to be printed.
        title: A heading for it.
        source: The file in which it is, ``-`` for standard input; None if it is in no file.
        line: The line, from 1.
        column: The column at which it begins, from 1; None if it is a whole line.
        end_column: The column after it.
        level: How bad it is, as SARIF names it: ``error``, ``warning`` or ``note``.
        fingerprint: The same for the same finding when lines before it have changed; or nothing.
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
    """The amount of output that people ask for.

    Attributes:
        limit: Findings of each sort, or of each library, that the formats text and github show.
        columns: The width of the terminal; None where lines may be of any length.
    """

    limit: int = 20
    columns: int | None = None


def written(form: str, pieces: Iterable[str], *, letters: bool = False) -> Iterator[str]:
    """Yield the text of a format as it can be printed anywhere, or where letters can be."""
    return only_printable(pieces, form, letters=letters)


def print_written(form: str, pieces: Iterable[str]) -> None:
    """Print the text of a format: piece by piece, or when it is complete if it must be whole.

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
    """Return a file's name as tools are told it."""
    return "stdin" if source == STANDARD_INPUT else shown(source, 1000)


def more(number: int, limit: int, word: str = "") -> str:
    """Return the end of a list of which only the first are shown; empty if all are."""
    if number <= limit:
        return ""
    words = f"{number - limit:,} more {word}".rstrip()
    return f"and {words} (--limit {number} shows them all)"


def first(findings: Iterable[Finding], limit: int) -> Iterator[Finding]:
    """Yield the first findings of each rule, but ask for all."""
    shown: dict[str, int] = {}
    for finding in findings:
        shown[finding.rule] = shown.get(finding.rule, 0) + 1
        if shown[finding.rule] <= limit:
            yield finding


def text_lines(lines: Iterable[str], columns: int | None) -> Iterator[str]:
    """Yield lines that fit a terminal, or of any length if ``columns`` is None."""
    for line in lines:
        yield f"{line if columns is None else filled(line, columns, 2)}\n"


def github_lines(items: Iterable[Finding | str]) -> Iterator[str]:
    """Yield GitHub's workflow commands: a finding annotates its line; a text is a line of a log."""
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
    """Write a JSON object with one long array, whose entries are JSON already.

    Its head stands before the array. Its tail is asked for when the array is written.
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
    """Write SARIF 2.1.0, which code hosts show beside the lines; with what each rule means.

    The tail is the end of the run, asked for when the results are written.
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
