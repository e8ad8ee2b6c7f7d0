"""Few pieces on a board: tables of their steps, distances and attacks. Untrusted.

A piece is a kind and a square. Kinds are small integers; a pawn is White's. Sets of squares are
masks, as chess programmers keep them. Everything is looked up in tables, because the search for
games looks at millions of steps.
"""

from collections import Counter, deque
from functools import cache
from typing import Final, NamedTuple

import chess

from sanproof.proofs.rules.squares import SQUARES

KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN = range(6)
KINDS: Final = (KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN)
LETTERS: Final = "KQRBNP"
FAR: Final = 1000


class Setting(NamedTuple):
    """A position of a few pieces: kinds and squares, first White's, then Black's, each king first.

    The other pieces of each side are sorted.
    """

    kinds: tuple[int, ...]
    whites: int
    squares: tuple[int, ...]

    @property
    def white_pieces(self) -> Counter[int]:
        """White's pieces by their kinds."""
        return Counter(self.kinds[: self.whites])


def _attacks(kind: int, square: int) -> int:
    """Return the mask of the squares that a piece, a pawn of White's, attacks on an empty board."""
    board = chess.BaseBoard.empty()
    board.set_piece_at(square, chess.Piece.from_symbol(LETTERS[kind]))
    return board.attacks_mask(square)


ATTACKS: Final = [[_attacks(kind, square) for square in SQUARES] for kind in KINDS]


def _steps(kind: int, square: int) -> dict[int, int]:
    """Return a piece's steps on an empty board, each with the mask of squares between."""
    mask = ATTACKS[kind][square]
    if kind == PAWN:
        mask = 1 << square + 8 if 8 <= square < 56 else 0
        mask |= 1 << square + 16 if square >> 3 == 1 else 0
    return {to: chess.between(square, to) for to in chess.scan_forward(mask)}


REACH: Final = [[_steps(kind, s) for s in SQUARES] for kind in KINDS]
"""``REACH[kind][origin]``: the squares of a piece's steps, with the squares in between."""


@cache
def distances(kind: int, home: int) -> list[int]:
    """Return for each square the steps that a piece on it needs to ``home`` on an empty board."""
    found = [FAR] * 64
    found[home] = 0
    queue = deque([home])
    while queue:
        s = queue.popleft()
        for t in REACH[kind][s]:
            if found[t] == FAR:
                found[t] = found[s] + 1
                queue.append(t)
    return found


def read_setting(placement: str) -> Setting:
    """Return the pieces of a FEN, which may not have a black pawn, because that has no kind."""
    return pieces_on(chess.BaseBoard(placement.partition(" ")[0]))


def pieces_on(board: chess.BaseBoard) -> Setting:
    """Return the pieces of a board as a setting."""
    pieces = board.piece_map().items()
    placed = sorted((not p.color, LETTERS.index(p.symbol().upper()), s) for s, p in pieces)
    blacks, kinds, squares = zip(*placed, strict=True)
    return Setting(kinds, blacks.count(False), squares)
