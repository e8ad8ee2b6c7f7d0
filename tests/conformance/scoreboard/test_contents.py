import copy
import json
from dataclasses import replace
from typing import Any

import chess
import pytest

from conformance.scoreboard import tables
from conformance.scoreboard.contents import (
    CaseResult,
    Count,
    LibraryRun,
    ScoreboardError,
    read_scoreboard,
    slug,
)
from conformance.scoreboard.tables import as_json, as_markdown, hardest_cases, summary
from conformance.scoreboard.words import (
    came,
    expected,
    played,
    question,
    rejections,
    verdict,
)
from tests.conformance.scoreboard.samples import AFTER, RESULTS, SHA256, SUITE, library, sample


def run_named(title: str) -> LibraryRun:
    return next(run for run in sample().runs if run.title == title)


def test_the_share_of_failures_orders_the_libraries_and_the_untested_come_last() -> None:
    assert [run.title for run in sample().runs] == [
        "best 1.0",
        "reader 1.0",
        "best 1.0 (strict: all)",
        "worst 1.0",
        "absent 1.0",
    ]


@pytest.mark.parametrize(
    ("title", "count"),
    [
        ("best 1.0", Count(7, 0, 0)),
        ("best 1.0 (strict: all)", Count(6, 1, 0)),
        ("reader 1.0", Count(3, 0, 4)),
        ("worst 1.0", Count(0, 7, 0)),
        ("absent 1.0", Count(0, 0, 0)),
    ],
)
def test_counts(title: str, count: Count) -> None:
    assert sample().count(run_named(title)) == count


def test_counts_of_areas_and_of_mechanisms_add_up_to_all() -> None:
    board = sample()
    for run in board.runs:
        whole = board.count(run)
        for parts in (
            [board.count(run, area=area) for area in board.areas],
            [board.count(run, mechanism=mechanism) for mechanism in board.mechanisms],
        ):
            assert sum(part.passed for part in parts) == whole.passed
            assert sum(part.failed for part in parts) == whole.failed


def test_what_is_up_to_a_library_is_no_failure() -> None:
    board = sample()
    worst = run_named("worst 1.0")
    assert board.liberties(worst) == {"differs": 1}
    assert board.liberties(run_named("reader 1.0")) == {"crashed": 1}
    assert "text.mark" not in board.by_case
    assert board.failures(run_named("reader 1.0")) == []
    assert "text.mark" not in [case.id for case, _ in board.failures(worst)]


def test_a_library_with_two_settings_counts_once() -> None:
    board = sample()
    case = board.cases["check.none.1.read"]
    assert len(board.libraries_asked(case)) == 3  # worst, best, reader
    assert len(board.libraries_failing(case)) == 2


def test_the_game_of_a_case_ends_at_its_position() -> None:
    board = sample()
    assert board.cases["check.none.2.read"].game == ("e2e4",)
    assert board.cases["check.none.1.read"].game == ()


def spoilt(path: tuple[Any, ...], value: object) -> dict[str, Any]:
    results = copy.deepcopy(RESULTS)
    place: Any = results
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return results


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([], "is not a result file"),
        ({}, "is not a result file"),
        (None, "is not a result file"),
        (spoilt(("format",), 2), "has the format 2"),
        (spoilt(("suite", "sha256"), "1" * 64), "another suite"),
        (spoilt(("libraries", 0, "cases", 0, "id"), "nobody"), "'nobody'"),
        (spoilt(("libraries", 0, "cases", 0, "outcome"), "fine"), "'fine'"),
        (spoilt(("libraries", 0, "name"), 7), "is not a result file"),
        (spoilt(("libraries",), 3), "is not a result file"),
        (spoilt(("libraries", 1), library("worst", [], key="worst")), "twice"),
    ],
)
def test_a_wrong_result_file_is_refused_in_a_sentence(content: object, said: str) -> None:
    with pytest.raises(ScoreboardError, match=said):
        read_scoreboard(SUITE, SHA256, [("results.json", content)], {})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("chess.js 1.4.0", "chess.js-1.4.0"),
        ("../..", "library"),
        ("A: b/c", "a-b-c"),
        ("", "library"),
    ],
)
def test_a_slug_is_a_file_name(text: str, name: str) -> None:
    assert slug(text) == name


def test_the_json_holds_counts_and_failures() -> None:
    content = json.loads(as_json(sample()))
    worst = next(entry for entry in content["libraries"] if entry["name"] == "worst")
    assert (worst["passed"], worst["failed"], worst["skipped"]) == (0, 7, 0)
    assert worst["areas"]["check"] == [0, 3]
    assert [failure["id"] for failure in worst["failures"]][:2] == [
        "broken.ghost",
        "check.none.1.read",
    ]
    assert worst["up to the library"] == {"differs": 1}


def test_the_tables_have_as_many_cells_in_each_row() -> None:
    for line in as_markdown(sample()).decode().splitlines():
        if line.startswith("|"):
            assert line.endswith("|")
    rows = summary(sample()).splitlines()
    assert len({row.replace("\\|", "").count("|") for row in rows}) == 1
    assert len(rows) == 2 + len(sample().runs)


def test_a_library_that_was_not_installed_is_said() -> None:
    (row,) = [line for line in summary(sample()).splitlines() if "absent" in line]
    assert "not tested: could not be installed: no wheel" in row


@pytest.mark.parametrize("share", [0.5, 0.6])
def test_the_cases_that_many_libraries_fail(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    monkeypatch.setattr(tables, "SHARE", share)
    found = [(case.id, failing, asked) for case, failing, asked in hardest_cases(sample())]
    assert found[0] == ("check.none.1.read", 2, 3)
    assert ("check.none.2.read", 1, 3) not in found
    assert (("check.none.3.write", 1, 2) in found) == (share <= 0.5)


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
