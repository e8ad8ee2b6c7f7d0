"""Numbers the opposed pawns of a position.

Two pawns are *opposed* here when they stand on one file, the black one nearer to the eighth rank,
with no pawn between them: neither can pass the other unless something is captured. A *pair* is
(square of the black pawn, square of the white pawn); its *gap* is the number of squares between.
At most one pair is picked on a file.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

Pair = tuple[int, int]


def gap(pair: Pair, files: int) -> int:
    """How many squares lie between the two pawns."""
    black, white = pair
    return (white - black) // files - 1


@cache
def count_pairs(pairs: int, gaps: int, files: int, height: int) -> int:
    """How many ways `pairs` pairs can stand on `files` files with `gaps` squares between in all.

    `height` is the number of ranks on which a pawn may stand. Other pawns are not counted.
    """
    if pairs == 0:
        return int(gaps == 0)
    if gaps < 0 or files == 0:
        return 0
    none_here = count_pairs(pairs, gaps, files - 1, height)
    return none_here + sum(
        (height - 1 - here) * count_pairs(pairs - 1, gaps - here, files - 1, height)
        for here in range(height - 1)
    )


class Pairing:
    """Numbers the ways to place a given number of pairs with a given sum of gaps.

    Sorted by files: first all ways without a pair on the first file, then those with one, by the
    black pawn from the far rank, then by the white pawn from the nearest.
    """

    def __init__(self, files: int, height: int) -> None:
        self._files = files
        self._height = height

    def count(self, pairs: int, gaps: int, files: int) -> int:
        """How many ways there are on so many files."""
        return count_pairs(pairs, gaps, files, self._height) if gaps >= 0 else 0

    def place(self, on_files: Sequence[int], pairs: int, gaps: int, number: int) -> list[Pair]:
        """Returns the pairs of a number from 0 to `count(pairs, gaps, len(on_files)) - 1`."""
        placed: list[Pair] = []
        for left, file in zip(range(len(on_files) - 1, -1, -1), on_files, strict=True):
            without = self.count(pairs, gaps, left)
            if number < without:
                continue
            number -= without
            for pair in self._pairs_on(file, gaps):
                rest = gaps - gap(pair, self._files)
                ways = self.count(pairs - 1, rest, left)
                if number < ways:
                    break
                number -= ways
            else:
                raise ValueError("the number of the opposed pawns is too large")
            placed.append(pair)
            pairs, gaps = pairs - 1, rest
        return placed

    def number(self, on_files: Sequence[int], placed: Sequence[Pair]) -> int:
        """Returns the number of these pairs, which are sorted by file; the inverse of `place`."""
        by_file = {black % self._files: (black, white) for black, white in placed}
        pairs = len(placed)
        gaps = sum(gap(pair, self._files) for pair in placed)
        number = 0
        for left, file in zip(range(len(on_files) - 1, -1, -1), on_files, strict=True):
            if file not in by_file:
                continue
            number += self.count(pairs, gaps, left)
            for pair in self._pairs_on(file, gaps):
                rest = gaps - gap(pair, self._files)
                if pair == by_file[file]:
                    break
                number += self.count(pairs - 1, rest, left)
            else:
                raise ValueError(f"{by_file[file]} is no pair of opposed pawns")
            pairs, gaps = pairs - 1, rest
        return number

    def _pairs_on(self, file: int, most_gap: int) -> Iterator[Pair]:
        for black in range(1, self._height):
            for white in range(black + 1, min(black + 1 + most_gap, self._height) + 1):
                yield black * self._files + file, white * self._files + file


def opposed_on_files(board: str, files: int) -> list[list[Pair]]:
    """Lists for each file the pairs on it, from the far rank."""
    found: list[list[Pair]] = []
    for file in range(files):
        column = board[file::files]
        pawns = [(rank, man) for rank, man in enumerate(column) if man in "Pp"]
        found.append(
            [
                (black * files + file, white * files + file)
                for (black, upper), (white, lower) in pairwise(pawns)
                if upper == "p" and lower == "P"
            ]
        )
    return found


class Choices:
    """Numbers the ways to pick a given number of pairs, at most one on each file, from lists.

    Sorted by files: first all ways without the first file, then those with it, in its list's order.
    """

    def __init__(self, options: Sequence[Sequence[Pair]], pairs: int) -> None:
        self._options = options
        self._pairs = pairs
        # _ways[k][n]: ways to pick n pairs from the files from the k-th on.
        self._ways = [[0] * (pairs + 1) for _ in range(len(options) + 1)]
        self._ways[-1][0] = 1
        for k in range(len(options) - 1, -1, -1):
            for n in range(pairs + 1):
                here = len(options[k]) * self._ways[k + 1][n - 1] if n else 0
                self._ways[k][n] = self._ways[k + 1][n] + here

    @property
    def count(self) -> int:
        """How many ways there are."""
        return self._ways[0][self._pairs]

    def pick(self, number: int) -> list[Pair]:
        """Returns the pairs of a number from 0 to `count - 1`, sorted by file."""
        picked: list[Pair] = []
        left = self._pairs
        for file, options in enumerate(self._options):
            without = self._ways[file + 1][left]
            if number < without:
                continue
            left -= 1
            option, number = divmod(number - without, self._ways[file + 1][left])
            picked.append(options[option])
        return picked

    def number(self, picked: Sequence[Pair]) -> int:
        """Returns the number of these pairs; the inverse of `pick`."""
        number = 0
        left = self._pairs
        for file, options in enumerate(self._options):
            chosen = next((pair for pair in options if pair in picked), None)
            if chosen is None:
                continue
            number += self._ways[file + 1][left]
            left -= 1
            number += options.index(chosen) * self._ways[file + 1][left]
        return number
