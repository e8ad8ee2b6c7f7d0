"""Hints for input that is not, or not quite, a list of SAN strings."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Final

from sanproof.proofs.board.malformed import is_san

_SEPARATORS: Final = ",\t;| "
_SAMPLE: Final = 200
_LONGEST: Final = 200

_HINTS: Final[tuple[tuple[Callable[[str], object], str], ...]] = (
    (lambda text: not text, "leave out empty lines"),
    (lambda text: text != text.strip(), "leave out white space"),
    (re.compile(r"#|//|;").match, "leave out comments"),
    (re.compile(r"""(["'`]).*\1,?""").fullmatch, "leave out quotation marks"),
    (lambda text: text.endswith(","), "leave out commas"),
    (re.compile(r"<.*>|\[.*\]").fullmatch, "leave out special tokens"),
    (re.compile(r"[0o]-[0o](-[0o])?[+#]?").fullmatch, "castling is written with the letter O"),
    (re.compile(r"([a-h]x)?[a-h][18]\(?[QRBN]\)?[+#]?").fullmatch, "promotion needs a ="),
    (re.compile(r".*[!?]").fullmatch, "leave out ! and ?"),
)
_MESSAGE: Final = re.compile(r"(?=[A-Za-z]*[i-np-wyzACE-JLMPS-Z])[A-Za-z]{3}")
"""Three letters and more, one of them none that a SAN string has."""


def hint(text: str) -> str:
    """Return advice about an entry that is not a SAN string; empty if it is not clear."""
    text = text if len(text) <= _LONGEST else text[:_LONGEST]  # the time grows with the square
    if _MESSAGE.search(text) and text.strip():
        return "it looks like a heading or a message: leave it out, or print it to standard error"
    return next((advice for fits, advice in _HINTS if fits(text)), "")


def table_hint(lines: Sequence[str]) -> str | None:
    """Return advice about lines that are the rows of a table; None if they are not.

    They are if all of them hold the same separator, which no SAN string does, and SAN beside it.
    """
    filled = list(filter(None, lines))
    for separator in _SEPARATORS if filled else "":
        if not all(separator in line.strip() for line in filled):
            continue
        if not any(is_san(cell) for line in filled[:_SAMPLE] for cell in line.split(separator)):
            return None
        columns = filled[0].count(separator) + 1
        if len(filled) == 1:
            return f"has one line with {columns:,} entries: put each on a line of its own"
        return f"is a table of {columns:,} columns: give only the column with the strings"
    return None


def object_hint(text: str) -> str | None:
    """Return advice about a JSON object, or one in each line; None if the text is neither."""
    for part, advice in (
        (text, "is a JSON object: give an array of strings, or a number for each string"),
        (text.partition("\n")[0], "holds a JSON object in each line: give one string a line"),
    ):
        try:
            json.loads(part)
        except RecursionError:
            return advice
        except ValueError:
            continue
        return advice
    return None
