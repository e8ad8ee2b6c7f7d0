"""Questions: a SAN string or a shell pattern, and criteria with their values.

The table in :mod:`proofs.find.terms` has the meanings of the criteria. In a pattern ``*`` is any
text, ``?`` one character and ``[ab]`` one of several. It has to match a whole string with its
suffix. It is matched cube by cube, so that there is never a list of a million strings.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import translate
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from sanproof.proofs.rules import san as grammar
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of, exchanged_ranks
from sanproof.proofs.rules.squares import FILES, RANKS

MAX_PATTERN_LENGTH: Final = 200
"""A SAN string has at most nine characters; twenty for each are enough for any set of them."""
_ORIGINS: Final = [*map("".join, product(grammar.FILE_LETTERS, grammar.RANK_DIGITS))]
_ENDS: Final = [
    (f"={piece}" if piece else "") + suffix
    for piece, suffix in product(grammar.PROMOTIONS, grammar.SUFFIXES)
]

PIECES: Final = "PNBRQKpnbrqk"
NO_BOUND: Final = 1000
_SWAPPED: Final = {"white": "black", "black": "white"}


class CriterionError(ValueError):
    """A word is not a criterion. The message says what is wrong, and what would be right."""


class Criterion(NamedTuple):
    """One condition on a position and a move, by the name of a term.

    The name ``square`` is for a piece on a square, and ``letter`` for a number of pieces; ``key``
    is then the square or squares (``e4``, ``h*``), or the piece's letter. A term that is one word
    has an empty value.
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
        """The numbers that satisfy a count such as ``3``, ``..3``, ``3..`` or ``1..3``."""
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
            value = "".join(sorted(value.swapcase()))  # capitals first, and K before Q
        return Criterion(name, key, value, self.negated)


class Question(NamedTuple):
    """A SAN string or a shell pattern (``*`` for every move), and the criteria."""

    pattern: str
    criteria: tuple[Criterion, ...]

    def __str__(self) -> str:
        return " ".join([self.pattern, *map(str, self.criteria)])


def squares_of(key: str) -> list[int]:
    """Return the squares of a key such as ``e4``, ``h*`` or ``*7``."""
    files = range(8) if key[0] == "*" else [FILES.index(key[0])]
    ranks = range(8) if key[1] == "*" else [RANKS.index(key[1])]
    return [8 * rank + file for rank in ranks for file in files]


# Values


class Values(NamedTuple):
    """The values that a criterion can take."""

    form: str
    """The values as a list of criteria writes them."""
    what: str
    """The values in words, for a message."""
    pattern: str
    """The expression for a value. It matches the empty text if the name may stand alone."""
    words: tuple[str, ...] = ()
    """The values, if there are only a few."""
    numbers: range | None = None
    """The numbers that are possible, if the value is a count."""

    def read(self, name: str, text: str) -> str:
        """Return the value, given the text after a criterion's name, or raise a CriterionError."""
        value = text[1:]
        is_one = text != "=" and re.fullmatch(self.pattern, value, re.ASCII) is not None
        if is_one and self.numbers is not None:
            asked = Criterion(name, "", value).range
            is_one = any(number in asked for number in self.numbers)
        if not is_one:
            raise CriterionError(f"the criterion {name} takes {self.what}, not {value[:20]!a}")
        return value


def one_of(*words: str) -> Values:
    """Return values that are one of a few words. The empty word stands for no value."""
    named = [word for word in words if word]
    form = "=" * bool(named) + "|".join(named)
    form = f"[{form}]" if named and "" in words else form
    return Values(form, ", ".join(named) or "no value", "|".join(words), words or ("",))


def count(least: int, most: int) -> Values:
    """Return values that are numbers in these bounds, or ranges with such numbers."""
    what = f"a number from {least} to {most}, or a range from low to high: ..3, 3.. or 1..3"
    pattern = r"\d{1,2}(\.\.\d{0,2})?|\.\.\d{1,2}"
    return Values("=COUNT", what, pattern, numbers=range(least, most + 1))


REPLIES: Final = Values(
    "=COUNT", "0, 1, ..1, 1.. or 2.. (no larger number)", r"[01]|\.\.1|[12]\.\."
)
PIECES_OF_SIDE: Final = Values(
    "=PIECES", "the side's pieces with its king first, such as KRPP", "K[KQRBNP]{0,63}"
)
CASTLING_RIGHTS: Final = Values(
    "=RIGHTS", "castling rights as in a FEN, such as Kq, or -", "-|(?=.)K?Q?k?q?"
)
CONTENT: Final = Values(
    "=PIECE", "a piece as in a FEN, '.', white, black or any", f"[{PIECES}.]|white|black|any"
)


# Patterns


class Pattern:
    """A shell pattern. A plain SAN string matches itself."""

    def __init__(self, text: str) -> None:
        is_short = len(text) <= MAX_PATTERN_LENGTH
        self._match = re.compile(translate(text) if is_short else "(?!)").match
        self._origins, self._ends = _told_apart(text, _ORIGINS), _told_apart(text, _ENDS)

    def takes(self, text: str) -> bool:
        """Check whether the pattern matches a text."""
        return self._match(text) is not None

    def matches(self, cube: Cube) -> bool:
        """Check whether the pattern matches any string of the cube."""
        return any(map(self._match, texts_of(cube, self._origins, self._ends)))

    def strings(self, cube: Cube) -> Iterator[grammar.San]:
        """Yield the strings of a cube that match."""
        return map(grammar.parse_san, filter(self._match, texts_of(cube)))


def texts_of(
    cube: Cube, origins: Sequence[str] = _ORIGINS, ends: Sequence[str] = _ENDS
) -> Iterator[str]:
    """Yield the strings of a cube with these origins and ends: all that the grammar derives."""
    if cube.castling:
        return (cube.piece + suffix for suffix in grammar.SUFFIXES)
    to = cube.capture + cube.destination
    return (cube.piece + origin + to + end for origin in origins for end in ends)


def _told_apart(pattern: str, parts: Iterable[str]) -> list[str]:
    """Return only one of those parts that a pattern cannot tell apart.

    It treats all characters alike that it does not have, unless it has a range such as ``[b-d]``.
    """
    if "[" in pattern and "-" in pattern:
        return [*parts]
    alike = {"".join(c if c in pattern else "?" for c in part): part for part in parts}
    return [*alike.values()]


@lru_cache(4)  # a question is read, and then split into its parts
def matching_cubes(pattern: str) -> list[Cube]:
    """Return the cubes that have a string which matches, in the order of all cubes."""
    try:
        return [cube_of(grammar.parse_san(pattern))]
    except ValueError:
        if not {*"*?["} & {*pattern}:
            return []  # without these a pattern matches itself alone
        return list(filter(Pattern(pattern).matches, all_cubes()))
