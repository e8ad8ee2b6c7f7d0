"""Forms that people write, and what they mean by them."""

from hypothesis import given
from hypothesis import strategies as st

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.rules.san import parse_san
from sanproof.reports.exports.meant import hint, meant
from tests.reports.exports.meanings import FORMS, NOTHING, SEVERAL

STRINGS = suffixed_strings()


def test_what_is_meant() -> None:
    expected = {text: (san,) for text, san in FORMS.items()} | SEVERAL | dict.fromkeys(NOTHING, ())
    assert {text: meant(text) for text in expected} == expected
    for text, sans in expected.items():
        assert hint(text) == (f"Perhaps you mean {' or '.join(sans)}." if sans else "")


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
