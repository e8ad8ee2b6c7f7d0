"""Comparing the generator's list with the proven one, in both directions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.generator.strings import suffixed_strings
from sanproof.verify.claims.crosscheck import CrossCheck, cross_check
from tests.examples import examples

CLAIMED = list(suffixed_strings())


def test_equal_lists_agree() -> None:
    assert cross_check(CLAIMED) == CrossCheck(len(CLAIMED), [], [])
    assert cross_check(CLAIMED).agrees


@settings(max_examples=examples(25))
@given(
    st.sets(st.sampled_from(CLAIMED), max_size=5),
    st.sets(st.sampled_from(["Nb2a1", "Qz9", "e9", "Kae1+"]), max_size=3),
)
def test_every_difference_is_found(unproven: set[str], unclaimed: set[str]) -> None:
    proven = [san for san in CLAIMED if san not in unproven] + sorted(unclaimed)
    check = cross_check(proven)
    assert check.missing == sorted(unclaimed)
    assert check.too_many == [san for san in CLAIMED if san in unproven]
    assert check.agrees == (not unproven and not unclaimed)


@pytest.mark.parametrize("letter", ["N", "O", "e"])
def test_only_what_is_selected_is_compared(letter: str) -> None:
    def selected(san: str) -> bool:
        return san.startswith(letter)

    proven = list(filter(selected, CLAIMED))
    assert cross_check(proven, selected) == CrossCheck(len(proven), [], [])
    assert cross_check(proven[1:], selected).too_many == proven[:1]
    assert not cross_check(proven).agrees


def test_nothing_proven_is_no_agreement() -> None:
    assert cross_check([]).too_many == CLAIMED
