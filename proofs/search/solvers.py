"""Runs the solvers, which no other module imports, and searches for certificates. Untrusted.

Both take the clauses of a :class:`proofs.encoding.cnf.Cnf` as they are. CaDiCaL, through PySAT,
finds positions and writes refutations; Z3, with its finite-domain solver, refutes once more.

CaDiCaL reads and solves a formula in about half of Z3's time. Z3 reads DIMACS much faster than its
Python expressions are built; without probing, its first answer takes a third of the time.
"""

import errno
from collections import deque
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count, repeat
from tempfile import TemporaryFile
from typing import Any

from sanproof.proofs.encoding.cnf import Clause, Cnf, Literal
from sanproof.proofs.encoding.relaxation import Scope, encode_relaxation
from sanproof.proofs.kernel.certificates import closing_formula, read_certificate
from sanproof.proofs.kernel.files import CERTIFICATES, EvidenceError
from sanproof.proofs.kernel.refutation import RefutationError
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.search import Disagreement, SolverGaveUp
from sanproof.proofs.search.exact import read_string
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


def _load(solver: Any, clauses: Iterable[Sequence[Literal]]) -> None:  # noqa: ANN401
    """Add clauses to CaDiCaL; PySAT's ``append_formula`` takes half as long again."""
    import pysolvers  # noqa: PLC0415

    deque(map(pysolvers.cadical195_add_cl, repeat(solver.cadical), clauses), maxlen=0)


def z3_refutes(cnf: Cnf) -> bool:
    """Check whether Z3's finite-domain solver finds that a formula has no model.

    Raises:
        SolverGaveUp: Z3 does not answer.
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
    """A formula in CaDiCaL, which can grow and be solved again."""

    def __init__(self, cnf: Cnf) -> None:
        self._solver = _new_cadical()
        _load(self._solver, cnf.clauses)
        self._model: list[Literal] = []

    def add(self, clause: Iterable[Literal]) -> None:
        """Add a clause to the formula."""
        self._solver.add_clause(list(clause))

    def solve(self, assumptions: Sequence[Literal] = ()) -> bool:
        """Check whether there is a model in which, for this call only, the assumptions hold."""
        self._model = []
        return bool(self._solver.solve(assumptions=list(assumptions)))

    def holds(self, literal: Literal) -> bool:
        """Check whether a literal holds in the model just found."""
        model = self._model = self._model or self._solver.get_model()
        variable = abs(literal)  # the model goes up to the last variable that a clause names
        return model[variable - 1] == literal if variable <= len(model) else literal < 0


def search_refutation(clauses: Sequence[Sequence[int]]) -> list[str] | None:
    """Return CaDiCaL's refutation of a formula in LRAT, or None if the formula has a model.

    The numbers in it are CaDiCaL's own; :func:`translate_refutation` makes them those of the
    formula. PySAT can only read proofs as DRUP, without hints. So CaDiCaL is told to write LRAT, as
    text, before PySAT's own function starts it; that function is private to PySAT.
    """
    import pysolvers  # noqa: PLC0415 - what is here can be named without it

    with TemporaryFile() as trace, _new_cadical() as solver:
        solver.configure({"lrat": 1, "binary": 0})
        file = pysolvers.cadical195_tracepr(solver.cadical, trace)
        _load(solver, clauses)
        if solver.solve():
            return None
        pysolvers.flushpr(file)
        trace.seek(0)
        lines = trace.read().decode("ascii").splitlines()
    adds_empty_clause = any(line.split(" ")[1] == "0" for line in lines[-2:])
    if () not in clauses and not adds_empty_clause:
        raise OSError(errno.ENOSPC, "the solver's proof could not be written whole")
    return lines


def closing_certificate(cube: Cube, left_open: Sequence[str]) -> str:
    """Return a certificate that White plays only those strings of a cube that are ``left_open``.

    These are given in list order. The smaller scope is tried first, so that no formula is larger
    than the argument needs.

    Returns:
        The paragraph that :mod:`proofs.kernel.certificates` describes, with the empty line that
        ends it.

    Raises:
        Disagreement: By the rules another string is possible, or Z3 finds a model of the formula
            that CaDiCaL refutes.
    """
    for scope in Scope:
        formula = closing_formula(cube, scope, left_open)
        found = search_refutation(formula.clauses)
        if found is not None:
            if not z3_refutes(formula):
                raise Disagreement(f"CaDiCaL closes cube {cube}, and Z3 finds a model")
            header = [f"cube {cube}", f"scope {scope.value}", " ".join(["open", *left_open])]
            return "\n".join([*header, *translate_refutation(found, formula.clauses)]) + "\n\n"
    other = _open_string(cube, left_open)
    raise Disagreement(f"in cube {cube} the rules admit {other}, which is not in the theory")


def ask_z3(certificate: str) -> None:
    """Refute the formula of a certificate with Z3 as well.

    Raises:
        EvidenceError: Z3 finds a model of the formula.
        SolverGaveUp: Z3 does not answer.
    """
    cube, scope, left_open, _ = read_certificate(certificate)
    if not z3_refutes(closing_formula(cube, scope, left_open)):
        raise EvidenceError(f"{CERTIFICATES}: cube {cube}: Z3 finds a model of its formula")


def _open_string(cube: Cube, left_open: Sequence[str]) -> San:
    """Return a string beyond those left open that the larger relaxation admits."""
    encoding = encode_relaxation(cube, Scope.CHECK)
    session = CadicalSession(encoding.cnf)
    for san in left_open:
        session.add(encoding.exclude(parse_san(san)))
    if not session.solve():
        raise Disagreement(f"CaDiCaL contradicts itself over cube {cube}")
    return read_string(encoding, session.holds)


def translate_refutation(lines: Sequence[str], formula: Sequence[Clause]) -> list[str]:
    """Keep the steps of CaDiCaL's refutation that are needed, numbered on from the formula's.

    Returns:
        Lines in the form of :mod:`proofs.kernel.refutation`, the last one being the empty clause.

    Raises:
        RefutationError: A clause that is needed does not follow by propagation.
    """
    derived = {line.split(" ", 1)[0]: line for line in lines if " d " not in line}
    needed: list[tuple[list[str], list[str]]] = []
    marked = {*[*derived][-1:]}
    for number, line in reversed(derived.items()):
        if number in marked:
            clause, _, hints = line.partition(" 0 ")
            if "-" in hints:
                raise RefutationError(f"no step of propagation: {line}")
            needed.append((clause.split(), hints.split()))
            marked.update(needed[-1][1])
    needed.reverse()
    # CaDiCaL numbers the formula's clauses and those that it derives in one row.
    numbers = map(str, range(1, int(max(marked, key=int, default="0"))))
    ours = dict(zip((n for n in numbers if n not in derived), map(str, count(1)), strict=False))
    ours |= {clause[0]: str(len(formula) + i) for i, (clause, _) in enumerate(needed, 1)}
    ours["0"] = "0"  # ends a line
    return [
        " ".join([ours[clause[0]], *clause[1:], "0", *map(ours.__getitem__, hints)])
        for clause, hints in needed
    ]
