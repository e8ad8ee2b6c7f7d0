"""Sorts positions by static tests, which find positions that look illegal.

The tests are those of John Tromp's ChessPositionRanking (https://github.com/tromp/
ChessPositionRanking, `src/Legality.hs`, MIT licence, copyright 2021 John Tromp), in its order,
after two that every plausible position passes; about one plausible position in ten passes all. By
the source's argument a position that fails is illegal; that is not proved here. Passing proves
nothing: of 919 such positions in a sample of 10,000, the source's README reports 538 legal, with a
game for each, and 381 illegal.

The squares of a board are counted as a FEN names them; see `fen`.
"""

from enum import Enum
from typing import Final

from sanproof.proofs.numbering.choices import opposed_on_files
from sanproof.proofs.numbering.fen import EMPTY, FILES, Fields, read_board, split_fields


class Look(Enum):
    """The first test that a position fails, or the kind of check if it passes all tests."""

    KINGS = "a side has not exactly one king"
    PAWNS = "a pawn on the first or the last rank"
    ADJACENT_KINGS = "adjacent kings"
    BOTH_IN_CHECK = "both kings in check"
    WRONG_SIDE_IN_CHECK = "the side that is not to move is in check"
    TRIPLE_CHECK = "three or more checkers"
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
    """Check whether the position of a FEN passes all static tests.

    Raises:
        ValueError: The text is not a FEN.
    """
    return look_at(position).legal


def look_at(position: str) -> Look:
    """Return the first test that the position of a FEN fails, or the kind of check if it passes.

    Raises:
        ValueError: The text is not a FEN.
    """
    fields = split_fields(position)
    board = read_board(fields.placement)
    if board.count("K") != 1 or board.count("k") != 1:
        return Look.KINGS
    if set("Pp").intersection(board[:FILES] + board[-FILES:]):
        return Look.PAWNS
    return _look_at_checks(board, fields)


def _look_at_checks(board: str, fields: Fields) -> Look:
    import chess  # noqa: PLC0415 - slow to import, and only these tests need it

    pieces, side = chess.BaseBoard(fields.placement), fields.side == "w"
    king, other = board.index("K" if side else "k") ^ 56, board.index("k" if side else "K") ^ 56
    if chess.square_distance(king, other) <= 1:
        return Look.ADJACENT_KINGS
    checkers = list(pieces.attackers(not side, king))
    if pieces.attackers_mask(side, other):
        return Look.BOTH_IN_CHECK if checkers else Look.WRONG_SIDE_IN_CHECK
    if len(checkers) > 2:
        return Look.TRIPLE_CHECK
    spare = spare_oppositions(board)
    if spare < 0:
        return Look.TOO_MANY_PROMOTIONS
    if len(checkers) == 2:
        kinds = "".join(sorted(board[square ^ 56].lower() for square in checkers))
        return _look_at_double_check(kinds, king, checkers, 0 if side else FILES - 1, spare)
    return Look.SINGLE_CHECK if checkers else Look.NO_CHECK


_LEAST_DISTANCE: Final = {"bn": 7, "bq": 5, "br": 5, "nq": 6, "nr": 6, "pq": 5, "pr": 5, "qr": 5}
"""The least sum of distances at which one of the two can have discovered the other's check; two
that are not named here cannot have."""
_NEVER: Final = 99


def _look_at_double_check(
    kinds: str, king: int, checkers: list[int], last_rank: int, spare: int
) -> Look:
    """Look at two pieces that give check to a king; their pawns promote on ``last_rank``."""
    if kinds == "nn":
        return Look.TWO_KNIGHTS
    ways = [(s % FILES - king % FILES, s // FILES - king // FILES) for s in checkers]
    angle = ways[0][0] * ways[1][0] + ways[0][1] * ways[1][1]
    distance = sum(abs(files) + abs(ranks) for files, ranks in ways)
    discovered = distance >= _LEAST_DISTANCE.get(kinds, _NEVER)
    # A pawn that promoted on the last rank may have given one check and discovered the other.
    promoted = sum(square // FILES == last_rank for square in checkers)
    to_last_rank = abs(last_rank - king // FILES)
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
    """Count the files with opposed pawns beyond those that the promotions need, or less than 0.

    A negative number means that the position is impossible. This is stricter than the numbering:
    bishops of one side that all stand on squares of one colour cannot both have been there at the
    start, so one of them is a promoted pawn.
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
    opposed = sum(bool(pairs) for pairs in opposed_on_files(board))
    return opposed - (white_pawns - most_unopposed)


def _promotions(board: str, kinds: str) -> int:
    """Count the promotions that a side needs; bishops on one colour of square were one."""
    dark = sum(
        piece == kinds[2] and (square // FILES + square) % 2 for square, piece in enumerate(board)
    )
    bishops = 2 if 0 < dark < board.count(kinds[2]) else 1
    counts = zip(kinds, (1, 2, bishops, 2), strict=True)
    return sum(max(0, board.count(kind) - at_start) for kind, at_start in counts)
