"""Words are read as questions; patterns match as those of a shell."""

import contextlib
import fnmatch
from functools import cache
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.find.patterns import Pattern, matching_cubes
from sanproof.proofs.find.questions import (
    Criterion,
    CriterionError,
    squares_of,
)
from sanproof.proofs.find.terms import read_criteria, read_question
from sanproof.proofs.rules.cubes import all_cubes, cube_of
from sanproof.proofs.rules.san import parse_san
from tests.proofs.find.adequacy import CRITERIA
from tests.strings import all_texts

WRITTEN = [*map(str, CRITERIA)]

# Words


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(WRITTEN)), max_size=6))
def test_what_is_read_is_written_the_same(words: list[tuple[bool, str]]) -> None:
    text = [part for negated, word in words for part in ["not"] * negated + [word]]
    criteria = read_criteria(text)
    assert " ".join(map(str, criteria)).split() == text
    assert [c.negated for c in criteria] == [negated for negated, _ in words]
    assert read_criteria(["not-" * negated + word for negated, word in words]) == criteria
    assert tuple(c.exchanged().exchanged() for c in criteria) == criteria


@pytest.mark.parametrize(
    ("words", "pattern", "rest"),
    [
        (["Q*d4#", "mate"], "Q*d4#", ["mate"]),
        (["e8=Q", "e8=Q"], "e8=Q", ["e8=Q"]),
        (["mate", "e8=Q"], "*", ["mate", "e8=Q"]),
        (["a*=R"], "a*=R", []),
        (["a*=r"], "*", ["a*=r"]),
        (["not", "mate"], "*", ["not mate"]),
        (["not", "d5=P"], "*", ["not d5=P"]),
        (["black=qQp", "rights=kQ"], "*", ["black=KQQP", "rights=Qk"]),
        ([], "*", []),
    ],
)
def test_the_first_word_is_the_string_if_it_can_be(
    words: list[str], pattern: str, rest: list[str]
) -> None:
    question = read_question(words)
    assert (question.pattern, [*map(str, question.criteria)]) == (pattern, rest)


BAD = {
    "not": "'not' is last",
    "not not mate": "'not' is repeated",
    "chekc": "Did you mean 'check'?",
    "Nf9": "no SAN string",
    "": "not a criterion",
    "square=P": "not a criterion",
    "mate=1": "takes no value",
    "moves": "takes P, N",
    "d9=P": "not a criterion",
    "d5=X": "takes a piece",
    "d5=PP": "takes a piece",
    "men=": "takes a number",
    "men=..": "takes a number",
    "men=-1": "takes a number",
    "men=7..3": "from 2 to 32",
    "men=\u0667": "takes a number",
    "men=123": "takes a number",
    "men=33": "from 2 to 32",
    "men=..1": "from 2 to 32",
    "white-men=17..": "from 1 to 16",
    "replies=3": "more are not counted",
    "replies=1..2": "more are not counted",
    "white=KX": "takes the side's pieces",
    "white=": "takes the side's pieces",
    "rights=KK": "castling rights",
    "rights=": "castling rights",
    "moves=X": "takes P, N",
    "only-reply=castling": "takes king",
}


@pytest.mark.parametrize(("word", "said"), BAD.items())
def test_bad_words(word: str, said: str) -> None:
    with pytest.raises(CriterionError, match=said) as error:
        read_question(["mate", *word.split(" ")] if word != "Nf9" else [word])
    assert "\n" not in str(error.value)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(CriterionError):
        read_question([text])


def test_ranges_and_squares() -> None:
    for value, numbers in (("3..", [3, 4]), ("1..3", [1, 2, 3]), ("..1", [0, 1]), ("2", [2])):
        asked = Criterion("men", "", value).range
        assert [n for n in range(5) if n in asked] == numbers
    assert squares_of("e4") == [28]
    assert squares_of("h*") == [7, 15, 23, 31, 39, 47, 55, 63]
    assert squares_of("*1") == list(range(8))
    assert len(squares_of("**")) == 64


# Patterns


@cache
def sample() -> list[str]:
    return Random(1).sample(all_texts(), 1000)


@given(st.text("*?QNxad14#+=[]!-O", max_size=10))
@example("[]")
@example("[]Q]*")
@example("[!]")
@example("[!]Q]*")
@example("[1-a]*")
@example("[4-1]*")
@example("[Q-]*")
def test_patterns_match_as_those_of_a_shell(pattern: str) -> None:
    ours = Pattern(pattern)
    for text in [*sample(), pattern, pattern.replace("[", ""), pattern.replace("*", "]")]:
        assert ours.takes(text) == fnmatch.fnmatchcase(text, pattern), text


@pytest.mark.parametrize("pattern", ["Q*d4#", "?a?4", "[NB]*x[a-c][!3]", "*=N+", "O-O*", "Nf3"])
def test_strings_and_cubes_of_a_pattern(pattern: str) -> None:
    expected = set(fnmatch.filter(all_texts(), pattern))
    found = [str(san) for cube in all_cubes() for san in Pattern(pattern).strings(cube)]
    assert sorted(found) == sorted(expected)
    cubes = {cube_of(parse_san(text)) for text in expected}
    assert matching_cubes(pattern) == [cube for cube in all_cubes() if cube in cubes]
