"""What a witness is: a position and a move that shows a string."""

from typing import NamedTuple


class Witness(NamedTuple):
    """A position (FEN, White or Black to move) and a move (UCI) that is written ``san`` in it."""

    san: str
    fen: str
    uci: str


class CheckedWitness(NamedTuple):
    """A witness that was checked (:mod:`proofs.verdicts.check`), with the position after it."""

    san: str
    fen: str
    uci: str
    after_fen: str
