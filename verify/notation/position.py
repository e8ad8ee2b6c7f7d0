"""Reads positions that users give, and names their pieces in words."""

from collections.abc import Iterable
from typing import Final

import chess

from sanproof.reports.tables.words import joined

_WRONG: Final = {
    chess.STATUS_NO_WHITE_KING: "White has no king",
    chess.STATUS_NO_BLACK_KING: "Black has no king",
    chess.STATUS_TOO_MANY_KINGS: "there are more than two kings",
    chess.STATUS_TOO_MANY_WHITE_PAWNS: "White has more than eight pawns",
    chess.STATUS_TOO_MANY_BLACK_PAWNS: "Black has more than eight pawns",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn stands on the first or the last rank",
    chess.STATUS_TOO_MANY_WHITE_PIECES: "White has more than sixteen pieces",
    chess.STATUS_TOO_MANY_BLACK_PIECES: "Black has more than sixteen pieces",
    chess.STATUS_BAD_CASTLING_RIGHTS: "a castling right is given, but king or rook is not at home",
    chess.STATUS_INVALID_EP_SQUARE: "no pawn can just have passed the en passant square",
    chess.STATUS_OPPOSITE_CHECK: "the player who is not to move is in check",
    chess.STATUS_EMPTY: "the board is empty",
    chess.STATUS_TOO_MANY_CHECKERS: "more than two pieces give check",
    chess.STATUS_IMPOSSIBLE_CHECK: "no move can have given the check",
}
"""The faults that python-chess finds in positions, in words."""
_LONGEST_FEN: Final = 90
"""The most characters of a FEN that are shown."""
_MOST_FEN: Final = 200
"""No FEN is longer; a longer text takes python-chess much memory to refuse."""


class FenError(ValueError):
    """A FEN cannot be read, or no game reaches its position. The message is a sentence."""


def board_of(position: str | chess.Board) -> chess.Board:
    """Return the board of a FEN, whose last fields may be missing (``w - - 0 1``), or copy a board.

    Raises:
        FenError: The text is not a FEN, or the board is of a variant, or the position is statically
            invalid. Then no game reaches it (FIDE 3.10.3), and legal moves have no meaning in it.
        TypeError: ``position`` is neither a ``str`` nor a board.
    """
    if isinstance(position, chess.Board):
        if type(position) is not chess.Board or position.chess960:
            raise FenError("The board is of a chess variant: only standard chess is supported.")
        board = position.copy(stack=False)
    elif isinstance(position, str):
        board = _read_fen(position)
    else:
        raise TypeError(f"{position!r} is neither a FEN nor a chess.Board")
    status = board.status()
    if status != chess.STATUS_VALID:
        fen = position if isinstance(position, str) else board.fen(en_passant="fen")
        wrong = "; ".join(words for flag, words in _WRONG.items() if status & flag)
        what = f"{shown(fen, _LONGEST_FEN)} is not a position of a legal game: {wrong}."
        raise FenError(what + _advice(board))
    return board


def _advice(board: chess.Board) -> str:
    """Return the FEN without false castling rights and en passant square, if that is valid."""
    mended = board.copy(stack=False)
    mended.castling_rights = board.clean_castling_rights()
    if mended.status() & chess.STATUS_INVALID_EP_SQUARE:
        mended.ep_square = None
    return f" {mended.fen(en_passant='fen')} would do." if mended.is_valid() else ""


def _read_fen(fen: str) -> chess.Board:
    if len(fen) > _MOST_FEN:
        raise FenError(f"{shown(fen, _LONGEST_FEN)} is not a FEN: it is too long.")
    try:
        return chess.Board(fen)
    except ValueError as error:
        why = str(error).partition(":")[0].rstrip(".?!")
        raise FenError(f"{shown(fen, _LONGEST_FEN)} is not a FEN: {why}.") from error


def shown(text: str, longest: int = 40) -> str:
    """Return a text as a sentence can quote it, whatever its length and content."""
    start = text if len(text) <= longest else text[: longest - 3] + "..."
    return "".join(c if "♔" <= c <= "♟" else ascii(c)[1:-1] for c in start).join("''")


def player(colour: chess.Color) -> str:
    """Return ``White`` or ``Black``."""
    return "White" if colour == chess.WHITE else "Black"


def name_piece(board: chess.Board, square: chess.Square) -> str:
    """Name the piece on an occupied square, such as ``the bishop on b4``."""
    kind = board.piece_type_at(square)
    name = "piece" if kind is None else chess.piece_name(kind)
    return f"the {name} on {chess.square_name(square)}"


def name_pieces(board: chess.Board, squares: Iterable[chess.Square]) -> str:
    """Name the pieces on these squares, joined by commas and *and*."""
    return joined([name_piece(board, square) for square in squares])


def told_apart(board: chess.Board, move: chess.Move) -> str:
    """Say which part of the origin is written to tell a legal move's piece from its twins.

    Twins are the other pieces of the kind that can go there too. Without twins the text is empty.
    """
    kind, to = board.piece_type_at(move.from_square) or chess.PAWN, chess.BB_SQUARES[move.to_square]
    mask = board.pieces_mask(kind, board.turn) & ~chess.BB_SQUARES[move.from_square]
    twins = sorted(twin.from_square for twin in board.generate_legal_moves(mask, to))
    if kind == chess.PAWN or not twins:
        return ""
    square = chess.square_name(move.from_square)
    same_file = [twin for twin in twins if chess.square_name(twin)[0] == square[0]]
    same_rank = [twin for twin in twins if chess.square_name(twin)[1] == square[1]]
    piece = chess.piece_name(kind)
    verb = "are" if len(same_file) > 1 else "is"
    shared = f"{name_pieces(board, same_file)} {verb} on the file of the {piece} that moves"
    if not same_file:
        none = "it is not" if len(twins) == 1 else "none of them is"
        what = f"{none} on the {square[0]}-file, so the file"
    elif not same_rank:
        what = f"{shared}, but none is on its rank, so the rank"
    else:
        what = f"{shared} and {name_pieces(board, same_rank)} on its rank, so the square"
    can = ("can go", "can both go", "can all go")[min(len(twins), 3) - 1]
    names = capital(name_pieces(board, twins))
    return f"{names} {can} to {chess.square_name(move.to_square)}, too: {what} is written."


def capital(sentence: str) -> str:
    """Return a sentence with its first letter as a capital."""
    return sentence[:1].upper() + sentence[1:]
