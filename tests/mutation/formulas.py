"""Do the formulas of a few cubes still say chess? What notices mutants of rules and encoding.

That a stored refutation does not fit a changed formula says nothing: every change of the encoding
does that, a right one as well. So here a solver is asked. As a program it ends with exit code 1 at
the first mistake: ``python -m tests.mutation.formulas [CUBE...]``.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Final

from proofs.encoding.relaxation import Scope, encode_relaxation
from proofs.kernel.certificates import CUBES_BY_NAME, closing_formula
from proofs.rules.cubes import Cube
from proofs.rules.san import parse_san
from proofs.search.models import field_literals
from proofs.search.solvers import Answer, CadicalSession, search_refutation
from tests.attack.forgery import paragraphs
from tests.proofs.encoding.adequacy import Adequacy, draw_cases
from tests.proofs.encoding.positions import FAMILIES
from tests.proofs.kernel.evidence import published

CUBES: Final = (
    *("Nc3", "Nxd5", "O-O", "O-O-O", "a4", "d5", "xb6", "xd5", "b8", "xc8"),
    *("Kc3", "Kxd4", "Rxa1", "Rd4", "Bb2", "Bd4", "Qa1"),
)
"""Of each kind, those whose formulas need each rule."""
CASES: Final = 40
MODELS: Final = 6


def wrong_strings(cubes: Sequence[str]) -> Iterator[str]:
    """Cubes whose formula admits other strings than those that games show."""
    for paragraph in paragraphs(published()):
        if paragraph.cube not in cubes:
            continue
        cube, left_open = CUBES_BY_NAME[paragraph.cube], paragraph.open
        if (
            search_refutation(closing_formula(cube, Scope(paragraph.scope), left_open).clauses)
            is None
        ):
            yield f"{cube}: its formula admits strings that nobody writes"
        for scope in Scope:
            encoding = encode_relaxation(cube, scope)
            session = CadicalSession(encoding.cnf, field_literals(encoding))
            for san in left_open:
                if session.solve(encoding.literals(parse_san(san))) is not Answer.SATISFIABLE:
                    yield f"{cube}: its formula ({scope.value}) excludes {san}"


def wrong_positions(cubes: Sequence[Cube]) -> Iterator[str]:
    """Positions with a move that the formulas judge otherwise than python-chess does."""
    adequacy = Adequacy(capacity=len(cubes))
    for family, source in FAMILIES.items():
        for case in islice(draw_cases(Random(family), family, source, cubes), CASES):
            if wrong := adequacy.check_case(case):
                yield wrong
    for cube in cubes:
        yield from adequacy.check_models(cube, Random(str(cube)), MODELS).failures


def main(arguments: Sequence[str]) -> int:
    """1 if something is wrong, which is then said."""
    names = arguments or CUBES
    wrong = next(wrong_strings(names), None)
    wrong = wrong or next(wrong_positions([CUBES_BY_NAME[name] for name in names]), None)
    sys.stdout.write(f"{wrong or 'nothing is wrong'}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
