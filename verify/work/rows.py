"""The values in a store, and reading them: they may be damaged or forged.

A value is what its type is as JSON: a named tuple is an array of its fields. :func:`reader` looks
at everything before it is used: a value of another shape is a ``TypeError`` or a ``ValueError``.
"""

import json
import sys
import zlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, Final, get_args, get_origin, get_type_hints

# ruff: noqa: ANN401 - JSON may hold anything

MAX_BYTES: Final = 1 << 24
"""More than ten times what the largest row of a run holds, unpacked."""


def packed(value: Any, after: bytes = b"") -> bytes:
    """Return a row's value as it is stored, with bytes after it; :func:`unpacked` reads it."""
    content = zlib.compress(json.dumps(value).encode("ascii"), 1)
    return content + zlib.compress(after, 1) if after else content


def unpacked(content: bytes, max_bytes: int = MAX_BYTES) -> tuple[Any, bytes]:
    """Return a row's value, and the bytes that were kept after it.

    Raises:
        ValueError: They are larger than any row's, or it is not JSON.
        zlib.error: They were not packed by us.
    """
    plain, rest = _inflated(content, max_bytes)
    after, _ = _inflated(rest, max_bytes) if rest else (b"", b"")
    return json.loads(plain), after


def _inflated(content: bytes, max_bytes: int) -> tuple[bytes, bytes]:
    """Return what was compressed, and what follows it."""
    unpacker = zlib.decompressobj()
    plain = unpacker.decompress(content, max_bytes)
    if not unpacker.eof:
        raise ValueError("too large")
    return plain, unpacker.unused_data


@cache
def reader(kind: Any) -> Callable[[Any], Any]:
    """Return a function that reads a value of a type, which looks at all of it.

    The types are ``str``, ``int`` (which counts something), named tuples, and lists, dictionaries
    by text, counters and ``tuple[str, ...]`` of them. Equal texts of such a tuple, as moves are,
    become one object: a fifth of the memory.
    """
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is str:
        return text
    if kind is int:
        return number
    if origin is list:
        read = reader(arguments[0])
        return lambda value: [read(item) for item in items(value)]
    if origin is dict:
        read = reader(arguments[1])
        return lambda value: {name: read(item) for name, item in entries(value).items()}
    if origin is Counter:
        read = reader(dict[str, int])
        return lambda value: Counter(read(value))
    if origin is tuple:
        return lambda value: tuple(map(sys.intern, items(value)))
    reads = [reader(field) for field in get_type_hints(kind).values()]
    return lambda value: kind(*(read(item) for read, item in zip(reads, items(value), strict=True)))


def items(value: Any) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def text(value: Any) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def number(value: Any) -> int:
    """Return an integer that counts something."""
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise TypeError("not a number")
    return value


def entries(value: Any) -> dict[str, Any]:
    """Return a JSON object."""
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return value
