import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proofs.rules.san import (
    CAPTURES,
    CASTLINGS,
    DESTINATIONS,
    FILE_LETTERS,
    PIECES,
    PROMOTIONS,
    RANK_DIGITS,
    SUFFIXES,
    MalformedSan,
    San,
    list_order,
    parse_san,
    universe,
    universe_size,
)

# The language as it was given to us, apart from the module under test.
MOVES = re.compile(r"([BKNQR])?([a-h])?([1-8])?(x)?([a-h])([1-8])(?:=([BKNQR]))?([+#])?")
CASTLING = re.compile(r"(O-O-O|O-O)([+#])?")
COMPLETIONS = ("", "4", "e4", "Q", "O", "-O", "O-O")
"""Whatever can still become a string becomes one by one of these."""

ALPHABET = "BKNQRabcdefgh12345678x=+#O-"

moves = st.builds(
    San,
    *map(
        st.sampled_from,
        (PIECES, FILE_LETTERS, RANK_DIGITS, CAPTURES, DESTINATIONS, PROMOTIONS, SUFFIXES),
    ),
)
sans = moves | st.builds(
    San,
    st.sampled_from(CASTLINGS),
    *[st.just("")] * 5,
    st.sampled_from(SUFFIXES),
)
strings = st.from_regex(MOVES, fullmatch=True) | st.from_regex(CASTLING, fullmatch=True)
edited = st.builds(
    lambda text, at, cut, inserted: text[:at] + inserted + text[at + cut :],
    strings,
    st.integers(0, 9),
    st.integers(0, 3),
    st.text(ALPHABET, max_size=3) | st.text(max_size=3),
)
texts = st.text() | st.text(ALPHABET, max_size=12) | edited


def is_derived(text: str) -> bool:
    return bool(MOVES.fullmatch(text) or CASTLING.fullmatch(text))


def can_be_completed(text: str) -> bool:
    return any(is_derived(text + completion) for completion in COMPLETIONS)


@given(sans)
def test_what_is_written_is_read_back(san: San) -> None:
    assert parse_san(str(san)) == san


@given(strings)
def test_what_is_read_is_written_back(text: str) -> None:
    assert str(parse_san(text)) == text


@given(strings)
def test_the_parts_are_those_of_the_regular_expression(text: str) -> None:
    match = MOVES.fullmatch(text)
    if match:
        piece, file, rank, capture, to_file, to_rank, promotion, suffix = (
            part or "" for part in match.groups()
        )
        assert parse_san(text) == (piece, file, rank, capture, to_file + to_rank, promotion, suffix)
    else:
        castling, suffix = (text.rstrip("+#"), text[-1] if text[-1] in "+#" else "")
        assert parse_san(text) == (castling, "", "", "", "", "", suffix)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("e4", ("", "", "", "", "e4", "", "")),
        ("exd8=N#", ("", "e", "", "x", "d8", "N", "#")),
        ("Qa1xb2+", ("Q", "a", "1", "x", "b2", "", "+")),
        ("R1a3", ("R", "", "1", "", "a3", "", "")),
        ("Nbd7", ("N", "b", "", "", "d7", "", "")),
        ("a1b2", ("", "a", "1", "", "b2", "", "")),
        ("ab2", ("", "a", "", "", "b2", "", "")),
        ("O-O-O+", ("O-O-O", "", "", "", "", "", "+")),
    ],
)
def test_known_strings_have_known_parts(text: str, parts: tuple[str, ...]) -> None:
    assert parse_san(text) == parts


@given(sans)
def test_a_bare_string_differs_by_its_suffix_only(san: San) -> None:
    assert str(san.bare) + san.suffix == str(san)


def test_the_universe_is_the_language() -> None:
    texts = [str(san) for san in universe()]
    # Each optional part counts one more than its letters; six castlings besides.
    assert len(texts) == (5 + 1) * (8 + 1) * (8 + 1) * 2 * 8 * 8 * (5 + 1) * 3 + 2 * 3
    assert len(texts) == len(set(texts)) == universe_size() == 1_119_750
    assert all(map(is_derived, texts))
    assert sum(text[-1] not in "+#" for text in texts) == 373_250


def test_the_universe_is_read_back() -> None:
    assert all(parse_san(str(san)) == san for san in universe())


def test_lists_are_ordered_by_length_then_characters() -> None:
    texts = ["e4+", "Nf3", "O-O", "e4", "a1"]
    assert sorted(texts, key=list_order) == ["a1", "e4", "Nf3", "O-O", "e4+"]


@given(strings)
def test_completions_know_every_beginning(text: str) -> None:
    """The judge of the next tests is complete; that it is sound is its definition."""
    assert all(can_be_completed(text[:length]) for length in range(len(text) + 1))


@given(texts)
@example("")
@example("e4\n")
@example("O-O+x")
@example("O-O-O#+")
@example("O-Ox")
@example("0-0")
@example("e8=")
@example("Nb1xc3=Q+ ")
def test_a_text_is_read_or_refused_where_it_leaves_the_language(text: str) -> None:
    if is_derived(text):
        assert str(parse_san(text)) == text
        return
    with pytest.raises(MalformedSan) as caught:
        parse_san(text)
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
        parse_san(text)
    except MalformedSan as error:
        message = str(error)
        assert message
        assert len(message.splitlines()) == 1
        assert not [c for c in message if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
        assert len(message) < 600


@pytest.mark.parametrize(
    ("text", "offset", "said"),
    [
        ("", 0, "at its end"),
        ("e9", 1, "'9', character 2"),
        ("e8=P", 3, "expected one of BKNQR"),
        ("e4e", 3, "at its end, expected one of 12345678"),
        ("e4++", 3, "expected the end"),
        ("O-", 2, "O-O or O-O-O"),
        ("P", 0, "expected one of BKNQRabcdefgh12345678x"),
    ],
)
def test_a_refusal_says_where_and_what_was_expected(text: str, offset: int, said: str) -> None:
    with pytest.raises(MalformedSan) as caught:
        parse_san(text)
    assert caught.value.offset == offset
    assert said in str(caught.value)
