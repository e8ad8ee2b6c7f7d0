"""What the plan of the cover and the search for tours hand to each other. Untrusted.

All of it is as White plays it; a game of Black's has the colours exchanged.
"""

from typing import NamedTuple


class Station(NamedTuple):
    """A string, where it is played, and a way there.

    Attributes:
        san: The string.
        before_fen: The position before its move.
        uci: Its move.
        sans: The moves that lead to the position, in SAN.
    """

    san: str
    before_fen: str
    uci: str
    sans: tuple[str, ...]

    @property
    def captures(self) -> bool:
        """Whether its move is a capture."""
        return "x" in self.san


class Start(NamedTuple):
    """A position from which tours begin, White to move.

    Attributes:
        name: Names it.
        fen: The position.
        sans: The moves that lead there, in SAN.
    """

    name: str
    fen: str
    sans: tuple[str, ...]


class Tour(NamedTuple):
    """The way of a game from a start, over the witnesses of strings, to a mate.

    Attributes:
        start: The name of the start, or the string with which the tour begins.
        moves: All moves from there on (UCI).
        sans: The same in SAN; the last one is the mate.
    """

    start: str
    moves: tuple[str, ...]
    sans: tuple[str, ...]

    @property
    def mate(self) -> str:
        """The string with which it ends."""
        return self.sans[-1]


class Part(NamedTuple):
    """A piece of work: the strings to be played in the games of these mates.

    Attributes:
        colour: Who plays the strings in the games.
        family: What the strings have in common.
        round_number: The round of the plan.
        number: The number of the part in its round and family.
        firsts: Strings that are begun with, from the witnesses of their own proof games.
        strings: The other strings.
        mates: The mates that the tours end with.
        starts: Where a tour begins that does not begin with a string.
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
