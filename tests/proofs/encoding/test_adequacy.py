"""The encoding models chess, in both directions, on a sample of few cubes: each loads slowly."""

from itertools import islice
from random import Random

import chess
import pytest

from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.search.derived import solved_cubes
from tests.examples import examples
from tests.games import REAL_GAMES
from tests.proofs.encoding.adequacy import case_of, check_case, check_models, draw_cases
from tests.proofs.encoding.positions import FAMILIES, first_boards, is_plausible, recorded_games

CASES_PER_FAMILY = examples(100)
MODELS_PER_CUBE = examples(50)


def sample_of_cubes() -> list[Cube]:
    """Choose those with rules of their own, and some for each piece, quiet and capturing."""
    chosen = [Cube("O-O", "", ""), Cube("O-O-O", "", "")]
    chosen += [Cube("", "", d) for d in ("a4", "d4", "c3", "b8", "d1")]
    chosen += [Cube("", "x", d) for d in ("a6", "d6", "c6", "b8", "d5", "a2")]
    rng = Random(1)
    for piece in "NBRQK":
        for capture in ("", "x"):
            alike = [c for c in solved_cubes() if (c.piece, c.capture) == (piece, capture)]
            chosen += rng.sample(alike, 2)
    return chosen


CUBES = sample_of_cubes()
MOVELESS = ("d1", "xa2")
"""Those in which White's pawns have no moves."""


@pytest.mark.parametrize("family", [*FAMILIES, "real games"])
def test_moves_of_every_family_are_models_exactly_if_legal(family: str) -> None:
    boards = first_boards(family) if family in FAMILIES else recorded_games(REAL_GAMES)
    drawn = draw_cases(Random(family), family, lambda _: iter(boards), CUBES)
    cases = list(islice(drawn, CASES_PER_FAMILY))
    assert len(cases) > CASES_PER_FAMILY / 2
    for case in sorted(cases, key=lambda case: case.cube):
        assert not check_case(case)


@pytest.mark.parametrize("cube", CUBES[::2], ids=str)
def test_models_are_what_python_chess_says(cube: Cube) -> None:
    models = check_models(cube, Random(str(cube)), MODELS_PER_CUBE)
    assert list(models) == [""] * (MODELS_PER_CUBE if str(cube) not in MOVELESS else 0)


FIXED = {
    "a knight beside the pawn does not pass": "d2d4 d4# 8/8/K3p3/3pk3/2n1N3/5Qn1/2NP4/8 w - - 0 1",
    "a bishop beside the pawn does not pass": "d2d4 d4# 8/6r1/8/2Bnk3/2b1N1Qr/8/3P4/K7 w - - 0 1",
    "passing does not answer a bishop": "d2d4 d4# 8/4pK2/4p1Bk/8/2p5/8/3P4/2B5 w - - 0 1",
    "passing does not answer a rook": "d2d4 d4# 6n1/8/8/4K3/4p3/7r/R2P3k/Q6N w - - 0 1",
    "no double push over a man": "a8a5 Ra5# R6N/3p3K/3P4/7k/6pp/8/8/8 w - - 0 1",
    "a pawn does not step between as it takes": "d1c1 Rc1# 2kr4/Q7/3p4/8/8/8/8/1K1R4 w - - 0 1",
    "passing would open the rank": "e5d6 illegal 4k3/8/8/r2pPK2/8/8/8/8 w - d6 0 1",
    "the rank stays closed": "e5d6 exd6 4k3/8/8/r1npPK2/8/8/8/8 w - d6 0 1",
    "passing would open a diagonal": "e5d6 illegal 4k2b/8/8/3pP3/3K4/8/8/8 w - d6 0 1",
    "passing blocks a check": "e5e6 e6 4k1b1/8/8/3pP3/8/1K6/8/8 w - - 0 1",
    "passing discovers a check": "e5d6 exd6+ 8/8/8/R2pPk2/8/8/8/7K w - d6 0 1",
    "a push that a pinned pawn cannot answer": "b2b4 b4# 8/1Q6/6B1/Kbk5/2p5/2Q5/1P6/3R4 w - - 0 1",
    "a pinned bishop cannot step between": "d1d8 Rd8# 6k1/5pbp/8/8/8/8/6R1/1K1R4 w - - 0 1",
    "castling mate": "e1g1 O-O# 4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1",
    "castling through check": "e1g1 illegal 5rk1/8/8/8/8/8/8/4K2R w K - 0 1",
    "the rook may pass an attacked square": "e1c1 O-O-O 1r4k1/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "double check cannot be answered by taking": "h6f7 Nf7# 5rnk/6p1/7N/8/8/8/8/K6R w - - 0 1",
}
"""The move, how it is written, the position. The first are mates that seem to have an answer."""


@pytest.mark.parametrize("line", FIXED.values(), ids=FIXED)
def test_known_positions(line: str) -> None:
    """Each is what its name says, by python-chess, and the formulas say the same."""
    uci, san, fen = line.split(" ", 2)
    board, move = chess.Board(fen), chess.Move.from_uci(uci)
    assert is_plausible(board)
    assert (board.san(move) if board.is_legal(move) else "illegal") == san
    assert not check_case(case_of(board, move, "fixed"))
