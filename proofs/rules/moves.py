"""From where a piece reaches a square on an empty board."""

from typing import Final

from sanproof.proofs.rules.squares import (
    DIAGONAL,
    DIRECTIONS,
    KING,
    KNIGHT,
    ORTHOGONAL,
    RAY,
    rank_of,
    steps,
)

SLIDER_DIRECTIONS: Final = {"B": DIAGONAL, "R": ORTHOGONAL, "Q": DIRECTIONS}
DOUBLE_PUSH_RANK: Final = 3
LAST_RANK: Final = 7


def reach_backwards(piece: str, destination: int) -> dict[int, tuple[int, ...]]:
    """Return the squares from which a piece reaches the destination, with the squares in between.

    FIDE 3.2 to 3.4 (bishop, rook, queen), 3.6 (knight), 3.8.1 (king).
    """
    if piece == "N":
        return dict.fromkeys(KNIGHT[destination], ())
    if piece == "K":
        return dict.fromkeys(KING[destination], ())
    rays = [RAY[d][destination] for d in SLIDER_DIRECTIONS[piece]]
    return {s: squares[:i] for squares in rays for i, s in enumerate(squares)}


def pawn_origins(capture: bool, destination: int) -> tuple[int, ...]:
    """Return the squares from which a white pawn captures (FIDE 3.7.3) or pushes (3.7.1, 3.7.2)."""
    if capture:
        return steps(destination, ((-1, -1), (1, -1)))
    double = (destination - 16,) if rank_of(destination) == DOUBLE_PUSH_RANK else ()
    return steps(destination, ((0, -1),)) + double
