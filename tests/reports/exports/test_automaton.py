"""The minimal automaton: what it accepts, that no state is too many, and its numbers."""

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.rules.san import (
    CAPTURES,
    DESTINATIONS,
    FILE_LETTERS,
    PIECES,
    PROMOTIONS,
    RANK_DIGITS,
    SUFFIXES,
    San,
    list_order,
    universe,
)
from sanproof.reports.archive.door import open_archive
from sanproof.reports.exports.automaton import Automaton


@cache
def strings() -> list[str]:
    return open_archive().strings()


@cache
def published() -> Automaton:
    return Automaton(strings())


languages = st.lists(st.text("ab+", max_size=5), min_size=1, max_size=30, unique=True)


def drawn(count: int) -> list[str]:
    """Strings of the universe, drawn by a random choice of each part."""
    rng = random.Random(count)
    parts = (PIECES, FILE_LETTERS, RANK_DIGITS, CAPTURES, DESTINATIONS, PROMOTIONS, SUFFIXES)
    return [str(San(*map(rng.choice, parts))) for _ in range(count)]


@settings(max_examples=30)
@given(languages, st.lists(st.text("ab+c", max_size=6)))
def test_numbers_are_places_in_the_list(texts: list[str], others: list[str]) -> None:
    listed = sorted(texts, key=list_order)
    automaton = Automaton(listed)
    for place, text in enumerate(listed):
        assert automaton.number_of(text) == place
        assert automaton.string_of(place) == text
    for text in set(others) - set(texts):
        assert automaton.number_of(text) is None
    for place in (-1, len(listed)):
        with pytest.raises(IndexError):
            automaton.string_of(place)


def accepted(automaton: Automaton, number: int) -> frozenset[str]:
    """All texts that are accepted from a state."""
    state = automaton.states[number]
    following = {c + text for c, step in state.steps for text in accepted(automaton, step)}
    return frozenset(following | ({""} if state.accepts else set()))


@settings(max_examples=30)
@given(languages)
def test_no_two_states_accept_the_same(texts: list[str]) -> None:
    automaton = Automaton(texts)
    numbers = range(len(automaton.states))
    assert len({accepted(automaton, number) for number in numbers}) == len(numbers)
    assert accepted(automaton, 0) == set(texts)


def test_the_published_automaton_is_minimal() -> None:
    """From the end: states that differ in nothing would be the same here."""
    kinds: dict[tuple[object, ...], int] = {}
    names: dict[int, int] = {}

    def name(number: int) -> int:
        if number not in names:
            state = published().states[number]
            steps = frozenset((c, name(step)) for c, step in state.steps)
            names[number] = kinds.setdefault((state.accepts, steps), len(kinds))
        return names[number]

    name(0)
    assert len(names) == len(kinds) == len(published().states)


def test_published_strings_and_others() -> None:
    assert sum(published().counts[0]) == len(strings())
    for place in range(0, len(strings()), 53):
        assert published().number_of(strings()[place]) == place
        assert published().string_of(place) == strings()[place]
    listed = set(strings())
    for san in drawn(2000):
        assert (published().number_of(san) is not None) == (san in listed)
    for text in ("", "e4e5", "Nf3\n", "é4", "N" * 50):
        assert published().number_of(text) is None


@pytest.mark.slow
def test_the_whole_universe() -> None:
    numbers = {text: place for place, text in enumerate(strings())}
    for san in map(str, universe()):
        assert published().number_of(san) == numbers.get(san)
