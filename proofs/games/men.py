"""Men on a board of few men: tables of steps, distances and attacks for the game search.

A man is a kind and a square. Kinds are small integers; a pawn is White's. Everything is looked
up in tables, because the search looks at millions of steps.
"""

from collections import deque
from functools import cache
from typing import Final, NamedTuple

from proofs.rules.squares import (
    DIAGONAL,
    DIRECTIONS,
    ORTHOGONAL,
    RAY,
    SQUARES,
    rank_of,
    steps,
)
from proofs.rules.squares import (
    KING as KING_STEPS,
)
from proofs.rules.squares import (
    KNIGHT as KNIGHT_STEPS,
)

KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN = range(6)
KINDS: Final = (KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN)
LETTERS: Final = "KQRBNP"
NEVER: Final = -1
FAR: Final = 1000

_SLIDES: Final = {QUEEN: DIRECTIONS, ROOK: ORTHOGONAL, BISHOP: DIAGONAL}

Reach = dict[int, int]


class Setting(NamedTuple):
    """A position of a few men: kinds and squares, first White's, the king ahead, then Black's.

    Attributes:
        kinds: The men's kinds; White's and then Black's, each with the king first.
        whites: How many of them are White's.
        squares: Where they stand.
    """

    kinds: tuple[int, ...]
    whites: int
    squares: tuple[int, ...]


class Step(NamedTuple):
    """A man's move from one square to another."""

    origin: int
    destination: int


def _mask(squares: tuple[int, ...]) -> int:
    return sum(1 << s for s in squares)


def _reach(kind: int, square: int) -> Reach:
    """The squares a man steps to on an empty board, each with the mask of the squares between."""
    if kind == KING:
        return dict.fromkeys(KING_STEPS[square], 0)
    if kind == KNIGHT:
        return dict.fromkeys(KNIGHT_STEPS[square], 0)
    if kind == PAWN:
        return _pawn_steps(square)
    rays = [RAY[d][square] for d in _SLIDES[kind]]
    return {s: _mask(squares[:i]) for squares in rays for i, s in enumerate(squares)}


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


@cache
def unmoves(kind: int, square: int, home: int) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """The un-moves of a man, as (origin, squares between, change of its distance from home).

    Returns:
        Four tuples: those that come nearer to home by a step, or at most stay as far, or go
        further by at most a step, or all.
    """
    far = distances(kind, home)
    found = [
        (origin, between, far[origin] - far[square])
        for origin, between in BACK[kind][square].items()
        if far[origin] < FAR
    ]
    found.sort(key=lambda item: item[2])
    limits = (-1, 0, 1 if kind in {KING, KNIGHT} else 0, FAR)
    return tuple(tuple(item for item in found if item[2] <= limit) for limit in limits)


def read_setting(placement: str) -> Setting:
    """The men of a FEN's first field; a black pawn has no kind here."""
    white: list[tuple[int, int]] = []
    black: list[tuple[int, int]] = []
    for rank, row in zip(range(7, -1, -1), placement.split("/"), strict=True):
        file = 0
        for character in row:
            if character.isdigit():
                file += int(character)
                continue
            men = white if character.isupper() else black
            men.append((LETTERS.index(character.upper()), 8 * rank + file))
            file += 1
    men = sorted(white) + sorted(black)
    return Setting(tuple(kind for kind, _ in men), len(white), tuple(s for _, s in men))
