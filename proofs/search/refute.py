"""The search for closing proofs, by CaDiCaL, independently of what Z3 said. Untrusted."""

from collections.abc import Sequence

from proofs.encoding.relaxation import Scope, encode_relaxation
from proofs.kernel.certificates import SCOPES, Certificate, closing_formula, formula_hash
from proofs.rules.cubes import Cube
from proofs.rules.san import San, parse_san
from proofs.search.errors import Disagreement
from proofs.search.models import field_literals, read_string
from proofs.search.solvers import Answer, CadicalSession, search_refutation


def search_certificate(cube: Cube, left_open: Sequence[str]) -> Certificate:
    """A certificate that White plays no string of the cube but those left open.

    The smallest scope is tried first, so that no formula is larger than the argument needs.

    Raises:
        Disagreement: CaDiCaL finds a model of the formula in every scope.
    """
    for scope in SCOPES.values():
        formula = closing_formula(cube, scope, left_open)
        lemmas = search_refutation(formula)
        if lemmas is not None:
            return Certificate(cube, scope, formula_hash(formula), tuple(left_open), lemmas)
    raise Disagreement(
        f"Z3 closes cube {cube} with {len(left_open)} strings open, and CaDiCaL finds "
        f"{_open_string(cube, scope, left_open)} open as well"
    )


def _open_string(cube: Cube, scope: Scope, left_open: Sequence[str]) -> San:
    """A string beyond those left open that the formula admits."""
    encoding = encode_relaxation(cube, scope)
    session = CadicalSession(encoding.cnf, field_literals(encoding))
    for san in left_open:
        session.add(encoding.exclude(parse_san(san)))
    if session.solve() is Answer.UNSATISFIABLE:
        raise Disagreement(f"CaDiCaL contradicts itself over cube {cube}")
    return read_string(encoding, session.values())
