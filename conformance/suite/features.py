"""The features of questions, by which the rules are covered. ``features.csv`` lists their values.

A question is a position with a legal move, or with a text that means no move or several. Its
features come from the rules, not from errors of known programs: which piece gives check and how the
check is answered, which pieces are pinned, what a move does, why a text is refused.
"""

import csv
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import chess

from sanproof.proofs.rules.san import parse_san
from sanproof.verify.notation.reading import Reading, ReadingVerdict
from sanproof.verify.notation.text import WrittenParts, read_text
from sanproof.verify.notation.vocabulary import Illegality

Features = dict[str, str]
Pins = dict[chess.Square, chess.Square]
"""The pinned pieces, each with the piece that pins it."""

TABLE: Final = Path(__file__).with_name("features.csv")
LETTERS: Final = " PNBRQK"
FORM: Final = re.compile(
    r"(O-O(-O)?|[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|([a-h]x)?[a-h][1-8](=[QRBN])?)[+#]?"
)
"""The form of SAN that a text needs to have features."""
AT_START: Final = {chess.PAWN: 8, chess.QUEEN: 1, chess.KING: 1}
"""The number of pieces of a kind that a player starts with, or two for kinds that are not here."""


class Feature(NamedTuple):
    """A row of the table of features."""

    name: str
    of: str
    values: tuple[str, ...]
    meaning: str


@cache
def features() -> tuple[Feature, ...]:
    """Return the table of features, in its order."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return tuple(
            Feature(row["feature"], row["of"], tuple(row["values"].split()), row["meaning"])
            for row in rows
        )


def line(one: chess.Square, other: chess.Square) -> str:
    """Return ``file``, ``rank`` or ``diagonal`` if two squares are on one, or else ``jump``."""
    if one % 8 == other % 8:
        return "file"
    if one // 8 == other // 8:
        return "rank"
    return "diagonal" if abs(one % 8 - other % 8) == abs(one // 8 - other // 8) else "jump"


def slant(one: chess.Square, other: chess.Square) -> str:
    """Return ``diagonal`` or ``straight`` for two squares on a line."""
    return "diagonal" if line(one, other) == "diagonal" else "straight"


def pins(board: chess.Board, colour: chess.Color) -> Pins:
    """Return a player's pinned pieces."""
    king, found = board.king(colour), {}
    if king is None:
        return {}
    own, theirs = board.occupied_co[colour], board.occupied_co[not colour]
    straight = chess.BB_RANK_ATTACKS[king][0] | chess.BB_FILE_ATTACKS[king][0]
    sliders = straight & (board.rooks | board.queens)
    sliders |= chess.BB_DIAG_ATTACKS[king][0] & (board.bishops | board.queens)
    for pinner in chess.scan_forward(sliders & theirs):
        between = chess.between(king, pinner) & board.occupied
        if between and not between & (between - 1) and between & own:
            found[chess.msb(between)] = pinner
    return found


def yes(holds: object) -> str:
    """Return ``yes`` or ``no``."""
    return "yes" if holds else "no"


def _one(values: Iterable[str]) -> str:
    """Return the one value that there is, or that there are several or none."""
    found = set(values)
    return "none" if not found else found.pop() if len(found) == 1 else "several"


def kinds(board: chess.Board, squares: Iterable[chess.Square]) -> list[str]:
    """Return the letters of the pieces on some squares."""
    return [LETTERS[board.piece_type_at(square) or 0] for square in squares]


def passed(board: chess.Board) -> str:
    """Return ``one`` or ``two`` for the pawns that can capture in passing, or why none can.

    The reasons are ``none`` (no square was passed), ``idle`` (no pawn stands ready) and ``barred``.
    """
    if board.ep_square is None:
        return "none"
    able = list(board.generate_pseudo_legal_ep())
    if not able:
        return "idle"
    return ("barred", "one", "two")[sum(map(board.is_legal, able))]


def _file(square: chess.Square) -> str:
    return {0: "a", 1: "b", 7: "h"}.get(square % 8, "inner")


class Position:
    """A position with legal moves, and everything that its questions share."""

    def __init__(self, board: chess.Board) -> None:
        king = board.king(board.turn)
        if king is None:
            raise ValueError(f"There is no king to move in {board.fen()}.")
        self.board, self.colour, self.king = board, board.turn, king
        self.legal = list(board.legal_moves)
        lawful = set(self.legal)
        self.barred = [m for m in board.generate_pseudo_legal_moves() if m not in lawful]
        """Moves that the rules of their pieces allow, and that leave the king in check."""
        self.pinned, self.their_pinned = pins(board, board.turn), pins(board, not board.turn)
        self.checkers = list(board.checkers())
        slants = {slant(king, pinner) for pinner in self.pinned.values()}
        self.shared = {
            "colour": chess.COLOR_NAMES[self.colour],
            "in_check": self._in_check(),
            "own_pins": _one(slants).replace("several", "both"),
            "their_pins": yes(self.their_pinned),
            "rights": self._rights(),
            "their_rights": yes(board.has_castling_rights(not self.colour)),
            "passed": passed(board),
        }

    def _in_check(self) -> str:
        if len(self.checkers) != 1:
            return "double" if self.checkers else "none"
        (square,) = self.checkers
        kind = self.board.piece_type_at(square)
        if kind in {chess.PAWN, chess.KNIGHT}:
            return "pawn" if kind == chess.PAWN else "knight"
        return "far" if chess.square_distance(square, self.king) > 1 else "near"

    def _rights(self) -> str:
        king = self.board.has_kingside_castling_rights(self.colour)
        queen = self.board.has_queenside_castling_rights(self.colour)
        return ("none", "king", "queen", "both")[king + 2 * queen]

    def _rank(self, square: chess.Square) -> int:
        return square // 8 if self.colour else 7 - square // 8

    def geometry(self, origin: chess.Square, to: chess.Square) -> Features:
        """Return the features of a piece and a square, whether or not it may go there."""
        board, kind = self.board, self.board.piece_type_at(origin) or chess.KING
        ahead = self._rank(to) - self._rank(origin)
        aside = to % 8 - origin % 8
        own = chess.popcount(board.pieces_mask(kind, self.colour))
        steps = chess.square_distance(origin, to)
        return {
            "piece": LETTERS[kind],
            "from_file": _file(origin),
            "to_file": _file(to),
            "from_rank": ("first", "second", *["middle"] * 4, "seventh", "last")[
                self._rank(origin)
            ],
            "to_rank": ("first", *["middle"] * 6, "last")[self._rank(to)],
            "line": line(origin, to),
            "ahead": ("level", "ahead", "back")[(ahead > 0) - (ahead < 0)],
            "aside": ("same", "right", "left")[(aside > 0) - (aside < 0)],
            "far": "1" if steps < 2 else "2" if steps == 2 else "more",
            "pin": slant(self.king, self.pinned[origin]) if origin in self.pinned else "none",
            "surplus": yes(own > AT_START.get(kind, 2)),
        }

    def _of_twins(self, move: chess.Move) -> Features:
        """Return what is to be said of other pieces that attack the square, of both players."""
        board, origin, to = self.board, move.from_square, move.to_square
        kind = board.piece_type_at(origin) or chess.KING
        alike = 0 if kind == chess.KING else board.pieces_mask(kind, self.colour)

        def others(moves: Iterable[chess.Move]) -> list[chess.Square]:
            found = {m.from_square for m in moves if m.to_square == to}
            return sorted(s for s in found - {origin} if alike & chess.BB_SQUARES[s])

        twins, bad = others(self.legal), others(self.barred)
        why = {slant(self.king, self.pinned[s]) for s in bad if s in self.pinned}
        lines = {
            chess.BISHOP: {"diagonal"},
            chess.ROOK: {"file", "rank"},
            chess.QUEEN: {"file", "rank", "diagonal"},
        }
        shut = [
            square
            for square in chess.scan_forward(alike & ~chess.BB_SQUARES[origin])
            if chess.between(square, to) & board.occupied
            and line(square, to) in lines.get(kind, set())
        ]
        if kind == chess.PAWN and to == origin + (8 if self.colour else -8):
            home = chess.BB_RANK_2 if self.colour else chess.BB_RANK_7
            shut = list(chess.scan_forward(alike & home & chess.BB_SQUARES[2 * origin - to]))
        by = board.attackers(self.colour, to)
        letters = [letter for letter in kinds(board, by) if letter != LETTERS[kind]]
        return {
            "twin": yes(twins),
            "bad_twin": next((w for w in ("straight", "diagonal") if w in why), "none"),
            "shut_twin": yes(shut),
            "others": next((k for k in "PB" if k in letters), "other" if letters else "none"),
            "guarded": yes(board.is_attacked_by(not self.colour, to)),
        }

    def of_move(self, move: chess.Move) -> tuple[str, Features]:
        """Return the SAN and the features of a legal move."""
        board, origin, to = self.board, move.from_square, move.to_square
        kind = board.piece_type_at(origin) or chess.KING
        san = board.san(move)
        written, castles = parse_san(san), board.is_castling(move)
        after = board.copy(stack=False)
        after.push(move)
        passing = board.is_en_passant(move)
        victim = None if castles else board.piece_type_at(to)
        double = kind == chess.PAWN and abs(to - origin) == 16
        lost = board.castling_rights & ~after.castling_rights
        own = lost & (chess.BB_RANK_1 if self.colour else chess.BB_RANK_8)
        takes = move.to_square in self.checkers or (passing and self._takes_checker(move))
        found = {
            "origin": "none" if kind == chess.PAWN else _origin(written.file, written.rank),
            "capture": "passing" if passing else LETTERS[victim] if victim else "none",
            "promotion": LETTERS[move.promotion] if move.promotion else "none",
            "suffix": "none" if not after.is_check() else "#" if after.is_checkmate() else "+",
            "special": san.rstrip("+#") if castles else "double" if double else "none",
            "answer": self._answer(move, takes=takes, captures=bool(victim)),
            "ends": ("none", "own", "theirs", "both")[bool(own) + 2 * (own != lost)],
            "makes_passed": {"one": "legal", "two": "legal"}.get(passes := passed(after), passes),
            "to_passed": "none" if to != board.ep_square else "pawn" if passing else "piece",
            "stalemate": yes(after.is_stalemate()),
            "dead": yes(after.is_insufficient_material()),
            "late": yes(after.halfmove_clock >= 100),
        }
        found |= self.shared | self.geometry(origin, to) | self._of_twins(move)
        return san, found | _of_check_given(board, move, after)

    def _takes_checker(self, move: chess.Move) -> bool:
        return move.to_square + (-8 if self.colour else 8) in self.checkers

    def _answer(self, move: chess.Move, *, takes: bool, captures: bool) -> str:
        if not self.checkers:
            return "none"
        if move.from_square != self.king:
            return "takes" if takes else "blocks"
        return "king-takes" if takes else "takes-other" if captures else "steps"

    def _barred_at(self, refused: str, to: chess.Square) -> chess.Square:
        """Return the square of the king in question: where it stands, crosses or would go."""
        if refused in {"castling-into-check", "attacked-square"}:
            return to
        return (self.king + to) // 2 if refused == "castling-through-check" else self.king

    def of_refusal(self, reading: Reading) -> Features | None:
        """Return the features of a refused text, or None if it does not have the form of SAN.

        It is None too if the text means one move, or if no piece could be meant.
        """
        written = read_text(reading.text)
        if not isinstance(written, WrittenParts) or written.deviations:
            return None
        if not FORM.fullmatch(reading.text):
            return None
        by: list[chess.Square] = []
        if reading.verdict is ReadingVerdict.AMBIGUOUS:
            refused = "ambiguous"
            origin = chess.Move.from_uci(reading.candidates[0].uci).from_square
        elif reading.verdict is ReadingVerdict.ILLEGAL:
            first = reading.obstacles[0] if reading.obstacles else None
            if first is None:
                return None
            castles = written.castling or first.reason is Illegality.NO_CASTLING_RIGHT
            if not (first.origin or castles):
                return None
            refused, by = first.reason.value, [chess.parse_square(square) for square in first.by]
            origin = chess.parse_square(first.origin) if first.origin else self.king
        else:
            return None
        if written.castling:
            to = (self.king + (2 if written.castling == "O-O" else -2)) % 64
        else:
            to = chess.parse_square(written.destination)
            straight = not written.piece and written.file == written.destination[0]
            if refused == "blocked" and written.capture and straight:
                refused, by = "cannot-reach", []  # no pawn captures so, blocked or not
        shared = ("colour", "in_check", "own_pins", "their_pins", "rights", "passed")
        geometry = self.geometry(origin, to)
        number = len(reading.candidates)
        return (
            {name: self.shared[name] for name in shared}
            | {name: geometry[name] for name in ("piece", "to_file", "line", "ahead", "far", "pin")}
            | {
                "refused": refused,
                "by": _one(kinds(self.board, by)),
                "by_line": line(by[0], self._barred_at(refused, to)) if by else "none",
                "by_pinned": yes(self.their_pinned.keys() & by),
                "written": _written(written),
                "captures": yes(written.capture),
                "choices": "none" if not number else "2" if number == 2 else "many",
            }
        )


def _origin(file: str, rank: str) -> str:
    return "square" if file and rank else "file" if file else "rank" if rank else "none"


def _written(written: WrittenParts) -> str:
    if written.castling or written.promotion:
        return "castling" if written.castling else "promotion"
    if not written.piece:
        return "capture" if written.capture else "pawn"
    return _origin(written.file, written.rank).replace("none", "piece")


CHECK: Final = tuple(feature.name for feature in features() if feature.of == "check")


def _of_check_given(board: chess.Board, move: chess.Move, after: chess.Board) -> Features:
    """Return the features of the check that a move gives, and of what could answer it."""
    king = after.king(after.turn)
    givers = list(after.checkers())
    if king is None or not givers:
        return dict.fromkeys(CHECK, "none")
    first, ours = givers[0], pins(after, not after.turn)
    replies = list(after.legal_moves)
    double = len(givers) > 1
    return (
        {
            "given": "double" if double else _given(board, move, first),
            "giver": "double" if double else kinds(after, [first])[0],
            "given_far": yes(all(chess.between(king, giver) for giver in givers)),
            "giver_pinned": yes(ours.keys() & givers),
            "only_reply": _only_reply(after, replies),
            "promotes": yes(any(reply.promotion for reply in replies)),
            "castling_reply": yes(after.has_castling_rights(after.turn)),
        }
        | _of_barred(after, king, givers, replies)
        | _of_flight(after, king, givers, ours)
    )


def _given(board: chess.Board, move: chess.Move, giver: chess.Square) -> str:
    castles = board.is_castling(move)
    own = (move.from_square + move.to_square) // 2 if castles else move.to_square
    if giver != own:
        return "passing" if board.is_en_passant(move) else "discovered"
    return "castling" if castles else "promoted" if move.promotion else "direct"


def _only_reply(after: chess.Board, replies: list[chess.Move]) -> str:
    """Return how the only reply to a check answers it, if there is one."""
    if len({(reply.from_square, reply.to_square) for reply in replies}) != 1:
        return "none"
    only = replies[0]
    kind = after.piece_type_at(only.from_square)
    if kind == chess.KING:
        return "king-takes" if after.is_capture(only) else "king"
    if only.promotion or after.is_en_passant(only):
        return "promotes" if only.promotion else "passing"
    double = kind == chess.PAWN and abs(only.to_square - only.from_square) == 16
    return "takes" if after.is_capture(only) else "double" if double else "blocks"


def _of_barred(
    after: chess.Board, king: chess.Square, givers: list[chess.Square], replies: list[chess.Move]
) -> Features:
    """Return the features of what nearly answers a check."""
    first, lawful, pinned = givers[0], set(replies), pins(after, after.turn)
    targets = chess.between(king, first) | chess.BB_SQUARES[first] if len(givers) == 1 else 0
    failed = [m for m in after.generate_pseudo_legal_moves(~after.kings) if m not in lawful]
    near = [
        m.from_square
        for m in failed
        if m.from_square in pinned and chess.BB_SQUARES[m.to_square] & targets
    ]
    letters = kinds(after, near)
    passing = any(map(after.is_en_passant, failed))
    return {
        "failed": "passing" if passing else "P" if "P" in letters else "piece" if near else "none",
        "pawn_stopped": _pawn_stopped(after, first, targets),
    }


def _pawn_stopped(after: chess.Board, first: chess.Square, targets: chess.Bitboard) -> str:
    step, home = (8, chess.BB_RANK_2) if after.turn else (-8, chess.BB_RANK_7)
    pawns = after.pieces_mask(chess.PAWN, after.turn)
    if any(pawn + step == first for pawn in chess.scan_forward(pawns)):
        return "straight"
    jumps = any(
        chess.BB_SQUARES[pawn + 2 * step] & targets & ~chess.BB_SQUARES[first]
        and chess.BB_SQUARES[pawn + step] & after.occupied
        for pawn in chess.scan_forward(pawns & home)
    )
    return "jumps" if jumps else "no"


def _of_flight(
    after: chess.Board, king: chess.Square, givers: list[chess.Square], ours: Pins
) -> Features:
    """Return the features of what guards the squares around a king in check."""
    me, bare = not after.turn, after.occupied ^ chess.BB_SQUARES[king]
    lone, weak, xray = [], False, False
    for square in chess.scan_forward(chess.BB_KING_ATTACKS[king] & ~after.occupied_co[not me]):
        guards = list(chess.scan_forward(after.attackers_mask(me, square, bare)))
        xray |= bool(guards) and not after.attackers_mask(me, square)
        weak |= bool(guards) and ours.keys() >= set(guards)
        lone += guards if len(guards) == 1 else []
    beside = [g for g in givers if chess.BB_KING_ATTACKS[king] & chess.BB_SQUARES[g]]
    guards = [guard for giver in beside[:1] for guard in after.attackers(me, giver)]
    if not guards:
        guard = "unguarded" if beside else "far"
    elif ours.keys() >= set(guards):
        guard = "pinned"
    else:
        guard = "king" if kinds(after, guards) == ["K"] else "guarded"
    return {
        "xray": yes(xray),
        "weak_guard": yes(weak),
        "lone_guard": _one(kinds(after, lone)),
        "checker_guard": guard,
    }
