"""The state of a position, as the loops have it."""

import chess

from sanproof.proofs.games.boards import Bytes
from sanproof.proofs.shortest.states import (
    KINGS,
    NO_FILE,
    PASSING,
    RIGHTS,
    SIDE,
    initial_state,
)


def state_of(board: chess.Board) -> Bytes:
    """Return the state of a position."""
    state = initial_state()
    state[:64] = 0
    for square, piece in board.piece_map().items():
        state[square] = piece.piece_type + 6 * (not piece.color)
    rights = ((chess.H1, chess.A1), (chess.H8, chess.A8))
    state[RIGHTS:PASSING] = [bool(board.castling_rights >> s & 1) for side in rights for s in side]
    passing = board.ep_square
    state[PASSING] = NO_FILE if passing is None else chess.square_file(passing)
    kings = [board.king(colour) for colour in chess.COLORS]
    state[KINGS : KINGS + 2] = [-1 if king is None else king for king in kings]
    state[SIDE] = not board.turn
    return state
