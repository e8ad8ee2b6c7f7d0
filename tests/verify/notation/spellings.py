"""Ways to write a move otherwise than SAN does, each with the names that a reading must give.

A *misspelling* changes some parts of a canonical string. It says which, so that two that change
different parts can be combined.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import chess

from sanproof.proofs.rules.san import parse_san

FIGURINES: Final = {"K": "♔♚", "Q": "♕♛", "R": "♖♜", "B": "♗♝", "N": "♘♞", "P": "♙♟"}


@dataclass(frozen=True)
class Spelling:
    """The parts of a text, in their order; ``piece`` holds all of a castling."""

    before: str = ""
    number: str = ""
    piece: str = ""
    origin: str = ""
    sign: str = ""
    destination: str = ""
    promotion: str = ""
    suffix: str = ""
    mark: str = ""
    comment: str = ""
    glyph: str = ""
    offer: str = ""
    after: str = ""

    def __str__(self) -> str:
        return "".join(str(getattr(self, name)) for name in self.__dataclass_fields__)


class Case(NamedTuple):
    """A move, its position, and the canonical parts."""

    move: chess.Move
    board: chess.Board
    due: Spelling

    @property
    def castles(self) -> bool:
        return self.due.piece.startswith("O")

    @property
    def is_pawn(self) -> bool:
        return not self.due.piece

    @property
    def captures(self) -> bool:
        return self.due.sign == "x"

    @property
    def origin(self) -> str:
        return chess.square_name(self.move.from_square)

    @property
    def is_double_check(self) -> bool:
        after = self.board.copy()
        after.push(self.move)
        return len(after.checkers()) == 2

    def alone(self, wanted: Callable[[chess.Move], bool]) -> bool:
        """Whether no other legal move of the same kind of piece is wanted as this one is."""
        kind = self.board.piece_type_at(self.move.from_square)
        moves = [
            move
            for move in self.board.legal_moves
            if self.board.piece_type_at(move.from_square) == kind
            and move.promotion == self.move.promotion
            and wanted(move)
        ]
        return moves == [self.move]


Misspelling = Callable[[Case, Spelling], tuple[Spelling, set[str]] | None]
"""From a move and its spelling so far to another one and its names; None if it has none."""


def case_of(move: chess.Move, board: chess.Board) -> Case:
    san = parse_san(board.san(move))
    promotion = san.promotion and "=" + san.promotion
    due = Spelling(
        piece=san.piece,
        origin=san.file + san.rank,
        sign=san.capture,
        destination=san.destination,
        promotion=promotion,
        suffix=san.suffix,
    )
    assert str(due) == board.san(move)
    return Case(move, board, due)


def adding(field: str, text: str, name: str) -> Misspelling:
    def misspell(_: Case, s: Spelling) -> tuple[Spelling, set[str]]:
        return replace(s, **{field: text}), {name}

    return misspell


def with_suffix(suffix: str, name: str, due: str) -> Misspelling:
    def misspell(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
        return (replace(s, suffix=suffix), {name}) if case.due.suffix == due else None

    return misspell


def with_promotion(form: str, name: str) -> Misspelling:
    def misspell(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
        if not case.due.promotion:
            return None
        return replace(s, promotion=form.format(case.due.promotion[1])), {name}

    return misspell


def with_castling(letter: str, hyphen: str, *names: str) -> Misspelling:
    def misspell(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
        text = case.due.piece.replace("O", letter).replace("-", hyphen)
        return (replace(s, piece=text), set(names)) if case.castles else None

    return misspell


def double_plus(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    names = {"double-plus"}
    if case.due.suffix == "+" and not case.is_double_check:
        names.add("check-written-as-mate")
    if not case.due.suffix:
        names.add("superfluous-mate")
    return replace(s, suffix="++"), names


def marked_en_passant(mark: str) -> Misspelling:
    def misspell(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
        true = case.board.is_en_passant(case.move)
        return replace(s, mark=mark), {"en-passant-mark" if true else "false-en-passant-mark"}

    return misspell


def superfluous_promotion_sign(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if case.due.promotion or case.castles:
        return None
    return replace(s, promotion="="), {"superfluous-promotion-sign"}


def small_promotion(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    return (
        (replace(s, promotion=case.due.promotion.lower()), {"lower-case-piece"})
        if case.due.promotion
        else None
    )


def figurine_promotion(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if not case.due.promotion:
        return None
    return replace(s, promotion="=" + FIGURINES[case.due.promotion[1]][1]), {"figurine"}


def king_move(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if not case.castles:
        return None
    square = chess.square_name(case.move.to_square)
    return replace(s, piece="K" + square), {"castling-as-king-move"}


def small_letter(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if case.is_pawn or case.castles:
        return None
    if case.due.piece == "B":
        by_rank = s.origin[:1].isdigit()
        if by_rank or (not s.origin and s.destination[0] in "abc"):
            return None  # the b is the file
    return replace(s, piece=s.piece.lower()), {"lower-case-piece"}


def figurine(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if case.castles:
        return None
    colour = case.move.to_square % 2  # either colour's symbols
    symbol = FIGURINES[s.piece or "P"][colour]
    return replace(s, piece=symbol), {"figurine"} | ({"pawn-letter"} if case.is_pawn else set())


def pawn_letter(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    return (replace(s, piece="P"), {"pawn-letter"}) if case.is_pawn else None


def coordinates(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    uci = case.move.uci()
    empty = replace(s, piece="", sign="", promotion="", suffix="", origin="", destination=uci)
    return empty, {"coordinate-notation"}


def long_algebraic(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if case.captures or case.castles:
        return None
    return replace(s, origin=case.origin, sign="-"), {"long-algebraic"}


def hyphen(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if case.captures or case.castles or case.is_pawn or len(s.origin) == 2:
        return None
    return replace(s, sign="-"), {"superfluous-hyphen"}


def other_capture_sign(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    sign = "X\u00d7:"[case.move.to_square % 3]
    return (replace(s, sign=sign), {"other-capture-sign"}) if case.captures else None


def missing_capture_sign(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if not case.captures or (case.is_pawn and len(s.origin) == 2):
        return None
    return replace(s, sign=""), {"missing-capture-sign"}


def superfluous_capture_sign(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if case.captures or case.castles:
        return None
    return replace(s, sign="x"), {"superfluous-capture-sign"}


def missing_piece_letter(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if case.is_pawn or case.castles or not case.captures:
        return None
    excess = {0: "excess-square", 1: "excess-rank", 2: ""}[len(case.due.origin)]
    if case.due.origin.isdigit():
        excess = "excess-file"
    names = {"missing-piece-letter", excess} - {""}
    return replace(s, piece="", origin=case.origin), names


def missing_file(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if not (case.is_pawn and case.captures):
        return None
    if not case.alone(lambda m: m.to_square == case.move.to_square):
        return None
    return replace(s, origin=""), {"missing-file"}


def missing_destination_rank(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if not (case.is_pawn and case.captures):
        return None
    from_file, to_file = case.origin[0], case.due.destination[0]

    def agrees(move: chess.Move) -> bool:
        return move.uci()[0] == from_file and move.uci()[2] == to_file

    if not case.alone(agrees):
        return None
    return replace(s, destination=to_file), {"missing-destination-rank"}


def rank_instead_of_file(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if len(case.due.origin) != 1 or case.due.origin.isdigit():
        return None
    rank = case.origin[1]
    if not case.alone(lambda m: m.to_square == case.move.to_square and m.uci()[1] == rank):
        return None
    return replace(s, origin=rank), {"rank-instead-of-file"}


def excess_file(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if case.castles or (case.due.origin and not case.due.origin.isdigit()):
        return None
    return replace(s, origin=case.origin[0] + case.due.origin), {"excess-file"}


def excess_rank(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if case.castles or case.due.origin[-1:].isdigit():
        return None
    return replace(s, origin=case.due.origin + case.origin[1]), {"excess-rank"}


def excess_square(case: Case, s: Spelling) -> tuple[Spelling, set[str]] | None:
    if case.castles or case.is_pawn or case.due.origin:
        return None
    return replace(s, origin=case.origin), {"excess-square"}


MISSPELLINGS: Final[list[tuple[str, Misspelling]]] = [
    ("before", adding("before", " ", "white-space")),
    ("after", adding("after", "\n", "white-space")),
    ("number", adding("number", "12.", "move-number")),
    ("number", adding("number", "7... ", "move-number")),
    ("number", adding("number", "3 ", "move-number")),
    ("comment", adding("comment", "!?", "annotation")),
    ("comment", adding("comment", "!", "annotation")),
    ("glyph", adding("glyph", " $14", "numeric-annotation")),
    ("offer", adding("offer", " (=)", "draw-offer")),
    ("mark", marked_en_passant(" e.p.")),
    ("mark", marked_en_passant("ep")),
    ("suffix", with_suffix("", "missing-check", "+")),
    ("suffix", with_suffix("", "missing-mate", "#")),
    ("suffix", with_suffix("+", "superfluous-check", "")),
    ("suffix", with_suffix("#", "superfluous-mate", "")),
    ("suffix", with_suffix("+", "mate-written-as-check", "#")),
    ("suffix", with_suffix("#", "check-written-as-mate", "+")),
    ("suffix", double_plus),
    ("promotion", with_promotion("{}", "missing-promotion-sign")),
    ("promotion", with_promotion("({})", "promotion-in-parentheses")),
    ("promotion", with_promotion("/{}", "promotion-after-slash")),
    ("promotion", superfluous_promotion_sign),
    ("promotion", small_promotion),
    ("promotion", figurine_promotion),
    ("piece", with_castling("0", "-", "zeros-in-castling")),
    ("piece", with_castling("o", "-", "lower-case-castling")),
    ("piece", with_castling("O", "", "castling-without-hyphens")),
    ("piece", with_castling("O", "\u2013", "typographic-dash")),
    ("piece", with_castling("0", "", "zeros-in-castling", "castling-without-hyphens")),
    ("piece", king_move),
    ("piece origin sign destination promotion suffix", coordinates),
    ("origin sign", long_algebraic),
    ("origin sign", hyphen),
    ("sign", other_capture_sign),
    ("piece origin sign", missing_piece_letter),
    ("origin", missing_file),
    ("origin destination", missing_destination_rank),
    ("origin", rank_instead_of_file),
    ("origin", excess_file),
    ("origin", excess_rank),
    ("origin", excess_square),
    ("sign", missing_capture_sign),
    ("sign", superfluous_capture_sign),
    ("piece", figurine),
    ("piece", pawn_letter),
    ("piece", small_letter),  # last, as it looks at the origin that is written
]
"""Each with the parts that it changes."""


def misspelled(move: chess.Move, board: chess.Board) -> Iterator[tuple[str, frozenset[str]]]:
    """The move with each misspelling that it can have."""
    case = case_of(move, board)
    for _, misspell in MISSPELLINGS:
        done = misspell(case, case.due)
        if done:
            yield str(done[0]), frozenset(done[1])


def misspelled_twice(move: chess.Move, board: chess.Board) -> Iterator[tuple[str, frozenset[str]]]:
    """The move with each two misspellings that change different parts."""
    case = case_of(move, board)
    for place, (fields, first) in enumerate(MISSPELLINGS):
        once = first(case, case.due)
        if once is None:
            continue
        for other_fields, second in MISSPELLINGS[place + 1 :]:
            if set(fields.split()) & set(other_fields.split()):
                continue
            twice = second(case, once[0])
            if twice:
                yield str(twice[0]), frozenset(once[1] | twice[1])
