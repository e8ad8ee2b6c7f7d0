"""Questions: a string or a pattern, and criteria.

Words that a person types are read in :mod:`proofs.find.words`; what the names of criteria mean
stands in the table of :mod:`proofs.find.terms`.
"""

import re
from typing import Final, NamedTuple

from sanproof.proofs.rules.cubes import exchanged_ranks
from sanproof.proofs.rules.squares import FILES, RANKS

PIECES: Final = "PNBRQKpnbrqk"
SIDES: Final = ("white", "black")
RIGHTS: Final = "KQkq-"
NO_BOUND: Final = 1000
_SWAPPED: Final = {"white": "black", "black": "white"}


class CriterionError(ValueError):
    """A word is not a criterion; the message says what is wrong and what would be right."""


class Range(NamedTuple):
    """From ``least`` to ``most``, both included."""

    least: int
    most: int = NO_BOUND

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.least <= number <= self.most


class Criterion(NamedTuple):
    """One thing asked of a position and a move, by the name of a term.

    ``square`` asks for a piece on a square and ``letter`` for a count of pieces of a kind; the
    ``key`` is then the square or squares (``e4``, ``h*``), or the kind's letter. The value of a
    word is empty.
    """

    name: str
    key: str = ""
    value: str = ""
    negated: bool = False

    def __str__(self) -> str:
        name = self.key or self.name
        text = f"{name}={self.value}" if self.value else name
        return f"not {text}" if self.negated else text

    @property
    def range(self) -> Range:
        """The value of a count, such as ``3``, ``..3``, ``3..`` or ``1..3``."""
        least, dots, most = self.value.partition("..")
        return Range(int(least or 0), int(most or NO_BOUND) if dots else int(least))

    def exchanged(self) -> "Criterion":
        """Return the criterion with the colours exchanged: White's pieces become Black's."""
        name = re.sub("white|black", lambda side: _SWAPPED[side[0]], self.name)
        key, value = self.key, self.value
        if name == "square":
            key = exchanged_ranks(key)
            value = _SWAPPED.get(value, value if value == "any" else value.swapcase())
        elif name == "letter":
            key = key.swapcase()
        elif name == "rights":
            value = in_order(value.swapcase(), RIGHTS)
        return Criterion(name, key, value, self.negated)


class Question(NamedTuple):
    """The question: a pattern and criteria.

    Attributes:
        pattern: A SAN string or a shell pattern of strings; ``*`` for every move.
        criteria: What else must hold.
    """

    pattern: str
    criteria: tuple[Criterion, ...]

    def __str__(self) -> str:
        return " ".join([self.pattern, *map(str, self.criteria)])


def squares_of(key: str) -> list[int]:
    """Return the squares of a key such as ``e4``, ``h*`` or ``*7``."""
    files = range(8) if key[0] == "*" else [FILES.index(key[0])]
    ranks = range(8) if key[1] == "*" else [RANKS.index(key[1])]
    return [8 * rank + file for rank in ranks for file in files]


def in_order(letters: str, order: str) -> str:
    """Return letters in this order."""
    return "".join(sorted(letters, key=order.index))
