"""The material of witnesses, which makes them easy to find, to reach and to read. Untrusted.

It is not a rule of chess, and only used in formulas for witnesses: if no model has it, nothing
follows. Witnesses should have one of a few sets of pieces, so that few hubs serve all proof games.
One set for each kind of string is enough for every string that can occur. There are always two
black knights: they can wait a move, block, and be captured. Light- and dark-squared bishops never
meet and count as different pieces.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube
from sanproof.proofs.rules.squares import FILES, SQUARES, file_of, parse_square, rank_of
from sanproof.proofs.search.board import ROLES, ROLES_OF, Board
from sanproof.proofs.search.gates import Gates


class Material(NamedTuple):
    """White's and Black's pieces besides the king.

    The letters are ``QRNP``, and L or D for a bishop on light or dark squares.
    """

    white: str
    black: str


_SPARE: Final = "-spare"
"""The families for the few strings to which the first choice of material does not lead."""

FAMILIES: Final = {
    "Q": Material("QQQR", "NN"),
    "R": Material("QRR", "NN"),
    "N": Material("QNNN", "NN"),
    "L": Material("QLLL", "NN"),
    "D": Material("QDDD", "NN"),
    **{"P" + file: Material("PQR", "NN") for file in FILES},
    "O-O": Material("QRR", "NN"),
    "O-O-O": Material("QRR", "NN"),
    "R" + _SPARE: Material("QRR", "NR"),
    "L" + _SPARE: Material("QLLL", "NR"),
    "D" + _SPARE: Material("QDDD", "NR"),
}
"""The material of witnesses, by the family of hubs from which they are reached."""


def families_of(piece: str, destination: str, file: str = "") -> list[str]:
    """Return the families whose material to try for a move of White's, the first choice first."""
    if piece == "":
        name = "P" + (file or destination[0])
    elif piece == "B":
        name = bishop_letter(parse_square(destination))
    else:
        name = "R" if piece == "K" else piece
    return [n for n in (name, name + _SPARE) if n in FAMILIES]


def materials_of(cube: Cube) -> list[Material]:
    """Return the material of a cube's witnesses, the first choice first."""
    return [FAMILIES[name] for name in families_of(cube.piece, cube.destination)]


def bishop_letter(square: int) -> str:
    """Return L if a bishop on this square is light-squared, as on h1 (FIDE 2.1), or else D."""
    return "DL"[(file_of(square) + rank_of(square)) % 2]


BISHOPS: Final = {"L": "B", "D": "B"}


def encode_material(cnf: Gates, board: Board, material: Material) -> None:
    """Encode that each side has exactly these pieces besides its king, and no other roles."""
    for colour, pieces in zip((WHITE, BLACK), material, strict=True):
        own = board.colour(colour)
        roles = {"king"}.union(*[ROLES_OF[BISHOPS.get(letter, letter)] for letter in pieces])
        for s in SQUARES:
            for role in ROLES:
                if role not in roles:
                    cnf.forbid(own[s], getattr(board, role)[s])
        for letter in "QRNPLD":
            pieces_there = [(own[s], *_is_piece(board, letter, s)) for s in SQUARES]
            if letter in pieces:
                places = [cnf.both(*piece) for piece in pieces_there]
                at_most(cnf, pieces.count(letter), places)
                at_least(cnf, pieces.count(letter), places)
            else:
                for piece in pieces_there:
                    cnf.forbid(*piece)


def _is_piece(board: Board, letter: str, square: int) -> list[Literal]:
    """Return the literals that together say that a piece of this letter stands on the square."""
    if letter in BISHOPS and letter != bishop_letter(square):
        return [FALSE]
    return board.roles(BISHOPS.get(letter, letter), square)


def at_most(cnf: Gates, limit: int, literals: Iterable[Literal]) -> None:
    """Assert that no more than ``limit`` of the literals hold (Sinz's sequential counter)."""
    counts = [FALSE] * (limit + 1)
    for literal in literals:
        following = [cnf.new() for _ in range(limit)] + [FALSE]
        for i, count in enumerate(counts):
            cnf.add(-count, following[i])
            below = TRUE if i == 0 else counts[i - 1]
            cnf.add(-literal, -below, following[i])
        counts = following


def at_least(cnf: Gates, limit: int, literals: Iterable[Literal]) -> None:
    """Assert that no fewer than ``limit`` of the literals hold (a sequential counter)."""
    counts = [FALSE] * limit
    for literal in literals:
        if literal == FALSE:
            continue
        following = [cnf.new() for _ in range(limit)]
        for i, count in enumerate(following):
            below = TRUE if i == 0 else counts[i - 1]
            cnf.add(-count, counts[i], literal)
            cnf.add(-count, counts[i], below)
        counts = following
    for count in counts:
        cnf.add(count)
