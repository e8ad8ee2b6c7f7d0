"""Counts that others have published, each with who published it, and where it can be read."""

from typing import Final, NamedTuple


class Claim(NamedTuple):
    """A published count of the strings with suffixes.

    Attributes:
        strings: How many strings are said to be possible.
        source: Who counted, and in what.
        address: Where the count can be read.
    """

    strings: int
    source: str
    address: str


_SAN_STRINGS: Final = "https://github.com/hyprchs/SAN-strings"
_RAREST_MOVE: Final = "https://github.com/paralogical/rarest-move-in-chess"
_MATPLUS: Final = "https://www.matplus.net/start.php?app=forum&act=posts&fid=gen&tid=3166"

_PULL_REQUEST: Final = "https://github.com/hyprchs/SAN-strings/pull/5"

CLAIMS: Final = (
    Claim(
        28_822, "SAN-strings, the list of pull request 5, as counted in its review", _PULL_REQUEST
    ),
    Claim(
        28_946,
        "Tc14Hd, AlgebraicNotationAllMoves, Data/stats-san.txt",
        "https://github.com/Tc14Hd/AlgebraicNotationAllMoves",
    ),
    Claim(29_064, "SAN-strings, first paragraph of the README", _SAN_STRINGS),
    Claim(
        29_166,
        "Cluemeister's Corner, puzzle of December for Minicon 46, whose solution saw that a rook "
        "that goes to a corner may be unable to give check",
        "http://mnstf.org/minicon46/cluemeister-december-ans",
    ),
    Claim(29_274, "SAN-strings, the list, and below in the same README", _SAN_STRINGS),
    Claim(
        29_724,
        "Kurt Godden, Think You Know Algebraic Notation?, 2007; quoted by Alice Bob, MatPlus, 2024",
        _MATPLUS,
    ),
    Claim(
        29_754,
        "Paralogical, the video The rarest move in chess, 2024; quoted by Alice Bob, MatPlus, 2024",
        _MATPLUS,
    ),
    Claim(30_474, "SAN-strings, README of an earlier version", _SAN_STRINGS),
    Claim(30_518, "Paralogical, README of rarest-move-in-chess", _RAREST_MOVE),
    Claim(37_302, "SAN-strings, README of a still earlier version", _SAN_STRINGS),
)
"""The published counts, smallest first. A count without a source that was read is not listed."""
