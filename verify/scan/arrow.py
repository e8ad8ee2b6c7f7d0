"""Columns as NumPy and Arrow have them: Parquet, and CSV many times as fast as Python writes it."""

import io
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import IO, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow.parquet import ParquetWriter, write_table

from sanproof.reports.escaping import table_cell
from sanproof.verify.scan import reading
from sanproof.verify.scan.columns import Column, Texts

_ROWS_AT_ONCE: Final = 50_000
_PLAIN: Final = bytes(byte for byte in range(32, 127) if chr(byte) not in ',";')
"""What stands in a cell as it is, after a first character that begins no formula."""


def schema_of(columns: Mapping[str, type]) -> pa.Schema:
    """Return the description of a table in Arrow's form."""
    types = {str: pa.string(), int: pa.int64()}
    return pa.schema([(name, types[kind]) for name, kind in columns.items()])


def table_of(columns: Mapping[str, type], values: Sequence[Any]) -> pa.Table:
    """Return a table of these columns, whose values are lists, or arrays of NumPy's or Arrow's."""
    schema = schema_of(columns)
    pairs = zip(values, schema, strict=True)
    return pa.table([pa.array(value, field.type) for value, field in pairs], schema=schema)


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
    if isinstance(column, Texts):
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


# What deviates in a chunk


def joined(parts: Sequence[Sequence[Any]]) -> list[Any]:
    """Return columns of NumPy's numbers and Arrow's texts, given in parts, as one each."""
    columns = zip(*parts, strict=True)
    return [
        np.concatenate(c) if isinstance(c[0], np.ndarray) else pa.concat_arrays(c) for c in columns
    ]


def in_order(named: Sequence[Any], remarks: Sequence[tuple[Any, ...]]) -> list[Column]:
    """Return such columns, and rows of the same fields, sorted by the first of these."""
    if remarks:
        theirs = [
            np.array(values, np.int64) if isinstance(ours, np.ndarray) else pa.array(values)
            for ours, values in zip(named, zip(*remarks, strict=True), strict=True)
        ]
        named = joined([named, theirs])
        order = np.argsort(named[0], kind="stable")
        named = [c[order] if isinstance(c, np.ndarray) else c.take(pa.array(order)) for c in named]
    return [numbers_of(c) if isinstance(c, np.ndarray) else _texts_of(c) for c in named]


def numbers_of(values: NDArray[np.int64]) -> "array[int]":
    """Return numbers of NumPy's as a column."""
    return array("q", np.ascontiguousarray(values, dtype=np.int64).tobytes())


def _texts_of(values: pa.StringArray) -> Texts:
    """Return texts of Arrow's, which are no part of another array, as a column."""
    if not len(values):
        return Texts.of([])
    _, ends, text = values.buffers()
    found = array("i", memoryview(ends)[: 4 * (len(values) + 1)].tobytes())
    return Texts(text.to_pybytes()[: found[-1]] if text else b"", found)


def placed(data: bytes, starts: Sequence[int], ends: Sequence[int]) -> list[Column]:
    """Do what :func:`verify.scan.reading.placed` does; by arithmetic, where all is ASCII."""
    text = np.frombuffer(data, dtype=np.uint8)
    begins = np.array(starts, dtype=np.int64)
    breaks = np.flatnonzero(text == ord("\n"))
    lines = np.searchsorted(breaks, begins)
    line_begins = np.append(0, breaks + 1)[lines]
    columns = begins - line_begins + 1
    wide = np.flatnonzero(text >= 128)
    line_ends = np.append(breaks, len(data))[lines]
    is_odd = np.searchsorted(wide, line_begins) < np.searchsorted(wide, line_ends)
    odd = reading.lines_and_columns(data, begins[is_odd].tolist())
    columns[is_odd] = [column for _, column in odd]
    lengths = np.array(ends, dtype=np.int64) - begins
    written = text[ranges(begins, lengths)]
    is_plain = (written < 128) & (written != ord("\n"))
    if lengths.max() > reading.LONGEST_WRITTEN or not is_plain.all():
        return reading.placed(data, starts, ends)
    bounds = np.append(0, np.cumsum(lengths)).astype(np.int32)
    texts = Texts(written.tobytes(), array("i", bounds.tobytes()))
    return [*map(numbers_of, (lines + 1, columns, columns + lengths)), texts]


def ranges(begins: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers from each begin on, as many as its length says, one after the other."""
    before = np.cumsum(lengths) - lengths
    found: NDArray[np.int64] = np.arange(int(lengths.sum())) + np.repeat(begins - before, lengths)
    return found
