"""Forms that people write, and what they mean by them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.rules.san import parse_san
from sanproof.reports.exports.meant import EACH, JOINED, hint, meant

STRINGS = suffixed_strings()

FORMS = {
    "e8=q": "e8=Q",
    "e8(Q)": "e8=Q",
    "e8Q": "e8=Q",
    "e8/N+": "e8=N+",
    "exd8q#": "exd8=Q#",
    "e2-e4": "e4",
    "e2\u2013e4": "e4",
    "e2 - e4": "e4",
    "Ng1-f3": "Nf3",
    "ng1-f3+": "Nf3+",
    "NF3": "Nf3",
    "Nf3!?": "Nf3",
    "nf3": "Nf3",
    "QXE3": "Qxe3",
    "E4": "e4",
    "B3": "b3",
    "NBD2": "Nbd2",
    "BB5": "Bb5",
    "0-0": "O-O",
    "0-0-0": "O-O-O",
    "o-o#": "O-O#",
    "OOO": "O-O-O",
    "0-0-0 +": "O-O-O+",
    "N:f3": "Nxf3",
    "N\u00d7f3": "Nxf3",
    "♘f3": "Nf3",
    "♟e5": "e5",
    "Pe4": "e4",
    "1.e4": "e4",
    "12... Nf6": "Nf6",
    "exd6 e.p.": "exd6",
    "exd6ep": "exd6",
    "e4 ": "e4",
    "\te4\n": "e4",
    "e4$1": "e4",
    "Qh4 mate": "Qh4#",
    "Qh4‡": "Qh4#",
    "Qh4 check": "Qh4+",
    "Qh4ch": "Qh4+",
    "Qh4+#": "Qh4#",
    "e7e8q": "e8=Q",
    "e7-e8=Q": "e8=Q",
    "e7d8q": "exd8=Q",
}


@pytest.mark.parametrize(("text", "san"), FORMS.items())
def test_what_is_meant(text: str, san: str) -> None:
    assert meant(text) == (san,)
    assert hint(text) == f"Perhaps you mean {san}."


@pytest.mark.parametrize(
    ("text", "sans"),
    [
        ("Nf3++", ("Nf3+", "Nf3#")),
        ("exd8=Q++", ("exd8=Q+", "exd8=Q#")),
        ("e4 e5", ("e4", "e5")),
        ("1. e4 e5 2. NF3", ("e4", "e5", "Nf3")),
        ("e4 0-0", ("e4", "O-O")),
        ("e4 e4", ("e4",)),
    ],
)
def test_what_may_mean_several_strings_names_them(text: str, sans: tuple[str, ...]) -> None:
    assert meant(text) == sans
    assert hint(text) == f"Perhaps you mean {' or '.join(sans)}."


@pytest.mark.parametrize("text", ["", " ", "hello", "e9", "Zf3", "e4 x5", "1-0", "--", "e4" * 50])
def test_what_means_nothing(text: str) -> None:
    assert meant(text) == ()
    assert hint(text) == ""


@given(st.text(alphabet="abcdefgh12345678BKNQRPxXO0o-=()/+#!? .♘qn\u00d7", max_size=12))
def test_whatever_is_meant_is_a_string_and_not_the_text(text: str) -> None:
    for san in meant(text):
        assert str(parse_san(san)) == san != text


@given(st.sampled_from(STRINGS), st.sampled_from(["lower", "annotated", "spaced", "numbered"]))
def test_a_string_is_found_behind_its_disguise(san: str, disguise: str) -> None:
    text = {
        "lower": san.replace("=Q", "=q").replace("O", "0"),
        "annotated": f"{san}!",
        "spaced": f" {san}  ",
        "numbered": f"31... {san}",
    }[disguise]
    assert meant(text) == (() if text == san else (san,))
    assert meant(san) == ()


def test_the_rules_can_be_used_by_the_page() -> None:
    """No syntax that JavaScript lacks: named groups of Python, flags, anchors of its own."""
    for pattern, replacement in (*JOINED, *EACH):
        re.compile(pattern)
        assert not re.search(r"\(\?[Pimsux#]|\\[AZ]|[*+?]\+|\(\?>", pattern), pattern
        assert not re.search(r"\\[^1]|\$", replacement)
