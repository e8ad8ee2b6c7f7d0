"""Formulas of a few inputs, and every assignment of them."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeVar

from hypothesis import strategies as st

from sanproof.proofs.encoding.cnf import FALSE, TRUE, Cnf, Literal
from sanproof.proofs.search.solvers import CadicalSession

Kind = TypeVar("Kind", bound=Cnf)
INPUTS = 4
LITERALS = [sign * (2 + i) for i in range(INPUTS) for sign in (1, -1)] + [TRUE, FALSE]
literal = st.sampled_from(LITERALS)
literals = st.lists(literal, max_size=6)


def with_inputs(kind: type[Kind]) -> Kind:
    """Return a formula of four unknowns and no condition."""
    cnf = kind()
    for _ in range(INPUTS):
        cnf.new()
    return cnf


def value(literal: Literal, assignment: Sequence[bool]) -> bool:
    if abs(literal) == TRUE:
        return literal == TRUE
    return assignment[abs(literal) - 2] == (literal > 0)


def assumptions(assignment: Sequence[bool]) -> list[Literal]:
    return [(2 + i) if bit else -(2 + i) for i, bit in enumerate(assignment)]


def assert_allows(cnf: Cnf, truth: Callable[[Sequence[bool]], bool]) -> None:
    """Check that the assignments that have a model are those for which this is true."""
    session = CadicalSession(cnf)
    for assignment in product((False, True), repeat=INPUTS):
        assert session.solve(assumptions(assignment)) == truth(assignment)
