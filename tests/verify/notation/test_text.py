import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.notation.position import shown
from sanproof.verify.notation.text import (
    LONGEST,
    NotSan,
    WrittenParts,
    english,
    languages_of,
    read_text,
)
from tests.verify.notation.positions import LIKELY, legacy_texts

ENDINGS = ["", "4", "5", "e4", ".e4", "-O", "O", "Q", "Q)", "=)", ")", "1", "p", ".p.", "d", "3=N+"]
"""The texts to append to a beginning to see whether it can become a move."""


def can_become_a_move(beginning: str) -> bool:
    return any(isinstance(read_text(beginning + ending), WrittenParts) for ending in ENDINGS)


@given(legacy_texts())
def test_every_beginning_of_a_move_is_one(text: str) -> None:
    for length in range(len(text)):
        found = read_text(text[:length])
        assert isinstance(found, WrittenParts) or found.offset == length
    assert isinstance(read_text(text), WrittenParts)


@given(st.one_of(st.text(max_size=30), LIKELY, st.builds(str.__add__, legacy_texts(), LIKELY)))
def test_the_offence_is_the_first_character_that_no_move_has_there(text: str) -> None:
    found = read_text(text)
    if isinstance(found, NotSan):
        assert 0 <= found.offset <= len(text)
        assert found.expected
        assert can_become_a_move(text[: found.offset])
        if found.offset < len(text):
            assert not can_become_a_move(text[: found.offset + 1])


@given(LIKELY)
def test_what_is_expected_can_stand_there(text: str) -> None:
    found = read_text(text)
    if isinstance(found, NotSan) and found.offset:
        samples = {"a piece": "Q", "a file": "a", "a rank": "1", "a digit": "1", "+ or #": "+"}
        for choice in re.split(r", | or (?!#)", found.expected):
            if choice == "the end":
                assert isinstance(read_text(text[: found.offset]), WrittenParts)
            else:
                sample = next((c for name, c in samples.items() if choice.startswith(name)), choice)
                assert can_become_a_move(text[: found.offset] + sample), (text, choice)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("--", "null move"),
        ("Z0", "null move"),
        ("1-0", "result"),
        ("<>", "null move"),
        ("Sf3", "Nf3 in German"),
        ("Dd1-h5!", "Qd1-h5! in German"),
        ("e8(T)", "e8(R) in German"),
        ("\u041a\u0440e2", "Ke2 in Russian"),
    ],
)
def test_hints(text: str, hint: str) -> None:
    found = read_text(text)
    assert isinstance(found, NotSan)
    assert hint in found.hint


@pytest.mark.parametrize("text", [" " * 10**6, "e4" + " " * LONGEST, "1" * 10**6, "N" * 10**6])
def test_long_texts_end_soon(text: str) -> None:
    found = read_text(text)
    assert isinstance(found, NotSan)
    assert found.offset <= LONGEST


@given(st.text())
def test_what_is_shown_is_short_and_printable(text: str) -> None:
    assert shown("a" * 40) == repr("a" * 40)
    assert shown(text).isprintable()
    assert len(shown(text)) <= 2 + 40 * len(r"\U00000000")


# The letters of other languages


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Sf3", "de", "Nf3"),
        ("e8=D", "de", "e8=Q"),
        ("bxa1S", "de", "bxa1N"),
        ("e8(T)+", "de", "e8(R)+"),
        ("Re2", "es", "Ke2"),
        ("Oc4", "et", "Bc4"),
        ("O-O", "et", "O-O"),
        ("\u041a\u0440e2", "ru", "Ke2"),
        ("\u041af3", "ru", "Nf3"),
        ("e4", "ru", "e4"),
        ("", "ru", ""),
    ],
)
def test_a_text_has_english_letters(text: str, language: str, expected: str) -> None:
    assert english(text, language) == expected


def test_the_languages_of_texts_have_all_their_letters() -> None:
    assert languages_of({"Sf3", "Lc4", "O-O", "e4"}) == ["da", "de", "no", "sv"]
    assert languages_of({"Nf3", "Bc4"}) == []
    assert languages_of({"Xf3"}) == []
