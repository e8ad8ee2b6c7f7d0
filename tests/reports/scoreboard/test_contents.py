import copy
from typing import Any

import pytest

from sanproof.reports.scoreboard.contents import (
    Count,
    LibraryRun,
    ScoreboardError,
    read_scoreboard,
    slug,
)
from tests.reports.scoreboard.samples import RESULTS, SHA256, SUITE, library, sample


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
