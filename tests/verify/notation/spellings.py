"""Ways to write a move otherwise than SAN does, each with the names that a reading must give.

A *misspelling* changes some parts of a canonical string. It says which, so that two that change
different parts can be combined.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
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


class Misspelling(NamedTuple):
    """A way to write a move otherwise: the parts that it changes, for which moves, how, its names.

    The change looks at the spelling so far, which may hold another misspelling already.
    """

    parts: str
    has: Callable[[Case, Spelling], object]
    change: Callable[[Case, Spelling], dict[str, str]]
    names: str

    def __call__(self, case: Case, spelling: Spelling) -> tuple[Spelling, set[str]] | None:
        if not self.has(case, spelling):
            return None
        return replace(spelling, **self.change(case, spelling)), set(self.names.split())


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


def adding(part: str, text: str, names: str) -> Misspelling:
    return Misspelling(part, lambda *_: True, lambda *_: {part: text}, names)


def suffix(due: str, text: str, names: str, *, double: bool | None = None) -> Misspelling:
    def has(c: Case, _: Spelling) -> bool:
        return c.due.suffix == due and double in (None, c.is_double_check)

    return Misspelling("suffix", has, lambda *_: {"suffix": text}, names)


def marked(text: str, names: str, *, true: bool) -> Misspelling:
    def has(c: Case, _: Spelling) -> bool:
        return c.board.is_en_passant(c.move) == true

    return Misspelling("mark", has, lambda *_: {"mark": text}, names)


def promotion(form: str, names: str) -> Misspelling:
    def change(c: Case, _: Spelling) -> dict[str, str]:
        letter = c.due.promotion[1]
        return {"promotion": form.format(letter, letter.lower(), FIGURINES[letter][1])}

    return Misspelling("promotion", lambda c, _: c.due.promotion, change, names)


def castling(letter: str, hyphen: str, names: str) -> Misspelling:
    def change(c: Case, _: Spelling) -> dict[str, str]:
        return {"piece": c.due.piece.replace("O", letter).replace("-", hyphen)}

    return Misspelling("piece", lambda c, _: c.castles, change, names)


def without_letter(origin: str, names: str) -> Misspelling:
    """A capture that begins with the square left; the origin that is due is of this kind."""

    def has(c: Case, _: Spelling) -> bool:
        kind = {0: "", 1: "rank" if c.due.origin.isdigit() else "file", 2: "square"}
        is_man = not (c.is_pawn or c.castles)
        return is_man and c.captures and kind[len(c.due.origin)] == origin

    def change(c: Case, _: Spelling) -> dict[str, str]:
        return {"piece": "", "origin": c.origin}

    return Misspelling("piece origin sign", has, change, f"missing-piece-letter {names}")


def figurine(names: str, *, pawn: bool) -> Misspelling:
    def change(c: Case, s: Spelling) -> dict[str, str]:
        return {"piece": FIGURINES[s.piece or "P"][c.move.to_square % 2]}  # of either colour

    def has(c: Case, _: Spelling) -> bool:
        return not c.castles and c.is_pawn == pawn

    return Misspelling("piece", has, change, names)


def is_small_letter(c: Case, s: Spelling) -> bool:
    """Check whether a small letter names a piece; a b may be the file."""
    if c.is_pawn or c.castles:
        return False
    by_rank = s.origin[:1].isdigit()
    return c.due.piece != "B" or not (by_rank or (not s.origin and s.destination[0] in "abc"))


def is_alone_without(c: Case, wanted: Callable[[chess.Move], bool]) -> bool:
    return c.is_pawn and c.captures and c.alone(wanted)


def has_file_alone(c: Case, _: Spelling) -> bool:
    """Check whether the file is due, and the rank would tell the piece as well."""
    rank = c.origin[1]
    if len(c.due.origin) != 1 or c.due.origin.isdigit():
        return False
    return c.alone(lambda m: m.to_square == c.move.to_square and m.uci()[1] == rank)


MISSPELLINGS: Final[list[Misspelling]] = [
    adding("before", " ", "white-space"),
    adding("after", "\n", "white-space"),
    adding("number", "12.", "move-number"),
    adding("number", "7... ", "move-number"),
    adding("number", "3 ", "move-number"),
    adding("comment", "!?", "annotation"),
    adding("comment", "!", "annotation"),
    adding("glyph", " $14", "numeric-annotation"),
    adding("offer", " (=)", "draw-offer"),
    marked(" e.p.", "en-passant-mark", true=True),
    marked(" e.p.", "false-en-passant-mark", true=False),
    marked("ep", "en-passant-mark", true=True),
    marked("ep", "false-en-passant-mark", true=False),
    suffix("+", "", "missing-check"),
    suffix("#", "", "missing-mate"),
    suffix("", "+", "superfluous-check"),
    suffix("", "#", "superfluous-mate"),
    suffix("#", "+", "mate-written-as-check"),
    suffix("+", "#", "check-written-as-mate"),
    suffix("", "++", "double-plus superfluous-mate"),
    suffix("#", "++", "double-plus"),
    suffix("+", "++", "double-plus", double=True),
    suffix("+", "++", "double-plus check-written-as-mate", double=False),
    promotion("{0}", "missing-promotion-sign"),
    promotion("({0})", "promotion-in-parentheses"),
    promotion("/{0}", "promotion-after-slash"),
    promotion("={1}", "lower-case-piece"),
    promotion("={2}", "figurine"),
    Misspelling(
        "promotion",
        lambda c, _: not (c.due.promotion or c.castles),
        lambda *_: {"promotion": "="},
        "superfluous-promotion-sign",
    ),
    castling("0", "-", "zeros-in-castling"),
    castling("o", "-", "lower-case-castling"),
    castling("O", "", "castling-without-hyphens"),
    castling("O", "\u2013", "typographic-dash"),
    castling("0", "", "zeros-in-castling castling-without-hyphens"),
    Misspelling(
        "piece",
        lambda c, _: c.castles,
        lambda c, _: {"piece": "K" + chess.square_name(c.move.to_square)},
        "castling-as-king-move",
    ),
    Misspelling(
        "piece origin sign destination promotion suffix",
        lambda *_: True,
        lambda c, _: (
            dict.fromkeys(("piece", "sign", "promotion", "suffix", "origin"), "")
            | {"destination": c.move.uci()}
        ),
        "coordinate-notation",
    ),
    Misspelling(
        "origin sign",
        lambda c, _: not (c.captures or c.castles),
        lambda c, _: {"origin": c.origin, "sign": "-"},
        "long-algebraic",
    ),
    Misspelling(
        "origin sign",
        lambda c, s: not (c.captures or c.castles or c.is_pawn or len(s.origin) == 2),
        lambda *_: {"sign": "-"},
        "superfluous-hyphen",
    ),
    Misspelling(
        "sign",
        lambda c, _: c.captures,
        lambda c, _: {"sign": "X\u00d7:"[c.move.to_square % 3]},
        "other-capture-sign",
    ),
    without_letter("", "excess-square"),
    without_letter("file", "excess-rank"),
    without_letter("rank", "excess-file"),
    without_letter("square", ""),
    Misspelling(
        "origin",
        lambda c, _: is_alone_without(c, lambda m: m.to_square == c.move.to_square),
        lambda *_: {"origin": ""},
        "missing-file",
    ),
    Misspelling(
        "origin destination",
        lambda c, _: is_alone_without(c, lambda m: m.uci()[::2][:2] == c.move.uci()[::2][:2]),
        lambda c, _: {"destination": c.due.destination[0]},
        "missing-destination-rank",
    ),
    Misspelling(
        "origin", has_file_alone, lambda c, _: {"origin": c.origin[1]}, "rank-instead-of-file"
    ),
    Misspelling(
        "origin",
        lambda c, _: not c.castles and (not c.due.origin or c.due.origin.isdigit()),
        lambda c, _: {"origin": c.origin[0] + c.due.origin},
        "excess-file",
    ),
    Misspelling(
        "origin",
        lambda c, _: not (c.castles or c.due.origin[-1:].isdigit()),
        lambda c, _: {"origin": c.due.origin + c.origin[1]},
        "excess-rank",
    ),
    Misspelling(
        "origin",
        lambda c, _: not (c.castles or c.is_pawn or c.due.origin),
        lambda c, _: {"origin": c.origin},
        "excess-square",
    ),
    Misspelling(
        "sign",
        lambda c, s: c.captures and not (c.is_pawn and len(s.origin) == 2),
        lambda *_: {"sign": ""},
        "missing-capture-sign",
    ),
    Misspelling(
        "sign",
        lambda c, _: not (c.captures or c.castles),
        lambda *_: {"sign": "x"},
        "superfluous-capture-sign",
    ),
    figurine("figurine", pawn=False),
    figurine("figurine pawn-letter", pawn=True),
    Misspelling("piece", lambda c, _: c.is_pawn, lambda *_: {"piece": "P"}, "pawn-letter"),
    # Last, as it looks at the origin that is written.
    Misspelling(
        "piece", is_small_letter, lambda _, s: {"piece": s.piece.lower()}, "lower-case-piece"
    ),
]


def misspelled(move: chess.Move, board: chess.Board) -> Iterator[tuple[str, frozenset[str]]]:
    """The move with each misspelling that it can have."""
    case = case_of(move, board)
    for misspell in MISSPELLINGS:
        if done := misspell(case, case.due):
            yield str(done[0]), frozenset(done[1])


def misspelled_twice(move: chess.Move, board: chess.Board) -> Iterator[tuple[str, frozenset[str]]]:
    """The move with each two misspellings that change different parts."""
    case = case_of(move, board)
    for first, second in combinations(MISSPELLINGS, 2):
        if set(first.parts.split()).isdisjoint(second.parts.split()):
            once = first(case, case.due)
            twice = once and second(case, once[0])
            if once and twice:
                yield str(twice[0]), frozenset(once[1] | twice[1])
