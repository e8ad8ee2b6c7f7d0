"""Do the formulas of a few cubes still model chess, and does the kernel still refuse forgeries?

This notices mutants of the trusted rooms. That a stored refutation does not fit a changed formula
says nothing: every change of the encoding does that, a right one as well. So here a solver is
asked. As a program it ends with exit code 1 at the first mistake: ``strings`` asks which strings
the formulas admit, ``positions`` also about positions; ``forgeries`` shows each forgery once to
this tree's kernel.
"""

import sys
from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Final

from sanproof.proofs.encoding.relaxation import Scope, encode_relaxation
from sanproof.proofs.kernel.certificates import CUBES_BY_NAME, closing_formula
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.search.solvers import CadicalSession, search_refutation
from tests.campaigns.forging import FORGERIES, missed
from tests.proofs.encoding.adequacy import (
    NOBODY,
    check_case,
    check_model,
    check_models,
    draw_cases,
    formulas,
)
from tests.proofs.encoding.positions import FAMILIES
from tests.proofs.kernel.evidence import paragraphs, published

FAMILIES_OF: Final = {
    "Nc3 Qd4 Bb4 Rxa1 Bb2 Qa1 Ra3": "twins",
    "Kc3 Kxd4": "sparse",
    "Nc6 Qd5 c6 xd5": "discovered",
    "a4 c3 d4 d2 xa2": "sparse",
    "xb6 xd6": "en passant",
    "b8 xc8": "promotion",
    "O-O O-O-O": "castling",
    "Qc4 Kd2": "in check",
    "Qd8 Qb7": "mate",
    "Qxc7 Qb7": "pin mate",
    "Qa5 Qb5 Ra5 Bc3": "push answer",
    "d4 b4": "push check",
    "Nd6 Nc7 Nb5 Nxc6": "double mate",
}
"""Cubes of each kind, with the positions in which their rules matter."""
CASES: Final = 60
"""The number of positions of each cube, on average."""
MODELS: Final = 4


def wrong_strings(cubes: list[str]) -> Iterator[str]:
    """Yield the cubes whose formula admits other strings than those that games show."""
    for paragraph in paragraphs(published().certificates):
        if paragraph.cube not in cubes:
            continue
        cube, left_open = CUBES_BY_NAME[paragraph.cube], paragraph.open
        formula = closing_formula(cube, Scope(paragraph.scope), left_open)
        if search_refutation(formula.clauses) is None:
            yield f"{cube}: its formula admits strings that nobody writes"
        for scope in Scope:
            encoding = encode_relaxation(cube, scope)
            session = CadicalSession(encoding.cnf)
            for san in left_open:
                if not session.solve(encoding.literals(parse_san(san))):
                    yield f"{cube}: its formula ({scope.value}) excludes {san}"


def wrong_positions(cubes: list[Cube], family: str) -> Iterator[str]:
    """Yield what is wrong: positions with a move that formulas and python-chess judge otherwise."""
    drawn = draw_cases(Random(family), family, FAMILIES[family], cubes)
    yield from filter(None, map(check_case, islice(drawn, CASES * len(cubes))))
    for cube in cubes:
        yield from filter(None, check_models(cube, Random(str(cube)), MODELS))


def wrong_squares(cube: Cube) -> Iterator[str]:
    """Yield models that are not chess, with each piece on each square that the move concerns."""
    exact, _ = formulas(cube)
    move = exact.encoding.move
    squares = {move.destination, *move.able, *(range(8) if cube.castling else ())}
    for square, letter in product(sorted(squares), NOBODY + "PNBRQKpnbrqk"):
        is_possible = exact.admits(exact.contents(square, letter))
        if is_possible and (wrong := check_model(exact.encoding, exact.session.holds)):
            yield wrong


def mistakes(what: str) -> Iterator[str]:
    """Yield what is wrong with this tree's formulas, or its kernel."""
    if what == "forgeries":
        yield from missed(FORGERIES, 1, 1)
        return
    for names, family in FAMILIES_OF.items():
        yield from wrong_strings(names.split(" "))
        if what == "positions":
            cubes = [CUBES_BY_NAME[name] for name in names.split(" ")]
            yield from wrong_positions(cubes, family)
            for cube in cubes:
                yield from wrong_squares(cube)


if __name__ == "__main__":
    sys.exit(next(mistakes(sys.argv[1]), None))
