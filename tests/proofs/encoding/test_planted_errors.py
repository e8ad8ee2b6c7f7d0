"""Errors planted in the rules, each of which the check of adequacy must tell.

The control asks the same questions without the error: it must tell nothing.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from types import ModuleType
from typing import NamedTuple

import pytest

from sanproof.proofs.encoding import relaxation, written
from sanproof.proofs.encoding.cnf import FALSE, TRUE, Literal
from sanproof.proofs.encoding.relaxation import Encoding
from sanproof.proofs.rules import moves as reach
from sanproof.proofs.rules.cubes import BLACK, WHITE, Cube
from sanproof.proofs.rules.squares import KNIGHT_STEPS, SQUARES, file_of, rank_of, steps
from sanproof.proofs.search import board as boards
from sanproof.proofs.search import exact, moves
from sanproof.proofs.search.board import CASTLING, ROLES, Board, Sight, Squares
from sanproof.proofs.search.gates import Gates
from sanproof.proofs.search.moves import Move
from tests.proofs.encoding.adequacy import Adequacy, Case, draw_cases
from tests.proofs.encoding.positions import FAMILIES

CASES = 60
MODELS = 6

NOWHERE: Squares = [FALSE] * 64

Plant = Callable[[pytest.MonkeyPatch], None]
Values = dict[str, Literal]
Able = dict[int, Literal]
Reach = tuple[Squares, Squares]


class Planted(NamedTuple):
    """An error, and where it should be told.

    Attributes:
        plant: Puts it in.
        cubes: The cubes that are checked.
        families: The families of positions, each seen ``CASES`` times.
    """

    plant: Plant
    cubes: list[str]
    families: list[str]


def put(module: ModuleType, name: str, value: object) -> Plant:
    """Replace a table, a constant or a function."""
    return lambda patch: patch.setattr(module, name, value)


def put_everywhere(name: str, value: object) -> Plant:
    """Replace a function of the encoding wherever it is used."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        for module in (moves, exact):
            if hasattr(module, name):
                patch.setattr(module, name, value)

    return plant


def swap_lines(patch: pytest.MonkeyPatch) -> None:
    """Files are taken for ranks and ranks for files."""
    patch.setattr(written, "file_of", rank_of)
    patch.setattr(written, "rank_of", file_of)


_not_in_check = boards.encode_not_in_check
_check = relaxation._encode_check
_pawn_origins = reach.pawn_origins
_pawn_captures = boards.pawn_captures
_reach_backwards = reach.reach_backwards
_promotion = moves._encode_promotion
_pawn_move = moves._encode_pawn_move
_reach = moves._reach
_white_sight = moves._white_sight


def own_king_in_check(cnf: Gates, board: Board, attacker: str, king: Squares) -> None:
    if attacker == WHITE:
        _not_in_check(cnf, board, attacker, king)


def other_king_in_check(cnf: Gates, board: Board, attacker: str, king: Squares) -> None:
    if attacker == BLACK:
        _not_in_check(cnf, board, attacker, king)


def some_kings(cnf: Gates, board: Board, colour: str) -> Squares:
    """At least one king instead of exactly one."""
    king = [cnf.both(board.colour(colour)[s], board.king[s]) for s in SQUARES]
    cnf.add(*king)
    return king


def pawn_stays_pawn(cnf: Gates, destination: int, promotions: Values) -> Values:
    _promotion(cnf, destination, promotions)
    return {role: TRUE if role == "pawn" else FALSE for role in ROLES}


def passing_without_a_double_push(cnf: Gates, board: Board, square: int) -> Literal:
    """The square from which the pawn came need not be empty."""
    en_passant = cnf.new()
    for literal in (board.empty[square], board.black[square - 8], board.pawn[square - 8]):
        cnf.add(-en_passant, literal)
    return en_passant


def taken_pawn_stays(cnf: Gates, cube: Cube, board: Board, promotions: Values) -> Move:
    """The pawn taken in passing stays on the board."""
    move = _pawn_move(cnf, cube, board, promotions)
    taken = move.destination - 8
    after = move.after.changed(
        {"black": {taken: board.black[taken]}, "empty": {taken: board.empty[taken]}}
    )
    return replace(move, after=after)


def jumping(piece: str, destination: int) -> dict[int, tuple[int, ...]]:
    return dict.fromkeys(_reach_backwards(piece, destination), ())


def backwards(colour: str) -> list[tuple[int, ...]]:
    return _pawn_captures(WHITE if colour == BLACK else BLACK)


def no_blocks(cnf: Gates, after: Board, free: Squares) -> Reach:
    captures, _ = _reach(cnf, after, free)
    return captures, NOWHERE


def no_captures(cnf: Gates, after: Board, free: Squares) -> Reach:
    _, blocks = _reach(cnf, after, free)
    return NOWHERE, blocks


def pinned_defend(cnf: Gates, after: Board, _: Squares) -> Reach:
    return _reach(cnf, after, after.black)


def blocked_by_the_king(cnf: Gates, after: Board, _: Squares) -> Sight:
    """White's sliders do not look through Black's king."""
    return _white_sight(cnf, after, NOWHERE)


def pinned_twins(_cnf: Gates, _cube: Cube, _board: Board, _king: Squares, able: Able) -> Able:
    return able


def free_choice(cnf: Gates, _cube: Cube, _board: Board, _king: Squares, able: Able) -> Able:
    """The exact formula leaves pins open, as a relaxation does."""
    return {s: cnf.both(literal, -cnf.new()) for s, literal in able.items()}


def no_mate(encoding: Encoding, destination: int) -> None:
    """The relaxation takes every check for no mate."""
    _check(encoding, destination)
    encoding.cnf.add(-encoding.fields["suffix"]["#"])


def single_pushes(capture: bool, destination: int) -> tuple[int, ...]:
    """The relaxation does not know that a pawn may go two squares."""
    return _pawn_origins(capture, destination)[:2] if capture else (destination - 8,)


STEP_MISSING = tuple(steps(s, KNIGHT_STEPS[1:]) for s in SQUARES)
BISHOP_LAME = reach.SLIDER_DIRECTIONS | {"B": reach.SLIDER_DIRECTIONS["B"][1:]}
CASTLING_OVER_B1 = CASTLING | {
    "O-O-O": CASTLING["O-O-O"]._replace(between=CASTLING["O-O-O"].between[:2])
}

PLANTED = {
    "knight's step missing among attacks": Planted(
        put(boards, "KNIGHT", STEP_MISSING), ["Nb4", "Nc6", "Nd2"], ["twins", "mate"]
    ),
    "knight's step missing among moves": Planted(
        put(reach, "KNIGHT", STEP_MISSING), ["Nb4", "Nxd5"], ["twins"]
    ),
    "knights forgotten among replies": Planted(
        put(moves, "KNIGHT", [()] * 64), ["Qd8", "Qb7", "Qa5"], ["mate"]
    ),
    "kings may touch": Planted(put(boards, "KING", [()] * 64), ["Kc6", "Kxd4"], ["sparse"]),
    "pawns attack backwards": Planted(
        put(boards, "pawn_captures", backwards), ["d4", "c6", "Kd5"], ["sparse"]
    ),
    "bishop without a direction": Planted(
        put(reach, "SLIDER_DIRECTIONS", BISHOP_LAME), ["Bd4"], ["twins", "crowded"]
    ),
    "sliders jump": Planted(put(moves, "reach_backwards", jumping), ["Qd4", "Rxa1"], ["crowded"]),
    "any number of kings": Planted(put_everywhere("encode_one_king", some_kings), ["Kc3"], []),
    "own king left in check": Planted(
        put_everywhere("encode_not_in_check", own_king_in_check), ["Qc4", "Kd2"], ["in check"]
    ),
    "black in check at white's turn": Planted(
        put_everywhere("encode_not_in_check", other_king_in_check), ["Qc4", "Nd5"], []
    ),
    "pinned twins count": Planted(
        put(exact, "_legal", pinned_twins), ["Nc3", "Qd4", "Qc5"], ["twins"]
    ),
    "pins are a free choice": Planted(put(exact, "_legal", free_choice), ["Nc3"], ["twins"]),
    "no mate in the relaxation": Planted(
        put(relaxation, "_encode_check", no_mate), ["Qd8", "Rd8"], ["mate"]
    ),
    "no direct check in the relaxation": Planted(
        put(relaxation, "_direct_checks", lambda *_: []), ["Qd8", "Rd8"], ["mate"]
    ),
    "no discovered check in the relaxation": Planted(
        put(relaxation, "_discovered_checks", lambda *_: []), ["Nc6", "Bd5"], ["discovered"]
    ),
    "no double push in the relaxation": Planted(
        put(relaxation, "pawn_origins", single_pushes), ["a4", "d4"], ["sparse"]
    ),
    "file and rank confused": Planted(swap_lines, ["Nc3", "Rd4"], ["twins"]),
    "promoted pawn remains a pawn": Planted(
        put(moves, "_encode_promotion", pawn_stays_pawn), ["b8", "xc8"], ["promotion"]
    ),
    "passing without a double push": Planted(
        put(moves, "_encode_en_passant", passing_without_a_double_push), ["xd6", "xb6"], []
    ),
    "the pawn taken in passing stays": Planted(
        put(moves, "_encode_pawn_move", taken_pawn_stays), ["xd6", "xb6", "xc6"], ["en passant"]
    ),
    "castling through check": Planted(
        put(moves, "encode_not_in_check", lambda *_: None), ["O-O", "O-O-O"], ["castling"]
    ),
    "castling over a piece": Planted(
        put(moves, "CASTLING", CASTLING_OVER_B1), ["O-O-O"], ["castling"]
    ),
    "no interposition": Planted(
        put(moves, "_reach", no_blocks), ["Qa5", "Qb5", "Ra5", "Bc3"], ["push answer"]
    ),
    "no capture of the checker": Planted(
        put(moves, "_reach", no_captures), ["Qd8", "Qxc7"], ["mate"]
    ),
    "pinned pieces defend": Planted(
        put(moves, "_reach", pinned_defend), ["Qd8", "Qxc7", "Qb7"], ["pin mate"]
    ),
    "the king shields what is behind it": Planted(
        put(moves, "_white_sight", blocked_by_the_king), ["Qd8", "Qa1"], ["mate"]
    ),
    "double check is answered as single": Planted(
        put(moves, "_at_least_two", lambda *_: FALSE),
        ["Nd6", "Nc7", "Nb5", "Nxc6"],
        ["double mate"],
    ),
    "black pawns push by one only": Planted(
        put(moves, "PAWN_START_RANK", 9), ["Qa5", "Qb5", "Ra5", "Bc3"], ["push answer"]
    ),
    "no answer in passing": Planted(
        put(moves, "_en_passant_answers", lambda *_: []), ["d4", "b4"], ["push check"]
    ),
}


def parse_cube(name: str) -> Cube:
    if name.startswith("O"):
        return Cube(name, "", "")
    piece = name[0] if name[0] in "NBRQK" else ""
    return Cube(piece, "x" if "x" in name else "", name[-2:])


def cases_of(family: str, cubes: tuple[Cube, ...]) -> Iterator[Case]:
    """The same for the error and the control: they owe nothing to the encoding."""
    return islice(draw_cases(Random(family), family, FAMILIES[family], cubes), CASES)


def what_is_told(cases: Iterable[Case], cubes: Collection[Cube]) -> Iterator[str]:
    """One by one, and drawn as they are asked for: an error is planted well if anything is told."""
    adequacy = Adequacy(capacity=len(cubes))
    yield from filter(None, map(adequacy.check_case, cases))
    for cube in cubes:
        yield from adequacy.check_models(cube, Random(str(cube)), MODELS).failures


def cubes_of(planted: Planted) -> tuple[Cube, ...]:
    return tuple(map(parse_cube, planted.cubes))


def drawn_for(planted: Planted) -> Iterator[Case]:
    for family in planted.families:
        yield from cases_of(family, cubes_of(planted))


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
@pytest.mark.usually(12)
def test_a_planted_error_is_told(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    planted.plant(monkeypatch)
    assert any(what_is_told(drawn_for(planted), cubes_of(planted)))


@pytest.mark.slow
def test_without_the_errors_nothing_is_told() -> None:
    cases = [case for planted in PLANTED.values() for case in drawn_for(planted)]
    cubes = sorted({cube for planted in PLANTED.values() for cube in cubes_of(planted)})
    assert list(what_is_told(sorted(cases, key=lambda case: case.cube), cubes)) == []
