"""The solvers: the only module that imports them. Untrusted.

Both take the clauses of a :class:`proofs.encoding.cnf.Cnf` as they are. CaDiCaL, through PySAT,
finds positions and writes refutations; Z3, with its finite-domain solver, refutes once more.

What was measured (two cores, formulas of 19,000 clauses): CaDiCaL opens a formula and answers a
question in about half of Z3's time, and its model is a list, where Z3 makes each value an
expression. Z3 reads DIMACS in 0.03 s, while its Python expressions for the same clauses take
1.9 s. Z3 would simplify a formula after the first hundred conflicts, by probing above all. Without
it a session's first question takes a third of the time.
"""

import errno
from collections.abc import Iterable, Sequence
from functools import cache
from tempfile import TemporaryFile
from typing import Any

from sanproof.proofs.encoding.cnf import Cnf, Literal
from sanproof.proofs.search import SolverGaveUp
from sanproof.proofs.search.gates import dimacs


@cache
def _z3() -> tuple[Any, Any]:
    """Return Z3, and one context for all formulas: making one takes longer than refuting in it.

    To load it takes longer than most commands that need only CaDiCaL take in all.
    """
    import z3  # noqa: PLC0415

    z3.set_param("sat.burst_search", 1000)
    z3.set_param("sat.probing", False)
    return z3, z3.Context()


def _new_cadical() -> Any:  # noqa: ANN401
    from pysat.solvers import Cadical195  # noqa: PLC0415

    return Cadical195()


def z3_refutes(cnf: Cnf) -> bool:
    """Return whether Z3's finite-domain solver finds that a formula has no model.

    Raises:
        SolverGaveUp: It does not say.
    """
    z3, context = _z3()
    solver = z3.SolverFor("QF_FD", ctx=context)
    solver.from_string(dimacs(cnf))
    answer = solver.check()
    if answer == z3.unknown:
        reason = solver.reason_unknown()
        if "interrupted" in reason:  # Z3 keeps Ctrl-C from Python
            raise KeyboardInterrupt
        raise SolverGaveUp(f"Z3 gave up: {reason}")
    return bool(answer == z3.unsat)


class CadicalSession:
    """A formula in CaDiCaL."""

    def __init__(self, cnf: Cnf) -> None:
        self._solver = _new_cadical()
        self._solver.append_formula(cnf.clauses)
        self._model: list[Literal] = []

    def add(self, clause: Iterable[Literal]) -> None:
        """Add a clause to the formula."""
        self._solver.add_clause(list(clause))

    def solve(self, assumptions: Sequence[Literal] = ()) -> bool:
        """Return whether there is a model, with the assumptions added for this question only."""
        self._model = []
        return bool(self._solver.solve(assumptions=list(assumptions)))

    def holds(self, literal: Literal) -> bool:
        """Return whether a literal holds in the model just found."""
        model = self._model = self._model or self._solver.get_model()
        variable = abs(literal)  # the model goes up to the last variable that a clause names
        return model[variable - 1] == literal if variable <= len(model) else literal < 0


def search_refutation(clauses: Sequence[Sequence[int]]) -> list[str] | None:
    """CaDiCaL's refutation of a formula as it writes it, in LRAT; None if the formula has a model.

    The numbers in it are CaDiCaL's own: :mod:`proofs.search.refute` makes them those of the
    formula. PySAT reads proofs as DRUP only, without hints. So CaDiCaL is told to write LRAT, as
    text, before PySAT's own function lets it begin; that function is private to PySAT.
    """
    import pysolvers  # noqa: PLC0415 - what is here can be named without it

    with TemporaryFile() as trace, _new_cadical() as solver:
        solver.configure({"lrat": 1, "binary": 0})
        file = pysolvers.cadical195_tracepr(solver.cadical, trace)
        solver.append_formula(clauses)
        if solver.solve():
            return None
        pysolvers.flushpr(file)
        trace.seek(0)
        lines = trace.read().decode("ascii").splitlines()
    adds_empty_clause = any(line.split(" ")[1] == "0" for line in lines[-2:])
    if () not in clauses and not adds_empty_clause:
        raise OSError(errno.ENOSPC, "the solver's proof could not be written whole")
    return lines
