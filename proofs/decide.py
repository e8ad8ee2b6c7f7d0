"""Deciding cubes: a witness for each string that has one, and a closing proof for the rest.

Untrusted: the witnesses are checked by :mod:`verify.witness`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import starmap

import chess

from proofs.board import ANYTHING, Ease
from proofs.cubes import Cube, cube_of, exchanged_cube
from proofs.encoding import Encoding, encode_relaxation, encode_witness
from proofs.grammar import San, parse_san
from proofs.material import materials_of
from proofs.men import read_setting
from proofs.solving import Answer, Z3Session
from proofs.witness import (
    Witness,
    field_literals,
    read_string,
    read_witness,
    witness_literals,
)

FEW_MEN = 4


@dataclass
class CubeResult:
    """What was found of a cube.

    Attributes:
        cube: The cube.
        witnesses: By string, for each string found.
        unexplained: The strings that the relaxation admits and for which no witness was found.
            All other strings without a witness are impossible.
    """

    cube: Cube
    witnesses: dict[San, Witness] = field(default_factory=dict)
    unexplained: list[San] = field(default_factory=list)


def eases(cube: Cube) -> tuple[Ease, ...]:
    """The wishes for witnesses, from the strongest to none.

    Given men make a position that a game can reach from few hubs, and few men one that a person
    can read. Without pawns a position may also be turned around, which halves the search for
    piece moves.
    """
    pawns = cube.piece == ""
    return (
        *(Ease(pawns=pawns, material=material) for material in materials_of(cube)),
        Ease(pawns=pawns, men=FEW_MEN),
        ANYTHING,
    )


def decide_orbit(orbit: tuple[Cube, ...]) -> list[CubeResult]:
    """Decide the cubes of an orbit, each with the witnesses that those before it have for it."""
    results: dict[Cube, CubeResult] = {}
    for cube in orbit:
        results[cube] = decide_cube(cube, _given(cube, results))
    return list(results.values())


def _given(cube: Cube, results: Mapping[Cube, CubeResult]) -> Iterator[Witness]:
    """Witnesses for a cube without asking a solver, which is some twenty times as slow."""
    mirror = results.get(exchanged_cube(cube))
    quiet = results.get(cube._replace(capture=""))
    if mirror is not None:
        pawnless = (w for w in mirror.witnesses.values() if "p" not in w.fen.split(" ")[0].lower())
        yield from (witness.mirrored_ranks() for witness in pawnless)
    elif quiet is not None:
        yield from filter(None, starmap(_with_capture, quiet.witnesses.items()))


def _with_capture(san: San, witness: Witness) -> Witness | None:
    """The witness with one of Black's men put where the move goes, if it is then this capture."""
    text = str(san._replace(capture="x"))
    move = chess.Move.from_uci(witness.uci)
    before = chess.Board(witness.fen)
    for square in chess.scan_forward(before.occupied_co[chess.BLACK] & ~before.kings):
        board = before.copy(stack=False)
        board.set_piece_at(move.to_square, board.remove_piece_at(square))
        if board.is_valid() and board.is_legal(move) and board.san(move) == text:
            return witness._replace(san=text, fen=board.fen())
    return None


def decide_cube(cube: Cube, given: Iterable[Witness] = ()) -> CubeResult:
    """Decide the cube: the relaxation names strings, until it has no more; each needs a witness.

    The last question to the relaxation, which it answers by a refutation, is the closing proof.
    """
    result = CubeResult(cube, {parse_san(witness.san): witness for witness in given})
    closing = _Closing(cube)
    search = _WitnessSearch(cube)
    closing.exclude(result.witnesses)
    while (san := closing.find_string()) is not None:
        witness = search.find(san)
        if witness is None:
            result.unexplained.append(san)
        else:
            result.witnesses[san] = witness
        closing.exclude([san])
    return result


def search_witness(san: San) -> Witness | None:
    """A witness for one string played by White, None if none was found; that proves nothing."""
    return _WitnessSearch(cube_of(san)).find(san)


def search_witnesses(san: San) -> Iterator[Witness]:
    """Witnesses for one string played by White, each with Black's king where it was in no other.

    They have the material of the strongest wish first; when it has no more, of the next.
    """
    cube = cube_of(san)
    for ease in eases(cube)[:-1]:
        encoding = encode_witness(cube, ease)
        session = Z3Session(encoding.cnf, witness_literals(encoding))
        while session.solve(encoding.literals(san)) is Answer.SATISFIABLE:
            witness = read_witness(encoding, session.values())
            yield witness
            king = _black_king(witness)
            session.add([-encoding.board.king[king], -encoding.board.black[king]])


def _black_king(witness: Witness) -> int:
    setting = read_setting(witness.fen.split(" ", 1)[0])
    return setting.squares[setting.whites]


def is_refuted(san: San) -> bool:
    """Whether the relaxation excludes that White plays a string: it is impossible for White."""
    encoding = encode_relaxation(cube_of(san))
    session = Z3Session(encoding.cnf, [])
    return session.solve(encoding.literals(san)) is Answer.UNSATISFIABLE


class _Closing:
    """The question whether the relaxation admits a string beyond those that are known."""

    def __init__(self, cube: Cube) -> None:
        self._encoding = encode_relaxation(cube)
        self._session = Z3Session(self._encoding.cnf, field_literals(self._encoding))

    def exclude(self, known: Iterable[San]) -> None:
        for san in known:
            self._session.add(self._encoding.exclude(san))

    def find_string(self) -> San | None:
        """A string that some model of the relaxation spells, None if there is no model."""
        if self._session.solve() is Answer.UNSATISFIABLE:
            return None
        return read_string(self._encoding, self._session.values())


class _WitnessSearch:
    """The search for witnesses of one cube's strings, under ever fewer wishes."""

    def __init__(self, cube: Cube) -> None:
        self._cube = cube
        # No functools.cache of a bound method: the cycle would keep the solvers' memory.
        self._sessions: dict[Ease, tuple[Encoding, Z3Session]] = {}

    def find(self, san: San) -> Witness | None:
        for ease in eases(self._cube):
            if ease not in self._sessions:
                self._sessions[ease] = self._open(ease)
            encoding, session = self._sessions[ease]
            if session.solve(encoding.literals(san)) is Answer.SATISFIABLE:
                return read_witness(encoding, session.values())
        return None

    def _open(self, ease: Ease) -> tuple[Encoding, Z3Session]:
        encoding = encode_witness(self._cube, ease)
        return encoding, Z3Session(encoding.cnf, witness_literals(encoding))
