"""What the plan of the cover and the search for tours hand to each other. Untrusted.

All of it is as White plays it; a game of Black's has the colours exchanged.
"""

from typing import NamedTuple


class Station(NamedTuple):
    """A string, the position before its move, the move, and those that lead there (SAN)."""

    san: str
    before_fen: str
    uci: str
    sans: tuple[str, ...]

    @property
    def captures(self) -> bool:
        """Whether its move is a capture."""
        return "x" in self.san


class Start(NamedTuple):
    """A position from which tours begin, White to move, and the moves that lead there (SAN)."""

    name: str
    fen: str
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
