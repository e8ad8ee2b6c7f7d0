"""Says whether a position and a text have a mechanism: no case stands under a wrong name.

python-chess decides what is legal, ``sanproof read`` what a text denotes.
"""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Final

import chess

from conformance.suite.mechanisms import MECHANISMS, Mechanism
from conformance.suite.recognise_positions import NAMES, wrong_position
from conformance.suite.recognise_rules import RULES, along_pin
from conformance.suite.recognise_texts import TEXTS
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.terms import unmet
from sanproof.proofs.find.words import read_criteria
from sanproof.verify.notation.reading import Reading, ReadingVerdict, judge

_NEAR: Final = 2
_SEVENTY_FIVE: Final = 150
"""The half-moves without a capture or a pawn move that end the game (FIDE 9.6.2)."""


def wrong_with(name: str, board: chess.Board, text: str | None) -> str | None:
    """Return what a position and a text lack to have a mechanism; None if they have it.

    Of a mechanism of moves, the text is the move in SAN.
    """
    if name in NAMES:
        return wrong_position(name, board, text)
    if name not in MECHANISMS or text is None:
        return f"there is no mechanism {name}"
    return CaseText(board, text).wrong_with(name)


class CaseText:
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
        """Return what is lacking for a mechanism; None if nothing is.

        Unless it has to be alone, what keeps it apart from others does not count: the criteria
        that say what must not be.
        """
        mechanism = MECHANISMS[name]
        wrong = _wrong_reading(mechanism, self.reading)
        is_so = TEXTS.get(name)
        if wrong is None and is_so is not None and not is_so(self.text, self.board, self.reading):
            wrong = "what the name says besides"
        if wrong is None and mechanism.sort != "spelling":
            criteria = _criteria(mechanism.criteria)
            needed = criteria if alone else [one for one in criteria if not one.negated]
            wrong = ", ".join(map(str, unmet(needed, self.position))) or None
            if wrong is None and name in FURTHER and not FURTHER[name](self.position):
                wrong = "what the name says besides"
        return wrong and f"{self.text!r} in {self.board.fen()} is no case of {name}: {wrong}"


def _wrong_reading(mechanism: Mechanism, reading: Reading) -> str | None:
    if mechanism.sort == "move":
        is_right = reading.verdict is ReadingVerdict.CANONICAL
    elif mechanism.is_refused and mechanism.reason is None:
        is_right = reading.verdict in {ReadingVerdict.AMBIGUOUS, ReadingVerdict.NOT_SAN}
    elif mechanism.is_refused:
        is_right = reading.reason is mechanism.reason
    else:
        is_right = reading.verdict is ReadingVerdict.UNDERSTANDABLE
        is_right = is_right and reading.deviations == mechanism.deviations
    said = (deviation.value for deviation in reading.deviations)
    return None if is_right else " ".join([reading.sentence, *said])


_criteria = cache(read_criteria)


def _twin_pins(position: PlayedMove) -> bool:
    """Check whether a twin pins a piece or pawn of the other player to the king."""
    board = position.board
    king = chess.BB_SQUARES[position.their_king]
    for twin in position.twins:
        for square in chess.SquareSet(board.occupied_co[not position.us]):
            line = board.pin(not position.us, square)
            if line != chess.BB_ALL and twin in line and int(line) & king:
                return True
    return False


def _pinned_on(*, file: bool) -> Callable[[PlayedMove], bool]:
    """Return a test: a pin on the file, or on a diagonal, forbids a capture in passing."""

    def is_so(position: PlayedMove) -> bool:
        pinned = [
            move.from_square
            for move in position.takers
            if position.board.is_pinned(position.us, move.from_square)
        ]
        files = set(map(chess.square_file, pinned))
        return bool(pinned) and (chess.square_file(position.own_king) in files) == file

    return is_so


def _pawn_or_bishop(position: PlayedMove) -> bool:
    """Check whether a pawn of the b-file and a bishop can both capture on the square."""
    to, board = position.move.to_square, position.board

    def could_be(square: chess.Square) -> bool:
        return board.piece_type_at(square) == chess.BISHOP or chess.square_file(square) == 1

    origins = [move.from_square for move in board.generate_legal_captures() if move.to_square == to]
    kinds = {board.piece_type_at(origin) for origin in filter(could_be, origins)}
    return {chess.PAWN, chess.BISHOP} <= kinds and could_be(position.move.from_square)


def _promoted_back(position: PlayedMove) -> bool:
    """Check whether the pawn's origin is between the new piece and the king."""
    between = chess.between(position.move.to_square, position.their_king)
    return bool(between & chess.BB_SQUARES[position.move.from_square])


def _near(position: PlayedMove) -> bool:
    """Check whether one enemy is nearest to the king's new square, at most two steps away."""
    square = position.move.to_square
    enemies = chess.SquareSet(position.board.occupied_co[not position.us])
    distances = sorted(chess.square_distance(square, enemy) for enemy in enemies)
    return distances[0] <= _NEAR and distances[1:2] != distances[:1]


def _castles_to(name: str) -> Callable[[PlayedMove], bool]:
    """Return a test for castling to a side, which the canonical text names."""
    return lambda position: position.board.san(position.move).rstrip("+#") == name


def _castles_as_piece(position: PlayedMove) -> bool:
    way = position.move.uci()
    return position.kind != chess.KING and way in {"e1g1", "e1c1", "e8g8", "e8c8"}


def _shielded(position: PlayedMove) -> bool:
    """Check whether a piece looks at the castling king's way, with one piece or pawn between."""
    board, move = position.board, position.move
    way = (move.from_square, (move.from_square + move.to_square) // 2, move.to_square)
    return any(
        _looks_at(board.piece_type_at(piece), piece, square)
        and len(chess.SquareSet(chess.between(piece, square) & board.occupied)) == 1
        for piece in chess.SquareSet(board.occupied_co[not position.us])
        for square in way
    )


def _looks_at(kind: chess.PieceType | None, piece: chess.Square, square: chess.Square) -> bool:
    """Check whether a bishop, rook or queen would attack a square on an empty board."""
    if kind not in {chess.BISHOP, chess.ROOK, chess.QUEEN}:
        return False
    empty = chess.Board(None)
    empty.set_piece_at(piece, chess.Piece(kind, chess.WHITE))
    return square in empty.attacks(piece)


def _shut_off(position: PlayedMove) -> bool:
    """Check whether a piece of the kind would reach the square, but another one is between."""
    board, move, kind = position.board, position.move, position.kind or chess.PAWN
    others = board.pieces(kind, position.us) - chess.SquareSet([move.from_square])
    between = board.occupied & ~chess.BB_SQUARES[move.from_square]
    return any(
        _looks_at(kind, square, move.to_square) and chess.between(square, move.to_square) & between
        for square in others
    )


def _is_dead(position: PlayedMove) -> bool:
    return position.after.is_insufficient_material()


def _ends_seventy_five(position: PlayedMove) -> bool:
    return position.after.halfmove_clock >= _SEVENTY_FIVE


def _would_castle(position: PlayedMove) -> bool:
    """Check whether the mated player could castle without the checkers, over unattacked squares."""
    board = position.after.copy(stack=False)
    for checker in board.checkers():
        board.remove_piece_at(checker)
    return any(
        not position.after.is_attacked_by(position.us, square)
        for move in filter(board.is_castling, board.legal_moves)
        for square in [(move.from_square + move.to_square) // 2]
    )


FURTHER: Final[dict[str, Callable[[PlayedMove], bool]]] = {
    **RULES,
    "castling.kingside": _castles_to("O-O"),
    "castling.queenside": _castles_to("O-O-O"),
    "castling.not-by-piece": _castles_as_piece,
    "castling.shielded": _shielded,
    "check.dead-position": _is_dead,
    "check.none-in-dead-position": _is_dead,
    "mate.no-castling": _would_castle,
    **dict.fromkeys(
        ("check.none-at-seventy-five", "check.seventy-five", "mate.seventy-five"),
        _ends_seventy_five,
    ),
    "check.in-double-check": lambda position: len(position.board.checkers()) > 1,
    "check.promoted-back": _promoted_back,
    "disambiguation.shut-off": _shut_off,
    "en-passant.not-by-piece": lambda position: position.move.to_square == position.board.ep_square,
    "king.near": _near,
    "pin.along": along_pin,
    "pin.taken": along_pin,
    "disambiguation.pinned-promoted-twin": lambda position: (
        len(position.board.pieces(position.kind or chess.PAWN, position.us)) > 2
    ),
    "disambiguation.b-pawn-not-bishop": _pawn_or_bishop,
    "disambiguation.bishop-not-b-pawn": _pawn_or_bishop,
    "disambiguation.pinner-twin": _twin_pins,
    "en-passant.diagonal-pin": _pinned_on(file=False),
    "en-passant.file-pin": _pinned_on(file=True),
    "en-passant.not-named": lambda position: (
        position.board.ep_square is not None and not position.legal_takers
    ),
}
"""The conditions of some mechanisms besides their criteria."""
