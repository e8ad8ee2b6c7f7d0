"""The encoding models chess, in both directions, on a sample of few cubes: each loads slowly."""

from itertools import islice
from random import Random

import chess
import pytest

from sanproof.proofs.rules.cubes import Cube
from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.search.derived import solved_cubes
from sanproof.proofs.search.exact import encode_exact
from sanproof.proofs.search.solvers import CadicalSession
from tests.examples import examples
from tests.games import REAL_GAMES
from tests.proofs.encoding.adequacy import (
    Adequacy,
    Case,
    Report,
    case_of,
    check_model,
    draw_cases,
    run,
)
from tests.proofs.encoding.positions import FAMILIES, first_boards, is_plausible, recorded_games

CASES_PER_FAMILY = examples(100)
MODELS_PER_CUBE = 10


def sample_of_cubes() -> list[Cube]:
    """Choose those with rules of their own, and some for each piece, quiet and capturing."""
    chosen = [Cube("O-O", "", ""), Cube("O-O-O", "", "")]
    chosen += [Cube("", "", d) for d in ("a4", "d4", "c3", "b8", "d1")]
    chosen += [Cube("", "x", d) for d in ("a6", "d6", "c6", "b8", "d5", "a2")]
    rng = Random(1)
    for piece in "NBRQK":
        for capture in ("", "x"):
            alike = [c for c in solved_cubes() if (c.piece, c.capture) == (piece, capture)]
            chosen += rng.sample(alike, 3)
    return chosen


CUBES = sample_of_cubes()
MOVELESS = ("d1", "xa2")
"""Those in which White's pawns have no moves."""


@pytest.fixture(scope="module")
def adequacy() -> Adequacy:
    return Adequacy(capacity=len(CUBES))


def assert_right(report: Report, cases: int) -> None:
    assert report.failures == []
    assert report.cases.total() == cases


@pytest.mark.parametrize("family", FAMILIES)
def test_moves_of_every_family_are_models_exactly_if_legal(adequacy: Adequacy, family: str) -> None:
    cases = draw_cases(Random(family), family, FAMILIES[family], CUBES)
    assert_right(adequacy.check_cases(islice(cases, CASES_PER_FAMILY)), CASES_PER_FAMILY)


def test_moves_of_recorded_games_are_models(adequacy: Adequacy) -> None:
    cases = draw_cases(Random(1), "real games", lambda _: recorded_games(REAL_GAMES), CUBES)
    assert_right(adequacy.check_cases(islice(cases, CASES_PER_FAMILY)), CASES_PER_FAMILY)


@pytest.mark.parametrize("cube", CUBES[::2], ids=str)
def test_models_are_what_python_chess_says(adequacy: Adequacy, cube: Cube) -> None:
    report = adequacy.check_models(cube, Random(str(cube)), MODELS_PER_CUBE)
    assert_right(report, MODELS_PER_CUBE if str(cube) not in MOVELESS else 0)


def test_a_run_counts_its_cases() -> None:
    report = run(30, 20, 1, {"sparse": FAMILIES["sparse"]}, [Cube("N", "", "c3")])
    assert_right(report, 50)


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
def test_known_positions(adequacy: Adequacy, line: str) -> None:
    """Each is what its name says, by python-chess, and the formulas say the same."""
    uci, san, fen = line.split(" ", 2)
    board, move = chess.Board(fen), chess.Move.from_uci(uci)
    assert is_plausible(board)
    assert (board.san(move) if board.is_legal(move) else "illegal") == san
    assert adequacy.check_case(case_of(board, move, "fixed")) is None


RIGHT = case_of(
    chess.Board("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1"), chess.Move.from_uci("g1f3"), "fixed"
)
SAN = parse_san("Nc3")
WRONG = {
    "a legal move called illegal": (RIGHT._replace(san=None), "admits it, as Nc3"),
    "another suffix": (RIGHT._replace(san=SAN._replace(suffix="+")), "formula says Nc3"),
    "no such origin": (RIGHT._replace(origin=chess.H8), "formula says it is not legal"),
    "another position": (RIGHT._replace(pieces="." * 64), "formula says it is not legal"),
    "another cube": (RIGHT._replace(cube=Cube("N", "x", "c3")), "formula says it is not legal"),
}


@pytest.mark.parametrize(("wrong", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_case_is_told(adequacy: Adequacy, wrong: Case, said: str) -> None:
    assert adequacy.check_case(RIGHT) is None
    told = adequacy.check_case(wrong)
    assert told is not None
    assert said in told


@pytest.mark.parametrize("family", FAMILIES)
def test_families_draw_plausible_positions_for_both_players(family: str) -> None:
    boards = first_boards(family)
    assert all(map(is_plausible, boards))
    assert {board.turn for board in boards} == {chess.WHITE, chess.BLACK}
    assert len({board.fen() for board in boards}) > 35


def test_a_wrong_model_is_told() -> None:
    encoding = encode_exact(Cube("N", "", "c3"))
    session = CadicalSession(encoding.cnf)
    session.solve(encoding.literals(parse_san("Nbc3+")))
    assert check_model(encoding, session.holds) is None
    fields = {x for values in encoding.fields.values() for x in values.values()}
    for text, said in (("Nbc3", "is written Nbc3+"), ("Nc3+", "is written Nbc3+")):
        spelt = encoding.literals(parse_san(text))
        told = check_model(encoding, lambda x: x in spelt if x in fields else session.holds(x))  # noqa: B023
        assert told is not None
        assert said in told
