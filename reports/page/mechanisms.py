"""How check is given in the witnesses: the kinds of check that the page counts."""

from collections import defaultdict
from collections.abc import Iterable

import chess

from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.verdicts.reasons import NAMES
from sanproof.reports.archive.door import ArchiveError, WitnessRow


def count_mechanisms(witnesses: Iterable[WitnessRow]) -> dict[tuple[str, str], list[str]]:
    """The strings with ``+`` or ``#``, by piece and by how their witness gives check; rare first.

    Another position may give the check of the same string in another way; only castling and the
    king's moves leave no choice.

    Raises:
        ArchiveError: A witness is not a legal move.
    """
    strings: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in witnesses:
        if row.san[-1] in "+#":
            strings[mechanism(row)].append(row.san)
    return dict(sorted(strings.items(), key=lambda item: (len(item[1]), item[0])))


def mechanism(row: WitnessRow) -> tuple[str, str]:
    """Which piece moves, and who gives check then.

    Raises:
        ArchiveError: The witness is not a legal move.
    """
    board, move = _legal_move(row)
    if board.is_castling(move):
        return "castling", "the castled rook"
    en_passant = board.is_en_passant(move)
    board.push(move)
    checkers = board.checkers()
    moved = bool(checkers & chess.BB_SQUARES[move.to_square])
    if len(checkers) > 1:
        who = "double check" if moved else "double check, both discovered"
    elif not moved:
        who = "discovered check"
    else:
        who = "the promoted piece" if move.promotion else "the moved piece"
    passing = ", en passant" if en_passant else ""
    return NAMES[parse_san(row.san).piece] + passing, who


def _legal_move(row: WitnessRow) -> tuple[chess.Board, chess.Move]:
    try:
        board = chess.Board(row.before_fen)
        move = chess.Move.from_uci(row.uci)
    except ValueError as error:
        raise ArchiveError(f"the witness of {row.san} is not a position and a move") from error
    if not board.is_valid() or not board.is_legal(move):
        raise ArchiveError(f"the witness of {row.san} is not a legal move")
    return board, move
