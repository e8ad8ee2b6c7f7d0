"""Few men on a board: tables of steps, distances and attacks, and the legal moves. Untrusted.

A man is a kind and a square. Kinds are small integers; a pawn is White's. Sets of squares are
masks, as chess programmers keep them. Everything is looked up in tables, because the search for
games looks at millions of steps.
"""

from collections import deque
from collections.abc import Iterable, Iterator
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
    """A position with these men, White to move, without castling rights."""
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


# Legal moves, but for castling and pawns: neither is of use on the way to a mate


Side = tuple[tuple[int, int], ...]
"""The men of a side: kinds and squares, the king first."""

_OTHER_ATTACKS: Final = {
    KING: chess.BB_KING_ATTACKS,
    KNIGHT: chess.BB_KNIGHT_ATTACKS,
    PAWN: chess.BB_PAWN_ATTACKS[chess.WHITE],
}


class Scene(NamedTuple):
    """White's and Black's men. Who is to move, a function says."""

    white: Side
    black: Side


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


def attacked(square: int, men: Side, occupied: int) -> bool:
    """Whether one of these men attacks the square."""
    for kind, s in men:
        way = ATTACK[kind][s][square]
        if way != NEVER and not way & occupied:
            return True
    return False


def occupied_by(men: Side) -> int:
    """The mask of the squares where men stand."""
    occupied = 0
    for _, s in men:
        occupied |= 1 << s
    return occupied


def can_move(own: Side, other: Side) -> bool:
    """Whether a side has a legal move, other than a pawn's."""
    return any(True for _ in moves(own, other))


def moved(own: Side, other: Side, i: int, destination: int) -> tuple[Side, Side]:
    """One's own and the other men after a move of one's own man with this index."""
    after = (*own[:i], (own[i][0], destination), *own[i + 1 :])
    return after, tuple([man for man in other if man[1] != destination])


def moves(own: Side, other: Side) -> Iterator[tuple[int, ManStep]]:
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


def _is_safe(square: int, other: Side, occupied: int) -> bool:
    """Whether a king may go there: only a piece that it captures attacks the square."""
    left = [man for man in other if man[1] != square]
    return not attacked(square, tuple(left), occupied)


def _lines(other: Side, king: int, occupied: int) -> list[tuple[int, int]]:
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
