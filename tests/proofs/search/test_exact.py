"""The exact formula: how models are read."""

import chess
import pytest

from sanproof.proofs.board.witness import Witness, checked_witness
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.search.exact import (
    encode_exact,
    read_witness,
)
from tests.proofs.encoding.adequacy import Formula, case_of

PAWN = checked_witness("exd8=N+", "3r4/4Pk2/8/8/8/8/8/4K3 w - - 0 1", "e7d8n")
PASSING = checked_witness("bxa6", "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1", "b5a6")
CASTLING = checked_witness("O-O+", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1")
LONG_CASTLING = checked_witness("O-O-O", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1")


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
    formula = Formula(encode_exact(cube))
    assert formula.admits(formula.case_literals(case_of(board, move, "fixed")))
    assert read_witness(formula.encoding, formula.session.holds) == witness
