"""Text for the width of the terminal: lines end between words, never within one."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, TextIO

_WORD: Final = re.compile(r"(\s*)(\S+)")
_AFTER_SEPARATOR: Final = re.compile(r"(?<=[|,])(?=.)")


def columns() -> int:
    """The columns of the terminal, or what the variable COLUMNS says."""
    import shutil  # noqa: PLC0415 - most look-ups have no use for it

    return max(1, shutil.get_terminal_size().columns)


def columns_of(stream: TextIO) -> int | None:
    """The columns of the terminal that shows what is written to a stream.

    Standard error can be a terminal while standard output goes to a file.

    Returns:
        What the variable COLUMNS says, or else the terminal; None if the stream is no terminal, so
        that lines may be of any length.
    """
    if not stream.isatty():
        return None
    if not os.environ.get("COLUMNS", "").isdecimal():
        with suppress(OSError):
            return os.get_terminal_size(stream.fileno()).columns or columns()
    return columns()


def fitted(text: str, further: int = 0) -> str:
    """A line for standard output: as lines that fit if it is a terminal, otherwise as it is."""
    width = columns_of(sys.stdout)
    return text if width is None else filled(text, width, further)


def filled(text: str, width: int | None = None, further: int = 0) -> str:
    """A line, which may be indented, as lines that fit the width, or the terminal.

    Those after the first are indented as it is, and further by so many columns. A word longer than
    a line is cut after a comma or a bar, or stays whole.
    """
    begins = len(text) - len(text.lstrip(" "))
    room = (width or columns()) - begins - further
    lines = [" " * begins]
    empty = True
    for space, piece in _pieces(text[begins:], room):
        if not empty and len(lines[-1]) + len(space) + len(piece) > (width or columns()):
            lines.append(" " * (begins + further))
            empty = True
        lines[-1] += piece if empty else space + piece
        empty = False
    return "\n".join(lines)


def _pieces(text: str, room: int) -> Iterator[tuple[str, str]]:
    """The words of a line, or parts of words that have no room, each with the space before it."""
    for space, word in _WORD.findall(text):
        first, *more = _AFTER_SEPARATOR.split(word) if len(word) > room else [word]
        yield space, first
        for piece in more:
            yield "", piece
