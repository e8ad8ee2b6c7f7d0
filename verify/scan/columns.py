"""Columns of numbers and of texts as bytes: to make, send and keep these takes far less time.

A value of Python costs some hundred nanoseconds wherever it goes, and where every move deviates
there are ten of them for each move.
"""

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final, Self

_NUMBER_BYTES: Final = 8
_END_BYTES: Final = 4


class Texts:
    """Texts, one after the other.

    Attributes:
        joined: All of them in UTF-8, nothing between them.
        ends: 0, and where each ends, in bytes; of 32 bits (``i``).
    """

    __slots__ = ("ends", "joined")

    def __init__(self, joined: bytes, ends: "array[int]") -> None:
        self.joined = joined
        self.ends = ends

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """These texts; what UTF-8 has not is escaped."""
        encoded = [text.encode(errors="backslashreplace") for text in texts]
        return cls(b"".join(encoded), array("i", accumulate(map(len, encoded), initial=0)))

    def tolist(self) -> list[str]:
        """They as a list, as an array has it.

        Raises:
            UnicodeDecodeError: They are no UTF-8.
        """
        if self.joined.isascii():
            text = self.joined.decode("ascii")
            return [text[begin:end] for begin, end in pairwise(self.ends)]
        return [self.joined[begin:end].decode() for begin, end in pairwise(self.ends)]

    def __getitem__(self, part: slice) -> "Texts":
        return Texts.of(self.tolist()[part])

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Texts):
            return NotImplemented
        return (self.joined, self.ends) == (other.joined, other.ends)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Texts.of({self.tolist()!r})"


Column = Any
"""Numbers of 64 bits in an array (``q``), or :class:`Texts`."""


def columns_of(columns: Iterable[Sequence[Any]], kinds: Iterable[type]) -> list[Column]:
    """Values of Python as columns, each of ``int`` or of ``str``."""
    return [
        Texts.of(values) if kind is str else array("q", values)
        for values, kind in zip(columns, kinds, strict=True)
    ]


def sizes_of(columns: Sequence[Column]) -> list[int]:
    """For each column how many bytes :func:`bytes_of` writes of its texts; 0 for numbers."""
    return [len(c.joined) if isinstance(c, Texts) else 0 for c in columns]


def bytes_of(columns: Sequence[Column]) -> bytes:
    """Columns of one length as bytes, which :func:`read_columns` reads."""
    parts = []
    for column in columns:
        parts.append(_in_order(column.ends if isinstance(column, Texts) else column).tobytes())
        if isinstance(column, Texts):
            parts.append(column.joined)
    return b"".join(parts)


def read_columns(
    content: bytes, length: int, sizes: Sequence[int], kinds: Sequence[type]
) -> list[Column]:
    """Columns of so many values, from bytes that may be forged.

    Args:
        content: What :func:`bytes_of` wrote.
        length: How many values each column has.
        sizes: What :func:`sizes_of` said.
        kinds: What each column holds, ``int`` or ``str``.

    Raises:
        ValueError: They are no such columns.
    """
    view, columns = memoryview(content), list[Column]()
    for kind, size in zip(kinds, sizes, strict=True):
        item = _END_BYTES * (length + 1) if kind is str else _NUMBER_BYTES * length
        values = array("i" if kind is str else "q")
        values.frombytes(view[:item])
        _in_order(values, itself=True)
        joined, view = bytes(view[item : item + size]), view[item + size :]
        if len(values) != length + (kind is str) or (size and kind is int):
            raise ValueError("too short")
        columns.append(_read_texts(joined, values) if kind is str else _read_numbers(values))
    if view:
        raise ValueError("too long")
    return columns


def _read_texts(joined: bytes, ends: "array[int]") -> Texts:
    if ends[0] or ends[-1] != len(joined) or ends.tolist() != sorted(ends):
        raise ValueError("other ends")
    texts = Texts(joined, ends)
    if not joined.isascii():
        texts.tolist()
    return texts


def _read_numbers(values: "array[int]") -> "array[int]":
    if values and min(values) < 0:
        raise ValueError("a negative number")
    return values


def _in_order(values: "array[int]", *, itself: bool = False) -> "array[int]":
    """Numbers with the lowest byte first, as they are stored, or from there."""
    if sys.byteorder == "big":
        values = values if itself else values[:]
        values.byteswap()
    return values
