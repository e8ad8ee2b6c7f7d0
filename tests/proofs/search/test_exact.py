"""The exact formula: how models are read."""

import chess
import pytest

from sanproof.proofs.board.witness import Witness
from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.search.exact import (
    encode_exact,
    read_witness,
)
from tests.proofs.encoding.adequacy import Formula, case_of
from tests.proofs.search.witnesses import CASTLING, LONG_CASTLING, PASSING, PAWN


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
