"""Questions: a string or a pattern, and criteria, read from words that a person types.

A criterion is a word (``double-check``), or a name with a value (``d5=P``, ``men=3..7``); ``not``
before it turns it around. Here is how criteria are written; what their names mean to a formula and
to python-chess stands in :mod:`proofs.find.terms`, which takes longer to load.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from sanproof.proofs.find.patterns import matching_cubes
from sanproof.proofs.rules.cubes import exchanged_ranks
from sanproof.proofs.rules.squares import FILES, RANKS

CRITERIA: Final = """\
SQUARE=PIECE: a piece as in a FEN, '.' for empty, or white, black, any; e4, h* or *7
LETTER=COUNT: pieces of a kind, such as Q=0 or p=2..4
men=COUNT: pieces and pawns on the board, kings included
white-men=COUNT: pieces and pawns of White
black-men=COUNT: pieces and pawns of Black
white=PIECES: White has exactly these pieces, such as KRPP
black=PIECES: Black has exactly these pieces
white-to-move: White makes the move
black-to-move: Black makes the move
rights=RIGHTS: exactly these castling rights, such as Kq or -
white-castles: White still has a castling right
black-castles: Black still has a castling right
in-check: the mover is in check before the move
en-passant-square: the FEN names the square that a pawn has just passed
en-passant-possible: a capture in passing is legal
en-passant-idle: the FEN names the square, but no capture in passing is legal
en-passant-two: two pawns stand ready to capture in passing
en-passant-one-pinned: two pawns stand ready, and only one of them may
en-passant-rank: forbidden to a pawn, because both pawns would leave the king's rank
en-passant-line: forbidden to a pawn by a pin on a diagonal or a file
cannot-castle=out|through|into|blocked|no-right: what forbids castling to a side: the king, \
the square it crosses, or the one it reaches is attacked; a piece is between; or only the \
right is lost
moves=P|N|B|R|Q|K: the kind of piece that moves (castling is a king's move)
capture: the move captures
castling: the move is castling
castling-rook-attacked: castling with a rook that is attacked
castling-b-attacked: castling to the queen's side over an attacked b1 (b8)
promotion[=N|B|R|Q]: the move promotes a pawn, to this piece or to any
en-passant: the move captures in passing
disambiguation=none|file|rank|square: what is written of the origin
twins=COUNT: other pieces of the kind with a legal move to the same square
pinned-twin: another piece of the kind reaches the square, but is pinned and may not go there
pinned-twin-may-move: a pinned twin: it may go to the square, along the line of its pin
twin-leaves-check: another piece of the kind reaches the square, but would not answer a check
promoted-twin: mover and twins outnumber those of the initial position: one was promoted
twin-on-file: a twin stands on the mover's file
twin-on-rank: a twin stands on the mover's rank
twin-behind: a piece of the kind is hidden behind the mover, on the line of its move
other-colour-too: an enemy piece of the kind attacks the square
other-kind-too: a piece or pawn of the mover's side, of another kind, attacks the square
check: the move gives check (mate is check)
direct: the piece or pawn that moved gives check itself
discovered: another piece gives check, neither the one that moved nor the castled rook
discovered-by=piece|pawn|king|castling: what uncovers a discovered check
double-check: two pieces give check
checker=P|N|B|R|Q: a piece of this kind gives check
promotion-check: the promoted piece gives check itself
castling-check: the castled rook gives check
en-passant-check=pawn|left|captured|both: capture in passing with check by the pawn, or \
on a line over the square that it left, or that was captured on, or both
mate: the move gives mate
smothered: mate by a knight, with a piece or pawn of its own on every square around the king
pinned-capturer: mate; a piece could take the only checker if it were not pinned
pinned-blocker: mate; a piece could block if it were not pinned
xray-flight: mate; a free square behind the king is attacked only through the king
stalemate: the move gives stalemate
replies=COUNT: legal replies, a promotion counted once: 0, 1 or 2.. (two and more)
only-reply=king|capture|block|double-push|en-passant|promotion: check with one reply \
alone: a move of the king, or another piece's capture or step between; or, of these, a \
double push, a capture in passing, a promotion
"""
"""Each criterion's form and meaning."""
PIECES: Final = "PNBRQKpnbrqk"
SIDES: Final = ("white", "black")
MAX_LETTERS: Final = 64
_RIGHTS: Final = "KQkq-"
_NO_BOUND: Final = 1000
_COUNT = re.compile(r"(?:(\d{1,2})|(\d{0,2})\.\.(\d{0,2}))", re.ASCII)
_SQUARE = re.compile(r"[a-h*][1-8*]")
_SWAPPED: Final = {"white": "black", "black": "white"}


class CriterionError(ValueError):
    """A word is not a criterion; the message says what is wrong and what would be right."""


class Range(NamedTuple):
    """From ``least`` to ``most``, both included."""

    least: int
    most: int = _NO_BOUND

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.least <= number <= self.most


class Criterion(NamedTuple):
    """One thing asked of a position and a move, by the name of a term.

    ``square`` asks for a piece on a square and ``letter`` for a count of pieces of a kind; the
    ``key`` is then the square or squares (``e4``, ``h*``), or the kind's letter. The value of a
    word is empty.
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
    def range(self) -> Range:
        """The value of a count, such as ``3``, ``..3``, ``3..`` or ``1..3``."""
        least, dots, most = self.value.partition("..")
        return Range(int(least or 0), int(most or _NO_BOUND) if dots else int(least))

    def exchanged(self) -> "Criterion":
        """Return the criterion with the colours exchanged: White's pieces become Black's."""
        name = re.sub("white|black", lambda side: _SWAPPED[side[0]], self.name)
        key, value = self.key, self.value
        if name == "square":
            key = exchanged_ranks(key)
            value = _SWAPPED.get(value, value if value == "any" else value.swapcase())
        elif name == "letter":
            key = key.swapcase()
        elif name == "rights":
            value = _in_order(value.swapcase(), _RIGHTS)
        return Criterion(name, key, value, self.negated)


class Question(NamedTuple):
    """The question: a pattern and criteria.

    Attributes:
        pattern: A SAN string or a shell pattern of strings; ``*`` for every move.
        criteria: What else must hold.
    """

    pattern: str
    criteria: tuple[Criterion, ...]

    def __str__(self) -> str:
        return " ".join([self.pattern, *map(str, self.criteria)])


def squares_of(key: str) -> list[int]:
    """Return the squares of a key such as ``e4``, ``h*`` or ``*7``."""
    files = range(8) if key[0] == "*" else [FILES.index(key[0])]
    ranks = range(8) if key[1] == "*" else [RANKS.index(key[1])]
    return [8 * rank + file for rank in ranks for file in files]


# Reading


def read_question(words: Sequence[str]) -> Question:
    """Read a question: first the string or pattern, if there is one, then the criteria.

    The first word is the string or pattern if it matches any string, so that ``e8=Q`` is a
    promotion there, and a queen on e8 in any other place.

    Raises:
        CriterionError: A word is not a criterion.
    """
    if words and matching_cubes(words[0]):
        return Question(words[0], read_criteria(words[1:]))
    try:
        return Question("*", read_criteria(words))
    except CriterionError as error:
        if not words or "=" in words[0] or words[0].removeprefix("not-") in {*VALUES, "not"}:
            raise
        said = f"no SAN string is or matches {words[0][:40]!a}, and {error}"
        raise CriterionError(said) from None


def read_criteria(words: Iterable[str]) -> tuple[Criterion, ...]:
    """Read criteria; ``not`` negates the one that follows it.

    Raises:
        CriterionError: A word is not a criterion.
    """
    found: list[Criterion] = []
    negated = False
    for word in words:
        if word == "not":
            if negated:
                raise CriterionError("'not' is repeated: leave both out")
            negated = True
            continue
        text = word.removeprefix("not-")
        found.append(_read_one(text)._replace(negated=negated != (text != word)))
        negated = False
    if negated:
        raise CriterionError("'not' is last: name the criterion after it")
    return tuple(found)


def _read_one(text: str) -> Criterion:
    name, equals, value = text.partition("=")
    if equals and _SQUARE.fullmatch(name):
        return Criterion("square", name, _read_content(name, value))
    if equals and len(name) == 1 and name in PIECES:
        return Criterion("letter", name, _read_count(name, value))
    if name not in VALUES or name in {"square", "letter"}:
        raise CriterionError(_unknown(name))
    values = VALUES[name]
    if read := _READERS.get(values[-1]):
        return Criterion(name, "", read(name, value))
    if equals and values == ("",):
        raise CriterionError(f"{name!r} takes no value")
    if value not in values or (equals and not value):
        raise CriterionError(f"{name}= takes {', '.join(filter(None, values))}")
    return Criterion(name, "", value)


def _unknown(name: str) -> str:
    import difflib  # noqa: PLC0415 - only for this message

    near = difflib.get_close_matches(name[:40], VALUES.keys() - {name}, 1)
    hint = f", but '{near[0]}' is one" if near else ": 'sanproof find --help' lists them all"
    return f"{name[:40]!a} is not a criterion{hint}"


def _read_count(name: str, value: str) -> str:
    if not _COUNT.fullmatch(value) or value == "..":
        raise CriterionError(f"{name}= takes a number or a range, 3 or ..3 or 3.. or 1..3")
    least, most = Criterion(name, "", value).range
    if least > most:
        raise CriterionError(f"{name}={value}: the range is empty")
    if name == "replies" and (least > 2 or most not in {_NO_BOUND, 0, 1}):
        raise CriterionError("replies= takes 0, 1, ..1, 1.. or 2..; more are not counted")
    return value


def _read_pieces(name: str, value: str) -> str:
    """Return the letters of a side's pieces in order, with the king."""
    letters = value.upper()
    if not letters or not set(letters) <= set("KQRBNP") or len(letters) > MAX_LETTERS:
        raise CriterionError(f"{name}= takes the side's pieces, such as {name}=KRPP")
    return _in_order(letters if "K" in letters else "K" + letters, "KQRBNP")


def _read_rights(name: str, value: str) -> str:
    letters = {*value}
    if value != "-" and (not value or not letters <= set("KQkq") or len(letters) < len(value)):
        raise CriterionError(f"{name}= takes castling rights as in a FEN, such as rights=Kq, or -")
    return _in_order(value, _RIGHTS)


def _read_content(name: str, value: str) -> str:
    if value not in {*PIECES, *SIDES, "any", "."}:
        raise CriterionError(f"{name}= takes a piece as in a FEN, '.', white, black or any")
    return value


def _in_order(letters: str, order: str) -> str:
    return "".join(sorted(letters, key=order.index))


_READERS: Final = {"COUNT": _read_count, "PIECES": _read_pieces, "RIGHTS": _read_rights}
"""Readers of values that are not one of a few."""


def _values() -> dict[str, tuple[str, ...]]:
    """Return for each name the values that it takes: empty for a word, or the name of a reader."""
    found = {}
    for line in CRITERIA.splitlines():
        name, _, values = line.partition(":")[0].partition("=")
        is_word, name = not values or name.endswith("["), name.rstrip("[").lower()
        found[name] = (*[""] * is_word, *filter(None, values.rstrip("]").split("|")))
    return found


VALUES: Final = _values()
