"""The terms about the position before the move: pieces, check, castling rights, and so on.

The clauses (such as ``_rank``) and the checks by python-chess (such as ``_is_rank``) that are
longer than a line stand above the table.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import chess

from sanproof.proofs.encoding.cnf import Literal
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.questions import (
    CASTLING_RIGHTS,
    CONTENT,
    PIECES,
    PIECES_OF_SIDE,
    Criterion,
    Values,
    count,
    one_of,
    squares_of,
)
from sanproof.proofs.find.scene import Scene, after_passing, at_least, how_many
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.squares import DIAGONAL, SQUARES
from sanproof.proofs.search.board import CASTLING, on_line
from sanproof.proofs.search.moves import EN_PASSANT_RANK

_UPRIGHT: Final = ((0, 1), (0, -1))
_FIFTH_RANK: Final = EN_PASSANT_RANK - 1


class Term(NamedTuple):
    """The meaning of a criterion's name: in words, and in two ways that share no code.

    Every answer found with the clause is checked by the other, and a test compares both.
    """

    meaning: str
    clause: Callable[[Scene, Criterion], Literal]
    """Encodes whether it holds in a scene with White to move; a bool if the cube decides."""
    check: Callable[[PlayedMove, Criterion], bool]
    """Checks with python-chess whether it holds, whichever player is to move."""
    values: Values = one_of()


# Pieces on the board


def _on_square(s: Scene, asked: Criterion) -> Literal:
    return s.cnf.either(*[_content(s, asked.value, square) for square in squares_of(asked.key)])


def _content(s: Scene, value: str, square: int) -> Literal:
    named = {".": s.board.empty, "white": s.board.white, "black": s.board.black}
    if value == "any":
        return -s.board.empty[square]
    return named[value][square] if value in named else s.stands(value, square)


def _is_on_square(m: PlayedMove, asked: Criterion) -> bool:
    return any(_is(m.board.piece_at(s), asked.value) for s in squares_of(asked.key))


def _is(piece: chess.Piece | None, value: str) -> bool:
    if piece is None or value == ".":
        return piece is None and value == "."
    return value in {"any", piece.symbol(), chess.COLOR_NAMES[piece.color]}


def _is_count_of_kind(m: PlayedMove, asked: Criterion) -> bool:
    piece = chess.Piece.from_symbol(asked.key)
    return len(m.board.pieces(piece.piece_type, piece.color)) in asked.range


def _men(s: Scene, asked: Criterion) -> Literal:
    return how_many(s.cnf, asked.range, s.board.colour(asked.name.removesuffix("-men")))


def _is_number_of_men(m: PlayedMove, asked: Criterion) -> bool:
    return chess.popcount(m.board.occupied_co[asked.name == "white-men"]) in asked.range


def _material(s: Scene, asked: Criterion) -> Literal:
    parts = []
    for letter in PIECES[:6] if asked.name == WHITE else PIECES[6:]:
        count = asked.value.count(letter.upper())
        counts = at_least(s.cnf, count + 1, s.where(letter))
        parts += [counts[count], -counts[count + 1]]
    return s.cnf.both(*parts)


def _is_material(m: PlayedMove, asked: Criterion) -> bool:
    colour = asked.name == "white"
    letters = [p.symbol().upper() for p in m.board.piece_map().values() if p.color == colour]
    return sorted(letters) == sorted(asked.value)


def _rights(s: Scene, asked: Criterion) -> Literal:
    rights = s.rights.items()
    return s.cnf.both(*[right if letter in asked.value else -right for letter, right in rights])


# Capture in passing


def _possible(s: Scene, _: Criterion) -> Literal:
    return s.cnf.either(*s.legal_takers)


def _two(s: Scene, _: Criterion) -> Literal:
    return at_least(s.cnf, 2, [ready for _, _, ready in s.takers()])[2]


def _one_pinned(s: Scene, asked: Criterion) -> Literal:
    counts = at_least(s.cnf, 2, s.legal_takers)
    return s.cnf.both(_two(s, asked), counts[1], -counts[2])


def _rank(s: Scene, _: Criterion) -> Literal:
    """Encode that a line to the king opens once both pawns have left the rank: ``K . P p . r``."""
    rank = SQUARES[8 * _FIFTH_RANK : 8 * _FIFTH_RANK + 8]
    king = s.cnf.either(*[s.white_king[i] for i in rank])
    found = []
    for taker, passed, ready in s.takers():
        attacked = s.white_attacked(after_passing(s.board, WHITE, taker, passed))
        opened = s.some((attacked[i], -s.white_checkers[i]) for i in rank)
        found.append((ready, king, opened))
    return s.some(found)


def _is_rank(m: PlayedMove, _: Criterion) -> bool:
    before = m.board.attackers(not m.us, m.own_king)
    along = chess.SquareSet(chess.BB_RANKS[chess.square_rank(m.own_king)])
    return any(
        (m.after_other(move).attackers(not m.us, m.own_king) & along) - before
        for move in m.takers
        if move.from_square in along
    )


def _line(s: Scene, _: Criterion) -> Literal:
    found = []
    for taker, passed, ready in s.takers():
        lines = [d for d in (*_UPRIGHT, *DIAGONAL) if not on_line(taker, passed, d)]
        found.append((ready, s.cnf.either(*s.pins(taker, lines))))
    return s.some(found)


def _is_line(m: PlayedMove, _: Criterion) -> bool:
    for move in m.takers:
        line = m.board.pin(m.us, move.from_square)
        along_rank = line == chess.SquareSet(chess.BB_RANKS[chess.square_rank(move.from_square)])
        if move.to_square not in line and not along_rank:
            return True
    return False


# Castling that is not legal (FIDE 3.8.2.1, 3.8.2.2)


def _cannot_castle(s: Scene, asked: Criterion) -> Literal:
    both, found = s.cnf.both, []
    for letter, squares in zip("KQ", CASTLING.values(), strict=True):
        right = s.rights[letter]
        clear = both(*[s.board.empty[square] for square in squares.between])
        path = {"out": squares.king_from, "through": squares.rook_to, "into": squares.king_to}
        if asked.value == "blocked":
            found.append(both(right, -clear))
        elif asked.value == "no-right":
            safe = [-s.attacked(BLACK, square) for square in path.values()]
            found.append(both(-right, clear, *s.placed(letter), *safe))
        else:
            found.append(both(right, clear, s.attacked(BLACK, path[asked.value])))
    return s.cnf.either(*found)


def _is_castling_forbidden(m: PlayedMove, asked: Criterion) -> bool:
    sides = ((chess.H1, chess.F1, chess.G1), (chess.A1, chess.D1, chess.C1))
    return any(asked.value in _obstacles(m, *squares) for squares in sides)


def _obstacles(m: PlayedMove, rook: int, crossed: int, reached: int) -> Iterator[str]:
    """Yield what forbids castling to a side, its squares named as if White moved."""
    board, turn = m.board, 0 if m.us else 56
    corner, king = rook ^ turn, chess.E1 ^ turn
    right = bool(board.castling_rights & chess.BB_SQUARES[corner])
    if chess.between(king, corner) & board.occupied:
        yield from ["blocked"] * right
        return
    squares = {"out": chess.E1, "through": crossed, "into": reached}
    attacked = [why for why, square in squares.items() if m.is_attacked(square)]
    placed = board.piece_at(king) == chess.Piece(chess.KING, m.us)
    if right:
        yield from attacked
    elif placed and board.piece_at(corner) == chess.Piece(chess.ROOK, m.us) and not attacked:
        yield "no-right"


TERMS_OF_POSITION: Final = {
    "square": Term(
        "a piece as in a FEN, '.' for empty, or white, black, any; e4, h* or *7",
        *(_on_square, _is_on_square, CONTENT),
    ),
    "letter": Term(
        "pieces of a kind, such as Q=0 or p=2..4",
        lambda s, asked: how_many(s.cnf, asked.range, s.where(asked.key)),
        *(_is_count_of_kind, count(0, 15)),
    ),
    "men": Term(
        "pieces and pawns on the board, kings included",
        lambda s, asked: how_many(s.cnf, asked.range, [-empty for empty in s.board.empty]),
        lambda m, asked: chess.popcount(m.board.occupied) in asked.range,
        count(2, 32),
    ),
    "white-men": Term("pieces and pawns of White", _men, _is_number_of_men, count(1, 16)),
    "black-men": Term("pieces and pawns of Black", _men, _is_number_of_men, count(1, 16)),
    "white": Term(
        "White has exactly these pieces, such as KRPP", _material, _is_material, PIECES_OF_SIDE
    ),
    "black": Term("Black has exactly these pieces", _material, _is_material, PIECES_OF_SIDE),
    "white-to-move": Term(
        "White makes the move", lambda *_: True, lambda m, _: m.us == chess.WHITE
    ),
    "black-to-move": Term(
        "Black makes the move", lambda *_: False, lambda m, _: m.us == chess.BLACK
    ),
    "rights": Term(
        "exactly these castling rights, such as Kq or -",
        _rights,
        lambda m, asked: m.board.castling_xfen() == asked.value,
        CASTLING_RIGHTS,
    ),
    "white-castles": Term(
        "White still has a castling right",
        lambda s, _: s.cnf.either(s.rights["K"], s.rights["Q"]),
        lambda m, _: m.board.has_castling_rights(chess.WHITE),
    ),
    "black-castles": Term(
        "Black still has a castling right",
        lambda s, _: s.cnf.either(s.rights["k"], s.rights["q"]),
        lambda m, _: m.board.has_castling_rights(chess.BLACK),
    ),
    "in-check": Term(
        "the mover is in check before the move",
        lambda s, _: s.cnf.either(*s.white_checkers),
        lambda m, _: m.board.is_check(),
    ),
    "en-passant-square": Term(
        "the FEN names the square that a pawn has just passed",
        lambda s, _: s.cnf.either(*s.passed.values()),
        lambda m, _: m.board.ep_square is not None,
    ),
    "en-passant-possible": Term(
        "a capture in passing is legal", _possible, lambda m, _: bool(m.legal_takers)
    ),
    "en-passant-two": Term(
        "two pawns stand ready to capture in passing", _two, lambda m, _: len(m.takers) == 2
    ),
    "en-passant-one-pinned": Term(
        "two pawns stand ready, and only one of them may capture",
        _one_pinned,
        lambda m, _: len(m.takers) == 2 and len(m.legal_takers) == 1,
    ),
    "en-passant-rank": Term(
        "a capture in passing is illegal because both pawns would leave the king's rank",
        _rank,
        _is_rank,
    ),
    "en-passant-line": Term(
        "a capture in passing is illegal because of a pin on a diagonal or a file", _line, _is_line
    ),
    "cannot-castle": Term(
        "what forbids castling to a side: the king, the square it crosses, or the one it reaches "
        "is attacked; a piece is between; or only the right is lost",
        *(_cannot_castle, _is_castling_forbidden),
        one_of("out", "through", "into", "blocked", "no-right"),
    ),
}
