"""Witnesses as they are written down, read from models, and mirrored. Untrusted.

Whatever comes out of here counts only once :mod:`verify.witness` has checked it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from proofs.board import BLACK, ROLES, ROLES_OF, WHITE
from proofs.cnf import Literal
from proofs.cubes import mirrored_file, mirrored_rank
from proofs.encoding import FIELDS, Encoding
from proofs.geometry import SQUARES, mirror_file, mirror_rank, parse_square, square_name
from proofs.grammar import San, parse_san
from proofs.moves import LAST_RANK

LETTERS = {frozenset(roles): letter for letter, roles in ROLES_OF.items()}
CASTLING_RIGHTS = {"O-O": "K", "O-O-O": "Q"}


class Witness(NamedTuple):
    """A position (FEN, White or Black to move) and a move (UCI) that is written ``san`` in it."""

    san: str
    fen: str
    uci: str

    def mirrored_files(self) -> "Witness":
        """The same reflected from left to right; not for castling."""
        ranks, *rest = self.fen.split(" ")
        placement = "/".join(rank[::-1] for rank in ranks.split("/"))
        san = str(mirrored_file(parse_san(self.san)))
        return Witness(san, " ".join([placement, *rest]), _map_squares(self.uci, mirror_file))

    def mirrored_ranks(self) -> "Witness":
        """The same reflected from front to back, with White still to move; only without pawns."""
        ranks, *rest = self.fen.split(" ")
        placement = "/".join(reversed(ranks.split("/")))
        san = str(mirrored_rank(parse_san(self.san)))
        return Witness(san, " ".join([placement, *rest]), _map_squares(self.uci, mirror_rank))

    def exchanged_colours(self) -> "Witness":
        """The same with Black to move where White was."""
        ranks, _, castling, passed, *clocks = self.fen.split(" ")
        placement = "/".join(reversed(ranks.split("/"))).swapcase()
        fen = " ".join([placement, "b", castling.lower(), passed, *clocks])
        san = str(mirrored_rank(parse_san(self.san)))
        return Witness(san, fen, _map_squares(self.uci, mirror_rank))


def _map_squares(uci: str, mirror: Callable[[int], int]) -> str:
    squares = (square_name(mirror(parse_square(name))) for name in (uci[:2], uci[2:4]))
    return "".join(squares) + uci[4:]


def wanted_literals(encoding: Encoding) -> list[Literal]:
    """The literals from which :func:`read_model` tells a position and its move."""
    board = encoding.board
    literals = [x for values in encoding.fields.values() for x in values.values()]
    literals += [*encoding.move.origins.values(), encoding.move.en_passant]
    for name in (WHITE, BLACK, *ROLES):
        literals += getattr(board, name)
    return literals


def read_model(encoding: Encoding, values: Sequence[bool]) -> tuple[San, Witness]:
    """The string and the witness that a model of an exact formula spells.

    Args:
        encoding: The formula.
        values: What the model says of each of its :func:`wanted_literals`.
    """
    true = iter(values)
    fields = {
        name: next(value for value, bit in [(v, next(true)) for v in choices] if bit)
        for name, choices in FIELDS.items()
    }
    cube = encoding.cube
    san = San(cube.piece, capture=cube.capture, destination=cube.destination, **fields)
    origins = [s for s, bit in [(s, next(true)) for s in encoding.move.origins] if bit]
    en_passant = next(true)
    columns = {name: [next(true) for _ in SQUARES] for name in (WHITE, BLACK, *ROLES)}
    passed = cube.destination if en_passant else "-"
    rights = CASTLING_RIGHTS.get(cube.piece, "-")
    fen = f"{_placement(columns)} w {rights} {passed} 0 1"
    uci = square_name(origins[0]) + square_name(encoding.move.destination)
    return san, Witness(str(san), fen, uci + san.promotion.lower())


def _placement(columns: dict[str, list[bool]]) -> str:
    """The first field of a FEN (PGN standard 16.1.3.1)."""
    rows = []
    for rank in range(LAST_RANK, -1, -1):
        row = "".join(_letter(columns, 8 * rank + file) for file in range(8))
        for run in range(8, 0, -1):
            row = row.replace(" " * run, str(run))
        rows.append(row)
    return "/".join(rows)


def _letter(columns: dict[str, list[bool]], square: int) -> str:
    if not columns[WHITE][square] and not columns[BLACK][square]:
        return " "
    letter = LETTERS[frozenset(role for role in ROLES if columns[role][square])]
    return letter if columns[WHITE][square] else letter.lower()
