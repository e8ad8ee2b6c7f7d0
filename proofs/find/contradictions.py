"""Contradictions in a question that can be said in words, before any formula is asked. Untrusted.

What is found here is also refuted by a formula; words are shorter. They speak of numbers, of what
cannot be together, and of suffixes; contradictions on squares are left to the formula.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from sanproof.proofs.find.questions import PIECES, SIDES, Criterion, Question, Range, squares_of
from sanproof.proofs.rules.san import parse_san

_PIECES_OF: Final = {"white": PIECES[:6], "black": PIECES[6:]}
_RIVALS: Final = (
    ({"white-to-move", "black-to-move"}, "Only one side has the move."),
    ({"mate", "stalemate"}, "Mate is check, and stalemate is not (FIDE 5.1.1, 5.2.1)."),
)
_LAWS: Final = {
    "k": (Range(1, 1), "{} has exactly one king"),
    "p": (Range(0, 8), "{} has at most 8 pawns"),
    "men": (Range(2, 32), "a board has the two kings, and at most 32 pieces and pawns"),
    "-men": (Range(1, 16), "{} has at most 16 pieces and pawns, one of them the king"),
    "other": (Range(0, 15), "{} has at most 16 pieces and pawns, one of them the king"),
}
"""The most pieces of a kind: on the board, of a side, or of any other kind (FIDE 2.2)."""


def contradictions(question: Question) -> Iterator[str]:
    """Yield what is contradictory in a question, a sentence each."""
    asked = [criterion for criterion in question.criteria if not criterion.negated]
    for criterion in asked:
        yield from _alone(criterion)
    for a, b in combinations(question.criteria, 2):
        if a == b._replace(negated=not b.negated):
            yield f"{a} and {b} contradict each other."
        elif not a.negated and not b.negated:
            yield from _together(a, b)
    yield from _suffix(question.pattern, asked)


def _alone(criterion: Criterion) -> Iterator[str]:
    for name, wanted in _counts(criterion).items():
        kind = name.lower().removeprefix("white").removeprefix("black")
        allowed, law = _LAWS.get(kind, _LAWS["other"])
        if not _overlap(wanted, allowed):
            side = "White" if name[0] == "w" or name.isupper() else "Black"
            yield f"{criterion}: {law.format(side)} (FIDE 2.2)."
    is_pawn = criterion.name == "square" and criterion.value in {"P", "p"}
    if is_pawn and all(s < 8 or s >= 56 for s in squares_of(criterion.key)):
        yield f"{criterion}: no pawn stands on the first or the last rank (FIDE 3.7.3.3)."


def _counts(criterion: Criterion) -> dict[str, Range]:
    """Return how many pieces a criterion asks for, by letter, or by side or for both."""
    name, value = criterion.name, criterion.value
    if name in {"letter", "men", "white-men", "black-men"}:
        return {criterion.key or name: criterion.range}
    if name not in SIDES:
        return {}
    counts = {letter: value.count(letter.upper()) for letter in _PIECES_OF[name]}
    counts[f"{name}-men"] = len(value)
    return {name: Range(count, count) for name, count in counts.items()}


def _together(a: Criterion, b: Criterion) -> Iterator[str]:
    first, second = _counts(a), _counts(b)
    yield from (sentence for names, sentence in _RIVALS if {a.name, b.name} == names)
    if any(not _overlap(first[name], second[name]) for name in first.keys() & second):
        yield f"{a} and {b}: there is no such number."


def _overlap(a: Range, b: Range) -> bool:
    return max(a.least, b.least) <= min(a.most, b.most)


def _suffix(pattern: str, asked: Sequence[Criterion]) -> Iterator[str]:
    """Say if a whole string's suffix denies check, mate or stalemate (PGN 8.2.3.5)."""
    try:
        suffix = parse_san(pattern).suffix
    except ValueError:
        return
    said = {"check": suffix != "", "mate": suffix == "#", "stalemate": suffix == ""}
    for criterion in asked:
        if not said.get(criterion.name, True):
            other = f"'{pattern.rstrip('+#')}*'"
            yield f"{pattern} is not written for {criterion}: the suffix says it; {other} has any."
