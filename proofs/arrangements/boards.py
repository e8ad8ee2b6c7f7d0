"""Squares as pairs, which piece reaches which, and what is in between.

Written again from the definitions in `proofs/formal/Chess.v`, and from nothing else here.
"""

from functools import cache
from typing import Final

Square = tuple[int, int]
"""A file and a rank, each from 1 to 8."""

SQUARES: Final = tuple((f, r) for f in range(1, 9) for r in range(1, 9))


def named(square: Square) -> str:
    """The square as written in SAN."""
    return "abcdefgh"[square[0] - 1] + str(square[1])


def square_of(name: str) -> Square:
    """The square with this name; the inverse of :func:`named`."""
    return "abcdefgh".index(name[0]) + 1, int(name[1])


@cache
def reaches(piece: str, start: Square, end: Square) -> bool:
    """Whether a knight, bishop, rook or queen reaches a square if nothing is in between."""
    files, ranks = abs(start[0] - end[0]), abs(start[1] - end[1])
    if piece == "N":
        return {files, ranks} == {1, 2}
    on_line = (files == 0) != (ranks == 0)
    on_diagonal = files == ranks != 0
    return (piece in "RQ" and on_line) or (piece in "BQ" and on_diagonal)


@cache
def between(start: Square, end: Square) -> frozenset[Square]:
    """The squares in between on a line or diagonal; none if there is no such line."""
    if not reaches("Q", start, end):
        return frozenset()
    files, ranks = end[0] - start[0], end[1] - start[1]
    length = max(abs(files), abs(ranks))
    return frozenset(
        (start[0] + i * files // length, start[1] + i * ranks // length) for i in range(1, length)
    )
