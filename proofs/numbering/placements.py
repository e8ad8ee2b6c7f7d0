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
from abc import ABC, abstractmethod
from collections.abc import Iterator
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


def _check_count(count: int) -> None:
    if count < 0:
        raise ValueError(f"the count is 0 or more, not {count}")


_DIGITS: Final = "PNBRQKpnbrqk" + EMPTY


class Placements(Numbering):
    """All boards.

    They are legal or not: any pieces, any number of kings, pawns on any rank. Only the first field
    of a FEN carries information. `position` writes the others as `w - - 0 1`; `number` accepts the
    first field alone, and reads no meaning into the others.
    """

    @property
    def size(self) -> int:
        """Count the boards that there are: 13^64."""
        return int(len(_DIGITS) ** 64)

    def position(self, number: int) -> str:
        """Return the board of a number, as a FEN."""
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
