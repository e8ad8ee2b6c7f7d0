"""Explains why no legal move fits a text: what is in the way of each piece that it could mean.

python-chess has decided before that there is no such move.
"""

from typing import Final

import chess

from sanproof.reports.tables.words import joined
from sanproof.verify.notation.position import capital, name_piece, name_pieces, player
from sanproof.verify.notation.text import WrittenParts
from sanproof.verify.notation.vocabulary import FailedTry, Illegality

_ORDER: Final = {reason: place for place, reason in enumerate(Illegality)}
_PROMOTIONS: Final = "QRBN"


def obstacles(written: WrittenParts, board: chess.Board) -> tuple[FailedTry, ...]:
    """Return why no legal move fits the text, the closest piece first."""
    if written.castling:
        obstacle = castling_obstacle(board, kingside=written.castling == "O-O")
        return (obstacle,) if obstacle else ()
    wrong = _promotion_obstacle(written, board)
    if wrong is not None:
        return (wrong,)
    origins = list(chess.scan_forward(_candidates(written, board)))
    if not origins:
        return (_no_such_piece(written, board),)
    found = [o for origin in origins if (o := _from(origin, written, board)) is not None]
    if not found:  # the moves are legal, but for the promotion
        before = Illegality.PROMOTION_BEFORE_LAST_RANK
        return (_of(before if written.promotion else Illegality.PROMOTION_MISSING),)
    near = [o for o in found if o.reason is not Illegality.CANNOT_REACH]
    if not near:
        return (found[0] if len(found) == 1 else _out_of_reach(written, board, found),)
    return tuple(sorted(near, key=lambda o: _ORDER[o.reason]))


def origin_mask(written: WrittenParts, board: chess.Board) -> chess.Bitboard:
    """Return the player's pieces that ``written`` could mean. ``written`` is not castling."""
    mask = board.occupied_co[board.turn]
    if written.piece:
        kind = chess.PIECE_SYMBOLS.index(written.piece.lower())
        mask &= board.pieces_mask(kind, board.turn)
    elif not (written.file and written.rank):
        mask &= board.pawns
    if written.file:
        mask &= chess.BB_FILES[ord(written.file) - ord("a")]
    if written.rank:
        mask &= chess.BB_RANKS[int(written.rank) - 1]
    return mask


def _candidates(written: WrittenParts, board: chess.Board) -> chess.Bitboard:
    """Return the pieces to be asked why they do not move so.

    A pawn on another file is asked only if its file is written, or the move can be a capture.
    """
    mask = origin_mask(written, board)
    if written.piece in {"", "P"} and not (written.file or written.capture):
        square = chess.parse_square(written.destination)
        if not board.piece_at(square) and square != board.ep_square:
            mask &= chess.BB_FILES[chess.square_file(square)]
    return mask


def move_obstacle(
    board: chess.Board, origin: chess.Square, destination: chess.Square
) -> FailedTry | None:
    """Return why the piece on the origin cannot go to the destination, or None if it can."""
    at_home = origin == (chess.E1 if board.turn == chess.WHITE else chess.E8)
    if at_home and board.kings & chess.BB_SQUARES[origin] and abs(destination - origin) == 2:
        return castling_obstacle(board, kingside=destination > origin)
    if (obstacle := _step(board, origin, destination)) is not None:
        return obstacle
    if board.occupied_co[board.turn] & chess.BB_SQUARES[destination]:
        own = f"{player(board.turn)}'s own {name_piece(board, destination).removeprefix('the ')}"
        sentence = f"{name_piece(board, origin)} cannot go where {own} stands"
        return _of(Illegality.OWN_PIECE, origin, [destination], sentence)
    return _king_left_in_check(board, origin, destination)


def castling_obstacle(board: chess.Board, *, kingside: bool) -> FailedTry | None:
    """Return why the player cannot castle on this side, or None if castling is legal."""
    rank = 0 if board.turn == chess.WHITE else 7
    king = chess.square(4, rank)
    rook = chess.square(7 if kingside else 0, rank)
    side = "kingside" if kingside else "queenside"
    who = player(board.turn)
    if not board.clean_castling_rights() & chess.BB_SQUARES[rook]:
        sentence = f"{who} has no right to castle {side} (any more)"
        return _of(Illegality.NO_CASTLING_RIGHT, None, [], sentence)
    between = list(chess.scan_forward(chess.between(king, rook) & board.occupied))
    if between:
        verb = "stands" if len(between) == 1 else "stand"
        sentence = f"{name_pieces(board, between)} {verb} between king and rook"
        return _of(Illegality.CASTLING_BLOCKED, king, between, sentence)
    toward = 1 if kingside else -1
    for steps, reason, what in (
        (0, Illegality.CASTLING_OUT_OF_CHECK, "the king is in check from"),
        (1, Illegality.CASTLING_THROUGH_CHECK, "the king would cross {}, which is attacked by"),
        (2, Illegality.CASTLING_INTO_CHECK, "the king would reach {}, which is attacked by"),
    ):
        square = king + toward * steps
        attackers = list(board.attackers(not board.turn, square))
        if attackers:
            sentence = f"{what.format(chess.square_name(square))} {name_pieces(board, attackers)}"
            return _of(reason, king, attackers, sentence)
    return None


def _promotion_obstacle(written: WrittenParts, board: chess.Board) -> FailedTry | None:
    """Return the fault of a promotion whatever the position is."""
    if not written.promotion:
        return None
    if written.piece not in {"", "P"}:
        return _of(Illegality.PROMOTION_OF_PIECE)
    if not written.piece and written.file and written.rank:
        origin = chess.parse_square(written.file + written.rank)
        if board.piece_type_at(origin) not in {None, chess.PAWN}:
            return _of(Illegality.PROMOTION_OF_PIECE, origin)
    if written.destination[1:] not in {"", "8" if board.turn == chess.WHITE else "1"}:
        return _of(Illegality.PROMOTION_BEFORE_LAST_RANK)
    if written.promotion not in _PROMOTIONS:
        return _of(Illegality.PROMOTION_TO_KING)
    return None


def _no_such_piece(written: WrittenParts, board: chess.Board) -> FailedTry:
    """No piece of the player is described by piece and origin."""
    who, origin = player(board.turn), written.file + written.rank
    if not written.piece and len(origin) == 2:
        square = chess.parse_square(origin)
        if board.piece_at(square):
            piece, owner = name_piece(board, square), player(not board.turn)
            other = f"{piece} is {owner}'s, and {who} is to move"
            return _of(Illegality.OTHER_PLAYERS_PIECE, square, [], other)
        return _of(Illegality.NO_SUCH_PIECE, None, [], f"nothing stands on {origin}")
    kind = chess.PIECE_SYMBOLS.index((written.piece or "P").lower())
    where = {0: "", 1: f" on the {origin}-file", 2: f" on {origin}"}[len(origin)]
    if written.rank and not written.file:
        where = f" on rank {origin}"
    if not origin and board.pieces_mask(kind, board.turn):  # only pawns that could push are asked
        where = f" on the {written.destination[0]}-file"
    return _of(Illegality.NO_SUCH_PIECE, None, [], f"{who} has no {chess.piece_name(kind)}{where}")


def _from(origin: chess.Square, written: WrittenParts, board: chess.Board) -> FailedTry | None:
    """Return the obstacle of one piece that could be meant."""
    if len(written.destination) == 2:
        return move_obstacle(board, origin, chess.parse_square(written.destination))
    ahead = chess.square_rank(origin) + (1 if board.turn == chess.WHITE else -1)
    file = ord(written.destination) - ord("a")
    if abs(file - chess.square_file(origin)) != 1:
        sentence = f"{name_piece(board, origin)} captures only on adjacent files"
        return _of(Illegality.CANNOT_REACH, origin, [], sentence)
    return move_obstacle(board, origin, chess.square(file, ahead))


def _out_of_reach(written: WrittenParts, board: chess.Board, found: list[FailedTry]) -> FailedTry:
    """Return one obstacle for all pieces, none of which can reach the square."""
    kind = board.piece_type_at(chess.parse_square(found[0].origin)) or chess.PAWN
    name = f"{player(board.turn)}'s {chess.piece_name(kind)}s"
    origins = joined([obstacle.origin for obstacle in found])
    where = written.destination if len(written.destination) == 2 else "that file"
    sentence = f"none of {name} can reach {where} in one move, from {origins}"
    return _of(Illegality.CANNOT_REACH, None, [], sentence)


def _step(board: chess.Board, origin: chess.Square, destination: chess.Square) -> FailedTry | None:
    """Say why a piece does not move so, its king apart; None if it does."""
    target, path = chess.BB_SQUARES[destination], chess.between(origin, destination)
    if board.piece_type_at(origin) == chess.PAWN:
        if chess.BB_PAWN_ATTACKS[board.turn][origin] & target:
            return _pawn_capture(board, origin, destination)
        forward, home = (8, 1) if board.turn == chess.WHITE else (-8, 6)
        steps = {forward, 2 * forward} if chess.square_rank(origin) == home else {forward}
        reaches, path = destination - origin in steps, path | target
    else:
        empty = chess.BaseBoard.empty()
        empty.set_piece_at(origin, board.piece_at(origin))
        reaches = bool(empty.attacks_mask(origin) & target)
    what, where = name_piece(board, origin), chess.square_name(destination)
    if not reaches:
        return _of(Illegality.CANNOT_REACH, origin, [], f"{what} cannot reach {where} in one move")
    if not path & board.occupied:
        return None
    blockers = chess.scan_forward(path & board.occupied)
    nearest = min(blockers, key=lambda square: chess.square_distance(origin, square))
    sentence = f"{what} cannot go to {where}: {name_piece(board, nearest)} is in the way"
    return _of(Illegality.BLOCKED, origin, [nearest], sentence)


def _pawn_capture(
    board: chess.Board, origin: chess.Square, destination: chess.Square
) -> FailedTry | None:
    if board.piece_at(destination) or destination == board.ep_square:
        return None
    pawn, square = name_piece(board, origin), chess.square_name(destination)
    beside = chess.square(chess.square_file(destination), chess.square_rank(origin))
    fifth = 4 if board.turn == chess.WHITE else 3
    if chess.square_rank(origin) == fifth and board.piece_at(beside) == chess.Piece(
        chess.PAWN, not board.turn
    ):
        sentence = f"{pawn} may not capture on {square} in passing, according to the position"
        return _of(Illegality.NO_EN_PASSANT, origin, [beside], sentence)
    sentence = f"{pawn} has nothing to capture on {square}"
    return _of(Illegality.NOTHING_TO_CAPTURE, origin, [], sentence)


def _king_left_in_check(
    board: chess.Board, origin: chess.Square, destination: chess.Square
) -> FailedTry | None:
    """Say why a move that the rules of its piece allow leaves the king in check; None if not."""
    checkers = board.checkers()
    move = chess.Move(origin, destination)  # what a pawn becomes hides no line to its own king
    after = board.copy(stack=False)
    after.push(move)
    king = chess.lsb(after.kings & after.occupied_co[board.turn])
    by = list(after.attackers(not board.turn, king))
    if not by:
        return None
    piece, square = name_piece(board, origin), chess.square_name(destination)
    reason, names = Illegality.PINNED, name_pieces(board, by)
    sentence = f"{piece} is pinned to the king on {chess.square_name(king)} by {names}"
    if board.kings & chess.BB_SQUARES[origin]:
        reason = Illegality.ATTACKED_SQUARE
        sentence = f"the king cannot go to {square}, which is attacked by {names}"
    elif len(checkers) == 2:
        reason, by = Illegality.CHECK_NOT_ANSWERED, list(checkers)
        sentence = f"it is double check from {name_pieces(board, by)}: only the king can move"
    elif checkers & chess.SquareSet(by):
        reason, by = Illegality.CHECK_NOT_ANSWERED, list(checkers)
        check = f"the check from {name_pieces(board, by)}"
        sentence = f"{piece} does not answer {check} by going to {square}"
    elif board.is_en_passant(move) and destination in board.pin(board.turn, origin):
        reason = Illegality.EN_PASSANT_EXPOSES_KING
        sentence = f"the capture in passing on {square} opens a line from {names} to the king"
    return _of(reason, origin, by, sentence)


def _of(
    reason: Illegality,
    origin: chess.Square | None = None,
    by: list[chess.Square] | None = None,
    sentence: str = "",
) -> FailedTry:
    named = tuple(chess.square_name(square) for square in by or [])
    square = "" if origin is None else chess.square_name(origin)
    about = capital(sentence) + "." if sentence else reason.sentence
    return FailedTry(reason, square, named, about)
