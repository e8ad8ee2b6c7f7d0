"""Witnesses that are made of others without asking a solver. Untrusted.

Of a quiet move captures are made: a black piece is put where the move goes, and mostly it is then
written as it was, with an x. If not, one more piece is put elsewhere, until python-chess writes
what is wanted. With a solver, a cube of captures would cost its formula, which takes longer than
all its strings take here.

Of a mate a check and a move without suffix are made, by moving Black's king: where White's pieces
attack it after the move the suffix is ``+`` or ``#``, elsewhere it is empty.
"""

from collections.abc import Iterable, Iterator

import chess

from sanproof.proofs.board.fens import write_fen
from sanproof.proofs.board.witness import Witness
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.rules.squares import square_name


def captures_from(quiet: Iterable[Witness]) -> Iterator[Witness]:
    """Witnesses of captures on the same square by the same kind of piece, with the same suffix.

    For a pawn's move to d4 these are the captures from the files c and e. There is not always one
    for each quiet move: that nothing is found here says nothing.
    """
    for witness in quiet:
        san = parse_san(witness.san)
        board, move = chess.Board(witness.fen), chess.Move.from_uci(witness.uci)
        if san.piece:
            yield from _capture(str(san._replace(capture="x")), board, move)
        else:
            yield from _pawn_captures(san, board, move)


def _pawn_captures(san: San, before: chess.Board, move: chess.Move) -> Iterator[Witness]:
    """Make captures by the pawn on a file beside its own, exchanged with what stands there."""
    destination = move.to_square
    for step in (-1, 1):
        origin = destination - 8 + step
        if chess.square_distance(origin, destination) > 1:
            continue  # beyond the edge of the board
        board = before.copy(stack=False)
        other = board.remove_piece_at(origin)
        board.set_piece_at(origin, board.remove_piece_at(move.from_square))
        board.set_piece_at(move.from_square, other)
        text = str(san._replace(file=square_name(origin)[0], capture="x"))
        yield from _capture(text, board, chess.Move(origin, destination, move.promotion))


def _capture(text: str, before: chess.Board, move: chess.Move) -> Iterator[Witness]:
    """One witness whose move has this SAN, if any is found."""
    for board in _with_piece_to_take(before, move):
        if board.was_into_check():  # four in five, and soon seen
            continue
        if board.is_valid() and board.is_legal(move) and board.san(move) == text:
            fen = write_fen(board)
            board.push(move)
            yield Witness(text, fen, move.uci(), write_fen(board))
            return


def _with_piece_to_take(before: chess.Board, move: chess.Move) -> Iterator[chess.Board]:
    """Yield the position with a black piece on the destination, then with another moved too.

    A board is to be used before the next is asked for.
    """
    boards = []
    for square in chess.scan_forward(before.occupied_co[chess.BLACK] & ~before.kings):
        board = before.copy(stack=False)
        board.set_piece_at(move.to_square, board.remove_piece_at(square))
        boards.append(board)
    yield from boards
    for board in boards:
        ends = chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]
        empty = chess.SquareSet(~board.occupied)
        for square in chess.scan_forward(board.occupied & ~ends):
            piece = board.remove_piece_at(square)
            for elsewhere in empty:
                board.set_piece_at(elsewhere, piece)
                yield board
                board.remove_piece_at(elsewhere)
            board.set_piece_at(square, piece)


def with_king_elsewhere(witness: Witness) -> Iterator[Witness]:
    """Witnesses of the same move without a suffix and with ``+``, where a square is found for them.

    Black's king goes to the nearest square that will do, and always has a reply.
    """
    board, move = chess.Board(witness.fen), chess.Move.from_uci(witness.uci)
    (king,) = chess.SquareSet(board.kings & board.occupied_co[chess.BLACK])
    board.remove_piece_at(king)
    after = board.copy(stack=False)
    after.push(move)
    attacked = _attacked(after)
    free = ~(board.occupied | after.occupied | _attacked(board))
    bare = witness.san.rstrip("+#")
    for text, squares in ((bare, free & ~attacked), (bare + "+", free & attacked)):
        if text != witness.san:
            nearest = sorted(chess.SquareSet(squares), key=lambda s: chess.square_distance(s, king))
            yield from _first(text, board, move, nearest)


def _attacked(board: chess.Board) -> int:
    """All squares that White attacks, as a bitboard."""
    mask = 0
    for square in chess.scan_forward(board.occupied_co[chess.WHITE]):
        mask |= board.attacks_mask(square)
    return mask


def _first(
    text: str, board: chess.Board, move: chess.Move, squares: list[chess.Square]
) -> Iterator[Witness]:
    """One witness with Black's king on one of the squares, if the move keeps its SAN on any."""
    for square in squares:
        board.set_piece_at(square, chess.Piece(chess.KING, chess.BLACK))
        if board.is_valid() and board.is_legal(move) and board.san(move) == text:
            after = board.copy(stack=False)
            after.push(move)
            if any(after.generate_legal_moves()):
                yield Witness(text, write_fen(board), move.uci(), write_fen(after))
                board.remove_piece_at(square)
                return
        board.remove_piece_at(square)
