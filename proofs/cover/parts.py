"""The messages between the plan of the cover and the search for tours. Untrusted.

All of it is as White plays it; a game of Black's has the colours exchanged. Besides, what both ask
of a string: whether it begins or ends a game, its family, and the pieces that it needs.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import chess

from sanproof.proofs.games.pieces import LETTERS, PAWN, read_setting
from sanproof.proofs.rules.cubes import WHITE, exchanged_ranks
from sanproof.proofs.rules.san import CASTLINGS, parse_san
from sanproof.proofs.rules.squares import parse_square
from sanproof.proofs.search.material import is_light


class Station(NamedTuple):
    """A string, the position before its move, the move, and those that lead there (SAN)."""

    san: str
    before_fen: str
    uci: str
    sans: tuple[str, ...]


class Start(NamedTuple):
    """A position from which tours begin, as White sees it, who is to move.

    Its name begins with the hub's family. The moves that lead there are in UCI as this player's
    game has them, and in SAN as White would write them.
    """

    name: str
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
    """A piece of work: the strings to be played in the games of these mates, by ``colour``.

    Its tours are saved by its name, and its random choices follow it. A tour begins with one of
    ``firsts``, from the witness of its own proof game, or at one of ``starts``.
    """

    name: str
    colour: str
    firsts: tuple[Station, ...]
    strings: tuple[Station, ...]
    mates: tuple[Station, ...]
    starts: tuple[Start, ...]


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


@cache
def family_of(text: str) -> str:
    """Return the family of a string: those put together, whose witnesses have similar pieces."""
    san = parse_san(text)
    if san.piece == "B":
        return "B light" if is_light(parse_square(san.destination)) else "B dark"
    return san.piece if san.piece in {"Q", "N"} else "R"


def pieces_after(first: Station) -> Counter[int]:
    """White's pieces by their kinds after a station's move."""
    board = chess.Board(first.before_fen)
    board.push(chess.Move.from_uci(first.uci))
    return read_setting(board.board_fen()).white_pieces


def can_follow(san: str, pieces: Mapping[int, int]) -> bool:
    """Check whether these pieces are enough: the one that moves, and twins for what is written."""
    kind, number = _needed_pieces(san)
    return pieces.get(kind, 0) >= number


@cache
def _needed_pieces(text: str) -> tuple[int, int]:
    san = parse_san(text)
    if begins(text):
        return PAWN, 1
    return LETTERS.index(san.piece), 1 + bool(san.file) + bool(san.rank)
