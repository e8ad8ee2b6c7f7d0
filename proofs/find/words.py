"""Words that a person types, read as criteria.

A criterion is a word (``double-check``), or a name with a value (``d5=P``, ``men=3..7``); ``not``
before it turns it around.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from sanproof.proofs.find.patterns import matching_cubes
from sanproof.proofs.find.questions import (
    NO_BOUND,
    PIECES,
    RIGHTS,
    SIDES,
    Criterion,
    CriterionError,
    Question,
    in_order,
)
from sanproof.proofs.find.terms import NAMELESS, TERMS

MAX_LETTERS: Final = 64
_COUNT = re.compile(r"(?:(\d{1,2})|(\d{0,2})\.\.(\d{0,2}))", re.ASCII)
_SQUARE = re.compile(r"[a-h*][1-8*]")


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
        if not words or "=" in words[0] or words[0].removeprefix("not-") in {*TERMS, "not"}:
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
    if name not in TERMS or name in NAMELESS:
        raise CriterionError(_unknown(name))
    values = TERMS[name].values
    if read := _READERS.get(values[-1]):
        return Criterion(name, "", read(name, value))
    if equals and values == ("",):
        raise CriterionError(f"{name!r} takes no value")
    if value not in values or (equals and not value):
        raise CriterionError(f"{name}= takes {', '.join(filter(None, values))}")
    return Criterion(name, "", value)


def _unknown(name: str) -> str:
    import difflib  # noqa: PLC0415 - only for this message

    near = difflib.get_close_matches(name[:40], TERMS.keys() - {name}, 1)
    hint = f", but '{near[0]}' is one" if near else ": 'sanproof find --help' lists them all"
    return f"{name[:40]!a} is not a criterion{hint}"


def _read_count(name: str, value: str) -> str:
    if not _COUNT.fullmatch(value) or value == "..":
        raise CriterionError(f"{name}= takes a number or a range, 3 or ..3 or 3.. or 1..3")
    least, most = Criterion(name, "", value).range
    if least > most:
        raise CriterionError(f"{name}={value}: the range is empty")
    if name == "replies" and (least > 2 or most not in {NO_BOUND, 0, 1}):
        raise CriterionError("replies= takes 0, 1, ..1, 1.. or 2..; more are not counted")
    return value


def _read_pieces(name: str, value: str) -> str:
    """Return the letters of a side's pieces in order, with the king."""
    letters = value.upper()
    if not letters or not set(letters) <= set("KQRBNP") or len(letters) > MAX_LETTERS:
        raise CriterionError(f"{name}= takes the side's pieces, such as {name}=KRPP")
    return in_order(letters if "K" in letters else "K" + letters, "KQRBNP")


def _read_rights(name: str, value: str) -> str:
    letters = {*value}
    if value != "-" and (not value or not letters <= set("KQkq") or len(letters) < len(value)):
        raise CriterionError(f"{name}= takes castling rights as in a FEN, such as rights=Kq, or -")
    return in_order(value, RIGHTS)


def _read_content(name: str, value: str) -> str:
    if value not in {*PIECES, *SIDES, "any", "."}:
        raise CriterionError(f"{name}= takes a piece as in a FEN, '.', white, black or any")
    return value


_READERS: Final = {"COUNT": _read_count, "PIECES": _read_pieces, "RIGHTS": _read_rights}
"""Readers of values that are not one of a few."""
