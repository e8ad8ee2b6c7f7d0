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


_SAN_STRINGS: Final = "https://github.com/jacksonthall22/SAN-strings"
_ITS_SUCCESSOR: Final = "https://github.com/hyprchs/SAN-strings"
_MATPLUS: Final = "https://www.matplus.net/start.php?app=forum&act=posts&fid=gen&tid=3166"

CLAIMS: Final = (
    Claim(
        28_822,
        "hyprchs/SAN-strings, the list of pull request 5, as counted in its review",
        f"{_ITS_SUCCESSOR}/pull/5",
    ),
    Claim(
        28_946,
        "Tc14Hd/AlgebraicNotationAllMoves, Data/stats-san.txt",
        "https://github.com/Tc14Hd/AlgebraicNotationAllMoves",
    ),
    Claim(
        29_064,
        "hyprchs/SAN-strings, first paragraph of the README",
        f"{_ITS_SUCCESSOR}/blob/20ac154f4f9d296afe1228391fb82fc1171db433/README.md",
    ),
    Claim(
        29_166,
        "Cluemeister's Corner, puzzle of December for Minicon 46, whose solution saw that a rook "
        "that goes to a corner may be unable to give check",
        "http://mnstf.org/minicon46/cluemeister-december-ans",
    ),
    Claim(
        29_274,
        "jacksonthall22/SAN-strings, README",
        f"{_SAN_STRINGS}/blob/16d93a1a558d414b0bf668b59850a1871c8027ac/README.md",
    ),
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
    Claim(
        30_474,
        "jacksonthall22/SAN-strings, an earlier README, in its history",
        f"{_SAN_STRINGS}/commits/HEAD/README.md",
    ),
    Claim(
        30_518,
        "paralogical/rarest-move-in-chess, README",
        "https://github.com/paralogical/rarest-move-in-chess",
    ),
    Claim(
        37_302,
        "jacksonthall22/SAN-strings, a still earlier README",
        f"{_SAN_STRINGS}/blob/60aa27240fa995eabb5be09fe9ede4c6fa436c90/README.md",
    ),
)
"""The published counts, smallest first. A count without a source that was read is not listed.

The table in docs/question.md says the same, and a test compares the two.
"""
