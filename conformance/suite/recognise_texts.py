"""Says whether a text that is no canonical move is what its mechanism says.

By the verdict of ``sanproof read`` alone they could be exchanged: many are just no SAN.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

import chess

from conformance.suite.recognise_rules import RULED_TEXTS
from sanproof.proofs.find.judge import PlayedMove
from sanproof.verify.notation.reading import Reading, ReadingVerdict, judge

TextTest = Callable[[str, chess.Board, Reading], bool]

_AMBIGUOUS: Final = ReadingVerdict.AMBIGUOUS
_NOT_SAN: Final = ReadingVerdict.NOT_SAN


def _matches(pattern: str, verdict: ReadingVerdict | None = None) -> TextTest:
    """Return a test for a text of a form, with a verdict if one is named."""
    form = re.compile(pattern)

    def is_so(text: str, _: chess.Board, reading: Reading) -> bool:
        return bool(form.fullmatch(text)) and verdict in {None, reading.verdict}

    return is_so


def _to_own_rook(pattern: str) -> TextTest:
    """Return a test for a king at home, written as going to one of his own rooks in a corner."""

    def is_so(text: str, board: chess.Board, _: Reading) -> bool:
        if not re.fullmatch(pattern, text):
            return False
        rook = board.piece_at(chess.parse_square(text[-2:]))
        at_home = board.king(board.turn) in {chess.E1, chess.E8}
        return at_home and rook == chess.Piece(chess.ROOK, board.turn)

    return is_so


_ROOK_OF_CASTLING: Final = _to_own_rook("e[18][ah][18]")
_COORDINATES: Final = _matches("[KQRBN]?[a-h][1-8][-x]?[a-h][1-8]")


def _illegal_coordinates(text: str, board: chess.Board, reading: Reading) -> bool:
    """Check for a move from a square to a square, and not castling as Chess960 writes it."""
    asked = text, board, reading
    return _COORDINATES(*asked) and not _ROOK_OF_CASTLING(*asked)


def _as_other_letter(other: str) -> TextTest:
    """Return a test: with the small or the capital letter instead, it is a legal move."""

    def is_so(text: str, board: chess.Board, _: Reading) -> bool:
        changed = other + text[1:]
        return text[:1] == other.swapcase() and judge(changed, board).canonical == changed

    return is_so


def _played(board: chess.Board, reading: Reading) -> PlayedMove:
    return PlayedMove(board, chess.Move.from_uci(reading.uci or ""))


def _is_plain_excess(text: str, board: chess.Board, reading: Reading) -> bool:
    return not _is_for_pinned_twin(text, board, reading)


def _is_for_pinned_twin(_: str, board: chess.Board, reading: Reading) -> bool:
    """Check whether a piece that reaches the square too is pinned and may not go there."""
    position = _played(board, reading)
    pinned = (board.is_pinned(board.turn, rival) for rival in position.rivals)
    return not position.twins and any(pinned)


def _gives_mate(_: str, board: chess.Board, reading: Reading) -> bool:
    return _played(board, reading).after.is_checkmate()


def _gives_double_check(_: str, board: chess.Board, reading: Reading) -> bool:
    position = _played(board, reading)
    return len(position.checkers) > 1 and not position.after.is_checkmate()


def _is_nothing_else(text: str, board: chess.Board, reading: Reading) -> bool:
    """Check whether it is no SAN, and no other mechanism says why."""
    apart = {"wrong.no-move", *RULED_TEXTS, *_SPELLED}
    others = (is_so for name, is_so in TEXTS.items() if name not in apart)
    return reading.verdict is _NOT_SAN and not any(is_so(text, board, reading) for is_so in others)


_SPELLED: Final[Mapping[str, TextTest]] = {
    "text.excess-file": _is_plain_excess,
    "text.excess-for-pinned-twin": _is_for_pinned_twin,
    "text.double-plus-for-mate": _gives_mate,
    "text.double-plus-for-double-check": _gives_double_check,
}
TEXTS: Final[Mapping[str, TextTest]] = {
    "promotion.missing": _matches("(?:[a-h]x)?[a-h][18][+#]?", _AMBIGUOUS),
    "promotion.to-pawn": _matches("(?:[a-h]x)?[a-h][18]=P", _NOT_SAN),
    "wrong.less-than-needed": _matches("[QRBN]x?[a-h][1-8][+#]?", _AMBIGUOUS),
    "wrong.file-where-square-is-due": _matches("[QRBN][a-h]x?[a-h][1-8][+#]?", _AMBIGUOUS),
    "wrong.rank-where-square-is-due": _matches("[QRBN][1-8]x?[a-h][1-8][+#]?", _AMBIGUOUS),
    "wrong.other-language": _matches("[SDTL][a-h][1-8]", _NOT_SAN),
    "wrong.nul": _matches(r"[!-~]+\0"),
    "wrong.other-digits": _matches(r"[KQRBN]?[a-h](?![0-9])\d", _NOT_SAN),
    "wrong.very-long": _matches(".{100,}", _NOT_SAN),
    "wrong.empty": _matches("", _NOT_SAN),
    "wrong.null-move": _matches("--|Z0", _NOT_SAN),
    "wrong.advantage-sign": _matches(r".*[a-h][1-8]\+=", _NOT_SAN),
    "wrong.beyond-last-rank": _matches("[a-h]x[a-h][09](?:=[QRBN])?|[a-h][09]=[QRBN]", _NOT_SAN),
    "wrong.coordinates": _illegal_coordinates,
    "wrong.no-square": _matches("[KQRBN]?(?:[a-h][09]|[i-z][0-9]|[0-9][a-h])", _NOT_SAN),
    "wrong.no-move": _is_nothing_else,
    "wrong.king-takes-rook": _to_own_rook("Kx?[ah][18]"),
    "wrong.rook-of-castling": _ROOK_OF_CASTLING,
    "wrong.bishop-for-pawn": _as_other_letter("B"),
    "wrong.pawn-for-bishop": _as_other_letter("b"),
    **RULED_TEXTS,
    **_SPELLED,
}
"""The conditions of some mechanisms of texts besides verdict, reason or deviations."""
