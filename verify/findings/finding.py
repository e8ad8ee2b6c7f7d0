"""One thing that is wrong, and where."""

from typing import NamedTuple

from sanproof.reports.escaping import shown

STANDARD_INPUT = "-"
"""The file name of standard input."""


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


def source_name(source: str) -> str:
    """Return a file's name as tools are told it."""
    return "stdin" if source == STANDARD_INPUT else shown(source, 1000)


def more(number: int, limit: int, word: str = "") -> str:
    """Return the end of a list of which only the first are shown; empty if all are."""
    if number <= limit:
        return ""
    words = f"{number - limit:,} more {word}".rstrip()
    return f"and {words} (--limit {number} shows them all)"
