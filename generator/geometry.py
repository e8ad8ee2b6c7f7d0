"""Squares, rays and paths of the empty board.

A square is a number: 0 is a1, 7 is h1, 63 is h8. A set of squares is an integer too, in which bit
number s tells whether square s belongs to it. White moves, so pawns go up the board.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing, or collections, would take longer than the work itself
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FILE_NAMES = "abcdefgh"
RANK_NAMES = "12345678"
SQUARE_NAMES = tuple(file + rank for rank in RANK_NAMES for file in FILE_NAMES)

Step = tuple[int, int]
"""The files to the right and the ranks up."""

ORTHOGONAL: tuple[Step, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: tuple[Step, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))

# How the pieces attack: their steps, and how often a step is repeated (FIDE 3.2 to 3.8).
STEPS: dict[str, tuple[tuple[Step, ...], int]] = {
    "P": (((-1, 1), (1, 1)), 1),
    "N": (((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)), 1),
    "B": (DIAGONAL, 7),
    "R": (ORTHOGONAL, 7),
    "Q": (ORTHOGONAL + DIAGONAL, 7),
    "K": (ORTHOGONAL + DIAGONAL, 1),
}

NO_PATH = -1
"""The path between squares that no attack joins: the set of all squares, never empty."""


def ray(square: int, step: Step) -> list[int]:
    """Return the squares met when `step` is repeated from `square`, nearest first, to the edge."""
    right, up = step
    file, rank = square % 8, square // 8
    length = 7
    if right:
        length = (7 - file) // right if right > 0 else file // -right
    if up:
        length = min(length, (7 - rank) // up if up > 0 else rank // -up)
    stride = 8 * up + right
    return list(range(square + stride, square + stride * (length + 1), stride))


# A set, since pieces share steps: whose rays would else be made over and over at each start.
RAYS = {
    step: [ray(square, step) for square in range(64)]
    for step in {step for steps, _ in STEPS.values() for step in steps}
}
"""`RAYS[step][square]`, for every step that any piece makes."""


def lines_through(slider: str, square: int) -> list[tuple[list[int], list[int]]]:
    """Both sides of each line of `slider` that has `square` between its ends, each way round."""
    sides = [(RAYS[-right, -up][square], RAYS[right, up][square]) for right, up in STEPS[slider][0]]
    return [(behind, front) for behind, front in sides if behind and front]


def rays_of(piece: str, square: int) -> list[list[int]]:
    """Return the rays along which `piece` attacks from `square`."""
    steps, reach = STEPS[piece]
    rays = [RAYS[step][square][:reach] for step in steps]
    return [squares for squares in rays if squares]


RAYS_OF = {piece: [rays_of(piece, square) for square in range(64)] for piece in STEPS}
"""`RAYS_OF[piece][square]`: see `rays_of`."""


def set_of(squares: Iterable[int]) -> int:
    """Return the set with these members."""
    members = 0
    for square in squares:
        members |= 1 << square
    return members


def squares_of(squares: int) -> Iterator[int]:
    """Yield the members of a set of squares, in order."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


def file_of(square: int) -> int:
    """All squares on the file of `square`."""
    return 0x0101010101010101 << square % 8


def rank_of(square: int) -> int:
    """All squares on the rank of `square`."""
    return 0xFF << square // 8 * 8


def paths_of(piece: str, square: int) -> dict[int, int]:
    """Return the squares that `piece` attacks from `square`, each with the set of those on the way.

    The attack takes effect when every square on the way is empty (FIDE 3.5). The way of a single
    step, a knight's for instance, is the empty set.
    """
    paths = {}
    for squares in RAYS_OF[piece][square]:
        path = 0
        for target in squares:
            paths[target] = path
            path |= 1 << target
    return paths


PATHS = {piece: [paths_of(piece, square) for square in range(64)] for piece in STEPS}
"""`PATHS[piece][square][target]`: what must be empty for an attack from `square` on `target`."""

REACH = {piece: [set_of(attacks) for attacks in PATHS[piece]] for piece in STEPS}
"""`REACH[piece][square]`: all that `piece` attacks from `square` on an empty board."""

LINES_THROUGH = {slider: [lines_through(slider, square) for square in range(64)] for slider in "BR"}
"""`LINES_THROUGH[slider][square]`: where sliders and targets stand with `square` between them."""
