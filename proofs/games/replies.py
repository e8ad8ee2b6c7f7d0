"""Quiet replies: after them a game goes on without haste. Untrusted."""

from collections.abc import Iterator

import chess


def has_quiet_reply(board: chess.Board) -> bool:
    """Whether there is a legal move that neither captures nor checks."""
    return any(quiet_replies(board))


def quiet_replies(board: chess.Board) -> Iterator[chess.Move]:
    """The legal moves that neither capture nor check."""
    moves = board.generate_legal_moves(to_mask=~board.occupied)
    return (move for move in moves if not board.gives_check(move))
