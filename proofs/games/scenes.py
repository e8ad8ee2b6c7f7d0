"""Men of both sides, a few on each: what they attack, and the moves that are legal. Untrusted.

Squares are masks, as chess programmers keep them, and python-chess's tables tell how far a man
sees. Nobody castles, and pawns do not move here: neither is of use on the way to a mate.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import chess

from sanproof.proofs.games.men import (
    ATTACK,
    BISHOP,
    KING,
    KNIGHT,
    NEVER,
    PAWN,
    QUEEN,
    REACH,
    ROOK,
    ManStep,
)

Men = tuple[tuple[int, int], ...]
"""The men of a side: kinds and squares, the king first."""

_OTHER_ATTACKS: Final = {
    KING: chess.BB_KING_ATTACKS,
    KNIGHT: chess.BB_KNIGHT_ATTACKS,
    PAWN: chess.BB_PAWN_ATTACKS[chess.WHITE],
}


class Scene(NamedTuple):
    """White's and Black's men. Who is to move, a function says."""

    white: Men
    black: Men


def attacks(kind: int, square: int, occupied: int) -> int:
    """The mask of the squares that a man attacks, a pawn of White's."""
    if kind == QUEEN:
        return (
            chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
            | chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
            | chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
        )
    if kind == ROOK:
        return (
            chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & occupied]
            | chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & occupied]
        )
    if kind == BISHOP:
        return chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & occupied]
    return _OTHER_ATTACKS[kind][square]


def attacked(square: int, men: Men, occupied: int) -> bool:
    """Whether one of these men attacks the square."""
    for kind, s in men:
        way = ATTACK[kind][s][square]
        if way != NEVER and not way & occupied:
            return True
    return False


def occupied_by(men: Men) -> int:
    """The mask of the squares where men stand."""
    occupied = 0
    for _, s in men:
        occupied |= 1 << s
    return occupied


def can_move(own: Men, other: Men) -> bool:
    """Whether a side has a legal move, other than a pawn's."""
    return any(True for _ in moves(own, other))


def moved(own: Men, other: Men, i: int, destination: int) -> tuple[Men, Men]:
    """One's own and the other men after a move of one's own man with this index."""
    after = (*own[:i], (own[i][0], destination), *own[i + 1 :])
    return after, tuple([man for man in other if man[1] != destination])


def moves(own: Men, other: Men) -> Iterator[tuple[int, ManStep]]:
    """The legal moves of a side but for the pawns', each as the index of a man and its step."""
    mine, theirs = occupied_by(own), occupied_by(other)
    occupied, king = mine | theirs, own[0][1]
    lines = _lines(other, king, occupied)
    for i, (kind, s) in enumerate(own):
        if kind == PAWN:
            continue
        targets = attacks(kind, s, occupied) & ~mine & ~(1 << other[0][1])
        if kind != KING:
            for line, screen in lines:
                if screen in {0, 1 << s}:
                    targets &= line
        if not targets:
            continue
        for t in REACH[kind][s]:
            if targets >> t & 1 and (kind != KING or _is_safe(t, other, occupied & ~(1 << s))):
                yield i, ManStep(s, t)


def _is_safe(square: int, other: Men, occupied: int) -> bool:
    """Whether a king may go there: nobody attacks it but who is captured."""
    left = [man for man in other if man[1] != square]
    return not attacked(square, tuple(left), occupied)


def _lines(other: Men, king: int, occupied: int) -> list[tuple[int, int]]:
    """The lines on which a king is attacked, or would be if one man left.

    Returns:
        For each the squares where it can be blocked, with the attacker's, and that man, or 0.
    """
    lines = []
    for kind, s in other:
        between = ATTACK[kind][s][king]
        if between != NEVER:
            screen = between & occupied
            if not screen & (screen - 1):
                lines.append((between | 1 << s, screen))
    return lines
