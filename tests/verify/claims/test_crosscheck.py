"""Comparing the generator's list with the proven one, in both directions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.generator.strings import suffixed_strings
from sanproof.proofs.rules.cubes import cube_of, exchanged_cube
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.verdicts.rulings import Findings
from sanproof.verify.claims.crosscheck import CrossCheck, cross_check, differences
from tests.examples import examples

CLAIMED = list(suffixed_strings())


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
    assert check.strings == len(CLAIMED)


@pytest.mark.parametrize("letter", ["N", "O", "e"])
def test_only_what_is_selected_is_compared(letter: str) -> None:
    def selected(san: str) -> bool:
        return san.startswith(letter)

    proven = list(filter(selected, CLAIMED))
    assert cross_check(proven, selected) == CrossCheck(len(proven), [], [])
    assert cross_check(proven[1:], selected).too_many == proven[:1]
    assert cross_check(proven).too_many


def test_what_is_too_many_has_its_reason_or_its_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    claimed = "sanproof.verify.claims.crosscheck.suffixed_strings"
    monkeypatch.setattr(claimed, lambda: ["Nb2a1", "Na1"])
    cube = cube_of(parse_san("Na1"))
    findings = Findings(left_open={cube: ["Na1"], exchanged_cube(cube): ["Na8"]})
    assert differences([], findings)["too_many"] == {
        "Nb2a1": "Nb2a1: no knight reaches a1 from b2.",
        "Na1": "undecided",
    }
