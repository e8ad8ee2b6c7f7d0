"""Says whether a position, a move played in it, or a game is what a case's mechanism says.

python-chess decides what is legal.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

import chess

from conformance.suite.pgn import PGNS
from conformance.suite.recognise_rules import RULED_MOVES, pushes_once
from sanproof.proofs.find.judge import PlayedMove
from sanproof.verify.notation.reading import ReadingVerdict, judge

_SQUARE_NAMED: Final = re.compile(r"[QRBN][a-h][1-8]x?[a-h][1-8][+#]?")
_TWO_RANKS: Final = 16
_CUSTOM: Final = ", by the library's custom (PGN standard 16.1.3.4)."


def wrong_position(name: str, board: chess.Board, text: str | None) -> str | None:
    """Return what a position lacks to have a mechanism of moves, play or game; None if it has it.

    Of ``play`` the text is the move in SAN; of ``game`` what follows the game, if anything does.
    """
    operation = name.partition(".")[0]
    if operation == "moves":
        right = text is None and MOVES[name](board)
    elif operation == "play":
        if text is None or judge(text, board).verdict is not ReadingVerdict.CANONICAL:
            return f"{text!a} is not how a legal move is written in {board.fen()}"
        is_so, _ = PLAYED[name]
        right = is_so(PlayedMove(board, board.parse_san(text)))
    else:
        found = None if text is None else judge(text, board).verdict
        right = found is ENDS.get(name)
    asked = "" if text is None else f"{text!a} in "
    return None if right else f"{asked}{board.fen()} is no case of {name}"


def _ends_right(position: PlayedMove, us: bool) -> bool:
    """Check whether the move ends a right to castle, of the player who moves or of the other."""
    colour = position.us if us else not position.us
    rank = chess.BB_RANK_1 if colour else chess.BB_RANK_8
    before = position.board.clean_castling_rights() & rank
    return before != position.after.clean_castling_rights() & rank


def _takes_rook(position: PlayedMove) -> bool:
    taken = position.board.piece_type_at(position.move.to_square)
    return taken == chess.ROOK and _ends_right(position, us=False)


def _goes_two_ranks(kind: chess.PieceType) -> Callable[[PlayedMove], bool]:
    def is_so(position: PlayedMove) -> bool:
        ranks = abs(position.move.from_square - position.move.to_square)
        return position.kind == kind and ranks == _TWO_RANKS

    return is_so


def _double_push(ready: str) -> Callable[[PlayedMove], bool]:
    """Return a test for double pushes by who can take: none, a pinned pawn or a free one."""

    def is_so(position: PlayedMove) -> bool:
        after = position.after
        found = "free" if after.has_legal_en_passant() else "pinned"
        if not after.has_pseudo_legal_en_passant():
            found = "none"
        return _goes_two_ranks(chess.PAWN)(position) and found == ready

    return is_so


def _is_special(position: PlayedMove) -> bool:
    """Check whether it promotes, captures in passing, or ends a right to castle."""
    board, move = position.board, position.move
    lost = _ends_right(position, us=True) or _ends_right(position, us=False)
    return lost or bool(move.promotion) or board.is_en_passant(move)


PLAYED: Final[Mapping[str, tuple[Callable[[PlayedMove], bool], str]]] = {
    "play.castling-right": (
        lambda position: _ends_right(position, us=True) and not position.is_castling,
        "The move ends a right to castle (FIDE 3.8.2.1).",
    ),
    "play.castling": (
        lambda position: position.is_castling,
        "Castling moves the rook too, and ends both rights (FIDE 3.8.2).",
    ),
    "play.rook-captured": (_takes_rook, "The captured rook can no longer castle (FIDE 3.8.2)."),
    "play.passed-square": (
        lambda position: (
            position.kind != chess.PAWN and position.move.to_square == position.board.ep_square
        ),
        "A piece goes to the square that a pawn has passed, and captures nothing (FIDE 3.7.3.1).",
    ),
    "play.rook-two-ranks": (
        _goes_two_ranks(chess.ROOK),
        "A rook goes two squares ahead, and passes no square as a pawn does (FIDE 3.7.3.1).",
    ),
    "play.queen-two-ranks": (
        _goes_two_ranks(chess.QUEEN),
        "A queen goes two squares ahead, and passes no square as a pawn does (FIDE 3.7.3.1).",
    ),
    "play.double-push": (
        _double_push("free"),
        f"The FEN names the square that the pawn has passed, or does not{_CUSTOM}",
    ),
    "play.double-push-idle": (
        _double_push("none"),
        f"Nobody can capture on the square that the pawn has passed; it is named or not{_CUSTOM}",
    ),
    "play.double-push-pinned": (
        _double_push("pinned"),
        f"A pawn stands ready and may not capture; the square is named or not{_CUSTOM}",
    ),
    "play.pawn-push": (
        pushes_once,
        "A single push of a pawn sets the count of half moves to zero (PGN standard 16.1.3.5).",
    ),
    "play.in-passing": (
        lambda position: position.board.is_en_passant(position.move),
        "The captured pawn leaves a square that the move does not reach (FIDE 3.7.3.1).",
    ),
    "play.promotion": (
        lambda position: bool(position.move.promotion) and not _ends_right(position, us=False),
        "The pawn is exchanged for the piece that is named (FIDE 3.7.3.3).",
    ),
    "play.capture": (
        lambda position: position.board.is_capture(position.move) and not _is_special(position),
        "A capture sets the count of half moves to zero (PGN standard 16.1.3.5).",
    ),
    "play.quiet": (
        lambda position: not position.board.is_zeroing(position.move) and not _is_special(position),
        "A quiet move raises the count of half moves (PGN standard 16.1.3.5).",
    ),
}
"""The test for each mechanism of a move that is played, and the rule."""

MOVES: Final[Mapping[str, Callable[[chess.Board], bool]]] = {
    "moves.castling": lambda board: any(map(board.is_castling, board.legal_moves)),
    "moves.check": lambda board: any(map(board.gives_check, board.legal_moves)),
    "moves.en-passant": chess.Board.has_legal_en_passant,
    "moves.in-check": chess.Board.is_check,
    "moves.initial": lambda board: board.fullmove_number == 1,
    "moves.promotion": lambda board: any(move.promotion for move in board.legal_moves),
    **RULED_MOVES,
    "moves.square": lambda board: any(
        _SQUARE_NAMED.fullmatch(board.san(move)) for move in board.legal_moves
    ),
}
"""The tests for what is among the legal moves of a position, or is so of it."""

ENDS: Final = {
    "game.ambiguous-move": ReadingVerdict.AMBIGUOUS,
    "game.illegal-move": ReadingVerdict.ILLEGAL,
}
"""The verdicts on the text after a game; the other games have none."""

NAMES: Final = frozenset({*PLAYED, *MOVES, *(f"game.{form}" for form in PGNS)})
"""All mechanisms of these operations."""
