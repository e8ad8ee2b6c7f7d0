from dataclasses import replace

import chess
import pytest

from sanproof.reports.scoreboard.contents import CaseResult
from sanproof.reports.scoreboard.words import (
    came,
    expected,
    played,
    question,
    rejections,
    verdict,
)
from tests.reports.scoreboard.samples import AFTER, sample


def worst(name: str) -> str:
    board = sample()
    run = next(run for run in board.runs if run.name == "worst")
    return came(board.cases[name], run.answers[name])


@pytest.mark.parametrize(
    ("name", "asked", "right", "wrong"),
    [
        ("check.none.1.read", "Read e4", "e2e4", "a2a3"),
        ("broken.ghost", "Read exd6", "a rejection", "e5d6"),
        ("moves.start", "List all legal moves", "e4 Nf3", "without Nf3 and with e5"),
        ("play.push", "Play e4, and show the FEN", AFTER, "the adapter ended: it ended"),
        ("game.short", "Read a PGN", f"e4, and then {AFTER}", "e4, and then rnbqkbnr"),
    ],
)
def test_question_and_answers(name: str, asked: str, right: str, wrong: str) -> None:
    case = sample().cases[name]
    assert question(case) == asked
    assert expected(case) == right
    assert worst(name).startswith(wrong)


@pytest.mark.parametrize(
    ("name", "said"), [("play.push", "a or b"), ("game.short", "e4, and then a or b")]
)
def test_each_form_of_a_position_is_said_once(name: str, said: str) -> None:
    fens = {"legal": "a", "always": "b", "xfen": "a"}
    result = fens if name == "play.push" else {"moves": ["e4"], "fen": fens}
    assert expected(replace(sample().cases[name], expected=result)) == said


def test_a_rejection_has_its_message() -> None:
    case = sample().cases["check.none.1.read"]
    assert came(case, CaseResult("failed")) == "rejected"
    assert came(case, CaseResult("failed", None, "no")) == "rejected: no"


def test_a_move_that_is_listed_twice_is_said() -> None:
    case = sample().cases["moves.start"]
    assert came(case, CaseResult("failed", ["e4", "Nf3", "e4"])) == "moves that are listed twice"


@pytest.mark.parametrize(
    ("title", "said"),
    [("best 1.0", "1 accepted"), ("worst 1.0", "1 read otherwise"), ("reader 1.0", "1 crashed")],
)
def test_what_is_up_to_a_library_is_counted(title: str, said: str) -> None:
    board = sample()
    assert rejections(board, next(run for run in board.runs if run.title == title)) == said


def test_the_game_leads_to_the_position() -> None:
    case = sample().cases["check.none.2.read"]
    board = chess.Board()
    for text in played(case).split():
        if not text.endswith("."):
            board.push_san(text)
    assert board.fen() == AFTER


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((0, 0), ("none", "not asked")),
        ((3, 0), ("yes", "pass")),
        ((2, 1), ("some", "1 of 3 fail")),
        ((0, 3), ("no", "3 of 3 fail")),
    ],
)
def test_a_verdict_is_a_colour_and_a_word(counts: tuple[int, int], said: tuple[str, str]) -> None:
    assert verdict(*counts) == said
