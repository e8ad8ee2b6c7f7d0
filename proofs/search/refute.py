"""The search for certificates, by CaDiCaL, and Z3's second opinion of each. Untrusted."""

from bisect import bisect
from collections.abc import Sequence

from sanproof.proofs.encoding.cnf import Clause
from sanproof.proofs.encoding.relaxation import Scope, encode_relaxation
from sanproof.proofs.kernel.certificates import closing_formula, read_certificate
from sanproof.proofs.kernel.files import CERTIFICATES, EvidenceError
from sanproof.proofs.kernel.refutation import RefutationError
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.search import Disagreement
from sanproof.proofs.search.exact import read_string
from sanproof.proofs.search.solvers import CadicalSession, search_refutation, z3_refutes


def closing_certificate(cube: Cube, left_open: Sequence[str]) -> str:
    """Find a certificate that White writes no string of a cube but those left open, in list order.

    The smaller scope is tried first, so that no formula is larger than the argument needs.

    Returns:
        The paragraph, as :mod:`proofs.kernel.certificates` describes it, with the empty line that
        ends it.

    Raises:
        Disagreement: CaDiCaL finds another string that the rules admit, or Z3 finds a model of the
            formula that it refutes.
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
    """Have Z3 refute the formula of a certificate as well; an EvidenceError if it has a model."""
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
    """Keep those of CaDiCaL's steps that are needed, numbered on from the formula's clauses.

    Returns:
        Lines in the form of :mod:`proofs.kernel.refutation`, the last one the empty clause.

    Raises:
        RefutationError: A clause that is needed does not follow by propagation.
    """
    derived = {line.split(" ", 1)[0]: line for line in lines if " d " not in line}
    theirs = sorted(map(int, derived))
    needed: list[tuple[str, list[str], list[str]]] = []
    marked = {*map(str, theirs[-1:])}
    for number in map(str, reversed(theirs)):
        if number in marked:
            _, *rest = derived[number].split()
            zero = rest.index("0")
            literals, hints = rest[:zero], rest[zero + 1 : -1]
            if "-" in "".join(hints):
                raise RefutationError(f"no step of propagation: {derived[number]}")
            needed.append((number, literals, hints))
            marked.update(hints)
    needed.reverse()
    ours = {number: str(len(formula) + i) for i, (number, *_) in enumerate(needed, 1)}

    def renumbered(number: str) -> str:
        # CaDiCaL numbers the formula's clauses and those that it derives in one row.
        return ours.get(number) or str(int(number) - bisect(theirs, int(number)))

    return [
        " ".join([ours[number], *literals, "0", *map(renumbered, hints), "0"])
        for number, literals, hints in needed
    ]
