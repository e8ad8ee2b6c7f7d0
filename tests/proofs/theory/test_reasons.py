"""Every impossible string has a reason, its sentence is about it, and what it says is true."""

import string as characters
from random import Random

import chess
import pytest

from sanproof.proofs.rules.cubes import Cube, all_cubes
from sanproof.proofs.rules.san import San
from sanproof.proofs.theory.arrangements import attempts
from sanproof.proofs.theory.reasons import RULES, Reason, reason, sentence
from sanproof.reports.archive.door import open_archive
from tests.reports.samples import CLAIMED
from tests.strings import strings_of

PIECES = "NBRQK"
CORNERS_AND_OTHERS = ("a1", "b2", "c1", "d4", "h6")
CUBES = [
    *(Cube("", capture, square) for capture in ("", "x") for square in ("a8", "e1", "d4", "h5")),
    *(Cube(piece, "", square) for piece in PIECES for square in CORNERS_AND_OTHERS),
    *(Cube(piece, "x", "g8") for piece in PIECES),
]


def impossible(cube: Cube) -> list[tuple[San, Reason]]:
    """Return the cube's strings that are not claimed, each with its reason."""
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


@pytest.mark.parametrize("cube", [cube for cube in CUBES if cube.piece], ids=str)
def test_what_is_said_of_origins_and_twins_is_true(cube: Cube) -> None:
    """As python-chess sees attacks, and the search over arrangements, which overlooks nothing."""
    target = chess.parse_square(cube.destination)
    board = chess.BaseBoard.empty()
    board.set_piece_at(target, chess.Piece.from_symbol(cube.piece))
    names = [chess.square_name(square) for square in board.attacks(target)]
    for san, why in impossible(cube):
        if why in {Reason.NO_ORIGIN, Reason.NO_TWINS, Reason.NO_CHECK}:
            named = [n for n in names if san.file in ("", n[0]) and san.rank in ("", n[1])]
            assert bool(named) == (why is not Reason.NO_ORIGIN)
            if cube.piece != "K":
                fits = any(attempt.fits for attempt in attempts(san.bare))
                assert fits == (why is Reason.NO_CHECK)


@pytest.mark.parametrize("seed", range(3))
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
    for san, row in ((san, archive.witness_of(san)) for san in silent):
        before, move = chess.Board(row.before_fen), chess.Move.from_uci(row.uci)
        after = before.copy()
        after.push(move)
        piece = after.piece_at(move.to_square)
        for square in after.attacks(move.to_square) - chess.SquareSet([move.from_square]):
            attacked = before.is_attacked_by(before.turn, square)
            assert attacked or after.piece_at(square) == piece, san
