"""The deviations, as columns of bytes: the quick ways give what the slow ones give."""

import re
from array import array
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.reports.tables.files import csv_lines
from sanproof.verify.scan import arrow, fast, reading, tables
from sanproof.verify.scan.tables import Column, TextColumn, bytes_of, columns_of, read_columns

KINDS = (int, str, int, str)
NUMBERS = st.integers(0, (1 << 63) - 1)
ROWS = st.lists(st.tuples(NUMBERS, st.text(max_size=5), NUMBERS, st.text()), min_size=1)
PIECES = st.sampled_from(
    [b"e4", b"g1f3", b" ", b"\n", b"\xc3\xa4", b"\xe9", b"\r\n", b"\t", b"x" * 99]
)
FEW = st.tuples(st.integers(0, 2), st.text())
ALPHABETS = ("e4,", 'e4"', "e4;=", "=+-@' e4", "#\r\n\t e", "\u00e4\uff1d\ud800")


def columns_from(rows: list[tuple[Any, ...]]) -> list[Column]:
    """Return rows as columns."""
    return columns_of(zip(*rows, strict=True), KINDS)


@given(st.lists(st.text()))
def test_texts_are_those_that_were_given(texts: list[str]) -> None:
    column = TextColumn.of(texts)
    assert column.tolist() == texts == list(column)
    assert column[1:3].tolist() == texts[1:3]
    assert len(column) == len(texts)
    assert (column == TextColumn.of(["", *texts])) is False


@given(ROWS)
def test_columns_are_kept_as_they_are(rows: list[tuple[Any, ...]]) -> None:
    columns = columns_from(rows)
    again = read_columns(bytes_of(columns), [len(rows)] * len(KINDS), KINDS)
    assert list(zip(*(column.tolist() for column in again), strict=True)) == rows
    assert again == columns


@given(ROWS, st.integers(0), st.integers(1, 255), st.integers(-9, 9))
def test_other_bytes_are_refused_or_other_columns(
    rows: list[tuple[Any, ...]], at: int, change: int, longer: int
) -> None:
    columns = columns_from(rows)
    content = bytearray(bytes_of(columns))
    at %= len(content)
    content[at] ^= change
    try:
        again = read_columns(bytes(content), [len(rows)] * len(KINDS), KINDS)
    except ValueError:
        again = []
    assert again != columns
    for column in again:
        column.tolist()
        assert not isinstance(column, TextColumn) or column.ends.tolist() == sorted(column.ends)
    if longer:
        with pytest.raises(ValueError, match=r"\w"):
            read_columns(bytes_of(columns), [len(rows) + longer] * len(KINDS), KINDS)
        with pytest.raises(ValueError, match=r"\w"):
            read_columns(bytes_of(columns) + b"x", [len(rows)] * len(KINDS), KINDS)


@pytest.mark.parametrize("texts", [b".*", b"[ -~]{0,100}", b"[ -~\n]{0,100}"])
@given(st.lists(PIECES, min_size=20), st.randoms())
def test_places_by_arithmetic_are_those_of_the_reader(
    texts: bytes,
    pieces: list[bytes],
    random: Any,  # noqa: ANN401 - hypothesis
) -> None:
    data = b"".join(pieces)
    begins = sorted(random.choices(range(len(data)), k=20))
    spans = [(begin, random.randint(begin, min(len(data), begin + 120))) for begin in begins]
    wanted = re.compile(texts, re.DOTALL)
    spans = [span for span in spans if wanted.fullmatch(data, *span)]
    if spans:
        starts, ends = zip(*spans, strict=True)
        assert fast.placed(data, starts, ends) == reading.placed(data, starts, ends)


@given(st.lists(FEW, min_size=20), st.lists(FEW))
def test_columns_and_rows_are_put_in_order(
    ours: list[tuple[Any, ...]], theirs: list[tuple[Any, ...]]
) -> None:
    ours.sort(key=itemgetter(0))  # as the fast path has them
    numbers = np.array([n for n, _ in ours], dtype=np.int64)
    named = [numbers, pa.array([text for _, text in ours], pa.string())]
    columns = fast.in_order(named, theirs)
    rows = sorted([*ours, *theirs], key=itemgetter(0))
    assert columns == [array("q", [n for n, _ in rows]), TextColumn.of(text for _, text in rows)]


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("source", ["a.pgn", "=a,b.pgn", "\udcff.pgn"])
@pytest.mark.parametrize("first", ["", "e"])
@given(st.data())
@pytest.mark.usually(12)
def test_arrow_writes_the_cells_that_python_does(
    alphabet: str, source: str, first: str, data: st.DataObject
) -> None:
    texts = [first + text for text in data.draw(st.lists(st.text(alphabet), min_size=1))]
    columns = columns_of((texts, range(len(texts)), texts[::-1]), (str, int, str))
    arrays = arrow.arrays_of(tables.utf_8(source), columns)
    rows = zip([source] * len(texts), *(c.tolist() for c in columns), strict=True)
    assert b"".join(arrow.csv_of(arrays)) == "".join(csv_lines(next(rows), rows)).encode()
