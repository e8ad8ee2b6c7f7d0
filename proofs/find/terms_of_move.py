"""The terms that speak of the move: its kind, twins, check, mate, and replies.

Of each there are a clause (``_smothered``, say), a check by python-chess (``_is_smothered``), and
the entry that joins them.
"""

from collections.abc import Callable, Iterator
from typing import Final

import chess

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.find.judge import KINDS, PlayedMove, king_of
from sanproof.proofs.find.questions import Criterion
from sanproof.proofs.find.replies import FullScene, Reply, Way
from sanproof.proofs.find.scene import at_least, how_many
from sanproof.proofs.find.terms_of_position import Term
from sanproof.proofs.find.values import COUNT, one_of
from sanproof.proofs.rules.cubes import BLACK, WHITE
from sanproof.proofs.rules.moves import DOUBLE_PUSH_RANK, LAST_RANK
from sanproof.proofs.rules.squares import DIRECTIONS, KING, RANKS, RAY, SQUARES, file_of, rank_of
from sanproof.proofs.search.moves import EN_PASSANT_RANK

Clause = Callable[[FullScene, Criterion], Literal]
_AT_THE_START: Final = {"Q": 1, "R": 2, "N": 2, "B": 1}
"""The number of pieces of a kind that can meet on a square without a promotion: bishops of one
colour of square are one (FIDE 2.2)."""
_B1: Final = 1
_OFFICERS: Final = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
_STARTED: Final = {chess.QUEEN: 1, chess.ROOK: 2, chess.KNIGHT: 2, chess.BISHOP: 1}


# What the cube of a move says


def _if(value: bool) -> Literal:
    return TRUE if value else FALSE


def _only(of_cube: Callable[[FullScene], bool], clause: Clause) -> Clause:
    """Return a clause that holds in some cubes only."""
    return lambda s, asked: clause(s, asked) if of_cube(s) else FALSE


def _is_officer(s: FullScene) -> bool:
    return s.piece in "NBRQ"


def _reaches(s: FullScene, rank: int) -> bool:
    """Check whether the move is a pawn's to this rank."""
    return s.piece == "P" and s.cube.destination[1] == RANKS[rank]


def _promotes(s: FullScene) -> bool:
    return _reaches(s, LAST_RANK)


def _may_pass(s: FullScene) -> bool:
    return bool(s.cube.capture) and _reaches(s, EN_PASSANT_RANK)


def _castles(s: FullScene) -> bool:
    return s.cube.castling


def _mover(s: FullScene) -> str:
    """Return what uncovers a discovered check, in the words of the criterion."""
    return "castling" if s.cube.castling else {"P": "pawn", "K": "king"}.get(s.piece, "piece")


# Kinds of moves


def _promotion(s: FullScene, asked: Criterion) -> Literal:
    return s.encoding.fields["promotion"][asked.value] if asked.value else TRUE  # FIDE 3.7.3.3


def _disambiguation(s: FullScene, asked: Criterion) -> Literal:
    if s.piece == "P":
        return _if(asked.value == "none")
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


def _pinned_twin(s: FullScene, _: Criterion) -> Literal:
    """Encode that a rival is pinned on a line that does not lead to the square.

    ::

        K . N . r      this knight reaches what its twin reaches, and may not go
    """
    rivals = s.rivals.items()
    return s.cnf.either(*[s.cnf.both(x, s.pinned(i, along=False)) for i, x in rivals])


def _pinned_twin_may_move(s: FullScene, _: Criterion) -> Literal:
    """Encode that a twin is pinned on a line that leads to the square.

    ::

        K . x R . r    the rook goes to x, as its twin on another line does
    """
    twins = s.twins.items()
    return s.cnf.either(*[s.cnf.both(x, s.pinned(i, along=True)) for i, x in twins])


def _leaves_check(s: FullScene, _: Criterion) -> Literal:
    """Encode that a piece on the square would leave a checker attacking.

    Whatever comes to the square answers a check in the same way, so there is no such twin.
    """
    d = s.move.destination
    arrived = s.board.changed({"empty": {d: FALSE}, "black": {d: FALSE}, "white": {d: TRUE}})
    checkers = zip(s.white_checkers, s.white_attacked(arrived), strict=True)
    left = [s.cnf.both(before, after) for before, after in checkers]
    rival = s.cnf.either(*s.rivals.values())
    return s.cnf.both(rival, s.cnf.either(*left))


def _is_check_left(m: PlayedMove, _: Criterion) -> bool:
    before = m.board.checkers()
    boards = (m.after_other(chess.Move(s, m.move.to_square)) for s in m.rivals)
    return any(before & board.attackers(not m.us, king_of(board, m.us)) for board in boards)


def _promoted_twin(s: FullScene, _: Criterion) -> Literal:
    least = _AT_THE_START[s.piece]
    return at_least(s.cnf, least, s.twins.values())[least]


def _twin_on(line_of: Callable[[int], int]) -> Clause:
    def clause(s: FullScene, _: Criterion) -> Literal:
        pairs = [
            s.cnf.both(here, there)
            for a, here in s.move.origins.items()
            for b, there in s.twins.items()
            if a != b and line_of(a) == line_of(b)
        ]
        return s.cnf.either(*pairs)

    return clause


def _is_twin_on(line_of: Callable[[int], int]) -> Callable[[PlayedMove, Criterion], bool]:
    return lambda m, _: line_of(m.move.from_square) in map(line_of, m.twins)


def _twin_behind(s: FullScene, _: Criterion) -> Literal:
    """Encode that a piece of the kind stands behind the mover, the line between them free.

    ::

        Q . Q . x      the left queen is hidden behind the one that goes to x
    """
    found: list[Literal] = []
    for d in DIRECTIONS:
        ray = RAY[d][s.move.destination]
        for i, square in enumerate(ray):
            if square in s.move.origins:
                found += _behind(s, square, ray[i + 1 :])
    return s.cnf.either(*found)


def _behind(s: FullScene, origin: int, squares: tuple[int, ...]) -> Iterator[Literal]:
    free = s.move.origins[origin]
    for square in squares:
        yield s.cnf.both(free, s.stands(s.piece, square))
        free = s.cnf.both(free, s.board.empty[square])


def _is_twin_behind(m: PlayedMove, _: Criterion) -> bool:
    """Check whether a piece of the kind sees the destination through the mover."""
    if m.kind not in {chess.BISHOP, chess.ROOK, chess.QUEEN}:
        return False
    origin, destination = m.move.from_square, m.move.to_square
    board = m.board.copy(stack=False)
    board.remove_piece_at(origin)
    board.remove_piece_at(destination)
    return any(
        destination in board.attacks(s) and origin in chess.SquareSet.between(s, destination)
        for s in board.pieces(m.kind or 0, m.us)
    )


def _other_colour(s: FullScene, _: Criterion) -> Literal:
    return s.attacks(BLACK, s.board, s.move.destination, s.piece)


def _other_kind(s: FullScene, _: Criterion) -> Literal:
    return s.attacks(WHITE, s.board, s.move.destination, "PNBRQK".replace(s.piece, ""))


def _attackers(m: PlayedMove, colour: chess.Color) -> set[chess.PieceType | None]:
    """Return the kinds of a side's pieces that attack the destination; none if one castles."""
    if m.is_castling:
        return set()
    return {m.board.piece_type_at(s) for s in m.board.attackers(colour, m.move.to_square)}


# Check


def _discovered(s: FullScene, _: Criterion) -> Literal:
    """Encode that a piece gives check that has not moved: the mover opened its line.

    ::

        R . N . k      the knight moves away
    """
    moved = {s.move.destination}
    if s.cube.castling:
        moved.add(s.castled.rook_to)
    return s.cnf.either(*[x for square, x in enumerate(s.checkers) if square not in moved])


def _is_discovered(m: PlayedMove, _: Criterion) -> bool:
    moved = {m.move.to_square, *_castled_rook(m)}
    return not set(m.checkers) <= moved


def _castled_rook(m: PlayedMove) -> list[int]:
    """Return the square that the rook reaches in castling, if the move is castling."""
    return [(m.move.from_square + m.move.to_square) // 2] if m.is_castling else []


def _is_discovered_by(m: PlayedMove, asked: Criterion) -> bool:
    mover = {chess.PAWN: "pawn", chess.KING: "king"}.get(m.kind or 0, "piece")
    mover = "castling" if m.is_castling else mover
    return mover == asked.value and _is_discovered(m, asked)


def _checker(s: FullScene, asked: Criterion) -> Literal:
    """Encode that a piece of a kind gives check: only a line can be opened, so a knight moved."""
    if asked.value in "NP" and s.piece != asked.value and not (asked.value == "N" and _promotes(s)):
        return FALSE
    pieces = s.where(asked.value, s.move.after)
    return s.cnf.either(*[s.cnf.both(*pair) for pair in zip(s.checkers, pieces, strict=True)])


def _en_passant_check(s: FullScene, asked: Criterion) -> Literal:
    """Encode a check by the pawn, or by pieces on lines over the squares it left and captured on.

    ::

        R . P p . k    both squares are left: the line over both is open
    """
    move, both = s.move, s.cnf.both
    left = s.cnf.either(*[both(x, s.between(square)) for square, x in move.origins.items()])
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


def _replies(s: FullScene, asked: Criterion) -> Literal:
    counts = [TRUE, s.replies.some, s.replies.several, FALSE]
    return s.cnf.both(counts[asked.range.least], -counts[min(asked.range.most, 2) + 1])


def _only_reply(s: FullScene, asked: Criterion) -> Literal:
    if asked.value == "en-passant" and not _reaches(s, DOUBLE_PUSH_RANK):
        return FALSE
    one = s.cnf.both(s.check, s.replies.some, -s.replies.several)
    return s.cnf.both(one, s.cnf.either(*_of_sort(s, asked.value)))


def _of_sort(s: FullScene, sort: str) -> Iterator[Literal]:
    takes = s.move.after.white
    for reply in s.replies.all:
        if sort == "king":
            yield reply.legal if reply.way is Way.KING else FALSE
        elif sort == "promotion":
            yield reply.legal if reply.promotes else FALSE
        elif sort in {"double-push", "en-passant"}:
            yield reply.legal if reply.way.value == sort else FALSE
        elif reply.way is not Way.KING:
            is_capture = TRUE if reply.way is Way.EN_PASSANT else takes[reply.destination]
            yield s.cnf.both(reply.legal, is_capture if sort == "capture" else -is_capture)


def _is_of_sort(m: PlayedMove, sort: str) -> bool:
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
    }[sort]


def _smothered(s: FullScene, _: Criterion) -> Literal:
    """Mate by a knight, Black's own pieces on every square around the king.

    ::

        r k
        p p      N gives check from further on
    """
    knight = _checker(s, Criterion("checker", "", "N"))
    if knight == FALSE:
        return FALSE
    after, king = s.move.after, s.black_king
    shut_in = [s.cnf.both(king[i], *[after.black[t] for t in KING[i]]) for i in SQUARES]
    return s.cnf.both(s.mate, knight, s.cnf.either(*shut_in))


def _is_smothered(m: PlayedMove, _: Criterion) -> bool:
    shut_in = not chess.BB_KING_ATTACKS[m.their_king] & ~m.after.occupied_co[not m.us]
    knight = any(m.after.piece_type_at(s) == chess.KNIGHT for s in m.checkers)
    return shut_in and knight and m.after.is_checkmate()


def _mate_but_for(s: FullScene, answers: Callable[[Reply], Literal]) -> Literal:
    """Mate by one checker, which a piece other than the king could answer if nothing held it."""
    able = [
        s.cnf.both(reply.able, answers(reply))
        for reply in s.replies.all
        if reply.way not in {Way.KING, Way.EN_PASSANT}
    ]
    mate_by_one = s.cnf.both(s.mate, s.replies.single_check)
    return s.cnf.both(mate_by_one, s.cnf.either(*able))


def _could_answer(m: PlayedMove, squares: Callable[[int], int]) -> bool:
    """Check whether a piece other than the king could go to the squares, if nothing held it."""
    if len(m.checkers) != 1 or not m.after.is_checkmate():
        return False
    (checker,) = m.checkers
    others = m.after.occupied & ~m.after.kings
    moves = m.after.generate_pseudo_legal_moves(others, squares(checker))
    return any(not m.after.is_en_passant(move) for move in moves)


def _xray_flight(s: FullScene, _: Criterion) -> Literal:
    """Encode that a free square beside the king is attacked only through the king.

    ::

        R . k x        the king on its way to x would still stand in the rook's line
    """
    steps = [reply for reply in s.replies.all if reply.way is Way.KING]
    attacked = s.replies.attacked()
    free = [s.cnf.both(step.able, -attacked[step.destination]) for step in steps]
    return s.cnf.both(s.mate, s.cnf.either(*free))


def _is_xray_flight(m: PlayedMove, _: Criterion) -> bool:
    own = m.after.occupied_co[not m.us]
    flights = chess.SquareSet(chess.BB_KING_ATTACKS[m.their_king] & ~own)
    return m.after.is_checkmate() and any(not m.after.is_attacked_by(m.us, s) for s in flights)


TERMS_OF_MOVE: Final = {
    "moves": Term(
        "the kind of piece that moves (castling is a king's move)",
        lambda s, asked: _if(s.piece == asked.value),
        lambda m, asked: m.kind == KINDS[asked.value],
        one_of(*"PNBRQK"),
    ),
    "capture": Term(
        "the move captures",
        lambda s, _: _if(bool(s.cube.capture)),
        lambda m, _: m.board.is_capture(m.move),
    ),
    "castling": Term(
        "the move is castling", lambda s, _: _if(s.cube.castling), lambda m, _: m.is_castling
    ),
    "castling-rook-attacked": Term(
        "castling with a rook that is attacked",
        _only(_castles, lambda s, _: s.attacks(BLACK, s.board, s.castled.rook_from)),
        _is_rook_attacked,
    ),
    "castling-b-attacked": Term(
        "castling to the queen's side over an attacked b1 (b8)",
        _only(lambda s: s.cube.piece == "O-O-O", lambda s, _: s.attacks(BLACK, s.board, _B1)),
        lambda m, _: m.board.is_queenside_castling(m.move) and m.is_attacked(chess.B1),
    ),
    "promotion": Term(
        "the move promotes a pawn, to this piece or to any",
        _only(_promotes, _promotion),
        lambda m, asked: m.move.promotion in ([KINDS[asked.value]] if asked.value else _OFFICERS),
        one_of("", *"NBRQ"),
    ),
    "en-passant": Term(
        "the move captures in passing",
        _only(_may_pass, lambda s, _: s.move.en_passant),
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
        COUNT,
    ),
    "pinned-twin": Term(
        "another piece of the kind reaches the square, but is pinned and may not go there",
        _only(_is_officer, _pinned_twin),
        lambda m, _: any(m.board.is_pinned(m.us, s) for s in m.rivals if s not in m.twins),
    ),
    "pinned-twin-may-move": Term(
        "a pinned twin: it may go to the square, along the line of its pin",
        _only(_is_officer, _pinned_twin_may_move),
        lambda m, _: any(m.board.is_pinned(m.us, s) for s in m.twins),
    ),
    "twin-leaves-check": Term(
        "another piece of the kind reaches the square, but would not answer a check",
        *(_only(_is_officer, _leaves_check), _is_check_left),
    ),
    "promoted-twin": Term(
        "mover and twins outnumber those of the initial position: one was promoted",
        _only(_is_officer, _promoted_twin),
        lambda m, _: len(m.twins) >= _STARTED.get(m.kind or 0, 64),
    ),
    "twin-on-file": Term(
        "a twin stands on the mover's file",
        *(_only(_is_officer, _twin_on(file_of)), _is_twin_on(chess.square_file)),
    ),
    "twin-on-rank": Term(
        "a twin stands on the mover's rank",
        *(_only(_is_officer, _twin_on(rank_of)), _is_twin_on(chess.square_rank)),
    ),
    "twin-behind": Term(
        "a piece of the kind is hidden behind the mover, on the line of its move",
        *(_only(lambda s: s.piece in "BRQ", _twin_behind), _is_twin_behind),
    ),
    "other-colour-too": Term(
        "an enemy piece of the kind attacks the square",
        _only(lambda s: not _castles(s), _other_colour),
        lambda m, _: m.kind in _attackers(m, not m.us),
    ),
    "other-kind-too": Term(
        "a piece or pawn of the mover's side, of another kind, attacks the square",
        _only(lambda s: not _castles(s), _other_kind),
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
    "discovered-by": Term(
        "what uncovers a discovered check",
        lambda s, asked: _discovered(s, asked) if _mover(s) == asked.value else FALSE,
        _is_discovered_by,
        one_of("piece", "pawn", "king", "castling"),
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
    "promotion-check": Term(
        "the promoted piece gives check itself",
        _only(_promotes, lambda s, _: s.checkers[s.move.destination]),
        lambda m, _: bool(m.move.promotion) and m.move.to_square in m.checkers,
    ),
    "castling-check": Term(
        "the castled rook gives check",
        _only(_castles, lambda s, _: s.checkers[s.castled.rook_to]),
        lambda m, _: any(s in m.checkers for s in _castled_rook(m)),
    ),
    "en-passant-check": Term(
        "capture in passing with check by the pawn, or on a line over the square that it left, or "
        "that was captured on, or both",
        *(_only(_may_pass, _en_passant_check), _is_en_passant_check),
        one_of("pawn", "left", "captured", "both"),
    ),
    "mate": Term("the move gives mate", lambda s, _: s.mate, lambda m, _: m.after.is_checkmate()),
    "smothered": Term(
        "mate by a knight, with a piece or pawn of its own on every square around the king",
        *(_smothered, _is_smothered),
    ),
    "pinned-capturer": Term(
        "mate; a piece could take the only checker if it were not pinned",
        lambda s, _: _mate_but_for(s, lambda reply: s.checkers[reply.destination]),
        lambda m, _: _could_answer(m, lambda checker: chess.BB_SQUARES[checker]),
    ),
    "pinned-blocker": Term(
        "mate; a piece could block if it were not pinned",
        lambda s, _: _mate_but_for(s, lambda reply: s.replies.blocks[reply.destination]),
        lambda m, _: _could_answer(m, lambda checker: chess.between(checker, m.their_king)),
    ),
    "xray-flight": Term(
        "mate; a free square behind the king is attacked only through the king",
        *(_xray_flight, _is_xray_flight),
    ),
    "stalemate": Term(
        "the move gives stalemate",
        lambda s, _: s.cnf.both(-s.check, -s.replies.some),
        lambda m, _: m.after.is_stalemate(),
    ),
    "replies": Term(
        "legal replies, a promotion counted once: 0, 1 or 2.. (two and more)",
        _replies,
        lambda m, asked: len(m.replies) in asked.range,
        COUNT,
    ),
    "only-reply": Term(
        "check with one reply alone: a move of the king, or another piece's capture or step "
        "between; or, of these, a double push, a capture in passing, a promotion",
        _only_reply,
        lambda m, asked: m.after.is_check() and len(m.replies) == 1 and _is_of_sort(m, asked.value),
        one_of("king", "capture", "block", "double-push", "en-passant", "promotion"),
    ),
}
