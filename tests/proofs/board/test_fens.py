"""FENs: python-chess's own, in every position of random games and of random boards."""

import chess
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.board.fens import write_fen

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


@given(st.sets(st.sampled_from("KQkq")), st.dictionaries(st.sampled_from(chess.SQUARES), pieces))
def test_any_pieces_and_rights_are_written_as_python_chess_writes_them(
    rights: set[str], placed: dict[chess.Square, chess.Piece]
) -> None:
    board = chess.Board(None)
    board.set_piece_map(placed)
    board.set_castling_fen("".join(sorted(rights)) or "-")
    assert write_fen(board) == board.fen()
