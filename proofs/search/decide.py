"""Deciding cubes: a witness for each string that has one, and a closing proof for the rest.

Untrusted: the witnesses are checked by :mod:`proofs.verdicts.witness`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product

import chess

from sanproof.proofs.encoding.cnf import Literal
from sanproof.proofs.encoding.relaxation import Encoding, Scope, encode_relaxation
from sanproof.proofs.rules.cubes import Cube, cube_of, exchanged_cube
from sanproof.proofs.rules.moves import LAST_RANK, pawn_origins, reach_backwards
from sanproof.proofs.rules.san import SUFFIXES, San, list_order, parse_san
from sanproof.proofs.rules.squares import parse_square, rank_of, square_name
from sanproof.proofs.search.derived import captures_from, with_king_elsewhere
from sanproof.proofs.search.exact import (
    ExactEncoding,
    encode_transposed,
    encode_witness,
    field_literals,
    read_string,
    read_witness,
    witness_literals,
)
from sanproof.proofs.search.preferences import ANYTHING, Preference, materials_of
from sanproof.proofs.search.refute import closing_certificate, search_certificate
from sanproof.proofs.search.solvers import CadicalSession, SolverAnswer, Z3Context, Z3Session
from sanproof.proofs.search.symmetry import (
    FRONT_TO_BACK,
    LEFT_TO_RIGHT,
    WorkUnit,
    has_no_pawn,
    is_transposable,
    mirrored_cube,
    mirrored_san,
    transposed,
    transposed_cube,
)
from sanproof.proofs.verdicts.witness import Witness

FEW_PIECES = 4


@dataclass
class CubeResult:
    """The result of a cube: a witness for each string that has one.

    The relaxation admits the ``unexplained`` strings too; all others are impossible, and the
    certificate says that White writes none of them. ``images`` are witnesses for the cube with
    files and ranks exchanged, if they were asked for.
    """

    cube: Cube
    witnesses: dict[San, Witness] = field(default_factory=dict)
    unexplained: list[San] = field(default_factory=list)
    certificate: str = ""
    images: list[Witness] = field(default_factory=list)

    def is_closed(self) -> bool:
        """Check whether there is a certificate that leaves nothing open beyond what was found."""
        if not self.certificate:
            self.certificate = search_certificate(self.cube, self.left_open()) or ""
        return bool(self.certificate)

    def left_open(self) -> list[str]:
        """Return the strings that the certificate leaves open, in list order."""
        return sorted(map(str, {*self.witnesses, *self.unexplained}), key=list_order)


def preferences(cube: Cube) -> tuple[Preference, ...]:
    """Return the preferences for witnesses, strongest to none. The first is nearly always met.

    Given pieces make a position that a game can reach from few hubs, and few pieces one that a
    person can read. Without pawns a position may also be reflected from front to back and in its
    diagonal, which spares most of the search for piece moves.
    """
    pawns = cube.piece == ""
    return (
        *(Preference(pawns=pawns, material=material) for material in materials_of(cube)),
        Preference(pawns=pawns, pieces=FEW_PIECES),
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
                {
                    mirrored_san(san): LEFT_TO_RIGHT.witness(w)
                    for san, w in result.witnesses.items()
                },
                list(map(mirrored_san, result.unexplained)),
            )
            image.certificate = closing_certificate(image.cube, image.left_open())
            yield image


def _given(cube: Cube, results: Mapping[Cube, CubeResult]) -> Iterator[Witness]:
    """Witnesses for a cube that are made of those of others, without asking a solver."""
    mirror = results.get(exchanged_cube(cube))
    quiet = results.get(cube._replace(capture=""))
    image = results.get(transposed_cube(cube)) if is_transposable(cube) else None
    if mirror is not None:
        yield from (FRONT_TO_BACK.witness(w) for w in mirror.witnesses.values() if has_no_pawn(w))
    elif quiet is not None:
        yield from captures_from(quiet.witnesses)
    elif image is not None:
        yield from image.images


def decide_cube(
    cube: Cube, given: Iterable[Witness] = (), context: Z3Context | None = None
) -> CubeResult:
    """Decide the cube: a witness for each string that has one, and a certificate for the rest.

    The witnesses that other cubes have for it may be all. If not, those of the likely strings are
    searched. Mostly the certificate then shows that there are no others. If not, Z3 names strings
    that the rules of geometry admit; they admit few that chess does not have. For one that the
    larger relaxation admits as well, a witness is searched without regard to its looks.

    Raises:
        Disagreement: Z3 says that the rules admit no more strings, and CaDiCaL names one.
    """
    result = CubeResult(cube, {parse_san(witness.san): witness for witness in given})
    search = _WitnessSearch(cube)
    if not (result.witnesses and result.is_closed()):
        _look_for(likely_strings(cube), search.find_likely, result.witnesses)
        result.images += _images(search, result.witnesses.values())
    if not result.is_closed():
        _search_strings(result, search, context or Z3Context())
        result.certificate = closing_certificate(cube, result.left_open())
    return result


def likely_strings(cube: Cube) -> list[San]:
    """List the bare strings of a cube's moves, with nothing, file, rank or square of an origin."""
    destination = parse_square(cube.destination) if cube.destination else 0
    bare = San(cube.piece, "", "", cube.capture, cube.destination, "", "")
    if cube.castling:
        return [bare]
    if cube.piece == "":
        files = {square_name(s)[0] for s in pawn_origins(cube.capture == "x", destination)}
        promotes = rank_of(destination) == LAST_RANK
        named = product(sorted(files) if cube.capture else [""], "NBRQ" if promotes else [""])
        return [bare._replace(file=file, promotion=promotion) for file, promotion in named]
    origins = map(square_name, reach_backwards(cube.piece, destination))
    parts = {pair for name in origins for pair in product(("", name[0]), ("", name[1]))}
    return [bare._replace(file=file, rank=rank) for file, rank in sorted(parts)]


def _look_for(
    bare: Iterable[San], find: Callable[[San], Witness | None], witnesses: dict[San, Witness]
) -> None:
    """Add a witness for each string that becomes of these and has none yet, if it is found."""
    for named in bare:
        for suffix in reversed(SUFFIXES):  # of a mate's witness the others are made
            san = named._replace(suffix=suffix)
            if san not in witnesses and (witness := find(san)) is not None:
                for made in (witness, *with_king_elsewhere(witness)):
                    witnesses.setdefault(parse_san(made.san), made)


def _images(search: "_WitnessSearch", found: Iterable[Witness]) -> Iterable[Witness]:
    """Witnesses for the transposed cube: those found for this one, transposed, and some more.

    Transposing exchanges the file and the rank that are written, but not always: a witness of
    ``Qab2`` in which no twin shares the rank gives ``Qab2`` again. So the solver is asked for the
    strings that are still missing.
    """
    if search.cube.capture or not is_transposable(search.cube):
        return []  # captures are made of quiet moves
    images = {parse_san(w.san): w for w in map(transposed, filter(has_no_pawn, found))}
    _look_for(likely_strings(transposed_cube(search.cube)), search.find_image, images)
    return images.values()


def _search_strings(result: CubeResult, search: "_WitnessSearch", context: Z3Context) -> None:
    """Have a relaxation name strings until it has no more, and search a witness for each."""
    closing = _Relaxation(result.cube, Scope.GEOMETRY, context, result.witnesses)
    check_rules = cache(lambda: _Relaxation(result.cube, Scope.CHECK, context))

    def find(san: San) -> Witness | None:
        if not check_rules().admits(san):
            return None
        witness = search.find(san)
        if witness is None:
            result.unexplained.append(san)
        return witness

    while (named := closing.find_string()) is not None:
        _look_for([named.bare], find, result.witnesses)
        closing.exclude_bare(named)


def search_witness(san: San) -> Witness | None:
    """Find a witness of one string played by White; None, if none is found, proves nothing."""
    return _WitnessSearch(cube_of(san)).find(san)


def search_witnesses(san: San) -> Iterator[Witness]:
    """Witnesses for one string played by White, each with Black's king where it was in no other.

    They have the material of the strongest preference first; when it has no more, of the next.
    """
    cube = cube_of(san)
    for preference in preferences(cube)[:-1]:
        encoding = _witness_formula(cube, preference)
        yield from witnesses_by_king(encoding, encoding.literals(san))


def witnesses_by_king(encoding: ExactEncoding, asked: Sequence[Literal] = ()) -> Iterator[Witness]:
    """Witnesses that meet a formula, each with Black's king where it was in no other."""
    session = CadicalSession(encoding.cnf, witness_literals(encoding))
    while session.solve(asked) is SolverAnswer.SATISFIABLE:
        witness = read_witness(encoding, session.values())
        yield witness
        king = chess.Board(witness.fen).king(chess.BLACK) or 0
        session.add([-encoding.board.king[king], -encoding.board.black[king]])


_witness_formula = lru_cache(maxsize=2)(encode_witness)
"""Strings of one cube are asked for one after the other."""


def is_refuted(san: San) -> bool:
    """Return whether the relaxation excludes a string: it is impossible for White."""
    encoding = encode_relaxation(cube_of(san), Scope.CHECK)
    session = CadicalSession(encoding.cnf, [])
    return session.solve(encoding.literals(san)) is SolverAnswer.UNSATISFIABLE


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
        """Return a string that some model spells, None if there is no model."""
        if self._session.solve() is SolverAnswer.UNSATISFIABLE:
            return None
        return read_string(self._encoding, self._session.values())

    def admits(self, san: San) -> bool:
        """Check whether some model spells this string."""
        return self._session.solve(self._encoding.literals(san)) is SolverAnswer.SATISFIABLE


class _WitnessSearch:
    """The search for witnesses of one cube's strings, under ever fewer preferences.

    For each preference CaDiCaL holds the positions and moves that meet it.
    """

    def __init__(self, cube: Cube) -> None:
        self.cube = cube
        # No functools.cache of a bound method: the cycle would keep the solvers' memory.
        self._sessions: dict[Preference, tuple[ExactEncoding, Encoding, CadicalSession]] = {}

    def find(self, san: San) -> Witness | None:
        """Find a witness that meets the strongest preference any meets; None if none was found."""
        found = (self._find(each, san) for each in preferences(self.cube))
        return next(filter(None, found), None)

    def find_likely(self, san: San) -> Witness | None:
        """Return a witness that meets the strongest preference of all."""
        return self._find(preferences(self.cube)[0], san)

    def find_image(self, san: San) -> Witness | None:
        """Find a witness for a string of the transposed cube; it meets the strongest preference."""
        witness = self._find(preferences(self.cube)[0], san, image=True)
        return witness and transposed(witness)

    def _find(self, preference: Preference, san: San, *, image: bool = False) -> Witness | None:
        """Find a witness with this SAN, files and ranks exchanged if it is an image."""
        if preference not in self._sessions:
            encoding = encode_witness(self.cube, preference)
            strings = encode_transposed(encoding) if is_transposable(self.cube) else encoding
            session = CadicalSession(encoding.cnf, witness_literals(encoding))
            self._sessions[preference] = encoding, strings, session
        encoding, strings, session = self._sessions[preference]
        literals = (strings if image else encoding).literals(san)
        if session.solve(literals) is SolverAnswer.UNSATISFIABLE:
            return None
        return read_witness(encoding, session.values())
