"""The board: squares, directions, rays and steps (FIDE 2.1, 2.4, 3.2 to 3.4, 3.6, 3.8.1).

Squares are numbered as chess programmers number them: ``a1`` is 0, ``b1`` is 1, ``h8`` is 63.
A direction is a pair ``(file step, rank step)`` with each step -1, 0 or 1.
"""

from typing import Final

Direction = tuple[int, int]

FILES: Final = "abcdefgh"
RANKS: Final = "12345678"
SQUARES: Final = range(64)

ORTHOGONAL: Final[tuple[Direction, ...]] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: Final[tuple[Direction, ...]] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
DIRECTIONS: Final = ORTHOGONAL + DIAGONAL
KNIGHT_STEPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def file_of(square: int) -> int:
    """Return the file of a square: 0 for a to 7 for h."""
    return square % 8


def rank_of(square: int) -> int:
    """Return the rank of a square: 0 for the first to 7 for the eighth."""
    return square // 8


def square_name(square: int) -> str:
    """Return the square as written in SAN, such as ``e4``."""
    return FILES[file_of(square)] + RANKS[rank_of(square)]


def parse_square(name: str) -> int:
    """Return the square with this name; the inverse of :func:`square_name`."""
    return 8 * RANKS.index(name[1]) + FILES.index(name[0])


def step(square: int, direction: Direction) -> int | None:
    """Return the square a step on in a direction (or a knight's step away), None off the board."""
    file, rank = file_of(square) + direction[0], rank_of(square) + direction[1]
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


def steps(square: int, directions: tuple[Direction, ...]) -> tuple[int, ...]:
    """Return the squares one step away in each of the directions, as far as on the board."""
    reached = (step(square, direction) for direction in directions)
    return tuple(square for square in reached if square is not None)


def ray(square: int, direction: Direction) -> tuple[int, ...]:
    """Return the squares from ``square`` (not included) to the edge, nearest first."""
    squares = []
    current = step(square, direction)
    while current is not None:
        squares.append(current)
        current = step(current, direction)
    return tuple(squares)


RAY: Final = {d: tuple(ray(square, d) for square in SQUARES) for d in DIRECTIONS}
KNIGHT: Final = tuple(steps(square, KNIGHT_STEPS) for square in SQUARES)
KING: Final = tuple(steps(square, DIRECTIONS) for square in SQUARES)
