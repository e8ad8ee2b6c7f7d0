"""A generator of bare strings that puts twins on the board, and writes what the PGN standard says.

It uses neither bitboards nor mirror images: squares are pairs, and every twin is tried.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import product

Square = tuple[int, int]

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
SLANTED = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
BOARD = [(file, rank) for file in range(8) for rank in range(8)]
JUMPS = [(a * x, b * y) for x, y in ((1, 2), (2, 1)) for a, b in product((1, -1), repeat=2)]


def on_board(file: int, rank: int) -> bool:
    """Whether there is such a square."""
    return 0 <= file < 8 and 0 <= rank < 8


def lines(piece: str, square: Square) -> list[list[Square]]:
    """Return the lines on which a piece goes from a square, each from there on."""
    steps = {"N": JUMPS, "R": STRAIGHT, "B": SLANTED}.get(piece, STRAIGHT + SLANTED)
    longest = 1 if piece in "NK" else 7
    found = []
    for right, up in steps:
        line = [(square[0] + n * right, square[1] + n * up) for n in range(1, longest + 1)]
        found.append([(file, rank) for file, rank in line if on_board(file, rank)])
    return found


def twins_of(piece: str, origin: Square, to: Square) -> list[Square]:
    """Where another piece can stand that reaches the square too: on every other line."""
    return [square for line in lines(piece, to) if origin not in line for square in line]


def name(square: Square) -> str:
    """Return a square's name."""
    return "abcdefgh"[square[0]] + "12345678"[square[1]]


def discriminator(origin: Square, twins: Sequence[Square]) -> str:
    """Return the disambiguation: file before rank before square (PGN standard, 8.2.3.4)."""
    if not twins:
        return ""
    if all(twin[0] != origin[0] for twin in twins):
        return name(origin)[0]
    if all(twin[1] != origin[1] for twin in twins):
        return name(origin)[1]
    return name(origin)


def officers(piece: str) -> Iterator[str]:
    """Yield the strings of a knight, bishop, rook or queen."""
    for to in BOARD:
        for origin in (square for line in lines(piece, to) for square in line):
            others = twins_of(piece, origin, to)
            on_file = [twin for twin in others if twin[0] == origin[0]]
            on_rank = [twin for twin in others if twin[1] == origin[1]]
            tried = [[], *([twin] for twin in others), *map(list, product(on_file, on_rank))]
            for twins in tried:
                yield from both(piece + discriminator(origin, twins), to)


def both(origin: str, to: Square) -> list[str]:
    """Return a quiet move and a capture."""
    return [origin + name(to), origin + "x" + name(to)]


def kings() -> Iterator[str]:
    """Yield the strings of kings."""
    for to in BOARD:
        yield from both("K", to)
    yield from ("O-O", "O-O-O")


def pawns() -> Iterator[str]:
    """Yield the strings of pawns."""
    for file, rank in BOARD:
        promotions = ("=Q", "=R", "=B", "=N") if rank in (0, 7) else ("",)
        for promotion in promotions:
            yield name((file, rank)) + promotion
            for origin in (file - 1, file + 1):
                if on_board(origin, rank):
                    yield name((origin, rank))[0] + "x" + name((file, rank)) + promotion


def san_strings() -> list[str]:
    """All of them, sorted by length and then by text."""
    strings = {*kings(), *pawns()}
    for piece in "NBRQ":
        strings.update(officers(piece))
    return sorted(strings, key=lambda san: (len(san), san))


if __name__ == "__main__":
    sys.stdout.write("\n".join([*san_strings(), ""]))
