"""Numbers the pawn structures that a material balance allows.

With few captures, pawns of both colours must still face each other on some files: a pawn gets past
its opponent only by a capture, its own or one that removes the opponent. A *demand* is the number
of free pawns of each side, and the least number of files with a pair of opposed pawns. A
*structure* fulfils it with exactly this number of pairs picked, and all other free pawns anywhere
on the squares that are not between the two pawns of a pair. A diagram with more pairs than needed
occurs once for each way to pick them: that is the multiplicity.

If a capture in passing is possible, the pawn that has just made a double step and one that may
capture it are fixed, and the two squares that the first has left and passed over are blocked.
Structures are sorted by the place of these two; then by which of the two is in a picked pair; then
by the sum of the gaps in the pairs; then by the pairs; then by the free pawns.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, combinations
from math import comb
from typing import Final, NamedTuple

from sanproof.proofs.numbering.choices import Pair, Picks, gap, permutation, permutation_number
from sanproof.proofs.numbering.fen import EMPTY, FILES, SQUARES

BLOCKED: Final = ":"
"""A square that has to be empty, because a pawn has just left it or passed over it."""
BETWEEN: Final = ","
"""A square between two opposed pawns, on which a piece may stand but no pawn."""
FREE: Final = EMPTY + "Pp"
PAWN_SQUARES: Final = range(FILES, SQUARES - FILES)
MAX_GAP: Final = 4
"""The most squares between two opposed pawns."""


class PawnNeeds(NamedTuple):
    """The conditions on a pawn structure."""

    white_to_move: bool
    passing: bool
    """True if a capture in passing is possible; its two pawns are not counted below."""
    white: int
    black: int
    pairs: int
    """The number of pairs of opposed pawns that are picked. Their pawns are among those counted
    above, except for the two of a capture in passing."""


class Passing(NamedTuple):
    """The pawns of a capture in passing: one has just made a double step, one may capture it."""

    white: int
    black: int

    def stepper(self, *, white_to_move: bool) -> int:
        """Return the square of the pawn that has just made a double step."""
        return self.black if white_to_move else self.white

    def blocked(self, *, white_to_move: bool) -> tuple[int, int]:
        """Return the two squares that the double step has left and passed over."""
        step = -FILES if white_to_move else FILES
        stepper = self.stepper(white_to_move=white_to_move)
        return stepper + step, stepper + 2 * step


class Structure(NamedTuple):
    """A pawn structure: `board` has the pawns, blocked squares and squares between pairs."""

    board: str
    passing: Passing | None
    pairs: tuple[Pair, ...]


class _Stage(NamedTuple):
    """Structures that agree in which fixed pawns are in picked pairs, and in the sum of gaps."""

    white_paired: int
    black_paired: int
    gaps: int
    free: tuple[int, int, int]
    """The numbers of squares that are empty, hold a free white pawn, and a free black pawn."""
    permutations: int
    size: int


@cache
def count_structures(demand: PawnNeeds) -> int:
    """Count the structures that fulfil a demand."""
    _, ends = _stages(demand)
    places = 2 * (FILES - 1) if demand.passing else 1
    return places * ends[-1] if ends else 0


# The stages of a demand, with the running sums of their sizes.


@cache
def _stages(demand: PawnNeeds) -> tuple[tuple[_Stage, ...], tuple[int, ...]]:
    stages = [
        _stage(demand, white_paired, black_paired, gaps)
        for white_paired, black_paired in _paired_options(demand)
        for gaps in range(MAX_GAP * demand.pairs + 1)
    ]
    return tuple(stages), tuple(accumulate(stage.size for stage in stages))


def _stage(demand: PawnNeeds, white_paired: int, black_paired: int, gaps: int) -> _Stage:
    paired_white = demand.pairs - white_paired
    paired_black = demand.pairs - black_paired
    white, black = demand.white - paired_white, demand.black - paired_black
    squares = len(PAWN_SQUARES) - (4 if demand.passing else 0)
    squares -= paired_white + paired_black + gaps
    empty = squares - white - black
    fits = min(white, black, empty) >= 0
    permutations = comb(squares, white) * comb(squares - white, black) if fits else 0
    # All places of a capture in passing have as many pairs: its pawns stand on the same ranks.
    pairings = _picks(_passing_at(0, demand), white_paired, black_paired).count(demand.pairs, gaps)
    free = (empty, white, black)
    return _Stage(white_paired, black_paired, gaps, free, permutations, pairings * permutations)


@cache
def _picks(passing: Passing | None, white_paired: int, black_paired: int) -> Picks:
    """Return the ways to place pairs: those of the fixed pawns first, then on other files."""
    squares = [list(PAWN_SQUARES[file::FILES]) for file in range(FILES)]
    lists: list[list[Pair]] = []
    if passing is not None:
        white, black = passing
        below = range(black + FILES, PAWN_SQUARES.stop, FILES) if black_paired else ()
        above = range(white - FILES, FILES - 1, -FILES) if white_paired else ()
        lists = [[(black, square) for square in below], [(square, white) for square in above]]
        for pawn in passing:
            squares[pawn % FILES] = []
    lists += [list(combinations(file, 2)) for file in squares if file]
    return Picks(lists, [0] * black_paired + [1] * white_paired, by_gaps=True)


def _passing_at(number: int, demand: PawnNeeds) -> Passing | None:
    if not demand.passing:
        return None
    start = (3 if demand.white_to_move else 4) * FILES
    left, white_right = divmod(number, 2)
    return Passing(start + left + white_right, start + left + 1 - white_right)


def _passing_number(passing: Passing) -> int:
    white, black = passing.white % FILES, passing.black % FILES
    return 2 * min(white, black) + (white > black)


# Both directions.


def structure_at(demand: PawnNeeds, number: int) -> Structure:
    """Return the structure with a number from 0 to `count_structures(demand)` - 1."""
    stages, ends = _stages(demand)
    place, number = divmod(number, ends[-1])
    passing = _passing_at(place, demand)
    index = bisect_right(ends, number)
    stage = stages[index]
    number -= ends[index] - stage.size
    pairing, number = divmod(number, stage.permutations)
    picks = _picks(passing, stage.white_paired, stage.black_paired)
    pairs = picks.pick(pairing, demand.pairs, stage.gaps)
    pairs.sort(key=lambda pair: pair[0] % FILES)
    board = _pair_board(demand, passing, pairs)
    free = [square for square in PAWN_SQUARES if board[square] == EMPTY]
    for square, piece in zip(free, permutation(FREE, stage.free, number), strict=True):
        board[square] = piece
    return Structure("".join(board), passing, tuple(pairs))


def structure_number(demand: PawnNeeds, structure: Structure) -> int:
    """Return the number of a structure. This is the inverse of `structure_at`.

    Only the pawns on the structure's board matter.
    """
    stages, ends = _stages(demand)
    passing, pairs = structure.passing, structure.pairs
    white_paired = sum(passing is not None and white == passing.white for _, white in pairs)
    black_paired = sum(passing is not None and black == passing.black for black, _ in pairs)
    gaps = sum(map(gap, pairs))
    index = [stage[:3] for stage in stages].index((white_paired, black_paired, gaps))
    stage = stages[index]
    number = _picks(passing, white_paired, black_paired).number(pairs)
    frame = _pair_board(demand, passing, pairs)
    free = "".join(
        structure.board[square] if structure.board[square] in FREE else EMPTY
        for square in PAWN_SQUARES
        if frame[square] == EMPTY
    )
    number = number * stage.permutations + permutation_number(FREE, stage.free, free)
    place = _passing_number(passing) if passing else 0
    return place * ends[-1] + ends[index] - stage.size + number


def _pair_board(demand: PawnNeeds, passing: Passing | None, pairs: Sequence[Pair]) -> list[str]:
    board = [EMPTY] * SQUARES
    if passing:
        board[passing.white], board[passing.black] = "P", "p"
        for square in passing.blocked(white_to_move=demand.white_to_move):
            board[square] = BLOCKED
    for black, white in pairs:
        board[black], board[white] = "p", "P"
        for square in range(black + FILES, white, FILES):
            board[square] = BETWEEN
    return board


def _paired_options(demand: PawnNeeds) -> list[tuple[int, int]]:
    """List whether the fixed white and the fixed black pawn are in picked pairs."""
    if not demand.passing:
        return [(0, 0)]
    return [
        (white, black)
        for white in range(max(0, demand.pairs - demand.white), 2)
        for black in range(max(0, demand.pairs - demand.black), 2)
        if white + black <= demand.pairs
    ]
