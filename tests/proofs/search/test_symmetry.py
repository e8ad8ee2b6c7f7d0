"""Mirror images: of squares, strings, cubes and witnesses."""

from collections.abc import Iterator
from random import Random

import chess
import pytest

from sanproof.proofs.board.witness import Witness, checked_witness
from sanproof.proofs.rules.cubes import all_cubes, cube_of, exchanged_cube, exchanged_san
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.rules.squares import SQUARES
from sanproof.proofs.search.derived import (
    exchanged_colours,
    front_to_back,
    left_to_right,
    mirror_file,
    mirror_rank,
    solved_cubes,
    transpose,
    work_units,
)
from tests.proofs.encoding.positions import FAMILIES, first_boards
from tests.proofs.search.witnesses import CASTLING, LONG_CASTLING, PASSING, PAWN
from tests.strings import mirrored_san, strings_of


def is_confirmed(witness: Witness) -> bool:
    return checked_witness(*witness[:3]) == witness


def drawn_witnesses(family: str, *, pawns: bool) -> Iterator[Witness]:
    """Yield White's moves in positions of a family; or in those without their pawns and rights."""
    rng = Random(family)
    for drawn in first_boards(family)[: 15 if pawns else None]:
        board = drawn
        if not pawns:
            pieces = {s: m for s, m in drawn.piece_map().items() if m.piece_type != chess.PAWN}
            board = chess.Board(None)
            board.set_piece_map(pieces)
        moves = list(board.legal_moves)
        if board.is_valid() and board.turn == chess.WHITE and moves:
            move = rng.choice(moves)
            yield checked_witness(board.san(move), board.fen(), move.uci())


@pytest.mark.parametrize("family", FAMILIES)
def test_reflected_witnesses_are_witnesses(family: str) -> None:
    """Colours exchanged; left to right, but for castling; front to back, if without pawns."""
    others = (CASTLING, LONG_CASTLING, PASSING, PAWN)
    drawn = (*drawn_witnesses(family, pawns=True), *drawn_witnesses(family, pawns=False))
    for witness in (*drawn, *others):
        assert is_confirmed(witness)
        placement, _, rights, *_ = witness.fen.split(" ")
        san = parse_san(witness.san)
        exchanged = exchanged_colours(witness)
        assert exchanged.san == str(exchanged_san(san))
        assert is_confirmed(exchanged)
        assert exchanged.fen == chess.Board(witness.fen).mirror().fen(en_passant="fen")
        if rights == "-":
            assert left_to_right(witness).san == str(mirrored_san(san))
            assert is_confirmed(left_to_right(witness))
            assert left_to_right(left_to_right(witness)) == witness
        if rights == "-" and "p" not in placement.lower():
            assert front_to_back(witness).san == str(exchanged_san(san))
            assert is_confirmed(front_to_back(witness))
            assert front_to_back(front_to_back(witness)) == witness


def test_mirrors_are_those_of_python_chess() -> None:
    for square in SQUARES:
        assert mirror_rank(square) == chess.square_mirror(square)
        assert transpose(square) == 8 * chess.square_file(square) + chess.square_rank(square)
        mirrored = (7 - chess.square_file(square), chess.square_rank(square))
        assert mirror_file(square) == chess.square(*mirrored)


def test_solved_cubes_and_their_reflections_are_all_cubes() -> None:
    """Each cube is either solved, or the reflection of exactly one that is."""
    solved = solved_cubes()
    assert len(solved) == 2 + 6 * 2 * 32
    reflected = [cube_of(mirrored_san(next(strings_of(cube)))) for cube in solved]
    others = [cube for cube in reflected if cube not in solved]
    assert sorted(solved + others) == sorted(all_cubes())
    assert all(cube.castling for cube in reflected if cube in solved)


def test_work_units_are_moves_and_captures_and_if_pieces_move_their_reflections() -> None:
    assert sorted(cube for unit in work_units() for cube in unit) == sorted(solved_cubes())
    for first, *others in work_units():
        assert first.capture == ""
        quiet = [first]
        if first.piece and not first.castling:
            quiet.append(exchanged_cube(first))
        captures = [] if first.castling else [cube._replace(capture="x") for cube in quiet]
        assert [first, *others] == [*quiet, *captures]
