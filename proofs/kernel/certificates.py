"""Certificates: the closing proof of a cube as text that can be checked without a solver. Trusted.

A file of certificates holds one paragraph for each cube, in the order of all cubes::

    cube Ba1                                        the cube, spelled like its shortest string
    scope geometry                                  the rules of its formula
    formula 5f0c...                                 SHA-256 of the formula's DIMACS text
    open Ba1 Ba1+ Ba1#                              the strings that it leaves open, in list order
    -17 32 0                                        the refutation: a clause a line, in DIMACS
    0                                               integers, the last one empty
                                                    (an empty line ends the paragraph)

The formula is the cube's relaxation, with a clause for each open string that excludes it. Its
refutation says: White plays no string of the cube but the open ones.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from proofs.encoding.cnf import Cnf
from proofs.encoding.relaxation import Scope, encode_relaxation
from proofs.rules.cubes import Cube, all_cubes
from proofs.rules.san import list_order, parse_san

CUBES_BY_NAME = {str(cube): cube for cube in all_cubes()}
SCOPES = {scope.name.lower(): scope for scope in (Scope.GEOMETRY, Scope.CHECK)}
KEYWORDS = ("cube ", "scope ", "formula ", "open")


class CertificateError(Exception):
    """A certificate that cannot be read; the message says where it is wrong."""


class Certificate(NamedTuple):
    """The closing proof of a cube."""

    cube: Cube
    scope: Scope
    formula: str
    left_open: tuple[str, ...]
    lemmas: tuple[tuple[int, ...], ...]


def closing_formula(cube: Cube, scope: Scope, left_open: Sequence[str]) -> Cnf:
    """The formula that is refuted: White plays a string of the cube that is not left open."""
    encoding = encode_relaxation(cube, scope)
    for san in left_open:
        encoding.cnf.add(*encoding.exclude(parse_san(san)))
    return encoding.cnf


def formula_hash(cnf: Cnf) -> str:
    """The identity of a formula: SHA-256 of its canonical DIMACS text, in hexadecimal."""
    return hashlib.sha256(cnf.dimacs().encode("ascii")).hexdigest()


def write_certificate(certificate: Certificate) -> str:
    """The paragraph of a certificate, with the empty line that ends it."""
    cube, scope, formula, left_open, lemmas = certificate
    lines = [f"cube {cube}", f"scope {scope.name.lower()}", f"formula {formula}"]
    lines.append(" ".join(["open", *left_open]))
    lines += [" ".join(map(str, (*lemma, 0))) for lemma in lemmas]
    return "\n".join(lines) + "\n\n"


def read_certificate(paragraph: str) -> Certificate:
    """Read a paragraph; the inverse of :func:`write_certificate`, and nothing else is accepted.

    Raises:
        CertificateError: The paragraph is not in the form above.
    """
    lines = paragraph.split("\n")
    header = lines[: len(KEYWORDS)]
    if not all(map(str.startswith, header, KEYWORDS)) or len(header) < len(KEYWORDS):
        raise CertificateError(f"a certificate begins {lines[0][:40]!a}, not cube, scope, ...")
    cube, scope, formula = (line.split(" ", 1)[1] for line in header[:3])
    if cube not in CUBES_BY_NAME or scope not in SCOPES:
        raise CertificateError(f"there is no cube {cube[:20]!a} or no scope {scope[:20]!a}")
    left_open = tuple(header[3].split(" ")[1:])
    try:
        lemmas = tuple(_read_clause(line) for line in lines[len(KEYWORDS) : -2])
        certificate = Certificate(CUBES_BY_NAME[cube], SCOPES[scope], formula, left_open, lemmas)
        known = {str(san) for san in certificate.cube.strings()}
    except ValueError as error:
        raise CertificateError(f"the certificate of {cube} has a line that is no clause") from error
    if not known.issuperset(left_open) or list(left_open) != sorted(set(left_open), key=list_order):
        raise CertificateError(f"the open strings of {cube} are not the cube's, in list order")
    if write_certificate(certificate) != paragraph:
        raise CertificateError(f"the certificate of {cube} is not written in its canonical form")
    return certificate


def split_certificates(text: str) -> Iterator[str]:
    """The paragraphs of a file of certificates."""
    start = 0
    while start < len(text):
        end = text.find("\n\n", start)
        end = len(text) if end < 0 else end + 2
        yield text[start:end]
        start = end


def _read_clause(line: str) -> tuple[int, ...]:
    *literals, end = map(int, line.split(" "))
    if end != 0:
        raise ValueError(line)
    return tuple(literals)
