"""Columns of numbers and of texts as bytes: to make, send and keep these takes far less time.

A value of Python costs some hundred nanoseconds wherever it goes, and where every move deviates
there are ten of them for each move.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, Self


class TextColumn:
    """Texts, one after the other: joined in UTF-8, and 0 and where each ends, in bytes (``i``)."""

    __slots__ = ("ends", "joined")

    def __init__(self, joined: bytes, ends: "array[int]") -> None:
        self.joined = joined
        self.ends = ends

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Return these texts as a column; what UTF-8 does not have is escaped."""
        encoded = [text.encode(errors="backslashreplace") for text in texts]
        return cls(b"".join(encoded), array("i", accumulate(map(len, encoded), initial=0)))

    def tolist(self) -> list[str]:
        """Return them as a list, as an array does; a UnicodeDecodeError if they are not UTF-8."""
        if self.joined.isascii():
            text = self.joined.decode("ascii")
            return [text[begin:end] for begin, end in pairwise(self.ends)]
        return [self.joined[begin:end].decode() for begin, end in pairwise(self.ends)]

    def __getitem__(self, part: slice) -> "TextColumn":
        return TextColumn.of(self.tolist()[part])

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TextColumn):
            return NotImplemented
        return (self.joined, self.ends) == (other.joined, other.ends)

    __hash__ = None  # type: ignore[assignment]


Column = Any
"""Numbers of 64 bits in an array (``q``), or :class:`TextColumn`."""


def columns_of(columns: Iterable[Sequence[Any]], kinds: Iterable[type]) -> list[Column]:
    """Return values of Python as columns, each of ``int`` or of ``str``."""
    return [
        TextColumn.of(values) if kind is str else array("q", values)
        for values, kind in zip(columns, kinds, strict=True)
    ]


def bytes_of(columns: Sequence[Column]) -> bytes:
    """Return columns of one length as bytes, which :func:`read_columns` reads on this machine."""
    parts = []
    for column in columns:
        is_text = isinstance(column, TextColumn)
        parts += [column.ends.tobytes(), column.joined] if is_text else [column.tobytes()]
    return b"".join(parts)


def read_columns(content: bytes, length: int, kinds: Sequence[type]) -> list[Column]:
    """Read columns of so many values, ``int`` or ``str``, from bytes that may be forged.

    Raises:
        ValueError: They are not what :func:`bytes_of` wrote.
    """
    view, columns = memoryview(content), list[Column]()
    for kind in kinds:
        values = array("i" if kind is str else "q")
        count = length + (kind is str)
        values.frombytes(view[: count * values.itemsize])
        view = view[count * values.itemsize :]
        if len(values) != count or (values and min(values) < 0):
            raise ValueError("too short, or a negative number")
        if kind is int:
            columns.append(values)
            continue
        texts = TextColumn(bytes(view[: values[-1]]), values)
        view = view[values[-1] :]
        if values[0] or len(texts.joined) != values[-1] or values.tolist() != sorted(values):
            raise ValueError("other ends")
        if not texts.joined.isascii():
            texts.tolist()
        columns.append(texts)
    if view:
        raise ValueError("too long")
    return columns
