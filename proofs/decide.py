"""Deciding cubes: a witness for each string that has one, and a closing proof for the rest.

Untrusted: the witnesses are checked by :mod:`verify.witness`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from proofs.board import ANYTHING, Ease
from proofs.cubes import Cube, cube_of
from proofs.encoding import encode_relaxation, encode_witness
from proofs.grammar import San, parse_san
from proofs.solving import Answer, Z3Session
from proofs.witness import Witness, read_model, wanted_literals

FEW_MEN = 5


@dataclass
class CubeResult:
    """What was found of a cube.

    Attributes:
        cube: The cube.
        witnesses: By string, for each string found.
        unexplained: A string that the relaxation admits and for which no witness was found: the
            cube is closed when there is none, and every string without a witness is impossible.
    """

    cube: Cube
    witnesses: dict[San, Witness] = field(default_factory=dict)
    unexplained: San | None = None


def eases(cube: Cube) -> tuple[Ease, ...]:
    """The wishes for witnesses, from the strongest to none.

    Few men make a position that a game can reach and a person can read. Without pawns a position
    may also be turned around, which halves the search for piece moves.
    """
    return (Ease(pawns=cube.piece == "", men=FEW_MEN), ANYTHING)


def decide_orbit(orbit: tuple[Cube, ...]) -> list[CubeResult]:
    """Decide a cube and, with its witnesses turned around, the cube that mirrors it."""
    first = decide_cube(orbit[0])
    results = [first]
    for cube in orbit[1:]:
        pawnless = [w for w in first.witnesses.values() if "p" not in w.fen.split(" ")[0].lower()]
        results.append(decide_cube(cube, [witness.mirrored_ranks() for witness in pawnless]))
    return results


def decide_cube(cube: Cube, given: Iterable[Witness] = ()) -> CubeResult:
    """Find a witness for every string of the cube, until the closing proof says that is all."""
    result = CubeResult(cube, {parse_san(witness.san): witness for witness in given})
    closing = _Closing(cube)
    result.unexplained = closing.find_other(result.witnesses)
    for ease in eases(cube):
        if result.unexplained is None:
            break
        for san, witness in _search_witnesses(cube, ease, result.witnesses):
            result.witnesses[san] = witness
        result.unexplained = closing.find_other(result.witnesses)
    return result


class _Closing:
    """The question whether the relaxation admits a string beyond those that are known."""

    def __init__(self, cube: Cube) -> None:
        self._encoding = encode_relaxation(cube)
        self._fields = [x for values in self._encoding.fields.values() for x in values.values()]
        self._session = Z3Session(self._encoding.cnf, self._fields)
        self._excluded: set[San] = set()

    def find_other(self, known: Iterable[San]) -> San | None:
        """A string of the relaxation that is not among the known ones, or None."""
        for san in known:
            if san not in self._excluded:
                self._session.add(self._encoding.exclude(san))
                self._excluded.add(san)
        if self._session.solve() is Answer.UNSATISFIABLE:
            return None
        true = {x for x, bit in zip(self._fields, self._session.values(), strict=True) if bit}
        cube = self._encoding.cube
        return next(san for san in cube.strings() if true.issuperset(self._encoding.literals(san)))


def _search_witnesses(
    cube: Cube, ease: Ease, known: Iterable[San]
) -> Iterator[tuple[San, Witness]]:
    """A witness for each further string that has one under these wishes."""
    encoding = encode_witness(cube, ease)
    session = Z3Session(encoding.cnf, wanted_literals(encoding))
    for san in list(known):
        session.add(encoding.exclude(san))
    while session.solve() is Answer.SATISFIABLE:
        san, witness = read_model(encoding, session.values())
        session.add(encoding.exclude(san))
        yield san, witness


def search_witness(san: San) -> Witness | None:
    """A witness for one string played by White, None if the exact formula has no model of it."""
    cube = cube_of(san)
    for ease in eases(cube):
        encoding = encode_witness(cube, ease)
        session = Z3Session(encoding.cnf, wanted_literals(encoding))
        if session.solve(encoding.literals(san)) is Answer.SATISFIABLE:
            return read_model(encoding, session.values())[1]
    return None
