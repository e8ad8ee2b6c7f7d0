import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.rules.cubes import (
    BLACK,
    WHITE,
    Cube,
    all_cubes,
    cube_of,
    exchanged_cube,
    exchanged_san,
)
from sanproof.proofs.rules.san import San, universe
from tests.examples import examples
from tests.strings import sans, strings_of

cubes = st.sampled_from(all_cubes())


@pytest.mark.slow
def test_every_string_of_the_universe_is_in_exactly_one_cube() -> None:
    left = set(universe())
    for cube in all_cubes():
        for san in strings_of(cube):
            assert cube_of(san) == cube
            left.remove(san)  # an error if it is outside the universe, or is in two cubes
    assert not left


@given(sans)
def test_a_string_is_in_its_cube(san: San) -> None:
    strings = set(strings_of(cube_of(san)))
    assert san in strings
    assert {cube_of(one) for one in strings} == {cube_of(san)}


def test_players_have_the_names_that_stand_in_files() -> None:
    assert (WHITE, BLACK) == ("white", "black")


def test_cubes_have_distinct_names() -> None:
    assert len(set(map(str, all_cubes()))) == len(all_cubes()) == 2 + 6 * 2 * 64


@settings(max_examples=examples(25))
@given(cubes)
def test_exchanging_the_colours_maps_a_cube_to_a_cube(cube: Cube) -> None:
    assert exchanged_cube(exchanged_cube(cube)) == cube
    assert set(strings_of(exchanged_cube(cube))) == set(map(exchanged_san, strings_of(cube)))


@given(sans)
def test_exchanging_the_colours_turns_the_ranks_and_nothing_else(san: San) -> None:
    exchanged = exchanged_san(san)
    assert exchanged_san(exchanged) == san
    assert exchanged == san._replace(rank=exchanged.rank, destination=exchanged.destination)
    if san.destination:
        expected = chess.square_mirror(chess.parse_square(san.destination))
        assert chess.parse_square(exchanged.destination) == expected
    digits = "12345678"
    assert exchanged.rank == (san.rank and digits[7 - digits.index(san.rank)])
