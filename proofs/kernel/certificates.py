"""The certificate of a cube: that White writes no string of it but those named.

A file of certificates holds one paragraph for each cube, in the order of all cubes::

    cube Ba1                        the cube, spelled like its shortest string
    scope geometry                  the rules of its formula
    open Ba1 Ba1# Ba1+              the strings that it leaves open, in list order
    2839 -17 32 0 5 77 0            the refutation: a clause a line, with hints
    2840 0 2839 12 0                (an empty line ends the paragraph)

The formula is the cube's relaxation, with one more clause for each open string, which excludes
it. It is built here from the rules, and never read from a file.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sanproof.proofs.encoding.cnf import Cnf
from sanproof.proofs.encoding.relaxation import Scope, encode_relaxation
from sanproof.proofs.kernel.files import CERTIFICATES, EvidenceError
from sanproof.proofs.kernel.refutation import RefutationError, check_refutation
from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of
from sanproof.proofs.rules.san import list_order, parse_san

CUBES_BY_NAME: Final = {str(cube): cube for cube in all_cubes()}
KEYWORDS: Final = ("cube ", "scope ", "open")


class ClosedCube(NamedTuple):
    """A cube whose certificate was checked.

    Attributes:
        cube: The cube.
        left_open: The strings that the refutation leaves open: White writes no other of the cube.
        clauses: The number of clauses in the refutation.
    """

    cube: Cube
    left_open: frozenset[str]
    clauses: int


def closing_formula(cube: Cube, scope: Scope, left_open: Sequence[str]) -> Cnf:
    """Make the formula that is refuted: White writes a string of the cube that is not left open."""
    encoding = encode_relaxation(cube, scope)
    for san in left_open:
        encoding.cnf.add(*encoding.exclude(parse_san(san)))
    return encoding.cnf


def check_certificate(paragraph: str) -> ClosedCube:
    """Rebuild a certificate's formula from the rules, and follow its refutation.

    An EvidenceError if it is not in the form above, or the refutation does not hold.
    """
    cube, scope, left_open, lines = read_certificate(paragraph)
    formula = closing_formula(cube, scope, left_open)
    try:
        clauses = check_refutation(formula.clauses, lines)
    except RefutationError as error:
        raise EvidenceError(f"{CERTIFICATES}: cube {cube}: {error}") from error
    return ClosedCube(cube, frozenset(left_open), clauses)


def read_certificate(paragraph: str) -> tuple[Cube, Scope, list[str], list[str]]:
    """Read cube, scope, open strings and refutation, or raise an EvidenceError for another form."""
    *lines, last = paragraph.removesuffix("\n").split("\n")
    header = lines[: len(KEYWORDS)]
    if last or len(header) < len(KEYWORDS) or not all(map(str.startswith, header, KEYWORDS)):
        raise EvidenceError(f"{CERTIFICATES}: {paragraph[:40]!a} begins no whole certificate")
    name, scope = header[0].removeprefix("cube "), header[1].removeprefix("scope ")
    left_open = header[2].split(" ")[1:]
    canonical = " ".join(["open", *sorted(set(left_open), key=list_order)])
    if name not in CUBES_BY_NAME:
        raise EvidenceError(f"{CERTIFICATES}: {name[:20]!a} is not a cube")
    try:
        cube, rules = CUBES_BY_NAME[name], Scope(scope)
        is_own = {cube_of(parse_san(san)) for san in left_open} <= {cube}
    except ValueError as error:
        raise EvidenceError(f"{CERTIFICATES}: cube {name}: {error}") from error
    if not is_own or header[2] != canonical:
        raise EvidenceError(f"{CERTIFICATES}: cube {cube}: its open strings are wrong or unsorted")
    return cube, rules, left_open, lines[len(KEYWORDS) :]


def split_certificates(text: str) -> Iterator[str]:
    """Yield the paragraphs of a file of certificates, each with the empty line that ends it."""
    start = 0
    while start < len(text):
        end = text.find("\n\n", start)
        end = len(text) if end < 0 else end + 2
        yield text[start:end]
        start = end
