"""Decides cubes: finds a witness for each string of the theory, and a certificate for all others.

Untrusted: the witnesses are checked by :mod:`proofs.board.witness`, the certificates by the kernel.
If the theory lacks a string, its cube cannot be closed and the run stops. If it has one too many,
the string has no witness, and stays undecided.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial

import chess

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.encoding.cnf import Literal
from sanproof.proofs.encoding.relaxation import Scope, encode_relaxation
from sanproof.proofs.kernel.certificates import read_certificate
from sanproof.proofs.rules.cubes import Cube, cube_of, exchanged_cube
from sanproof.proofs.rules.san import San, list_order
from sanproof.proofs.search.derived import (
    CubeFindings,
    WorkUnit,
    captures_from,
    exchanged_colours,
    front_to_back,
    left_to_right,
    mirrored_cube,
    mirrored_files,
    with_king_elsewhere,
)
from sanproof.proofs.search.exact import ExactEncoding, encode_witness, read_witness
from sanproof.proofs.search.material import Material, materials_of
from sanproof.proofs.search.solvers import CadicalSession, closing_certificate
from sanproof.proofs.theory.arrangements import strings_of


def decide_unit(unit: WorkUnit) -> list[CubeFindings]:
    """Decide the cubes of a work unit, and their reflections from left to right.

    Each cube gets the witnesses that can be made from those of earlier cubes, and a certificate of
    its own. A pawn's witnesses include Black's; Black's other strings are White's as well.

    Raises:
        Disagreement: A string is possible that the theory lacks, or the solvers contradict each
            other.
    """
    decided: dict[Cube, CubeFindings] = {}
    for cube in unit:
        decided[cube] = decide_cube(cube, _given(cube, decided))
    found = [image for findings in decided.values() for image in _with_reflection(findings)]
    return [_with_black(findings) for findings in found]


def _given(cube: Cube, decided: Mapping[Cube, CubeFindings]) -> Iterator[Witness]:
    """Witnesses for a cube that are made of those of others, without asking a solver."""
    mirror = decided.get(exchanged_cube(cube))
    quiet = decided.get(cube._replace(capture=""))
    if mirror is not None:
        without_pawns = (w for w in mirror.witnesses if "p" not in w.fen.split(" ")[0].lower())
        yield from map(front_to_back, without_pawns)
    elif quiet is not None:
        yield from captures_from(quiet.witnesses)


def decide_cube(cube: Cube, given: Iterable[Witness] = ()) -> CubeFindings:
    """Decide White's strings of a cube: find a witness for each, and a certificate for the rest.

    ``given`` are witnesses that were made from other cubes'. Missing ones are searched, mates
    first, because a mate's witness gives those of its check and of its bare string.

    Raises:
        Disagreement: A string is possible that the theory lacks, or the solvers contradict each
            other.
    """
    witnesses = {witness.san: witness for witness in given}
    formula, theory = cache(partial(_formula, cube)), strings_of(cube)
    for san in theory:
        if str(san) not in witnesses and (witness := _find(san, formula)) is not None:
            for made in (witness, *with_king_elsewhere(witness)):
                witnesses.setdefault(made.san, made)
    return _closed(cube, witnesses.values(), {*witnesses, *map(str, theory)})


def _formula(cube: Cube, material: Material) -> tuple[ExactEncoding, CadicalSession]:
    encoding = encode_witness(cube, material)
    return encoding, CadicalSession(encoding.cnf)


def _find(
    san: San, formula: Callable[[Material], tuple[ExactEncoding, CadicalSession]]
) -> Witness | None:
    """Find a witness with the first material that has one; None if none was found."""
    for material in materials_of(cube_of(san)):
        encoding, session = formula(material)
        if session.solve(encoding.literals(san)):
            return read_witness(encoding, session.holds)
    return None


def _closed(cube: Cube, witnesses: Iterable[Witness], strings: Iterable[str]) -> CubeFindings:
    certificate = closing_certificate(cube, sorted(strings, key=list_order))
    return CubeFindings(cube, sorted(witnesses), certificate)


def _with_reflection(found: CubeFindings) -> Iterator[CubeFindings]:
    """Yield what was found, and the same reflected from left to right, closed by itself."""
    yield found
    if not found.cube.castling:
        _, _, left_open, _ = read_certificate(found.certificate)
        witnesses = map(left_to_right, found.witnesses)
        yield _closed(mirrored_cube(found.cube), witnesses, map(mirrored_files, left_open))


def _with_black(found: CubeFindings) -> CubeFindings:
    black = map(exchanged_colours, found.witnesses if found.cube.piece == "" else ())
    return found._replace(witnesses=[*found.witnesses, *black])


def search_witness(san: San) -> Witness | None:
    """Search a witness of a string played by White. None means only that none was found."""
    return next(search_witnesses(san), None)


def search_witnesses(san: San) -> Iterator[Witness]:
    """Yield witnesses of a string played by White, no two with Black's king on the same square.

    They have the material of the first choice, then that of the next.
    """
    cube = cube_of(san)
    for material in materials_of(cube):
        encoding = _witness_formula(cube, material)
        yield from witnesses_by_king(encoding, encoding.literals(san))


def witnesses_by_king(encoding: ExactEncoding, asked: Sequence[Literal] = ()) -> Iterator[Witness]:
    """Yield witnesses from models of a formula, no two with Black's king on the same square."""
    session = CadicalSession(encoding.cnf)
    while session.solve(asked):
        witness = read_witness(encoding, session.holds)
        yield witness
        king = chess.Board(witness.fen).king(chess.BLACK) or 0
        session.add([-encoding.board.king[king], -encoding.board.black[king]])


_witness_formula = lru_cache(maxsize=2)(encode_witness)
"""Strings of one cube are asked for one after the other."""


def is_refuted(san: San) -> bool:
    """Check whether the relaxation excludes a string, so that White cannot play it."""
    encoding = encode_relaxation(cube_of(san), Scope.CHECK)
    session = CadicalSession(encoding.cnf)
    return not session.solve(encoding.literals(san))
