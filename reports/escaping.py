"""Foreign text, made safe for where it is shown. This is the only place that does it.

Lists, games, file names, answers of libraries and results of others may hold anything. A terminal
acts on control characters, a build's log on ``::error``, a spreadsheet on ``=HYPERLINK(...)``, and
Markdown on ``<script>``. HTML is the one exception: Jinja escapes it in the templates of pages.
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
"""The form in which each report format writes a character by its number."""

# Sentences


def printable(text: str) -> str:
    """Put a text on one line: write a character that cannot be printed as Python writes it."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def cut(text: str, longest: int) -> str:
    """Return a text, cut if it is long."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def shown(text: str, longest: int = 60) -> str:
    """Return a text as it can be printed anywhere: quoted and escaped unless it is plain ASCII.

    What a terminal or a build's runner takes for a command is quoted too.
    """
    text = cut(text, longest)
    plain = text.isascii() and text.isprintable() and text == text.strip() != ""
    return text if plain and not text.startswith("::") else ascii(text)


def plain(text: str) -> str:
    """Return a text on one line that neither a terminal nor a build's log takes for a command.

    The other form of a command, ``::``, stands at the beginning of a line only.
    """
    return printable(text).replace("##[", "#\\x23[")


def visible(text: str, longest: int = 400) -> str:
    """Return a text for a page: not too long, and a mark for each character that cannot be seen."""
    seen = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return seen if len(seen) <= longest else f"{seen[: longest - 1]}\N{HORIZONTAL ELLIPSIS}"


# Whole outputs


def only_printable(pieces: Iterable[str], form: str, *, letters: bool = False) -> Iterator[str]:
    """Yield a text in pieces with printable ASCII and line ends, in a form of :data:`ESCAPES`.

    With ``letters``, all that can be printed stays as it is.
    """
    escape = ESCAPES[form]

    def as_printed(found: re.Match[str]) -> str:
        stays = letters and found[0] != "#" and found[0].isprintable()
        return found[0] if stays else escape(ord(found[0]))

    for piece in pieces:
        yield _NOT_PLAIN.sub(as_printed, piece)


def github_data(text: str) -> str:
    """Return a text as the message of a workflow command of GitHub."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def github_property(text: str) -> str:
    """Return a text as the value of a property of a workflow command of GitHub."""
    return github_data(text).replace(":", "%3A").replace(",", "%2C")


# Tables

_FORMULA: Final = r"(?=[\s']*[=+\-@\uff1d\uff0b\uff0d\uff20])"
"""First characters of spreadsheet formulas, in European and in East Asian width."""
_BEFORE_FORMULA: Final = re.compile(f"(^|;){_FORMULA}")
_WRITTEN_FORMULA: Final = re.compile(f"(^|;)'{_FORMULA}")


def table_cell(text: str) -> str:
    """Return a text as a cell of a CSV file, which a spreadsheet shows and never computes.

    A formula gets an apostrophe before it, also after a semicolon, at which spreadsheets cut the
    cells in half of the world.
    """
    text = printable(text)
    if text[:1].isalnum() and ";" not in text:
        return text
    return _BEFORE_FORMULA.sub(r"\1'", text)


def read_table_cell(cell: str) -> str:
    """Return what was written as a cell: without those apostrophes."""
    return _WRITTEN_FORMULA.sub(r"\1", cell)


# Markdown

_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9][\w.~:/?#@!$&*+,;=%-]*", re.ASCII)


def web_address(text: str) -> str:
    """Return an address of the web that can be followed; empty otherwise."""
    return text if _ADDRESS.fullmatch(text) else ""


def markdown(text: str) -> str:
    """Return a text that stands in a line or a cell of Markdown as it is."""
    line = " ".join(text.split())
    return re.sub(r"[\\`*_\[\]<>|#&~]", r"\\\g<0>", visible(line, len(line)))
