"""The tables that a scan writes, from one description of their columns: CSV, and Parquet if asked.

A description says of each column, by its name, whether it holds ``str`` or ``int``.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sanproof.reports.escaping import shown, table_cell
from sanproof.reports.tables.files import csv_lines, whole_file

if TYPE_CHECKING:
    import pyarrow as pa

MOVES: Final[dict[str, type]] = {
    **dict.fromkeys(("before_fen", "san", "after_fen", "uci", "source"), str),
    **dict.fromkeys(("game", "ply", "times"), int),
}
"""The columns of the table of all moves; after them come the tags that are wanted."""
LONGEST_VALUE: Final = 100
"""Of a tag's longer value only the beginning is kept."""
Row = tuple[Any, ...]
_ROWS_AT_ONCE: Final = 50_000
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
    return name if name.isascii() else name.encode(errors="backslashreplace").decode()


def moves_file(rows: Sequence[Row], form: str, tags: Sequence[str]) -> bytes:
    """Return the table of a chunk's moves as a file: ``parquet`` or ``csv``."""
    columns = MOVES | dict.fromkeys(tags, str)
    place = list(MOVES).index("game")
    rows = sorted(rows, key=lambda row: row[place : place + 2])
    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    if form == "csv":
        return _header(columns) + _csv(columns, values)
    from pyarrow.parquet import write_table  # noqa: PLC0415 - for this form only

    file = io.BytesIO()
    write_table(_arrow_table(columns, values), file, compression="zstd")
    return file.getvalue()


def _header(columns: Mapping[str, type]) -> bytes:
    return "".join(csv_lines(tuple(columns), [])).encode()


def _csv(columns: Mapping[str, type], values: Sequence[Sequence[Any]]) -> bytes:
    """Return the values of columns as lines of CSV."""
    kinds = zip(values, columns.values(), strict=True)
    cells = [_each(table_cell, column) if kind is str else column for column, kind in kinds]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(zip(*cells, strict=True))
    return text.getvalue().encode()


def _each(change: Callable[[str], str], column: Iterable[str]) -> list[str]:
    """Return the texts of a column, changed: each that occurs is changed once."""
    column = list(column)
    changed = {text: change(text) for text in set(column)}
    return [changed[text] for text in column]


def _arrow_table(columns: Mapping[str, type], values: Sequence[Sequence[Any]]) -> "pa.Table":
    import pyarrow as pa  # noqa: PLC0415 - for this form only

    types = {str: pa.string(), int: pa.int64()}
    schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])
    return pa.table([pa.array(v, f.type) for v, f in zip(values, schema, strict=True)], schema)


class TableFile:
    """A table that is written part by part, as CSV and, where pyarrow is installed, as Parquet.

    The files take their names when the stack is closed without an error.
    """

    def __init__(
        self, stack: ExitStack, directory: Path, columns: Mapping[str, type], *names: str
    ) -> None:
        self._file = stack.enter_context(whole_file(directory / names[0]))
        self._file.write(_header(columns))
        self._columns, self._waiting = columns, list[Row]()
        self._parquet: Any = None
        if names[1:] and find_spec("pyarrow") is not None:
            from pyarrow.parquet import ParquetWriter  # noqa: PLC0415 - with pyarrow

            file = stack.enter_context(whole_file(directory / names[1]))
            schema = _arrow_table(columns, [()] * len(columns)).schema
            self._parquet = stack.enter_context(ParquetWriter(file, schema, compression="zstd"))
        stack.callback(self._write_group)

    def write(self, rows: Iterable[Row]) -> None:
        """Write rows."""
        rows = iter(rows)
        while more := list(islice(rows, _ROWS_AT_ONCE - len(self._waiting))):
            self._waiting += more
            if len(self._waiting) == _ROWS_AT_ONCE:
                self._write_group()

    def _write_group(self) -> None:
        """Write what waits."""
        if not self._waiting:
            return
        columns = zip(zip(*self._waiting, strict=True), self._columns.values(), strict=True)
        values = [_each(utf_8, column) if kind is str else column for column, kind in columns]
        self._file.write(_csv(self._columns, values))
        if self._parquet is not None:
            self._parquet.write_table(_arrow_table(self._columns, values))
        self._waiting = []
