"""The programs that number the strings; `nox -s harden -- languages` compiles and runs them."""

import re

import pytest

from sanproof.reports.exports.automaton import Automaton
from sanproof.reports.exports.lookup import PROGRAMS, lookup
from tests.reports.exports.test_automaton import published

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/"


@pytest.mark.parametrize("form", PROGRAMS)
def test_the_tables_are_the_automaton(form: str) -> None:
    text = lookup(published(), form)
    first, second = (
        "".join(re.findall(r'^  "(.*)",$', table, re.MULTILINE))
        for table in re.split(r"Where each", text)
    )
    characters = first.removesuffix(" ").split(" ")
    numbers = [
        64 * DIGITS.index(a) + DIGITS.index(b)
        for a, b in zip(second[::2], second[1::2], strict=True)
    ]
    steps = iter(numbers)
    for state, known in zip(characters, published().states, strict=True):
        assert ("." in state) == known.accepts
        assert tuple((c, next(steps)) for c in state.replace(".", "")) == known.steps
    assert list(steps) == []


@pytest.mark.parametrize("form", PROGRAMS)
def test_the_programs_are_short_and_whole(form: str) -> None:
    text = lookup(published(), form)
    lines = text.splitlines()
    assert len(lines) <= 200
    assert max(map(len, lines)) <= 120
    assert "$" not in text.replace("${", "")
    assert f"{sum(published().counts[0])}" in text
    assert text.isascii()


def test_other_lists_have_other_programs() -> None:
    small = Automaton(["e4", "e5", "Nf3"])
    for form in PROGRAMS:
        assert lookup(small, form) != lookup(published(), form)
        assert "3 SAN strings" in lookup(small, form)


@pytest.mark.parametrize("form", PROGRAMS)
def test_the_first_lines_say_which_strings_there_are(form: str) -> None:
    small = Automaton(["e4", "e5", "Nf3"])
    head = {
        (bare, at_least): " ".join(lookup(small, form, bare=bare, at_least=at_least)[:800].split())
        for bare in (False, True)
        for at_least in (0, 1000)
    }
    assert "a legal chess game, and" in head[False, 0]
    assert "is the `id` of `sanproof export --what vocabulary`" in head[False, 0]
    assert "a legal chess game without suffix, and" in head[True, 0]
    assert "is the `id` of `sanproof export --what vocabulary --bare`" in head[True, 0]
    for bare in (False, True):
        assert "and were played 1,000 times or more, and" in head[bare, 1000]
        assert "is not the `id` of" in head[bare, 1000]
