"""A position and a legal move as python-chess sees them, for the checks of criteria.

It shares no code with the clauses, and neither does any check of a term. Both players are judged as
they are, without exchanging colours.
"""

from functools import cached_property
from typing import Final

import chess

KINDS: Final = dict(zip("PNBRQK", chess.PIECE_TYPES, strict=True))


class PlayedMove:
    """A position before a legal move, and the move."""

    def __init__(self, board: chess.Board, move: chess.Move) -> None:
        self.board = board
        self.move = move
        self.us = board.turn
        self.kind = board.piece_type_at(move.from_square) or chess.PAWN
        self.is_castling = board.is_castling(move)
        self.after = self.after_other(move)
        self.checkers = self.after.checkers()
        self.own_king = king_of(board, self.us)
        self.their_king = king_of(board, not self.us)

    def after_other(self, move: chess.Move) -> chess.Board:
        """Return the position after another move, which need not be legal."""
        after = self.board.copy(stack=False)
        after.push(move)
        return after

    def is_attacked(self, square: int) -> bool:
        """Check whether the opponent attacks a square before the move, named as if White moved."""
        return self.board.is_attacked_by(not self.us, square if self.us else square ^ 56)

    @cached_property
    def replies(self) -> list[chess.Move]:
        """The legal replies. A promotion counts once, whatever the pawn becomes."""
        found = {(move.from_square, move.to_square): move for move in self.after.legal_moves}
        return list(found.values())

    @cached_property
    def rivals(self) -> list[int]:
        """The squares of others of its kind that could make the move, disregarding their king."""
        if self.kind in {chess.PAWN, chess.KING}:
            return []
        others = (
            self.board.pieces_mask(self.kind, self.us) & ~chess.BB_SQUARES[self.move.from_square]
        )
        to = chess.BB_SQUARES[self.move.to_square]
        return [m.from_square for m in self.board.generate_pseudo_legal_moves(others, to)]

    @cached_property
    def twins(self) -> list[int]:
        """The squares of those rivals whose move is legal."""
        return [s for s in self.rivals if self.board.is_legal(chess.Move(s, self.move.to_square))]

    @cached_property
    def takers(self) -> list[chess.Move]:
        """The captures in passing, legal or not."""
        return list(self.board.generate_pseudo_legal_ep())

    @cached_property
    def legal_takers(self) -> list[chess.Move]:
        """The legal captures in passing."""
        return list(self.board.generate_legal_ep())


def king_of(board: chess.Board, colour: chess.Color) -> int:
    """Return the square of a side's king.

    Raises:
        ValueError: The side has no king.
    """
    square = board.king(colour)
    if square is None:
        raise ValueError(f"a side has no king in {board.fen()}")
    return square
