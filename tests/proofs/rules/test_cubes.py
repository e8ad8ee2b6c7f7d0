from collections import Counter

import chess
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from proofs.rules.cubes import (
    Cube,
    all_cubes,
    cube_of,
    exchanged_cube,
    mirrored_file,
    mirrored_rank,
    orbits,
    solved_cube,
    solved_cubes,
)
from proofs.rules.san import San, universe, universe_size
from tests.proofs.rules.test_san import sans

cubes = st.sampled_from(all_cubes())


def test_every_string_of_the_universe_is_in_exactly_one_cube() -> None:
    strings = Counter(san for cube in all_cubes() for san in cube.strings())
    assert len(strings) == strings.total() == universe_size()
    assert all(strings[san] == 1 for san in universe())


@settings(max_examples=25)
@given(cubes)
def test_a_cube_holds_the_strings_whose_cube_it_is(cube: Cube) -> None:
    assert all(cube_of(san) == cube for san in cube.strings())


@given(sans)
def test_a_string_is_in_its_cube(san: San) -> None:
    assert san in set(cube_of(san).strings())


@settings(max_examples=25)
@given(cubes)
def test_bare_strings_are_the_strings_without_suffix(cube: Cube) -> None:
    assert list(cube.bare_strings()) == [san for san in cube.strings() if not san.suffix]


def test_cubes_have_distinct_names() -> None:
    names = list(map(str, all_cubes()))
    assert len(names) == len(set(names)) == 2 + 6 * 2 * 64


def test_solved_cubes_and_their_reflections_are_all_cubes() -> None:
    """Each cube is either solved, or the reflection of exactly one that is."""
    solved = solved_cubes()
    assert len(solved) == 2 + 6 * 2 * 32
    reflected = [cube_of(mirrored_file(next(cube.strings()))) for cube in solved]
    others = [cube for cube in reflected if cube not in solved]
    assert sorted(solved + others) == sorted(all_cubes())
    assert all(cube.castling for cube in reflected if cube in solved)


@settings(max_examples=25)
@given(cubes)
def test_every_cube_knows_the_one_that_is_solved_for_it(cube: Cube) -> None:
    solved = solved_cube(cube)
    assert solved in solved_cubes()
    assert set(solved.strings()) in (
        set(cube.strings()),
        set(map(mirrored_file, cube.strings())),
    )


@settings(max_examples=25)
@given(cubes)
def test_exchanging_the_colours_maps_a_cube_to_a_cube(cube: Cube) -> None:
    assert exchanged_cube(exchanged_cube(cube)) == cube
    assert set(exchanged_cube(cube).strings()) == set(map(mirrored_rank, cube.strings()))


def test_orbits_part_the_solved_cubes() -> None:
    members = [cube for orbit in orbits() for cube in orbit]
    assert sorted(members) == sorted(solved_cubes())


def test_orbits_are_moves_and_captures_and_if_pieces_move_their_reflections() -> None:
    for first, *others in orbits():
        assert first.capture == ""
        capture = first._replace(capture="x")
        if first.castling:
            assert others == []
        elif first.piece == "":
            assert others == [capture]
        else:
            assert others == [exchanged_cube(first), capture, exchanged_cube(capture)]


@given(sans)
def test_reflections_undo_themselves_and_commute(san: San) -> None:
    assert mirrored_file(mirrored_file(san)) == san
    assert mirrored_rank(mirrored_rank(san)) == san
    assert mirrored_file(mirrored_rank(san)) == mirrored_rank(mirrored_file(san))


@given(sans)
def test_reflections_move_every_square_that_is_written(san: San) -> None:
    assume(san.destination)
    destination = chess.parse_square(san.destination)
    by_file, by_rank = mirrored_file(san), mirrored_rank(san)
    assert chess.parse_square(by_file.destination) == destination ^ 7
    assert chess.parse_square(by_rank.destination) == destination ^ 56
    assert by_file == san._replace(file=by_file.file, destination=by_file.destination)
    assert by_rank == san._replace(rank=by_rank.rank, destination=by_rank.destination)
    letters, digits = "abcdefgh", "12345678"
    assert by_file.file == (san.file and letters[7 - letters.index(san.file)])
    assert by_rank.rank == (san.rank and digits[7 - digits.index(san.rank)])
