"""A second opinion on every refutation, by a checker of another author: dratify.

It reads refutations without hints (DRUP) and finds the steps by itself. Checkers of LRAT by other
authors are not to be had as packages; ``sanproof export --what certificates`` writes the files
that they read.
"""

from concurrent.futures import Executor

from sanproof.proofs.kernel.certificates import (
    closing_formula,
    read_certificate,
    split_certificates,
)
from sanproof.proofs.kernel.files import CERTIFICATES, EvidenceError
from sanproof.proofs.search.gates import dimacs


def ask_dratify(text: str, executor: Executor) -> int:
    """Have dratify check all certificates of a file, which the kernel has checked; their number."""
    return sum(executor.map(ask_about, split_certificates(text), chunksize=5))


def ask_about(paragraph: str) -> bool:
    """Have dratify check one certificate: True, or an EvidenceError if it does not accept it."""
    import dratify  # noqa: PLC0415 - only for a second opinion

    cube, scope, left_open, lines = read_certificate(paragraph)
    formula = dratify.parse_dimacs(dimacs(closing_formula(cube, scope, left_open)))
    proof = "".join(f"{_lemma(line)}\n" for line in lines)
    if not dratify.check_proof(formula, proof).ok:
        raise EvidenceError(f"{CERTIFICATES}: cube {cube}: dratify does not accept its refutation")
    return True


def _lemma(line: str) -> str:
    """The clause of a line, without its number and hints."""
    literals = line.split(" ")[1:]
    return " ".join(literals[: literals.index("0") + 1])
