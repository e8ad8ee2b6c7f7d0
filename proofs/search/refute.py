"""The search for certificates, by CaDiCaL, and Z3's second opinion of each. Untrusted."""

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

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
    needed = _needed(derived)
    numbers = _Numbers(map(int, derived))
    numbers |= {step.number: str(len(formula) + i) for i, step in enumerate(needed, 1)}
    return [_write(step, numbers) for step in needed]


class _Numbers(dict[str, str]):
    """The numbers of a certificate by CaDiCaL's, both as they are written.

    Those of the formula's clauses are found when they are first asked for.
    """

    def __init__(self, derived: Iterable[int]) -> None:
        super().__init__()
        self._derived = sorted(derived)

    def __missing__(self, theirs: str) -> str:
        number = int(theirs)
        ours = self[theirs] = str(number - bisect(self._derived, number))
        return ours


class _Step(NamedTuple):
    """A derived clause: its number, its literals, and its hints, as CaDiCaL writes them."""

    number: str
    literals: list[str]
    hints: list[str]


def _needed(derived: Mapping[str, str]) -> list[_Step]:
    """Return the derived clauses from which the last one follows, and that one, in order."""
    in_order = sorted(derived, key=int)
    marked = {*in_order[-1:]}
    needed = []
    for number in reversed(in_order):
        if number in marked:
            step = _read(derived[number])
            needed.append(step)
            marked.update(step.hints)
    return needed[::-1]


def _read(line: str) -> _Step:
    number, *rest = line.split()
    zero = rest.index("0")
    hints = rest[zero + 1 : -1]
    if "-" in "".join(hints):
        raise ForeignStep(line)
    return _Step(number, rest[:zero], hints)


def _write(step: _Step, numbers: _Numbers) -> str:
    hints = map(numbers.__getitem__, step.hints)
    return " ".join([numbers[step.number], *step.literals, "0", *hints, "0"])
