"""Says whether a position and a text have a mechanism: no case stands under a wrong name.

python-chess decides what is legal, ``sanproof read`` what a text denotes.
"""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Final

import chess

from conformance.suite.mechanisms import (
    MECHANISMS,
    Mechanism,
    MoveMechanism,
    RefusedMechanism,
)
from conformance.suite.recognise_texts import TEXTS
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.questions import read_criteria
from sanproof.proofs.find.terms import unmet
from sanproof.verify.notation.reading import Reading, ReadingVerdict, judge

_BESIDES: Final = "what the name says besides"
_NEAR: Final = 2
_SEVENTY_FIVE: Final = 150
"""So many half moves without a capture or a move of a pawn end the game (FIDE 9.6.2)."""


def wrong_with(name: str, board: chess.Board, text: str, *, alone: bool = True) -> str | None:
    """Return what a position and a text lack to have a mechanism; None if they have it.

    Of a mechanism of moves, the text is the move in SAN. Unless it has to be alone, what keeps it
    apart from others does not count: the criteria that say what must not be.
    """
    return Asked(board, text).wrong_with(name, alone=alone)


class Asked:
    """A position and a text, of which one can ask for several mechanisms: it is read once."""

    def __init__(self, board: chess.Board, text: str) -> None:
        self.board = board
        self.text = text
        self.reading = judge(text, board)

    @cached_property
    def position(self) -> PlayedMove:
        """The move that the text denotes; if none, any that is legal."""
        uci = self.reading.uci
        if uci is None:
            return PlayedMove(self.board, next(iter(self.board.legal_moves), chess.Move.null()))
        return PlayedMove(self.board, chess.Move.from_uci(uci))

    def wrong_with(self, name: str, *, alone: bool = True) -> str | None:
        """See :func:`wrong_with`."""
        mechanism = MECHANISMS[name]
        wrong = _wrong_reading(mechanism, self.reading)
        if wrong is None and name in TEXTS and not TEXTS[name](self.text, self.board, self.reading):
            wrong = _BESIDES
        if wrong is None and isinstance(mechanism, MoveMechanism | RefusedMechanism):
            criteria = _criteria(mechanism.criteria)
            needed = criteria if alone else [one for one in criteria if not one.negated]
            wrong = ", ".join(map(str, unmet(needed, self.position))) or None
            if wrong is None and name in FURTHER and not FURTHER[name](self.position):
                wrong = _BESIDES
        return wrong and f"{self.text!r} in {self.board.fen()} is no case of {name}: {wrong}"


def _wrong_reading(mechanism: Mechanism, reading: Reading) -> str | None:
    found = reading.verdict
    if isinstance(mechanism, MoveMechanism):
        return None if found is ReadingVerdict.CANONICAL else reading.sentence
    if isinstance(mechanism, RefusedMechanism):
        if mechanism.reason is None:
            return (
                None
                if found in {ReadingVerdict.AMBIGUOUS, ReadingVerdict.NOT_SAN}
                else reading.sentence
            )
        return None if reading.reason is mechanism.reason else reading.sentence
    if found is ReadingVerdict.UNDERSTANDABLE and reading.deviations == mechanism.deviations:
        return None
    return f"{reading.sentence} {[deviation.value for deviation in reading.deviations]}"


_criteria = cache(read_criteria)


def _twin_pins(position: PlayedMove) -> bool:
    """A twin pins a man of the other player to the king."""
    board = position.board
    king = chess.BB_SQUARES[position.their_king]
    for twin in position.twins:
        for square in chess.SquareSet(board.occupied_co[not position.us]):
            line = board.pin(not position.us, square)
            if line != chess.BB_ALL and twin in line and int(line) & king:
                return True
    return False


def _pinned_on(same_file: bool) -> Callable[[PlayedMove], bool]:
    """A capture in passing is forbidden by a pin on the file, or on a diagonal."""

    def is_so(position: PlayedMove) -> bool:
        king = position.board.king(position.us)
        pinned = [
            move.from_square
            for move in position.takers
            if position.board.is_pinned(position.us, move.from_square)
        ]
        files = {chess.square_file(square) for square in pinned}
        on_file = king is not None and chess.square_file(king) in files
        return bool(pinned) and on_file == same_file

    return is_so


def _just_passed(position: PlayedMove) -> bool:
    """A pawn has passed a square, and no pawn may capture it there."""
    return position.board.ep_square is not None and not position.legal_takers


def _promoted(position: PlayedMove) -> bool:
    """There are more pieces of the kind than at the start."""
    kind = position.kind or chess.PAWN
    return len(position.board.pieces(kind, position.us)) > 2


def _pawn_or_bishop(position: PlayedMove) -> bool:
    """A pawn of the b-file and a bishop can both capture on the square."""
    to, board = position.move.to_square, position.board
    kinds = {
        board.piece_type_at(move.from_square)
        for move in board.generate_legal_captures()
        if move.to_square == to
        and (
            board.piece_type_at(move.from_square) == chess.BISHOP
            or chess.square_file(move.from_square) == 1
        )
    }
    return {chess.PAWN, chess.BISHOP} <= kinds and (
        position.kind == chess.BISHOP or chess.square_file(position.move.from_square) == 1
    )


def _line_of_pin(position: PlayedMove) -> chess.SquareSet:
    """Where a pinned man may stand; empty if it is not pinned."""
    board, origin = position.board, position.move.from_square
    is_pinned = board.is_pinned(position.us, origin)
    return board.pin(position.us, origin) if is_pinned else chess.SquareSet()


def _along_pin(position: PlayedMove) -> bool:
    return not position.board.is_check() and position.move.to_square in _line_of_pin(position)


def _in_double_check(position: PlayedMove) -> bool:
    return len(position.board.checkers()) > 1


def _promoted_back(position: PlayedMove) -> bool:
    """The pawn's origin is between the new piece and the king."""
    between = chess.between(position.move.to_square, position.their_king)
    return bool(between & chess.BB_SQUARES[position.move.from_square])


def _near(position: PlayedMove) -> bool:
    """One man of the other player is nearest to the king's new square, at most two steps away."""
    square = position.move.to_square
    men = chess.SquareSet(position.board.occupied_co[not position.us])
    distances = sorted(chess.square_distance(square, man) for man in men)
    return distances[0] <= _NEAR and distances[1:2] != distances[:1]


def _dead(position: PlayedMove) -> bool:
    return position.after.is_insufficient_material()


def _seventy_five(position: PlayedMove) -> bool:
    return position.after.halfmove_clock >= _SEVENTY_FIVE


def _castles_as_piece(position: PlayedMove) -> bool:
    way = position.move.uci()
    return position.kind != chess.KING and way in {"e1g1", "e1c1", "e8g8", "e8c8"}


def _castles_to(name: str) -> Callable[[PlayedMove], bool]:
    """Castling to a side, which the canonical text names."""
    return lambda position: position.board.san(position.move).rstrip("+#") == name


def _shielded(position: PlayedMove) -> bool:
    """A piece looks at a square of the castling king's way, with one man between."""
    board, move = position.board, position.move
    way = (move.from_square, (move.from_square + move.to_square) // 2, move.to_square)
    pieces = chess.SquareSet(board.occupied_co[not position.us])
    return any(
        _looks_at(board.piece_type_at(piece), piece, square)
        and len(chess.SquareSet(chess.between(piece, square) & board.occupied)) == 1
        for piece in pieces
        for square in way
    )


def _looks_at(kind: chess.PieceType | None, piece: chess.Square, square: chess.Square) -> bool:
    """Check whether a bishop, rook or queen would attack a square on an empty board."""
    if kind not in {chess.BISHOP, chess.ROOK, chess.QUEEN}:
        return False
    empty = chess.Board(None)
    empty.set_piece_at(piece, chess.Piece(kind, chess.WHITE))
    return square in empty.attacks(piece)


def _on_passed_square(position: PlayedMove) -> bool:
    return position.move.to_square == position.board.ep_square


def _shut_off(position: PlayedMove) -> bool:
    """A piece of the kind would reach the square on an empty board, and another man is between."""
    board, move = position.board, position.move
    if position.kind not in {chess.BISHOP, chess.ROOK, chess.QUEEN}:
        return False
    others = board.pieces(position.kind, position.us) - chess.SquareSet([move.from_square])
    return any(
        _looks_at(position.kind, square, move.to_square)
        and chess.between(square, move.to_square)
        & board.occupied
        & ~chess.BB_SQUARES[move.from_square]
        for square in others
    )


FURTHER: Final[dict[str, Callable[[PlayedMove], bool]]] = {
    "castling.kingside": _castles_to("O-O"),
    "castling.queenside": _castles_to("O-O-O"),
    "castling.not-by-piece": _castles_as_piece,
    "castling.shielded": _shielded,
    "check.dead-position": _dead,
    "check.in-double-check": _in_double_check,
    "check.promoted-back": _promoted_back,
    "disambiguation.shut-off": _shut_off,
    "en-passant.not-by-piece": _on_passed_square,
    "king.near": _near,
    "mate.seventy-five": _seventy_five,
    "pin.along": _along_pin,
    "pin.taken": _along_pin,
    "disambiguation.pinned-promoted-twin": _promoted,
    "disambiguation.b-pawn-not-bishop": _pawn_or_bishop,
    "disambiguation.bishop-not-b-pawn": _pawn_or_bishop,
    "disambiguation.pinner-twin": _twin_pins,
    "en-passant.diagonal-pin": _pinned_on(same_file=False),
    "en-passant.file-pin": _pinned_on(same_file=True),
    "en-passant.not-named": _just_passed,
}
"""What some mechanisms ask for besides their criteria."""
