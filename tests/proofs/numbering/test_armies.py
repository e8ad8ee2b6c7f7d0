from itertools import product
from math import factorial, prod

import pytest

from sanproof.proofs.numbering.armies import list_armies
from sanproof.proofs.numbering.setup import CHESS

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
    listed = [
        (group.pawns, *army[1:])
        for group in list_armies(CHESS, rooks, pawns).groups
        for shape in group.shapes
        for army in shape.armies
    ]
    assert len(listed) == len(set(listed))
    assert set(listed) == brute_force(rooks, pawns)


@pytest.mark.parametrize(("rooks", "pawns"), FIXED)
def test_groups_and_shapes_say_what_their_armies_are(rooks: int, pawns: int) -> None:
    armies = list_armies(CHESS, rooks, pawns)
    start = (1, 2 - rooks, 2, 2)
    for index, group in enumerate(armies.groups):
        assert armies.places[group.men, group.pawns, group.promotions] == index
        for shape in group.shapes:
            for army in shape.armies:
                assert army[0] == (0 if rooks else 1)
                assert sum(army) == group.pieces
                assert 1 + sum(army[1:]) + group.pawns + rooks + pawns == group.men
                promotions = sum(max(0, n - s) for n, s in zip(army[1:], start, strict=True))
                assert promotions == group.promotions
                ways = factorial(sum(army)) // prod(map(factorial, army))
                assert shape.permutations == ways


@pytest.mark.parametrize(("rooks", "pawns"), FIXED)
def test_the_order_is_that_of_the_source(rooks: int, pawns: int) -> None:
    """The source adds up a code for the factorials; here the exponents are compared."""
    code = [0, 0]
    for step in (0o100, 0o010, 0o200, 0o002, 0o110, 0o001, 0o300, 0o020, 0o102):
        code.append(code[-1] + step)
    keys = [
        (group.men, group.pawns, group.promotions, sum(code[n] for n in shape.armies[0][1:]))
        for group in list_armies(CHESS, rooks, pawns).groups
        for shape in group.shapes
    ]
    assert keys == sorted(keys)
    assert len(keys) == len(set(keys))
