"""The search for certificates, by CaDiCaL, and Z3's second opinion of each. Untrusted."""

from bisect import bisect
from collections.abc import Mapping, Sequence

from sanproof.proofs.encoding.cnf import Clause
from sanproof.proofs.encoding.relaxation import Scope, encode_relaxation
from sanproof.proofs.kernel.certificates import closing_formula, read_certificate
from sanproof.proofs.kernel.files import CERTIFICATES, EvidenceError
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.search import Disagreement
from sanproof.proofs.search.exact import read_string
from sanproof.proofs.search.solvers import (
    CadicalSession,
    search_refutation,
    z3_refutes,
)


def search_certificate(cube: Cube, left_open: Sequence[str]) -> str | None:
    """Find a certificate that White writes no string of a cube but those left open, in list order.

    The smaller scope is tried first, so that no formula is larger than the argument needs.

    Returns:
        The paragraph, as :mod:`proofs.kernel.certificates` describes it; None if the formula has a
        model in both scopes.

    Raises:
        Disagreement: CaDiCaL refutes the formula, and Z3 finds a model.
    """
    for scope in Scope:
        formula = closing_formula(cube, scope, left_open)
        lines = search_refutation(formula.clauses)
        if lines is not None:
            if not z3_refutes(formula):
                raise Disagreement(f"CaDiCaL closes cube {cube}, and Z3 finds a model")
            return write_certificate(cube, scope, left_open, lines, formula.clauses)
    return None


def ask_z3(certificate: str) -> None:
    """Have Z3 refute the formula of a certificate as well; an EvidenceError if it has a model."""
    cube, scope, left_open, _ = read_certificate(certificate)
    if not z3_refutes(closing_formula(cube, scope, left_open)):
        raise EvidenceError(f"{CERTIFICATES}: cube {cube}: Z3 finds a model of its formula")


def closing_certificate(cube: Cube, left_open: Sequence[str]) -> str:
    """Return a certificate where all open strings are known.

    Raises:
        Disagreement: CaDiCaL finds another that the rules admit.
    """
    certificate = search_certificate(cube, left_open)
    if certificate is None:
        other = _open_string(cube, left_open)
        raise Disagreement(f"in cube {cube} the rules admit {other}, which is not in the theory")
    return certificate


def write_certificate(
    cube: Cube,
    scope: Scope,
    left_open: Sequence[str],
    lines: Sequence[str],
    formula: Sequence[Clause],
) -> str:
    """Return the paragraph of a certificate, with the empty line that ends it.

    ``lines`` are what CaDiCaL wrote, and ``formula`` the clauses that it refutes.
    """
    header = [f"cube {cube}", f"scope {scope.value}", " ".join(["open", *left_open])]
    return "\n".join([*header, *translate_refutation(lines, formula)]) + "\n\n"


def _open_string(cube: Cube, left_open: Sequence[str]) -> San:
    """Return a string beyond those left open that the larger relaxation admits."""
    encoding = encode_relaxation(cube, Scope.CHECK)
    session = CadicalSession(encoding.cnf)
    for san in left_open:
        session.add(encoding.exclude(parse_san(san)))
    if not session.solve():
        raise Disagreement(f"CaDiCaL contradicts itself over cube {cube}")
    return read_string(encoding, session.holds)


# Hints


class ForeignStep(Exception):
    """A step of CaDiCaL's that the kernel does not follow: not by propagation alone."""


def translate_refutation(lines: Sequence[str], formula: Sequence[Clause]) -> list[str]:
    """CaDiCaL's lines with the formula's numbers, trimmed from the back.

    Returns:
        Lines in the form of :mod:`proofs.kernel.refutation`, the last one the empty clause.

    Raises:
        ForeignStep: A clause that is needed does not follow by propagation.
    """
    derived = {line.split(" ", 1)[0]: line for line in lines if " d " not in line}
    theirs = sorted(map(int, derived))
    needed = _needed(derived, theirs)
    ours = {number: str(len(formula) + i) for i, (number, *_) in enumerate(needed, 1)}

    def renumbered(number: str) -> str:
        # CaDiCaL numbers the formula's clauses and those that it derives in one row.
        if number not in ours:
            ours[number] = str(int(number) - bisect(theirs, int(number)))
        return ours[number]

    return [
        " ".join([ours[number], *literals, "0", *map(renumbered, hints), "0"])
        for number, literals, hints in needed
    ]


def _needed(
    derived: Mapping[str, str], numbers: Sequence[int]
) -> list[tuple[str, list[str], list[str]]]:
    """Return the derived clauses from which the last one follows, and that one, in order.

    Each with its number, its literals and its hints, as CaDiCaL writes them.
    """
    marked = {*map(str, numbers[-1:])}
    needed = []
    for number in map(str, reversed(numbers)):
        if number in marked:
            _, *rest = derived[number].split()
            zero = rest.index("0")
            literals, hints = rest[:zero], rest[zero + 1 : -1]
            if "-" in "".join(hints):
                raise ForeignStep(derived[number])
            needed.append((number, literals, hints))
            marked.update(hints)
    return needed[::-1]
