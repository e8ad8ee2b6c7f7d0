"""Wishes: what makes a witness easy to find, to reach and to read. No rule of chess. Untrusted.

A wish goes into witness formulas and nowhere else: that no model grants it proves nothing.
"""

from collections.abc import Container, Iterable
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.squares import SQUARES
from sanproof.proofs.search.board import PAWN_SQUARES, ROLES, ROLES_OF, Board
from sanproof.proofs.search.gates import Gates
from sanproof.proofs.search.material import is_light

BISHOPS: Final = {"L": "B", "D": "B"}


class Wish(NamedTuple):
    """What a witness should look like.

    Attributes:
        pawns: Whether any pawns may stand on the board.
        men: The most men besides the king that a side may have, or None for any number.
        material: Exactly White's and Black's men besides the kings, or None for any: letters of
            ``QRNP``, and L and D for bishops on light and on dark squares.
    """

    pawns: bool = True
    men: int | None = None
    material: tuple[str, str] | None = None

    @property
    def pawn_squares(self) -> Container[int]:
        """Where pawns may stand."""
        return PAWN_SQUARES if self.pawns else ()


ANYTHING: Final = Wish()


def encode_wish(cnf: Gates, board: Board, wish: Wish) -> None:
    """Assert the wish, but for its pawns, about a board whose squares are already encoded."""
    if wish.men is not None:
        for colour in (WHITE, BLACK):
            at_most(cnf, wish.men + 1, board.colour(colour))
    if wish.material is not None:
        _encode_material(cnf, board, wish.material)


def _encode_material(cnf: Gates, board: Board, material: tuple[str, str]) -> None:
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
                at_most(cnf, men.count(letter), places)
                at_least(cnf, men.count(letter), places)
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
    return (diagonal, -orthogonal) if is_light(square) == (letter == "L") else (FALSE,)


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
