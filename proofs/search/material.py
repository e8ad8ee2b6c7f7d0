"""The material of witnesses: few balances, so that few hubs serve all proof games.

The position of a witness is ours to choose. One balance for each kind of string is enough for
every string that can be written, and two black knights are always there: they can lose a move,
block, and be captured. Light- and dark-squared bishops never meet and count as different men.
"""

from typing import Final, NamedTuple

from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import San
from sanproof.proofs.rules.squares import FILES, file_of, parse_square, rank_of


class Family(NamedTuple):
    """Witnesses of one material, and the hubs they are reached from.

    ``white`` and ``black`` are the men besides the king: Q, R, N, P, and L or D for a light- or
    dark-squared bishop. The men on ``unmoved`` squares have not moved: for castling, and for a pawn
    still to move. So many ``hubs`` are kept, the best of so many ``tries``.
    """

    name: str
    white: str
    black: str
    unmoved: tuple[int, ...] = ()
    hubs: int = 6
    tries: int = 20


def _squares(names: str) -> tuple[int, ...]:
    return tuple(parse_square(name) for name in names.split())


SPARE: Final = "-spare"
"""The families for the few strings to which the first choice of material does not lead."""

_FAMILIES: Final = (
    Family("Q", "QQQR", "NN", hubs=16, tries=50),
    Family("R", "QRR", "NN", hubs=12, tries=40),
    Family("N", "QNNN", "NN", hubs=12, tries=30),
    Family("L", "QLLL", "NN", hubs=10, tries=30),
    Family("D", "QDDD", "NN", hubs=10, tries=30),
    *(Family("P" + file, "PQR", "NN", _squares(file + "2"), hubs=4, tries=8) for file in FILES),
    Family("O-O", "QRR", "NN", _squares("e1 h1"), hubs=3, tries=8),
    Family("O-O-O", "QRR", "NN", _squares("e1 a1"), hubs=3, tries=8),
    Family("R" + SPARE, "QRR", "NR", hubs=4, tries=10),
    Family("L" + SPARE, "QLLL", "NR", hubs=4, tries=10),
    Family("D" + SPARE, "QDDD", "NR", hubs=4, tries=10),
)
FAMILIES: Final = {family.name: family for family in _FAMILIES}


def families_of(san: San) -> list[Family]:
    """The families whose material to try for a string that White plays, the first choice first."""
    if san.piece == "":
        name = "P" + (san.file or san.destination[0])
    elif san.piece == "B":
        name = bishop_letter(parse_square(san.destination))
    else:
        name = "R" if san.piece == "K" else san.piece
    return [FAMILIES[n] for n in (name, name + SPARE) if n in FAMILIES]


def materials_of(cube: Cube) -> list[tuple[str, str]]:
    """White's and Black's men, besides the kings, in a cube's witnesses: choice by choice."""
    some = San(cube.piece, "", "", cube.capture, cube.destination, "", "")
    return [(family.white, family.black) for family in families_of(some)]


def bishop_letter(square: int) -> str:
    """L for the bishop that can stand on this square if it is light, D if it is dark."""
    return "L" if is_light(square) else "D"


def is_light(square: int) -> bool:
    """Whether a square is light: h1 is, a1 is not (FIDE 2.1)."""
    return (file_of(square) + rank_of(square)) % 2 == 1
