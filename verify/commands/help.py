"""Help texts that fit the terminal, however narrow it is."""

import re
from collections.abc import Iterable
from typing import Final

import click

from sanproof.verify.findings.width import columns, filled

NARROW: Final = 60
"""With fewer columns than this, what an option does stands below it and not beside it."""

_WIDEST: Final = 80
_NARROWEST_COLUMN: Final = 24
_RAW: Final = "\b"
_TWO_COLUMNS: Final = re.compile(r"( *\S(?:.*?\S)?) {2,}(\S.*)")


def _rows(lines: Iterable[str]) -> list[str]:
    """Lines, where one that begins in the second column of the line before continues that."""
    rows: list[str] = []
    for line in lines:
        parts = _TWO_COLUMNS.fullmatch(rows[-1]) if rows else None
        if parts and line.strip() and len(line) - len(line.lstrip(" ")) == parts.start(2):
            rows[-1] += f" {line.strip()}"
        else:
            rows.append(line)
    return rows


def _no_examples(paragraph: str) -> bool:
    """Whether a paragraph is none of examples: those are what most readers look for."""
    return not paragraph.startswith(f"{_RAW}\nTry:")


class Formatter(click.HelpFormatter):
    """Writes help texts that fit narrow terminals too."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        """Take the width of the terminal; the library would never go below 50 columns."""
        super().__init__(indent_increment, width or min(columns(), max_width or _WIDEST) - 2)
        self._longest = width or columns()

    def write_text(self, text: str) -> None:
        """Write paragraphs, the examples first.

        In a paragraph that begins with a backspace each line stays a line.
        """
        indent = " " * self.current_indent
        paragraphs = []
        for paragraph in sorted(text.split("\n\n"), key=_no_examples):
            first, *lines = paragraph.split("\n")
            if first == _RAW:
                rows = _rows(indent + line for line in lines)
                paragraphs.append("\n".join(map(self._two_columns, rows)))
            else:
                paragraphs.append(filled(indent + " ".join([first, *lines]), self.width))
        self.write("\n\n".join(paragraphs) + "\n")

    def _two_columns(self, line: str) -> str:
        """A line that may have two columns: what is too long for the second goes below."""
        if len(line) <= min(self._longest, _WIDEST):
            return line
        parts = _TWO_COLUMNS.fullmatch(line)
        if parts is None:
            return filled(line, self.width, 4)
        term, text = parts.groups()
        if self.width - parts.start(2) >= _NARROWEST_COLUMN:
            beside = filled(" " * parts.start(2) + text, self.width)
            return line[: parts.start(2)] + beside[parts.start(2) :]
        begins = len(term) - len(term.lstrip(" ")) + 4
        return f"{filled(term, self.width, 4)}\n{filled(' ' * begins + text, self.width)}"

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called, in as many lines as it needs."""
        self.write(filled(f"{prefix or 'Usage: '}{prog} {args}".rstrip(), self.width, 7) + "\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write options and what they do: beside them, or below them on a narrow terminal."""
        if self.width >= NARROW:
            super().write_dl(list(rows), col_max, col_spacing)
            return
        indent = " " * self.current_indent
        for term, text in rows:
            self.write(filled(indent + term, self.width, 4) + "\n")
            if text:
                self.write(filled(f"{indent}    {' '.join(text.split())}", self.width) + "\n")


class Context(click.Context):
    """A command's context, with help texts that fit the terminal."""

    formatter_class = Formatter
