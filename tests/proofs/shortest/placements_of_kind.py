"""A second program for the bounds: slow, and written another way. It knows no arrangement.

It walks over all placements of pieces of one kind on an otherwise empty board, by the cost of each,
and writes every move of every placement as SAN asks, from the definition.
"""

from collections.abc import Iterator
from heapq import heappop, heappush

LINES = {
    "B": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    "R": [(1, 0), (-1, 0), (0, 1), (0, -1)],
}
LINES["Q"] = LINES["B"] + LINES["R"]
JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
START = {"N": ["b1", "g1"], "B": ["c1", "f1"], "R": ["a1", "h1"], "Q": ["d1"]}
PROMOTION = 5

Placement = tuple[str, ...]


def seen(kind: str, square: str, others: Placement) -> Iterator[str]:
    """Yield the squares to which a piece goes past the others."""
    for file, rank in JUMPS if kind == "N" else LINES[kind]:
        x, y = ord(square[0]), int(square[1])
        for _ in range(1 if kind == "N" else 7):
            x, y = x + file, y + rank
            name = f"{chr(x)}{y}"
            if not (97 <= x <= 104 and 1 <= y <= 8) or name in others:
                break
            yield name


def costs(kind: str, most_pieces: int, most_moves: int) -> dict[Placement, int]:
    """Return each placement with the moves that lead to it, by original and promoted pieces."""
    heap: list[tuple[int, Placement]] = [(0, ())]
    for square in START[kind]:
        heap += [(0, (*placed, square)) for _, placed in list(heap)]
    found: dict[Placement, int] = {}
    while heap:
        cost, placed = heappop(heap)
        if placed in found or cost > most_moves:
            continue
        found[placed] = cost
        for square in placed:
            others = tuple(other for other in placed if other != square)
            # Pieces pass one another: they need not come in this order.
            for end in seen(kind, square, ()):
                if end not in others:
                    heappush(heap, (cost + 1, tuple(sorted((*others, end)))))
        if len(placed) < most_pieces:
            for file in "abcdefgh":
                if f"{file}8" not in placed:
                    more = tuple(sorted((*placed, f"{file}8")))
                    heappush(heap, (cost + PROMOTION, more))
    return found


def written(kind: str, placed: Placement) -> Iterator[str]:
    """Yield the move texts of a placement, without capture and check."""
    sights = {square: set(seen(kind, square, placed)) for square in placed}
    for square, ends in sights.items():
        for end in ends:
            twins = [other for other in placed if other != square and end in sights[other]]
            if not twins:
                origin = ""
            elif all(twin[0] != square[0] for twin in twins):
                origin = square[0]
            elif all(twin[1] != square[1] for twin in twins):
                origin = square[1]
            else:
                origin = square
            yield kind + origin + end


def least_moves(kind: str, most_pieces: int, most_moves: int) -> dict[str, int]:
    """Return for each text the least moves before it."""
    found: dict[str, int] = {}
    for placed, cost in costs(kind, most_pieces, most_moves).items():
        for text in written(kind, placed):
            found[text] = min(cost, found.get(text, cost))
    return found
