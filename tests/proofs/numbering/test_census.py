from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.numbering.census import Census, MoveState
from sanproof.proofs.numbering.setup import CHESS, Setup
from tests.proofs.numbering.published import SIZE


@cache
def census() -> Census:
    """That of chess: counting takes a second."""
    return Census(CHESS)


CASES = st.deferred(lambda: st.sampled_from(census().cases))


def test_the_size_is_the_published_one() -> None:
    assert census().case_ends[-1] == SIZE


PUBLISHED_CASES = {
    (0, 0, 0): 4317116501858047620299900728599356147494556640,
    (0, 0, 1): 31999595200733582973106880061728861929069928,
    (0, 1, 0): 6922142764395483618137561107749568789790148,
    (0, 1, 1): 54444384271688044810990508417111948991768,
    (0, 2, 1): 1035365889143551932685537903363800096422,
    (1, 0, 1): 54308353407259673025385006313129004055128,
    (1, 1, 0): 11745419798256512510493235052589222172668,
    (2, 1, 1): 1895642836539897140574420164647093916,
    (2, 2, 0): 4729971278292293446735355275667009679,
    (2, 2, 1): 36635290891989131864827262732080222,
}
"""White to move: rooks fixed, and whether by a capture in passing; the source's CountChess.hs."""


@pytest.mark.parametrize("key", PUBLISHED_CASES)
def test_the_cases_are_the_published_ones(key: tuple[int, int, int]) -> None:
    white, black, passing = key
    assert census().case_size(MoveState(True, white, black, bool(passing))) == PUBLISHED_CASES[key]


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


def test_a_setup_without_rights_has_two_cases() -> None:
    small = Census(Setup(castling=False, en_passant=False))
    assert small.cases == (MoveState(True, 0, 0, False), MoveState(False, 0, 0, False))
    assert [place[:2] for place in small.find(0)[1:3]] == [(0, 0), (0, 0)]
