"""Lines of sight and attacks on a board of unknowns (FIDE 3.1.2, 3.1.3). Untrusted.

A piece attacks a square also if it is pinned and may not move there (FIDE 3.1.3, 3.9.1), so no
attack asks for pins.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.rules.squares import (
    DIRECTIONS,
    KING,
    KNIGHT,
    SQUARES,
    Direction,
    file_of,
    rank_of,
    step,
    steps,
)
from sanproof.proofs.search.board import FORWARD, Board, Squares
from sanproof.proofs.search.gates import Gates

_NEXT: Final = {d: tuple(step(square, d) for square in SQUARES) for d in DIRECTIONS}

Sight = Callable[[Direction, int], Literal]


def opposite(direction: Direction) -> Direction:
    """The direction that leads back."""
    return (-direction[0], -direction[1])


def on_line(a: int, b: int, direction: Direction) -> bool:
    """Whether the line through ``a`` in this direction, either way, passes ``b``."""
    files, ranks = file_of(b) - file_of(a), rank_of(b) - rank_of(a)
    return files * direction[1] == ranks * direction[0]


def line_of_sight(cnf: Gates, targets: Callable[[Direction], Squares], open_: Squares) -> Sight:
    r"""Return the sight along lines: ``sight(direction, square)`` looks from a square.

    It is true when the first square in that direction that is not open is a target (or a target
    comes before, as when one looks at the king through itself). No piece moves over another one
    (FIDE 3.5)::

        square  open  open  target
           o------------------>        direction

    Definitions are made only for the lines that are asked for.
    """

    @cache
    def sight(direction: Direction, square: int) -> Literal:
        n = _NEXT[direction][square]
        if n is None:
            return FALSE
        here = targets(direction)[n]
        return TRUE if here == TRUE else cnf.onward(here, sight(direction, n), open_[n])

    return sight


def sight_of(cnf: Gates, board: Board, king: Squares) -> Sight:
    """The sight of a king on a board."""
    return line_of_sight(cnf, lambda _: king, board.empty)


def near(cnf: Gates, targets: Squares, reach: Sequence[Sequence[int]]) -> Squares:
    """For every square, whether one of the squares that it reaches in one step is a target."""
    return [cnf.either(*[targets[t] for t in reach[s]]) for s in SQUARES]


def pawn_captures(colour: str) -> list[tuple[int, ...]]:
    r"""For every square, the squares that a pawn of this colour there attacks (FIDE 3.7.3).

    ::

        x . x              . p .
         \ /   White's      / \    Black's
        . P .              x . x
    """
    up = FORWARD[colour]
    return [steps(s, ((-1, up), (1, up))) for s in SQUARES]


def threats(
    cnf: Gates, board: Board, colour: str, king: Squares, sees_king: Sight
) -> Iterator[tuple[int, tuple[Literal, ...]]]:
    """Every way in which a piece of this colour can attack a king (FIDE 3.1.2).

    A slider with a free line to it, or a knight, pawn or king one step away (3.2 to 3.8.1)::

        R . . . k      N . .        . . k      K k
                       . . k        . P .

    Yields an attacker's square with the literals that together make it one: the king is attacked
    exactly when all literals of some item hold. ``sees_king`` is the king's sight on this board.
    """
    own = board.colour(colour)
    leaps = (
        (board.knight, near(cnf, king, KNIGHT)),
        (board.pawn, near(cnf, king, pawn_captures(colour))),
        (board.king, near(cnf, king, KING)),
    )
    for s in SQUARES:
        for d in DIRECTIONS:
            if not cnf.is_forbidden(own[s], board.slider(d)[s]):
                yield s, (own[s], board.slider(d)[s], sees_king(d, s))
        for role, reach in leaps:
            yield s, (own[s], role[s], reach[s])


def encode_not_in_check(cnf: Gates, board: Board, attacker: str, king: Squares) -> None:
    """No piece of the attacker's attacks this king: its owner has just moved (FIDE 3.9.2)."""
    for _, way in threats(cnf, board, attacker, king, sight_of(cnf, board, king)):
        cnf.forbid(*way)


def attackers(cnf: Gates, ways: Iterator[tuple[int, tuple[Literal, ...]]]) -> Squares:
    """For every square, whether the piece that stands there makes one of these threats."""
    by_square: list[list[Literal]] = [[] for _ in SQUARES]
    for s, way in ways:
        by_square[s].append(cnf.both(*way))
    return [cnf.either(*literals) for literals in by_square]
