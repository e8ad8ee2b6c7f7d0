"""Deciding cubes: a witness for each string that has one, and a closing proof for the rest.

Untrusted: the witnesses are checked by :mod:`proofs.verdicts.check`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

import chess

from proofs.encoding.relaxation import Encoding, Scope, encode_relaxation
from proofs.rules.cubes import Cube, cube_of, exchanged_cube
from proofs.rules.san import SUFFIXES, San, list_order, parse_san
from proofs.search.captures import captures_from
from proofs.search.exact import encode_witness
from proofs.search.material import materials_of
from proofs.search.models import (
    field_literals,
    read_string,
    read_witness,
    witness_literals,
)
from proofs.search.refute import closing_certificate, search_certificate
from proofs.search.solvers import Answer, CadicalSession, Z3Context, Z3Session
from proofs.search.suffixes import with_king_elsewhere
from proofs.search.symmetry import (
    WorkUnit,
    mirrored_cube,
    mirrored_files,
    mirrored_ranks,
    mirrored_san,
)
from proofs.search.wishes import ANYTHING, Wish
from proofs.verdicts.witness import Witness

FEW_MEN = 4


@dataclass
class CubeResult:
    """What was found of a cube.

    Attributes:
        cube: The cube.
        witnesses: By string, for each string found.
        unexplained: The strings that the relaxation admits and for which no witness was found.
            All other strings without a witness are impossible.
        certificate: The certificate that White writes no others.
    """

    cube: Cube
    witnesses: dict[San, Witness] = field(default_factory=dict)
    unexplained: list[San] = field(default_factory=list)
    certificate: str = ""

    def left_open(self) -> list[str]:
        """The strings that the certificate leaves open, in list order."""
        return sorted(map(str, (*self.witnesses, *self.unexplained)), key=list_order)


def wishes(cube: Cube) -> tuple[Wish, ...]:
    """The wishes for witnesses, from the strongest to none. The first is nearly always granted.

    Given men make a position that a game can reach from few hubs, and few men one that a person
    can read. Without pawns a position may also be turned around, which halves the search for
    piece moves.
    """
    pawns = cube.piece == ""
    return (
        *(Wish(pawns=pawns, material=material) for material in materials_of(cube)),
        Wish(pawns=pawns, men=FEW_MEN),
        ANYTHING,
    )


def decide_unit(unit: WorkUnit) -> list[CubeResult]:
    """Decide the cubes of a work unit, each with the witnesses that those before it have for it."""
    context = Z3Context()
    results: dict[Cube, CubeResult] = {}
    for cube in unit:
        results[cube] = decide_cube(cube, _given(cube, results), context)
    return list(results.values())


def with_mirror_images(results: Iterable[CubeResult]) -> Iterator[CubeResult]:
    """Each result, and the same reflected from left to right, with a certificate of its own.

    Raises:
        Disagreement: CaDiCaL finds a string in the reflected cube beyond the reflected strings.
    """
    for result in results:
        yield result
        if not result.cube.castling:
            image = CubeResult(
                mirrored_cube(result.cube),
                {mirrored_san(san): mirrored_files(w) for san, w in result.witnesses.items()},
                list(map(mirrored_san, result.unexplained)),
            )
            image.certificate = closing_certificate(image.cube, image.left_open())
            yield image


def _given(cube: Cube, results: Mapping[Cube, CubeResult]) -> Iterator[Witness]:
    """Witnesses for a cube that are made of those of others, without asking a solver."""
    mirror = results.get(exchanged_cube(cube))
    quiet = results.get(cube._replace(capture=""))
    if mirror is not None:
        pawnless = (w for w in mirror.witnesses.values() if "p" not in w.fen.split(" ")[0].lower())
        yield from (mirrored_ranks(witness) for witness in pawnless)
    elif quiet is not None:
        yield from captures_from(quiet.witnesses)


def decide_cube(
    cube: Cube, given: Iterable[Witness] = (), context: Z3Context | None = None
) -> CubeResult:
    """Decide the cube: a witness for each string that has one, and a certificate for the rest.

    Z3 names strings that the rules of geometry admit; they admit few that chess does not have. So
    the larger relaxation is asked only for a string whose witness is not found at once; or, where
    others' witnesses have been given, before one is looked for, since what these leave is mostly
    impossible. Mostly they leave nothing, and the certificate shows it without Z3.

    Raises:
        Disagreement: Z3 says that the rules admit no more strings, and CaDiCaL names one.
    """
    result = CubeResult(cube, {parse_san(witness.san): witness for witness in given})
    if result.witnesses:
        result.certificate = search_certificate(cube, result.left_open()) or ""
    if not result.certificate:
        _search_strings(result, context or Z3Context())
        result.certificate = closing_certificate(cube, result.left_open())
    return result


def _search_strings(result: CubeResult, context: Z3Context) -> None:
    """Have a relaxation name strings until it has no more, and search a witness for each."""
    cube, witnesses = result.cube, result.witnesses
    closing = _Relaxation(cube, Scope.GEOMETRY, context, witnesses)
    check_rules = cache(lambda: _Relaxation(cube, Scope.CHECK, context))
    is_admitted = cache(lambda san: check_rules().admits(san))
    search = _WitnessSearch(cube, is_admitted)
    is_given = bool(witnesses)
    while (named := closing.find_string()) is not None:
        for suffix in reversed(SUFFIXES):  # of a mate's witness the others are made
            san = named._replace(suffix=suffix)
            if san in witnesses:
                continue
            witness = search.find(san) if not is_given or is_admitted(san) else None
            if witness is not None:
                for made in (witness, *with_king_elsewhere(witness)):
                    witnesses.setdefault(parse_san(made.san), made)
            elif is_admitted(san):
                result.unexplained.append(san)
        closing.exclude_bare(named)


def search_witness(san: San) -> Witness | None:
    """A witness for one string played by White, None if none was found; that proves nothing."""
    return _WitnessSearch(cube_of(san), lambda _: True).find(san)


def search_witnesses(san: San) -> Iterator[Witness]:
    """Witnesses for one string played by White, each with Black's king where it was in no other.

    They have the material of the strongest wish first; when it has no more, of the next.
    """
    cube = cube_of(san)
    for wish in wishes(cube)[:-1]:
        encoding = _witness_formula(cube, wish)
        session = CadicalSession(encoding.cnf, witness_literals(encoding))
        while session.solve(encoding.literals(san)) is Answer.SATISFIABLE:
            witness = read_witness(encoding, session.values())
            yield witness
            king = _black_king(witness)
            session.add([-encoding.board.king[king], -encoding.board.black[king]])


_witness_formula = lru_cache(maxsize=2)(encode_witness)
"""Strings of one cube are asked for one after the other."""


def _black_king(witness: Witness) -> int:
    square = chess.Board(witness.fen).king(chess.BLACK)
    if square is None:
        raise ValueError(f"Black has no king in {witness.fen}")
    return square


def is_refuted(san: San) -> bool:
    """Whether the relaxation excludes that White plays a string: it is impossible for White."""
    encoding = encode_relaxation(cube_of(san), Scope.CHECK)
    session = CadicalSession(encoding.cnf, [])
    return session.solve(encoding.literals(san)) is Answer.UNSATISFIABLE


class _Relaxation:
    """The strings of a cube that the rules of a scope admit, but for those that are known."""

    def __init__(
        self, cube: Cube, scope: Scope, context: Z3Context, known: Iterable[San] = ()
    ) -> None:
        self._encoding = encode_relaxation(cube, scope)
        for san in known:
            self._encoding.cnf.add(*self._encoding.exclude(san))
        self._session = Z3Session(self._encoding.cnf, field_literals(self._encoding), context)

    def exclude_bare(self, named: San) -> None:
        """Ask for this string no more, whatever its suffix."""
        suffixes = self._encoding.fields["suffix"].values()
        clause = self._encoding.exclude(named)
        self._session.add([x for x in clause if -x not in suffixes])

    def find_string(self) -> San | None:
        """A string that some model spells, None if there is no model."""
        if self._session.solve() is Answer.UNSATISFIABLE:
            return None
        return read_string(self._encoding, self._session.values())

    def admits(self, san: San) -> bool:
        """Whether some model spells this string."""
        return self._session.solve(self._encoding.literals(san)) is Answer.SATISFIABLE


class _WitnessSearch:
    """The search for witnesses of one cube's strings, under ever fewer wishes.

    Args:
        cube: The cube.
        is_worthwhile: Asked of a string for which the strongest wish is not granted: whether to
            go on.
    """

    def __init__(self, cube: Cube, is_worthwhile: Callable[[San], bool]) -> None:
        self._cube = cube
        self._is_worthwhile = is_worthwhile
        # No functools.cache of a bound method: the cycle would keep the solvers' memory.
        self._sessions: dict[Wish, tuple[Encoding, CadicalSession]] = {}

    def find(self, san: San) -> Witness | None:
        for number, wish in enumerate(wishes(self._cube)):
            if number == 1 and not self._is_worthwhile(san):
                break
            if wish not in self._sessions:
                self._sessions[wish] = self._open(wish)
            encoding, session = self._sessions[wish]
            if session.solve(encoding.literals(san)) is Answer.SATISFIABLE:
                return read_witness(encoding, session.values())
        return None

    def _open(self, wish: Wish) -> tuple[Encoding, CadicalSession]:
        encoding = encode_witness(self._cube, wish)
        return encoding, CadicalSession(encoding.cnf, witness_literals(encoding))
