"""What every numbering of positions offers: its size, both directions, slices, random samples."""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator


class Numbering(ABC):
    """A bijection between the whole numbers from 0 to `size - 1` and a set of positions.

    A position is written as a FEN of six fields. What its fields mean is said where the numbering
    is defined.
    """

    @property
    @abstractmethod
    def size(self) -> int:
        """How many positions are numbered."""

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
        if count is None:
            return iter(range(start, self.size))
        _check_count(count)
        return iter(range(start, min(start + count, self.size)))

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
        """Raises ValueError for a number that stands for no position."""
        if not 0 <= number < self.size:
            raise ValueError(f"the number is from 0 to {self.size - 1}, not {number}")


def _check_count(count: int) -> None:
    if count < 0:
        raise ValueError(f"the count is 0 or more, not {count}")
