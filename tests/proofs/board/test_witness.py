import chess
import pytest

from sanproof.proofs.board.witness import WitnessError, checked_witness, witness_on

ROOKS = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
GOOD = [
    ("e4", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
    ("Rd8#", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8", "3R2k1/5ppp/8/8/8/8/8/K7 b - - 1 1"),
    ("O-O-O+", "r3k3/8/8/8/8/8/8/3K4 b q - 0 1", "e8c8", "2kr4/8/8/8/8/8/8/3K4 w - - 1 2"),
    ("exd6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1"),
    ("bxa8=N", "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8n", "N3k3/8/8/8/8/8/8/4K3 b - - 0 1"),
]
WRONG = [
    # The move is not legal.
    ("Kd8", ROOKS, "e8d8", "(?i)not legal"),
    ("Nc3", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", "(?i)not legal"),
    ("O-O", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "(?i)not legal"),
    ("a8", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "(?i)not legal"),
    ("Ra2", ROOKS, "0000", "not legal|cannot be read"),
    # It is written otherwise.
    ("Ra4", ROOKS, "a1a3", "Ra3$"),
    ("Ra3+", ROOKS, "a1a3", "Ra3$"),
    ("Ra8", ROOKS, "a1a8", r"Ra8\+$"),
    ("Rd1", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1$"),
    ("Nab3", "4k3/8/8/8/4r3/8/4N3/N3K3 w - - 0 1", "a1b3", "Nb3$"),
    # The position is invalid.
    ("Ra2", "4k3/8/8/8/8/8/8/R7 w - - 0 1", "a1a2", "(?i)invalid position"),
    ("Rh8+", "4k3/8/8/8/8/8/8/4RK1R w - - 0 1", "h1h8", "(?i)invalid position"),
    ("Kd1", "4k3/8/8/8/8/8/8/4K3 w - d6 0 1", "e1d1", "(?i)invalid position"),
    # The FEN is another's way to write the position.
    ("Ra2", ROOKS.replace("KQ", "QK"), "a1a2", "should be written"),
    ("Ra2", ROOKS.replace("R", "X"), "a1a2", "cannot be read"),
    ("Ra2", ROOKS, "", "cannot be read"),
]


@pytest.mark.parametrize(("san", "fen", "uci", "after"), GOOD)
def test_a_witness_is_returned_with_the_position_after(
    san: str, fen: str, uci: str, after: str
) -> None:
    assert checked_witness(san, fen, uci) == (san, fen, uci, after)
    board, move = chess.Board(fen), chess.Move.from_uci(uci)
    assert witness_on(board, move, san) == (san, fen, uci, after)
    assert witness_on(board, move, "Qh5") is None
    board.turn = not board.turn
    assert witness_on(board, move, san) is None


@pytest.mark.parametrize(("san", "fen", "uci", "said"), WRONG)
def test_a_wrong_witness_is_refused(san: str, fen: str, uci: str, said: str) -> None:
    with pytest.raises(WitnessError, match=said) as caught:
        checked_witness(san, fen, uci)
    assert f"{san}, {uci} in {fen}" in str(caught.value)
