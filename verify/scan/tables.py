"""The tables that a scan writes, from one description of their columns: CSV, and Parquet if asked.

A description says of each column, by its name, whether it holds ``str`` or ``int``.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sanproof.reports.escaping import shown, table_cell
from sanproof.reports.tables.files import csv_lines, whole_file
from sanproof.verify.scan.columns import Column, TextColumn, columns_of

if TYPE_CHECKING:
    from sanproof.verify.scan.arrow import ParquetParts

MOVES: Final[dict[str, type]] = {
    **dict.fromkeys(("before_fen", "san", "after_fen", "uci", "source"), str),
    **dict.fromkeys(("game", "ply"), int),
}
"""The columns of the table of all moves; after them come the tags that are wanted."""
LONGEST_VALUE: Final = 100
"""Of a tag's longer value only the beginning is kept."""
Row = tuple[Any, ...]
_NAME: Final = re.compile(r"\w{1,100}")


def check_tags(names: Sequence[str], rows: str) -> None:
    """Check that tags can be columns of the table of all moves, which is wanted in some form.

    Raises:
        ValueError: They cannot; the message is a sentence.
    """
    for number, name in enumerate(names):
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"--tags takes names of tags with commas between, and not {shown(name)}"
            )
        if name in MOVES or name in names[:number]:
            raise ValueError(f"--tags: there is a column {name} already")
    if names and not rows:
        raise ValueError("--tags adds columns to --rows: give both")


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
        """Write rows that are given as columns, in the same way."""
        if self._parquet is None:
            self._file.write(csv_of(source, columns))
        else:
            self._file.writelines(self._parquet.write(utf_8(source), columns))


def csv_of(source: str, columns: Sequence[Column]) -> bytes:
    """Return columns as the lines of a CSV file, with the source before each."""
    rows = zip(repeat(table_cell(source)), *map(_cells, columns), strict=False)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _cells(column: Column) -> Sequence[str | int]:
    """Return the cells of a column, of which many are equal."""
    texts: list[str] = column.tolist()
    if not isinstance(column, TextColumn):
        return texts
    cells = {text: table_cell(text) for text in set(texts)}
    return [cells[text] for text in texts]
