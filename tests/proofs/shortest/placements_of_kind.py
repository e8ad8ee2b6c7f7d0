"""A second program for the bounds: slow, and written another way. It knows no arrangement.

It walks over all placements of pieces of one kind on an otherwise empty board, by the cost of each,
and writes every move of every placement as SAN asks, from the definition.
"""

from collections.abc import Iterator
from heapq import heappop, heappush

import chess

PROMOTION = 5

Placement = tuple[int, ...]


def seen(kind: str, square: int, others: Placement) -> set[int]:
    """Return the squares to which a piece goes past the others."""
    board = chess.BaseBoard.empty()
    for other in others:
        board.set_piece_at(other, chess.Piece.from_symbol(kind))
    board.set_piece_at(square, chess.Piece.from_symbol(kind))
    return set(board.attacks(square)) - set(others)


def costs(kind: str, most_pieces: int, most_moves: int) -> dict[Placement, int]:
    """Return each placement with the moves that lead to it, by original and promoted pieces."""
    # Pieces pass one another: they need not come in this order.
    steps = {square: seen(kind, square, ()) for square in chess.SQUARES}
    heap: list[tuple[int, Placement]] = [(0, ())]
    for square in chess.Board().pieces(chess.Piece.from_symbol(kind).piece_type, chess.WHITE):
        heap += [(0, (*placed, square)) for _, placed in list(heap)]
    found: dict[Placement, int] = {}
    while heap:
        cost, placed = heappop(heap)
        if placed in found or cost > most_moves:
            continue
        found[placed] = cost
        for square in placed:
            others = tuple(other for other in placed if other != square)
            for end in steps[square] - set(others):
                heappush(heap, (cost + 1, tuple(sorted((*others, end)))))
        if len(placed) < most_pieces:
            for square in set(range(chess.A8, chess.H8 + 1)) - set(placed):
                heappush(heap, (cost + PROMOTION, tuple(sorted((*placed, square)))))
    return found


def written(kind: str, placed: Placement) -> Iterator[str]:
    """Yield the move texts of a placement, without capture and check."""
    sights = {s: seen(kind, s, tuple(o for o in placed if o != s)) for s in placed}
    for square, ends in sights.items():
        name = chess.square_name(square)
        for end in ends:
            twins = [chess.square_name(o) for o in placed if o != square and end in sights[o]]
            if not twins:
                origin = ""
            elif all(twin[0] != name[0] for twin in twins):
                origin = name[0]
            elif all(twin[1] != name[1] for twin in twins):
                origin = name[1]
            else:
                origin = name
            yield kind + origin + chess.square_name(end)


def least_moves(kind: str, most_pieces: int, most_moves: int) -> dict[str, int]:
    """Return for each text the least moves before it."""
    found: dict[str, int] = {}
    for placed, cost in costs(kind, most_pieces, most_moves).items():
        for text in written(kind, placed):
            found[text] = min(cost, found.get(text, cost))
    return found
