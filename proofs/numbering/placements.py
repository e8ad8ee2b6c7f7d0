"""Numberings of positions, and the simplest: every way to put pieces on the board.

Its numbers are the 64-digit numbers in base 13. The digits and the order of squares are those of
Roberto Alsina's "A database of all chess positions in your own computer" (ralsina.me, after a Quora
answer of 2018): a number is written with 64 digits in base 13, and digit by digit it fills the
squares from a8 along the eighth rank and down to h1. His code drops leading zeros and fills up with
blanks instead, so that it is not one-to-one: digit 0 is a white pawn and a blank is digit 12. Here
a number always has its 64 digits, which is a bijection onto 13^64; for numbers that have 64 digits
without leading zeros both agree. tests/proofs/numbering/test_placements.py shows the collision.
"""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from sanproof.proofs.numbering.fen import EMPTY, read_board, split_fields, write_board


class Numbering(ABC):
    """A bijection between the whole numbers from 0 to `size - 1` and a set of positions.

    A position is written as a FEN of six fields. What its fields mean is said where the numbering
    is defined.
    """

    @property
    @abstractmethod
    def size(self) -> int:
        """Count the positions that are numbered."""

    @abstractmethod
    def position(self, number: int) -> str:
        """Return the position of a number, as a FEN.

        Raises:
            ValueError: the number is not from 0 to `size - 1`.
        """

    @abstractmethod
    def number(self, position: str) -> int:
        """Return the number of a position that is given as a FEN.

        Raises:
            ValueError: the text is no FEN, or the position is not among those that are numbered.
        """

    def positions(self, start: int = 0, count: int | None = None) -> Iterator[str]:
        """Yield the positions of the numbers from `start`, at most `count`, up to the last.

        Raises:
            ValueError: `start` is not from 0 to `size`, or `count` is negative; at the call,
                before anything is yielded.
        """
        return map(self.position, self.numbers_from(start, count))

    def numbers_from(self, start: int = 0, count: int | None = None) -> Iterator[int]:
        """Yield the numbers that `positions` stands for, and raises as it does."""
        if not 0 <= start <= self.size:
            raise ValueError(f"the start is from 0 to {self.size}, not {start}")
        _check_count(count or 0)
        return iter(range(start, self.size if count is None else min(start + count, self.size)))

    def random(self, seed: int, count: int) -> Iterator[str]:
        """Yield `count` positions, each drawn uniformly and independently of the others.

        The same seed gives the same positions.

        Raises:
            ValueError: `count` is negative; at the call.
        """
        return map(self.position, self.random_numbers(seed, count))

    def random_numbers(self, seed: int, count: int) -> Iterator[int]:
        """Yield the numbers that `random` stands for, and raises as it does."""
        _check_count(count)
        generator = random.Random(seed)
        return (generator.randrange(self.size) for _ in range(count))

    def check_number(self, number: int) -> None:
        """Raise ValueError for a number that stands for no position."""
        if not 0 <= number < self.size:
            raise ValueError(
                f"there is no position {number}: the numbers go from 0 to {self.size - 1}"
            )


def read_where(words: Iterable[str]) -> dict[int, str]:
    """Parse words such as ``d5=P`` and ``e4=.``: squares from a8, each with a piece or nothing.

    Raises:
        ValueError: A word is not of this form, or a square is named twice.
    """
    where: dict[int, str] = {}
    for word in words:
        match = re.fullmatch(r"([a-h])([1-8])=([PNBRQKpnbrqk.])", word)
        if match is None:
            raise ValueError(
                f"{word[:40]!a} is not a square and a piece: write d5=P, e4=k, or e4=. for none"
            )
        square = 8 * (8 - int(match[2])) + "abcdefgh".index(match[1])
        if square in where:
            raise ValueError(f"{match[1]}{match[2]} is named twice")
        where[square] = EMPTY if match[3] == "." else match[3]
    return where


def _check_count(count: int) -> None:
    if count < 0:
        raise ValueError(f"the count is 0 or more, not {count}")


_DIGITS: Final = "PNBRQKpnbrqk" + EMPTY


class Placements(Numbering):
    """All boards that have given pieces on given squares, numbered from 0 in their order.

    They are legal or not: any pieces, any number of kings, pawns on any rank. Only the first field
    of a FEN carries information. `position` writes the others as `w - - 0 1`; `number` accepts the
    first field alone, and reads no meaning into the others.

    The place of a board among them is found without looking at those between: its number, written
    in base 13, without the digits of these squares.
    """

    def __init__(self, where: Mapping[int, str] = MappingProxyType({})) -> None:
        self._digits = {square: _DIGITS.index(piece) for square, piece in where.items()}
        self._free = [square for square in range(64) if square not in where]

    @property
    def size(self) -> int:
        """Count the boards that there are: 13^64 if nothing is given."""
        return int(len(_DIGITS) ** len(self._free))

    def position(self, number: int) -> str:
        """Return the board of a number, as a FEN."""
        self.check_number(number)
        digits = dict(self._digits)
        for square in reversed(self._free):
            number, digits[square] = divmod(number, len(_DIGITS))
        pieces = "".join(_DIGITS[digits[square]] for square in range(64))
        return f"{write_board(pieces)} w - - 0 1"

    def number(self, position: str) -> int:
        """Return how many of the boards stand before this one among all placements."""
        number, left, board = 0, len(self._free), read_board(split_fields(position).placement)
        for square, piece in enumerate(board):
            digit = _DIGITS.index(piece)
            if square not in self._digits:
                left -= 1
                number += digit * len(_DIGITS) ** left
            elif digit != self._digits[square]:
                return int(number + (digit > self._digits[square]) * len(_DIGITS) ** left)
        return number


PLACEMENTS: Final = Placements()
