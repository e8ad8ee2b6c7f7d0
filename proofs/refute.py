"""The search for closing proofs, by CaDiCaL, independently of what Z3 said. Untrusted."""

from collections.abc import Sequence

from proofs.certificates import SCOPES, Certificate, closing_formula, formula_hash
from proofs.cubes import Cube
from proofs.solving import search_refutation


class Disagreement(Exception):
    """CaDiCaL leaves a cube open that Z3 closed; the message names the cube and its strings."""


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
    raise Disagreement(f"Z3 closes {cube} with {len(left_open)} strings, and CaDiCaL does not")
