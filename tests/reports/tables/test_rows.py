import pytest

from sanproof.reports.tables.rows import RowError, rows, table


def test_comments_and_empty_lines_are_no_rows() -> None:
    assert list(rows(["# a | b", "", "a | b", "c| |d | #"], 2)) == [["a", "b"], ["c| |d", "#"]]


@pytest.mark.parametrize("line", ["a", "a | b | c", "a |b"])
def test_a_row_with_other_cells_is_refused_by_name(line: str) -> None:
    with pytest.raises(RowError, match=line.replace("|", r"\|")):
        list(rows([line], 2))


def test_a_table_stands_beside_its_module() -> None:
    found = list(table("sanproof.reports.page", "claims.txt", 3))
    assert all(count.isdecimal() for count, _, _ in found)
