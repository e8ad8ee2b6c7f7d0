"""What the plan asks of a string: whether it begins or ends a game, and its family. Untrusted."""

from functools import cache
from typing import Final

from sanproof.proofs.rules.cubes import WHITE, exchanged_san
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.rules.squares import parse_square
from sanproof.proofs.search.board import CASTLING
from sanproof.proofs.search.preferences import is_light

PROMOTIONS: Final = ("", "N", "B", "R", "Q")
"""What a pawn becomes, in the order in which ever more mates can follow."""

_PLAIN: Final = str.maketrans("", "", "x+")


@cache
def as_white(san: str, colour: str) -> str:
    """A player's string as White would write it, and the other way round."""
    return san if colour == WHITE else str(exchanged_san(parse_san(san)))


def ends(san: str) -> bool:
    """Whether a game ends with it."""
    return san.endswith("#")


@cache
def begins(san: str) -> bool:
    """Whether its witness has men that no tour brings there: pawns, and a king still at home."""
    return parse_san(san).piece in {"", *CASTLING}


def is_plain_mate(san: str) -> bool:
    """Whether few men are enough for it: a mate by a pawn, or by a piece without discriminator."""
    piece, file, rank, *_ = parse_san(san)
    return ends(san) and piece not in CASTLING and not (piece and (file or rank))


@cache
def family_of(text: str) -> str:
    """Which strings are put together: those whose witnesses have similar men."""
    san = parse_san(text)
    if san.piece == "B":
        return "B light" if is_light(parse_square(san.destination)) else "B dark"
    return san.piece if san.piece in {"Q", "N"} else "R"


def promotion_order(san: str) -> int:
    """Sorts first the pawns' strings after which the fewest mates can follow."""
    return PROMOTIONS.index(parse_san(san).promotion)


def rarity(san: str) -> tuple[int, str]:
    """Sorts first what is seldom played by chance: strings that say most of the origin."""
    return (-len(san.translate(_PLAIN)), san)
