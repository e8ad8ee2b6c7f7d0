import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.find.contradictions import contradictions
from sanproof.proofs.find.criteria import (
    CHOICES,
    WORDS,
    Criterion,
    CriterionError,
    Range,
    read_criteria,
    read_question,
    squares_of,
)
from tests.proofs.find.adequacy import CRITERIA

WRITTEN = [*map(str, CRITERIA)]


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(WRITTEN)), max_size=6))
def test_what_is_read_is_written_the_same(words: list[tuple[bool, str]]) -> None:
    text = [part for negated, word in words for part in ["not"] * negated + [word]]
    criteria = read_criteria(text)
    assert " ".join(map(str, criteria)).split() == text
    assert [c.negated for c in criteria] == [negated for negated, _ in words]


@given(st.sampled_from(WRITTEN))
def test_a_hyphen_negates_too(word: str) -> None:
    assert read_criteria([f"not-{word}"]) == read_criteria(["not", word])


@given(st.sampled_from(WRITTEN))
def test_exchanging_colours_twice_changes_nothing(word: str) -> None:
    (criterion,) = read_criteria([word])
    assert criterion.exchanged().exchanged() == criterion


EXCHANGED = {
    "d5=P": "d4=p",
    "h*=r": "h*=R",
    "*7=black": "*2=white",
    "e4=.": "e5=.",
    "e4=any": "e5=any",
    "Q=..2": "q=..2",
    "white=KQ": "black=KQ",
    "white-men=3": "black-men=3",
    "white-castles": "black-castles",
    "rights=Kq": "rights=Qk",
    "rights=-": "rights=-",
    "white-to-move": "black-to-move",
    "pinned-twin": "pinned-twin",
    "twins=2": "twins=2",
}


@pytest.mark.parametrize(("word", "expected"), EXCHANGED.items())
def test_exchanged_colours(word: str, expected: str) -> None:
    (criterion,) = read_criteria([word])
    assert str(criterion.exchanged()) == expected


@pytest.mark.parametrize(
    ("words", "pattern", "rest"),
    [
        (["Q*d4#", "mate"], "Q*d4#", ["mate"]),
        (["e8=Q", "e8=Q"], "e8=Q", ["e8=Q"]),
        (["mate", "e8=Q"], "*", ["mate", "e8=Q"]),
        (["a*=R"], "a*=R", []),
        (["a*=r"], "*", ["a*=r"]),
        (["not", "mate"], "*", ["not mate"]),
        ([], "*", []),
    ],
)
def test_the_first_word_is_the_string_if_it_can_be(
    words: list[str], pattern: str, rest: list[str]
) -> None:
    question = read_question(words)
    assert (question.pattern, [*map(str, question.criteria)]) == (pattern, rest)


BAD = {
    "chekc": "but 'check' is one",
    "Nf9": "no SAN string",
    "": "no criterion",
    "mate=1": "no criterion",
    "d9=P": "no criterion",
    "d5=X": "takes a man",
    "d5=PP": "takes a man",
    "men=": "takes a number",
    "men=..": "takes a number",
    "men=-1": "takes a number",
    "men=7..3": "range is empty",
    "men=\u0667": "takes a number",
    "men=123": "takes a number",
    "replies=3": "more are not counted",
    "replies=1..2": "more are not counted",
    "white=KX": "takes the side's men",
    "white=": "takes the side's men",
    "rights=KK": "castling rights",
    "rights=": "castling rights",
    "moves=X": "takes P, N",
    "only-reply=castling": "takes king",
}


@pytest.mark.parametrize(("word", "said"), BAD.items())
def test_bad_words(word: str, said: str) -> None:
    with pytest.raises(CriterionError, match=said) as error:
        read_question(["mate", word] if word != "Nf9" else [word])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("words", [["not"], ["not", "not", "mate"], ["mate", "not"]])
def test_a_not_without_its_criterion(words: list[str]) -> None:
    with pytest.raises(CriterionError, match="'not'"):
        read_question(words)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(CriterionError):
        read_question([text])


def test_ranges() -> None:
    assert 3 in Range(3, None)
    assert 218 in Range(2, None)
    assert 4 not in Range(0, 3)


def test_squares() -> None:
    assert squares_of("e4") == [28]
    assert squares_of("h*") == [7, 15, 23, 31, 39, 47, 55, 63]
    assert squares_of("*1") == list(range(8))
    assert len(squares_of("**")) == 64


def test_names_are_plain() -> None:
    for name in [*WORDS, *CHOICES]:
        assert name == name.lower()
        assert not name.startswith("not-")


SAID = {
    "white=KK": "exactly one king",
    "K=2": "exactly one king",
    "k=0": "exactly one king",
    "K=1": "",
    "mate e1=K d2=K": "exactly one king",
    "mate e1=K e1=K": "",
    "P=9": "8 pawns",
    "men=65": "32 men",
    "men=..1": "a king for each side",
    "white-men=17": "16 men",
    "mate e8=P": "no pawn stands",
    "mate e8=Q e8=R": "one man",
    "e4=. e4=any": "one man",
    "e4=white e4=Q": "",
    "mate not mate": "contradict",
    "mate stalemate": "Mate is check",
    "white-to-move black-to-move": "Only one side",
    "men=3 men=4..": "no such number",
    "white=KQ white=KR": "one set",
    "men=3 d4=Q d5=Q": "both kings",
    "O-O check": "the suffix says it",
    "Qd4+ check": "",
    "Qd4 mate": "the suffix says it",
    "Q*d4 mate": "",
    "mate men=5 d4=Q": "",
}


@pytest.mark.parametrize(("words", "said"), SAID.items())
def test_contradictions_are_said(words: str, said: str) -> None:
    found = list(contradictions(read_question(words.split())))
    assert bool(found) == bool(said)
    assert said in " ".join(found)
    assert all(sentence.endswith(".") for sentence in found)


def test_a_criterion_is_what_it_reads() -> None:
    assert read_criteria(["not", "d5=P"]) == (Criterion("square", "d5", "P", negated=True),)
