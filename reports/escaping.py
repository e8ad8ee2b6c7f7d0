"""Escapes foreign text for the place where it is printed. No other module does so.

Lists, games, file names, answers of libraries and results of others may contain anything. A
terminal acts on control characters, a build's log on ``::error``, a spreadsheet on
``=HYPERLINK(...)``, and Markdown on ``<script>``. HTML alone is escaped elsewhere, by Jinja.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

_NOT_PLAIN: Final = re.compile(r"[^\n -~]|#(?=#\[)")
"""Characters that terminals act on; and the first letter of ``##[``, with which a command to a
runner of GitHub can begin anywhere in a line."""


def _as_python_writes_it(number: int) -> str:
    return f"\\x{number:02x}" if number < 256 else ascii(chr(number))[1:-1]


def _as_xml_writes_it(number: int) -> str:
    """Return a reference; XML has none to control characters, surrogates and two more."""
    lacks = number < 0x20 and number not in {9, 10, 13}
    lacks = lacks or 0xD800 <= number < 0xE000 or number in {0xFFFE, 0xFFFF}
    return _as_python_writes_it(number) if lacks else f"&#{number};"


ESCAPES: Final[dict[str, Callable[[int], str]]] = {
    "text": _as_python_writes_it,
    "json": "\\u{:04x}".format,
    "junit": _as_xml_writes_it,
    "sarif": "\\u{:04x}".format,
    "github": _as_python_writes_it,
}
"""For each report format, the function that escapes the character with a number."""

# Sentences


def printable(text: str) -> str:
    """Put a text on one line, with unprintable characters written as in a Python literal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def cut(text: str, longest: int) -> str:
    """Cut a text to ``longest`` characters; one that was cut ends in three dots."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def shown(text: str, longest: int = 60) -> str:
    """Return a text that is safe to print anywhere, cut if it is long.

    It is quoted and escaped unless it is plain ASCII, which a build's runner cannot take for a
    command.
    """
    text = cut(text, longest)
    plain = text.isascii() and text.isprintable() and text == text.strip() != ""
    return text if plain and not text.startswith("::") else ascii(text)


def plain(text: str) -> str:
    """Put a text on one line so that neither a terminal nor a build's log takes it for a command.

    At the beginning of a line, ``::`` would still be a command.
    """
    return printable(text).replace("##[", "#\\x23[")


def visible(text: str, longest: int = 400) -> str:
    """Cut a text for a page, and put a visible mark in place of each unprintable character."""
    seen = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return seen if len(seen) <= longest else f"{seen[: longest - 1]}\N{HORIZONTAL ELLIPSIS}"


# Whole outputs


def only_printable(pieces: Iterable[str], form: str, *, letters: bool = False) -> Iterator[str]:
    """Escape the pieces of a text, except printable ASCII and line ends, as ``form`` does it.

    ``form`` is a key of :data:`ESCAPES`. With ``letters``, every printable character stays as it
    is.
    """
    escape = ESCAPES[form]

    def as_printed(found: re.Match[str]) -> str:
        stays = letters and found[0] != "#" and found[0].isprintable()
        return found[0] if stays else escape(ord(found[0]))

    for piece in pieces:
        yield _NOT_PLAIN.sub(as_printed, piece)


def github_data(text: str) -> str:
    """Escape a text for the message of a GitHub workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def github_property(text: str) -> str:
    """Escape a text for a property's value in a GitHub workflow command."""
    return github_data(text).replace(":", "%3A").replace(",", "%2C")


# Tables

_FORMULA: Final = r"(?=[\s']*[=+\-@\uff1d\uff0b\uff0d\uff20])"
"""First characters of spreadsheet formulas, in European and in East Asian width."""
_BEFORE_FORMULA: Final = re.compile(f"(^|;){_FORMULA}")
_WRITTEN_FORMULA: Final = re.compile(f"(^|;)'{_FORMULA}")


def table_cell(text: str) -> str:
    """Escape a text for a CSV cell, so that a spreadsheet shows it and never computes it.

    A formula gets an apostrophe before it. So does one after a semicolon, because spreadsheets in
    half of the world separate cells there.
    """
    text = printable(text)
    if text[:1].isalnum() and ";" not in text:
        return text
    return _BEFORE_FORMULA.sub(r"\1'", text)


def read_table_cell(cell: str) -> str:
    """Return the text of a cell that :func:`table_cell` wrote, without its apostrophes."""
    return _WRITTEN_FORMULA.sub(r"\1", cell)


# Markdown

_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9][\w.~:/?#@!$&*+,;=%-]*", re.ASCII)


def web_address(text: str) -> str:
    """Return ``text`` if it is a web address that a link may have, or else an empty string."""
    return text if _ADDRESS.fullmatch(text) else ""


def markdown(text: str) -> str:
    """Escape a text so that a line or a cell of Markdown shows it unchanged."""
    line = " ".join(text.split())
    return re.sub(r"[\\`*_\[\]<>|#&~]", r"\\\g<0>", visible(line, len(line)))
