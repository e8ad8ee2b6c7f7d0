"""The place at which a text leaves the grammar, against a judge that completes beginnings."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.board.malformed import MalformedSan, read_san
from tests.strings import is_derived, texts

COMPLETIONS = ("", "4", "e4", "Q", "O", "-O", "O-O")
"""Whatever can still become a string becomes one by one of these."""


def can_be_completed(text: str) -> bool:
    return any(is_derived(text + completion) for completion in COMPLETIONS)


@given(texts)
@example("")
@example("e4\n")
@example("O-O-O#+")
@example("O-O-x")
@example("e8=")
@example("Nb1xc3=Q+ ")
def test_a_text_is_read_or_refused_where_it_leaves_the_language(text: str) -> None:
    if is_derived(text):
        assert str(read_san(text)) == text
        return
    with pytest.raises(MalformedSan) as caught:
        read_san(text)
    offset = caught.value.offset
    assert caught.value.text == text
    assert 0 <= offset <= len(text)
    assert can_be_completed(text[:offset])
    assert offset == len(text) or not can_be_completed(text[: offset + 1])


@given(texts | st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Mn"])))
@example("e4\x1b[31m")
@example("e4\u2028")
@example("e4\u202e")
@example("e4\ud800")
def test_a_refusal_is_one_printable_line(text: str) -> None:
    try:
        read_san(text)
    except MalformedSan as error:
        message = str(error)
        assert not [c for c in message if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
        assert len(message) < 600


@pytest.mark.parametrize(
    ("text", "offset", "said"),
    [
        ("e9", 1, "at character 2 ('9')"),
        ("e4e", 3, "at its end, expected a rank (1-8)"),
        ("e4++", 3, "expected the end"),
        ("O-", 2, "O-O or O-O-O"),
        ("P", 0, "expected a piece letter (K Q R B N), a file (a-h), a rank (1-8), x or O"),
    ],
)
def test_a_refusal_says_where_and_what_was_expected(text: str, offset: int, said: str) -> None:
    with pytest.raises(MalformedSan) as caught:
        read_san(text)
    assert caught.value.offset == offset
    assert said in str(caught.value)
