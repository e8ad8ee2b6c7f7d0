"""The smallest suite is chosen greedily."""

from tests.conformance.mutants.measure import fails
from tests.conformance.mutants.operators import Mutated, mutants
from tests.conformance.mutants.smoke import found_by, greedily
from tests.conformance.mutants.test_mutants import small


def test_each_in_turn_adds_most() -> None:
    found = [{1, 2}, {1, 2, 3}, {3, 4}, {5}, {1, 5, 3}, set[int]()]
    assert greedily(found, 9) == [1, 2, 3]
    assert greedily(found, 2) == [1, 2]
    assert greedily([], 3) == []


def test_the_first_of_equals_is_taken() -> None:
    assert greedily([{2}, {1}, {1, 2}, {2, 1}], 5) == [2]


def test_what_finds_a_mutant_is_known() -> None:
    cases, chosen = small()[:10], mutants()[::500]
    for number, found in enumerate(found_by(cases, chosen)):
        for index, mutant in enumerate(chosen):
            with Mutated(mutant):
                assert fails(cases[number]) == (index in found)
