"""A board of unknowns.

A board says for every square which colour and which roles stand there, in literals, much as
bitboards do. A queen is a piece that moves both diagonally and orthogonally, so two role sets
serve bishops, rooks and queens.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from proofs.encoding.cnf import FALSE, Cnf, Literal
from proofs.rules.squares import ORTHOGONAL, SQUARES, Direction, file_of, rank_of

Squares = Sequence[Literal]

WHITE: Final = "white"
BLACK: Final = "black"
ROLES: Final = ("pawn", "knight", "king", "diagonal", "orthogonal")
ROLES_OF: Final = {
    "P": {"pawn"},
    "N": {"knight"},
    "K": {"king"},
    "B": {"diagonal"},
    "R": {"orthogonal"},
    "Q": {"diagonal", "orthogonal"},
}
BISHOPS: Final = {"L": "B", "D": "B"}
FORWARD: Final = {WHITE: 1, BLACK: -1}


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
        """The squares with a piece that moves any distance in this direction."""
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


class Ease(NamedTuple):
    """What makes a position easy to find and to read: no rule, only a wish.

    Attributes:
        pawns: Whether any pawns may stand on the board.
        men: The most men besides the king that a side may have, or None for any number.
        material: Exactly White's and Black's men besides the kings, or None for any: letters of
            ``QRNP``, and L and D for bishops on light and on dark squares.
    """

    pawns: bool = True
    men: int | None = None
    material: tuple[str, str] | None = None


ANYTHING: Final = Ease()


def encode_board(cnf: Cnf, ease: Ease = ANYTHING) -> Board:
    """An unknown placement of pieces: at most one piece a square, no pawn on the outer ranks.

    FIDE 2.2 and 2.3 for the pieces and squares; a pawn never stands on the first or the eighth
    rank because it starts on its second, moves forward and promotes at the end (FIDE 3.7).
    """
    columns: dict[str, list[Literal]] = {name: [] for name in (WHITE, BLACK, *ROLES, "empty")}
    for s in SQUARES:
        entry = {name: cnf.new() for name in (WHITE, BLACK, *ROLES)}
        if not ease.pawns or rank_of(s) in (0, 7):
            entry["pawn"] = FALSE
        entry["empty"] = _encode_square(cnf, entry)
        for name, literals in columns.items():
            literals.append(entry[name])
    if ease.men is not None:
        for colour in (WHITE, BLACK):
            cnf.at_most(ease.men + 1, columns[colour])
    board = Board(**columns)
    if ease.material is not None:
        _encode_material(cnf, board, ease.material)
    return board


def _encode_material(cnf: Cnf, board: Board, material: tuple[str, str]) -> None:
    """Each side has exactly these men besides its king; the roles of others it has nowhere."""
    for colour, men in zip((WHITE, BLACK), material, strict=True):
        own = board.colour(colour)
        roles = {"king"}.union(*[ROLES_OF[BISHOPS.get(letter, letter)] for letter in men])
        for s in SQUARES:
            for role in ROLES:
                if role not in roles:
                    cnf.forbid(own[s], getattr(board, role)[s])
        for letter in "QRNPLD":
            men_there = [(own[s], *_is_man(board, letter, s)) for s in SQUARES]
            if letter in men:
                places = [cnf.both(*man) for man in men_there]
                cnf.at_most(men.count(letter), places)
                cnf.at_least(men.count(letter), places)
            else:
                for man in men_there:
                    cnf.forbid(*man)


def _is_man(board: Board, letter: str, square: int) -> tuple[Literal, ...]:
    """The literals that together say that a man of this letter stands on the square."""
    if letter in "NP":
        return ((board.knight if letter == "N" else board.pawn)[square],)
    diagonal, orthogonal = board.diagonal[square], board.orthogonal[square]
    if letter in "QR":
        return (orthogonal, diagonal if letter == "Q" else -diagonal)
    is_light = (file_of(square) + rank_of(square)) % 2 == 1
    return (diagonal, -orthogonal) if is_light == (letter == "L") else (FALSE,)


def _encode_square(cnf: Cnf, entry: dict[str, Literal]) -> Literal:
    """A square holds one piece of one colour, or is empty; only a queen has two roles."""
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


def encode_one_king(cnf: Cnf, board: Board, colour: str) -> Squares:
    """Where this colour's king stands: on one square and no other (FIDE 2.2, 1.4)."""
    own = board.colour(colour)
    king = [cnf.both(own[s], board.king[s]) for s in SQUARES]
    cnf.add(*king)
    for line_of in (file_of, rank_of):
        lines = [cnf.new() for _ in range(8)]
        for square, literal in enumerate(king):
            cnf.add(-literal, lines[line_of(square)])
        cnf.at_most_one(lines)
    return king
