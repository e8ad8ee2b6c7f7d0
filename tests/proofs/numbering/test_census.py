"""Armies against all counts, and the size of the numbering against the published one.

That the order is that of the source is shown by the published pairs; see test_plausible.
"""

from functools import cache
from itertools import product
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.numbering.armies import list_armies
from sanproof.proofs.numbering.census import Census, MoveState
from sanproof.proofs.numbering.setup import CHESS
from tests.proofs.numbering.published import SIZE

FIXED = [(rooks, pawns) for rooks in range(3) for pawns in range(2)]


def brute_force(rooks: int, pawns: int) -> set[tuple[int, ...]]:
    """All (pawns, queens, rooks, bishops, knights) that are free, by trying all counts."""
    start = (1, 2 - rooks, 2, 2)
    return {
        (free, *officers)
        for officers in product(range(11), repeat=4)
        for free in range(9)
        if free + sum(max(0, n - s) for n, s in zip(officers, start, strict=True)) <= 8 - pawns
    }


@pytest.mark.parametrize(("rooks", "pawns"), FIXED)
@pytest.mark.usually(2)
def test_every_army_is_listed_once(rooks: int, pawns: int) -> None:
    listed = []
    for group in list_armies(CHESS, rooks, pawns).groups:
        for shape in group.shapes:
            for army in shape.armies:
                listed.append((group.pawns, *army[1:]))
                assert 1 + sum(army[1:]) + group.pawns + rooks + pawns == group.men
                assert sum(army) == group.pieces
                ways = factorial(sum(army)) // prod(map(factorial, army))
                assert shape.permutations == ways
    assert len(listed) == len(set(listed))
    assert set(listed) == brute_force(rooks, pawns)


@cache
def census() -> Census:
    """That of chess: counting takes a second."""
    return Census(CHESS)


CASES = st.deferred(lambda: st.sampled_from(census().cases))


def test_the_size_is_the_published_one() -> None:
    assert census().case_ends[-1] == SIZE


def test_a_mirrored_case_has_the_same_size() -> None:
    for case in census().cases[::5]:
        for other in case.same_size:
            assert census().case_size(case) == census().case_size(other)


def test_the_groups_fill_their_case() -> None:
    """Two different sums: over pairs of groups, and over pawns, pieces and promotions."""
    for case in census().cases[:6]:
        assert census()._group_ends(case)[-1] == census().case_size(case)


@given(CASES, st.data())
def test_find_and_start_are_inverse(case: MoveState, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, census().case_size(case) - 1))
    index = census().cases.index(case)
    number += census().case_ends[index - 1] if index else 0
    found, white, black, left = census().find(number)
    assert found == case
    start = census().start(case, white, black)
    assert start + left == number
    assert census().find(start) == (case, white, black, 0)
    if start:
        assert census().find(start - 1)[:3] != (case, white, black)
