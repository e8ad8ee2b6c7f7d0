"""Where a case stands in the table of its mechanism: who moves, who prevents it, on which line.

A mechanism is a table and not a case: a library that sees a pinned knight may not see a pinned
rook. The words of a crossing are the kinds of men, a line (file, rank, diagonal, leap), a side.
"""

from typing import Final

import chess

from sanproof.verify.notation.reading import judge
from sanproof.verify.notation.vocabulary import FailedTry, Illegality

_CASTLING: Final = {
    Illegality.CASTLING_OUT_OF_CHECK,
    Illegality.CASTLING_THROUGH_CHECK,
    Illegality.CASTLING_INTO_CHECK,
    Illegality.CASTLING_BLOCKED,
    Illegality.NO_CASTLING_RIGHT,
}
_KINDS: Final = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}


def crossing(board: chess.Board, text: str) -> str:
    """The words of a crossing; empty if the text is no SAN, or denotes several moves."""
    reading = judge(text, board)
    if reading.uci is not None:
        return of_move(board, chess.Move.from_uci(reading.uci))
    if reading.obstacles:
        return _of_obstacle(board, text, reading.obstacles[0])
    return ""


def line_of(one: chess.Square, other: chess.Square) -> str:
    """The line on which two squares stand; ``leap`` if on none."""
    if chess.square_file(one) == chess.square_file(other):
        return "file"
    if chess.square_rank(one) == chess.square_rank(other):
        return "rank"
    return "diagonal" if chess.ray(one, other) else "leap"


def kind_at(board: chess.Board, square: chess.Square) -> str:
    """The kind of the man on a square."""
    return chess.piece_name(board.piece_type_at(square) or chess.PAWN)


def of_move(board: chess.Board, move: chess.Move) -> str:
    """Return who moves, how a check is answered, which men give check then, and who can reply."""
    words = [kind_at(board, move.from_square)]
    if board.is_castling(move):
        words = ["kingside" if move.to_square > move.from_square else "queenside"]
    elif board.is_en_passant(move):
        words.append("toward h" if move.to_square & 7 > move.from_square & 7 else "toward a")
    if board.is_check():
        words += ["answers", _men(board, board.king(board.turn), board.checkers())]
        words.append("by capture" if board.is_capture(move) else "")
    elif board.is_pinned(board.turn, move.from_square):
        words += ["pinned", line_of(board.king(board.turn) or 0, move.from_square)]
    if words == ["king"]:
        words += _beside(board, move.to_square)
    if pinned := _pinned_rivals(board, move):
        words += ["beside pinned", *pinned]
    after = board.copy(stack=False)
    after.push(move)
    if after.is_check():
        words += ["checks by", _men(after, after.king(after.turn), after.checkers())]
        replies = {kind_at(after, reply.from_square) for reply in after.legal_moves}
        captures = {after.is_capture(reply) for reply in after.legal_moves}
        if len(replies) == len(captures) == 1:
            words += ["only", *replies, "by capture" if True in captures else ""]
    return " ".join(word for word in words if word)


def _beside(board: chess.Board, square: chess.Square) -> list[str]:
    """The men of the other player beside a square, and on which line; a pawn is ahead or behind."""
    words = ["near"]
    for man in chess.SquareSet(chess.BB_KING_ATTACKS[square]) & board.occupied_co[not board.turn]:
        words += [kind_at(board, man), line_of(square, man)]
        if kind_at(board, man) == "pawn" and line_of(square, man) != "rank":
            is_ahead = (man > square) == board.turn
            words.append("ahead" if is_ahead else "behind")
    return words if len(words) > 1 else []


def _pinned_rivals(board: chess.Board, move: chess.Move) -> list[str]:
    """The lines on which pieces are pinned that would else be twins."""
    kind = board.piece_type_at(move.from_square)
    if kind in {chess.PAWN, chess.KING, None}:
        return []
    others = board.pieces_mask(kind or 0, board.turn) & ~chess.BB_SQUARES[move.from_square]
    found = {
        line_of(board.king(board.turn) or 0, other.from_square)
        for other in board.generate_pseudo_legal_moves(others, chess.BB_SQUARES[move.to_square])
        if board.is_pinned(board.turn, other.from_square) and not board.is_legal(other)
    }
    return sorted(found)


def _men(board: chess.Board, square: chess.Square | None, men: chess.SquareSet) -> str:
    """The kinds of men, and the lines on which they are seen from a square."""
    found = sorted(
        f"{kind_at(board, man)} on {line_of(square or 0, man)}"
        if kind_at(board, man) not in {"pawn", "knight", "king"}
        else kind_at(board, man)
        for man in men
    )
    return " and ".join(found)


def _of_obstacle(board: chess.Board, text: str, obstacle: FailedTry) -> str:
    by = chess.SquareSet(map(chess.parse_square, obstacle.by))
    origin = chess.parse_square(obstacle.origin) if obstacle.origin else None
    words: list[str] = []
    if obstacle.reason in _CASTLING:
        words.append("queenside" if text.count("-") == 2 or text[1:2] == "c" else "kingside")
        if obstacle.reason is Illegality.CASTLING_BLOCKED:
            return " ".join([*words, *(f"{_whose(board, man)} on {_file(man)}" for man in by)])
        return " ".join([*words, *(f"{kind_at(board, man)} {_seen(board, man)}" for man in by)])
    if origin is None:
        return _KINDS.get(text[:1], "pawn")
    words.append(kind_at(board, origin))
    king = board.king(board.turn) or 0
    match obstacle.reason:
        case Illegality.PINNED | Illegality.CHECK_NOT_ANSWERED:
            captured = board.piece_at(chess.parse_square(_destination(text)))
            words += ["before", _men(board, king, by), "by capture" if captured else ""]
        case Illegality.ATTACKED_SQUARE:
            goal = chess.parse_square(_destination(text))
            words += ["before", _men(board, goal, by)]
            words.append("that guards a man" if board.piece_at(goal) else "")
            words.append("along the line" if by & board.checkers() else "")
        case Illegality.BLOCKED:
            goal = chess.parse_square(_destination(text))
            words += [line_of(origin, goal), *sorted({_whose(board, man) for man in by})]
        case Illegality.NOTHING_TO_CAPTURE | Illegality.NO_EN_PASSANT:
            words.append("toward h" if _destination(text)[0] > obstacle.origin[0] else "toward a")
        case Illegality.CANNOT_REACH:
            goal = chess.parse_square(_destination(text))
            files = abs(chess.square_file(goal) - chess.square_file(origin))
            ranks = chess.square_rank(goal) - chess.square_rank(origin)
            words.append(f"{files} aside, {ranks if board.turn else -ranks} ahead")
        case _:
            pass
    return " ".join(word for word in words if word)


def _destination(text: str) -> str:
    """The square at the end of a text that denotes no legal move."""
    return text.partition("=")[0].rstrip("+#QRBN")[-2:]


def _whose(board: chess.Board, square: chess.Square) -> str:
    return "own man" if board.color_at(square) == board.turn else "other's man"


def _file(square: chess.Square) -> str:
    return chess.square_name(square)[0]


def _seen(board: chess.Board, man: chess.Square) -> str:
    """On which line a piece attacks; nothing to say of pawns, knights and kings."""
    if kind_at(board, man) in {"pawn", "knight", "king"}:
        return ""
    home = chess.square_rank(man) == (0 if board.turn else 7)
    return "on rank" if home else "on line"
