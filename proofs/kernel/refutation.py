"""A checker of refutations with hints, in LRAT form. It follows the hints and searches nothing.

A refutation is a list of clauses, the last one empty, each with hints::

    2839 -17 32 0 5 77 0         number, literals, 0, hints, 0

The hints are numbers of clauses: those of the formula count from 1, and the refutation's go on
from there. A clause follows if the hints show it in the plainest way: assume all its literals
false; then each hint has at most one literal that is not yet false, which must be true, and the
last hint has none (reverse unit propagation: Goldberg and Novikov, 2003; the form: Cruz-Filipe
and others, "Efficient certified RAT verification", 2017). Of LRAT, only such lines are accepted:
no deletions, and no negative hints.
"""

from collections.abc import Iterable, Sequence

Clause = Sequence[int]

MOST_STEPS = 1 << 18
"""So many literals the hints of a refutation may name in all: four times those of a run's."""


class RefutationError(Exception):
    """A refutation that does not hold; the message has the offending clause."""


def check_refutation(
    formula: Iterable[Clause], lines: Iterable[str], most_steps: float = MOST_STEPS
) -> int:
    """Check that the lines refute the formula, and count them.

    Raises:
        RefutationError: A clause does not follow, the last one is not the empty clause, or the
            hints name too many literals.
    """
    clauses: list[Clause] = [(), *formula]  # the first is number 1
    before, steps = len(clauses), 0
    for line in lines:
        lemma, hints = _read(line, len(clauses))
        steps += sum(len(clauses[hint]) for hint in hints)
        if steps > most_steps:
            raise RefutationError(f"clause {len(clauses)}: the hints name more than any run's do")
        if not _follows(clauses, lemma, hints):
            raise RefutationError(f"clause {len(clauses)}, {lemma}, does not follow from its hints")
        clauses.append(lemma)
    if len(clauses) == before or clauses[-1]:
        raise RefutationError("the refutation does not end in the empty clause")
    return len(clauses) - before


def _read(line: str, expected: int) -> tuple[list[int], list[int]]:
    """Return the literals and the hints of a line."""
    try:
        number, *rest, end = numbers = list(map(int, line.split(" ")))
        zero = rest.index(0)
    except ValueError as error:
        raise RefutationError(f"{line[:60]!a} is not a line of a refutation") from error
    if line != " ".join(map(str, numbers)):  # Python also reads 1_829, +1829 and 01829
        raise RefutationError(f"{line[:60]!a} has numbers that are not written as in LRAT")
    lemma, hints = list(dict.fromkeys(rest[:zero])), rest[zero + 1 :]
    if number != expected or end != 0 or not all(0 < hint < number for hint in hints):
        raise RefutationError(f"{line[:60]!a} is not line {expected} with hints to lines before")
    return lemma, hints


def _follows(clauses: Sequence[Clause], lemma: Clause, hints: Iterable[int]) -> bool:
    """Return whether the hints, one by one, show that the lemma follows from the clauses."""
    false = set(lemma)
    for hint in hints:
        left = [literal for literal in clauses[hint] if literal not in false]
        if not left:
            return True
        if len(left) > 1:
            return False
        false.add(-left[0])
    return False
