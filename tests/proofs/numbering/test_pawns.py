"""Rows of things that look alike, opposed pawns, and pawn structures: each against a full list."""

from collections import Counter
from functools import cache
from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.numbering.opposition import (
    Pair,
    Picks,
    gap,
    opposed_on_files,
)
from sanproof.proofs.numbering.pawns import PawnNeeds, PawnStructures
from sanproof.proofs.numbering.permutations import (
    count_permutations,
    permutation,
    permutation_number,
)
from sanproof.proofs.numbering.setup import Setup
from tests.proofs.numbering import oracle

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


WIDTH = 4
HEIGHT = 4


def all_pairings(files: list[int], pairs: int, gaps: int) -> list[list[Pair]]:
    """Every set of pairs on different files with these gaps, by looking at all sets of pairs."""
    single = [
        (black * WIDTH + file, white * WIDTH + file)
        for file in files
        for black in range(1, HEIGHT + 1)
        for white in range(black + 1, HEIGHT + 1)
    ]
    return [
        list(picked)
        for picked in combinations(single, pairs)
        if len({pair[0] % WIDTH for pair in picked}) == pairs
        and sum(gap(pair, WIDTH) for pair in picked) == gaps
    ]


def single(files: list[int]) -> list[list[Pair]]:
    """All pairs of each file, in their order."""
    ranks = range(1, HEIGHT + 1)
    return [[(b * WIDTH + f, w * WIDTH + f) for b, w in combinations(ranks, 2)] for f in files]


@pytest.mark.parametrize("files", [[], [1], [0, 2], [0, 1, 3]])
@pytest.mark.parametrize("needed", [0, 1])
def test_all_picks_with_a_sum_of_gaps(files: list[int], needed: int) -> None:
    """Also where a pair of the first file must be picked."""
    picks = Picks(single(files), WIDTH, range(needed if files else 0))
    for pairs, gaps in product(range(4), range(7)):
        expected = [
            picked
            for picked in all_pairings(files, pairs, gaps)
            if not needed or not files or files[0] in {pair[0] % WIDTH for pair in picked}
        ]
        assert picks.count(pairs, gaps) == len(expected)
        placed = [picks.pick(number, pairs, gaps) for number in range(len(expected))]
        assert sorted(placed) == sorted(expected)
        assert [picks.number(one) for one in placed] == list(range(len(expected)))
        if files:
            with pytest.raises(ValueError, match="too large"):
                picks.pick(len(expected), pairs, gaps)
    with pytest.raises(ValueError, match="no pairs"):
        picks.number([(HEIGHT * WIDTH, WIDTH)])


@given(st.lists(st.sampled_from(".Pp"), min_size=24, max_size=24))
def test_opposed_pawns_are_next_to_each_other(men: list[str]) -> None:
    board = "".join(men)
    expected = {
        (black, white)
        for black, white in combinations(range(24), 2)
        if black % 4 == white % 4
        and (board[black], board[white]) == ("p", "P")
        and not {"P", "p"} & set(board[black + 4 : white : 4])
    }
    found = opposed_on_files(board, 4)
    assert {pair for pairs in found for pair in pairs} == expected
    assert all(pair[0] % 4 == file for file, pairs in enumerate(found) for pair in pairs)


SETUP = Setup(3, 8, {}, castling=False)


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
