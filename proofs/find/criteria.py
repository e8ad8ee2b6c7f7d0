"""Criteria: what a question asks of a position and a move, read from words that a person types.

A criterion is a word (``double-check``), or a name with a value (``d5=P``, ``men=3..7``); ``not``
before it turns it around. :data:`WORDS`, :data:`CHOICES` and :data:`COUNTS` list all names with
what they mean. What they mean as clauses is in :mod:`proofs.find.predicates`, and to
python-chess in :mod:`proofs.find.judge`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from sanproof.proofs.find.patterns import matches_some_string
from sanproof.proofs.rules.squares import FILES, RANKS

WORDS: Final = {
    "white-to-move": "White makes the move",
    "black-to-move": "Black makes the move",
    "white-castles": "White still has a castling right",
    "black-castles": "Black still has a castling right",
    "in-check": "the mover is in check before the move",
    "capture": "the move captures",
    "check": "the move gives check (mate is check)",
    "mate": "the move gives mate",
    "stalemate": "the move gives stalemate",
    "direct": "the man that moved gives check itself",
    "discovered": "another man gives check, neither the one that moved nor the castled rook",
    "double-check": "two men give check",
    "promotion-check": "the promoted piece gives check itself",
    "castling-check": "the castled rook gives check",
    "smothered": "mate by a knight, with a man of its own on every square around the king",
    "pinned-capturer": "mate; a man could take the only checker, if it were not pinned",
    "pinned-blocker": "mate; a man could step between, if it were not pinned",
    "xray-flight": "mate; a free square behind the king is attacked only through the king",
    "pinned-twin": "another piece of the kind reaches the square, but a pin forbids it to go there",
    "pinned-twin-may-move": "a pinned twin: it may go to the square, along the line of its pin",
    "twin-leaves-check": "another piece of the kind reaches the square and would answer no check",
    "promoted-twin": "mover and twins are more than at the start, so that one was promoted",
    "twin-on-file": "a twin stands on the mover's file",
    "twin-on-rank": "a twin stands on the mover's rank",
    "twin-behind": "a piece of the kind is hidden behind the mover, on the line of its move",
    "other-colour-too": "an enemy piece of the kind attacks the square",
    "other-kind-too": "a man of the mover's side, of another kind, attacks the square",
    "castling": "the move is castling",
    "castling-rook-attacked": "castling with a rook that is attacked",
    "castling-b-attacked": "castling to the queen's side over an attacked b1 (b8)",
    "promotion": "the move promotes a pawn",
    "en-passant": "the move captures in passing",
    "en-passant-square": "the FEN names the square that a pawn has just passed",
    "en-passant-possible": "a capture in passing is legal",
    "en-passant-idle": "the FEN names the square, but no capture in passing is legal",
    "en-passant-two": "two pawns stand ready to capture in passing",
    "en-passant-one-pinned": "two pawns stand ready, and just one of them may",
    "en-passant-rank": "forbidden to a pawn, because both pawns would leave the king's rank",
    "en-passant-line": "forbidden to a pawn by a pin on a diagonal or a file",
}
"""Words, with what each asks for."""

KINDS: Final = ("P", "N", "B", "R", "Q", "K")
CHOICES: Final = {
    "moves": (KINDS, "the kind of man that moves (castling is a king's move)"),
    "checker": (KINDS[:-1], "a man of this kind gives check"),
    "promotion": (("N", "B", "R", "Q"), "the move promotes to this"),
    "disambiguation": (("none", "file", "rank", "square"), "what is written of the origin"),
    "discovered-by": (("piece", "pawn", "king", "castling"), "what uncovers a discovered check"),
    "en-passant-check": (
        ("pawn", "left", "captured", "both"),
        (
            "capture in passing with check by the pawn, or on a line over the square that it "
            "left, or that was captured on, or both"
        ),
    ),
    "only-reply": (
        ("king", "capture", "block", "double-push", "en-passant", "promotion"),
        (
            "check with one reply alone: a move of the king, or another man's capture or step "
            "between; or, of these, a double push, a capture in passing, a promotion"
        ),
    ),
    "cannot-castle": (
        ("out", "through", "into", "blocked", "no-right"),
        (
            "what forbids castling to a side: the king, the square it crosses, or the one it "
            "reaches is attacked; a man is between; or only the right is lost"
        ),
    ),
}
"""Names whose value is one of a few, with these and what they ask for."""

COUNTS: Final = {
    "men": "men on the board, kings included",
    "white-men": "men of White's",
    "black-men": "men of Black's",
    "twins": "other pieces of the kind with a legal move to the same square",
    "replies": "legal replies, a promotion counted once: 0, 1 or 2.. (two and more)",
}
"""Names whose value is a number or a range."""

MEN: Final = "PNBRQKpnbrqk"
SIDES: Final = ("white", "black")
RIGHTS: Final = "KQkq"
ANY_MAN: Final = ("white", "black", "any")
OF_THE_POSITION: Final = frozenset(
    (
        *("white-to-move", "black-to-move", "white-castles", "black-castles", "in-check", "rights"),
        *("en-passant-square", "en-passant-possible", "en-passant-idle", "en-passant-two"),
        *("en-passant-one-pinned", "en-passant-rank", "en-passant-line", "cannot-castle"),
        *("men", "white-men", "black-men", "white", "black", "square", "kind"),
    )
)
"""The names that do not speak of the move."""

_MOST_LETTERS: Final = 64
_NO_BOUND: Final = 1000
_COUNT = re.compile(r"(?:(\d{1,2})|(\d{0,2})\.\.(\d{0,2}))", re.ASCII)
_SQUARE = re.compile(r"[a-h*][1-8*]")
_SWAPPED: Final = {
    "white-to-move": "black-to-move",
    "white-castles": "black-castles",
    "white-men": "black-men",
    "white": "black",
}
_SWAPPED_BOTH: Final = _SWAPPED | {b: a for a, b in _SWAPPED.items()}
_SWAPPED_RANKS: Final = str.maketrans(RANKS, RANKS[::-1])


class CriterionError(ValueError):
    """A word that is no criterion; the message says what is wrong and what would be right."""


class Range(NamedTuple):
    """From ``least`` to ``most``, both included; no upper bound if ``most`` is None."""

    least: int
    most: int | None

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.least <= number <= self.highest

    @property
    def highest(self) -> int:
        """The most that is in it; more than there ever are of anything."""
        return _NO_BOUND if self.most is None else self.most


@dataclass(frozen=True)
class Criterion:
    """One thing asked of a position and a move, by one of the names of this module.

    ``square`` asks for a man on a square and ``kind`` for a count of men of a kind; the ``key`` is
    then the square or squares (``e4``, ``h*``), or the kind's letter. The value of a word is empty.
    """

    name: str
    key: str = ""
    value: str = ""
    negated: bool = False

    def __str__(self) -> str:
        name = self.key or self.name
        text = f"{name}={self.value}" if self.value else name
        return f"not {text}" if self.negated else text

    @property
    def of_the_move(self) -> bool:
        """Whether it speaks of the move, and not only of the position before it."""
        return self.name not in OF_THE_POSITION

    @property
    def range(self) -> Range:
        """The value of a count."""
        return read_range(self.value)

    def exchanged(self) -> "Criterion":
        """The same with the colours exchanged: White's men become Black's on mirrored squares."""
        name = _SWAPPED_BOTH.get(self.name, self.name)
        key, value = self.key, self.value
        if self.name == "square":
            key = key.translate(_SWAPPED_RANKS)
            value = _SWAPPED_BOTH.get(value, value if value == "any" else value.swapcase())
        elif self.name == "kind":
            key = key.swapcase()
        elif self.name == "rights":
            value = "".join(letter for letter in RIGHTS if letter in value.swapcase()) or "-"
        return Criterion(name, key, value, self.negated)


class Question(NamedTuple):
    """What is looked for.

    Attributes:
        pattern: A SAN string or a shell pattern of strings; ``*`` for every move.
        criteria: What else must hold.
    """

    pattern: str
    criteria: tuple[Criterion, ...]

    def __str__(self) -> str:
        return " ".join([self.pattern, *map(str, self.criteria)])


def read_question(words: Sequence[str]) -> Question:
    """Read a question: first the string or pattern, if there is one, then the criteria.

    The first word is the string or pattern if it matches any string, so that ``e8=Q`` is a
    promotion there, and a queen on e8 in any other place.

    Raises:
        CriterionError: A word is no criterion.
    """
    if words and matches_some_string(words[0]):
        return Question(words[0], read_criteria(words[1:]))
    try:
        return Question("*", read_criteria(words))
    except CriterionError as error:
        if not words or "=" in words[0] or _is_criterion(words[0]):
            raise
        raise CriterionError(
            f"no SAN string is or matches {words[0][:40]!a}, and {error}"
        ) from None


def _is_criterion(word: str) -> bool:
    return word.removeprefix("not-") in WORDS or word == "not"


def read_criteria(words: Iterable[str]) -> tuple[Criterion, ...]:
    """Read criteria; ``not`` negates the one that follows it.

    Raises:
        CriterionError: A word is no criterion.
    """
    found: list[Criterion] = []
    negated = False
    for word in words:
        if word == "not":
            if negated:
                raise CriterionError("'not' stands twice: leave both out")
            negated = True
            continue
        text = word.removeprefix("not-")
        found.append(_read_one(text, negated=negated != (text != word)))
        negated = False
    if negated:
        raise CriterionError("'not' is the last word: a criterion must follow it")
    return tuple(found)


def _read_one(word: str, *, negated: bool) -> Criterion:
    name, equals, value = word.partition("=")
    if not equals:
        if name in WORDS:
            return Criterion(name, negated=negated)
        raise CriterionError(_unknown(name))
    if name in CHOICES:
        choices = CHOICES[name][0]
        if value not in choices:
            raise CriterionError(f"{name}= takes {', '.join(choices)}, not {value[:40]!a}")
        return Criterion(name, "", value, negated)
    if name in COUNTS:
        return Criterion(name, "", _checked_count(name, value), negated)
    if name in SIDES:
        return Criterion(name, "", _checked_material(name, value), negated)
    if name == "rights":
        return Criterion(name, "", _checked_rights(value), negated)
    if _SQUARE.fullmatch(name):
        return Criterion("square", name, _checked_man(name, value), negated)
    if len(name) == 1 and name in MEN:
        return Criterion("kind", name, _checked_count(name, value), negated)
    raise CriterionError(_unknown(name))


def _unknown(name: str) -> str:
    import difflib  # noqa: PLC0415 - only for this message

    known = [*WORDS, *CHOICES, *COUNTS, *SIDES, "rights"]
    near = difflib.get_close_matches(name[:40], known, 1)
    hint = f", but '{near[0]}' is one" if near else ": 'sanproof find --help' lists them all"
    return f"{name[:40]!a} is no criterion{hint}"


def _checked_count(name: str, value: str) -> str:
    if not _COUNT.fullmatch(value) or value == "..":
        raise CriterionError(f"{name}= takes a number or a range, 3 or ..3 or 3.. or 1..3")
    least, most = read_range(value)
    if most is not None and least > most:
        raise CriterionError(f"{name}={value}: the range is empty")
    if name == "replies" and (least > 2 or most not in {None, 0, 1}):
        raise CriterionError("replies= takes 0, 1, ..1, 1.. or 2..; more are not counted")
    return value


def read_range(value: str) -> Range:
    """The range of a count's value, such as ``3``, ``..3``, ``3..`` or ``1..3``."""
    least, dots, most = value.partition("..")
    if not dots:
        return Range(int(least), int(least))
    return Range(int(least or 0), int(most) if most else None)


def _checked_material(name: str, value: str) -> str:
    letters = value.upper()
    if not letters or not set(letters) <= set("KQRBNP") or len(letters) > _MOST_LETTERS:
        raise CriterionError(f"{name}= takes the side's men, such as {name}=KRPP")
    if "K" not in letters:
        letters = "K" + letters
    return "".join(sorted(letters, key="KQRBNP".index))


def _checked_rights(value: str) -> str:
    if value != "-" and (
        not value or not set(value) <= set(RIGHTS) or len(set(value)) < len(value)
    ):
        raise CriterionError("rights= takes castling rights as in a FEN, such as rights=Kq, or -")
    return "".join(letter for letter in RIGHTS if letter in value) or "-"


def _checked_man(name: str, value: str) -> str:
    if value not in ANY_MAN and value != "." and not (len(value) == 1 and value in MEN):
        raise CriterionError(f"{name}= takes a man as in a FEN, '.', white, black or any")
    return value


def squares_of(key: str) -> list[int]:
    """The squares of a key such as ``e4``, ``h*`` or ``*7``."""
    files = range(8) if key[0] == "*" else [FILES.index(key[0])]
    ranks = range(8) if key[1] == "*" else [RANKS.index(key[1])]
    return [8 * rank + file for rank in ranks for file in files]
