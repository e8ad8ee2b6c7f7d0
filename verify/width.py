"""Text for the width of the terminal: lines end between words, never within one."""

import re
import shutil
from collections.abc import Iterator
from typing import Final

_WORD: Final = re.compile(r"(\s*)(\S+)")
_AFTER_SEPARATOR: Final = re.compile(r"(?<=[|,])(?=.)")


def columns() -> int:
    """The columns of the terminal, or what the variable COLUMNS says."""
    return max(1, shutil.get_terminal_size().columns)


def filled(text: str, width: int | None = None, further: int = 0) -> str:
    """A line as lines that fit; those after the first are indented as it is, and further.

    A word longer than a line is cut after a comma or a bar, or stays whole.

    Args:
        text: The line; it may be indented.
        width: The columns; None for those of the terminal.
        further: By how many more columns the lines after the first are indented.
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
