"""The terms of questions, as literals over the variables of the exact formula. Untrusted.

A scene is the exact formula of a cube (:mod:`proofs.search.exact`), or, without a cube, only its
board: a position with White to move. Whatever it defines on top is made when it is asked for, so
that a question costs no more than its own criteria. Castling rights and the square that a pawn has
just passed, which the exact formula does not have, are variables that are added here.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Final

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.find.questions import Range
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube
from sanproof.proofs.rules.squares import DIRECTIONS, SQUARES, Direction, file_of, steps
from sanproof.proofs.search.board import (
    CASTLING,
    Board,
    Castling,
    Squares,
    attackers,
    encode_board,
    encode_not_in_check,
    encode_one_king,
    on_line,
    only_at,
    opposite,
    pins_on,
    sees_slider,
    sight_of,
)
from sanproof.proofs.search.exact import ExactEncoding, encode_exact
from sanproof.proofs.search.gates import Gates
from sanproof.proofs.search.material import Material
from sanproof.proofs.search.moves import EN_PASSANT_RANK, Move

RIGHTS: Final = {
    "K": (WHITE, CASTLING["O-O"]),
    "Q": (WHITE, CASTLING["O-O-O"]),
    "k": (BLACK, CASTLING["O-O"]),
    "q": (BLACK, CASTLING["O-O-O"]),
}
"""For each castling right, whose it is, and White's squares in that castling."""
SIDEWAYS: Final = ((-1, 0), (1, 0))


class CubeScene:
    """A cube's exact formula, or a board's alone, with what can be said of it.

    Without a cube White is to move, and makes any move: then there is no ``encoding``, and to ask
    about the move is an AttributeError. A scene of given material proves nothing.
    """

    cube: Cube
    encoding: ExactEncoding
    """The exact formula of the cube."""

    def __init__(self, cube: Cube | None, material: Material | None = None) -> None:
        if cube is None:
            self.cnf = Gates()
            self.board = encode_board(self.cnf)
            encode_one_king(self.cnf, self.board, WHITE)
            black_king = encode_one_king(self.cnf, self.board, BLACK)
            encode_not_in_check(self.cnf, self.board, WHITE, black_king)
        else:
            self.cube = cube
            self.encoding = encode_exact(cube, material)
            self.cnf, self.board = self.encoding.cnf, self.encoding.board

    # The move

    @property
    def move(self) -> Move:
        """White's move."""
        return self.encoding.move

    @property
    def piece(self) -> str:
        """The letter of the piece that moves; in castling, the king's."""
        return "K" if self.cube.castling else self.cube.piece or "P"

    @property
    def castled(self) -> Castling:
        """The squares of castling, where the move is castling."""
        return CASTLING[self.cube.piece]

    @property
    def has_move(self) -> bool:
        """Check whether the scene has a cube, and so a move."""
        return "cube" in vars(self)

    # Pieces

    def stands(self, letter: str, square: int, board: Board | None = None) -> Literal:
        """Encode whether this piece (a letter as in a FEN) stands on a square, before the move."""
        return self.cnf.both(*self.content(letter, square, board))

    def content(self, letter: str, square: int, board: Board | None = None) -> list[Literal]:
        """Return the literals that together say what stands on a square; ``.`` for nothing.

        No new variable is made, so a solver that has the formula can be asked about them.
        """
        board = board or self.board
        if letter == ".":
            return [board.empty[square]]
        colour = board.white if letter.isupper() else board.black
        return [colour[square], *board.roles(letter.upper(), square)]

    def where(self, letter: str, board: Board | None = None) -> Squares:
        """For every square, whether this piece stands there."""
        return [self.stands(letter, s, board) for s in SQUARES]

    @cached_property
    def white_king(self) -> Squares:
        """Encode where White's king stands before the move."""
        return [self.cnf.both(self.board.white[s], self.board.king[s]) for s in SQUARES]

    @cached_property
    def black_king(self) -> Squares:
        """Encode where Black's king stands, before and after the move."""
        return [self.cnf.both(self.board.black[s], self.board.king[s]) for s in SQUARES]

    def attacks(self, colour: str, board: Board, square: int, kinds: str = "PNBRQK") -> Literal:
        """Return whether pieces of some kinds of this colour attack a square (FIDE 3.1.2)."""
        letters = kinds if colour == WHITE else kinds.lower()
        ways = []
        for s, attacker in enumerate(self.attackers_of(only_at(square), colour, board)):
            if attacker != FALSE:
                standing = self.cnf.either(*[self.stands(letter, s, board) for letter in letters])
                ways.append(self.cnf.both(attacker, standing))
        return self.cnf.either(*ways)

    # White's king before the move

    @cached_property
    def white_checkers(self) -> Squares:
        """For every square, whether a piece there gives check to White before the move."""
        return self.white_attacked(self.board)

    @cached_property
    def pins(self) -> Callable[[int, Iterable[Direction]], list[Literal]]:
        """Make the function that says if a piece on a square is pinned along some lines."""
        return pins_on(self.cnf, self.board, self.white_king)

    # Twins

    @cached_property
    def rivals(self) -> dict[int, Literal]:
        """The other pieces of the kind that could go to the square, but for their king's safety."""
        if self.cube.piece not in set("NBRQ"):
            return {}
        return {s: self.cnf.both(able, -self.move.origins[s]) for s, able in self.move.able.items()}

    def pinned(self, square: int, *, along: bool) -> Literal:
        """Return whether a piece's pin allows its move; or, not along, forbids it."""
        lines = [d for d in DIRECTIONS if on_line(square, self.move.destination, d) == along]
        return self.cnf.either(*self.pins(square, lines))

    @cached_property
    def twins(self) -> dict[int, Literal]:
        """The other pieces of the kind whose move to the same square is legal (PGN 8.2.3.4).

        One of them moves there legally, so only a pin can forbid it to another.
        """
        return {s: self.cnf.both(x, -self.pinned(s, along=False)) for s, x in self.rivals.items()}

    # Black's king after the move

    @cached_property
    def checkers(self) -> Squares:
        """For every square, whether a piece there gives check to Black after the move."""
        return self.attackers_of(self.black_king, WHITE, self.move.after)

    def attackers_of(self, king: Squares, colour: str, board: Board) -> Squares:
        """For every square, whether a piece of a colour there attacks a king on a board."""
        return attackers(self.cnf, board, colour, king)

    @cached_property
    def check(self) -> Literal:
        """Return the literal that says whether the move gives check."""
        return -self.encoding.fields["suffix"][""]

    @property
    def mate(self) -> Literal:
        """Return the literal that says whether the move gives mate."""
        return self.encoding.fields["suffix"]["#"]

    @cached_property
    def line_of_check(self) -> dict[Direction, Squares]:
        """Return whether a square lies on a free line from Black's king to a white slider.

        By the direction from the square to the king, after the move::

            R.x.k
        """
        after = self.move.after
        sees_king = sight_of(self.cnf, after, self.black_king)
        sees = sees_slider(self.cnf, after, WHITE)
        return {
            d: [self.cnf.both(sees_king(d, s), sees(opposite(d), s)) for s in SQUARES]
            for d in DIRECTIONS
        }

    def between(self, square: int) -> Literal:
        """Encode whether a square lies on such a line in any direction."""
        return self.cnf.either(*[squares[square] for squares in self.line_of_check.values()])

    # Castling rights, and the pawn that may be taken in passing: what the board does not show

    def was_asked(self, name: str) -> bool:
        """Check whether a criterion has asked for what the board does not show."""
        return name in vars(self)

    @cached_property
    def rights(self) -> dict[str, Literal]:
        """The castling rights, each only with king and rook on their squares (FIDE 3.8.2.1)."""
        rights = {}
        for letter, (colour, squares) in RIGHTS.items():
            rights[letter] = self.cnf.new()
            for piece in self.placed(colour, squares):
                self.cnf.add(-rights[letter], piece)
        if self.has_move and self.cube.castling:
            self.cnf.add(rights["K" if self.cube.piece == "O-O" else "Q"])
        return rights

    def placed(self, colour: str, squares: Castling) -> tuple[Literal, Literal]:
        """King and rook on their squares for a castling."""
        king, rook, mirror = ("K", "R", 0) if colour == WHITE else ("k", "r", 56)
        return (
            self.stands(king, squares.king_from ^ mirror),
            self.stands(rook, squares.rook_from ^ mirror),
        )

    @cached_property
    def passed(self) -> dict[int, Literal]:
        """The square that a black pawn has just passed, by its file: one at most, or none.

        FIDE 3.7.3.1: that pawn came from its second rank in one move, so both squares behind it
        are empty. If the move takes in passing, its destination is that square.
        """
        passed = {file: self.cnf.new() for file in range(8)}
        self.cnf.at_most_one(passed.values())
        for file, literal in passed.items():
            s = 8 * EN_PASSANT_RANK + file
            for needed in (self.stands("p", s - 8), self.board.empty[s], self.board.empty[s + 8]):
                self.cnf.add(-literal, needed)
        if self.has_move and self.move.en_passant != FALSE:
            self.cnf.add(-self.move.en_passant, passed[file_of(self.move.destination)])
        return passed

    def takers(self) -> Iterator[tuple[int, int, Literal]]:
        """Yield the white pawns that stand ready to take in passing.

        Yields:
            The pawn's square, the passed square, and whether both are so.
        """
        for file, literal in self.passed.items():
            passed = 8 * EN_PASSANT_RANK + file
            for s in steps(passed - 8, SIDEWAYS):
                yield s, passed, self.cnf.both(literal, self.stands("P", s))

    def white_attacked(self, board: Board) -> Squares:
        """For every square, whether a black piece there attacks White's unmoved king on a board."""
        return self.attackers_of(self.white_king, BLACK, board)

    @cached_property
    def legal_takers(self) -> list[tuple[Literal, Literal]]:
        """For each pawn that may stand ready: whether it does, and whether its capture is legal."""
        found = []
        for taker, passed, ready in self.takers():
            after = after_passing(self.board, WHITE, taker, passed)
            attacked = self.cnf.either(*self.white_attacked(after))
            found.append((ready, self.cnf.both(ready, -attacked)))
        return found


def at_least(cnf: Gates, most: int, literals: Iterable[Literal]) -> list[Literal]:
    """Return for each number from 0 to ``most`` whether at least so many of the literals hold.

    A sequential counter: literal by literal, ``i`` hold so far if ``i`` held before, or ``i - 1``
    did and this one holds.
    """
    counts = [TRUE] + [FALSE] * most
    for literal in literals:
        if literal != FALSE:
            more = [cnf.either(n, cnf.both(fewer, literal)) for fewer, n in pairwise(counts)]
            counts = [TRUE, *more]
    return counts


def how_many(cnf: Gates, wanted: Range, literals: Iterable[Literal]) -> Literal:
    """Return whether the number of literals that hold is in a range."""
    chosen = [literal for literal in literals if literal != FALSE]
    if wanted.least > len(chosen):
        return FALSE
    highest = min(wanted.most, len(chosen))
    counts = [*at_least(cnf, min(highest + 1, len(chosen)), chosen), FALSE]
    return cnf.both(counts[wanted.least], -counts[highest + 1])


def after_passing(board: Board, colour: str, taker: int, passed: int) -> Board:
    """Return the board after a capture in passing, which says nothing if it cannot be made."""
    other, captured = (BLACK, passed - 8) if colour == WHITE else (WHITE, passed + 8)
    return board.changed(
        {
            colour: {taker: FALSE, passed: TRUE},
            other: {captured: FALSE},
            "pawn": {passed: TRUE},
            "empty": {taker: TRUE, captured: TRUE, passed: FALSE},
        }
    )
