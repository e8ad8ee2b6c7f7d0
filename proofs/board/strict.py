"""The quick way to read canonical strings, and to write plain moves. Untrusted.

A few attack masks of python-chess say what there is to know, and only a move that gives check is
played. Everything else is left to python-chess, and in :mod:`verify.notation` to ``reading`` and
``writing``, which say the same: a test compares them.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

import chess

_PLAIN: Final = re.compile(
    r"(?:([BKNQR])([a-h]?[1-8]?)|([a-h])(?=x))?(x?)([a-h][1-8])(?:=([BNQR]))?([+#]?)"
)
_FILES: Final = dict(zip(chess.FILE_NAMES, chess.BB_FILES, strict=True))
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


class StrictParts(NamedTuple):
    """The parts of a string that is no castling; ``origin`` is a file, a rank or a square."""

    kind: chess.PieceType
    origin: str
    capture: bool
    destination: chess.Square
    promotion: chess.PieceType | None
    suffix: str


@lru_cache(maxsize=1 << 15)
def _parts(text: str) -> StrictParts | None:
    match = _PLAIN.fullmatch(text)
    if match is None:
        return None
    piece, origin, file, x, square, promotion, suffix = match.groups(default="")
    kind = chess.PIECE_SYMBOLS.index(piece.lower() or "p")
    promoted = chess.PIECE_SYMBOLS.index(promotion.lower()) if promotion else None
    is_last = square[1] in "18"
    if is_last != bool(promotion) if kind == chess.PAWN else promotion:
        return None
    destination = chess.parse_square(square)
    return StrictParts(kind, origin or file, bool(x), destination, promoted, suffix)


def canonical_move(text: str, board: chess.Board) -> chess.Move | None:
    """Return the move whose canonical string a text is, in a statically valid position, or None."""
    parts = _parts(text)
    if parts is None:
        return _rare(text, board) if text.startswith("O-O") else None
    kind, written, capture, destination, promotion, suffix = parts
    if kind == chess.PAWN and bool(written) != capture:
        return None
    right = board.occupied_co[not board.turn] if capture else ~board.occupied
    if not right & chess.BB_SQUARES[destination]:
        return _rare(text, board) if destination == board.ep_square else None
    legal = _legal_origins(board, kind, written if capture else "", destination)
    for origin in legal:
        if kind == chess.PAWN or _discriminator(origin, legal) == written:
            move = chess.Move(origin, destination, promotion)
            return move if _suffix(board, promotion or kind, move) == suffix else None
    return None


def written(move: chess.Move, board: chess.Board, *, may_mate: bool = True) -> str:
    """Return how a legal move is written in a statically valid position.

    Who knows that it does not mate, because another move follows, saves half the time of checks.
    """
    kind, destination = board.piece_type_at(move.from_square), move.to_square
    castles = kind == chess.KING and abs(destination - move.from_square) == 2
    if not kind or castles or (kind == chess.PAWN and destination == board.ep_square):
        return board.san(move)
    legal = [move.from_square]
    if kind != chess.PAWN:
        own = board.pieces_mask(kind, board.turn) & _REACHED[kind][destination]
        if own != chess.BB_SQUARES[move.from_square]:
            legal = _legal_origins(board, kind, "", destination)
    return _spelled(move, board, kind, legal, may_mate=may_mate)


def _spelled(
    move: chess.Move,
    board: chess.Board,
    kind: chess.PieceType,
    legal: list[chess.Square],
    *,
    may_mate: bool = True,
) -> str:
    """Write a legal move that is no castling; pieces of its kind go there from these squares."""
    name, target = chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square]
    x = "x" if board.occupied >> move.to_square & 1 else ""
    if kind == chess.PAWN:
        origin = name[0] if x else ""
    else:
        origin = _LETTERS[kind] + _discriminator(move.from_square, legal)
    become = f"={_LETTERS[move.promotion]}" if move.promotion else ""
    suffix = _suffix(board, move.promotion or kind, move, may_mate=may_mate)
    return f"{origin}{x}{target}{become}{suffix}"


def _legal_origins(
    board: chess.Board, kind: chess.PieceType, file: str, destination: chess.Square
) -> list[chess.Square]:
    """Return whence pieces of a kind can go to a square; a pawn from a file if it captures."""
    if kind == chess.PAWN:
        origins = _pawn(board, file, destination)
    else:
        origins = board.pieces_mask(kind, board.turn) & _REACHED[kind][destination]
    legal = []
    while origins:  # quicker than a generator for the one or two that there are
        origin = origins.bit_length() - 1
        origins ^= chess.BB_SQUARES[origin]
        is_open = not chess.between(origin, destination) & board.occupied
        if is_open and _is_legal(board, kind, origin, destination):
            legal.append(origin)
    return legal


def _rare(text: str, board: chess.Board) -> chess.Move | None:
    """Read castling, or a capture in passing."""
    try:
        move = board.parse_san(text)
    except ValueError:
        return None
    return move if board.san(move) == text else None


def _pawn(board: chess.Board, file: str, destination: chess.Square) -> chess.Bitboard:
    """Return the pawn that captures from a file, or that advances to an empty square."""
    own = board.pawns & board.occupied_co[board.turn]
    if file:
        return board.attackers_mask(board.turn, destination) & own & _FILES[file]
    back, fourth = (-8, 3) if board.turn else (8, 4)
    near = chess.BB_SQUARES[destination + back] if 0 <= destination + back < 64 else 0
    if near & board.occupied or chess.square_rank(destination) != fourth:
        return own & near
    return own & chess.BB_SQUARES[destination + 2 * back]


def _is_legal(
    board: chess.Board, kind: chess.PieceType, origin: chess.Square, destination: chess.Square
) -> bool:
    """Check whether the player's king is safe after a move that the piece can make."""
    target = chess.BB_SQUARES[destination]
    occupied = board.occupied & ~chess.BB_SQUARES[origin] | target
    own = board.kings & board.occupied_co[board.turn]
    king = destination if kind == chess.KING else own.bit_length() - 1
    return not board.attackers_mask(not board.turn, king, occupied) & ~target


def _discriminator(origin: chess.Square, legal: list[chess.Square]) -> str:
    """Return the part of the origin that tells it from the others (PGN standard 8.2.3.4)."""
    if len(legal) == 1:
        return ""
    names = [chess.SQUARE_NAMES[square] for square in legal]
    own = chess.SQUARE_NAMES[origin]
    if sum(name[0] == own[0] for name in names) == 1:
        return own[0]
    return own[1] if sum(name[1] == own[1] for name in names) == 1 else own


def _can_flee(
    board: chess.Board,
    king: chess.Square,
    move: chess.Move,
    reached: chess.Bitboard,
    occupied: chess.Bitboard,
) -> bool:
    """Check whether a king plainly has a safe square after a move, which other pieces leave it."""
    origin, target = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
    flights = chess.BB_KING_ATTACKS[king] & ~reached
    flights &= ~board.occupied_co[not board.turn] | target
    left = occupied & ~chess.BB_SQUARES[king]
    return any(
        not board.attackers_mask(board.turn, square, left) & ~origin
        for square in chess.scan_forward(flights)
    )


def _suffix(
    board: chess.Board, kind: chess.PieceType, move: chess.Move, *, may_mate: bool = True
) -> str:
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
    if not may_mate or _can_flee(board, king, move, reached[destination], occupied):
        return "+"
    after = board.copy(stack=False)
    after.push(move)
    return "+" if any(after.generate_legal_moves()) else "#"
