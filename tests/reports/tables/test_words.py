"""Numbers in sentences, and tables beside modules."""

import pytest

from sanproof.reports.tables.rows import RowError, rows, table
from sanproof.reports.tables.words import number_of


@pytest.mark.parametrize(
    ("number", "noun", "verb"),
    [(0, "0 games", "0 are"), (1, "1 game", "1 is"), (1001, "1,001 games", "1,001 are")],
)
def test_a_number_has_its_noun_and_its_verb(number: int, noun: str, verb: str) -> None:
    assert (number_of(number, "game"), number_of(number, "is", "are")) == (noun, verb)


def test_comments_and_empty_lines_are_no_rows() -> None:
    assert list(rows(["# a | b", "", "a | b", "c| |d | #"], 2)) == [["a", "b"], ["c| |d", "#"]]


@pytest.mark.parametrize("line", ["a", "a | b | c", "a |b"])
def test_a_row_with_other_cells_is_refused_by_name(line: str) -> None:
    with pytest.raises(RowError, match=line.replace("|", r"\|")):
        list(rows([line], 2))


def test_a_table_stands_beside_its_module() -> None:
    found = list(table("sanproof.reports.page", "claims.txt", 3))
    assert all(count.isdecimal() for count, _, _ in found)
