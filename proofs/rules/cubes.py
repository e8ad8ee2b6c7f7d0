"""Cubes: the cases into which the universe is cut, one formula each.

A cube fixes the piece, whether it captures, and the destination; castling has a cube for each
side. Each string of the universe belongs to exactly one cube. Cubes speak of White's moves:
Black's are the same seen from the other side (FIDE 2.3, 3.7 and 3.8 treat both players alike),
so Black can play ``Nf6`` exactly when White can play ``Nf3``.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from proofs.rules.san import (
    CAPTURES,
    CASTLINGS,
    DESTINATIONS,
    FILE_LETTERS,
    PIECES,
    PROMOTIONS,
    RANK_DIGITS,
    SUFFIXES,
    San,
)
from proofs.rules.squares import FILES, RANKS, mirror_file, mirror_rank, parse_square, square_name


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

    @property
    def moves_king(self) -> bool:
        """Whether White's king moves."""
        return self.piece == "K" or self.castling

    def bare_strings(self) -> Iterator[San]:
        """Every bare string of the universe that belongs to the cube."""
        if self.castling:
            yield San(self.piece, "", "", "", "", "", "")
            return
        for file, rank, promotion in product(FILE_LETTERS, RANK_DIGITS, PROMOTIONS):
            yield San(self.piece, file, rank, self.capture, self.destination, promotion, "")

    def strings(self) -> Iterator[San]:
        """Every string of the universe that belongs to the cube."""
        for bare in self.bare_strings():
            for suffix in SUFFIXES:
                yield bare._replace(suffix=suffix)


def cube_of(san: San) -> Cube:
    """The one cube to which a string belongs."""
    return Cube(san.piece, san.capture, san.destination)


def all_cubes() -> list[Cube]:
    """Every cube, in a fixed order."""
    cubes = [Cube(castling, "", "") for castling in CASTLINGS]
    return cubes + [Cube(*parts) for parts in product(PIECES, CAPTURES, DESTINATIONS)]


def solved_cubes() -> list[Cube]:
    """The cubes that are solved: castling, and the destinations on files a to d.

    Reflecting the board from left to right maps moves to moves, but for castling, which has cubes
    of its own and which no other string depends on: nobody castles out of check (FIDE 3.8.2), so
    castling is never a reply to one.
    """
    return [cube for cube in all_cubes() if cube.castling or cube.destination[0] in "abcd"]


def mirrored_cube(cube: Cube) -> Cube:
    """The cube of the same moves reflected from left to right."""
    return cube._replace(destination=_mirrored(cube.destination, by_rank=False))


def solved_cube(cube: Cube) -> Cube:
    """The cube that is solved for this one: itself, or its reflection from left to right."""
    return cube if cube.castling or cube.destination[0] in "abcd" else mirrored_cube(cube)


def exchanged_cube(cube: Cube) -> Cube:
    """The cube of the same moves with the colours exchanged."""
    return cube._replace(destination=_mirrored(cube.destination, by_rank=True))


def orbits() -> list[tuple[Cube, ...]]:
    """The solved cubes, in the groups whose witnesses can be had from each other.

    Captures can mostly be made of quiet moves, and reflecting the board from front to back maps
    piece moves without pawns to each other.
    """
    groups: list[tuple[Cube, ...]] = []
    for cube in solved_cubes():
        capture = cube._replace(capture="x")
        if cube.castling:
            groups.append((cube,))
        elif cube.capture:
            continue
        elif cube.piece == "":
            groups.append((cube, capture))
        elif cube.destination[1] in "1234":
            groups.append((cube, exchanged_cube(cube), capture, exchanged_cube(capture)))
    return groups


def mirrored_file(san: San) -> San:
    """The string of the same move on the board reflected from left to right."""
    letter = FILES[7 - FILES.index(san.file)] if san.file else ""
    return san._replace(file=letter, destination=_mirrored(san.destination, by_rank=False))


def mirrored_rank(san: San) -> San:
    """The string of the same move with the colours exchanged."""
    digit = RANKS[7 - RANKS.index(san.rank)] if san.rank else ""
    return san._replace(rank=digit, destination=_mirrored(san.destination, by_rank=True))


def _mirrored(square: str, *, by_rank: bool) -> str:
    mirror = mirror_rank if by_rank else mirror_file
    return square and square_name(mirror(parse_square(square)))
