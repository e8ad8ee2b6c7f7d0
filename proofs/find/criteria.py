"""Criteria, which a question asks of a position and a move; and the terms that they are made of.

A criterion is a word (``double-check``), or a name with a value (``d5=P``, ``men=3..7``); ``not``
before it turns it around. Each name is a :class:`Term`, which says beside one another what it means
to people, as clauses of a formula, and to python-chess. The last two share no code: every answer
is checked by the other, and the test of adequacy compares them.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from sanproof.proofs.rules.cubes import Cube, exchanged_ranks
from sanproof.proofs.rules.squares import FILES, RANKS

if TYPE_CHECKING:
    from sanproof.proofs.encoding.cnf import Literal
    from sanproof.proofs.find.judge import PlayedMove
    from sanproof.proofs.find.replies import FullScene

PIECES: Final = "PNBRQKpnbrqk"
RIGHTS: Final = "KQkq"
SIDES: Final = ("white", "black")
MAX_LETTERS: Final = 64
_NO_BOUND: Final = 1000
_COUNT = re.compile(r"(?:(\d{1,2})|(\d{0,2})\.\.(\d{0,2}))", re.ASCII)
_SWAPPED: Final = {"white": "black", "black": "white"}


class CriterionError(ValueError):
    """A word is not a criterion; the message says what is wrong and what would be right."""


class Range(NamedTuple):
    """From ``least`` to ``most``, both included; no upper bound if ``most`` is None."""

    least: int
    most: int | None

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.least <= number <= self.highest

    @property
    def highest(self) -> int:
        """The most that is in it; more than there ever are of anything."""
        return _NO_BOUND if self.most is None else self.most


@dataclass(frozen=True)
class Criterion:
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
        if not dots:
            return Range(int(least), int(least))
        return Range(int(least or 0), int(most) if most else None)

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
            value = read_rights(name, value.swapcase()) if value != "-" else value
        return Criterion(name, key, value, self.negated)


Clause = Callable[["FullScene", Criterion], "Literal"]
Check = Callable[["PlayedMove", Criterion], bool]
ByCube = Callable[[Cube, str], bool | None]


def _leaves_open(_: Cube, __: str) -> None:
    """Leave a criterion open."""


class Term:
    """A name that criteria use.

    Args:
        text: How it is written, and what it asks for: ``white-men=COUNT: pieces of White``.
        clause: A literal that says in a scene whether the criterion holds. White is to move.
        check: Whether python-chess says that it holds. Either player is to move.
        by_cube: What the cube of White's move says already, by the criterion's value; None where
            it leaves the matter open.
    """

    def __init__(
        self, text: str, clause: Clause, check: Check, by_cube: ByCube = _leaves_open
    ) -> None:
        self.text = text
        self.clause, self.check, self.by_cube = clause, check, by_cube
        name, _, form = text.partition(":")[0].rstrip("]").partition("=")
        self.name = name.rstrip("[").lower()
        self._is_word = not form or "[" in name
        self._form = form

    def spellings(self) -> list[str]:
        """Return the ways to write it, but for values that are not one of a few."""
        values = [] if not self._form or self._form in _READERS else self._form.split("|")
        return [self.name] * self._is_word + [f"{self.name}={value}" for value in values]

    def criterion(self, key: str, value: str | None, *, negated: bool) -> Criterion:
        """Return what is asked for by the name, or by a key, and a value, None for none.

        Raises:
            CriterionError: The term does not take the value.
        """
        read = _READERS.get(self._form)
        if value is None and self._is_word:
            value = ""
        elif read is not None:
            value = read(key or self.name, value or "")
        elif not self._form:
            raise CriterionError(f"{self.name!r} takes no value")
        elif not value or value not in self._form.split("|"):
            raise CriterionError(f"{self.name}= takes {self._form.replace('|', ', ')}")
        return Criterion(self.name, key, value, negated)


def term(text: str, by_cube: ByCube = _leaves_open) -> Callable[[Clause, Check], Term]:
    """Return what makes a term from its clause and its check."""
    return lambda clause, check: Term(text, clause, check, by_cube)


def read_count(name: str, value: str) -> str:
    """Check the value of a count.

    Raises:
        CriterionError: It is neither a number nor a range.
    """
    if not _COUNT.fullmatch(value) or value == "..":
        raise CriterionError(f"{name}= takes a number or a range, 3 or ..3 or 3.. or 1..3")
    least, most = Criterion(name, "", value).range
    if most is not None and least > most:
        raise CriterionError(f"{name}={value}: the range is empty")
    if name == "replies" and (least > 2 or most not in {None, 0, 1}):
        raise CriterionError("replies= takes 0, 1, ..1, 1.. or 2..; more are not counted")
    return value


def read_pieces(name: str, value: str) -> str:
    """Return the letters of a side's pieces in order, with the king.

    Raises:
        CriterionError: The value has other letters, or too many.
    """
    letters = value.upper()
    if not letters or not set(letters) <= set("KQRBNP") or len(letters) > MAX_LETTERS:
        raise CriterionError(f"{name}= takes the side's pieces, such as {name}=KRPP")
    return "".join(sorted(letters if "K" in letters else "K" + letters, key="KQRBNP".index))


def read_rights(name: str, value: str) -> str:
    """Return castling rights in order.

    Raises:
        CriterionError: The value says no castling rights.
    """
    if value != "-" and (not value or not set(value) <= {*RIGHTS} or len({*value}) < len(value)):
        raise CriterionError(f"{name}= takes castling rights as in a FEN, such as rights=Kq, or -")
    return "".join(letter for letter in RIGHTS if letter in value) or "-"


def read_content(name: str, value: str) -> str:
    """Check what is to stand on a square.

    Raises:
        CriterionError: The value says nothing that can.
    """
    if value not in {*PIECES, *SIDES, "any", "."}:
        raise CriterionError(f"{name}= takes a piece as in a FEN, '.', white, black or any")
    return value


_READERS: Final = {
    "COUNT": read_count,
    "PIECES": read_pieces,
    "RIGHTS": read_rights,
    "PIECE": read_content,
}
"""How values are read that are not one of a few."""


def squares_of(key: str) -> list[int]:
    """Return the squares of a key such as ``e4``, ``h*`` or ``*7``."""
    files = range(8) if key[0] == "*" else [FILES.index(key[0])]
    ranks = range(8) if key[1] == "*" else [RANKS.index(key[1])]
    return [8 * rank + file for rank in ranks for file in files]
