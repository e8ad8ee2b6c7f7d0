"""The criteria's clauses say what python-chess says: a small sample, and a planted error for each.

See :mod:`tests.proofs.find.adequacy`. In ``examples.txt`` are two criteria each, of which the
second is put in the place of the first, and a move and a position in which they differ.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import chess
import pytest

from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.questions import Criterion
from sanproof.proofs.find.scene import Scene
from sanproof.proofs.find.terms import OF_SUFFIX, TERMS, holds, literal, read_criteria
from sanproof.proofs.find.terms_of_position import TERMS_OF_POSITION
from sanproof.proofs.rules.cubes import Cube, all_cubes
from tests.proofs.encoding.adequacy import Report
from tests.proofs.encoding.positions import FAMILIES
from tests.proofs.find.adequacy import (
    CRITERIA,
    SIDES,
    Checker,
    Loaded,
    check_answers,
    cube_of,
    draw_cases,
)


class Example(NamedTuple):
    """A position and a move in which a criterion and the error planted for it differ."""

    criterion: Criterion
    planted: Criterion
    case: PlayedMove


LINES = Path(__file__).with_name("examples.txt").read_text(encoding="ascii").splitlines()
EXAMPLES = [
    Example(
        read_criteria([here])[0],
        read_criteria([there])[0],
        PlayedMove(chess.Board(fen), chess.Move.from_uci(uci)),
    )
    for here, there, uci, fen in (line.split(" ", 3) for line in LINES)
]
CUBES = frozenset([Cube("Q", "", "d4"), Cube("", "x", "d6"), Cube("O-O", "", "")])
CASES = 1
NO_MOVE = Scene(None)


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker(CRITERIA[::2], capacity=len(CUBES))


@pytest.mark.parametrize("family", [f for f in FAMILIES if f != "numbered"])  # drawn slowly
def test_criteria_of_every_family(checker: Checker, family: str) -> None:
    cases = draw_cases(Random(family), FAMILIES[family], CUBES)
    assert [checker.check(case) for case in islice(cases, CASES)] == [None] * CASES


def test_answers_of_random_questions_are_confirmed() -> None:
    report = Report()
    check_answers(Random(1), 4, report)
    assert report.failures == []


def test_every_term_is_compared_and_has_an_example() -> None:
    assert {c.name for c in CRITERIA} | {*SIDES} == {*TERMS}
    assert {e.criterion.name for e in EXAMPLES} == {*TERMS} - {*SIDES}


@cache
def checker_of(cube: Cube) -> Checker:
    """Return what checks all criteria with an example in a cube: its formula is made once."""
    return Checker([e.criterion for e in EXAMPLES if cube_of(e.case) == cube])


def test_a_criterion_differs_from_what_would_be_an_error() -> None:
    """Python-chess tells the two apart in the example, and the clauses say what it says."""
    for criterion, planted, case in EXAMPLES:
        assert case.board.is_valid()
        assert holds(criterion, case) != holds(planted, case), (criterion, planted)
        assert checker_of(cube_of(case)).check(case) is None


@pytest.mark.parametrize("example", EXAMPLES[::15], ids=lambda e: str(e.criterion))
def test_black_is_judged_as_white_is(example: Example) -> None:
    """The colours of every criterion are exchanged as those of a board are."""
    board = example.case.board.mirror()
    move = example.case.move
    mirrored = chess.Move(move.from_square ^ 56, move.to_square ^ 56, move.promotion)
    seen = PlayedMove(board, mirrored)
    for criterion in CRITERIA:
        assert holds(criterion.exchanged(), seen) == holds(criterion, example.case), criterion
    assert Checker([example.criterion]).check(seen) is None


def test_only_the_move_needs_a_move() -> None:
    """A clause that needs none, as of a count of replies to no move, would be unsound."""
    for criterion in CRITERIA:
        if criterion.name in {*TERMS_OF_POSITION, *OF_SUFFIX}:
            literal(NO_MOVE, criterion)
        else:
            with pytest.raises(AttributeError, match=r"encoding|cube"):
                literal(NO_MOVE, criterion)


POSSIBLE = [cube for cube in all_cubes() if str(cube) in {"Qd4", "xd6", "Nc3", "Kd2", "e4"}]


def drawn(family: str) -> Iterator[PlayedMove]:
    return draw_cases(Random(family), FAMILIES[family], frozenset(POSSIBLE))


@cache
def possible(cube: Cube) -> Loaded:
    return Loaded(cube, [], of_game=True)


def test_every_position_of_a_game_is_possible() -> None:
    for case in islice(drawn("playouts"), 25):
        loaded = possible(cube_of(case))
        assert loaded.admits(loaded.position(case)), case.board.fen()


@pytest.mark.parametrize(("family", "count"), [("crowded", 8), ("in check", 2), ("en passant", 2)])
def test_what_python_chess_calls_invalid_is_not_possible(family: str, count: int) -> None:
    invalid = (case for case in drawn(family) if not case.board.is_valid())
    for case in islice(invalid, count):
        loaded = possible(cube_of(case))
        assert not loaded.admits(loaded.position(case)), case.board.fen()


IMPOSSIBLE = {
    "nine promoted knights": "k7/8/8/8/8/NNNNNNNN/8/1NNNK3 w - - 0 1",
    "two bishops of a colour beside eight pawns": "k7/8/8/8/1B1B4/8/PPPPPPPP/K2Q4 w - - 0 1",
    "seventeen men": "k7/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w - - 0 1",
    "checkers on both sides": "k7/8/8/8/r2K2r1/8/8/Q7 w - - 0 1",
    "three checkers": "k2r4/8/8/1n6/3K2r1/8/8/8 w - - 0 1",
    "a push that opened nothing": "k7/8/8/3pP3/8/8/8/K6r w - d6 0 1",
}


@pytest.mark.parametrize("fen", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_no_game_has_is_not_possible(fen: str) -> None:
    board = chess.Board(fen)
    case = PlayedMove(board, next(iter(board.legal_moves)))
    for of_game in (False, True):
        loaded = Loaded(cube_of(case), [], of_game=of_game)
        assert loaded.admits(loaded.position(case)) != of_game
