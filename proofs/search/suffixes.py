"""Witnesses with another suffix, made of one by moving Black's king. Untrusted.

Where White's pieces attack Black's king after the move the suffix is ``+`` or ``#``, elsewhere
there is none. So the position of a mate mostly serves for all three, without asking a solver.
"""

from collections.abc import Iterator

import chess

from sanproof.proofs.verdicts.fens import write_fen
from sanproof.proofs.verdicts.witness import Witness


def with_king_elsewhere(witness: Witness) -> Iterator[Witness]:
    """Witnesses of the same move without a suffix and with ``+``, where a square is found for them.

    Black's king goes to the nearest square that will do, and always has a reply.
    """
    board, move = chess.Board(witness.fen), chess.Move.from_uci(witness.uci)
    (king,) = chess.SquareSet(board.kings & board.occupied_co[chess.BLACK])
    board.remove_piece_at(king)
    after = board.copy(stack=False)
    after.push(move)
    attacked = _attacked(after)
    free = ~(board.occupied | after.occupied | _attacked(board))
    bare = witness.san.rstrip("+#")
    for text, squares in ((bare, free & ~attacked), (bare + "+", free & attacked)):
        if text != witness.san:
            nearest = sorted(chess.SquareSet(squares), key=lambda s: chess.square_distance(s, king))
            yield from _first(text, board, move, nearest)


def _attacked(board: chess.Board) -> int:
    """All squares that White attacks, as a bitboard."""
    mask = 0
    for square in chess.scan_forward(board.occupied_co[chess.WHITE]):
        mask |= board.attacks_mask(square)
    return mask


def _first(
    text: str, board: chess.Board, move: chess.Move, squares: list[chess.Square]
) -> Iterator[Witness]:
    """One witness with Black's king on one of the squares, if the move is written so on any."""
    for square in squares:
        board.set_piece_at(square, chess.Piece(chess.KING, chess.BLACK))
        if board.is_valid() and board.is_legal(move) and board.san(move) == text:
            after = board.copy(stack=False)
            after.push(move)
            if any(after.generate_legal_moves()):
                yield Witness(text, write_fen(board), move.uci())
                board.remove_piece_at(square)
                return
        board.remove_piece_at(square)
