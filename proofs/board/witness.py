"""A witness is a position and a move that shows a string; python-chess checks that it does.

That the position can be reached is shown by a game, and not here.
"""

from typing import NamedTuple

import chess

from sanproof.proofs.board.fens import write_fen
from sanproof.proofs.board.strict import written


class Witness(NamedTuple):
    """A position (FEN, White or Black to move), a move (UCI) written ``san`` in it, and the next.

    The search makes none but those that are checked here, and reflections of them; the audit
    confirms each by itself.
    """

    san: str
    fen: str
    uci: str
    after_fen: str


class WitnessError(Exception):
    """A witness that does not show what it should; the message has the string and both readings."""


def checked_witness(san: str, fen: str, uci: str) -> Witness:
    """Return the witness, if the position is statically valid and the move legal and so written.

    Raises:
        WitnessError: It is not so.
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
    """Return a board and a move as a witness, or None if they are no witness of this string."""
    if board.was_into_check() or not board.is_valid():  # which says the same last, and slower
        return None
    if not board.is_legal(move) or written(move, board) != san:
        return None
    after = board.copy(stack=False)
    after.push(move)
    return Witness(san, write_fen(board), move.uci(), write_fen(after))
