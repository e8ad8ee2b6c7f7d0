"""The letters of other languages."""

import pytest

from sanproof.verify.notation.languages import ENGLISH, LETTERS, english, languages_of


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Sf3", "de", "Nf3"),
        ("Dd8xe8+", "de", "Qd8xe8+"),
        ("e8=D", "de", "e8=Q"),
        ("bxa1S", "de", "bxa1N"),
        ("e8(T)+", "de", "e8(R)+"),
        ("Re2", "es", "Ke2"),
        ("Oc4", "et", "Bc4"),
        ("O-O", "et", "O-O"),
        ("OO", "et", "OO"),
        ("\u041a\u0440e2", "ru", "Ke2"),
        ("\u041af3", "ru", "Nf3"),
        ("e4", "ru", "e4"),
        ("", "ru", ""),
        ("Nf3", "de", "Nf3"),
    ],
)
def test_a_text_has_english_letters(text: str, language: str, expected: str) -> None:
    assert english(text, language) == expected


def test_each_language_has_five_letters() -> None:
    for letters in LETTERS.values():
        assert len(set(letters)) == len(ENGLISH)


def test_the_languages_of_texts_have_all_their_letters() -> None:
    assert languages_of({"Sf3", "Lc4", "O-O", "e4"}) == ["da", "de", "no", "sv"]
    assert languages_of({"Nf3", "Bc4"}) == []
    assert languages_of({"Xf3"}) == []
