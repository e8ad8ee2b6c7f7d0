"""Counting in clauses: how many literals hold, defined and not asserted. Untrusted."""

from collections.abc import Iterable
from itertools import pairwise

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
            more = [cnf.either(n, cnf.both(fewer, literal)) for fewer, n in pairwise(counts)]
            counts = [TRUE, *more]
    return counts


def how_many(cnf: Cnf, wanted: Range, literals: Iterable[Literal]) -> Literal:
    """Whether the number of literals that hold is in a range."""
    chosen = [literal for literal in literals if literal != FALSE]
    if wanted.least > len(chosen):
        return FALSE
    highest = min(wanted.highest, len(chosen))
    counts = [*at_least(cnf, min(highest + 1, len(chosen)), chosen), FALSE]
    return cnf.both(counts[wanted.least], -counts[highest + 1])
