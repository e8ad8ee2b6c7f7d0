"""The search for certificates, by CaDiCaL. Untrusted."""

from collections.abc import Sequence

from sanproof.proofs.encoding.cnf import Clause
from sanproof.proofs.encoding.relaxation import Scope, encode_relaxation
from sanproof.proofs.kernel.certificates import closing_formula
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.search.errors import Disagreement
from sanproof.proofs.search.hints import translate_refutation
from sanproof.proofs.search.models import field_literals, read_string
from sanproof.proofs.search.solvers import CadicalSession, SolverAnswer, search_refutation


def search_certificate(cube: Cube, left_open: Sequence[str]) -> str | None:
    """A certificate that White writes no string of the cube but those left open, in list order.

    The smaller scope is tried first, so that no formula is larger than the argument needs.

    Returns:
        The paragraph, as :mod:`proofs.kernel.certificates` describes it; None if the formula has a
        model in both scopes.
    """
    for scope in Scope:
        formula = closing_formula(cube, scope, left_open).clauses
        lines = search_refutation(formula)
        if lines is not None:
            return write_certificate(cube, scope, left_open, lines, formula)
    return None


def closing_certificate(cube: Cube, left_open: Sequence[str]) -> str:
    """The same where all open strings are known: from Z3, or as a reflected cube's.

    Raises:
        Disagreement: CaDiCaL finds a model of the formula in both scopes.
    """
    certificate = search_certificate(cube, left_open)
    if certificate is None:
        raise Disagreement(
            f"cube {cube} should be closed with {len(left_open)} strings open, and CaDiCaL finds "
            f"{_open_string(cube, left_open)} open as well"
        )
    return certificate


def write_certificate(
    cube: Cube,
    scope: Scope,
    left_open: Sequence[str],
    lines: Sequence[str],
    formula: Sequence[Clause],
) -> str:
    """The paragraph of a certificate, with the empty line that ends it.

    ``lines`` are what CaDiCaL wrote, and ``formula`` the clauses that it refutes.
    """
    header = [f"cube {cube}", f"scope {scope.value}", " ".join(["open", *left_open])]
    return "\n".join([*header, *translate_refutation(lines, formula)]) + "\n\n"


def _open_string(cube: Cube, left_open: Sequence[str]) -> San:
    """A string beyond those left open that the larger relaxation admits."""
    encoding = encode_relaxation(cube, Scope.CHECK)
    session = CadicalSession(encoding.cnf, field_literals(encoding))
    for san in left_open:
        session.add(encoding.exclude(parse_san(san)))
    if session.solve() is SolverAnswer.UNSATISFIABLE:
        raise Disagreement(f"CaDiCaL contradicts itself over cube {cube}")
    return read_string(encoding, session.values())
