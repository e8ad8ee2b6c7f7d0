"""Where two files differ is said by the line."""

from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.verify.audit.consistency import EXCERPT, difference

TEXTS = st.text("ab\n", max_size=30).map(str.encode)


@given(TEXTS, TEXTS)
@example(b"a", b"a\n")
@example(b"a\nb", b"a")
@example(b"", b"a")
@example(b"a\n", b"a\nb")
def test_the_first_line_that_differs_is_named(ours: bytes, theirs: bytes) -> None:
    if ours == theirs:
        return
    right, wrong = (text.split(b"\n") for text in (ours, theirs))
    number = 0
    while number < min(len(right), len(wrong)) and right[number] == wrong[number]:
        number += 1
    should, does = (
        repr(lines[number].decode()) if number < len(lines) else "the end"
        for lines in (right, wrong)
    )
    expected = f"line {number + 1} is {does}, and should be {should}"
    assert difference(ours, theirs) == expected


def test_of_a_long_line_the_part_is_shown_where_it_differs() -> None:
    ours, theirs = b"x" * 1000 + b"y" + b"z" * 1000, b"x" * 1000 + b"w" + b"z" * 1000
    said = difference(ours, theirs)
    assert "xw" in said
    assert "xy" in said
    assert len(said) < 3 * EXCERPT


def test_what_is_said_is_one_line_of_text() -> None:
    assert difference(b"a\xff\x1b[2J", b"b\r\x00").isprintable()


def test_many_lines_are_not_taken_apart() -> None:
    assert difference(b"\n" * (1 << 24), b"\n" * ((1 << 24) - 1)).startswith("line 16777217 is")
