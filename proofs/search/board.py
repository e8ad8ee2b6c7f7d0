"""A board of unknowns, for the exact formula. Untrusted.

A board says for every square which colour and which roles stand there, in literals, much as
bitboards do. A queen moves both diagonally and orthogonally (FIDE 3.4), so two role sets serve
bishops, rooks and queens.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.squares import (
    ORTHOGONAL,
    SQUARES,
    Direction,
    file_of,
    parse_square,
    rank_of,
)
from sanproof.proofs.search.gates import Gates

Squares = Sequence[Literal]

ROLES: Final = ("pawn", "knight", "king", "diagonal", "orthogonal")
ROLES_OF: Final = {
    "P": {"pawn"},
    "N": {"knight"},
    "K": {"king"},
    "B": {"diagonal"},
    "R": {"orthogonal"},
    "Q": {"diagonal", "orthogonal"},
}
FORWARD: Final = {WHITE: 1, BLACK: -1}
PAWN_SQUARES: Final = range(8, 56)


@dataclass(frozen=True)
class Board:
    """Literals for every square: who stands there and how it moves. Each field has 64 entries."""

    white: Squares
    black: Squares
    pawn: Squares
    knight: Squares
    king: Squares
    diagonal: Squares
    orthogonal: Squares
    empty: Squares

    def colour(self, colour: str) -> Squares:
        """The squares where this colour stands."""
        return self.white if colour == WHITE else self.black

    def slider(self, direction: Direction) -> Squares:
        """The squares with a piece that moves any distance in this direction (FIDE 3.2 to 3.4)."""
        return self.orthogonal if direction in ORTHOGONAL else self.diagonal

    def changed(self, changes: dict[str, dict[int, Literal]]) -> "Board":
        """This board with some entries replaced, given as field name, square, literal."""
        fields = {}
        for name, entries in changes.items():
            squares = list(getattr(self, name))
            for square, literal in entries.items():
                squares[square] = literal
            fields[name] = squares
        return replace(self, **fields)


def encode_board(cnf: Gates, pawn_squares: Container[int] = PAWN_SQUARES) -> Board:
    """An unknown placement of pieces: at most one on a square, no pawn on the outer ranks.

    A square holds one piece at most (FIDE 3.1, 3.1.1). A pawn starts on its second rank (2.3), only
    moves forward (3.7.1 to 3.7.3) and does not stay on the last rank (3.7.3.3). Pawns may stand on
    fewer squares only when a witness is preferred.
    """
    columns: dict[str, list[Literal]] = {name: [] for name in (WHITE, BLACK, *ROLES, "empty")}
    for s in SQUARES:
        entry = {name: cnf.new() for name in (WHITE, BLACK, *ROLES)}
        if s not in pawn_squares:
            entry["pawn"] = FALSE
        entry["empty"] = _encode_square(cnf, entry)
        for name, literals in columns.items():
            literals.append(entry[name])
    return Board(**columns)


def _encode_square(cnf: Gates, entry: dict[str, Literal]) -> Literal:
    """A square holds one piece of one colour, or is empty (FIDE 3.1); a queen has two roles."""
    roles = [entry[role] for role in ROLES]
    cnf.add(-entry[WHITE], -entry[BLACK])
    for colour in (WHITE, BLACK):
        cnf.add(-entry[colour], *roles)
    for literal in roles:
        cnf.add(-literal, entry[WHITE], entry[BLACK])
    cnf.at_most_one((entry["pawn"], entry["knight"], entry["king"]))
    for slider in ("diagonal", "orthogonal"):
        for role in ("pawn", "knight", "king"):
            cnf.add(-entry[slider], -entry[role])
    return cnf.both(-entry[WHITE], -entry[BLACK])


def encode_one_king(cnf: Gates, board: Board, colour: str) -> Squares:
    """Where this colour's king stands: on exactly one square.

    Each side begins with one (FIDE 2.2), it is never captured (1.4.1), and no pawn becomes one
    (3.7.3.3).
    """
    own = board.colour(colour)
    king = [cnf.both(own[s], board.king[s]) for s in SQUARES]
    cnf.add(*king)
    for line_of in (file_of, rank_of):
        lines = [cnf.new() for _ in range(8)]
        for square, literal in enumerate(king):
            cnf.add(-literal, lines[line_of(square)])
        cnf.at_most_one(lines)
    return king


def only_at(square: int) -> Squares:
    """A set of squares that holds this one and no other."""
    return [TRUE if s == square else FALSE for s in SQUARES]


class Castling(NamedTuple):
    """White's squares in a castling (FIDE 3.8.2)."""

    king_from: int
    king_to: int
    rook_from: int
    rook_to: int
    between: tuple[int, ...]


def _castling(*names: str) -> Castling:
    king_from, king_to, rook_from, rook_to, *between = map(parse_square, names)
    return Castling(king_from, king_to, rook_from, rook_to, tuple(between))


CASTLING: Final = {
    "O-O": _castling("e1", "g1", "h1", "f1", "f1", "g1"),
    "O-O-O": _castling("e1", "c1", "a1", "d1", "d1", "c1", "b1"),
}
