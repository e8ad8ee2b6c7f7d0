import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.proofs.numbering.placements import PLACEMENTS
from sanproof.proofs.numbering.plausibility import Look, look_at, looks_legal
from sanproof.proofs.numbering.plausible import PLAUSIBLE
from tests.examples import examples
from tests.proofs.numbering.oracle import play

PUBLISHED = """
4r3/3N1Q1k/1b2q1N1/NP1K1b1Q/rb4r1/r3bb2/1R3nn1/B1rnb1Q1 w BOTH_IN_CHECK
1nR3bq/R1n1q1bn/8/2qQ3B/1KQ5/p1k1p3/rnrB1NrQ/B1Q2b2 w ADJACENT_KINGS
1rR2n1R/6RN/1k4b1/RPp2q2/P2p1q1b/1bQ1NK2/5bqn/rR2rn2 w TRIPLE_CHECK
7q/1R1n1n2/2bBn2R/rn4k1/rP2P3/r1nNK2b/r1r1N1Pr/Nn4Q1 w TOO_MANY_PROMOTIONS
1R2r1k1/rnpKrr2/rp2p1qp/8/1P2R2P/NRB1np2/N1B1RR2/2b3b1 w TOO_MANY_PROMOTIONS
1B2r3/1K2PR1R/Np1BP2b/6n1/1Brrn2p/1rqn1brp/2P3N1/kn6 w NO_CHECK
2Bq2n1/1NB5/3r4/N4rQ1/B2kb2K/b1qB2nN/B1bPrq1b/2B1b1Q1 w NO_CHECK
r2rn2N/Bb2nB2/2Qb2r1/Rr1BNnPQ/1b4K1/1R6/1R1qrp1b/k7 w WRONG_SIDE_IN_CHECK
kQ1B1r2/pbQq1R2/1nQpr3/1K3p1b/4n3/B6r/q2PR2R/Nnr1n1B1 w WRONG_SIDE_IN_CHECK
nBB1K3/1NrNrR1n/b1kr2Q1/bR6/1q1q1br1/7n/1p4Pp/r1B2RQ1 w SINGLE_CHECK
N2r1b2/4R1q1/2rr1P1k/1bK5/4Qn2/B1R2Q1p/Ppr1Brn1/r1Bq1q1N w SINGLE_CHECK
2N2n2/3qQ1pp/q2b3R/r1k1Prq1/B2p1K1N/1Q1Q4/3R3P/qrn1Qbq1 w DOUBLE_CHECK
3nr1Bk/1RP1Q3/1q1r3N/1RP1b2p/5K1n/p2nN2r/n2p1Prr/1Q1bB3 w DOUBLE_CHECK
NQ6/3k1N1n/1b2R1R1/p1n3R1/3nbrKn/qNrBBBqp/1P1Qq3/1r6 w DOUBLE_CHECK
7r/pR1B1qBQ/b1r2N2/2n1PPR1/pNn3P1/1nk1bRr1/1q3K1n/r1n5 w DISCOVERED_DOUBLE_CHECK
2r5/BBP1n1pb/b1bq1r2/Rnb5/R3p3/KRRq1N2/1Pq2QP1/1k4rb w DISCOVERED_DOUBLE_CHECK
3Q4/p1qNp1nB/3rr1RR/3k1B2/nR1b1q1n/n2R3n/1NK1N1Pn/2Q5 w DISCOVERED_DOUBLE_CHECK
1r1kN2q/q2b1Bn1/p3R2R/nqBr1q2/BB6/n2r1NrK/PQ3qN1/1N6 w DISCOVERED_DOUBLE_CHECK
"""
"""From https://github.com/tromp/ChessPositionRanking, `sortedRnd1kResearch`; MIT licence,
copyright 2021 John Tromp."""
DOUBLE_CHECKS = [
    "7k/8/8/2r5/8/8/8/2K2q2 w DISCOVERED_DOUBLE_CHECK",  # a queen made on f1 uncovers the rook
    "7k/8/8/8/8/8/2r5/2Kq4 w DOUBLE_CHECK",  # beside the king, nothing can have been uncovered
    "7k/8/8/8/8/2K5/8/2rn4 w DISCOVERED_DOUBLE_CHECK",  # the king two ranks above both
    "7k/8/8/8/8/2K5/2rb4/8 w DOUBLE_CHECK",  # nothing has just promoted
    "7k/8/8/8/2K5/8/8/2r2b2 w DISCOVERED_DOUBLE_CHECK",  # three ranks: no promotion, but a line
    "7k/8/8/8/r1K2r2/8/8/8 w DOUBLE_CHECK",  # opposite directions
]
"""With few pieces there are files to spare, on which a promoting pawn can have captured."""
LEGAL = {Look.DISCOVERED_DOUBLE_CHECK, Look.SINGLE_CHECK, Look.NO_CHECK}
"""All others are illegal, as the source says."""


@pytest.mark.parametrize("line", [*PUBLISHED.split("\n")[1:-1], *DOUBLE_CHECKS])
def test_labels(line: str) -> None:
    start, label = line.rsplit(" ", 1)
    fen = f"{start} - - 0 1"
    for text in (fen, chess.Board(fen).mirror().fen()):
        assert look_at(text) is Look[label]
        assert looks_legal(text) is (Look[label] in LEGAL)


@settings(max_examples=examples(200), deadline=None)
@given(st.integers(0, 10**9), st.integers(0, 120))
def test_positions_of_games_look_legal(seed: int, plies: int) -> None:
    """A position that a test rejects must not be reachable."""
    assert looks_legal(play(seed, plies).fen())


BY_CHECKERS = (
    {Look.NO_CHECK},
    {Look.SINGLE_CHECK},
    {Look.DOUBLE_CHECK, Look.TWO_KNIGHTS, Look.DISCOVERED_DOUBLE_CHECK},
    set[Look](),
)


@settings(max_examples=examples(300), deadline=None)
@given(st.deferred(lambda: st.integers(0, PLAUSIBLE.size - 1)))
def test_checks_as_python_chess_finds_them(number: int) -> None:
    fen = PLAUSIBLE.position(number)
    board = chess.Board(fen)
    king, other = board.king(board.turn), board.king(not board.turn)
    assert king is not None
    assert other is not None
    checkers = board.attackers(not board.turn, king)
    expected = {Look.TOO_MANY_PROMOTIONS} | BY_CHECKERS[min(len(checkers), 3)]
    if board.attackers(board.turn, other):
        expected = {Look.BOTH_IN_CHECK if checkers else Look.WRONG_SIDE_IN_CHECK}
    elif len(checkers) > 2:
        expected = {Look.TRIPLE_CHECK}
    if chess.square_distance(king, other) == 1:
        expected = {Look.ADJACENT_KINGS}
    assert look_at(fen) in expected


def test_boards_that_are_not_plausible() -> None:
    assert look_at(PLACEMENTS.position(0)) is Look.KINGS
    assert look_at("P6k/8/8/8/8/8/8/K7 w - - 0 1") is Look.PAWNS


def test_python_chess_differs_both_ways() -> None:
    two_knights = "8/8/3n4/8/4K3/6n1/8/7k w - - 0 1"
    assert chess.Board(two_knights).is_valid()
    assert look_at(two_knights) is Look.TWO_KNIGHTS
    dropped_pawn = "4k3/8/8/8/8/8/8/4K3 w - e6 0 1"
    assert looks_legal(dropped_pawn)
    assert not chess.Board(dropped_pawn).is_valid()
