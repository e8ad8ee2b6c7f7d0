"""Black's replies to the move, one literal each. Untrusted.

Castling is left out, which changes nothing that is asked: where Black may castle, the king may
also step to the square that it crosses and the rook may move, so there are more than two replies.
"""

from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from sanproof.proofs.encoding.cnf import FALSE, Literal
from sanproof.proofs.find.scene import SIDEWAYS, CubeScene, after_passing, at_least
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.squares import (
    DIAGONAL,
    DIRECTIONS,
    KING,
    KNIGHT,
    ORTHOGONAL,
    RAY,
    SQUARES,
    Direction,
    rank_of,
    steps,
)
from sanproof.proofs.search.board import Squares, near, on_line, pawn_captures, sees_slider
from sanproof.proofs.search.mate import white_leaps

_PAWN_START_RANK = 6
_DOWN = (0, -1)


class Way(Enum):
    """The ways in which a piece moves, as far as replies are told apart."""

    KING = "king"
    PIECE = "piece"
    PUSH = "push"
    DOUBLE_PUSH = "double-push"
    PAWN_CAPTURE = "pawn-capture"
    EN_PASSANT = "en-passant"


class Reply(NamedTuple):
    """A reply of Black's, whatever a pawn promotes to; the king's steps have no origin.

    ``able`` says whether a piece stands there that moves so, its king's safety aside.
    """

    origin: int | None
    destination: int
    way: Way
    able: Literal
    legal: Literal = FALSE

    @property
    def promotes(self) -> bool:
        """Check whether it is a pawn's last step."""
        return self.way in {Way.PUSH, Way.PAWN_CAPTURE} and rank_of(self.destination) == 0


class Replies:
    """All replies of Black's in a scene."""

    def __init__(self, scene: CubeScene) -> None:
        self._scene = scene
        self._cnf = scene.cnf
        self._after = scene.move.after
        counts = at_least(self._cnf, 2, scene.checkers)
        self.single_check = self._cnf.both(counts[1], -counts[2])
        self.blocks = [self._cnf.both(scene.between(s), self._after.empty[s]) for s in SQUARES]
        self._answers = [self._answer(s, counts[1]) for s in SQUARES]
        self.all = [*self._king_steps(), *map(self._judged, self._able()), *self._passing()]
        counts = at_least(self._cnf, 2, [reply.legal for reply in self.all])
        self.some, self.several = counts[1:]

    def _answer(self, square: int, check: Literal) -> Literal:
        """Return whether the checkers let a piece other than the king go to a square.

        Against no check anywhere; against one, it takes the checker or steps between.
        """
        answer = self._cnf.either(self._scene.checkers[square], self.blocks[square])
        return self._cnf.either(-check, self._cnf.both(self.single_check, answer))

    def _judged(self, reply: Reply) -> Reply:
        """Return the reply with its legality: a pinned piece stays on its line (FIDE 3.9.2)."""
        origin, destination = reply.origin or 0, reply.destination
        lines = [d for d in DIRECTIONS if not on_line(origin, destination, d)]
        pins = [self._scene.line_of_check[d][origin] for d in lines]
        legal = self._cnf.both(reply.able, self._answers[destination], *[-pin for pin in pins])
        return reply._replace(legal=legal)

    def _able(self) -> Iterator[Reply]:
        """Yield the replies of pieces other than the king, without captures in passing."""
        after, cnf = self._after, self._cnf
        knights = [cnf.both(after.black[s], after.knight[s]) for s in SQUARES]
        for s in SQUARES:
            for t in KNIGHT[s]:
                yield Reply(s, t, Way.PIECE, cnf.both(knights[s], -after.black[t]))
        for directions in (ORTHOGONAL, DIAGONAL):
            role = after.slider(directions[0])
            sliders = [cnf.both(after.black[s], role[s]) for s in SQUARES]
            for d in directions:
                yield from self._slides(sliders, d)
        yield from self._pawn_moves()

    def _slides(self, sliders: Squares, direction: Direction) -> Iterator[Reply]:
        for s in SQUARES:
            so_far = sliders[s]
            for t in RAY[direction][s]:
                able = self._cnf.both(so_far, -self._after.black[t])
                yield Reply(s, t, Way.PIECE, able)
                so_far = self._cnf.both(so_far, self._after.empty[t])

    def _pawn_moves(self) -> Iterator[Reply]:
        """Pushes and captures of Black's pawns (FIDE 3.7.1 to 3.7.3)."""
        after, cnf = self._after, self._cnf
        captures = pawn_captures(BLACK)
        for s in SQUARES:
            pawn = cnf.both(after.black[s], after.pawn[s])
            if pawn == FALSE:
                continue
            for t in captures[s]:
                yield Reply(s, t, Way.PAWN_CAPTURE, cnf.both(pawn, after.white[t]))
            for t in steps(s, (_DOWN,)):
                push = cnf.both(pawn, after.empty[t])
                yield Reply(s, t, Way.PUSH, push)
                if rank_of(s) == _PAWN_START_RANK:
                    yield Reply(s, t - 8, Way.DOUBLE_PUSH, cnf.both(push, after.empty[t - 8]))

    def _king_steps(self) -> Iterator[Reply]:
        """Yield the king's steps next to itself, not on own pieces, nor into attacks (FIDE 3.8.1).

        It no longer stands in the way of the lines that attacked it.
        """
        cnf, after, king = self._cnf, self._after, self._scene.black_king
        sees = sees_slider(cnf, after, WHITE, king)
        beside = near(cnf, king, KING)
        leaps = white_leaps(cnf, after)
        for s in SQUARES:
            attacks = [sees(d, s) for d in DIRECTIONS] + [reach[s] for reach in leaps]
            able = cnf.both(beside[s], -after.black[s])
            legal = cnf.both(able, *[-attack for attack in attacks])
            yield Reply(None, s, Way.KING, able, legal)

    def attacked(self) -> Squares:
        """For every square, whether White attacks it after the move, Black's king in its place."""
        cnf, after = self._cnf, self._after
        sees = sees_slider(cnf, after, WHITE)
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
            attacking = self._scene.attackers_of(self._scene.black_king, WHITE, board)
            unsafe = cnf.either(*attacking)
            yield Reply(taker, pushed - 8, Way.EN_PASSANT, able, cnf.both(able, -unsafe))


class FullScene(CubeScene):
    """A scene with all that criteria speak of."""

    @cached_property
    def replies(self) -> Replies:
        """Black's replies."""
        return Replies(self)
