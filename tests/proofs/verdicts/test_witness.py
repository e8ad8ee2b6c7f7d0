import re

import chess
import pytest

from sanproof.proofs.rules.cubes import cube_of
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.verdicts.witness import Witness, WitnessError, check_witness
from tests.strings import strings_of

GOOD = [
    (
        Witness("e4", chess.STARTING_FEN, "e2e4"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    ),
    (
        Witness("Rd8#", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8"),
        "3R2k1/5ppp/8/8/8/8/8/K7 b - - 1 1",
    ),
    (
        Witness("O-O-O+", "r3k3/8/8/8/8/8/8/3K4 b q - 0 1", "e8c8"),
        "2kr4/8/8/8/8/8/8/3K4 w - - 1 2",
    ),
    (
        Witness("exd6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"),
        "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1",
    ),
    (
        Witness("bxa8=N", "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8n"),
        "N3k3/8/8/8/8/8/8/4K3 b - - 0 1",
    ),
]
ROOKS = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"

WRONG_MOVE = {
    "a move that the piece does not make": Witness("Rb2", ROOKS, "a1b2"),
    "a move of the other side": Witness("Kd8", ROOKS, "e8d8"),
    "a move into check": Witness("Kd2", "3rk3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d2"),
    "a move of a pinned piece": Witness("Nc3", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3"),
    "a castling through check": Witness("O-O", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    "a promotion left out": Witness("a8", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8"),
    "no move": Witness("Ra2", ROOKS, "0000"),
}
WRONG_STRING = {
    "another string": (Witness("Ra4", ROOKS, "a1a3"), "Ra3"),
    "a check that is none": (Witness("Ra3+", ROOKS, "a1a3"), "Ra3"),
    "a check left out": (Witness("Ra8", ROOKS, "a1a8"), "Ra8+"),
    "a discriminator left out": (
        Witness("Rd1", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1"),
        "Rad1",
    ),
    "a discriminator for a pinned twin": (
        Witness("Nab3", "4k3/8/8/8/4r3/8/4N3/N3K3 w - - 0 1", "a1b3"),
        "Nb3",
    ),
    "the empty string": (Witness("", ROOKS, "a1a3"), "Ra3"),
}
INVALID_POSITION = {
    "no white king": Witness("Ra2", "4k3/8/8/8/8/8/8/R7 w - - 0 1", "a1a2"),
    "the other side in check": Witness("Rh8+", "4k3/8/8/8/8/8/8/4RK1R w - - 0 1", "h1h8"),
    "a square passed by no pawn": Witness("Kd1", "4k3/8/8/8/8/8/8/4K3 w - d6 0 1", "e1d1"),
}
UNREADABLE = {
    "an empty FEN": Witness("Ra2", "", "a1a2"),
    "a FEN with an unknown piece": Witness("Ra2", ROOKS.replace("R", "X"), "a1a2"),
    "an empty move": Witness("Ra2", ROOKS, ""),
    "a SAN for a move": Witness("Ra2", ROOKS, "Ra2"),
}


def assert_refused(witness: Witness, said: str) -> None:
    with pytest.raises(WitnessError, match=said) as caught:
        check_witness(witness)
    assert witness.san in str(caught.value)
    assert witness.fen in str(caught.value)


@pytest.mark.parametrize(("witness", "after"), GOOD)
def test_a_witness_is_returned_with_the_position_after(witness: Witness, after: str) -> None:
    checked = check_witness(witness)
    assert checked[:3] == witness
    assert checked.after_fen == after


@pytest.mark.parametrize("witness", WRONG_MOVE.values(), ids=WRONG_MOVE)
def test_an_illegal_move_is_refused(witness: Witness) -> None:
    assert_refused(witness, "(?i)not legal|cannot be read")


@pytest.mark.parametrize(("witness", "written"), WRONG_STRING.values(), ids=WRONG_STRING)
def test_another_string_is_refused_with_both_readings(witness: Witness, written: str) -> None:
    assert_refused(witness, re.escape(written) + r"$")


@pytest.mark.parametrize("witness", INVALID_POSITION.values(), ids=INVALID_POSITION)
def test_an_invalid_position_is_refused(witness: Witness) -> None:
    assert_refused(witness, "(?i)invalid position")


@pytest.mark.parametrize("witness", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_refused(witness: Witness) -> None:
    assert_refused(witness, "cannot be read")


@pytest.mark.parametrize("witness", [*WRONG_MOVE.values(), *(w for w, _ in WRONG_STRING.values())])
def test_wrong_moves_and_strings_stand_in_valid_positions(witness: Witness) -> None:
    """So that what refuses them is what their test says."""
    assert chess.Board(witness.fen).is_valid()


@pytest.mark.parametrize("witness", INVALID_POSITION.values(), ids=INVALID_POSITION)
def test_only_the_positions_of_invalid_witnesses_are_at_fault(witness: Witness) -> None:
    board, move = chess.Board(witness.fen), chess.Move.from_uci(witness.uci)
    assert board.is_legal(move)
    assert board.san(move) == witness.san


MOVES = {
    "Nxc3": ("2k5/8/8/8/4N3/2r5/8/2R1K3 w - - 0 1", "e4c3"),
    "Raxd4": ("6k1/8/8/8/R2r3R/8/8/K7 w - - 0 1", "a4d4"),
    "R1d3": ("7k/8/8/3R4/8/8/8/K2R4 w - - 0 1", "d1d3"),
    "Qh4xe1": ("1k1r4/2p5/8/8/4Q2Q/8/K7/4r2Q w - - 0 1", "h4e1"),
    "exd8=Q+": ("3r2k1/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q"),
}
"""For each string a position and the move that is written so."""


@pytest.mark.parametrize("right", MOVES)
def test_only_one_string_is_right(right: str) -> None:
    fen, uci = MOVES[right]
    passed = []
    for san in strings_of(cube_of(parse_san(right))):
        try:
            passed.append(check_witness(Witness(str(san), fen, uci)).san)
        except WitnessError:
            continue
    assert passed == [right]
