from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.conformance.libraries.channel import LineReader, LineTooLong
from sanproof.verify.conformance.libraries.protocol import LONGEST_LINE


@given(st.text("ab\n").map(str.encode), st.lists(st.integers(0, 40)))
def test_lines_do_not_depend_on_the_pieces(text: bytes, cuts: list[int]) -> None:
    reader = LineReader()
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    found = [line for a, b in pairwise(places) if a < b for line in reader.feed(text[a:b])]
    assert found == text.split(b"\n")[:-1]


def test_a_line_has_a_bound_and_a_line_of_that_length_is_read() -> None:
    reader = LineReader()
    assert reader.feed(b"x" * LONGEST_LINE) == []
    assert reader.feed(b"\n") == [b"x" * LONGEST_LINE]
    reader.feed(b"x" * LONGEST_LINE)
    with pytest.raises(LineTooLong):
        reader.feed(b"x\n")
    with pytest.raises(LineTooLong):
        LineReader().feed(b"x" * (LONGEST_LINE + 1))
