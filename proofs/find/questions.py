"""Questions: a string or a pattern, and criteria with their values.

What the names of criteria mean stands in the table of :mod:`proofs.find.terms`.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from sanproof.proofs.rules.cubes import exchanged_ranks
from sanproof.proofs.rules.squares import FILES, RANKS

PIECES: Final = "PNBRQKpnbrqk"
NO_BOUND: Final = 1000
_RIGHTS: Final = "KQkq-"
_SWAPPED: Final = {"white": "black", "black": "white"}


class CriterionError(ValueError):
    """A word is not a criterion; the message says what is wrong and what would be right."""


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
    def range(self) -> range:
        """The numbers that a count takes, such as ``3``, ``..3``, ``3..`` or ``1..3``."""
        least, dots, most = self.value.partition("..")
        return range(int(least or 0), 1 + int((most or NO_BOUND) if dots else least))

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
            value = in_order(value.swapcase(), _RIGHTS)
        return Criterion(name, key, value, self.negated)


class Question(NamedTuple):
    """A SAN string or a shell pattern (``*`` for every move), and what else must hold."""

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
    return "".join(sorted(letters, key=order.find))


# Values


class Values(NamedTuple):
    """The values that a criterion can take.

    Attributes:
        form: How they are written in a list of criteria.
        what: What they are, for a message.
        pattern: What a value matches; an empty one stands for the name alone.
        words: The values, if they are a few words.
        numbers: The numbers that there are of what is counted.
        written: How criteria write a value that may be written in several ways.
    """

    form: str
    what: str
    pattern: str
    words: tuple[str, ...] = ()
    numbers: range | None = None
    written: Callable[[str], str] = str

    def read(self, name: str, text: str) -> str:
        """Return a value as criteria have it, of a criterion's name and all that follows it.

        Raises:
            CriterionError: It is none of these values.
        """
        value = self.written(text[1:]) if text[1:] else ""
        is_one = text != "=" and re.fullmatch(self.pattern, value, re.ASCII) is not None
        if is_one and self.numbers is not None:
            asked = Criterion(name, "", value).range
            is_one = any(number in asked for number in self.numbers)
        if not is_one:
            raise CriterionError(f"the criterion {name} takes {self.what}, not {text[1:][:20]!a}")
        return value


def one_of(*words: str) -> Values:
    """Return values that are one of a few words, or without a word none."""
    named = [word for word in words if word]
    form = "=" * bool(named) + "|".join(named)
    form = f"[{form}]" if named and "" in words else form
    return Values(form, ", ".join(named) or "no value", "|".join(words), words or ("",))


def count(least: int, most: int) -> Values:
    """Return values that are numbers in these bounds, and ranges of them."""
    what = f"a number from {least} to {most}, or a range such as 3, ..3, 3.. or 1..3"
    pattern = r"\d{1,2}(\.\.\d{0,2})?|\.\.\d{1,2}"
    return Values("=COUNT", what, pattern, numbers=range(least, most + 1))


def _with_king(letters: str) -> str:
    return in_order(letters.upper() if "K" in letters.upper() else f"K{letters.upper()}", "KQRBNP")


REPLIES: Final = Values(
    "=COUNT", "0, 1, ..1, 1.. or 2..; more are not counted", r"[01]|\.\.1|[12]\.\."
)
PIECES_OF_SIDE: Final = Values(
    "=PIECES", "the side's pieces, such as KRPP", "K[KQRBNP]{0,63}", written=_with_king
)
CASTLING_RIGHTS: Final = Values(
    "=RIGHTS",
    "castling rights as in a FEN, such as Kq, or -",
    "-|(?=.)K?Q?k?q?",
    written=partial(in_order, order=_RIGHTS),
)
CONTENT: Final = Values(
    "=PIECE", "a piece as in a FEN, '.', white, black or any", f"[{PIECES}.]|white|black|any"
)
