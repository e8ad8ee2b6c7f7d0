"""Positions as numbers: two numberings, each a bijection with its size known exactly.

>>> from sanproof.positions import PLACEMENTS, PLAUSIBLE
>>> PLACEMENTS.size == 13**64
True
>>> start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
>>> PLAUSIBLE.position(PLAUSIBLE.number(start)).startswith("rnbqkbnr/pppppppp/8/8")
True
"""

from sanproof.proofs.numbering.placements import PLACEMENTS
from sanproof.proofs.numbering.plausible import PLAUSIBLE

__all__ = ["PLACEMENTS", "PLAUSIBLE"]
