"""Every impossible string has a reason, its sentence is about it, and what it says is true.

What is true of origins and twins is found here by placing pieces on python-chess's board.
"""

import string as characters
from functools import cache
from itertools import chain, combinations
from random import Random

import chess
import pytest

from sanproof.proofs.rules.cubes import Cube, all_cubes, cube_of
from sanproof.proofs.rules.san import San, parse_san
from sanproof.proofs.verdicts.reasons import RULES, Reason, reason, sentence
from sanproof.reports.archive.door import open_archive
from tests.reports.samples import CLAIMED
from tests.strings import strings_of

PIECES = {"N": chess.KNIGHT, "B": chess.BISHOP, "R": chess.ROOK, "Q": chess.QUEEN, "K": chess.KING}
CORNERS_AND_OTHERS = ("a1", "b2", "c1", "d4", "h6")
CUBES = [
    *(Cube("", capture, square) for capture in ("", "x") for square in ("a8", "e1", "d4", "h5")),
    *(Cube(piece, "", square) for piece in PIECES for square in CORNERS_AND_OTHERS),
    *(Cube(piece, "x", "g8") for piece in PIECES),
]


def impossible(cube: Cube) -> list[tuple[San, Reason]]:
    """The cube's strings that are not claimed, each with its reason."""
    return [
        (san, reason(san.bare, playable=str(san.bare) in CLAIMED))
        for san in strings_of(cube)
        if str(san) not in CLAIMED
    ]


@pytest.mark.parametrize("cube", CUBES, ids=str)
def test_every_impossible_string_has_a_sentence_about_it(cube: Cube) -> None:
    printable = set(characters.printable) - set("\t\n\r\x0b\x0c")
    for san, why in impossible(cube):
        text = sentence(san, why)
        assert set(text) <= printable
        assert text.endswith(".")
        assert "{" not in text
        assert str(san if why is not Reason.NO_CHECK else san.bare) in text
        assert san.destination in text


def test_every_reason_occurs_and_is_documented() -> None:
    used = {why for cube in CUBES for _, why in impossible(cube)}
    assert used == set(Reason) == set(RULES)
    assert all(rule.endswith(".") for rule in RULES.values())
    names = [why.value for why in Reason]
    assert len(set(names)) == len(names)
    assert all(set(name) <= set(characters.ascii_lowercase + "-") for name in names)


@cache
def origins(piece: str, destination: str) -> frozenset[int]:
    """Where the piece can come from on an empty board."""
    target = chess.parse_square(destination)
    found = set()
    for square in chess.SQUARES:
        board = chess.Board(None)
        board.set_piece_at(square, chess.Piece(PIECES[piece], chess.WHITE))
        if target in board.attacks(square):
            found.add(square)
    return frozenset(found)


@cache
def written(piece: str, destination: str, capture: str) -> frozenset[str]:
    """Every bare string that python-chess writes, of one mover and at most two others like it.

    Two are enough: what is written depends on whether some twin shares the file, and whether some
    twin shares the rank, with the mover.
    """
    target = chess.parse_square(destination)
    reach = sorted(origins(piece, destination))
    found = set()
    for origin in reach:
        others = [square for square in reach if square != origin]
        twins = chain([()], combinations(others, 1), combinations(others, 2))
        for placed in twins if piece != "K" else [()]:
            board = chess.Board(None)
            for square in (origin, *placed):
                board.set_piece_at(square, chess.Piece(PIECES[piece], chess.WHITE))
            if capture:
                board.set_piece_at(target, chess.Piece(chess.KNIGHT, chess.BLACK))
            move = chess.Move(origin, target)
            if board.is_legal(move):
                found.add(board.san(move))
    return frozenset(found)


@pytest.mark.parametrize("cube", [cube for cube in CUBES if cube.piece], ids=str)
@pytest.mark.usually(10)
def test_what_is_said_of_origins_and_twins_is_true(cube: Cube) -> None:
    """No placement of pieces is written as a string that is said to have no origin or no twins."""
    possible = written(*cube._replace(capture=cube.destination, destination=cube.capture))
    assert possible == {san for san in CLAIMED if san[-1] not in "+#" and of(cube, san)}
    for san, why in impossible(cube):
        named = {
            square
            for square in origins(cube.piece, cube.destination)
            if san.file in ("", chess.square_name(square)[0])
            and san.rank in ("", chess.square_name(square)[1])
        }
        if why is Reason.NO_ORIGIN:
            assert not named
        elif why is Reason.NO_TWINS:
            assert named
            assert str(san.bare) not in possible
        elif why is Reason.NO_CHECK:
            assert str(san.bare) in possible


def of(cube: Cube, san: str) -> bool:
    return cube_of(parse_san(san)) == cube


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.usually(1)
def test_what_is_said_of_pawns_is_true(seed: int) -> None:
    """Against every pawn move on an empty board, or with something to capture."""
    moves = set()
    for origin in chess.SQUARES[8:56]:
        for target in chess.SQUARES:
            board = chess.Board(None)
            board.turn = chess.WHITE if seed != 1 else chess.BLACK
            board.set_piece_at(origin, chess.Piece(chess.PAWN, board.turn))
            if chess.square_file(origin) != chess.square_file(target):
                board.set_piece_at(target, chess.Piece(chess.KNIGHT, not board.turn))
            moves |= {board.san(move) for move in board.legal_moves if move.to_square == target}
    cubes = Random(seed).sample([cube for cube in all_cubes() if cube.piece == ""], 40)
    for cube in cubes:
        for san, why in impossible(cube):
            assert str(san.bare) not in moves, why


def test_what_is_said_of_moves_that_never_check_is_true_of_their_witnesses() -> None:
    """Each square that is attacked then was left, was attacked before, or holds such a piece."""
    archive = open_archive()
    reachable = set(archive.strings())
    silent = [san for san in archive.strings(bare=True) if f"{san}+" not in reachable]
    assert "Ba1b2" in silent
    for san, row in archive.witnesses_of(silent).items():
        before, move = chess.Board(row.before_fen), chess.Move.from_uci(row.uci)
        after = before.copy()
        after.push(move)
        piece = after.piece_at(move.to_square)
        for square in after.attacks(move.to_square) - chess.SquareSet([move.from_square]):
            attacked = before.is_attacked_by(before.turn, square)
            assert attacked or after.piece_at(square) == piece, san
