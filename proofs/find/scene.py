"""Encodes the terms that criteria use, over the variables of the exact formula. Untrusted.

A scene is the exact formula of a cube (:mod:`proofs.search.exact`), or, without a cube, only its
board: a position with White to move. Further definitions are made when a criterion needs them, so
that a question costs no more than its own criteria. Castling rights, and the square that a pawn has
just passed, are not in the exact formula; their variables are added here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube
from sanproof.proofs.rules.squares import (
    DIRECTIONS,
    KING,
    KNIGHT,
    RAY,
    SQUARES,
    Direction,
    file_of,
    rank_of,
    steps,
)
from sanproof.proofs.search.board import (
    CASTLING,
    Board,
    Squares,
    attackers,
    encode_board,
    encode_not_in_check,
    encode_one_king,
    near,
    on_line,
    only_at,
    opposite,
    pawn_captures,
    pins_on,
    sees_slider,
    sight_of,
)
from sanproof.proofs.search.exact import ExactEncoding, encode_exact
from sanproof.proofs.search.gates import Gates
from sanproof.proofs.search.material import Material
from sanproof.proofs.search.moves import EN_PASSANT_RANK, PAWN_START_RANK, Move, white_leaps

SIDEWAYS: Final = ((-1, 0), (1, 0))


class Scene:
    """A cube's exact formula, or a board's alone, with literals for the terms of criteria.

    Without a cube there is no ``encoding``, and terms of the move raise an AttributeError. With
    given material a scene proves nothing.
    """

    cube: Cube
    encoding: ExactEncoding

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
        """The letter of the piece that moves, which in castling is the king."""
        return "K" if self.cube.castling else self.cube.piece or "P"

    def some(self, alternatives: Iterable[Sequence[Literal]]) -> Literal:
        """Encode that all literals of at least one of the alternatives hold."""
        return self.cnf.either(*[self.cnf.both(*literals) for literals in alternatives])

    # Pieces

    def stands(self, letter: str, square: int, board: Board | None = None) -> Literal:
        """Encode whether this piece (a letter as in a FEN) stands on a square, before the move."""
        return self.cnf.both(*self.content(letter, square, board))

    def content(self, letter: str, square: int, board: Board | None = None) -> list[Literal]:
        """Return literals that together say that a piece, or nothing (``.``), stands on a square.

        No new variable is made, so a solver that has the formula already can use them.
        """
        board = board or self.board
        if letter == ".":
            return [board.empty[square]]
        colour = board.white if letter.isupper() else board.black
        return [colour[square], *board.roles(letter.upper(), square)]

    def where(self, letter: str, board: Board | None = None) -> Squares:
        """Return for every square a literal that says whether this piece stands there."""
        return [self.stands(letter, s, board) for s in SQUARES]

    @cached_property
    def white_king(self) -> Squares:
        """The squares of White's king before the move, as literals."""
        return self.where("K")

    @cached_property
    def black_king(self) -> Squares:
        """The squares of Black's king, before and after the move, as literals."""
        return self.where("k")

    def attacked(self, colour: str, square: int, kinds: str = "PNBRQK") -> Literal:
        """Encode whether pieces of this colour and these kinds attack a square before the move."""
        letters = kinds if colour == WHITE else kinds.lower()
        ways = enumerate(attackers(self.cnf, self.board, colour, only_at(square)))
        return self.some(
            (attacker, self.cnf.either(*[self.stands(letter, s) for letter in letters]))
            for s, attacker in ways
            if attacker != FALSE
        )

    # White's king before the move

    @cached_property
    def white_checkers(self) -> Squares:
        """For every square, whether a piece there gives check to White before the move."""
        return self.white_attacked(self.board)

    @cached_property
    def pins(self) -> Callable[[int, Iterable[Direction]], list[Literal]]:
        """A function that encodes whether a piece on a square is pinned along some lines."""
        return pins_on(self.cnf, self.board, self.white_king)

    # Twins

    @cached_property
    def rivals(self) -> dict[int, Literal]:
        """The other pieces of the kind that could make the move, but for their king's safety."""
        if self.cube.piece not in set("NBRQ"):
            return {}
        return {s: self.cnf.both(able, -self.move.origins[s]) for s, able in self.move.able.items()}

    def pinned(self, square: int, *, along: bool) -> Literal:
        """Encode whether a pin of the piece allows its move (``along``), or else forbids it."""
        lines = [d for d in DIRECTIONS if on_line(square, self.move.destination, d) == along]
        return self.cnf.either(*self.pins(square, lines))

    @cached_property
    def twins(self) -> dict[int, Literal]:
        """The other pieces of the kind whose move to the same square is legal (PGN 8.2.3.4).

        One piece moves there legally, so only a pin can forbid it to another.
        """
        return {s: self.cnf.both(x, -self.pinned(s, along=False)) for s, x in self.rivals.items()}

    # Black's king after the move

    @cached_property
    def checkers(self) -> Squares:
        """For every square, whether a piece there gives check to Black after the move."""
        return attackers(self.cnf, self.move.after, WHITE, self.black_king)

    @cached_property
    def check(self) -> Literal:
        """Whether the move gives check. Without a cube it is free, like mate and stalemate."""
        return -self.encoding.fields["suffix"][""] if self.has("cube") else self.cnf.new()

    @cached_property
    def mate(self) -> Literal:
        """Whether the move gives mate."""
        if self.has("cube"):
            return self.encoding.fields["suffix"]["#"]
        mate = self.cnf.new()
        self.cnf.add(-mate, self.check)
        return mate

    @cached_property
    def stalemate(self) -> Literal:
        """Whether the move gives stalemate."""
        if self.has("cube"):
            return self.cnf.both(-self.check, -self.replies.some)
        stalemate = self.cnf.new()
        self.cnf.add(-stalemate, -self.check)
        return stalemate

    @cached_property
    def line_of_check(self) -> dict[Direction, Squares]:
        """Whether a square is on a free line from a white slider to Black's king after the move.

        The keys are the directions from the square to the king.
        """
        after = self.move.after
        sees_king = sight_of(self.cnf, after, self.black_king)
        sees = sees_slider(self.cnf, after, WHITE)
        return {
            d: [self.cnf.both(sees_king(d, s), sees(opposite(d), s)) for s in SQUARES]
            for d in DIRECTIONS
        }

    def between(self, square: int) -> Literal:
        """Encode whether a square is on such a line in any direction."""
        return self.cnf.either(*[squares[square] for squares in self.line_of_check.values()])

    @cached_property
    def replies(self) -> "Replies":
        """Black's replies."""
        return Replies(self)

    # Castling rights, and the pawn that may be taken in passing: what the board does not show

    def has(self, name: str) -> bool:
        """Check whether there is a cube, or whether ``rights`` or ``passed`` was already used."""
        return name in vars(self)

    @cached_property
    def rights(self) -> dict[str, Literal]:
        """The castling rights, each only if king and rook are on their squares (FIDE 3.8.2.1)."""
        rights = {letter: self.cnf.new() for letter in "KQkq"}
        for letter, right in rights.items():
            for piece in self.placed(letter):
                self.cnf.add(-right, piece)
        if self.has("cube") and self.cube.castling:
            self.cnf.add(rights["K" if self.cube.piece == "O-O" else "Q"])
        return rights

    def placed(self, right: str) -> list[Literal]:
        """Return the literals that king and rook are on their squares for a castling right."""
        squares = CASTLING["O-O" if right in "Kk" else "O-O-O"]
        pieces = {"K": squares.king_from, "R": squares.rook_from}
        if right.islower():
            pieces = {letter.lower(): square ^ 56 for letter, square in pieces.items()}
        return [self.stands(letter, square) for letter, square in pieces.items()]

    @cached_property
    def passed(self) -> dict[int, Literal]:
        """The square that a black pawn has just passed, by file. There is at most one.

        FIDE 3.7.3.1: that pawn came from its second rank in one move, so both squares behind it are
        empty. If the move captures in passing, its destination is that square.
        """
        passed = {file: self.cnf.new() for file in range(8)}
        self.cnf.at_most_one(passed.values())
        for file, literal in passed.items():
            s = 8 * EN_PASSANT_RANK + file
            for needed in (self.stands("p", s - 8), self.board.empty[s], self.board.empty[s + 8]):
                self.cnf.add(-literal, needed)
        if self.has("cube") and self.move.en_passant != FALSE:
            self.cnf.add(-self.move.en_passant, passed[file_of(self.move.destination)])
        return passed

    def takers(self) -> Iterator[tuple[int, int, Literal]]:
        """Yield squares of a white pawn and a passed square beside it, and whether both are so."""
        for file, literal in self.passed.items():
            passed = 8 * EN_PASSANT_RANK + file
            for s in steps(passed - 8, SIDEWAYS):
                yield s, passed, self.cnf.both(literal, self.stands("P", s))

    def white_attacked(self, board: Board) -> Squares:
        """Return for every square whether a black piece there attacks White's king on a board."""
        return attackers(self.cnf, board, BLACK, self.white_king)

    @cached_property
    def legal_takers(self) -> Squares:
        """For each square, whether a pawn there can legally capture in passing."""
        found = []
        for taker, passed, ready in self.takers():
            attacked = self.white_attacked(after_passing(self.board, WHITE, taker, passed))
            found.append(self.cnf.both(ready, -self.cnf.either(*attacked)))
        return found


class Reply(NamedTuple):
    """A reply by Black, regardless of what a pawn promotes to.

    ``able`` says whether a piece can move so, disregarding its king's safety.
    """

    destination: int
    able: Literal
    legal: Literal
    sort: str = ""
    """``double-push`` or ``promotion``, or an empty text for other replies."""


class Replies:
    """All replies by Black in a scene: the king's, captures in passing, and the others.

    Castling is left out, which never matters: if Black may castle, the king may also step to the
    square that it crosses and the rook may move, so there are more than two replies anyway.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._cnf = scene.cnf
        self._after = scene.move.after
        self._check, several = at_least(self._cnf, 2, scene.checkers)[1:]
        self.single_check = self._cnf.both(self._check, -several)
        self.blocks = [self._cnf.both(scene.between(s), self._after.empty[s]) for s in SQUARES]
        self._answers = [self._answer(s) for s in SQUARES]
        self.king_steps = list(self._king_steps())
        self.of_others = [*self._piece_moves(), *self._pawn_moves()]
        self.passing = list(self._passing())
        replies = [*self.king_steps, *self.of_others, *self.passing]
        self.some, self.several = at_least(self._cnf, 2, [reply.legal for reply in replies])[1:]

    def _answer(self, square: int) -> Literal:
        """Return whether the checkers let a piece other than the king go to a square.

        Against no check anywhere; against one, it takes the checker or steps between.
        """
        answer = self._cnf.either(self._scene.checkers[square], self.blocks[square])
        return self._cnf.either(-self._check, self._cnf.both(self.single_check, answer))

    def _reply(self, origin: int, to: int, able: Literal, sort: str = "") -> Reply:
        """Return a reply with its legality: a pinned piece stays on its line (FIDE 3.9.2)."""
        lines = [d for d in DIRECTIONS if not on_line(origin, to, d)]
        pins = [self._scene.line_of_check[d][origin] for d in lines]
        legal = self._cnf.both(able, self._answers[to], *[-pin for pin in pins])
        return Reply(to, able, legal, sort)

    def _piece_moves(self) -> Iterator[Reply]:
        """Yield the moves of knights, bishops, rooks and queens (FIDE 3.2 to 3.6)."""
        after, both = self._after, self._cnf.both
        for s in SQUARES:
            knight = both(after.black[s], after.knight[s])
            for t in KNIGHT[s]:
                yield self._reply(s, t, both(knight, -after.black[t]))
        for d in DIRECTIONS:
            for s in SQUARES:
                so_far = both(after.black[s], after.slider(d)[s])
                for t in RAY[d][s]:
                    yield self._reply(s, t, both(so_far, -after.black[t]))
                    so_far = both(so_far, after.empty[t])

    def _pawn_moves(self) -> Iterator[Reply]:
        """Pushes and captures of Black's pawns, those in passing apart (FIDE 3.7.1 to 3.7.3)."""
        after, both = self._after, self._cnf.both
        captures = pawn_captures(BLACK)
        for s in SQUARES[8:56]:
            pawn, sort = both(after.black[s], after.pawn[s]), "promotion" * (rank_of(s) == 1)
            for t in captures[s]:
                yield self._reply(s, t, both(pawn, after.white[t]), sort)
            push = both(pawn, after.empty[s - 8])
            yield self._reply(s, s - 8, push, sort)
            if rank_of(s) == PAWN_START_RANK:
                yield self._reply(s, s - 16, both(push, after.empty[s - 16]), "double-push")

    def _king_steps(self) -> Iterator[Reply]:
        """Yield the king's steps next to itself, not on own pieces, nor into attacks (FIDE 3.8.1).

        It no longer stands in the way of the lines that attacked it.
        """
        cnf, after, king = self._cnf, self._after, self._scene.black_king
        beside = near(cnf, king, KING)
        attacked = self.attacked(king)
        for s in SQUARES:
            able = cnf.both(beside[s], -after.black[s])
            yield Reply(s, able, cnf.both(able, -attacked[s]))

    def attacked(self, through: Squares | None = None) -> Squares:
        """Return for every square whether White attacks it after the move, or ``through`` some."""
        cnf, after = self._cnf, self._after
        sees = sees_slider(cnf, after, WHITE, through)
        leaps = white_leaps(cnf, after)
        return [
            cnf.either(*[sees(d, s) for d in DIRECTIONS], *[reach[s] for reach in leaps])
            for s in SQUARES
        ]

    def _passing(self) -> Iterator[Reply]:
        """Yield captures in passing after White's double push (FIDE 3.7.3.1)."""
        move, cnf = self._scene.move, self._cnf
        if move.double_push == FALSE:
            return
        pushed = move.destination
        for taker in steps(pushed, SIDEWAYS):
            pawn = cnf.both(self._after.black[taker], self._after.pawn[taker])
            able = cnf.both(move.double_push, pawn)
            board = after_passing(self._after, BLACK, taker, pushed - 8)
            attacking = attackers(cnf, board, WHITE, self._scene.black_king)
            yield Reply(pushed - 8, able, cnf.both(able, -cnf.either(*attacking)))


def at_least(cnf: Gates, most: int, literals: Iterable[Literal]) -> list[Literal]:
    """Return for each number from 0 to ``most`` whether at least so many of the literals hold."""
    *_, counts = counts_so_far(cnf, most, literals)
    return counts


def counts_so_far(cnf: Gates, most: int, literals: Iterable[Literal]) -> Iterator[list[Literal]]:
    """Yield the result of :func:`at_least` for none of the literals, the first, the first two, ...

    It is a sequential counter: ``i`` hold so far if ``i`` held before, or ``i - 1`` did and this
    one holds.
    """
    counts = [TRUE] + [FALSE] * most
    yield counts
    for literal in literals:
        more = [cnf.either(n, cnf.both(fewer, literal)) for fewer, n in pairwise(counts)]
        counts = [TRUE, *more]
        yield counts


def how_many(cnf: Gates, wanted: range, literals: Iterable[Literal]) -> Literal:
    """Encode whether the number of literals that hold is in a range."""
    chosen = [literal for literal in literals if literal != FALSE]
    if wanted.start > len(chosen):
        return FALSE
    above = min(wanted.stop, len(chosen) + 1)
    counts = [*at_least(cnf, min(above, len(chosen)), chosen), FALSE]
    return cnf.both(counts[wanted.start], -counts[above])


def after_passing(board: Board, colour: str, taker: int, passed: int) -> Board:
    """Return the board after a capture in passing, which means nothing if that is impossible."""
    other, captured = (BLACK, passed - 8) if colour == WHITE else (WHITE, passed + 8)
    return board.changed(
        {
            colour: {taker: FALSE, passed: TRUE},
            other: {captured: FALSE},
            "pawn": {passed: TRUE},
            "empty": {taker: TRUE, captured: TRUE, passed: FALSE},
        }
    )
