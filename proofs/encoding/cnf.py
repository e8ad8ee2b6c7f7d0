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

    Whatever is defined twice is defined once: a line of sight that a move does not touch is the
    same variable before and after the move, which makes proofs much shorter. What has been
    forbidden is not defined any more: an attack that may not exist before the move does not exist
    after it either, unless the move changes something about it.
    """

    def __init__(self) -> None:
        self._defined: dict[Clause, Literal] = {}
        self.variables = 1
        self.clauses: list[Clause] = [(TRUE,)]

    def new(self) -> Literal:
        """A fresh variable, as its positive literal."""
        self.variables += 1
        return self.variables

    def add(self, *literals: Literal) -> None:
        """Assert that at least one of the literals holds."""
        if TRUE in literals:
            return
        if FALSE in literals:
            literals = tuple([x for x in literals if x != FALSE])
        self.clauses.append(literals)

    def forbid(self, *literals: Literal) -> None:
        """Assert that the literals do not all hold; :meth:`both` of them is then known."""
        clause = {-x for x in literals}
        clause.discard(FALSE)
        if TRUE not in clause:
            self.clauses.append(key := tuple(sorted(clause)))
            self._defined[key] = TRUE

    def is_forbidden(self, *literals: Literal) -> bool:
        """True only if the formula forbids these literals together; False says nothing."""
        return FALSE in literals or self._defined.get(tuple(sorted(-x for x in literals))) == TRUE

    def both(self, *literals: Literal) -> Literal:
        """A literal that is true exactly when all of the literals are."""
        return -self.either(*[-x for x in literals])

    def either(self, *literals: Literal) -> Literal:
        """A literal that is true exactly when at least one of the literals is."""
        if TRUE in literals:
            return TRUE
        unknown = set(literals)
        unknown.discard(FALSE)
        if not unknown:
            return FALSE
        if len(unknown) == 1:
            return unknown.pop()
        key = tuple(sorted(unknown))
        if key not in self._defined:
            defined = self._defined[key] = self.new()
            self.clauses.append((-defined, *key))
            self.clauses += [(defined, -x) for x in key]
        return self._defined[key]

    def onward(self, here: Literal, further: Literal, open_: Literal) -> Literal:
        """A literal that is true exactly when ``here`` is, or both ``open_`` and ``further``."""
        if not {here, further, open_}.isdisjoint((TRUE, FALSE)):
            return self.either(here, self.both(further, open_))
        key = (0, here, further, open_)  # no literal is 0, so no key of ``either`` is like it
        if key not in self._defined:
            defined = self._defined[key] = self.new()
            self.clauses += [
                (-defined, here, further),
                (-defined, here, open_),
                (defined, -here),
                (defined, -further, -open_),
            ]
        return self._defined[key]

    def at_most_one(self, literals: Iterable[Literal]) -> None:
        """Assert that no two of the literals hold, pair by pair."""
        for a, b in combinations(literals, 2):
            self.add(-a, -b)

    def exactly_one(self, literals: Iterable[Literal]) -> None:
        """Assert that one and only one of the literals holds."""
        chosen = list(literals)
        self.add(*chosen)
        self.at_most_one(chosen)
