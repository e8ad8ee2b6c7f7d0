import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

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

squares = st.sampled_from(list(SQUARES))


def seen_from(square: int, piece: chess.PieceType) -> set[int]:
    """Return what python-chess says that a piece attacks on an empty board."""
    board = chess.Board(None)
    board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
    return set(board.attacks(square))


@pytest.mark.parametrize("square", SQUARES)
def test_squares_are_numbered_and_named_as_in_python_chess(square: int) -> None:
    assert file_of(square) == chess.square_file(square)
    assert rank_of(square) == chess.square_rank(square)
    assert square_name(square) == chess.square_name(square)
    assert parse_square(square_name(square)) == square


@pytest.mark.parametrize("square", SQUARES)
def test_pieces_attack_what_python_chess_says(square: int) -> None:
    for table, leaper in ((KNIGHT, chess.KNIGHT), (KING, chess.KING)):
        assert sorted(table[square]) == sorted(seen_from(square, leaper))
    sliders = ((ORTHOGONAL, chess.ROOK), (DIAGONAL, chess.BISHOP), (DIRECTIONS, chess.QUEEN))
    for directions, slider in sliders:
        covered = [s for d in directions for s in RAY[d][square]]
        assert sorted(covered) == sorted(seen_from(square, slider))


@pytest.mark.parametrize("square", SQUARES)
def test_rays_run_from_the_nearest_square_to_the_edge(square: int) -> None:
    for d in DIRECTIONS:
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
