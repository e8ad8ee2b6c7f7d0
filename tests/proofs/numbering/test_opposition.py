from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.numbering.opposition import (
    Pair,
    Picks,
    count_picks,
    gap,
    opposed_on_files,
)

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


def test_a_pair_that_does_not_face_has_no_number() -> None:
    with pytest.raises(ValueError, match="no pairs"):
        Picks(single([0]), WIDTH).number([(8, 4)])


def test_all_gaps_together_are_all_pairs_of_squares() -> None:
    each_file = 6 * 5 // 2
    for pairs in range(9):
        lists = (tuple(white - black - 1 for black, white in combinations(range(6), 2)),) * 8
        found = sum(count_picks(lists, pairs, gaps) for gaps in range(4 * pairs + 1))
        assert found == len(list(combinations(range(8), pairs))) * each_file**pairs


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


@given(st.lists(st.integers(0, 3), max_size=5), st.integers(0, 5))
def test_choices(sizes: list[int], pairs: int) -> None:
    options = [[(file, 10 * (option + 1)) for option in range(n)] for file, n in enumerate(sizes)]
    every = [pair for option in options for pair in option]
    expected = {
        picked
        for picked in combinations(every, pairs)
        if len({file for file, _ in picked}) == pairs
    }
    picks = Picks(options)
    assert picks.count(pairs) == len(expected)
    picked = [picks.pick(number, pairs) for number in range(len(expected))]
    assert {tuple(one) for one in picked} == expected
    assert [picks.number(one) for one in picked] == list(range(len(expected)))
