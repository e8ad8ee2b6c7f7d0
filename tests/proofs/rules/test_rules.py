"""Squares, strings and cubes, by python-chess and by the regular expression of the language."""

from itertools import islice, product

import chess
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_cube, exchanged_san
from sanproof.proofs.rules.san import San, list_order, parse_san, universe
from sanproof.proofs.rules.squares import (
    DIAGONAL,
    DIRECTIONS,
    KING,
    KNIGHT,
    KNIGHT_STEPS,
    ORTHOGONAL,
    RAY,
    SQUARES,
    Direction,
    file_of,
    parse_square,
    rank_of,
    ray,
    square_name,
    step,
    steps,
)
from tests.examples import examples
from tests.strings import CASTLING, MOVES, all_texts, is_derived, sans, strings, strings_of, texts

cubes = st.sampled_from(all_cubes())
squares = st.sampled_from(list(SQUARES))


def seen_from(square: int, piece: chess.PieceType) -> set[int]:
    """Return what python-chess says that a piece attacks on an empty board."""
    board = chess.Board(None)
    board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
    return set(board.attacks(square))


def test_squares_are_numbered_and_named_as_in_python_chess() -> None:
    assert list(SQUARES) == list(chess.SQUARES)
    for square in SQUARES:
        assert file_of(square) == chess.square_file(square)
        assert rank_of(square) == chess.square_rank(square)
        assert square_name(square) == chess.square_name(square)
        assert parse_square(square_name(square)) == square


def test_pieces_attack_what_python_chess_says() -> None:
    sliders = ((ORTHOGONAL, chess.ROOK), (DIAGONAL, chess.BISHOP), (DIRECTIONS, chess.QUEEN))
    for square in SQUARES:
        for table, leaper in ((KNIGHT, chess.KNIGHT), (KING, chess.KING)):
            assert sorted(table[square]) == sorted(seen_from(square, leaper))
        for directions, slider in sliders:
            covered = [s for d in directions for s in RAY[d][square]]
            assert sorted(covered) == sorted(seen_from(square, slider))


def test_rays_run_from_the_nearest_square_to_the_edge() -> None:
    for square, d in product(SQUARES, DIRECTIONS):
        assert RAY[d][square] == ray(square, d)
        for i, reached in enumerate(RAY[d][square]):
            assert set(RAY[d][square][:i]) == set(chess.SquareSet.between(square, reached))
        assert step(square, d) == next(iter(RAY[d][square]), None)


@given(squares, st.sampled_from(DIRECTIONS + KNIGHT_STEPS))
def test_a_step_is_undone_by_its_opposite(square: int, direction: Direction) -> None:
    reached = step(square, direction)
    if reached is None:
        assert steps(square, (direction,)) == ()
    else:
        assert steps(square, (direction,)) == (reached,)
        assert step(reached, (-direction[0], -direction[1])) == square
        assert file_of(reached) - file_of(square) == direction[0]
        assert rank_of(reached) - rank_of(square) == direction[1]


# Strings


@given(strings)
@example("R1a3")
@example("a1b2")
@example("exd8=N#")
def test_the_parts_are_those_of_the_regular_expression(text: str) -> None:
    match = MOVES.fullmatch(text)
    if match:
        piece, file, rank, capture, to_file, to_rank, promotion, suffix = (
            part or "" for part in match.groups()
        )
        assert parse_san(text) == (piece, file, rank, capture, to_file + to_rank, promotion, suffix)
    else:
        castling, suffix = (text.rstrip("+#"), text[-1] if text[-1] in "+#" else "")
        assert parse_san(text) == (castling, "", "", "", "", "", suffix)


@given(sans)
def test_a_bare_string_differs_by_its_suffix_only(san: San) -> None:
    assert str(san.bare) + san.suffix == str(san)


def test_the_universe_is_the_language() -> None:
    texts = all_texts()
    # Each optional part counts one more than its letters; six castlings besides.
    assert len(texts) == (5 + 1) * (8 + 1) * (8 + 1) * 2 * 8 * 8 * (5 + 1) * 3 + 2 * 3
    assert len(texts) == len(set(texts)) == 1_119_750
    assert all(map(CASTLING.fullmatch, texts[:6]))
    assert all(map(MOVES.fullmatch, texts[6:]))
    assert sum(text[-1] not in "+#" for text in texts) == 373_250


def test_the_universe_is_read_back() -> None:
    assert all(parse_san(str(san)) == san for san in islice(universe(), None, None, 101))


def test_lists_are_ordered_by_length_then_characters() -> None:
    texts = ["e4+", "Nf3", "O-O", "e4", "a1"]
    assert sorted(texts, key=list_order) == ["a1", "e4", "Nf3", "O-O", "e4+"]


@given(texts)
@example("")
@example("e4\n")
@example("O-O+x")
@example("0-0")
def test_a_text_is_read_exactly_if_it_is_of_the_language(text: str) -> None:
    if is_derived(text):
        assert str(parse_san(text)) == text
    else:
        with pytest.raises(ValueError, match="is not a SAN string"):
            parse_san(text)


# Cubes


@given(sans)
def test_a_string_is_in_its_cube(san: San) -> None:
    strings = set(strings_of(cube_of(san)))
    assert san in strings
    assert {cube_of(one) for one in strings} == {cube_of(san)}


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
