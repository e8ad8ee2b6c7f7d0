"""A checker for refutations in DRUP form, by reverse unit propagation. Trusted; it never searches.

A refutation is a list of clauses, the last one empty. Each must follow from the formula and the
clauses before it in the plainest way: if all its literals are assumed false, then repeatedly
satisfying the clauses that have a single literal left ends in a clause with none (Goldberg and
Novikov, 2003). Clauses that a solver deletes are kept: more clauses only make more follow.

What is trusted is that each step is checked, not how fast; the two watched literals of each clause
(its first two) only save looking at clauses that cannot have become short.
"""

from collections.abc import Iterable, Sequence
from itertools import islice

Clause = Sequence[int]


class RefutationError(Exception):
    """A refutation that does not hold; the message has the offending clause."""


def check_refutation(variables: int, formula: Iterable[Clause], lemmas: Sequence[Clause]) -> None:
    """Check that the lemmas refute the formula.

    Args:
        variables: The number of variables.
        formula: The clauses, as DIMACS integers.
        lemmas: The clauses of the refutation, the last one empty.

    Raises:
        RefutationError: A clause does not follow, or the last one is not the empty clause.
    """
    if not lemmas or lemmas[-1]:
        raise RefutationError("the refutation does not end in the empty clause")
    if any(not 0 < abs(literal) <= variables for lemma in lemmas for literal in lemma):
        raise RefutationError("the refutation has a literal that is not the formula's")
    clauses = _Clauses(variables)
    for clause in formula:
        clauses.add(clause)
    for number, lemma in enumerate(lemmas, 1):
        if not clauses.imply(lemma):
            raise RefutationError(f"clause {number}, {list(lemma)}, does not follow")
        clauses.add(lemma)


class _Clauses:
    """A set of clauses with what follows from it by unit propagation.

    Lists are indexed by literals: Python counts negative indices from the end.
    """

    def __init__(self, variables: int) -> None:
        self._true = [False] * (2 * variables + 1)
        self._watching: list[list[list[int]]] = [[] for _ in range(2 * variables + 1)]
        self._trail: list[int] = []
        self._refuted = False

    def add(self, clause: Clause) -> None:
        """Add a clause, and what follows from it."""
        if any(self._true[literal] or -literal in clause for literal in clause):
            return  # holds for good, or always
        open_ = [literal for literal in dict.fromkeys(clause) if not self._true[-literal]]
        if len(open_) >= 2:
            for literal in open_[:2]:
                self._watching[literal].append(open_)
        elif self._refuted or not open_ or not self._assume(open_):
            self._refuted = True

    def imply(self, clause: Clause) -> bool:
        """Whether unit propagation shows that the clause follows."""
        if self._refuted:
            return True
        known = len(self._trail)
        implied = not self._assume([-literal for literal in clause])
        for literal in self._trail[known:]:
            self._true[literal] = False
        del self._trail[known:]
        return implied

    def _assume(self, literals: Clause) -> bool:
        """Make literals true and propagate; False if that leaves some clause no literal."""
        start = len(self._trail)
        for literal in literals:
            if self._true[-literal]:
                return False
            if not self._true[literal]:
                self._true[literal] = True
                self._trail.append(literal)
        return self._propagate(start)

    def _propagate(self, start: int) -> bool:
        true, trail, watching = self._true, self._trail, self._watching
        for literal in islice(trail, start, None):  # the trail grows while it is gone through
            false = -literal
            watchers, watching[false] = watching[false], []
            kept = watching[false]
            for position, clause in enumerate(watchers):
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                if true[first]:
                    kept.append(clause)
                    continue
                for i in range(2, len(clause)):
                    other = clause[i]
                    if not true[-other]:
                        clause[1], clause[i] = other, false
                        watching[other].append(clause)
                        break
                else:
                    kept.append(clause)
                    if true[-first]:
                        kept.extend(watchers[position + 1 :])
                        return False
                    true[first] = True
                    trail.append(first)
        return True
