"""The tables that a scan writes, as CSV; the table of all moves also as Parquet."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from sanproof.reports.escaping import shown, table_cell

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
    return name if name.isascii() else name.encode(errors="backslashreplace").decode()


@lru_cache(maxsize=1 << 14)
def cell(text: str) -> str:
    """Return any text as a cell of CSV."""
    return table_cell(utf_8(text))


def csv_text(rows: Iterable[Row]) -> str:
    """Return rows as lines of CSV; texts that come from files are cells already."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def moves_file(rows: Sequence[Row], form: str, tags: Sequence[str]) -> bytes:
    """Return the table of a chunk's moves as a file: ``parquet`` or ``csv``."""
    columns = MOVES | dict.fromkeys(tags, str)
    place = list(MOVES).index("game")
    rows = sorted(rows, key=lambda row: row[place : place + 2])
    if form == "csv":
        safe = ((*row[:4], cell(row[4]), *row[5:8], *map(cell, row[8:])) for row in rows)
        return csv_text([tuple(columns), *safe]).encode()
    import pyarrow as pa  # noqa: PLC0415 - for this form only
    from pyarrow.parquet import write_table  # noqa: PLC0415 - for this form only

    types = {str: pa.string(), int: pa.int64()}
    schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])
    values = zip(*rows, strict=True) if rows else [()] * len(columns)
    arrays = [pa.array(v, f.type) for v, f in zip(values, schema, strict=True)]
    file = io.BytesIO()
    write_table(pa.table(arrays, schema), file, compression="zstd")
    return file.getvalue()
