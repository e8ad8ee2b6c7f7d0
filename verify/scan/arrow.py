"""Columns as NumPy and Arrow have them: Parquet, and CSV many times as fast as Python writes it."""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import IO, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.parquet import ParquetWriter, write_table

from sanproof.reports.escaping import table_cell
from sanproof.verify.scan.tables import Column, TextColumn

_ROWS_AT_ONCE: Final = 50_000
_PLAIN: Final = bytes(byte for byte in range(32, 127) if chr(byte) not in ',";')
"""Characters that a cell holds unchanged, after a first one that begins no formula."""


def schema_of(columns: Mapping[str, type]) -> pa.Schema:
    """Return the description of a table in Arrow's form."""
    types = {str: pa.string(), int: pa.int64()}
    return pa.schema([(name, types[kind]) for name, kind in columns.items()])


def table_of(columns: Mapping[str, type], values: Sequence[Any]) -> pa.Table:
    """Return a table of these columns, whose values are lists, or arrays of NumPy's or Arrow's."""
    schema = schema_of(columns)
    pairs = zip(values, schema, strict=True)
    return pa.table([pa.array(value, field.type) for value, field in pairs], schema=schema)


def joined_texts(columns: Sequence[pa.StringArray]) -> pa.StringArray:
    """Return the texts of columns, those of each row as one."""
    return pc.binary_join_element_wise(*columns, "")


def moves_file(table: pa.Table, more: pa.Table | None) -> bytes:
    """Return the moves of one or two tables, in order, as a Parquet file."""
    if more is not None:
        table = pa.concat_tables([table, more])
        table = table.sort_by([("game", "ascending"), ("ply", "ascending")]).combine_chunks()
    file = io.BytesIO()
    write_table(table, file, compression="zstd")
    return file.getvalue()


class ParquetParts(AbstractContextManager["ParquetParts"]):
    """A Parquet file that is written part by part, in row groups of one size."""

    def __init__(self, file: IO[bytes], columns: Mapping[str, type]) -> None:
        self._schema = schema_of(columns)
        self._writer = ParquetWriter(file, self._schema, compression="zstd")
        self._waiting = self._schema.empty_table()

    def write(self, source: str, columns: Sequence[Column]) -> Iterator[bytes | memoryview]:
        """Write columns, with the source before each row; yield the lines of a CSV file."""
        arrays = arrays_of(source, columns)
        table = pa.table(arrays, schema=self._schema)
        self._waiting = pa.concat_tables([self._waiting, table]).combine_chunks()
        self._write_waiting(_ROWS_AT_ONCE)
        yield from csv_of(arrays)

    def _write_waiting(self, unit: int) -> None:
        """Write what waits, in multiples of so many rows."""
        rows = len(self._waiting) // unit * unit
        if rows:
            self._writer.write_table(self._waiting.slice(0, rows), row_group_size=_ROWS_AT_ONCE)
        self._waiting = self._waiting.slice(rows)

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._write_waiting(1)
        self._writer.close()


def arrays_of(source: str, columns: Sequence[Column]) -> list[Any]:
    """Return a source, as often as there are rows, and columns as Arrow has them."""
    return [pa.repeat(pa.scalar(source), len(columns[0])), *map(_array_of, columns)]


def _array_of(column: Column) -> Any:  # noqa: ANN401 - Arrow's
    """Return a column as Arrow has it, in the same memory."""
    if isinstance(column, TextColumn):
        ends, joined = pa.py_buffer(column.ends), pa.py_buffer(column.joined)
        return pa.StringArray.from_buffers(len(column), ends, joined)
    return pa.Array.from_buffers(pa.int64(), len(column), [None, pa.py_buffer(column)])


def csv_of(arrays: Sequence[Any]) -> Iterator[bytes | memoryview]:
    """Yield arrays of texts and numbers as lines of a CSV file, as :mod:`csv` writes them."""
    cells = [_cells(a) if pa.types.is_string(a.type) else pc.cast(a, pa.string()) for a in arrays]
    for begin in range(0, len(cells[0]), _ROWS_AT_ONCE):
        *some, last = (column.slice(begin, _ROWS_AT_ONCE) for column in cells)
        lines = pc.binary_join_element_wise(*some, pc.binary_join_element_wise(last, "", "\n"), ",")
        yield memoryview(lines.buffers()[2])


def _cells(texts: Any) -> Any:  # noqa: ANN401 - Arrow's
    """Return texts as cells."""
    if _are_plain(texts):
        return texts
    found = texts.dictionary_encode()
    return pa.array(map(_cell, found.dictionary.to_pylist()), pa.string()).take(found.indices)


def _are_plain(texts: Any) -> bool:  # noqa: ANN401 - Arrow's
    """Check whether all texts are cells as they are."""
    joined = texts.buffers()[2]
    if joined and joined.to_pybytes().translate(None, _PLAIN):
        return False
    first = pc.utf8_slice_codeunits(texts, 0, 1).unique().to_pylist()
    return all(character.isalnum() for character in first if character)


def _cell(text: str) -> str:
    """Return a text as a cell that a spreadsheet never computes, in quotes if it needs them."""
    cell = table_cell(text)
    return '"' + cell.replace('"', '""') + '"' if {*cell} & {*',"'} else cell
