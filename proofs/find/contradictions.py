"""Contradictions in a question that can be said in words, before any formula is asked. Untrusted.

What is found here is also refuted by a formula; words are shorter.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from sanproof.proofs.find.criteria import Criterion, Question, Range, squares_of
from sanproof.proofs.rules.san import parse_san

_MOST_MEN: Final = 16
_MOST_PAWNS: Final = 8
_SIDES: Final = {"men": "the board", "white-men": "White", "black-men": "Black"}
_LIMITS: Final = {"men": (2, 32), "white-men": (1, 16), "black-men": (1, 16)}


def contradictions(question: Question) -> Iterator[str]:
    """What is contradictory in a question, a sentence each; nothing if it may have answers."""
    criteria = question.criteria
    for criterion in criteria:
        if not criterion.negated:
            yield from _alone(criterion)
    for a, b in combinations(criteria, 2):
        if a == Criterion(b.name, b.key, b.value, not b.negated):
            yield f"{a} and {b} contradict each other."
        elif not a.negated and not b.negated:
            yield from _together(a, b)
    yield from _too_many(criteria)
    yield from _suffix(question)


def _suffix(question: Question) -> Iterator[str]:
    """A whole string says by its suffix whether it gives check or mate (PGN 8.2.3.5)."""
    pattern = question.pattern
    try:
        suffix = parse_san(pattern).suffix
    except ValueError:
        return
    for criterion in question.criteria:
        said = {"check": suffix != "", "mate": suffix == "#", "stalemate": suffix == ""}
        if criterion.name in said and not criterion.negated and not said[criterion.name]:
            other = f"'{pattern.rstrip('+#')}*'"
            yield f"{pattern} is not written for {criterion}: the suffix says it; {other} has any."


def _alone(criterion: Criterion) -> Iterator[str]:
    name, key, value = criterion.name, criterion.key, criterion.value
    if name == "kind":
        yield from _count_of_kind(criterion, key, criterion.range)
    elif name in _LIMITS:
        least, most = _LIMITS[name]
        if criterion.range.least > most:
            yield f"{criterion}: {_SIDES[name]} has at most {most} men (FIDE 2.2)."
        if criterion.range.highest < least:
            yield f"{criterion}: {_SIDES[name]} has a king for each side (FIDE 2.2)."
    elif name in {"white", "black"}:
        yield from _material(criterion, value)
    elif name == "square" and value in {"P", "p"} and _is_outer(key):
        yield f"{criterion}: no pawn stands on the first or the last rank (FIDE 3.7.3.3)."


def _count_of_kind(criterion: Criterion, letter: str, wanted: Range) -> Iterator[str]:
    side = "White" if letter.isupper() else "Black"
    if letter in "Kk" and 1 not in wanted:
        yield f"{criterion}: {side} has exactly one king (FIDE 2.2)."
    elif letter in "Pp" and wanted.least > _MOST_PAWNS:
        yield f"{criterion}: {side} has at most 8 pawns (FIDE 2.2)."
    elif wanted.least >= _MOST_MEN:
        yield f"{criterion}: {side} has at most 16 men, one of them the king (FIDE 2.2)."


def _material(criterion: Criterion, letters: str) -> Iterator[str]:
    side = criterion.name.capitalize()
    if letters.count("K") > 1:
        yield f"{criterion}: {side} has exactly one king (FIDE 2.2)."
    if letters.count("P") > _MOST_PAWNS:
        yield f"{criterion}: {side} has at most 8 pawns (FIDE 2.2)."
    if len(letters) > _MOST_MEN:
        yield f"{criterion}: {side} has at most 16 men (FIDE 2.2)."


def _together(a: Criterion, b: Criterion) -> Iterator[str]:
    same = (a.name, a.key) == (b.name, b.key)
    if {a.name, b.name} == {"white-to-move", "black-to-move"}:
        yield "Only one side has the move."
    elif {a.name, b.name} == {"mate", "stalemate"}:
        yield "Mate is check, and stalemate is not (FIDE 5.1.1, 5.2.1)."
    elif same and a.name == "square" and len(squares_of(a.key)) == 1:
        if not _agree(a.value, b.value):
            yield f"{a} and {b}: a square holds one man at most (FIDE 3.1)."
    elif same and a.name in {"white", "black"} and a.value != b.value:
        yield f"{a} and {b}: a side has one set of men."
    elif same and a.name in {"kind", *_SIDES} and not _overlap(a.range, b.range):
        yield f"{a} and {b}: there is no such number."
    elif a.name == b.name == "square" and a.value == b.value and _are_apart(a, b):
        side = "White" if a.value == "K" else "Black"
        yield f"{a} and {b}: {side} has exactly one king (FIDE 2.2)."


def _is_outer(key: str) -> bool:
    """Whether all squares of a key are on the first or the last rank."""
    return all(s < 8 or s >= 56 for s in squares_of(key))


def _are_apart(a: Criterion, b: Criterion) -> bool:
    """Whether two criteria put a king on squares that have none in common."""
    return a.value in {"K", "k"} and not set(squares_of(a.key)) & set(squares_of(b.key))


def _overlap(a: Range, b: Range) -> bool:
    return max(a.least, b.least) <= min(a.highest, b.highest)


def _agree(a: str, b: str) -> bool:
    """Whether one square can hold both."""
    if a == b:
        return True
    if "." in (a, b):
        return False
    colours = {_colour(a), _colour(b)} - {"any"}
    return len(colours) < 2 and (len(a) > 1 or len(b) > 1)


def _colour(value: str) -> str:
    if len(value) > 1:
        return value
    return "white" if value.isupper() else "black"


def _too_many(criteria: Sequence[Criterion]) -> Iterator[str]:
    """More men named than may be on the board."""
    most = min((c.range.highest for c in criteria if c.name == "men" and not c.negated), default=32)
    squares = [c for c in criteria if c.name == "square" and not c.negated and c.value != "."]
    named = {c.key: c.value for c in squares if "*" not in c.key}
    kings = sum(value.lower() == "k" or len(value) > 1 for value in named.values())
    least = len(named) + max(0, 2 - kings)
    if least > most:
        yield f"The squares hold {len(named)} men, and with both kings at most {most} are allowed."
