"""The solvers, behind one small interface: the only module that imports them. Untrusted.

Both take the clauses of a :class:`proofs.cnf.Cnf` as they are. Z3 decides with its finite-domain
solver; CaDiCaL, through PySAT, is the second opinion.

What was measured (two cores, formulas of 29,000 clauses): Z3 reads DIMACS in 0.03 s, while its
Python expressions for the same clauses take 1.9 s. Reading a model took 4 ms with Z3's default
``model.compact`` and takes 0.5 ms without. Values are read as one bit-vector, because each value
that is fetched by itself costs 15 microseconds.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, Protocol

import z3
from pysat.solvers import Solver as PySatSolver

from proofs.cnf import Cnf, Literal

z3.set_param("model.compact", False)


class Answer(Enum):
    """What a solver says of a formula under assumptions."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"


class SolverGaveUp(RuntimeError):
    """The solver ended without an answer; nothing follows from that."""


class SatSession(Protocol):
    """A formula held by a solver, to which clauses can be added between questions."""

    def add(self, clause: Iterable[Literal]) -> None:
        """Add a clause to the formula."""

    def solve(self, assumptions: Sequence[Literal] = ()) -> Answer:
        """Decide the formula with the assumptions added for this question only."""

    def values(self) -> list[bool]:
        """In the model just found, the values of the literals named at the start, in order."""


class Z3Session:
    """A formula in Z3's finite-domain solver, in a context of its own.

    The context makes what is found independent of what the process solved before.

    Args:
        cnf: The formula.
        wanted: The literals whose values in a model will be asked for.
    """

    def __init__(self, cnf: Cnf, wanted: Sequence[Literal]) -> None:
        self._context = z3.Context()
        self._solver: Any = z3.SolverFor("QF_FD", ctx=self._context)
        self._solver.from_string(cnf.dimacs())
        self._expressions: dict[Literal, Any] = {}
        self._wanted = len(wanted)
        one, zero = (z3.BitVecVal(bit, 1, self._context) for bit in (1, 0))
        bits = [z3.If(self._expression(literal), one, zero) for literal in wanted]
        self._bits = z3.Concat(zero, zero, *bits)

    def _expression(self, literal: Literal) -> Any:  # noqa: ANN401 - Z3 has no types
        if literal not in self._expressions:
            # Z3 names the variables of a DIMACS text by integers.
            variable = z3.Bool(abs(literal), self._context)
            self._expressions[literal] = variable if literal > 0 else z3.Not(variable)
        return self._expressions[literal]

    def add(self, clause: Iterable[Literal]) -> None:
        """Add a clause to the formula."""
        literals = [self._expression(x) for x in clause]
        self._solver.add(z3.Or(z3.BoolVal(False, self._context), *literals))

    def solve(self, assumptions: Sequence[Literal] = ()) -> Answer:
        """Decide the formula with the assumptions added for this question only."""
        result = self._solver.check([self._expression(x) for x in assumptions])
        if result == z3.unknown:
            raise SolverGaveUp(f"Z3 gave up: {self._solver.reason_unknown()}")
        return Answer.SATISFIABLE if result == z3.sat else Answer.UNSATISFIABLE

    def values(self) -> list[bool]:
        """In the model just found, the values of the literals named at the start, in order."""
        number = self._solver.model().eval(self._bits, model_completion=True).as_long()
        bits = format(number, f"0{self._wanted}b") if self._wanted else ""
        return [bit == "1" for bit in bits]


class CadicalSession:
    """The same in CaDiCaL."""

    def __init__(self, cnf: Cnf, wanted: Sequence[Literal]) -> None:
        self._solver: Any = PySatSolver(name="cadical195", bootstrap_with=cnf.clauses)
        self._wanted = list(wanted)

    def add(self, clause: Iterable[Literal]) -> None:
        """Add a clause to the formula."""
        self._solver.add_clause(list(clause))

    def solve(self, assumptions: Sequence[Literal] = ()) -> Answer:
        """Decide the formula with the assumptions added for this question only."""
        satisfiable = self._solver.solve(assumptions=list(assumptions))
        return Answer.SATISFIABLE if satisfiable else Answer.UNSATISFIABLE

    def values(self) -> list[bool]:
        """In the model just found, the values of the literals named at the start, in order."""
        true = {x for x in self._solver.get_model() if x > 0}
        return [(abs(x) in true) == (x > 0) for x in self._wanted]


def search_refutation(cnf: Cnf) -> tuple[tuple[int, ...], ...] | None:
    """CaDiCaL's refutation of a formula as the clauses it derived, None if the formula has a model.

    The last clause is empty. What the solver deleted on the way is left out.
    """
    with PySatSolver(name="cadical195", bootstrap_with=cnf.clauses, with_proof=True) as solver:
        if solver.solve():
            return None
        lines = [line for line in solver.get_proof() if not line.startswith("d")]
    lemmas = [tuple(map(int, line.split()[:-1])) for line in lines]
    return tuple(lemmas) if lemmas and not lemmas[-1] else (*lemmas, ())
