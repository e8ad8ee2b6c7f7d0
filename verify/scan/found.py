"""What deviates in a chunk that the fast path read, as columns: in order, with lines and texts."""

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sanproof.verify.scan.columns import Column, Texts
from sanproof.verify.scan.reading import LONGEST_WRITTEN, lines_and_columns
from sanproof.verify.scan.reading import placed as by_python

Int64 = NDArray[np.int64]


def in_order(named: Sequence[Any], remarks: Sequence[tuple[Any, ...]]) -> list[Column]:
    """Columns of NumPy and Arrow, and rows of the same fields, sorted by the first of these."""
    if remarks:
        named = [
            pa.concat_arrays([ours, pa.array(theirs, pa.string())])
            if isinstance(ours, pa.Array)
            else np.concatenate([ours, np.array(theirs, dtype=np.int64)])
            for ours, theirs in zip(named, zip(*remarks, strict=True), strict=True)
        ]
        order = np.argsort(named[0], kind="stable")
        named = [
            column.take(pa.array(order) if isinstance(column, pa.Array) else order)
            for column in named
        ]
    return [_texts_of(c) if isinstance(c, pa.Array) else numbers_of(c) for c in named]


def numbers_of(values: Int64) -> "array[int]":
    """Numbers of NumPy's."""
    return array("q", np.ascontiguousarray(values, dtype=np.int64).tobytes())


def _texts_of(values: pa.StringArray) -> Texts:
    """Texts of Arrow's, which are no part of another array."""
    if not len(values):
        return Texts.of([])
    _, ends, joined = values.buffers()
    found = array("i", memoryview(ends)[: 4 * (len(values) + 1)].tobytes())
    return Texts(joined.to_pybytes()[: found[-1]] if joined else b"", found)


def placed(data: bytes, starts: Sequence[int], ends: Sequence[int]) -> list[Column]:
    """The same as :func:`verify.scan.reading.placed`; by arithmetic, where all is ASCII."""
    begins = np.array(starts, dtype=np.int64)
    lines, columns = _lines_and_columns(data, begins)
    lengths = np.array(ends, dtype=np.int64) - begins
    before = np.cumsum(lengths) - lengths
    ranges = np.arange(int(lengths.sum())) + np.repeat(begins - before, lengths)
    joined = np.frombuffer(data, dtype=np.uint8)[ranges]
    is_plain = (joined < 128) & (joined != ord("\n"))
    if lengths.max() > LONGEST_WRITTEN or not is_plain.all():
        return by_python(data, starts, ends)
    bounds = np.append(0, np.cumsum(lengths)).astype(np.int32)
    texts = Texts(joined.tobytes(), array("i", bounds.tobytes()))
    return [*map(numbers_of, (lines, columns, columns + lengths)), texts]


def _lines_and_columns(data: bytes, starts: Int64) -> tuple[Int64, Int64]:
    """The same as :func:`verify.scan.reading.lines_and_columns`."""
    text = np.frombuffer(data, dtype=np.uint8)
    breaks = np.flatnonzero(text == ord("\n"))
    lines = np.searchsorted(breaks, starts)
    begins = np.append(0, breaks + 1)[lines]
    columns = starts - begins + 1
    wide = np.flatnonzero(text >= 128)
    ends = np.append(breaks, len(data))[lines]
    is_odd = np.searchsorted(wide, begins) < np.searchsorted(wide, ends)
    odd = starts[is_odd].tolist()
    columns[is_odd] = [column for _, column in lines_and_columns(data, odd)]
    return lines + 1, columns
