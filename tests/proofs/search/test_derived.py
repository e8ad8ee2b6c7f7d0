"""Witnesses that are read from models, or made of others: python-chess confirms each."""

from collections.abc import Iterator
from random import Random

import chess
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sanproof.proofs.board.witness import Witness, checked_witness
from sanproof.proofs.rules.cubes import all_cubes, cube_of, exchanged_cube, exchanged_san
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.search.derived import (
    captures_from,
    exchanged_colours,
    front_to_back,
    left_to_right,
    mirrored_cube,
    solved_cubes,
    with_king_elsewhere,
    work_units,
)
from sanproof.proofs.search.exact import encode_exact, read_witness
from tests.examples import examples
from tests.proofs.encoding.adequacy import Formula, case_of
from tests.proofs.encoding.positions import FAMILIES, first_boards
from tests.strings import mirrored_san

PAWN = checked_witness("exd8=N+", "3r4/4Pk2/8/8/8/8/8/4K3 w - - 0 1", "e7d8n")
PASSING = checked_witness("bxa6", "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1", "b5a6")
CASTLING = checked_witness("O-O+", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1")
LONG_CASTLING = checked_witness("O-O-O", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1")


@pytest.mark.parametrize("witness", [PAWN, PASSING, CASTLING, LONG_CASTLING])
def test_a_model_of_a_witness_is_read_as_that_witness(witness: Witness) -> None:
    board, move = chess.Board(witness.fen), chess.Move.from_uci(witness.uci)
    formula = Formula(encode_exact(cube_of(parse_san(witness.san))))
    assert formula.admits(formula.case_literals(case_of(board, move, "fixed")))
    assert read_witness(formula.encoding, formula.session.holds) == witness


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


def test_work_units_are_moves_and_captures_and_if_pieces_move_their_reflections() -> None:
    """Each cube is either in one unit, or the reflection of one that is."""
    solved = [cube for unit in work_units() for cube in unit]
    assert sorted(solved) == sorted(solved_cubes())
    reflected = [mirrored_cube(cube) for cube in solved if not cube.castling]
    assert sorted(solved + reflected) == sorted(all_cubes())
    for first, *others in work_units():
        assert first.capture == ""
        quiet = [first]
        if first.piece and not first.castling:
            quiet.append(exchanged_cube(first))
        captures = [] if first.castling else [cube._replace(capture="x") for cube in quiet]
        assert [first, *others] == [*quiet, *captures]


@given(st.randoms(use_true_random=False), st.sampled_from(["Q", "R", "B", "N", "P"]))
@settings(max_examples=examples(50), deadline=None)
def test_what_is_made_of_a_quiet_move_is_a_capture(rng: Random, piece: str) -> None:
    """On its square, by the same kind of piece, with the same suffix."""
    board = random_board(rng, f"P{piece}")
    assume(board.is_valid())
    for move in list(board.legal_moves):
        if board.is_capture(move):
            continue
        quiet = checked_witness(board.san(move), board.fen(), move.uci())
        made, was = list(captures_from([quiet])), parse_san(quiet.san)
        assert len({w.san for w in made}) == len(made)
        for witness in made:
            assert is_confirmed(witness)
            now = parse_san(witness.san)
            assert now == was._replace(capture="x", file=now.file if not was.piece else was.file)
            assert was.piece or abs(ord(now.file) - ord(was.destination[0])) == 1


def test_the_king_does_not_go_where_it_would_be_stalemated() -> None:
    """The nearest square that is not attacked is a1; but no game goes on from there."""
    mate = checked_witness("Qc2#", "8/8/8/8/8/1K6/4Q3/2k5 w - - 0 1", "e2c2")
    made = {witness.san: chess.Board(witness.fen) for witness in with_king_elsewhere(mate)}
    assert made["Qc2"].king(chess.BLACK) not in (None, chess.A1)


@given(st.randoms(use_true_random=False), st.sampled_from(["QQQR", "QRR", "QNNN", "QBBB"]))
@settings(max_examples=examples(80), deadline=None)
def test_what_is_made_is_a_witness_and_only_the_king_has_moved(random: Random, pieces: str) -> None:
    """Of any White move in a random position, whatever its suffix."""
    board = random_board(random, pieces)
    assume(board.is_valid() and any(board.legal_moves))
    move = random.choice(list(board.legal_moves))
    witness = checked_witness(board.san(move), board.fen(), move.uci())
    made = list(with_king_elsewhere(witness))
    assert len({item.san for item in made} | {witness.san}) == len(made) + 1
    for item in made:
        assert checked_witness(*item[:3]) == item
        after = chess.Board(item.after_fen)
        assert any(after.legal_moves)
        assert (item.san.rstrip("+#"), item.uci) == (witness.san.rstrip("+#"), witness.uci)
        assert without_king(item.fen) == without_king(witness.fen)


def without_king(fen: str) -> str:
    board = chess.Board(fen)
    board.remove_piece_at(chess.lsb(board.kings & board.occupied_co[chess.BLACK]))
    return board.board_fen()


def random_board(random: Random, pieces: str) -> chess.Board:
    """Put White's pieces against two knights, anywhere."""
    squares = random.sample(range(64), len(pieces) + 4)
    board = chess.Board(None)
    for letter, square in zip(f"Kknn{pieces}", squares, strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    return board
