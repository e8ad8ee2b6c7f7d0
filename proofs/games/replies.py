"""Quiet replies: after them a game goes on without haste. Untrusted."""

from collections.abc import Iterator

import chess


def has_quiet_reply(board: chess.Board) -> bool:
    """Whether there is a legal move that neither captures nor checks."""
    return any(True for _ in _quiet_replies(board))


def quiet_replies(board: chess.Board) -> list[chess.Move]:
    """The legal moves that neither capture nor check."""
    return list(_quiet_replies(board))


def _quiet_replies(board: chess.Board) -> Iterator[chess.Move]:
    moves = board.generate_legal_moves(to_mask=~board.occupied)
    return (move for move in moves if not board.gives_check(move))
