"""The solvers, with the same three methods: the only module that imports them. Untrusted.

Both take the clauses of a :class:`proofs.encoding.cnf.Cnf` as they are. Z3, with its finite-domain
solver, says which strings the rules admit. CaDiCaL, through PySAT, finds positions and writes
refutations.

What was measured (two cores, formulas of 19,000 clauses): CaDiCaL opens a formula and answers a
question in about half of Z3's time, and its model is a list, where Z3 makes each value an
expression. Z3 reads DIMACS in 0.03 s, while its Python expressions for the same clauses take
1.9 s. Z3 would simplify a formula after the first hundred conflicts, by probing above all. Without
it a session's first question takes a third of the time.
"""

import errno
import re
from collections import deque
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cache, cached_property
from itertools import repeat
from tempfile import TemporaryFile
from typing import Any

from sanproof.proofs.encoding.cnf import Cnf, Literal
from sanproof.proofs.search import SolverGaveUp
from sanproof.proofs.search.gates import dimacs


@cache
def _z3() -> Any:  # noqa: ANN401 - Z3 has no types
    """Z3, which takes longer to load than most commands that need only CaDiCaL take in all."""
    import z3  # noqa: PLC0415

    z3.set_param("sat.burst_search", 1000)
    z3.set_param("sat.probing", False)
    return z3


@cache
def _pysolvers() -> Any:  # noqa: ANN401 - PySAT has no types
    """Return PySAT's solvers: the types here can be named without them."""
    import pysolvers  # noqa: PLC0415

    return pysolvers


def _new_cadical() -> Any:  # noqa: ANN401
    from pysat.solvers import Cadical195  # noqa: PLC0415

    return Cadical195()


class SolverAnswer(Enum):
    """The answer of a solver to a formula under assumptions."""

    SATISFIABLE = "satisfiable"
    UNSATISFIABLE = "unsatisfiable"


class Z3Context:
    """A context of Z3 for sessions that are opened one after another.

    To make one takes longer than to open a session in it, and sessions that share it share the
    expressions of their literals. What a session finds may depend on those before it in its
    context, and on nothing else that the process has solved.
    """

    def __init__(self) -> None:
        self._literals: dict[Literal, Any] = {}

    @cached_property
    def reference(self) -> Any:  # noqa: ANN401 - Z3 has no types
        """Z3's own, made when the first session is opened."""
        return _z3().Context()

    def literal(self, literal: Literal) -> Any:  # noqa: ANN401 - Z3 has no types
        """Return the literal as an expression."""
        if literal not in self._literals:
            # Z3 names the variables of a DIMACS text by integers.
            variable = _z3().Bool(abs(literal), self.reference)
            self._literals[literal] = variable if literal > 0 else _z3().Not(variable)
        return self._literals[literal]


class Z3Session:
    """A formula in Z3's finite-domain solver.

    Args:
        cnf: The formula.
        wanted: The literals whose values in a model will be asked for: a few, since each value is
            fetched by itself.
        context: Where the session lives; without one, in a context of its own.
    """

    def __init__(
        self, cnf: Cnf, wanted: Sequence[Literal], context: Z3Context | None = None
    ) -> None:
        self._context = context or Z3Context()
        self._solver: Any = _z3().SolverFor("QF_FD", ctx=self._context.reference)
        self._solver.from_string(dimacs(cnf))
        self._wanted = list(wanted)

    def add(self, clause: Iterable[Literal]) -> None:
        """Add a clause to the formula."""
        literals = map(self._context.literal, clause)
        false = _z3().BoolVal(False, self._context.reference)
        self._solver.add(_z3().Or(false, *literals))

    def solve(self, assumptions: Sequence[Literal] = ()) -> SolverAnswer:
        """Decide the formula with the assumptions added for this question only."""
        result = self._solver.check([self._context.literal(x) for x in assumptions])
        if result == _z3().unknown:
            reason = self._solver.reason_unknown()
            if "interrupted" in reason:  # Z3 keeps Ctrl-C from Python
                raise KeyboardInterrupt
            raise SolverGaveUp(f"Z3 gave up: {reason}")
        return SolverAnswer.SATISFIABLE if result == _z3().sat else SolverAnswer.UNSATISFIABLE

    def values(self) -> list[bool]:
        """In the model just found, the values of the literals named at the start, in order."""
        model = self._solver.model()
        return [_z3().is_true(model.eval(self._context.literal(x), True)) for x in self._wanted]


def z3_refutes(cnf: Cnf) -> bool:
    """Check whether Z3 finds that a formula has no model."""
    return Z3Session(cnf, [], _context_of_refutations()).solve() is SolverAnswer.UNSATISFIABLE


_context_of_refutations = cache(Z3Context)
"""One for all: nothing is taken from a model, and a new one would cost twice as much again."""


class CadicalSession:
    """A formula in CaDiCaL."""

    def __init__(self, cnf: Cnf, wanted: Sequence[Literal]) -> None:
        self._solver = _new_cadical()
        _load(self._solver, cnf.clauses)
        self._wanted = list(wanted)
        self._last = max(map(abs, self._wanted), default=0)

    def add(self, clause: Iterable[Literal]) -> None:
        """Add a clause to the formula."""
        self._solver.add_clause(list(clause))

    def solve(self, assumptions: Sequence[Literal] = ()) -> SolverAnswer:
        """Decide the formula with the assumptions added for this question only."""
        satisfiable = self._solver.solve(assumptions=list(assumptions))
        return SolverAnswer.SATISFIABLE if satisfiable else SolverAnswer.UNSATISFIABLE

    def values(self) -> list[bool]:
        """In the model just found, the values of the literals named at the start, in order."""
        model = self._solver.get_model()  # of each variable up to the last that a clause names
        true = [False, *(x > 0 for x in model), *[False] * (self._last - len(model))]
        return [true[abs(x)] == (x > 0) for x in self._wanted]


def search_refutation(clauses: Sequence[Sequence[int]]) -> list[str] | None:
    """CaDiCaL's refutation of a formula as it writes it, in LRAT; None if the formula has a model.

    The numbers in it are CaDiCaL's own: :mod:`proofs.search.refute` makes them those of the
    formula. PySAT reads proofs as DRUP only, without hints. So CaDiCaL is told to write LRAT, as
    text, before PySAT's own function lets it begin; that function is private to PySAT.
    """
    with TemporaryFile() as trace, _new_cadical() as solver:
        solver.configure({"lrat": 1, "binary": 0})
        file = _pysolvers().cadical195_tracepr(solver.cadical, trace)
        _load(solver, clauses)
        if solver.solve():
            return None
        _pysolvers().flushpr(file)
        trace.seek(0)
        lines = trace.read().decode("ascii").splitlines()
    if () not in clauses and not any(_is_empty_clause(line) for line in lines[-2:]):
        raise OSError(errno.ENOSPC, "the solver's proof could not be written whole")
    return lines


def _load(solver: Any, clauses: Iterable[Sequence[int]]) -> None:  # noqa: ANN401
    """Add the clauses as PySAT's own function does, which takes as long again for itself."""
    deque(map(_pysolvers().cadical195_add_cl, repeat(solver.cadical), clauses), maxlen=0)


def _is_empty_clause(line: str) -> bool:
    """Check whether a line of a proof adds the empty clause, with its hints to the end."""
    return bool(re.fullmatch(r"\d+ 0( -?\d+)* 0", line))
