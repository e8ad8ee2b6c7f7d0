"""Reading somebody's list of strings, whatever it holds, in bounded memory."""

import codecs
import json
import os
import select
import stat
import sys
import time
from pathlib import Path
from typing import IO, Final, NamedTuple

from verify.errors import Failure

MOST_BYTES: Final = 1 << 25
MOST_ENTRIES: Final = 1 << 21
"""The whole universe, one string a line or as an indented JSON array, is less than half of this."""

STANDARD_INPUT: Final = "-"
_MARKS: Final = {  # the longer ones first: one of UTF-16 begins one of UTF-32
    "UTF-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "UTF-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}


class StringList(NamedTuple):
    """A list as it was read.

    Attributes:
        source: The name of the file, ``-`` for standard input.
        unit: What an entry's number counts: a ``line``, or an ``item`` of a JSON array.
        entries: The strings; of an item that is no string, its JSON text after a line break, so
            that it is equal to no line and no string of the grammar.
        notes: What was passed over, in sentences.
    """

    source: str
    unit: str
    entries: list[str]
    notes: tuple[str, ...] = ()


def shown(text: str, longest: int = 60) -> str:
    """A text as it can be printed anywhere: quoted and escaped unless it is plain ASCII."""
    cut = text if len(text) <= longest else text[: longest - 3] + "..."
    plain = cut.isascii() and cut.isprintable() and cut == cut.strip() != ""
    return cut if plain else ascii(cut)


def title(source: str) -> str:
    """How a list is named in a sentence."""
    return "Standard input" if source == STANDARD_INPUT else shown(source, 1000)


def read_list(name: str) -> StringList:
    """Read a file, or standard input if it is named ``-``.

    Raises:
        Failure: It cannot be read, or is no list of strings.
    """
    if name == STANDARD_INPUT:
        if sys.stdin is None:  # closed by whoever started us
            raise Failure("Standard input is closed.")
        return parse_list(name, bounded(sys.stdin.buffer, title(name)))
    try:
        with _opened(name) as file:
            return parse_list(name, bounded(file, title(name)))
    except ValueError as error:  # a NUL byte in the name
        raise Failure(f"{title(name)} cannot be read: {error}.") from error
    except OSError as error:
        raise Failure(f"{title(name)} cannot be read: {error.strerror}.") from error


def _opened(name: str) -> IO[bytes]:
    found = Path(name).stat()
    if stat.S_ISREG(found.st_mode) and found.st_size > MOST_BYTES:
        raise _too_large(title(name))
    return Path(name).open("rb")


def bounded(file: IO[bytes], name: str, deadline: float | None = None) -> bytes:
    """All that a file or a stream gives, if it is not more than a list can hold.

    Args:
        file: What is read.
        name: How it is named in a sentence.
        deadline: The time on the monotonic clock by which a pipe has to end; None to wait for it.

    Raises:
        Failure: It is too large.
        TimeoutError: It does not end in time.
    """
    content = bytearray()
    while True:
        if deadline is not None:
            left = max(0.0, deadline - time.monotonic())
            if not left or not select.select([file], [], [], left)[0]:
                raise TimeoutError
        piece = os.read(file.fileno(), 1 << 20)
        content += piece
        if not piece:
            return bytes(content)
        if len(content) > MOST_BYTES:
            raise _too_large(name)


def _too_large(name: str) -> Failure:
    return Failure(
        f"{name} holds more than {MOST_BYTES >> 20} MiB: all SAN strings there are take less."
    )


def parse_list(source: str, content: bytes) -> StringList:
    """The strings of a text: one a line, or a JSON array.

    Line ends may be LF or CRLF, the last one may be missing, and a byte order mark may stand
    first: those are ways to store a list. All else is part of a string, white space as well.

    Raises:
        Failure: It is no text in UTF-8, or begins like a JSON array and is none.
    """
    name = title(source)
    for encoding, marks in _MARKS.items():
        if content.startswith(marks):
            raise Failure(f"{name} is written in {encoding}; store it as UTF-8.")
    if (position := content.find(0)) >= 0:
        line = content.count(b"\n", 0, position) + 1
        raise Failure(f"{name} is no text: line {line:,} holds a NUL byte.")
    notes = []
    if content.startswith(codecs.BOM_UTF8):
        notes.append("It begins with a byte order mark.")
        content = content.removeprefix(codecs.BOM_UTF8)
    if content.lstrip()[:1] == b"[":
        return StringList(source, "item", _json_items(name, content), tuple(notes))
    if b"\r\n" in content:
        notes.append("Its lines end with CRLF.")
        content = content.replace(b"\r\n", b"\n")
    if content.count(b"\n") > MOST_ENTRIES:
        raise _too_many(name)
    # What is no UTF-8 is shown escaped, among the strings that are none.
    lines = content.removesuffix(b"\n").decode("utf-8", "surrogateescape").split("\n")
    return StringList(source, "line", lines if content else [], tuple(notes))


def _too_many(name: str) -> Failure:
    return Failure(f"{name} has more than {MOST_ENTRIES:,} entries: there are not so many strings.")


def _json_items(name: str, content: bytes) -> list[str]:
    if content.count(b",") > MOST_ENTRIES:  # small entries take many times their size
        raise _too_many(name)
    try:
        items = json.loads(content)
    except RecursionError as error:
        raise Failure(f"{name} is a JSON array of arrays; it should hold strings.") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno:,}, column {error.colno:,}"
        raise Failure(f"{name} begins like a JSON array, but {where} is not JSON.") from error
    except ValueError as error:
        raise Failure(f"{name} begins like a JSON array, but is not JSON.") from error
    if len(items) > MOST_ENTRIES:
        raise _too_many(name)
    return [item if isinstance(item, str) else "\n" + _json_text(item) for item in items]


def _json_text(item: object) -> str:
    if isinstance(item, (list, dict)):
        return "an array" if isinstance(item, list) else "an object"
    return str(json.dumps(item))[:40]
