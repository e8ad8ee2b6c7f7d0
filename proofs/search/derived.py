"""Witnesses that are made of others without asking a solver. Untrusted.

A capture is derived from a quiet move: a black piece is put where the move goes, and mostly it is
then written as it was, with an x. If not, one more piece is put elsewhere, until python-chess
writes what is wanted. With a solver, a cube of captures would cost its formula, which takes longer
than all its strings take here.

Moving Black's king turns a mate into a check, or into neither: where White's pieces attack it after
the move the suffix is ``+`` or ``#``, elsewhere it is empty.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

import chess

from sanproof.proofs.board.witness import Witness, witness_on
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.rules.squares import square_name


def captures_from(quiet: Iterable[Witness]) -> Iterator[Witness]:
    """Witnesses of captures on the same square by the same kind of piece, with the same suffix.

    For a pawn's move to d4 these are the captures from the files c and e, by a pawn that is
    exchanged with what stands there. There is not always one for each quiet move: that nothing is
    found here says nothing.
    """
    for witness in quiet:
        san, before = parse_san(witness.san), chess.Board(witness.fen)
        move = chess.Move.from_uci(witness.uci)
        if san.piece:
            yield from _capture(str(san._replace(capture="x")), before, move)
            continue
        for step in (-1, 1):
            origin = move.to_square - 8 + step
            if chess.square_distance(origin, move.to_square) > 1:
                continue  # beyond the edge of the board
            board = before.copy(stack=False)
            other = board.remove_piece_at(origin)
            board.set_piece_at(origin, board.remove_piece_at(move.from_square))
            board.set_piece_at(move.from_square, other)
            text = str(san._replace(file=square_name(origin)[0], capture="x"))
            yield from _capture(text, board, chess.Move(origin, move.to_square, move.promotion))


def _capture(text: str, before: chess.Board, move: chess.Move) -> Iterator[Witness]:
    """Yield one witness whose move has this SAN, if any is found."""
    found = (witness_on(board, move, text) for board in _with_piece_to_take(before, move))
    return islice(filter(None, found), 1)


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
    ends = chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]
    for board in boards:
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
            found = (_with_king_on(square, text, board, move) for square in nearest)
            yield from islice(filter(None, found), 1)


def _attacked(board: chess.Board) -> int:
    """Return all squares that White attacks, as a bitboard."""
    mask = 0
    for square in chess.scan_forward(board.occupied_co[chess.WHITE]):
        mask |= board.attacks_mask(square)
    return mask


def _with_king_on(
    square: chess.Square, text: str, without: chess.Board, move: chess.Move
) -> Witness | None:
    board = without.copy(stack=False)
    board.set_piece_at(square, chess.Piece(chess.KING, chess.BLACK))
    made = witness_on(board, move, text)
    return made if made and any(chess.Board(made.after_fen).generate_legal_moves()) else None
