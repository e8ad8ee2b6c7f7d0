"""Propositional formulas in conjunctive normal form. Nothing here knows of chess.

A literal is a non-zero integer, as in DIMACS: ``v`` says that variable ``v`` is true, ``-v`` that
it is false. Variable 1 is the constant true, so that encodings can mix facts that are known
beforehand with unknowns; clauses are simplified by those constants as they are added.
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

Literal = int
Clause = tuple[Literal, ...]
TRUE: Final[Literal] = 1
FALSE: Final[Literal] = -1


class Cnf:
    """A growing formula. ``variables`` counts its variables, ``clauses`` lists its clauses.

    No clause is empty, which some readers of DIMACS refuse: what cannot hold is ``(FALSE,)``.
    """

    def __init__(self) -> None:
        self.variables = 1
        self.clauses: list[Clause] = [(TRUE,)]

    def new(self) -> Literal:
        """Return a fresh variable, as its positive literal."""
        self.variables += 1
        return self.variables

    def add(self, *literals: Literal) -> None:
        """Assert that at least one of the literals holds."""
        if TRUE in literals:
            return
        if FALSE in literals or not literals:
            literals = tuple([x for x in literals if x != FALSE]) or (FALSE,)
        self.clauses.append(literals)

    def both(self, *literals: Literal) -> Literal:
        """Return a literal that is true exactly when all of the literals are."""
        return -self.either(*[-x for x in literals])

    def either(self, *literals: Literal) -> Literal:
        """Return a literal that is true exactly when at least one of the literals is."""
        if TRUE in literals:
            return TRUE
        unknown = sorted({*literals} - {FALSE})
        if not unknown:
            return FALSE
        if len(unknown) == 1:
            return unknown[0]
        defined = self.new()
        self.clauses.append((-defined, *unknown))
        self.clauses += [(defined, -x) for x in unknown]
        return defined

    def exactly_one(self, literals: Iterable[Literal]) -> None:
        """Assert that one and only one of the literals holds."""
        chosen = list(literals)
        self.add(*chosen)
        for a, b in combinations(chosen, 2):
            self.add(-a, -b)
