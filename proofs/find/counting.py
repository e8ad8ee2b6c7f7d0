"""Counting in clauses: how many literals hold, defined and not asserted. Untrusted."""

from collections.abc import Iterable

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Cnf, Literal
from sanproof.proofs.find.criteria import Range


def at_least(cnf: Cnf, most: int, literals: Iterable[Literal]) -> list[Literal]:
    """For each number from 0 to ``most``, whether at least so many of the literals hold.

    A sequential counter: literal by literal, ``i`` hold so far if ``i`` held before, or ``i - 1``
    did and this one holds.
    """
    counts = [TRUE] + [FALSE] * most
    for literal in literals:
        if literal != FALSE:
            more = [cnf.either(counts[i], cnf.both(counts[i - 1], literal)) for i in _up_to(most)]
            counts = [TRUE, *more]
    return counts


def _up_to(most: int) -> range:
    return range(1, most + 1)


def how_many(cnf: Cnf, wanted: Range, literals: Iterable[Literal]) -> Literal:
    """Whether the number of literals that hold is in a range."""
    chosen = [literal for literal in literals if literal != FALSE]
    if wanted.least > len(chosen):
        return FALSE
    highest = min(wanted.highest, len(chosen))
    counts = [*at_least(cnf, min(highest + 1, len(chosen)), chosen), FALSE]
    return cnf.both(counts[wanted.least], -counts[highest + 1])
