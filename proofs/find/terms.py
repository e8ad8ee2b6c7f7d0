"""The table of all criteria, which reads, lists, encodes and checks them. Untrusted.

A criterion is a word (``double-check``), or a name with a value (``d5=P``, ``men=3..7``); ``not``
before it negates it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from sanproof.proofs.board.malformed import is_san
from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.questions import (
    PIECES,
    Criterion,
    CriterionError,
    Question,
    matching_cubes,
)
from sanproof.proofs.find.scene import Scene
from sanproof.proofs.find.terms_of_move import TERMS_OF_MOVE
from sanproof.proofs.find.terms_of_position import TERMS_OF_POSITION, Term
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.search.gates import Gates

TERMS: Final[dict[str, Term]] = {**TERMS_OF_POSITION, **TERMS_OF_MOVE}
OF_SUFFIX: Final = ("check", "mate", "stalemate")
"""Criteria of the move, of which two can contradict each other in any cube."""
_KEYS: Final = {"square": re.compile("[a-h*][1-8*]"), "letter": re.compile(f"[{PIECES}]")}
"""Terms that a person asks for by a key, such as ``e4`` or ``Q``, and what the key is."""


def listed() -> str:
    """Return a line for each criterion, such as ``mate`` or ``men=COUNT``, with its meaning."""
    rows = ((name.upper() if name in _KEYS else name, term) for name, term in TERMS.items())
    return "".join(f"{name}{term.values.form}: {term.meaning}\n" for name, term in rows)


def literal(scene: Scene, criterion: Criterion) -> Literal:
    """Encode whether a criterion holds in a scene, including its ``not``.

    Raises:
        AttributeError: The criterion is about the move, and the scene has none.
    """
    holds = TERMS[criterion.name].clause(scene, criterion)
    if isinstance(holds, bool):
        holds = TRUE if holds else FALSE
    return -holds if criterion.negated else holds


def holds(criterion: Criterion, case: PlayedMove) -> bool:
    """Check with python-chess whether a position and a move satisfy a criterion."""
    return TERMS[criterion.name].check(case, criterion) != criterion.negated


class _CubeAlone(Scene):
    """A scene of which only the cube is known: to ask for more is an AttributeError."""

    def __init__(self, cube: Cube) -> None:
        self.cube, self.cnf = cube, Gates()


def is_open_to(cube: Cube, criterion: Criterion) -> bool:
    """Check whether White's moves of a cube can satisfy a criterion, as far as the cube tells."""
    try:
        return literal(_CubeAlone(cube), criterion) != FALSE
    except AttributeError:  # the formula decides
        return True


# Reading


def read_question(words: Sequence[str]) -> Question:
    """Read a question: first the string or pattern, if there is one, then the criteria.

    The first word is the string or pattern if it matches any string. So ``e8=Q`` is a promotion
    there, and a queen on e8 in any other place.

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
        raise CriterionError(f"{words[0][:40]!a} matches no SAN string, and {error}") from None


def read_criteria(words: Iterable[str]) -> tuple[Criterion, ...]:
    """Read criteria, of which ``not`` negates the next one, or raise a CriterionError."""
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
    name = text.partition("=")[0]
    for term, key in _KEYS.items() if "=" in text else ():
        if key.fullmatch(name):
            return Criterion(term, name, TERMS[term].values.read(name, text[len(name) :]))
    if name not in TERMS or name in _KEYS:
        raise CriterionError(_unknown(name))
    return Criterion(name, "", TERMS[name].values.read(name, text[len(name) :]))


def _unknown(name: str) -> str:
    import difflib  # noqa: PLC0415 - only for this message

    if is_san(name):
        return f"'{name}' is a SAN string, which comes first: write it before the criteria"
    near = difflib.get_close_matches(name[:40], TERMS.keys() - {name}, 1, cutoff=0.7)
    hint = f". Did you mean '{near[0]}'?" if near else ":"
    return f"{name[:40]!a} is not a criterion{hint} 'sanproof find --criteria' lists them all"
