"""Cubes: the cases into which the universe is cut, one formula each; and the exchange of colours.

A cube fixes the piece, whether it captures, and the destination; castling has a cube for each
side. Each string of the universe belongs to exactly one cube.

Cubes speak of White's moves. Black's are the same seen from the other side: the only articles that
name a player or a rank do so for both alike (FIDE 2.3, 3.7, 3.8.2), so Black can play ``Nf6``
exactly when White can play ``Nf3``.
"""

from itertools import product
from typing import Final, NamedTuple

from sanproof.proofs.rules.san import CAPTURES, CASTLINGS, DESTINATIONS, PIECES, San
from sanproof.proofs.rules.squares import RANKS

WHITE: Final = "white"
BLACK: Final = "black"
COLOURS: Final = (WHITE, BLACK)


class Cube(NamedTuple):
    """A piece (empty for a pawn, or a castling), ``x`` or nothing, and a destination's name."""

    piece: str
    capture: str
    destination: str

    def __str__(self) -> str:
        return self.piece + self.capture + self.destination

    @property
    def castling(self) -> bool:
        """Whether the cube is one of the two castlings."""
        return self.piece in CASTLINGS


def cube_of(san: San) -> Cube:
    """Return the one cube to which a string belongs."""
    return Cube(san.piece, san.capture, san.destination)


def all_cubes() -> list[Cube]:
    """Return every cube, in a fixed order."""
    cubes = [Cube(castling, "", "") for castling in CASTLINGS]
    return cubes + [Cube(*parts) for parts in product(PIECES, CAPTURES, DESTINATIONS)]


def exchanged_cube(cube: Cube) -> Cube:
    """Return the cube of the same moves with the colours exchanged."""
    return cube._replace(destination=exchanged_ranks(cube.destination))


def exchanged_san(san: San) -> San:
    """Return the string of the same move with the colours exchanged."""
    rank, destination = exchanged_ranks(san.rank), exchanged_ranks(san.destination)
    return san._replace(rank=rank, destination=destination)


def exchanged_ranks(text: str) -> str:
    """Exchange the colours in squares, moves or a string: the ranks count from the other side."""
    return text.translate(_EXCHANGE)


_EXCHANGE = str.maketrans(RANKS, RANKS[::-1])
