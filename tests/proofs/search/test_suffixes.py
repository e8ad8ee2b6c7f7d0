"""Witnesses with another suffix: each is checked by python-chess, and is the move asked for."""

from random import Random

import chess
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sanproof.proofs.search.derived import with_king_elsewhere
from sanproof.proofs.verdicts.witness import Witness, check_witness
from tests.examples import examples


def test_the_king_of_a_mate_goes_where_it_is_free_and_where_it_is_in_check() -> None:
    mate = Witness("Ra8#", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8")
    check_witness(mate)
    made = {witness.san: witness for witness in with_king_elsewhere(mate)}
    assert set(made) == {"Ra8", "Ra8+"}
    assert kings_square(made["Ra8+"]) in chess.SquareSet(chess.BB_RANK_8 | chess.BB_FILE_A)
    assert kings_square(made["Ra8"]) not in chess.SquareSet(chess.BB_RANK_8 | chess.BB_FILE_A)


@pytest.mark.parametrize("suffix", ["", "+"])
def test_a_suffix_that_is_there_already_is_not_made(suffix: str) -> None:
    placement = "7k/8/8/8/8/8/8/R3K3" if suffix else "8/8/8/8/8/8/6k1/R3K3"
    witness = Witness("Ra8" + suffix, f"{placement} w - - 0 1", "a1a8")
    check_witness(witness)
    assert [made.san for made in with_king_elsewhere(witness)] == ["Ra8" if suffix else "Ra8+"]


def test_the_king_does_not_go_where_it_would_be_stalemated() -> None:
    """The nearest square that is not attacked is a1; but no game goes on from there."""
    mate = Witness("Qc2#", "8/8/8/8/8/1K6/4Q3/2k5 w - - 0 1", "e2c2")
    check_witness(mate)
    made = {witness.san: kings_square(witness) for witness in with_king_elsewhere(mate)}
    assert "Qc2" in made
    assert made["Qc2"] != chess.A1


def kings_square(witness: Witness) -> chess.Square:
    board = chess.Board(witness.fen)
    return chess.lsb(board.kings & board.occupied_co[chess.BLACK])


@given(st.randoms(use_true_random=False), st.sampled_from(["QQQR", "QRR", "QNNN", "QBBB"]))
@settings(max_examples=examples(80), deadline=None)
def test_what_is_made_is_a_witness_and_only_the_king_has_moved(random: Random, men: str) -> None:
    """Of any White move in a random position, whatever its suffix."""
    board = random_board(random, men)
    assume(board.is_valid() and any(board.legal_moves))
    move = random.choice(list(board.legal_moves))
    witness = Witness(board.san(move), board.fen(), move.uci())
    check_witness(witness)
    made = list(with_king_elsewhere(witness))
    assert len({item.san for item in made} | {witness.san}) == len(made) + 1
    for item in made:
        after = chess.Board(check_witness(item).after_fen)
        assert any(after.legal_moves)
        assert (item.san.rstrip("+#"), item.uci) == (witness.san.rstrip("+#"), witness.uci)
        assert without_king(item.fen) == without_king(witness.fen)


def without_king(fen: str) -> str:
    board = chess.Board(fen)
    board.remove_piece_at(chess.lsb(board.kings & board.occupied_co[chess.BLACK]))
    return board.board_fen()


def random_board(random: Random, men: str) -> chess.Board:
    """White's men against two knights, anywhere."""
    squares = random.sample(range(64), len(men) + 4)
    board = chess.Board(None)
    for letter, square in zip(f"Kknn{men}", squares, strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    return board
