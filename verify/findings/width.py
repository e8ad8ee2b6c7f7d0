"""Wraps text to the width of the terminal. Lines end between words, never within one."""

import os
import sys
from contextlib import suppress
from textwrap import TextWrapper
from typing import TextIO


def columns_of(stream: TextIO) -> int | None:
    """Return the width of the terminal that shows a stream, or None if no terminal does.

    The variable COLUMNS overrides the terminal. Standard error can be a terminal while standard
    output is a file.
    """
    if not stream.isatty():
        return None
    variable = os.environ.get("COLUMNS", "")
    if variable.isdecimal() and int(variable):
        return int(variable)
    with suppress(OSError):
        return os.get_terminal_size(stream.fileno()).columns or 80
    return 80


def fitted(text: str, further: int = 0, stream: TextIO | None = None) -> str:
    """Wrap a line for standard output, or for another stream, if a terminal shows it."""
    width = columns_of(stream or sys.stdout)
    return text if width is None else filled(text, width, further)


def filled(text: str, width: int, further: int = 0) -> str:
    """Wrap a line, which may be indented, to a width.

    The lines after the first are indented like it, and by ``further`` columns more. A word that is
    longer than a line stays whole.
    """
    indent = " " * (len(text) - len(text.lstrip(" ")))
    wrapper = TextWrapper(
        width,
        initial_indent=indent,
        subsequent_indent=indent + " " * further,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return wrapper.fill(text.lstrip(" "))
