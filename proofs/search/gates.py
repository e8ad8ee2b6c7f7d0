"""Formulas that define nothing twice, with gates for lines of sight. Untrusted.

The exact formula of a cube, which only the search uses, looks along the same lines before and after
the move, for checks, pins and replies. This makes it a few times smaller.
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Clause, Cnf, Literal

_ANY: Final = frozenset({TRUE, FALSE})


class Gates(Cnf):
    """A growing formula that remembers what it has defined and what it forbids.

    Equal definitions share a variable: a line of sight that a move does not touch is the same
    variable before and after the move, which makes proofs much shorter. What is forbidden is not
    defined again: an attack that may not exist before the move does not exist after it either,
    unless the move changes something about it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._defined: dict[Clause, Literal] = {}

    def copy(self) -> "Gates":
        """Return the same formula, which grows by itself."""
        made = Gates()
        made.variables, made.clauses = self.variables, self.clauses.copy()
        made._defined = self._defined.copy()
        return made

    def forbid(self, *literals: Literal) -> None:
        """Assert that the literals do not all hold, so that :meth:`both` of them is false."""
        if FALSE in literals:
            return
        key = tuple(sorted({-x for x in literals if x != TRUE}))
        self.clauses.append(key or (FALSE,))
        self._defined[key] = TRUE

    def is_forbidden(self, *literals: Literal) -> bool:
        """Check whether the formula is known to forbid these literals together.

        False means only that this is not known.
        """
        return FALSE in literals or self._defined.get(tuple(sorted([-x for x in literals]))) == TRUE

    def either(self, *literals: Literal) -> Literal:
        """Return a literal that is true exactly when at least one of the literals is."""
        if TRUE in literals:
            return TRUE
        key = tuple(sorted({*literals} - {FALSE}))
        known = self._defined.get(key)
        if known is None:
            known = self._defined[key] = super().either(*key)
        return known

    def at_most_one(self, literals: Iterable[Literal]) -> None:
        """Assert that no two of the literals hold, pair by pair."""
        for a, b in combinations(literals, 2):
            self.add(-a, -b)

    def onward(self, here: Literal, further: Literal, open_: Literal) -> Literal:
        """Return a literal that is true if ``here`` is, or both ``open_`` and ``further`` are."""
        if here in _ANY or further in _ANY or open_ in _ANY:
            return self.either(here, self.both(further, open_))
        key = (0, here, further, open_)  # no literal is 0, so no key of ``either`` is like it
        defined = self._defined.get(key)
        if defined is None:
            defined = self._defined[key] = self.new()
            self.clauses += [
                (-defined, here, further),
                (-defined, here, open_),
                (defined, -here),
                (defined, -further, -open_),
            ]
        return defined


def dimacs(cnf: Cnf) -> str:
    """Return a formula as DIMACS: a header, then each clause in order of assertion, with LF."""
    # From "[(1,), (2, -3), ()]", which Python writes quicker than clause by clause.
    clauses = str(cnf.clauses)[2:-2].replace(",)", ")").replace("), (", " 0\n")
    clauses = clauses.replace(",", "")
    return f"p cnf {cnf.variables} {len(cnf.clauses)}\n{clauses} 0\n"
