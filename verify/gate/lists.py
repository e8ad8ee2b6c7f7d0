"""Reads users' lists of strings, whatever they contain, in bounded memory."""

import codecs
import json
import os
import re
import stat
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Final, NamedTuple

import click

from sanproof.proofs.board.malformed import is_san
from sanproof.reports.escaping import shown
from sanproof.verify.errors import Failure
from sanproof.verify.findings.formats import STANDARD_INPUT

MAX_BYTES: Final = 1 << 25
MAX_ENTRIES: Final = 1 << 21
"""More than twice the number of strings of the grammar, one a line or in an indented JSON array."""

WAITING: Final = "Type or paste the list, one string a line; Ctrl-D on an empty line ends it."
_MOST_NAMED: Final = 20
_SAMPLE: Final = 200
_OF_GAMES: Final = re.compile(r"[1-9]\d*\.(?:\.\.)?|1-0|0-1|1/2-1/2|\*")
"""Tokens of a game that are no moves."""


class StringList(NamedTuple):
    """A list as it was read.

    Attributes:
        source: The name of the file, or ``-`` for standard input.
        unit: The unit of places: a ``line``, or an ``item`` of a JSON array, or of a vocabulary in
            the order of its numbers.
        entries: The strings.
        notes: Sentences about entries that were left out.
    """

    source: str
    unit: str
    entries: Sequence[str]
    notes: tuple[str, ...] = ()


def title(source: str) -> str:
    """Return the name of a list for a sentence."""
    return "Standard input" if source == STANDARD_INPUT else shown(source, 1000)


def read_list(name: str) -> StringList:
    """Read a list from a file, or from standard input if the name is ``-``.

    Raises:
        Failure: It cannot be read, or is not a list of strings.
    """
    if name == STANDARD_INPUT:
        if sys.stdin is None:  # closed by the parent process
            raise Failure("Standard input is closed.")
        if sys.stdin.isatty():
            click.echo(WAITING, err=True)
        return parse_list(name, _bounded(sys.stdin.buffer, title(name)))
    try:
        found = Path(name).stat()
        if stat.S_ISREG(found.st_mode) and found.st_size > MAX_BYTES:
            raise _too_large(title(name))
        with Path(name).open("rb") as file:
            return parse_list(name, _bounded(file, title(name)))
    except ValueError as error:  # a NUL byte in the name
        raise Failure(f"{title(name)} cannot be read: {error}.") from error
    except OSError as error:
        raise Failure(f"{title(name)} cannot be read: {error.strerror}.") from error


def _bounded(file: IO[bytes], name: str) -> bytes:
    """All that a file or a stream gives; a Failure if it is more than a list can hold."""
    content = bytearray()
    while piece := os.read(file.fileno(), 1 << 20):
        content += piece
        if len(content) > MAX_BYTES:
            raise _too_large(name)
    return bytes(content)


def _too_large(name: str) -> Failure:
    return Failure(
        f"{name} is larger than {MAX_BYTES >> 20} MiB; all SAN strings together are smaller."
    )


def parse_list(source: str, content: bytes) -> StringList:
    """Return the strings of a text: one a line, a JSON array, or a vocabulary.

    A vocabulary is a JSON object that has a number for each string, or a ``tokenizer.json`` of
    Hugging Face's that contains such an object. Only the latter names its special tokens, which are
    left out.

    Lines may end in LF or CRLF, the last line end may be missing, and there may be a byte order
    mark. Everything else belongs to a string, including white space.

    Raises:
        Failure: The text is not UTF-8, or is a table, or JSON of another kind.
    """
    name = title(source)
    if (position := content.find(0)) >= 0:
        line = content.count(b"\n", 0, position) + 1
        raise Failure(
            f"{name} is not a text in UTF-8: line {line:,} holds a NUL byte."
            " If it is UTF-16, save it as UTF-8."
        )
    notes = []
    if content.startswith(codecs.BOM_UTF8):
        notes.append("It begins with a byte order mark.")
        content = content.removeprefix(codecs.BOM_UTF8)
    start = content.lstrip()[:1]
    for separator, begins in ((b",", start in {b"[", b"{"}), (b"\n", True)):
        # JSON of too many entries is not read: small ones take many times their size.
        if begins and content.count(separator) > MAX_ENTRIES:
            more = f"more than {MAX_ENTRIES:,} entries"
            raise Failure(f"{name} has {more}; there are fewer SAN strings.")
    if start == b"[":
        entries = list(map(_text, _json_items(name, content)))
        return StringList(source, "item", entries, tuple(notes))
    if start == b"{" and (vocabulary := _vocabulary(name, content)) is not None:
        texts, more_notes = vocabulary
        return StringList(source, "item", texts, (*notes, *more_notes))
    if b"\r\n" in content:
        notes.append("Its lines end with CRLF.")
        content = content.replace(b"\r\n", b"\n")
    # Bytes outside UTF-8 are shown escaped, among the wrong strings.
    lines = content.removesuffix(b"\n").decode("utf-8", "surrogateescape").split("\n")
    _refuse_table(name, list(filter(None, lines)))
    return StringList(source, "line", lines if content else [], tuple(notes))


def _refuse_table(name: str, lines: Sequence[str]) -> None:
    """Refuse lines that all hold the same separator, which no SAN string does, and SAN beside it.

    Raises:
        Failure: They are the rows of a table.
    """
    for separator in ",\t;| " if lines else "":
        cells = (cell for line in lines[:_SAMPLE] for cell in line.split(separator))
        if all(separator in line.strip() for line in lines) and any(map(is_san, cells)):
            columns = lines[0].count(separator) + 1
            raise Failure(
                f"{name} is a table of {columns:,} columns: give only the column with the strings, "
                "each on a line of its own."
            )


def _json_items(name: str, content: bytes) -> list[object]:
    try:
        items: list[object] = json.loads(content)
    except RecursionError as error:
        raise Failure(f"{name} is a JSON array of arrays; it should hold strings.") from error
    except ValueError as error:
        if re.match(rb'\s*\[\w+ "', content):
            raise Failure(f"{name} holds games: check it with `sanproof scan`.") from error
        raise _not_json(name, "array", error) from error
    return items


def _not_json(name: str, kind: str, error: ValueError) -> Failure:
    where = ""
    if isinstance(error, json.JSONDecodeError):
        where = f": see line {error.lineno:,}, column {error.colno:,}"
    return Failure(f"{name} begins like a JSON {kind}, but is not JSON{where}.")


def _text(item: object) -> str:
    """Return an item of a JSON array that should be a string; as another one, it is not SAN."""
    if isinstance(item, str):
        return item
    if isinstance(item, (list, dict)):
        return "[]" if isinstance(item, list) else "{}"
    return json.dumps(item)[:40]


def _vocabulary(name: str, content: bytes) -> tuple[list[str], list[str]] | None:
    """Return the strings of a vocabulary by their numbers, and notes; None if it is not JSON.

    Raises:
        Failure: It is another JSON object, or begins like one.
    """
    try:
        found = json.loads(content, object_pairs_hook=tuple)  # so repeated keys are seen
    except RecursionError:
        found = ()
    except ValueError as error:
        if re.match(rb'\s*\{\s*"', content):
            raise _not_json(name, "object", error) from error
        return None
    parts = dict(found)
    model, added = parts.get("model"), parts.get("added_tokens")
    added = added if isinstance(added, list) else []
    if isinstance(model, tuple):
        found = dict(model).get("vocab")
    if not (isinstance(found, tuple) and found and all(type(n) is int for _, n in found)):
        raise Failure(
            f"{name} is a JSON object: give an array of strings, or a number for each string."
        )
    tokens = [dict(token) for token in added if isinstance(token, tuple)]
    special = {
        token["content"]: None
        for token in tokens
        if isinstance(token.get("content"), str) and token.get("special") is not False
    }
    texts = [text for text, _ in sorted(found, key=lambda pair: pair[1]) if text not in special]
    notes = []
    if special:
        named = list(map(shown, islice(special, _MOST_NAMED)))
        more = [f"{len(special) - _MOST_NAMED:,} more"] * (len(special) > _MOST_NAMED)
        notes.append(f"Left out as special: {', '.join([*named, *more])}.")
    if isinstance(model, tuple):
        moves = [text for text in texts if not _OF_GAMES.fullmatch(text)]
        others, texts = len(texts) - len(moves), moves
        notes += [f"Left out as numbers of moves and results: {others:,}."] * (others > 0)
    if len({number for _, number in found}) < len(found):
        notes.append("It gives two strings the same number.")
    return texts, notes
