import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.numbering.permutations import (
    count_permutations,
    permutation,
    permutation_number,
)

KINDS = "zax.q"  # not in alphabetical order: the order given is what counts


@pytest.mark.parametrize("counts", [(0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 2, 2), (0, 4, 1)])
def test_all_permutations_in_order(counts: tuple[int, ...]) -> None:
    kinds = KINDS[: len(counts)]
    things = "".join(kind * count for kind, count in zip(kinds, counts, strict=True))
    rows = sorted(set(permutations(things)), key=lambda row: [kinds.index(thing) for thing in row])
    expected = ["".join(row) for row in rows]
    assert count_permutations(counts) == len(expected)
    assert [permutation(kinds, counts, i) for i in range(len(expected))] == expected
    assert [permutation_number(kinds, counts, row) for row in expected] == list(range(len(rows)))


@given(st.data(), st.lists(st.integers(0, 9), min_size=5, max_size=5))
def test_round_trip(data: st.DataObject, counts: list[int]) -> None:
    number = data.draw(st.integers(0, count_permutations(counts) - 1))
    row = permutation(KINDS, counts, number)
    assert [row.count(kind) for kind in KINDS] == counts
    assert permutation_number(KINDS, counts, row) == number


def test_count() -> None:
    assert count_permutations([2, 3]) == math.comb(5, 2)
