"""A witness is a position and a move whose SAN is a given string, confirmed by python-chess.

That the position can be reached is proved by a game, and not here.
"""

from typing import NamedTuple

import chess

from sanproof.proofs.board.fens import write_fen
from sanproof.proofs.board.strict import written


class Witness(NamedTuple):
    """A position, a move in it that SAN writes as ``san``, and the position after it.

    Positions are FENs with either player to move, and moves are UCI. The search only makes
    witnesses that were checked here, and reflections of them. The audit checks each one again.
    """

    san: str
    fen: str
    uci: str
    after_fen: str


class WitnessError(Exception):
    """A witness is wrong. The message has the string, and what python-chess says."""


def checked_witness(san: str, fen: str, uci: str) -> Witness:
    """Check a position, a move and its string, and return them as a witness.

    Raises:
        WitnessError: The position is not valid, or the move is illegal or written otherwise.
    """
    named = f"witness of {san}, {uci} in {fen}"
    try:
        board = chess.Board(fen)
        move = chess.Move.from_uci(uci)
    except ValueError as error:
        raise WitnessError(f"{named} cannot be read: {error}") from error
    if board.status() != chess.STATUS_VALID:
        raise WitnessError(f"{named}: invalid position, {board.status()!r}")
    before = write_fen(board)
    if before != fen or move.uci() != uci:
        raise WitnessError(f"{named}: should be written {before} and {move.uci()}")
    if not board.is_legal(move):
        raise WitnessError(f"{named}: the move is not legal")
    if (text := board.san_and_push(move)) != san:
        raise WitnessError(f"{named}: python-chess writes the move as {text}")
    return Witness(san, fen, uci, write_fen(board))


def witness_on(board: chess.Board, move: chess.Move, san: str) -> Witness | None:
    """Return the board and the move as a witness, or None if they are not a witness of ``san``."""
    if board.was_into_check() or not board.is_valid():  # which says the same last, and slower
        return None
    if not board.is_legal(move) or written(move, board) != san:
        return None
    after = board.copy(stack=False)
    after.push(move)
    return Witness(san, write_fen(board), move.uci(), write_fen(after))
