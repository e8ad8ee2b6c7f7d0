"""The terms about the move: its kind, twins, check, mate, and replies.

The clauses (such as ``_smothered``) and the checks by python-chess (such as ``_is_smothered``) that
are longer than a line stand above the table.
"""

from collections.abc import Callable
from typing import Final

import chess

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.find.judge import KINDS, PlayedMove
from sanproof.proofs.find.questions import REPLIES, Criterion, count, one_of
from sanproof.proofs.find.scene import Scene, at_least, how_many
from sanproof.proofs.find.terms_of_position import Term
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.moves import DOUBLE_PUSH_RANK, LAST_RANK
from sanproof.proofs.rules.squares import KING, RANKS, SQUARES, file_of, rank_of
from sanproof.proofs.search.board import CASTLING, Squares
from sanproof.proofs.search.moves import EN_PASSANT_RANK

Clause = Callable[[Scene, Criterion], Literal]
_B1: Final = 1


# What the cube of a move says


def _reaches(s: Scene, rank: int) -> bool:
    """Check whether the move is a pawn's to this rank."""
    return s.piece == "P" and s.cube.destination[1] == RANKS[rank]


def _promotes(s: Scene) -> bool:
    return _reaches(s, LAST_RANK)


def _may_pass(s: Scene) -> bool:
    return bool(s.cube.capture) and _reaches(s, EN_PASSANT_RANK)


# Kinds of moves


def _disambiguation(s: Scene, asked: Criterion) -> Literal:
    if s.piece == "P":
        return asked.value == "none"
    file, rank = -s.encoding.fields["file"][""], -s.encoding.fields["rank"][""]  # PGN 8.2.3.4
    parts = {"none": (-file, -rank), "file": (file, -rank), "rank": (-file, rank)}
    return s.cnf.both(*parts.get(asked.value, (file, rank)))


def _is_disambiguation(m: PlayedMove, asked: Criterion) -> bool:
    if m.kind == chess.PAWN or m.is_castling:
        return asked.value == "none"
    text = m.board.san(m.move).rstrip("+#").replace("x", "")[1:-2]
    written = {0: "none", 2: "square"}.get(len(text)) or ("file" if text.isalpha() else "rank")
    return written == asked.value


def _is_rook_attacked(m: PlayedMove, _: Criterion) -> bool:
    rook = chess.H1 if m.board.is_kingside_castling(m.move) else chess.A1
    return m.is_castling and m.is_attacked(rook)


# Twins


def _twin_on(line_of: Callable[[int], int]) -> Clause:
    return lambda s, _: s.some(
        (s.move.origins[a], there)
        for b, there in s.twins.items()
        for a in s.move.origins
        if a != b and line_of(a) == line_of(b)
    )


def _is_twin_on(line_of: Callable[[int], int]) -> Callable[[PlayedMove, Criterion], bool]:
    return lambda m, _: line_of(m.move.from_square) in map(line_of, m.twins)


def _other_kind(s: Scene, _: Criterion) -> Literal:
    others = "PNBRQK".replace(s.piece, "")
    return not s.cube.castling and s.attacked(WHITE, s.move.destination, others)


def _attackers(m: PlayedMove, colour: chess.Color) -> set[chess.PieceType | None]:
    """Return the kinds of a side's pieces that attack the destination; none in castling."""
    if m.is_castling:
        return set()
    return {m.board.piece_type_at(s) for s in m.board.attackers(colour, m.move.to_square)}


# Check


def _discovered(s: Scene, _: Criterion) -> Literal:
    """Encode that a piece gives check that has not moved: in ``R . N . k`` the knight has."""
    moved = {s.move.destination, *([CASTLING[s.cube.piece].rook_to] if s.cube.castling else [])}
    return s.cnf.either(*[x for square, x in enumerate(s.checkers) if square not in moved])


def _is_discovered(m: PlayedMove, _: Criterion) -> bool:
    rook = [(m.move.from_square + m.move.to_square) // 2] if m.is_castling else []
    return not set(m.checkers) <= {m.move.to_square, *rook}


def _checker(s: Scene, asked: Criterion) -> Literal:
    """Encode that a piece of a kind gives check: only a line can be opened, so a knight moved."""
    if asked.value in "NP" and s.piece != asked.value and not (asked.value == "N" and _promotes(s)):
        return False
    return s.some(zip(s.checkers, s.where(asked.value, s.move.after), strict=True))


def _en_passant_check(s: Scene, asked: Criterion) -> Literal:
    """Encode a check by the pawn, or over the squares it left and captured on: ``R . P p . k``."""
    if not _may_pass(s):
        return False
    move, both = s.move, s.cnf.both
    left = s.some((x, s.between(square)) for square, x in move.origins.items())
    captured = s.between(move.destination - 8)
    if asked.value == "pawn":
        return both(move.en_passant, s.checkers[move.destination])
    parts = {"left": (left,), "captured": (captured,), "both": (left, captured)}
    return both(move.en_passant, *parts[asked.value])


def _is_en_passant_check(m: PlayedMove, asked: Criterion) -> bool:
    left, reached = m.move.from_square, m.move.to_square
    if not m.board.is_en_passant(m.move):
        return False
    if asked.value == "pawn":
        return reached in m.checkers
    captured = chess.square(chess.square_file(reached), chess.square_rank(left))
    wanted = {"left": {left}, "captured": {captured}, "both": {left, captured}}[asked.value]
    lines = [chess.SquareSet.between(s, m.their_king) for s in m.checkers]
    return all(any(s in line for line in lines) for s in wanted)


# Mate, stalemate and replies


def _replies(s: Scene, asked: Criterion) -> Literal:
    counts = [TRUE, s.replies.some, s.replies.several, FALSE]
    return s.cnf.both(counts[asked.range.start], -counts[min(asked.range.stop, 3)])


def _only_reply(s: Scene, asked: Criterion) -> Literal:
    if asked.value == "en-passant" and not _reaches(s, DOUBLE_PUSH_RANK):
        return False
    one = s.cnf.both(s.check, s.replies.some, -s.replies.several)
    takes = s.move.after.white
    sorts = {
        "king": [(r, TRUE) for r in s.replies.king_steps],
        "capture": [(r, takes[r.destination]) for r in s.replies.of_others],
        "block": [(r, -takes[r.destination]) for r in s.replies.of_others],
        "en-passant": [(r, TRUE) for r in s.replies.passing],
    }
    sorts["capture"] += sorts["en-passant"]
    of_sort = [(r, TRUE) for r in s.replies.of_others if r.sort == asked.value]
    meant = sorts.get(asked.value, of_sort)
    return s.cnf.both(one, s.some((reply.legal, and_so) for reply, and_so in meant))


def _is_only_reply(m: PlayedMove, asked: Criterion) -> bool:
    if not m.after.is_check() or len(m.replies) != 1:
        return False
    (reply,) = m.replies
    kind = m.after.piece_type_at(reply.from_square)
    is_king, captures = kind == chess.KING, m.after.is_capture(reply)
    return {
        "king": is_king,
        "capture": not is_king and captures,
        "block": not is_king and not captures,
        "double-push": kind == chess.PAWN and abs(reply.from_square - reply.to_square) == 16,
        "en-passant": m.after.is_en_passant(reply),
        "promotion": bool(reply.promotion),
    }[asked.value]


def _smothered(s: Scene, _: Criterion) -> Literal:
    """Encode mate by a knight, with Black's own pieces on every square around the king."""
    knight = _checker(s, Criterion("checker", "", "N"))
    if knight is False:
        return False
    after, king = s.move.after, s.black_king
    shut_in = s.some((king[i], *[after.black[t] for t in KING[i]]) for i in SQUARES)
    return s.cnf.both(s.mate, knight, shut_in)


def _is_smothered(m: PlayedMove, _: Criterion) -> bool:
    shut_in = not chess.BB_KING_ATTACKS[m.their_king] & ~m.after.occupied_co[not m.us]
    knight = any(m.after.piece_type_at(s) == chess.KNIGHT for s in m.checkers)
    return shut_in and knight and m.after.is_checkmate()


def _mate_but_for(s: Scene, answers: Squares) -> Literal:
    """Mate by one checker, which a piece other than the king could answer if nothing held it."""
    able = s.some((reply.able, answers[reply.destination]) for reply in s.replies.of_others)
    return s.cnf.both(s.mate, s.replies.single_check, able)


def _could_answer(m: PlayedMove, squares: Callable[[int], int]) -> bool:
    """Check whether a piece other than the king could go to the squares, if nothing held it."""
    if len(m.checkers) != 1 or not m.after.is_checkmate():
        return False
    (checker,) = m.checkers
    others = m.after.occupied & ~m.after.kings
    moves = m.after.generate_pseudo_legal_moves(others, squares(checker))
    return any(not m.after.is_en_passant(move) for move in moves)


def _xray_flight(s: Scene, _: Criterion) -> Literal:
    """Encode that a square beside the king is attacked only through the king: ``R . k x``."""
    attacked, steps = s.replies.attacked(), s.replies.king_steps
    return s.cnf.both(s.mate, s.some((step.able, -attacked[step.destination]) for step in steps))


def _is_xray_flight(m: PlayedMove, _: Criterion) -> bool:
    own = m.after.occupied_co[not m.us]
    flights = chess.SquareSet(chess.BB_KING_ATTACKS[m.their_king] & ~own)
    return m.after.is_checkmate() and any(not m.after.is_attacked_by(m.us, s) for s in flights)


TERMS_OF_MOVE: Final = {
    "moves": Term(
        "the kind of piece that moves (castling is a king's move)",
        lambda s, asked: s.piece == asked.value,
        lambda m, asked: m.kind == KINDS[asked.value],
        one_of(*"PNBRQK"),
    ),
    "capture": Term(
        "the move captures",
        lambda s, _: bool(s.cube.capture),
        lambda m, _: m.board.is_capture(m.move),
    ),
    "castling": Term(
        "the move is castling", lambda s, _: s.cube.castling, lambda m, _: m.is_castling
    ),
    "castling-rook-attacked": Term(
        "castling with a rook that is attacked",
        lambda s, _: s.cube.castling and s.attacked(BLACK, CASTLING[s.cube.piece].rook_from),
        _is_rook_attacked,
    ),
    "castling-b-attacked": Term(
        "castling to the queen's side over an attacked b1 (b8)",
        lambda s, _: s.cube.piece == "O-O-O" and s.attacked(BLACK, _B1),
        lambda m, _: m.board.is_queenside_castling(m.move) and m.is_attacked(chess.B1),
    ),
    "promotion": Term(
        "the move promotes a pawn, to this piece or to any",
        lambda s, a: _promotes(s) and (not a.value or s.encoding.fields["promotion"][a.value]),
        lambda m, a: m.move.promotion in ([KINDS[a.value]] if a.value else chess.PIECE_TYPES),
        one_of("", *"NBRQ"),
    ),
    "en-passant": Term(
        "the move captures in passing",
        lambda s, _: _may_pass(s) and s.move.en_passant,
        lambda m, _: m.board.is_en_passant(m.move),
    ),
    "disambiguation": Term(
        "what is written of the origin",
        *(_disambiguation, _is_disambiguation),
        one_of("none", "file", "rank", "square"),
    ),
    "twins": Term(
        "other pieces of the kind with a legal move to the same square",
        lambda s, asked: how_many(s.cnf, asked.range, s.twins.values()),
        lambda m, asked: len(m.twins) in asked.range,
        count(0, 15),
    ),
    "pinned-twin": Term(
        "another piece of the kind would be a twin, but is pinned and may not go there",
        lambda s, _: s.some((x, s.pinned(i, along=False)) for i, x in s.rivals.items()),
        lambda m, _: any(m.board.is_pinned(m.us, s) for s in m.rivals if s not in m.twins),
    ),
    "pinned-twin-may-move": Term(
        "a twin is pinned, and goes to the square along the line of its pin",
        lambda s, _: s.some((x, s.pinned(i, along=True)) for i, x in s.twins.items()),
        lambda m, _: any(m.board.is_pinned(m.us, s) for s in m.twins),
    ),
    "twin-on-file": Term(
        "a twin stands on the mover's file",
        *(_twin_on(file_of), _is_twin_on(chess.square_file)),
    ),
    "twin-on-rank": Term(
        "a twin stands on the mover's rank",
        *(_twin_on(rank_of), _is_twin_on(chess.square_rank)),
    ),
    "other-colour-too": Term(
        "an enemy piece of the kind attacks the square",
        lambda s, _: not s.cube.castling and s.attacked(BLACK, s.move.destination, s.piece),
        lambda m, _: m.kind in _attackers(m, not m.us),
    ),
    "other-kind-too": Term(
        "a piece or pawn of the mover's side, of another kind, attacks the square",
        _other_kind,
        lambda m, _: bool(_attackers(m, m.us) - {m.kind}),
    ),
    "check": Term(
        "the move gives check (mate is check)",
        lambda s, _: s.check,
        lambda m, _: m.after.is_check(),
    ),
    "direct": Term(
        "the piece or pawn that moved gives check itself",
        lambda s, _: s.checkers[s.move.destination],
        lambda m, _: m.move.to_square in m.checkers,
    ),
    "discovered": Term(
        "another piece gives check, neither the one that moved nor the castled rook",
        *(_discovered, _is_discovered),
    ),
    "double-check": Term(
        "two pieces give check",
        lambda s, _: at_least(s.cnf, 2, s.checkers)[2],
        lambda m, _: len(m.checkers) >= 2,
    ),
    "checker": Term(
        "a piece of this kind gives check",
        _checker,
        lambda m, asked: KINDS[asked.value] in map(m.after.piece_type_at, m.checkers),
        one_of(*"PNBRQ"),
    ),
    "en-passant-check": Term(
        "capture in passing with check by the pawn, or on a line that is opened through the square "
        "that it left, or the captured pawn's square, or both",
        *(_en_passant_check, _is_en_passant_check),
        one_of("pawn", "left", "captured", "both"),
    ),
    "mate": Term("the move gives mate", lambda s, _: s.mate, lambda m, _: m.after.is_checkmate()),
    "smothered": Term(
        "mate by a knight, with a piece or pawn of its own on every square around the king",
        *(_smothered, _is_smothered),
    ),
    "pinned-capturer": Term(
        "mate; a piece could take the only checker if it were not pinned",
        lambda s, _: _mate_but_for(s, s.checkers),
        lambda m, _: _could_answer(m, lambda checker: chess.BB_SQUARES[checker]),
    ),
    "pinned-blocker": Term(
        "mate; a piece could block if it were not pinned",
        lambda s, _: _mate_but_for(s, s.replies.blocks),
        lambda m, _: _could_answer(m, lambda checker: chess.between(checker, m.their_king)),
    ),
    "xray-flight": Term(
        "mate; a free square behind the king is attacked only through the king",
        *(_xray_flight, _is_xray_flight),
    ),
    "stalemate": Term(
        "the move gives stalemate", lambda s, _: s.stalemate, lambda m, _: m.after.is_stalemate()
    ),
    "replies": Term(
        "legal replies, a promotion counted once: 0, 1 or 2.. (two and more)",
        _replies,
        lambda m, asked: len(m.replies) in asked.range,
        REPLIES,
    ),
    "only-reply": Term(
        "check with one reply alone: a move of the king, or another piece's capture or step "
        "between; or, more narrowly, a double push, a capture in passing, a promotion",
        *(_only_reply, _is_only_reply),
        one_of("king", "capture", "block", "double-push", "en-passant", "promotion"),
    ),
}
