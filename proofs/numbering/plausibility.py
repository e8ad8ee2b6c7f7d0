"""Sorts positions by static tests: what is found wrong with them at a look, if anything.

The tests are those of John Tromp's ChessPositionRanking (https://github.com/tromp/
ChessPositionRanking, `src/Legality.hs`, MIT licence, copyright 2021 John Tromp), in its order,
after two that every plausible position passes; about one plausible position in ten passes all. By
the source's argument a position that fails is illegal; that is not proved here. Passing proves
nothing: of 919 such positions in a sample of 10,000, the source's README reports 538 legal, with a
game for each, and 381 illegal.

The squares of a board are counted as a FEN names them; see `fen`.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from sanproof.proofs.numbering.fen import EMPTY, read_board, split_fields
from sanproof.proofs.numbering.opposition import opposed_on_files

FILES: Final = 8


class Look(Enum):
    """The first test that a position fails, by its name."""

    KINGS = "a side has not exactly one king"
    PAWNS = "a pawn on the first or the last rank"
    ADJACENT_KINGS = "adjacent kings"
    BOTH_IN_CHECK = "both kings in check"
    WRONG_SIDE_IN_CHECK = "the side that is not to move is in check"
    TRIPLE_CHECK = "three or more checking men"
    TOO_MANY_PROMOTIONS = "more promotions than pawns and captures allow"
    TWO_KNIGHTS = "double check by two knights"
    DOUBLE_CHECK = "double check that no move can give"
    DISCOVERED_DOUBLE_CHECK = "double check"
    SINGLE_CHECK = "check"
    NO_CHECK = "no check"

    @property
    def legal(self) -> bool:
        """Whether the position passed all tests."""
        return self in _PASSED


_PASSED: Final = {Look.DISCOVERED_DOUBLE_CHECK, Look.SINGLE_CHECK, Look.NO_CHECK}


def looks_legal(position: str) -> bool:
    """Whether the static tests find nothing wrong with the position of a FEN.

    Raises:
        ValueError: the text is no FEN.
    """
    return look_at(position).legal


def is_valid(position: str) -> bool:
    """Whether python-chess finds the position of a FEN valid.

    Neither this nor `looks_legal` implies the other. python-chess counts men, but not whether the
    pawns could get past one another, and it accepts some double checks that no move can give; it
    also rejects a check that contradicts the capture in passing that the FEN names.

    Raises:
        ValueError: the text is no FEN.
    """
    import chess  # noqa: PLC0415 - slow to import, and only this test needs it

    return chess.Board(position).is_valid()


def look_at(position: str) -> Look:
    """Returns the name of the first test that the position of a FEN fails.

    Raises:
        ValueError: the text is no FEN.
    """
    fields = split_fields(position)
    board = read_board(fields.placement)
    if board.count("K") != 1 or board.count("k") != 1:
        return Look.KINGS
    if set("Pp").intersection(board[:FILES] + board[-FILES:]):
        return Look.PAWNS
    return _look_at_checks(board, fields.side)


def _look_at_checks(board: str, side: str) -> Look:
    mover, other = ("K", "k") if side == "w" else ("k", "K")
    if _adjacent(board.index("K"), board.index("k")):
        return Look.ADJACENT_KINGS
    checkers = list(_checkers(board, mover))
    if next(_checkers(board, other), None):
        return Look.BOTH_IN_CHECK if checkers else Look.WRONG_SIDE_IN_CHECK
    if len(checkers) > 2:
        return Look.TRIPLE_CHECK
    spare = spare_oppositions(board)
    if spare < 0:
        return Look.TOO_MANY_PROMOTIONS
    if len(checkers) == 2:
        return _look_at_double_check(board, mover, checkers, spare)
    return Look.SINGLE_CHECK if checkers else Look.NO_CHECK


# Men that give check.


class _Checker(NamedTuple):
    kind: str
    """The man's letter, small."""
    files: int
    """Its distance from the king, towards the file h."""
    ranks: int
    """Its distance from the king, towards the first rank."""


def _adjacent(first: int, second: int) -> bool:
    return all(
        abs(one - other) <= 1
        for one, other in zip(divmod(first, FILES), divmod(second, FILES), strict=True)
    )


_KNIGHT_STEPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_DIAGONALS: Final = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_LINES: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))


def _ray(square: int, files: int, ranks: int, steps: int = 7) -> tuple[tuple[int, int, int], ...]:
    """Lists the squares in a direction, each with its distance in files and in ranks."""
    rank, file = divmod(square, FILES)
    return tuple(
        ((rank + ranks * step) * FILES + file + files * step, files * step, ranks * step)
        for step in range(1, steps + 1)
        if 0 <= file + files * step < FILES and 0 <= rank + ranks * step < FILES
    )


_RAYS: Final = [
    [(_ray(square, *way), "bq") for way in _DIAGONALS]
    + [(_ray(square, *way), "rq") for way in _LINES]
    + [(_ray(square, *way, 1), "n") for way in _KNIGHT_STEPS]
    for square in range(FILES * FILES)
]
_PAWN_RAYS: Final = {
    king: [[_ray(square, side, rank, 1) for side in (-1, 1)] for square in range(FILES * FILES)]
    for king, rank in (("K", -1), ("k", 1))
}


def _checkers(board: str, king: str) -> Iterator[_Checker]:
    """Yields the men that attack a king, which is the only one of its colour."""
    square = board.index(king)
    white = king == "K"
    for ray, kinds in _RAYS[square]:
        for to, files, ranks in ray:
            man = board[to]
            if man == EMPTY:
                continue
            if man.islower() == white and man.lower() in kinds:
                yield _Checker(man.lower(), files, ranks)
            break
    for ray in _PAWN_RAYS[king][square]:
        for to, files, ranks in ray:
            if board[to] == ("p" if white else "P"):
                yield _Checker("p", files, ranks)


_LEAST_DISTANCE: Final = {"bn": 7, "bq": 5, "br": 5, "nq": 6, "nr": 6, "pq": 5, "pr": 5, "qr": 5}
"""The least sum of distances at which one of the two can have discovered the other's check; two
that are not named here cannot have."""
_NEVER: Final = 99


def _look_at_double_check(board: str, king: str, checkers: list[_Checker], spare: int) -> Look:
    kinds = "".join(sorted(checker.kind for checker in checkers))
    if kinds == "nn":
        return Look.TWO_KNIGHTS
    first, second = checkers
    angle = first.files * second.files + first.ranks * second.ranks
    distance = sum(abs(c.files) + abs(c.ranks) for c in checkers)
    discovered = distance >= _LEAST_DISTANCE.get(kinds, _NEVER)
    # A pawn that promoted on the last rank may have given one check and discovered the other.
    king_rank = board.index(king) // FILES
    last_rank = FILES - 1 if king == "K" else 0
    promoted = sum(king_rank + checker.ranks == last_rank for checker in checkers)
    to_last_rank = abs(last_rank - king_rank)
    match promoted:
        case 0:
            possible = angle > 0 and discovered
        case 1:
            across = angle == 0 and distance > 2 and to_last_rank <= 1 and spare > 0
            possible = across or (angle > 0 and (discovered or to_last_rank == 1))
        case _:
            possible = angle > 0 and (discovered or (to_last_rank == 2 and spare > 0))
    return Look.DISCOVERED_DOUBLE_CHECK if possible else Look.DOUBLE_CHECK


# Promotions.


def spare_oppositions(board: str) -> int:
    """How many more files have opposed pawns than the promotions demand; negative: impossible.

    Stricter than the numbering: bishops of one side that all stand on squares of one colour cannot
    both have been there at the start, so that one more than is counted there is a promoted pawn.
    """
    white_pawns, black_pawns = board.count("P"), board.count("p")
    white_promotions = _promotions(board, "QRBN")
    black_promotions = _promotions(board, "qrbn")
    white_lost = FILES - white_pawns - white_promotions
    black_lost = FILES - black_pawns - black_promotions
    if min(white_lost, black_lost) < 0:
        return -1
    captures = 32 - (len(board) - board.count(EMPTY))
    most_unopposed = black_lost + captures - white_promotions
    opposed = sum(bool(pairs) for pairs in opposed_on_files(board, FILES))
    return opposed - (white_pawns - most_unopposed)


def _promotions(board: str, kinds: str) -> int:
    queen, rook, bishop, knight = tuple(kinds)
    dark = sum(
        man == bishop and (square // FILES + square) % 2 == 1 for square, man in enumerate(board)
    )
    bishops = board.count(bishop)
    two_colours = 0 < dark < bishops
    return (
        max(0, board.count(queen) - 1)
        + max(0, board.count(rook) - 2)
        + max(0, bishops - (2 if two_colours else 1))
        + max(0, board.count(knight) - 2)
    )
