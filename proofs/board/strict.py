"""Writes plain moves in SAN, several times faster than python-chess. Untrusted.

A few attack masks decide nearly everything, so that only a move that may mate is played. Castling
and captures in passing are left to python-chess, with which a test compares all results.
"""

from typing import Final

import chess

_STRAIGHT: Final = [
    rank[0] | file[0]
    for rank, file in zip(chess.BB_RANK_ATTACKS, chess.BB_FILE_ATTACKS, strict=True)
]
_DIAGONAL: Final = [diagonal[0] for diagonal in chess.BB_DIAG_ATTACKS]
_REACHED: Final = {
    chess.KNIGHT: chess.BB_KNIGHT_ATTACKS,
    chess.BISHOP: _DIAGONAL,
    chess.ROOK: _STRAIGHT,
    chess.QUEEN: [a | b for a, b in zip(_STRAIGHT, _DIAGONAL, strict=True)],
    chess.KING: chess.BB_KING_ATTACKS,
}
"""The squares that a piece reaches from each square of an empty board."""
_LETTERS: Final = "  NBRQK"


def canonical_move(text: str, board: chess.Board) -> chess.Move | None:
    """Return the legal move that SAN writes exactly as ``text``, or None if there is none.

    The position has to be statically valid (``board.is_valid()``).
    """
    try:
        move = board.parse_san(text)
    except ValueError:
        return None
    return move if move and written(move, board) == text else None  # a null move does not count


def written(move: chess.Move, board: chess.Board, *, may_mate: bool = True) -> str:
    """Return the SAN of a legal move in a statically valid position.

    If it is known that the move does not mate, because another one follows, ``may_mate=False``
    halves the time that a check takes.
    """
    kind, destination = board.piece_type_at(move.from_square), move.to_square
    castles = kind == chess.KING and abs(destination - move.from_square) == 2
    if not kind or castles or (kind == chess.PAWN and destination == board.ep_square):
        return board.san(move)
    origin, target = chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[destination]
    x = "x" if board.occupied >> destination & 1 else ""
    if kind == chess.PAWN:
        named = origin[0] if x else ""
    else:
        named = _LETTERS[kind] + _discriminator(board, kind, move)
    become = f"={_LETTERS[move.promotion]}" if move.promotion else ""
    suffix = _suffix(board, move.promotion or kind, move, may_mate=may_mate)
    return f"{named}{x}{target}{become}{suffix}"


def _discriminator(board: chess.Board, kind: chess.PieceType, move: chess.Move) -> str:
    """Return the part of the origin that tells it from its twins' (PGN standard 8.2.3.4)."""
    own, destination = chess.BB_SQUARES[move.from_square], move.to_square
    others = board.pieces_mask(kind, board.turn) & _REACHED[kind][destination] & ~own
    twins = [
        chess.SQUARE_NAMES[square]
        for square in chess.scan_forward(others)
        if not chess.between(square, destination) & board.occupied
        and _leaves_king_safe(board, square, destination)
    ]
    if not twins:
        return ""
    name = chess.SQUARE_NAMES[move.from_square]
    if all(twin[0] != name[0] for twin in twins):
        return name[0]
    return name[1] if all(twin[1] != name[1] for twin in twins) else name


def _leaves_king_safe(board: chess.Board, origin: chess.Square, destination: chess.Square) -> bool:
    """Check whether the player's king, which stays, is safe after a piece's move."""
    target = chess.BB_SQUARES[destination]
    occupied = board.occupied & ~chess.BB_SQUARES[origin] | target
    king = (board.kings & board.occupied_co[board.turn]).bit_length() - 1
    return not board.attackers_mask(not board.turn, king, occupied) & ~target


def _suffix(board: chess.Board, kind: chess.PieceType, move: chess.Move, *, may_mate: bool) -> str:
    """Return the suffix of a legal move, after which a piece of this kind stands there."""
    destination = move.to_square
    left = board.occupied & ~chess.BB_SQUARES[move.from_square]
    occupied = left | chess.BB_SQUARES[destination]
    other = board.kings & board.occupied_co[not board.turn]
    king = other.bit_length() - 1  # of the only bit
    reached = chess.BB_PAWN_ATTACKS[board.turn] if kind == chess.PAWN else _REACHED[kind]
    if not reached[destination] & other or chess.between(destination, king) & occupied:
        lines = board.bishops | board.rooks | board.queens
        lines &= chess.ray(move.from_square, king) & left  # else nothing can be discovered
        if not (
            lines & board.occupied_co[board.turn]
            and board.attackers_mask(board.turn, king, occupied)
        ):
            return ""
    if not may_mate:
        return "+"
    after = board.copy(stack=False)
    after.push(move)
    return "+" if any(after.generate_legal_moves()) else "#"
