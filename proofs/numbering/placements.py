"""The base of both numberings of positions, and the simpler one: all ways to fill the board.

Its numbers are the 64-digit numbers in base 13. The digits and the order of squares are those of
Roberto Alsina's "A database of all chess positions in your own computer" (ralsina.me, after a Quora
answer of 2018): a number is written with 64 digits in base 13, and digit by digit it fills the
squares from a8 along the eighth rank and down to h1. His code drops leading zeros and fills up with
blanks instead, so that it is not one-to-one: digit 0 is a white pawn and a blank is digit 12. Here
a number always has its 64 digits, which is a bijection onto 13^64; for numbers that have 64 digits
without leading zeros both agree. tests/proofs/numbering/test_placements.py shows the collision.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Final

from sanproof.proofs.numbering.fen import EMPTY, read_board, split_fields, write_board


class Numbering(ABC):
    """A bijection between the whole numbers from 0 to `size - 1` and a set of positions (FENs)."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of positions."""

    @abstractmethod
    def position(self, number: int) -> str:
        """Return the FEN of the position with a number. Raises a ValueError if there is none."""

    @abstractmethod
    def number(self, position: str) -> int:
        """Return the number of the position of a FEN. Raises a ValueError if it has none."""

    def random(self, seed: int, count: int) -> Iterator[str]:
        """Yield positions, drawn uniformly and independently. A seed always gives the same ones."""
        generator = random.Random(seed)
        return (self.position(generator.randrange(self.size)) for _ in range(count))

    def check_number(self, number: int) -> None:
        """Raise a ValueError if no position has this number."""
        if not 0 <= number < self.size:
            raise ValueError(
                f"there is no position {number}: the numbers go from 0 to {self.size - 1}"
            )


_DIGITS: Final = "PNBRQKpnbrqk" + EMPTY


class Placements(Numbering):
    """All boards, legal or not. Only the first field of a FEN carries information."""

    @property
    def size(self) -> int:
        """The number of boards, which is 13^64."""
        return int(len(_DIGITS) ** 64)

    def position(self, number: int) -> str:
        """Return the board with a number, as a FEN's first field."""
        self.check_number(number)
        pieces = ""
        for _ in range(64):
            number, digit = divmod(number, len(_DIGITS))
            pieces = _DIGITS[digit] + pieces
        return f"{write_board(pieces)} w - - 0 1"

    def number(self, position: str) -> int:
        """Return the number of a board."""
        number = 0
        for piece in read_board(split_fields(position).placement):
            number = number * len(_DIGITS) + _DIGITS.index(piece)
        return number


PLACEMENTS: Final = Placements()
