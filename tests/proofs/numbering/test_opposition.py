from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.numbering.opposition import (
    Choices,
    Pair,
    Pairing,
    count_pairs,
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


@pytest.mark.parametrize("files", [[], [1], [0, 2], [0, 1, 3]])
@pytest.mark.parametrize("pairs", range(4))
@pytest.mark.parametrize("gaps", range(7))
def test_all_pairings(files: list[int], pairs: int, gaps: int) -> None:
    expected = all_pairings(files, pairs, gaps)
    pairing = Pairing(WIDTH, HEIGHT)
    assert pairing.count(pairs, gaps, len(files)) == len(expected)
    placed = [pairing.place(files, pairs, gaps, number) for number in range(len(expected))]
    assert sorted(placed) == sorted(expected)
    assert [pairing.number(files, one) for one in placed] == list(range(len(expected)))


def test_a_pair_that_does_not_face_has_no_number() -> None:
    with pytest.raises(ValueError, match="no pair"):
        Pairing(WIDTH, HEIGHT).number([0], [(8, 4)])


def test_all_gaps_together_are_all_pairs_of_squares() -> None:
    each_file = 6 * 5 // 2
    for pairs in range(9):
        found = sum(count_pairs(pairs, gaps, 8, 6) for gaps in range(4 * pairs + 1))
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
    choices = Choices(options, pairs)
    assert choices.count == len(expected)
    picked = [choices.pick(number) for number in range(choices.count)]
    assert {tuple(one) for one in picked} == expected
    assert [choices.number(one) for one in picked] == list(range(choices.count))
