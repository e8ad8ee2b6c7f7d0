"""Certificates for other people's checkers and solvers.

Checkers read each formula in DIMACS and each refutation in LRAT; SMT solvers read the formula alone
in SMT-LIB 2. A formula begins with comments that explain its variables.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from sanproof.proofs.encoding.cnf import TRUE, Cnf
from sanproof.proofs.encoding.relaxation import Encoding, encode_relaxation
from sanproof.proofs.kernel.certificates import (
    closing_formula,
    read_certificate,
    split_certificates,
)
from sanproof.proofs.kernel.files import CERTIFICATES, text_of
from sanproof.proofs.rules.squares import square_name
from sanproof.proofs.search.gates import dimacs
from sanproof.proofs.theory.reasons import NAMES
from sanproof.reports.archive import reading
from sanproof.reports.archive.door import Archive

SMT2: Final = "smt2"


def foreign_files(archive: Archive, form: str | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of a file for each formula and each refutation.

    There is one formula for each cube (the strings of one piece and destination, with or without
    capture). It says that White plays a string of the cube which is not left open. With the form
    ``smt2`` there are no refutations, because a solver of SMT finds its own.

    Raises:
        ArchiveError: The certificates are damaged.
    """
    with reading(archive.directory, CERTIFICATES):
        text = text_of(CERTIFICATES, archive.content(CERTIFICATES))
        for paragraph in split_certificates(text):
            cube, scope, left_open, lines = read_certificate(paragraph)
            formula = closing_formula(cube, scope, left_open)
            meanings = meanings_of(encode_relaxation(cube, scope), left_open)
            if form == SMT2:
                comments = "".join(f"; {meaning}\n" for meaning in meanings)
                yield f"{cube}.{SMT2}", (comments + smt2(formula)).encode("ascii")
            else:
                comments = "".join(f"c {meaning}\n" for meaning in meanings)
                yield f"{cube}.cnf", (comments + dimacs(formula)).encode("ascii")
                yield f"{cube}.lrat", "".join(f"{line}\n" for line in lines).encode("ascii")


def meanings_of(encoding: Encoding, left_open: Sequence[str]) -> Iterator[str]:
    """Yield a sentence about the whole formula, then one about each variable, in their order."""
    excluded = f" other than {' '.join(left_open)}" if left_open else ""
    yield f"White writes a string of the cube {encoding.cube}{excluded}."
    piece = NAMES.get(encoding.cube.piece, "king")
    said = {TRUE: "true"}
    for name, values in encoding.fields.items():
        said |= {x: f"{name} is {value or 'not written'}" for value, x in values.items()}
    for squares, words in (
        (encoding.origins, f"the {piece} that moves starts on"),
        (encoding.able, f"a white {piece} whose way is free stands on"),
        (encoding.empty, "nothing stands before the move on"),
        (encoding.king, "Black's king stands on"),
    ):
        said |= {x: f"{words} {square_name(square)}" for square, x in squares.items()}
    for variable in range(1, encoding.cnf.variables + 1):
        yield f"{variable}: {said.get(variable, 'a combination of others, as its clauses say')}"


def smt2(cnf: Cnf) -> str:
    """Return a formula as a script in SMT-LIB 2, to which a solver should answer ``unsat``."""
    lines = ["(set-info :smt-lib-version 2.6)", "(set-logic QF_UF)"]
    lines += [f"(declare-fun v{x} () Bool)" for x in range(1, cnf.variables + 1)]
    for clause in cnf.clauses:
        literals = " ".join(f"v{x}" if x > 0 else f"(not v{-x})" for x in clause)
        lines.append(f"(assert (or false {literals}))")
    return "\n".join([*lines, "(check-sat)", ""])
