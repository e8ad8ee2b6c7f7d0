"""Searches a short way from a witness to checkmate, with both players helping. Untrusted.

The mate shows that no position of the game was dead (FIDE 5.2.2).

``pieces`` are the numbers of a setting's pieces on a board: White's, then Black's, each side's king
first. A row has their squares, with ``NONE`` for captured pieces. Pawns do not move.
"""

# mypy: disable-error-code="no-any-return,assignment,arg-type"
# Compiled code has numbers of one sort, where NumPy's and Python's differ for mypy.

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import Final

import numpy as np

from sanproof.proofs.games.boards import (
    MAX_TARGETS,
    Bytes,
    Ints,
    compiled,
    copy_board,
    is_attacked,
    reaches,
    targets,
)
from sanproof.proofs.games.pieces import KING, PAWN, Setting, distances
from sanproof.proofs.rules.squares import SQUARES, file_of, rank_of, square_name

NEARNESS: Final = 0.1
MAX_KEPT: Final = 1000
"""The number of results that are cached: more than a work unit has settings up to symmetry."""

KEPT: Final = (1, 3)
"""The number of positions that are kept after each of Black's moves, first and later."""
BRANCHES: Final = 8
"""The number of White's moves that are tried in each position."""
MOVES: Final = 3
"""The number of moves after which a search ends."""
DISTANCE: Final = np.array([distances(KING, s) for s in SQUARES])
EDGE: Final = np.array(
    [min(file_of(s), 7 - file_of(s)) + min(rank_of(s), 7 - rank_of(s)) for s in SQUARES]
)
"""The sum of the distances of each square from the nearest edges."""
NONE: Final = -1
WHITE, BLACK = 0, 6
"""A side, as :mod:`proofs.games.boards` has it."""
BLOCK: Final = 13
"""The mark of a square whose piece attacks nothing."""


_FLIPPED: Final = [[square ^ flip for square in SQUARES] for flip in (0, 7, 56, 63)]
IMAGES: Final = [*_FLIPPED, *([8 * (s & 7) + (s >> 3) for s in image] for image in _FLIPPED)]
"""For each symmetry of the board, the new square of each square. The first two suit pawns."""


def search_mate(setting: Setting) -> list[str] | None:
    """Search moves (UCI), Black first, that end with White's mate, or return None if none is found.

    Symmetric settings share one search, because a work unit has witnesses that mirror each other,
    and captures that leave the pieces of quiet moves.
    """
    images = IMAGES[:2] if PAWN in setting.kinds[: setting.whites] else IMAGES
    squares, image = min((_image(setting, image), image) for image in images)
    line = _search_mate(setting._replace(squares=squares))
    names = {there: square_name(here) for here, there in enumerate(image)}
    return [names[s] + names[t] for s, t in line] or None


def _image(setting: Setting, image: Sequence[int]) -> tuple[int, ...]:
    """Return the images of the pieces' squares, those of equal pieces sorted."""
    kinds, whites, squares = setting
    pieces = sorted((i >= whites, kinds[i], image[square]) for i, square in enumerate(squares))
    return tuple([square for _, _, square in pieces])


@lru_cache(MAX_KEPT)
def _search_mate(setting: Setting) -> list[tuple[int, int]]:
    colours = [WHITE] * setting.whites + [BLACK] * (len(setting.kinds) - setting.whites)
    pieces, row = np.array(colours) + 6 - np.array(setting.kinds), np.array(setting.squares)
    if not len(after_moves(pieces, row, BLACK)):
        return []
    found = (_search(pieces, row, kept) for kept in KEPT)
    return [_step_between(*rows) for rows in pairwise(next(filter(None, found), []))]


def _step_between(before: Ints, after: Ints) -> tuple[int, int]:
    (moved,) = np.flatnonzero((before != after) & (after != NONE))
    return int(before[moved]), int(after[moved])


def _search(pieces: Ints, row: Ints, kept: int) -> list[Ints]:
    """Return the rows of a line to mate, or nothing if none was found."""
    level = [[row]]
    for _ in range(MOVES):
        following = []
        for line in level:
            for between in after_moves(pieces, line[-1], BLACK):
                for mate in after_mate(pieces, between):
                    return [*line, between, mate]
                following.append([*line, between])
        following.sort(key=lambda line: freedom(pieces, line[-1]))
        level = []
        for line in following[:kept]:
            after = sorted(
                after_moves(pieces, line[-1], WHITE), key=lambda row: freedom(pieces, row)
            )
            open_ = ([*line, row] for row in after if len(after_moves(pieces, row, BLACK)))
            level += islice(open_, BRANCHES)
    return []


@compiled
def _board(pieces: Ints, row: Ints) -> Bytes:
    board = np.zeros(64, np.uint8)
    for i, square in enumerate(row):
        if square != NONE:
            board[square] = pieces[i]
    return board


@compiled
def _black_king(pieces: Ints) -> int:
    """Return which piece is Black's king: those before it are White's."""
    black = 1
    while pieces[black] != 12:
        black += 1
    return black


@compiled
def _move(row: Ints, i: int, to: int, after: Ints) -> None:
    """Write the row after a piece has gone to a square, and taken who stood there."""
    for j, square in enumerate(row):
        after[j] = NONE if square == to else square
    after[i] = to


@compiled
def after_moves(pieces: Ints, row: Ints, side: int) -> Ints:
    """Return the rows after a side's legal moves, except castling and pawns' moves."""
    board, after = _board(pieces, row), np.empty(64, np.uint8)
    found, reached = np.empty((MAX_TARGETS * len(row), len(row)), np.int64), np.empty(64, np.int64)
    black = _black_king(pieces)
    first, last = (0, black) if side == WHITE else (black, len(row))
    number = 0
    for i in range(first, last):
        origin, kind = row[i], pieces[i] - side
        if origin == NONE or kind == 1:
            continue
        for to in reached[: targets(board, kind, origin, reached)]:
            if 1 <= np.int64(board[to]) - side <= 6 or board[to] == 12 - side:
                continue
            copy_board(board, after)
            after[to], after[origin] = board[origin], 0
            king = to if i == first else row[first]
            if not is_attacked(after, king, 6 - side):
                _move(row, i, to, found[number])
                number += 1
    return found[:number]


@compiled
def freedom(pieces: Ints, row: Ints) -> float:
    """Estimate how free Black's king is, by its safe flight squares and a little by its distances.

    These are the distances from the edges and from White's pieces. Squares that only the king
    itself hides count as attacked, because it may not go there.
    """
    board, black = _board(pieces, row), _black_king(pieces)
    king = row[black]
    reached = np.empty(64, np.int64)
    board[king] = 0
    free = away = 0
    for to in reached[: targets(board, 6, king, reached)]:
        free += board[to] <= 6 and not is_attacked(board, to, WHITE)
    for square in row[:black]:
        away += DISTANCE[king, square] if square != NONE else 0
    return free + 0.3 * EDGE[king] + NEARNESS * away


@compiled
def after_mate(pieces: Ints, row: Ints) -> Ints:
    """Return the row after a move by White that mates with the moved piece's own check, or no row.

    Black has just moved. Some mates are missed, in which the piece opens a line by leaving.
    """
    board, black = _board(pieces, row), _black_king(pieces)
    king = row[black]
    reached = np.empty(64, np.int64)
    found, flights = np.empty((1, len(row)), np.int64), np.empty(8, np.int64)
    board[king] = 0
    for i in range(1, black):
        origin, kind = row[i], pieces[i]
        if origin == NONE or kind == 1:
            continue
        piece, board[origin], left = board[origin], BLOCK, 0
        for to in reached[: targets(board, 6, king, reached)]:
            if not 7 <= board[to] <= 11 and not is_attacked(board, to, WHITE):
                flights[left] = to
                left += 1
        for to in reached[: targets(board, kind, origin, reached)]:
            if 1 <= board[to] <= 6:
                continue
            board[origin] = 0
            checks = reaches(board, kind, to, king, WHITE)
            board[origin] = BLOCK
            if checks and _attacks_all(board, kind, to, flights[:left]):
                _move(row, i, to, found[0])
                if _is_mate(pieces, found[0]):
                    return found
        board[origin] = piece
    return found[:0]


@compiled
def _attacks_all(board: Bytes, kind: int, origin: int, squares: Ints) -> bool:
    """Check whether a piece attacks all of these squares from a square."""
    for square in squares:  # noqa: SIM110 - compiled
        if not reaches(board, kind, origin, square, WHITE):
            return False
    return True


@compiled
def _is_mate(pieces: Ints, row: Ints) -> bool:
    """Check whether a check of White's is legal, and Black has no move."""
    if is_attacked(_board(pieces, row), row[0], BLACK):
        return False
    return len(after_moves(pieces, row, BLACK)) == 0
