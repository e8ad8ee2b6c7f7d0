"""From where a piece reaches a square on an empty board, and the squares of castling."""

from typing import Final, NamedTuple

from sanproof.proofs.rules.squares import (
    DIAGONAL,
    DIRECTIONS,
    KING,
    KNIGHT,
    ORTHOGONAL,
    RAY,
    parse_square,
    rank_of,
    steps,
)

SLIDER_DIRECTIONS: Final = {"B": DIAGONAL, "R": ORTHOGONAL, "Q": DIRECTIONS}
DOUBLE_PUSH_RANK: Final = 3
EN_PASSANT_RANK: Final = 5
LAST_RANK: Final = 7


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


def reach_backwards(piece: str, destination: int) -> dict[int, tuple[int, ...]]:
    """The squares from which a piece reaches the destination, with the squares in between.

    FIDE 3.2 to 3.4 (bishop, rook, queen), 3.6 (knight), 3.8.1 (king).
    """
    if piece == "N":
        return dict.fromkeys(KNIGHT[destination], ())
    if piece == "K":
        return dict.fromkeys(KING[destination], ())
    rays = [RAY[d][destination] for d in SLIDER_DIRECTIONS[piece]]
    return {s: squares[:i] for squares in rays for i, s in enumerate(squares)}


def pawn_reach_backwards(capture: bool, destination: int) -> dict[int, tuple[int, ...]]:
    """The same for a white pawn: by its captures (FIDE 3.7.3), or by its pushes (3.7.1, 3.7.2)."""
    if capture:
        return dict.fromkeys(steps(destination, ((-1, -1), (1, -1))), ())
    origins: dict[int, tuple[int, ...]] = dict.fromkeys(steps(destination, ((0, -1),)), ())
    if rank_of(destination) == DOUBLE_PUSH_RANK:
        origins[destination - 16] = (destination - 8,)
    return origins
