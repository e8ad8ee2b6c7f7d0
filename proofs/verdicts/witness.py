"""A witness is a position and a move that shows a string; python-chess checks that it does.

That the position can be reached is shown by a game, and not here.
"""

from typing import NamedTuple

import chess

from sanproof.proofs.verdicts.fens import write_fen


class Witness(NamedTuple):
    """A position (FEN, White or Black to move) and a move (UCI) that is written ``san`` in it."""

    san: str
    fen: str
    uci: str


class CheckedWitness(NamedTuple):
    """A witness that was checked, with the position after it."""

    san: str
    fen: str
    uci: str
    after_fen: str


class WitnessError(Exception):
    """A witness that does not show what it should; the message has the string and both readings."""


def check_witness(witness: Witness) -> CheckedWitness:
    """Check that the position is statically valid, and the move legal and written as the string.

    Raises:
        WitnessError: It is not so.
    """
    try:
        board = chess.Board(witness.fen)
        move = chess.Move.from_uci(witness.uci)
    except ValueError as error:
        raise WitnessError(f"{_named(witness)} cannot be read: {error}") from error
    if board.status() != chess.STATUS_VALID:
        raise WitnessError(f"{_named(witness)}: invalid position, {board.status()!r}")
    before = write_fen(board)
    if before != witness.fen or move.uci() != witness.uci:
        raise WitnessError(f"{_named(witness)}: should be written {before} and {move.uci()}")
    if not board.is_legal(move):
        raise WitnessError(f"{_named(witness)}: the move is not legal")
    san = board.san_and_push(move)
    if san != witness.san:
        raise WitnessError(f"{_named(witness)}: python-chess writes the move as {san}")
    return CheckedWitness(*witness, write_fen(board))


def _named(witness: Witness) -> str:
    return f"witness of {witness.san}, {witness.uci} in {witness.fen}"
