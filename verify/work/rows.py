"""The values in a store, and reading them: they may be damaged or forged.

Everything is looked at before it is used: a value of another shape is a ``TypeError`` or a
``ValueError``.
"""

import json
import zlib
from collections import Counter
from typing import Any, Final, TypeVar

# ruff: noqa: ANN401 - JSON may hold anything

N = TypeVar("N", bound=tuple[Any, ...])

MOST_BYTES: Final = 1 << 24
"""More than ten times what the largest row of a run holds, unpacked."""


def packed(value: Any) -> bytes:
    """A row's value as it is stored; :func:`unpacked` reads it."""
    return zlib.compress(json.dumps(value).encode("ascii"), 1)


def with_bytes(value: Any, after: bytes) -> bytes:
    """A row's value with bytes after it; :func:`unpacked_with_bytes` reads both."""
    return packed(value) + zlib.compress(after, 1)


def unpacked(content: bytes, most_bytes: int = MOST_BYTES) -> Any:
    """A row's value, unless it is larger than any row's.

    Raises:
        ValueError: It is, or it is no JSON.
        zlib.error: It was not packed by us.
    """
    plain, _ = _inflated(content, most_bytes)
    return json.loads(plain)


def unpacked_with_bytes(content: bytes, most_bytes: int = MOST_BYTES) -> tuple[Any, bytes]:
    """A row's value, and the bytes that were kept after it; raises what :func:`unpacked` does."""
    plain, rest = _inflated(content, most_bytes)
    after, _ = _inflated(rest, most_bytes) if rest else (b"", b"")
    return json.loads(plain), after


def _inflated(content: bytes, most_bytes: int) -> tuple[bytes, bytes]:
    """What was compressed, and what follows it."""
    unpacker = zlib.decompressobj()
    plain = unpacker.decompress(content, most_bytes)
    if not unpacker.eof:
        raise ValueError("too large")
    return plain, unpacker.unused_data


def items(value: Any) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def texts(value: Any) -> list[str]:
    """A list of texts."""
    return [text(item) for item in items(value)]


def text(value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def number(value: Any) -> int:
    """An integer that counts something."""
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise TypeError("not a number")
    return value


def numbers(value: Any) -> list[int]:
    """A list of such integers."""
    return [number(item) for item in items(value)]


def fields(kind: type[N], value: Any) -> N:
    """A named tuple of texts and integers."""
    found = kind(*items(value))
    if [*map(type, found)] != [*kind.__annotations__.values()]:
        raise TypeError("other fields")
    if any(isinstance(item, int) and abs(item) >> 63 for item in found):
        raise ValueError("too large a number")
    return found


def entries(value: Any) -> dict[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return value


def counts(value: Any) -> Counter[str]:
    """An object of such integers."""
    return Counter({name: number(count) for name, count in entries(value).items()})
