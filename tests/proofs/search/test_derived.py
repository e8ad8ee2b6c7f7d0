"""Witnesses that are made of others: each is checked by python-chess, and is what was asked for."""

from random import Random

import chess
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sanproof.proofs.board.witness import Witness, checked_witness
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.search.derived import captures_from, with_king_elsewhere
from tests.examples import examples


def expect_captures(quiet: Witness, made: list[Witness]) -> None:
    """Check that each is a capture on the square by the same kind, with the same suffix."""
    was = parse_san(quiet.san)
    for witness in made:
        assert checked_witness(*witness[:3]) == witness
        now = parse_san(witness.san)
        assert now.capture == "x"
        if was.piece:
            assert now == was._replace(capture="x")
        else:
            assert now == was._replace(capture="x", file=now.file)
            assert abs(ord(now.file) - ord(was.destination[0])) == 1
    assert len({w.san for w in made}) == len(made)


@given(st.randoms(use_true_random=False), st.sampled_from(["Q", "R", "B", "N", ""]))
@settings(max_examples=examples(50), deadline=None)
def test_whatever_is_made_of_a_random_position_is_a_capture(rng: Random, piece: str) -> None:
    pieces = "KPknn" + piece
    board = chess.Board(None)
    for square, letter in zip(rng.sample(range(64), len(pieces)), pieces, strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    assume(board.is_valid())
    for move in list(board.legal_moves):
        if not board.is_capture(move):
            quiet = checked_witness(board.san(move), board.fen(), move.uci())
            expect_captures(quiet, list(captures_from([quiet])))


def test_the_king_does_not_go_where_it_would_be_stalemated() -> None:
    """The nearest square that is not attacked is a1; but no game goes on from there."""
    mate = checked_witness("Qc2#", "8/8/8/8/8/1K6/4Q3/2k5 w - - 0 1", "e2c2")
    made = {witness.san: kings_square(witness) for witness in with_king_elsewhere(mate)}
    assert "Qc2" in made
    assert made["Qc2"] != chess.A1


def kings_square(witness: Witness) -> chess.Square:
    board = chess.Board(witness.fen)
    return chess.lsb(board.kings & board.occupied_co[chess.BLACK])


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
