"""Moves and positions are written as by python-chess, and read as by the slow way."""

from itertools import islice
from random import Random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.board.drawing import drawn
from sanproof.proofs.board.fens import exchanged_fen, write_fen
from sanproof.proofs.board.strict import canonical_move, written
from tests.proofs.encoding.positions import FAMILIES, first_boards
from tests.verify.notation.positions import BLACK_CROWD, CROWD, TANGLE, mixed


def check(board: chess.Board) -> None:
    """Compare both ways on each legal move, and on texts and moves that are nearly right."""
    legal = {board.san(move): move for move in board.legal_moves}
    texts = {near for san in legal for near in (san, san + "+", san.rstrip("+#"), "N" + san[-2:])}
    for text in texts:
        assert canonical_move(text, board) == legal.get(text), (text, board.fen())


def test_a_capture_without_a_file_is_no_push() -> None:
    board = chess.Board("rnbqkb1r/ppppppp1/5n2/7p/P6P/7N/1PPPPPP1/RNBQKB1R b KQkq - 0 3")
    assert canonical_move("xh4", board) is None


@given(st.integers(0, 2**32))
def test_random_positions(seed: int) -> None:
    for board in islice(mixed(Random(seed)), 3):
        check(board)


@pytest.mark.parametrize("fen", [CROWD, TANGLE, BLACK_CROWD])
def test_crowds(fen: str) -> None:
    check(chess.Board(fen))


@pytest.mark.parametrize("family", FAMILIES)
def test_legal_moves_are_written_as_python_chess_does(family: str) -> None:
    """In positions with crowds of twins, pins, checks, promotions and captures in passing."""
    for board in filter(chess.Board.is_valid, first_boards(family)):
        for move in board.legal_moves:
            assert written(move, board) == board.san(move), board.fen()


# FENs

STARTS = (
    chess.STARTING_FEN,
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",  # castling soon and often
    "4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 99 123",  # taking in passing
    "8/8/8/8/R1pP2k1/8/8/4K3 b - d3 0 1",  # a capture that the line to the king allows
    "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1",  # and one that it forbids
)
pieces = st.builds(chess.Piece, st.sampled_from(chess.PIECE_TYPES), st.booleans())


@given(st.sampled_from(STARTS), st.lists(st.integers(0, 1 << 16), max_size=60))
def test_every_position_of_a_game_is_written_as_python_chess_writes_it(
    start: str, choices: list[int]
) -> None:
    board = chess.Board(start)
    for choice in choices:
        assert write_fen(board) == board.fen()
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[choice % len(moves)])
    assert write_fen(board) == board.fen()
    assert exchanged_fen(board.fen()) == board.mirror().fen()


@given(st.sets(st.sampled_from("KQkq")), st.dictionaries(st.sampled_from(chess.SQUARES), pieces))
def test_any_pieces_and_rights_are_written_as_python_chess_writes_them(
    rights: set[str], placed: dict[chess.Square, chess.Piece]
) -> None:
    board = chess.Board(None)
    board.set_piece_map(placed)
    board.set_castling_fen("".join(sorted(rights)) or "-")
    board.turn = "K" in rights
    assert write_fen(board) == board.fen()
    *ranks, _, below = drawn(board.fen()).splitlines()
    assert [rank.split() for rank in ranks] == [
        [str(8 - n), *rank.split()] for n, rank in enumerate(str(board).splitlines())
    ]
    assert below.split() == [*"abcdefgh", "White" if board.turn else "Black", "to", "move"]
