"""The language of SAN strings: read one, write one, list them all.

The grammar is the one of the PGN standard's section 8.2.3, with every part that a string may
have optional, so that it also derives strings which no game can contain::

    san       = castling [suffix] / [piece] [file] [rank] ["x"] file rank ["=" piece] [suffix]
    castling  = "O-O-O" / "O-O"
    piece     = "B" / "K" / "N" / "Q" / "R"
    file      = "a" ... "h"
    rank      = "1" ... "8"
    suffix    = "+" / "#"
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

from sanproof.proofs.rules.squares import FILES, RANKS

PIECES: Final = ("", "B", "K", "N", "Q", "R")
FILE_LETTERS: Final = ("", *FILES)
RANK_DIGITS: Final = ("", *RANKS)
CAPTURES: Final = ("", "x")
DESTINATIONS: Final = tuple(f + r for f in FILES for r in RANKS)
PROMOTIONS: Final = ("", "B", "K", "N", "Q", "R")
CASTLINGS: Final = ("O-O", "O-O-O")
SUFFIXES: Final = ("", "+", "#")

_PATTERN: Final = re.compile(
    r"(?:(?P<castling>O-O(?:-O)?)"
    r"|(?P<piece>[BKNQR])?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<capture>x)?"
    r"(?P<destination>[a-h][1-8])(?:=(?P<promotion>[BKNQR]))?)"
    r"(?P<suffix>[+#])?"
)


class San(NamedTuple):
    """The parts of a SAN string, each as it is written and empty where it is absent.

    ``piece`` is a letter, empty for a pawn, or ``O-O`` or ``O-O-O``; ``file`` and ``rank`` are the
    discriminator (or the origin file of a pawn's capture); ``suffix`` is empty, ``+`` or ``#``.
    """

    piece: str
    file: str
    rank: str
    capture: str
    destination: str
    promotion: str
    suffix: str

    def __str__(self) -> str:
        promotion = self.promotion and "=" + self.promotion
        origin = self.piece + self.file + self.rank
        return origin + self.capture + self.destination + promotion + self.suffix

    @property
    def bare(self) -> "San":
        """The same string without its suffix."""
        return self._replace(suffix="")


def parse_san(text: str) -> San:
    """Read the parts of a SAN string, or raise a ValueError. This is the inverse of ``str``."""
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:20]!a} is not a SAN string")
    castling, *parts = (part or "" for part in match.groups())
    return San(castling or parts[0], *parts[1:])


def universe() -> Iterator[San]:
    """Yield every SAN string: castlings, then all combinations of parts, in the grammar's order."""
    for castling, suffix in product(CASTLINGS, SUFFIXES):
        yield San(castling, "", "", "", "", "", suffix)
    parts = (PIECES, FILE_LETTERS, RANK_DIGITS, CAPTURES, DESTINATIONS, PROMOTIONS, SUFFIXES)
    yield from map(San._make, product(*parts))


def list_order(text: str) -> tuple[int, str]:
    """Return the key by which published lists are sorted: length first, then the characters."""
    return len(text), text
