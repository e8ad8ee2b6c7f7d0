from itertools import islice
from random import Random

import chess
import pytest

from proofs.encoding.relaxation import encode_exact
from proofs.rules.cubes import Cube, mirrored_file, mirrored_rank
from proofs.rules.san import parse_san
from proofs.search.models import (
    Witness,
    field_literals,
    read_string,
    read_witness,
    witness_literals,
)
from proofs.search.solvers import CadicalSession
from proofs.verdicts.witness import check_witness
from tests.proofs.encoding.adequacy import Formula, case_of
from tests.proofs.encoding.positions import FAMILIES

PAWN = Witness("exd8=N+", "3r4/4Pk2/8/8/8/8/8/4K3 w - - 0 1", "e7d8n")
PASSING = Witness("bxa6", "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1", "b5a6")
CASTLING = Witness("O-O+", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1")
LONG_CASTLING = Witness("O-O-O", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1")
POSITIONS_PER_FAMILY = 15


def is_confirmed(witness: Witness) -> bool:
    return check_witness(witness)[:3] == witness


def drawn_witnesses(family: str) -> list[Witness]:
    """White's moves in valid positions of a family."""
    found = []
    rng = Random(family)
    for board in islice(FAMILIES[family](rng), POSITIONS_PER_FAMILY):
        moves = list(board.legal_moves)
        if board.is_valid() and board.turn == chess.WHITE and moves:
            move = rng.choice(moves)
            found.append(Witness(board.san(move), board.fen(), move.uci()))
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_reflected_witnesses_are_witnesses(family: str) -> None:
    """Colours exchanged; left to right, but for castling; front to back, if without pawns."""
    for witness in drawn_witnesses(family):
        assert is_confirmed(witness)
        placement, _, rights, *_ = witness.fen.split(" ")
        san = parse_san(witness.san)
        exchanged = witness.exchanged_colours()
        assert exchanged.san == str(mirrored_rank(san))
        assert is_confirmed(exchanged)
        if rights == "-":
            assert witness.mirrored_files().san == str(mirrored_file(san))
            assert is_confirmed(witness.mirrored_files())
            assert witness.mirrored_files().mirrored_files() == witness
        if rights == "-" and "p" not in placement.lower():
            assert witness.mirrored_ranks().san == str(mirrored_rank(san))
            assert is_confirmed(witness.mirrored_ranks())
            assert witness.mirrored_ranks().mirrored_ranks() == witness


@pytest.mark.parametrize("witness", [CASTLING, LONG_CASTLING, PASSING, PAWN])
def test_exchanged_colours_are_those_of_python_chess(witness: Witness) -> None:
    exchanged = witness.exchanged_colours()
    assert is_confirmed(witness)
    assert is_confirmed(exchanged)
    assert exchanged.fen == chess.Board(witness.fen).mirror().fen(en_passant="fen")


def test_known_reflections() -> None:
    assert PAWN.mirrored_files() == Witness("dxe8=N+", "4r3/2kP4/8/8/8/8/8/3K4 w - - 0 1", "d7e8n")
    assert PAWN.exchanged_colours() == Witness(
        "exd1=N+", "4k3/8/8/8/8/8/4pK2/3R4 b - - 0 1", "e2d1n"
    )


@pytest.mark.parametrize(
    ("cube", "witness"),
    [
        (Cube("", "x", "d8"), PAWN),
        (Cube("", "x", "a6"), PASSING),
        (Cube("O-O", "", ""), CASTLING),
        (Cube("O-O-O", "", ""), LONG_CASTLING),
    ],
)
def test_a_model_of_a_witness_is_read_as_that_witness(cube: Cube, witness: Witness) -> None:
    board, move = chess.Board(witness.fen), chess.Move.from_uci(witness.uci)
    formula = Formula(encode_exact(cube), CadicalSession)
    assert formula.admits(formula.case_literals(case_of(board, move, "fixed")))
    assert read_witness(formula.encoding, formula.session.values()) == witness


def test_the_string_is_read_from_the_first_values() -> None:
    encoding = encode_exact(Cube("N", "", "c3"))
    fields = field_literals(encoding)
    assert witness_literals(encoding)[: len(fields)] == fields
    for text in ("Nc3", "Nb1c3#", "N5c3+", "Nac3=Q"):
        san = parse_san(text)
        spelt = encoding.literals(san)
        assert read_string(encoding, [x in spelt for x in fields]) == san
