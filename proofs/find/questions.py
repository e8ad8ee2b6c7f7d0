"""Questions: a string or a pattern, and criteria, read from words that a person types."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import Literal
from sanproof.proofs.find.criteria import PIECES, Criterion, CriterionError, Term
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.patterns import matches_some_string
from sanproof.proofs.find.replies import FullScene
from sanproof.proofs.find.terms_of_move import TERMS_OF_MOVE
from sanproof.proofs.find.terms_of_position import TERMS_OF_POSITION
from sanproof.proofs.rules.cubes import Cube

TERMS: Final[dict[str, Term]] = {term.name: term for term in (*TERMS_OF_POSITION, *TERMS_OF_MOVE)}
"""What each name of a criterion means."""
_OF_POSITION: Final = frozenset(term.name for term in TERMS_OF_POSITION)
_SQUARE = re.compile(r"[a-h*][1-8*]")


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
        CriterionError: A word is not a criterion.
    """
    if words and matches_some_string(words[0]):
        return Question(words[0], read_criteria(words[1:]))
    try:
        return Question("*", read_criteria(words))
    except CriterionError as error:
        if not words or "=" in words[0] or words[0].removeprefix("not-") in {*TERMS, "not"}:
            raise
        raise CriterionError(
            f"no SAN string is or matches {words[0][:40]!a}, and {error}"
        ) from None


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
                raise CriterionError("'not' stands twice: leave both out")
            negated = True
            continue
        text = word.removeprefix("not-")
        found.append(_read_one(text, negated=negated != (text != word)))
        negated = False
    if negated:
        raise CriterionError("'not' stands last: name the criterion after it")
    return tuple(found)


def _read_one(text: str, *, negated: bool) -> Criterion:
    name, equals, value = text.partition("=")
    given = value if equals else None
    if equals and _SQUARE.fullmatch(name):
        return TERMS["square"].criterion(name, given, negated=negated)
    if equals and len(name) == 1 and name in PIECES:
        return TERMS["letter"].criterion(name, given, negated=negated)
    if name not in TERMS or name in {"square", "letter"}:
        raise CriterionError(_unknown(name))
    return TERMS[name].criterion("", given, negated=negated)


def _unknown(name: str) -> str:
    import difflib  # noqa: PLC0415 - only for this message

    near = difflib.get_close_matches(name[:40], TERMS, 1)
    hint = f", but '{near[0]}' is one" if near else ": 'sanproof find --help' lists them all"
    return f"{name[:40]!a} is no criterion{hint}"


def literal(scene: FullScene, criterion: Criterion) -> Literal:
    """Return whether a criterion holds in a scene, its ``not`` included.

    Raises:
        NoMove: It speaks of the move, and the scene has none.
    """
    holds = TERMS[criterion.name].clause(scene, criterion)
    return -holds if criterion.negated else holds


def holds(criterion: Criterion, case: PlayedMove) -> bool:
    """Whether a position and a move have what a criterion asks for, as python-chess says."""
    return TERMS[criterion.name].check(case, criterion) != criterion.negated


def unmet(criteria: Iterable[Criterion], case: PlayedMove) -> Iterator[Criterion]:
    """Yield the criteria that do not hold."""
    return (criterion for criterion in criteria if not holds(criterion, case))


def is_open_to(cube: Cube, criterion: Criterion) -> bool:
    """Whether moves of a cube (White's) can meet a criterion, as far as the cube decides it."""
    decided = TERMS[criterion.name].by_cube(cube, criterion.value)
    return decided is None or decided != criterion.negated


def is_of_position(criterion: Criterion) -> bool:
    """Whether a criterion speaks of the position alone, and not of the move."""
    return criterion.name in _OF_POSITION
