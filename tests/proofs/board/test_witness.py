import re
from typing import NamedTuple

import chess
import pytest

from sanproof.proofs.board.witness import WitnessError, checked_witness


class Shown(NamedTuple):
    """What is said to be a witness."""

    san: str
    fen: str
    uci: str


GOOD = [
    (
        Shown("e4", chess.STARTING_FEN, "e2e4"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    ),
    (
        Shown("Rd8#", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "d1d8"),
        "3R2k1/5ppp/8/8/8/8/8/K7 b - - 1 1",
    ),
    (
        Shown("O-O-O+", "r3k3/8/8/8/8/8/8/3K4 b q - 0 1", "e8c8"),
        "2kr4/8/8/8/8/8/8/3K4 w - - 1 2",
    ),
    (
        Shown("exd6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"),
        "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1",
    ),
    (
        Shown("bxa8=N", "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8n"),
        "N3k3/8/8/8/8/8/8/4K3 b - - 0 1",
    ),
]
ROOKS = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"

WRONG_MOVE = {
    "a move that the piece does not make": Shown("Rb2", ROOKS, "a1b2"),
    "a move of the other side": Shown("Kd8", ROOKS, "e8d8"),
    "a move into check": Shown("Kd2", "3rk3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d2"),
    "a move of a pinned piece": Shown("Nc3", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3"),
    "a castling through check": Shown("O-O", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    "a promotion left out": Shown("a8", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8"),
    "no move": Shown("Ra2", ROOKS, "0000"),
}
WRONG_STRING = {
    "another string": (Shown("Ra4", ROOKS, "a1a3"), "Ra3"),
    "a check that is none": (Shown("Ra3+", ROOKS, "a1a3"), "Ra3"),
    "a check left out": (Shown("Ra8", ROOKS, "a1a8"), "Ra8+"),
    "a discriminator left out": (
        Shown("Rd1", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1"),
        "Rad1",
    ),
    "a discriminator for a pinned twin": (
        Shown("Nab3", "4k3/8/8/8/4r3/8/4N3/N3K3 w - - 0 1", "a1b3"),
        "Nb3",
    ),
    "the empty string": (Shown("", ROOKS, "a1a3"), "Ra3"),
}
INVALID_POSITION = {
    "no white king": Shown("Ra2", "4k3/8/8/8/8/8/8/R7 w - - 0 1", "a1a2"),
    "the other side in check": Shown("Rh8+", "4k3/8/8/8/8/8/8/4RK1R w - - 0 1", "h1h8"),
    "a square passed by no pawn": Shown("Kd1", "4k3/8/8/8/8/8/8/4K3 w - d6 0 1", "e1d1"),
}
UNREADABLE = {
    "an empty FEN": Shown("Ra2", "", "a1a2"),
    "a FEN with an unknown piece": Shown("Ra2", ROOKS.replace("R", "X"), "a1a2"),
    "an empty move": Shown("Ra2", ROOKS, ""),
    "a SAN for a move": Shown("Ra2", ROOKS, "Ra2"),
}


@pytest.mark.parametrize(("witness", "after"), GOOD)
def test_a_witness_is_returned_with_the_position_after(witness: Shown, after: str) -> None:
    assert checked_witness(*witness) == (*witness, after)


@pytest.mark.parametrize(
    ("witness", "said"),
    [
        *((witness, "(?i)not legal|cannot be read") for witness in WRONG_MOVE.values()),
        *((witness, re.escape(written) + "$") for witness, written in WRONG_STRING.values()),
        *((witness, "(?i)invalid position") for witness in INVALID_POSITION.values()),
        *((witness, "cannot be read") for witness in UNREADABLE.values()),
    ],
    ids=[*WRONG_MOVE, *WRONG_STRING, *INVALID_POSITION, *UNREADABLE],
)
def test_a_wrong_witness_is_refused(witness: Shown, said: str) -> None:
    with pytest.raises(WitnessError, match=said) as caught:
        checked_witness(*witness)
    assert f"{witness.san}, {witness.uci} in {witness.fen}" in str(caught.value)
