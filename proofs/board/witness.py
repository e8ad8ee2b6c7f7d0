"""A witness is a position and a move that shows a string; python-chess checks that it does.

That the position can be reached is shown by a game, and not here.
"""

from typing import NamedTuple

import chess

from sanproof.proofs.board.fens import write_fen


class Witness(NamedTuple):
    """A position (FEN, White or Black to move), a move (UCI) written ``san`` in it, and the next.

    The search makes none that python-chess has not confirmed, or a reflection of one; the audit
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
    written = board.san_and_push(move)
    if written != san:
        raise WitnessError(f"{named}: python-chess writes the move as {written}")
    return Witness(san, fen, uci, write_fen(board))
