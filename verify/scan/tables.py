"""The tables that a scan writes, from one description of their columns: CSV, and Parquet if asked.

A description says of each column, by its name, whether it holds ``str`` or ``int``.
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import accumulate, pairwise, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from sanproof.reports.escaping import shown
from sanproof.reports.tables.files import csv_lines, whole_file

if TYPE_CHECKING:
    from sanproof.verify.scan.arrow import ParquetParts

MOVES: Final[dict[str, type]] = {
    **dict.fromkeys(("before_fen", "san", "after_fen", "uci", "source"), str),
    **dict.fromkeys(("game", "ply", "times"), int),
}
"""The columns of the table of all moves; after them come the tags that are wanted."""
LONGEST_VALUE: Final = 100
"""Of a tag's longer value only the beginning is kept."""
Row = tuple[Any, ...]
_NAME: Final = re.compile(r"\w{1,100}")


def check_tags(names: Sequence[str], *, is_used: bool) -> None:
    """Check that tags can be columns, and that there is a table of moves or games for them.

    Raises:
        ValueError: They cannot; the message is a sentence.
    """
    for number, name in enumerate(names):
        if not _NAME.fullmatch(name):
            raise ValueError(f"--tags takes tag names separated by commas, not {shown(name)}")
        if name in MOVES or name in names[:number]:
            raise ValueError(f"--tags: there is a column {name} already")
    if names and not is_used:
        raise ValueError("--tags adds columns to --rows and --games: give one of them")


def values_of(tags: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the values of a game's tags: empty for a missing one, and a long one is cut."""
    return tuple(tags.get(name, "")[:LONGEST_VALUE] for name in names)


def utf_8(name: str) -> str:
    """Return a file's name, which may be any bytes, as a text that can be stored."""
    return name.encode(errors="backslashreplace").decode()


def moves_file(rows: Sequence[Row], form: str, tags: Sequence[str], fast: Any = None) -> bytes:  # noqa: ANN401 - Arrow's
    """Return the table of a chunk's moves as a file: ``parquet`` or ``csv``.

    ``fast`` is Arrow's table of more rows; both have the columns :data:`MOVES` and these tags.
    """
    columns = MOVES | dict.fromkeys(tags, str)
    if form == "csv":
        more = [] if fast is None else zip(*map(list, fast.to_pydict().values()), strict=True)
        place = list(MOVES).index("game")
        ordered = sorted([*rows, *more], key=lambda row: row[place : place + 2])
        return "".join(csv_lines(tuple(columns), ordered)).encode()
    from sanproof.verify.scan import arrow  # noqa: PLC0415 - for this form only

    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    return arrow.moves_file(arrow.table_of(columns, values), fast)


# Columns of numbers and of texts as bytes. A value of Python costs some hundred nanoseconds
# wherever it goes, and where every move deviates there are ten of them for each move.


MAX_VALUES: Final = 1 << 21
"""More values no column of a chunk has: a row for each game or deviation."""


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


def read_columns(content: bytes, lengths: Sequence[int], kinds: Sequence[type]) -> list[Column]:
    """Read columns of so many values each, ``int`` or ``str``, from bytes that may be forged.

    Raises:
        ValueError: They are not what :func:`bytes_of` wrote.
    """
    view, columns = memoryview(content), list[Column]()
    for kind, length in zip(kinds, lengths, strict=True):
        values = array("i" if kind is str else "q")
        count = length + (kind is str)
        if count > MAX_VALUES:
            raise ValueError("too many")
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


class TableFile:
    """A table that is written part by part, as CSV and, where pyarrow is installed, as Parquet.

    Its first column is the source. The files take their names when the stack is closed without an
    error.
    """

    def __init__(
        self, stack: ExitStack, directory: Path, columns: Mapping[str, type], *names: str
    ) -> None:
        self._file = stack.enter_context(whole_file(directory / names[0]))
        self._file.write("".join(csv_lines(tuple(columns), [])).encode())
        self._kinds = list(columns.values())[1:]
        self._parquet: ParquetParts | None = None
        if names[1:] and find_spec("pyarrow") is not None:
            from sanproof.verify.scan import arrow  # noqa: PLC0415 - with pyarrow

            file = stack.enter_context(whole_file(directory / names[1]))
            self._parquet = stack.enter_context(arrow.ParquetParts(file, columns))

    def write_rows(self, source: str, rows: Sequence[Row]) -> None:
        """Write rows about a source, which are without its name."""
        if rows:
            self.write(source, columns_of(zip(*rows, strict=True), self._kinds))

    def write(self, source: str, columns: Sequence[Column]) -> None:
        """Write one row or more that are given as columns, in the same way."""
        if self._parquet is None:
            rows = zip(repeat(source), *(c.tolist() for c in columns), strict=False)
            self._file.writelines(map(str.encode, csv_lines(next(rows), rows)))
        else:
            self._file.writelines(self._parquet.write(utf_8(source), columns))
