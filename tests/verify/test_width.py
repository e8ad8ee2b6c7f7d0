"""Lines that fit a terminal."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.width import columns, filled

WORDS = st.lists(st.text("abc,|/+#", min_size=1, max_size=30), min_size=1, max_size=30)


@given(WORDS, st.integers(1, 60), st.integers(0, 8), st.integers(0, 8))
def test_nothing_is_lost_and_lines_fit(
    words: list[str], width: int, indent: int, further: int
) -> None:
    text = " " * indent + " ".join(words)
    lines = filled(text, width, further).split("\n")
    assert "".join("".join(lines).split()) == "".join(words)
    for line in lines:
        assert len(line) <= width or len(line.split()) == 1


@given(WORDS, st.integers(1, 60))
def test_words_are_cut_after_commas_and_bars_only(words: list[str], width: int) -> None:
    parts = {part for word in words for part in re.findall(r"[^,|]*[,|]|[^,|]+", word)}
    for line in filled(" ".join(words), width).split("\n"):
        for found in line.split():
            assert found in words or set(re.findall(r"[^,|]*[,|]|[^,|]+", found)) <= parts


def test_a_line_that_fits_stays() -> None:
    assert filled("  two  spaces", 40) == "  two  spaces"


def test_the_width_is_what_the_variable_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "33")
    assert columns() == 33
