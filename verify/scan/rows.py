"""The table of all moves: a row for each, with the positions before and after it."""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sanproof.reports.escaping import shown
from sanproof.reports.tables.files import csv_lines
from sanproof.verify.scan.reading import Played

LONGEST_VALUE: Final = 100
"""Of a tag's longer value only the beginning is kept."""
COLUMNS: Final = ("before_fen", "san", "after_fen", "uci", "source", "game", "ply")
Row = tuple[Any, ...]
"""The columns, and then the values of the tags that are wanted."""
_NAME: Final = re.compile(r"\w{1,100}")
Column = Any
"""A list, an array of NumPy's, or one of Arrow's, whose types are not known here."""
Table = Any
"""One of Arrow's."""


def check_tags(names: Sequence[str], rows: str) -> None:
    """See that tags can be columns of the table of all moves, which is wanted in some form.

    Raises:
        ValueError: They cannot; the message is a sentence.
    """
    for number, name in enumerate(names):
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"--tags takes names of tags with commas between, and not {shown(name)}"
            )
        if name in COLUMNS or name in names[:number]:
            raise ValueError(f"--tags: there is a column {name} already")
    if names and not rows:
        raise ValueError("--tags adds columns to --rows: give both")


def row_of(move: Played, source: str, game: int, ply: int, values: Iterable[str] = ()) -> Row:
    """The row of a move."""
    return (move.before, move.san, move.after, move.uci, source, game, ply, *values)


def values_of(tags: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    """The values of a game's tags; that of one which is missing is empty, a long one is cut."""
    return tuple(tags.get(name, "")[:LONGEST_VALUE] for name in names)


def file_of(rows: Iterable[Row], form: str, tags: Sequence[str] = (), fast: Table = None) -> bytes:
    """The table of a chunk's moves as the bytes of a file: ``parquet`` or ``csv``.

    ``fast`` is a table of more rows, from the fast path; both have the values of these tags.
    """
    names = (*COLUMNS, *tags)
    if form == "csv":
        ordered: list[Row] = sorted([*rows, *_rows_of(fast)], key=_place)
        return "".join(csv_lines(names, ordered)).encode()
    import pyarrow as pa  # noqa: PLC0415 - for this form only
    import pyarrow.parquet as pq  # noqa: PLC0415

    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in names]
    before, san, after, uci, sources, games, plies, *values = columns
    table = table_of(
        *(before, san, after, uci, sources, games, plies),
        tags=dict(zip(tags, values, strict=True)),
    )
    if fast is not None:
        table = pa.concat_tables([table, fast])
        table = table.sort_by([("game", "ascending"), ("ply", "ascending")]).combine_chunks()
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd")
    return file.getvalue()


def table_of(
    before: Column,
    san: Column,
    after: Column,
    uci: Column,
    source: Column,
    games: Column,
    plies: Column,
    tags: Mapping[str, Column],
) -> Table:
    """A table in Arrow's form: texts, and whole numbers of 64 bits.

    ``source`` is one name for all moves, or a list of names; ``tags`` has more columns by name.
    """
    import pyarrow as pa  # noqa: PLC0415 - for this form only

    if isinstance(source, str):
        source = pa.repeat(pa.scalar(utf_8(source)), len(games))
    else:
        source = [utf_8(name) for name in source]
    types = [*[pa.string()] * 5, pa.int64(), pa.int64(), *[pa.string()] * len(tags)]
    schema = pa.schema(list(zip((*COLUMNS, *tags), types, strict=True)))
    values = [before, san, after, uci, source, games, plies, *tags.values()]
    return pa.table(
        [pa.array(value, kind) for value, kind in zip(values, types, strict=True)], schema=schema
    )


def utf_8(name: str) -> str:
    """A file's name, which may be any bytes, as a text that can be stored."""
    return name.encode(errors="backslashreplace").decode()


def _rows_of(table: Table) -> Iterable[Row]:
    if table is None:
        return ()
    return zip(*(column.to_pylist() for column in table.columns), strict=True)


def _place(row: Row) -> tuple[int, int]:
    """The game and the ply."""
    return row[5], row[6]
