"""The messages between the plan of the cover and the search for tours. Untrusted.

All of it is as White plays it; a game of Black's has the colours exchanged. Besides, what the plan
asks of a string: whether it begins or ends a game, and its family.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

import chess

from sanproof.proofs.games.pieces import LETTERS, PAWN, read_setting
from sanproof.proofs.rules.cubes import WHITE, exchanged_ranks
from sanproof.proofs.rules.san import CASTLINGS, parse_san
from sanproof.proofs.rules.squares import parse_square
from sanproof.proofs.search.material import is_light

PROMOTIONS: Final = ("", "N", "B", "R", "Q")
"""The promotions of a pawn, in the order in which ever more mates can follow."""

_PLAIN: Final = str.maketrans("", "", "x+")


class Station(NamedTuple):
    """A string, the position before its move, the move, and those that lead there (SAN)."""

    san: str
    before_fen: str
    uci: str
    sans: tuple[str, ...]

    @property
    def captures(self) -> bool:
        """Check whether its move is a capture."""
        return "x" in self.san


class Start(NamedTuple):
    """A position from which tours begin, as White sees it, who is to move.

    It has the pieces for a family of hubs. The moves that lead there are in UCI as this player's
    game has them, and in SAN as White would write them.
    """

    name: str
    family: str
    fen: str
    moves: tuple[str, ...]
    sans: tuple[str, ...]


class Tour(NamedTuple):
    """The way of a game from a start, over the witnesses of strings, to a mate, in UCI and SAN.

    ``start`` names the start, or is the string with which the tour begins.
    """

    start: str
    moves: tuple[str, ...]
    sans: tuple[str, ...]

    @property
    def mate(self) -> str:
        """The string with which it ends."""
        return self.sans[-1]


class MatesPart(NamedTuple):
    """A piece of work: the strings to be played in the games of these mates.

    ``colour`` plays them; the ``family`` is what they have in common. A tour begins with one of
    ``firsts``, from the witness of its own proof game, or at one of ``starts``.
    """

    colour: str
    family: str
    round_number: int
    number: int
    firsts: tuple[Station, ...]
    strings: tuple[Station, ...]
    mates: tuple[Station, ...]
    starts: tuple[Start, ...]

    @property
    def name(self) -> str:
        """Names the part; its tours are saved by this name, and its random choices follow it."""
        return f"{self.colour} {self.family} {self.round_number} {self.number}"


def as_white(text: str, colour: str) -> str:
    """Return a player's string or move as White would have it, and the other way round."""
    return text if colour == WHITE else exchanged_ranks(text)


def ends(san: str) -> bool:
    """Check whether a game ends with it."""
    return san.endswith("#")


@cache
def begins(san: str) -> bool:
    """Return whether its witness has pieces that no tour brings there: pawns, or a king at home."""
    return parse_san(san).piece in {"", *CASTLINGS}


def is_plain_mate(san: str) -> bool:
    """Return whether few pieces suffice: a mate by a pawn, or by a piece without discriminator."""
    piece, file, rank, *_ = parse_san(san)
    return ends(san) and piece not in CASTLINGS and not (piece and (file or rank))


@cache
def family_of(text: str) -> str:
    """Return the family of a string: those put together, whose witnesses have similar pieces."""
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


def pieces_after(first: Station) -> Counter[int]:
    """White's pieces by their kinds after a station's move."""
    board = chess.Board(first.before_fen)
    board.push(chess.Move.from_uci(first.uci))
    return read_setting(board.board_fen()).white_pieces


def can_follow(san: str, pieces: Mapping[int, int]) -> bool:
    """Check whether these pieces are enough: the one that moves, and twins for what is written."""
    kind, number = needed_pieces(san)
    return pieces.get(kind, 0) >= number


@cache
def needed_pieces(text: str) -> tuple[int, int]:
    """Return the kind of the moving piece, and how many of it there must be for what is written."""
    san = parse_san(text)
    if san.piece not in LETTERS or not san.piece:
        return PAWN, 1
    return LETTERS.index(san.piece), 1 + bool(san.file) + bool(san.rank)
