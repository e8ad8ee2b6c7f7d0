from collections import Counter
from functools import cache

import pytest

from sanproof.proofs.numbering.pawns import PawnNeeds, PawnStructures
from sanproof.proofs.numbering.setup import Setup
from tests.proofs.numbering import oracle

SETUP = Setup(3, 8, {}, castling=False)
SMALL = Setup(2, 6, {}, castling=False, en_passant=False)


@cache
def passing_boards() -> list[str]:
    return oracle.passing_boards(SETUP, {})


def pawns_only(board: str) -> str:
    return "".join(man if man in "Pp" else "." for man in board)


@pytest.mark.parametrize("white", range(3))
@pytest.mark.parametrize("black", range(3))
@pytest.mark.parametrize(
    "pairs", [0, 1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3))]
)
@pytest.mark.usually(6)
def test_every_structure_with_a_capture_in_passing(white: int, black: int, pairs: int) -> None:
    """White to move; each diagram as often as there are choices with each pair of pawns."""
    structures = PawnStructures(SETUP)
    demand = PawnNeeds(True, True, white, black, pairs)
    found = [structures.structure(demand, n) for n in range(structures.count(demand))]
    assert [structures.number(demand, one) for one in found] == list(range(len(found)))
    seen = Counter(
        (pawns_only(one.board), one.passing.white, one.passing.black)
        for one in found
        if one.passing
    )
    expected = Counter[tuple[str, int, int]]()
    for board in passing_boards():
        if (board.count("P") - 1, board.count("p") - 1) != (white, black):
            continue
        for places in oracle.passing_places(SETUP, board, white_to_move=True).values():
            for place in places:
                expected[board, *place] = oracle.count_picks(SETUP, board, place, pairs)
    assert seen == +expected
    assert seen.total() == len(found) == len({(one.passing, one.pairs, one.board) for one in found})


@pytest.mark.parametrize("white", range(3))
@pytest.mark.parametrize("black", range(3))
@pytest.mark.parametrize("pairs", range(3))
def test_every_structure_without(white: int, black: int, pairs: int) -> None:
    structures = PawnStructures(SMALL)
    demand = PawnNeeds(True, False, white, black, pairs)
    if pairs > min(white, black):
        assert structures.count(demand) == 0
        return
    found = [structures.structure(demand, n) for n in range(structures.count(demand))]
    assert [structures.number(demand, one) for one in found] == list(range(len(found)))
    expected = Counter(
        {
            board: oracle.count_picks(SMALL, board, None, pairs)
            for board in oracle.pawn_boards(SMALL, {})
            if (board.count("P"), board.count("p")) == (white, black)
        }
    )
    assert Counter(pawns_only(one.board) for one in found) == +expected


def test_black_to_move_is_the_mirror_of_white_to_move() -> None:
    structures = PawnStructures(SETUP)
    for white in range(3):
        for black in range(3):
            for pairs in range(4):
                one = structures.count(PawnNeeds(True, True, white, black, pairs))
                assert one == structures.count(PawnNeeds(False, True, black, white, pairs))
