"""Numbers in sentences."""

import pytest

from sanproof.reports.tables.words import number_of


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (1234, "1,234 games")]
)
def test_a_number_has_its_noun(number: int, text: str) -> None:
    assert number_of(number, "game") == text


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 are"), (1, "1 is"), (21, "21 are"), (1001, "1,001 are")]
)
def test_a_number_has_its_verb(number: int, text: str) -> None:
    assert number_of(number, "is", "are") == text
