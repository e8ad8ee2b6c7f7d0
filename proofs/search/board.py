"""A board of unknowns for the exact formula, with its lines and attacks. Untrusted.

A board says in literals, for every square, which colour and which roles stand there, much as
bitboards do. A queen moves both diagonally and orthogonally (FIDE 3.4), so two sets of roles serve
bishops, rooks and queens. A piece attacks a square even if it is pinned and may not move there
(FIDE 3.1.3, 3.9.1), so attacks do not depend on pins.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
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
    file_of,
    rank_of,
    steps,
)
from sanproof.proofs.search.gates import Gates

Squares = Sequence[Literal]
"""A literal for every square."""

ROLES: Final = ("pawn", "knight", "king", "diagonal", "orthogonal")
ROLES_OF: Final = {
    "P": {"pawn"},
    "N": {"knight"},
    "K": {"king"},
    "B": {"diagonal"},
    "R": {"orthogonal"},
    "Q": {"diagonal", "orthogonal"},
}
PAWN_SQUARES: Final = range(8, 56)


@dataclass(frozen=True)
class Board:
    """The literals for colour and roles of the piece on every square."""

    white: Squares
    black: Squares
    pawn: Squares
    knight: Squares
    king: Squares
    diagonal: Squares
    orthogonal: Squares
    empty: Squares

    def colour(self, colour: str) -> Squares:
        """Return for every square whether a piece of this colour stands there."""
        return self.white if colour == WHITE else self.black

    def slider(self, direction: Direction) -> Squares:
        """Return for every square whether a piece there moves any distance in this direction."""
        return self.orthogonal if direction in ORTHOGONAL else self.diagonal

    def roles(self, piece: str, square: int) -> list[Literal]:
        """Return the literals that together make the piece on a square one of this kind.

        A queen has the roles of both sliders, so a rook must lack the other one.
        """
        wanted = ROLES_OF[piece]
        absent = {"diagonal", "orthogonal"} - wanted if piece in "BRQ" else set()
        literals = [getattr(self, role)[square] for role in sorted(wanted)]
        return literals + [-getattr(self, role)[square] for role in absent]

    def changed(self, changes: Mapping[str, Mapping[int, Literal]]) -> "Board":
        """Return the board with some literals replaced, given by field name and square."""
        fields = {}
        for name, entries in changes.items():
            before = getattr(self, name)
            fields[name] = [entries.get(s, before[s]) for s in SQUARES]
        return replace(self, **fields)


def encode_board(cnf: Gates, pawn_squares: Container[int] = PAWN_SQUARES) -> Board:
    """Return a board of unknowns: at most one piece on a square, and no pawn on the outer ranks.

    A square holds one piece at most (FIDE 3.1, 3.1.1). A pawn starts on its second rank (2.3), only
    moves forward (3.7.1 to 3.7.3) and does not stay on the last rank (3.7.3.3). Pawns may stand on
    fewer squares only in a witness of given material.
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
    """Let a square hold one piece of one colour, or be empty; a queen has two roles."""
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
    """Encode that this colour's king stands on exactly one square, and return its squares.

    Each side begins with one king (FIDE 2.2), it is never captured (1.4.1), and no pawn becomes one
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
    """Return literals that are true for this square only."""
    return [TRUE if s == square else FALSE for s in SQUARES]


class Castling(NamedTuple):
    """White's squares in a castling (FIDE 3.8.2), from a1, which is 0, to h1, which is 7."""

    king_from: int
    king_to: int
    rook_from: int
    rook_to: int
    between: tuple[int, ...]


CASTLING: Final = {"O-O": Castling(4, 6, 7, 5, (5, 6)), "O-O-O": Castling(4, 2, 0, 3, (3, 2, 1))}


# Lines of sight and attacks (FIDE 3.1.2, 3.1.3)


Sight = Callable[[Direction, int], Literal]


def opposite(direction: Direction) -> Direction:
    """Return the opposite direction."""
    return (-direction[0], -direction[1])


def on_line(a: int, b: int, direction: Direction) -> bool:
    """Check whether ``b`` is on the line through ``a`` in this direction, on either side."""
    files, ranks = file_of(b) - file_of(a), rank_of(b) - rank_of(a)
    return files * direction[1] == ranks * direction[0]


def line_of_sight(cnf: Gates, targets: Mapping[Direction, Squares], open_: Squares) -> Sight:
    r"""Return a function ``sight(direction, square)`` that encodes whether one sees a target there.

    It is true if the first square in that direction that is not open is a target (or if a target
    comes before, as when one looks at the king through itself). No piece moves over another one
    (FIDE 3.5)::

        square  open  open  target
           o------------------>        direction

    Definitions are made only for the lines that are used.
    """

    @cache
    def sight(direction: Direction, square: int) -> Literal:
        if not RAY[direction][square]:
            return FALSE
        n = RAY[direction][square][0]
        here = targets[direction][n]
        return TRUE if here == TRUE else cnf.onward(here, sight(direction, n), open_[n])

    return sight


def sight_of(cnf: Gates, board: Board, king: Squares) -> Sight:
    """Return the sight of a king on a board; see :func:`line_of_sight`."""
    return line_of_sight(cnf, dict.fromkeys(DIRECTIONS, king), board.empty)


def sees_slider(cnf: Gates, board: Board, colour: str, king: Squares | None = None) -> Sight:
    """Return the sight of this colour's sliders, which passes through ``king`` if it is given.

    That king may not step back along the line::

        R ---- k  x      on its way to x it still stands in the rook's line
    """
    own = board.colour(colour)
    orthogonal, diagonal = (
        [cnf.both(own[s], role[s]) for s in SQUARES] for role in (board.orthogonal, board.diagonal)
    )
    sliders = {d: orthogonal if d in ORTHOGONAL else diagonal for d in DIRECTIONS}
    open_ = board.empty if king is None else list(map(cnf.either, board.empty, king))
    return line_of_sight(cnf, sliders, open_)


def pins_on(
    cnf: Gates, board: Board, king: Squares
) -> Callable[[int, Iterable[Direction]], list[Literal]]:
    r"""Return a function that lists the literals of pins of a piece on a square, one for each line.

    A pinned piece stands between White's king and a black slider; the directions of the lines that
    count are given from the king's side on::

        K.N.r
    """
    sees_king = sight_of(cnf, board, king)
    sees = sees_slider(cnf, board, BLACK)
    return lambda square, lines: [
        cnf.both(sees_king(opposite(d), square), sees(d, square)) for d in lines
    ]


def near(cnf: Gates, targets: Squares, reach: Sequence[Sequence[int]]) -> Squares:
    """Return for every square whether a target is among the squares that it reaches in one step."""
    return [cnf.either(*[targets[t] for t in reach[s]]) for s in SQUARES]


def pawn_captures(colour: str) -> list[tuple[int, ...]]:
    r"""Return for every square the squares that a pawn of this colour there attacks (FIDE 3.7.3).

    ::

        x . x              . p .
         \ /   White's      / \    Black's
        . P .              x . x
    """
    up = 1 if colour == WHITE else -1
    return [steps(s, ((-1, up), (1, up))) for s in SQUARES]


def _threats(
    cnf: Gates, board: Board, colour: str, king: Squares
) -> Iterator[tuple[int, tuple[Literal, ...]]]:
    """Yield every way in which a piece of this colour can attack a king (FIDE 3.1.2).

    A slider with a free line to it, or a knight, pawn or king one step away (3.2 to 3.8.1)::

        R . . . k      N . .        . . k      K k
                       . . k        . P .

    Yields an attacker's square with the literals that together make it one: the king is attacked
    exactly when all literals of some item hold.
    """
    own, sees_king = board.colour(colour), sight_of(cnf, board, king)
    leaps = (
        (board.knight, near(cnf, king, KNIGHT)),
        (board.pawn, near(cnf, king, pawn_captures(colour))),
        (board.king, near(cnf, king, KING)),
    )
    for s in SQUARES:
        for role, lines in ((board.orthogonal, ORTHOGONAL), (board.diagonal, DIAGONAL)):
            if not cnf.is_forbidden(own[s], role[s]):
                for d in lines:
                    yield s, (own[s], role[s], sees_king(d, s))
        for role, reach in leaps:
            yield s, (own[s], role[s], reach[s])


def encode_not_in_check(cnf: Gates, board: Board, attacker: str, king: Squares) -> None:
    """Encode that no piece of ``attacker`` attacks the king, whose side has just moved (3.9.2)."""
    for _, way in _threats(cnf, board, attacker, king):
        cnf.forbid(*way)


def attackers(cnf: Gates, board: Board, colour: str, king: Squares) -> Squares:
    """Return for every square whether a piece of this colour there attacks the king."""
    by_square: list[list[Literal]] = [[] for _ in SQUARES]
    for s, way in _threats(cnf, board, colour, king):
        by_square[s].append(cnf.both(*way))
    return [cnf.either(*literals) for literals in by_square]
