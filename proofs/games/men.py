"""Men on a board of few men: tables of steps, distances and attacks for the game search.

A man is a kind and a square. Kinds are small integers; a pawn is White's. Everything is looked
up in tables, because the search looks at millions of steps.
"""

from collections import deque
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

import chess

from sanproof.proofs.rules import squares as tables
from sanproof.proofs.rules.squares import (
    DIAGONAL,
    DIRECTIONS,
    ORTHOGONAL,
    RAY,
    SQUARES,
    rank_of,
    square_name,
    steps,
)

KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN = range(6)
KINDS: Final = (KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN)
LETTERS: Final = "KQRBNP"
NEVER: Final = -1
FAR: Final = 1000

_SLIDES: Final = {QUEEN: DIRECTIONS, ROOK: ORTHOGONAL, BISHOP: DIAGONAL}

Reach = dict[int, int]


class Setting(NamedTuple):
    """A position of a few men: kinds and squares, first White's, the king ahead, then Black's."""

    kinds: tuple[int, ...]
    whites: int
    squares: tuple[int, ...]


class ManStep(NamedTuple):
    """A man's move from one square to another."""

    origin: int
    destination: int

    @property
    def uci(self) -> str:
        """The step as a move in UCI."""
        return square_name(self.origin) + square_name(self.destination)


def mask_of(squares: Iterable[int]) -> int:
    """The mask of these squares."""
    mask = 0
    for s in squares:
        mask |= 1 << s
    return mask


def _reach(kind: int, square: int) -> Reach:
    """The squares a man steps to on an empty board, each with the mask of the squares between."""
    if kind == KING:
        return dict.fromkeys(tables.KING[square], 0)
    if kind == KNIGHT:
        return dict.fromkeys(tables.KNIGHT[square], 0)
    if kind == PAWN:
        return _pawn_steps(square)
    rays = [RAY[d][square] for d in _SLIDES[kind]]
    return {s: mask_of(squares[:i]) for squares in rays for i, s in enumerate(squares)}


def _pawn_steps(square: int) -> Reach:
    rank = rank_of(square)
    if not 1 <= rank <= 6:
        return {}
    reach = {square + 8: 0}
    if rank == 1:
        reach[square + 16] = 1 << square + 8
    return reach


def _attacked(kind: int, square: int) -> Reach:
    if kind == PAWN:
        return dict.fromkeys(steps(square, ((-1, 1), (1, 1))), 0)
    return _reach(kind, square)


def _table(reach: Reach) -> list[int]:
    return [reach.get(s, NEVER) for s in SQUARES]


REACH: Final = [[_reach(kind, s) for s in SQUARES] for kind in KINDS]
"""``REACH[kind][origin]``: where a man steps to on an empty board, with the squares between."""

BACK: Final = [
    [{t: REACH[kind][t][s] for t in SQUARES if s in REACH[kind][t]} for s in SQUARES]
    for kind in KINDS
]
"""``BACK[kind][destination]``: where a man can have come from without a capture."""

ATTACK: Final = [[_table(_attacked(kind, s)) for s in SQUARES] for kind in KINDS]
"""``ATTACK[kind][square][target]``: the squares between that must be empty, or NEVER."""

ATTACK_ON: Final = [[[table[s][t] for s in SQUARES] for t in SQUARES] for table in ATTACK]
"""``ATTACK_ON[kind][target][square]``: the same, for all squares from which a target is seen."""


@cache
def distances(kind: int, home: int) -> list[int]:
    """For each square, the number of steps that a man at home needs to it on an empty board."""
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
    """The men of a FEN's first field; a black pawn has no kind here."""
    return setting_of(chess.BaseBoard(placement))


def setting_of(board: chess.BaseBoard) -> Setting:
    """The men of a position."""
    white, black = (_men_of(board, colour) for colour in chess.COLORS)
    men = white + black
    return Setting(tuple([kind for kind, _ in men]), len(white), tuple([s for _, s in men]))


def _men_of(board: chess.BaseBoard, colour: chess.Color) -> list[tuple[int, int]]:
    """A side's men, sorted."""
    own = board.occupied_co[colour]
    masks = (board.kings, board.queens, board.rooks, board.bishops, board.knights, board.pawns)
    return [
        (kind, square)
        for kind, mask in zip(KINDS, masks, strict=True)
        for square in chess.scan_forward(mask & own)
    ]


def board_of(setting: Setting) -> chess.Board:
    """A position with these men, White to move; nobody may castle."""
    board = chess.Board(None)
    masks = [0] * len(KINDS)
    for kind, square in zip(setting.kinds, setting.squares, strict=True):
        masks[kind] |= 1 << square
    white = mask_of(setting.squares[: setting.whites])
    black = mask_of(setting.squares[setting.whites :])
    board.kings, board.queens, board.rooks, board.bishops, board.knights, board.pawns = masks
    board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = white, black
    board.occupied = white | black
    return board
