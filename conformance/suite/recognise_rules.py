"""Recognises mechanisms that one rule alone decides: without it the answer would be another.

A pawn does not capture ahead, a twin that is pinned does not count, a check must be answered.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

import chess

from sanproof.proofs.find.judge import PlayedMove
from sanproof.verify.notation.reading import Reading, ReadingVerdict

MoveTest = Callable[[PlayedMove], bool]
_WRAPPED: Final = 7
"""The number of files between the two squares of a step around the edge."""


def ahead(board: chess.Board, colour: chess.Color, steps: int) -> dict[int, int]:
    """Return the square so many steps ahead of each pawn of a player, with the pawn's square."""
    step = steps * (8 if colour else -8)
    pawns = board.pieces(chess.PAWN, colour)
    return {pawn + step: pawn for pawn in pawns if 0 <= pawn + step < len(chess.SQUARES)}


def _starts(board: chess.Board, colour: chess.Color) -> dict[int, int]:
    """Return where the double pushes of a player lead, with the square that each crosses."""
    rank = 1 if colour else 6
    found = ahead(board, colour, 2)
    return {to: (to + p) // 2 for to, p in found.items() if chess.square_rank(p) == rank}


# Moves


def _double_push(position: PlayedMove) -> bool:
    return (
        position.kind == chess.PAWN
        and abs(position.move.from_square - position.move.to_square) == 16
    )


def _before_double_push(position: PlayedMove) -> bool:
    """Check whether the pawn on the third rank moves, and another stands behind it."""
    board, move = position.board, position.move
    return _starts(board, position.us).get(move.to_square) == move.from_square


def along_pin(position: PlayedMove) -> bool:
    """Check whether a pinned piece or pawn moves along the line of its pin."""
    board, move = position.board, position.move
    if board.is_check() or not board.is_pinned(position.us, move.from_square):
        return False
    return move.to_square in board.pin(position.us, move.from_square)


def _answers(after: chess.Board) -> chess.SquareSet:
    """Return the squares on which a lone checker is captured or blocked."""
    checkers, king = after.checkers(), after.king(after.turn)
    if len(checkers) != 1 or king is None:
        return chess.SquareSet()
    (checker,) = checkers
    return chess.SquareSet(chess.between(king, checker)) | checkers


def _pinned_answer(kind: chess.PieceType) -> MoveTest:
    """Return a test: a pinned piece of a kind seems to capture the checker, or to block it."""

    def is_so(position: PlayedMove) -> bool:
        after = position.after
        pinned = [s for s in after.pieces(kind, after.turn) if after.is_pinned(after.turn, s)]
        return any(after.attacks(square) & _answers(after) for square in pinned)

    return is_so


def _pawn_before_checker(position: PlayedMove) -> bool:
    after = position.after
    return bool(chess.SquareSet(ahead(after, after.turn, 1)) & after.checkers())


def _jump_answers(position: PlayedMove) -> bool:
    """Check whether a double push would block, if the pawn could jump."""
    after = position.after
    starts = _starts(after, after.turn)
    crossed = {starts[to] for to in _answers(after) - after.checkers() if to in starts}
    return any(after.piece_at(square) for square in crossed)


def _opens_rank(position: PlayedMove) -> bool:
    squares = {position.move.from_square, position.their_king, *position.checkers}
    return len(set(map(chess.square_rank, squares))) == 1


def _uncovers(position: PlayedMove) -> bool:
    return position.move.to_square not in position.checkers


def discriminator(origin: int, others: Iterable[int]) -> str:
    """Return what is written of an origin if others count."""
    name, names = chess.square_name(origin), list(map(chess.square_name, others))
    if not names:
        return ""
    if all(other[0] != name[0] for other in names):
        return name[0]
    return name if any(other[1] == name[1] for other in names) else name[1]


def pinned_counts(position: PlayedMove) -> bool:
    """Check whether more would be written of the origin if a pinned twin counted."""
    origin = position.move.from_square
    return discriminator(origin, position.twins) != discriminator(origin, position.rivals)


def _pinned_in_check(position: PlayedMove) -> bool:
    pinned = (position.board.is_pinned(position.us, rival) for rival in position.rivals)
    return any(pinned)


def _twin_takes_pinner(position: PlayedMove) -> bool:
    board = position.board
    return any(board.is_pinned(position.us, twin) for twin in position.twins)


def _twin_behind_twin(position: PlayedMove) -> bool:
    """Check whether a piece of the kind stands behind a twin, and more is written if it counts."""
    board, move, kind = position.board, position.move, position.kind or chess.PAWN
    found = list(position.twins)
    for twin in position.twins:
        seen = board.copy(stack=False)
        seen.remove_piece_at(twin)
        behind = seen.attackers(position.us, move.to_square) & board.pieces(kind, position.us)
        found += [square for square in behind if square != move.from_square]
    origin = move.from_square
    return discriminator(origin, position.twins) != discriminator(origin, found)


def _one_checks(position: PlayedMove) -> bool:
    """Check whether of the mover and its twins some give check and some do not."""
    to = position.move.to_square
    moves = (chess.Move(origin, to) for origin in (position.move.from_square, *position.twins))
    return len(set(map(position.board.gives_check, moves))) > 1


RULES: Final[Mapping[str, MoveTest]] = {
    "check.answered-by-double-push": _double_push,
    "check.discovered-by-promotion": _uncovers,
    "check.king-leaves-rank": _opens_rank,
    "disambiguation.before-double-push": _before_double_push,
    "disambiguation.despite-check": _one_checks,
    "disambiguation.pinned-third": pinned_counts,
    "disambiguation.pinned-twin-in-check": _pinned_in_check,
    "disambiguation.twin-behind-twin": _twin_behind_twin,
    "disambiguation.twin-takes-pinner": _twin_takes_pinner,
    "mate.blocked-pawn": _pawn_before_checker,
    "mate.jumped-double-push": _jump_answers,
    "mate.pinned-bishop": _pinned_answer(chess.BISHOP),
    "mate.pinned-knight": _pinned_answer(chess.KNIGHT),
    "mate.pinned-rook": _pinned_answer(chess.ROOK),
    "pin.file-needed": along_pin,
    "pin.in-passing": along_pin,
}
"""The conditions of mechanisms of moves besides their criteria."""


# Texts


def _target(text: str) -> int:
    return chess.parse_square(text.partition("=")[0].rstrip("+#")[-2:])


def _onto_enemy(text: str, board: chess.Board, _: Reading) -> bool:
    """Check for a pawn's push to the square before it, on which an enemy stands."""
    if text[0] not in chess.FILE_NAMES or "x" in text:
        return False
    target = _target(text)
    return target in ahead(board, board.turn, 1) and board.color_at(target) == (not board.turn)


def _jumps(*, over: bool) -> Callable[[str, chess.Board, Reading], bool]:
    """Return a test for a double push onto an enemy, or over one."""

    def is_so(text: str, board: chess.Board, _: Reading) -> bool:
        if text[0] not in chess.FILE_NAMES or "x" in text:
            return False
        target = _target(text)
        crossed = _starts(board, board.turn).get(target)
        if crossed is None:
            return False
        colours = board.color_at(crossed), board.color_at(target)
        return colours == ((not board.turn, None) if over else (None, not board.turn))

    return is_so


def _backwards(text: str, board: chess.Board, _: Reading) -> bool:
    """Check for a pawn's step, or its capture of an enemy, on the rank behind."""
    if text[0] not in chess.FILE_NAMES:
        return False
    target = _target(text)
    origin = target + (8 if board.turn else -8)
    if "x" in text:
        if board.color_at(target) != (not board.turn):
            return False
        origin += chess.FILE_NAMES.index(text[0]) - chess.square_file(target)
    elif board.piece_at(target):
        return False
    return board.piece_at(origin) == chess.Piece(chess.PAWN, board.turn)


def wrapped(board: chess.Board) -> set[tuple[int, int]]:
    """Return from and to where pawns would capture, also in passing, if the board were a ring."""
    steps = (7, 9) if board.turn else (-7, -9)
    pairs = ((p, p + step) for p in board.pieces(chess.PAWN, board.turn) for step in steps)
    return {
        (pawn, to)
        for pawn, to in pairs
        if 0 <= to < len(chess.SQUARES) and abs(pawn % 8 - to % 8) == _WRAPPED
        if board.color_at(to) == (not board.turn) or to == board.ep_square
    }


def _around_edge(text: str, board: chess.Board, _: Reading, *, in_passing: bool = False) -> bool:
    """Check whether a pawn would capture an enemy if the board were a ring."""
    target = _target(text)
    origins = {pawn for pawn, to in wrapped(board) if to == target}
    return (
        text[1:2] == "x"
        and text[0] in {chess.FILE_NAMES[pawn % 8] for pawn in origins}
        and in_passing == (target == board.ep_square)
    )


def _in_double_check(text: str, board: chess.Board, _: Reading) -> bool:
    """Check whether a piece or pawn answers one of two checks."""
    checkers, king = board.checkers(), board.king(board.turn)
    if len(checkers) == 1 or king is None or text[0] in "KO":
        return False
    target = _target(text)
    return target in checkers or any(
        target in chess.SquareSet(chess.between(king, c)) for c in checkers
    )


def _only_check_differs(text: str, board: chess.Board, reading: Reading) -> bool:
    """Check for an ambiguous text with a sign that would fit one of the moves only."""
    if reading.verdict is not ReadingVerdict.AMBIGUOUS or text[0] not in "QRBN":
        return False
    kind, target = chess.PIECE_SYMBOLS.index(text[0].lower()), _target(text)
    moves = [m for m in board.legal_moves if m.to_square == target]
    checks = [board.gives_check(m) for m in moves if board.piece_type_at(m.from_square) == kind]
    return text.endswith("+") and len(checks) > sum(checks) == 1


def _past_rook(text: str, board: chess.Board, _: Reading) -> bool:
    """Check whether only one of the player's rooks is between the king and the corner's rook."""
    rank = 0 if board.turn else 56
    way = {"O-O": (5, 6), "O-O-O": (1, 2, 3)}.get(text, ())
    between = [board.piece_at(rank + file) for file in way]
    found = [piece for piece in between if piece is not None]
    return found == [chess.Piece(chess.ROOK, board.turn)]


RULED_TEXTS: Final[Mapping[str, Callable[[str, chess.Board, Reading], bool]]] = {
    "castling.past-rook": _past_rook,
    "en-passant.around-edge": partial(_around_edge, in_passing=True),
    "wrong.around-edge": _around_edge,
    "wrong.backwards": _backwards,
    "wrong.double-push-onto-enemy": _jumps(over=False),
    "wrong.double-push-over-enemy": _jumps(over=True),
    "wrong.in-double-check": _in_double_check,
    "wrong.only-check-differs": _only_check_differs,
    "wrong.push-onto-enemy": _onto_enemy,
}
"""The conditions of mechanisms of texts besides their verdict or their reason."""


# Lists of moves


def _pinned(board: chess.Board) -> list[int]:
    return [
        s for s in chess.SquareSet(board.occupied_co[board.turn]) if board.is_pinned(board.turn, s)
    ]


def _illegal(board: chess.Board) -> list[chess.Move]:
    return [move for move in board.pseudo_legal_moves if not board.is_legal(move)]


def _cannot_castle(why: str) -> Callable[[chess.Board], bool]:
    """Return a test: castling has its right and a free way, and this attack alone prevents it."""

    def is_so(board: chess.Board) -> bool:
        rank = 0 if board.turn else 56
        for rook, free, passed, goal in ((7, (5, 6), 5, 6), (0, (1, 2, 3), 3, 2)):
            right = board.clean_castling_rights() & chess.BB_SQUARES[rank + rook]
            if not right or any(board.piece_at(rank + file) for file in free):
                continue
            asked = {"out": rank + 4, "through": rank + passed, "into": rank + goal}
            found = [k for k, s in asked.items() if board.is_attacked_by(not board.turn, s)]
            if found == [why]:
                return True
        return False

    return is_so


def _pushes_or_captures(board: chess.Board) -> bool:
    """Check whether a pawn can make a double push and can capture."""
    pawns = [m for m in board.legal_moves if board.piece_type_at(m.from_square) == chess.PAWN]
    captures = {m.from_square for m in pawns if board.is_capture(m)}
    return any(abs(m.from_square - m.to_square) == 16 and m.from_square in captures for m in pawns)


RULED_MOVES: Final[Mapping[str, Callable[[chess.Board], bool]]] = {
    "moves.around-edge": lambda board: bool(wrapped(board)),
    "moves.blocked-pawn": lambda board: any(
        board.color_at(square) == (not board.turn) for square in ahead(board, board.turn, 1)
    ),
    "moves.castling-into": _cannot_castle("into"),
    "moves.castling-out": _cannot_castle("out"),
    "moves.castling-through": _cannot_castle("through"),
    "moves.double-check": lambda board: len(board.checkers()) > 1,
    "moves.illegal-in-passing": lambda board: any(map(board.is_en_passant, _illegal(board))),
    "moves.king-attacked": lambda board: (
        not board.is_check()
        and any(board.piece_type_at(m.from_square) == chess.KING for m in _illegal(board))
    ),
    "moves.pinned": lambda board: (
        not board.is_check() and any(m.from_square in _pinned(board) for m in _illegal(board))
    ),
    "moves.pinned-along": lambda board: any(
        m.from_square in _pinned(board) for m in board.legal_moves
    ),
    "moves.pinned-in-passing": lambda board: any(
        m.from_square in _pinned(board) and board.is_en_passant(m) for m in board.legal_moves
    ),
    "moves.push-or-capture": _pushes_or_captures,
}
"""The tests for what is among the moves of a position, or seems to be."""


# Moves that are played


def pushes_once(position: PlayedMove) -> bool:
    """Check whether a pawn goes one square ahead, and stays a pawn."""
    move = position.move
    return (
        position.kind == chess.PAWN
        and abs(move.from_square - move.to_square) == len(chess.FILE_NAMES)
        and not move.promotion
    )
