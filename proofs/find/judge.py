"""Each criterion asked of python-chess: a position and a move have it or not. Untrusted.

It shares nothing with the clauses of :mod:`proofs.find.predicates`: every answer of a search
is confirmed here, and the test of adequacy compares the two. Both players are judged as they are.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final

import chess

from sanproof.proofs.find.criteria import Criterion, squares_of

Judge = Callable[["PlayedMove", Criterion], bool]

_KINDS: Final = dict(zip("PNBRQK", chess.PIECE_TYPES, strict=True))
_AT_THE_START: Final = {chess.QUEEN: 1, chess.ROOK: 2, chess.KNIGHT: 2, chess.BISHOP: 1}


class PlayedMove:
    """A position before a legal move, and the move."""

    def __init__(self, board: chess.Board, move: chess.Move) -> None:
        self.board = board
        self.move = move
        self.us = board.turn
        self.kind = board.piece_type_at(move.from_square)
        self.is_castling = board.is_castling(move)

    @cached_property
    def after(self) -> chess.Board:
        """The position after the move."""
        after = self.board.copy(stack=False)
        after.push(self.move)
        return after

    @cached_property
    def checkers(self) -> chess.SquareSet:
        """The men that give check after the move."""
        return self.after.checkers()

    @cached_property
    def their_king(self) -> int:
        """The square of the king that the move may attack."""
        return _king(self.board, not self.us)

    @cached_property
    def replies(self) -> list[chess.Move]:
        """The legal replies, the promotions of one pawn on one square once."""
        found = {(move.from_square, move.to_square): move for move in self.after.legal_moves}
        return list(found.values())

    @cached_property
    def rivals(self) -> list[int]:
        """The other pieces of the kind that could go to the square, but for their king's safety."""
        if self.kind in {chess.PAWN, chess.KING, None}:
            return []
        others = self.board.pieces_mask(self.kind or 0, self.us)
        others &= ~chess.BB_SQUARES[self.move.from_square]
        to = chess.BB_SQUARES[self.move.to_square]
        return [m.from_square for m in self.board.generate_pseudo_legal_moves(others, to)]

    @cached_property
    def twins(self) -> list[int]:
        """Those of them whose move is legal."""
        return [s for s in self.rivals if self.board.is_legal(chess.Move(s, self.move.to_square))]

    @cached_property
    def takers(self) -> list[chess.Move]:
        """The captures in passing, legal or not."""
        return list(self.board.generate_pseudo_legal_ep())

    @cached_property
    def lawful_takers(self) -> list[chess.Move]:
        """The legal ones."""
        return list(self.board.generate_legal_ep())


def holds(criterion: Criterion, case: PlayedMove) -> bool:
    """Whether a position and a move have what a criterion asks for, its ``not`` included."""
    return JUDGES[criterion.name](case, criterion) != criterion.negated


def unmet(criteria: Iterable[Criterion], case: PlayedMove) -> Iterator[Criterion]:
    """The criteria that do not hold."""
    return (criterion for criterion in criteria if not holds(criterion, case))


def _king(board: chess.Board, colour: chess.Color) -> int:
    square = board.king(colour)
    if square is None:
        raise ValueError(f"a side has no king in {board.fen()}")
    return square


# Men on the board


def _square(case: PlayedMove, criterion: Criterion) -> bool:
    return any(_is(case.board.piece_at(s), criterion.value) for s in squares_of(criterion.key))


def _is(piece: chess.Piece | None, value: str) -> bool:
    if piece is None or value == ".":
        return piece is None and value == "."
    if value in {"white", "black"}:
        return piece.color == (value == "white")
    return value in {"any", piece.symbol()}


def _count_of_kind(case: PlayedMove, criterion: Criterion) -> bool:
    piece = chess.Piece.from_symbol(criterion.key)
    return len(case.board.pieces(piece.piece_type, piece.color)) in criterion.range


def _count_of_men(case: PlayedMove, criterion: Criterion) -> bool:
    sides = {"men": chess.COLORS, "white-men": [chess.WHITE], "black-men": [chess.BLACK]}
    colours = sides[criterion.name]
    return sum(chess.popcount(case.board.occupied_co[c]) for c in colours) in criterion.range


def _material(case: PlayedMove, criterion: Criterion) -> bool:
    colour = criterion.name == "white"
    letters = [p.symbol().upper() for p in case.board.piece_map().values() if p.color == colour]
    return sorted(letters) == sorted(criterion.value)


# The state besides the board


# Kinds of moves


def _promotion(case: PlayedMove, criterion: Criterion) -> bool:
    promotion = case.move.promotion
    return promotion == _KINDS[criterion.value] if criterion.value else bool(promotion)


def _disambiguation(case: PlayedMove, criterion: Criterion) -> bool:
    if case.kind == chess.PAWN or case.is_castling:
        return criterion.value == "none"
    text = case.board.san(case.move).rstrip("+#").replace("x", "")[1:-2]
    written = {0: "none", 2: "square"}.get(len(text)) or ("file" if text.isalpha() else "rank")
    return written == criterion.value


# Twins


def _twin_leaves_check(case: PlayedMove, _: Criterion) -> bool:
    """After the twin's move a man attacks the king that attacked it before."""
    before = case.board.checkers()
    for s in case.rivals:
        board = case.board.copy(stack=False)
        board.push(chess.Move(s, case.move.to_square))
        if before & board.attackers(not case.us, _king(board, case.us)):
            return True
    return False


def _twin_on_file(case: PlayedMove, _: Criterion) -> bool:
    file = chess.square_file(case.move.from_square)
    return any(chess.square_file(s) == file for s in case.twins)


def _twin_on_rank(case: PlayedMove, _: Criterion) -> bool:
    rank = chess.square_rank(case.move.from_square)
    return any(chess.square_rank(s) == rank for s in case.twins)


def _twin_behind(case: PlayedMove, _: Criterion) -> bool:
    """A piece of the kind that sees the mover, and the destination once the mover is away."""
    if case.kind not in {chess.BISHOP, chess.ROOK, chess.QUEEN} or case.is_castling:
        return False
    origin, destination = case.move.from_square, case.move.to_square
    board = case.board.copy(stack=False)
    board.remove_piece_at(origin)
    board.remove_piece_at(destination)
    return any(
        destination in board.attacks(s) and origin in chess.SquareSet.between(s, destination)
        for s in board.pieces(case.kind or 0, case.us)
    )


def _other_colour_too(case: PlayedMove, _: Criterion) -> bool:
    if case.is_castling:
        return False
    attackers = case.board.attackers(not case.us, case.move.to_square)
    return any(case.board.piece_type_at(s) == case.kind for s in attackers)


def _other_kind_too(case: PlayedMove, _: Criterion) -> bool:
    if case.is_castling:
        return False
    attackers = case.board.attackers(case.us, case.move.to_square)
    return any(case.board.piece_type_at(s) != case.kind for s in attackers)


# Check


def _moved(case: PlayedMove) -> set[int]:
    """The squares of the men that have moved: the mover, and the castled rook."""
    moved = {case.move.to_square}
    if case.is_castling:
        moved.add((case.move.from_square + case.move.to_square) // 2)
    return moved


def _discovered(case: PlayedMove, _: Criterion) -> bool:
    return not set(case.checkers) <= _moved(case)


def _discovered_by(case: PlayedMove, criterion: Criterion) -> bool:
    mover = "piece"
    if case.is_castling:
        mover = "castling"
    elif case.kind in {chess.PAWN, chess.KING}:
        mover = "pawn" if case.kind == chess.PAWN else "king"
    return mover == criterion.value and _discovered(case, criterion)


def _castling_check(case: PlayedMove, _: Criterion) -> bool:
    rook = (case.move.from_square + case.move.to_square) // 2
    return case.is_castling and rook in case.checkers


def _en_passant_check(case: PlayedMove, criterion: Criterion) -> bool:
    if not case.board.is_en_passant(case.move):
        return False
    if criterion.value == "pawn":
        return case.move.to_square in case.checkers
    lines = [chess.SquareSet.between(s, case.their_king) for s in case.checkers]
    captured = chess.square(
        chess.square_file(case.move.to_square), chess.square_rank(case.move.from_square)
    )
    squares = {"left": [case.move.from_square], "captured": [captured]}
    wanted = squares.get(criterion.value, [case.move.from_square, captured])
    return all(any(s in line for line in lines) for s in wanted)


# Mate, stalemate and replies


def _only_reply(case: PlayedMove, criterion: Criterion) -> bool:
    if not case.after.is_check() or len(case.replies) != 1:
        return False
    (reply,) = case.replies
    return _is_of_sort(case.after, reply, criterion.value)


def _is_of_sort(board: chess.Board, reply: chess.Move, sort: str) -> bool:
    kind = board.piece_type_at(reply.from_square)
    is_pawn, is_king = kind == chess.PAWN, kind == chess.KING
    length = abs(reply.from_square - reply.to_square)
    return {
        "king": is_king,
        "capture": not is_king and board.is_capture(reply),
        "block": not is_king and not board.is_capture(reply),
        "double-push": is_pawn and length == 16,
        "en-passant": board.is_en_passant(reply),
        "promotion": bool(reply.promotion),
    }[sort]


def _smothered(case: PlayedMove, _: Criterion) -> bool:
    shut_in = not chess.BB_KING_ATTACKS[case.their_king] & ~case.after.occupied_co[not case.us]
    knight = any(case.after.piece_type_at(s) == chess.KNIGHT for s in case.checkers)
    return shut_in and knight and case.after.is_checkmate()


def _could_answer(case: PlayedMove, squares: Callable[[int], int]) -> bool:
    """Whether a man other than the king could go to the squares, if nothing held it."""
    if len(case.checkers) != 1 or not case.after.is_checkmate():
        return False
    (checker,) = case.checkers
    others = case.after.occupied & ~case.after.kings
    moves = case.after.generate_pseudo_legal_moves(others, squares(checker))
    return any(not case.after.is_en_passant(move) for move in moves)


def _xray_flight(case: PlayedMove, _: Criterion) -> bool:
    if not case.after.is_checkmate():
        return False
    own = case.after.occupied_co[not case.us]
    flights = chess.SquareSet(chess.BB_KING_ATTACKS[case.their_king] & ~own)
    return any(not case.after.is_attacked_by(case.us, s) for s in flights)


# Capture in passing


def _en_passant_rank(case: PlayedMove, _: Criterion) -> bool:
    """A rook or queen attacks the king along its rank only once both pawns have left it."""
    king = _king(case.board, case.us)
    before = case.board.attackers(not case.us, king)
    for move in case.takers:
        if chess.square_rank(king) != chess.square_rank(move.from_square):
            continue
        board = case.board.copy(stack=False)
        board.push(move)
        along = chess.SquareSet(chess.BB_RANKS[chess.square_rank(king)])
        if (board.attackers(not case.us, king) & along) - before:
            return True
    return False


def _en_passant_line(case: PlayedMove, _: Criterion) -> bool:
    for move in case.takers:
        line = case.board.pin(case.us, move.from_square)
        along_rank = line == chess.SquareSet(chess.BB_RANKS[chess.square_rank(move.from_square)])
        if move.to_square not in line and not along_rank:
            return True
    return False


# Castling


def _castlings(case: PlayedMove) -> Iterator[tuple[bool, int, int, int]]:
    """For each side: whether the right is left, and the squares of rook, crossing and arrival."""
    rank = 0 if case.us else 56
    for corner, crossed, reached in ((7, 5, 6), (0, 3, 2)):
        rook = rank + corner
        right = bool(case.board.castling_rights & chess.BB_SQUARES[rook])
        yield right, rook, rank + crossed, rank + reached


def _cannot_castle(case: PlayedMove, criterion: Criterion) -> bool:
    return any(_forbids(case, criterion.value, *castling) for castling in _castlings(case))


def _forbids(
    case: PlayedMove, why: str, right: bool, rook: int, crossed: int, reached: int
) -> bool:
    board, them = case.board, not case.us
    king = chess.E1 if case.us else chess.E8
    clear = not chess.between(king, rook) & board.occupied
    if why == "blocked":
        return right and not clear
    attacked = {
        "out": board.is_attacked_by(them, king),
        "through": board.is_attacked_by(them, crossed),
        "into": board.is_attacked_by(them, reached),
    }
    if why != "no-right":
        return right and clear and attacked[why]
    placed = board.piece_at(king) == chess.Piece(chess.KING, case.us)
    placed = placed and board.piece_at(rook) == chess.Piece(chess.ROOK, case.us)
    return placed and clear and not right and not any(attacked.values())


def _castling_rook_attacked(case: PlayedMove, _: Criterion) -> bool:
    if not case.is_castling:
        return False
    kingside = case.board.is_kingside_castling(case.move)
    rook = (7 if kingside else 0) + (0 if case.us else 56)
    return case.board.is_attacked_by(not case.us, rook)


def _castling_b_attacked(case: PlayedMove, _: Criterion) -> bool:
    square = chess.B1 if case.us else chess.B8
    attacked = case.board.is_attacked_by(not case.us, square)
    return case.board.is_queenside_castling(case.move) and attacked


JUDGES: Final[dict[str, Judge]] = {
    "white-to-move": lambda case, _: case.us == chess.WHITE,
    "black-to-move": lambda case, _: case.us == chess.BLACK,
    "white-castles": lambda case, _: case.board.has_castling_rights(chess.WHITE),
    "black-castles": lambda case, _: case.board.has_castling_rights(chess.BLACK),
    "in-check": lambda case, _: case.board.is_check(),
    "capture": lambda case, _: case.board.is_capture(case.move),
    "check": lambda case, _: case.after.is_check(),
    "mate": lambda case, _: case.after.is_checkmate(),
    "stalemate": lambda case, _: case.after.is_stalemate(),
    "direct": lambda case, _: case.move.to_square in case.checkers,
    "discovered": _discovered,
    "double-check": lambda case, _: len(case.checkers) >= 2,
    "promotion-check": lambda case, _: (
        bool(case.move.promotion) and case.move.to_square in case.checkers
    ),
    "castling-check": _castling_check,
    "smothered": _smothered,
    "pinned-capturer": lambda case, _: _could_answer(
        case, lambda checker: chess.BB_SQUARES[checker]
    ),
    "pinned-blocker": lambda case, _: _could_answer(
        case, lambda checker: chess.between(checker, case.their_king)
    ),
    "xray-flight": _xray_flight,
    "pinned-twin": lambda case, _: any(
        case.board.is_pinned(case.us, s) for s in case.rivals if s not in case.twins
    ),
    "pinned-twin-may-move": lambda case, _: any(
        case.board.is_pinned(case.us, s) for s in case.twins
    ),
    "twin-leaves-check": _twin_leaves_check,
    "promoted-twin": lambda case, _: len(case.twins) >= _AT_THE_START.get(case.kind or 0, 64),
    "twin-on-file": _twin_on_file,
    "twin-on-rank": _twin_on_rank,
    "twin-behind": _twin_behind,
    "other-colour-too": _other_colour_too,
    "other-kind-too": _other_kind_too,
    "castling": lambda case, _: case.is_castling,
    "castling-rook-attacked": _castling_rook_attacked,
    "castling-b-attacked": _castling_b_attacked,
    "promotion": _promotion,
    "en-passant": lambda case, _: case.board.is_en_passant(case.move),
    "en-passant-square": lambda case, _: case.board.ep_square is not None,
    "en-passant-possible": lambda case, _: bool(case.lawful_takers),
    "en-passant-idle": lambda case, _: case.board.ep_square is not None and not case.lawful_takers,
    "en-passant-two": lambda case, _: len(case.takers) == 2,
    "en-passant-one-pinned": lambda case, _: len(case.takers) == 2 and len(case.lawful_takers) == 1,
    "en-passant-rank": _en_passant_rank,
    "en-passant-line": _en_passant_line,
    "moves": lambda case, asked: case.kind == _KINDS[asked.value],
    "checker": lambda case, asked: any(
        case.after.piece_type_at(s) == _KINDS[asked.value] for s in case.checkers
    ),
    "disambiguation": _disambiguation,
    "discovered-by": _discovered_by,
    "en-passant-check": _en_passant_check,
    "only-reply": _only_reply,
    "cannot-castle": _cannot_castle,
    "men": _count_of_men,
    "white-men": _count_of_men,
    "black-men": _count_of_men,
    "twins": lambda case, asked: len(case.twins) in asked.range,
    "replies": lambda case, asked: len(case.replies) in asked.range,
    "white": _material,
    "black": _material,
    "rights": lambda case, asked: case.board.castling_xfen() == asked.value,
    "square": _square,
    "kind": _count_of_kind,
}
"""How python-chess is asked for each criterion's name."""
