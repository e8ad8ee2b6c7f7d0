"""The scoreboard's counts and words about results, and the reports for maintainers."""

import copy
import json
import re
import shlex
from dataclasses import replace
from typing import Any

import chess
import pytest

from conformance.scoreboard import tables
from conformance.scoreboard.contents import Count, slug
from conformance.scoreboard.maintainers import maintainers_report
from conformance.scoreboard.tables import (
    as_json,
    as_markdown,
    came,
    expected,
    hardest_cases,
    played,
    question,
    rejections,
    summary,
    verdict,
)
from sanproof.verify.conformance.outcome import Entry, Outcome
from sanproof.verify.errors import Failure
from tests.conformance.scoreboard.samples import (
    AFTER,
    RESULTS,
    SMALL,
    START,
    answers,
    library,
    run_of,
    sample,
    scoreboard,
)


def test_libraries_are_ordered_by_failures_and_counted() -> None:
    board = sample()
    assert [(run.title, board.count(run), rejections(board, run)) for run in board.runs] == [
        ("best 1.0", Count(7, 0, 0), "1 accepted"),
        ("reader 1.0", Count(3, 0, 4), "1 crashed"),
        ("best 1.0 (strict: all)", Count(6, 1, 0), "1 accepted"),
        ("worst 1.0", Count(0, 7, 0), "1 read otherwise"),
        ("absent 1.0", Count(0, 0, 0), ""),
    ]
    for run in board.runs:
        whole = board.count(run)
        for parts in (
            [board.count(run, area=area) for area in board.areas],
            [board.count(run, mechanism=mechanism) for mechanism in board.mechanisms],
        ):
            assert sum(part.passed for part in parts) == whole.passed
            assert sum(part.failed for part in parts) == whole.failed
    assert "text.mark" not in board.by_case  # it is up to the library
    assert board.failures(run_of(board, "reader 1.0")) == []
    case = board.cases["check.none.1.read"]
    assert len(board.libraries_asked(case)) == 3  # worst, best in two settings, reader
    assert len(board.libraries_failing(case)) == 2


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
        (None, "is not a result file"),
        (spoilt(("format",), 2), "has the format 2"),
        (spoilt(("suite", "sha256"), "1" * 64), "another suite"),
        (spoilt(("libraries", 0, "cases", 0, "id"), "nobody"), "'nobody'"),
        (spoilt(("libraries", 0, "cases", 0, "outcome"), "fine"), "'fine'"),
        (spoilt(("libraries", 0, "name"), 7), "is not a result file"),
        (spoilt(("libraries",), 3), "is not a result file"),
        (spoilt(("libraries", 1), library("worst", answers(), key="worst")), "twice"),
        (spoilt(("libraries", 0, "cases"), answers()[1:]), "lacks 1 cases of worst"),
    ],
)
def test_a_wrong_result_file_is_refused_in_a_sentence(content: object, said: str) -> None:
    with pytest.raises(Failure, match=said):
        scoreboard(content)


def test_a_slug_is_a_file_name() -> None:
    texts = ("chess.js 1.4.0", "../..", "A: b/c", "")
    assert [*map(slug, texts)] == ["chess.js-1.4.0", "library", "a-b-c", "library"]


def test_the_json_holds_counts_and_failures() -> None:
    content = json.loads(as_json(sample()))
    worst = next(entry for entry in content["libraries"] if entry["name"] == "worst")
    assert (worst["passed"], worst["failed"], worst["skipped"]) == (0, 7, 0)
    assert worst["areas"]["check"] == [0, 3]
    failed = [failure["id"] for failure in worst["failures"]]
    assert failed[:2] == ["broken.ghost", "check.none.1.read"]
    assert worst["up to the library"] == {"differs": 1}


def test_the_tables_have_as_many_cells_in_each_row() -> None:
    text = as_markdown(sample()).decode()
    assert text.count("\n|") > 10
    for line in text.splitlines():
        assert line.startswith("|") == line.endswith("|")
    rows = summary(sample()).splitlines()
    assert len({row.replace("\\|", "").count("|") for row in rows}) == 1
    assert len(rows) == 2 + len(sample().runs)
    (row,) = [line for line in rows if "absent" in line]
    assert "not tested: could not be installed: no wheel" in row


@pytest.mark.parametrize("share", [0.5, 0.6])
def test_the_cases_that_many_libraries_fail(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    monkeypatch.setattr(tables, "SHARE", share)
    found = [(case.id, failing, asked) for case, failing, asked in hardest_cases(sample())]
    assert found[0] == ("check.none.1.read", 2, 3)
    assert ("check.none.2.read", 1, 3) not in found
    assert (("check.none.3.write", 1, 2) in found) == (share <= 0.5)


# Words


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
    board = sample()
    case = board.cases[name]
    assert question(case) == asked
    assert expected(case) == right
    assert came(run_of(board, "worst 1.0").answers[name]).startswith(wrong)


@pytest.mark.parametrize(
    ("name", "said"), [("play.push", "a or b"), ("game.short", "e4, and then a or b")]
)
def test_each_form_of_a_position_is_said_once(name: str, said: str) -> None:
    fens = {"legal": "a", "always": "b", "xfen": "a"}
    result = fens if name == "play.push" else {"moves": ["e4"], "fen": fens}
    assert expected(replace(sample().cases[name], expected=result)) == said


def test_what_came_without_an_answer_or_with_an_odd_one() -> None:
    cases = sample().cases
    read, moves = cases["check.none.1.read"], cases["moves.start"]
    assert came(Entry(read, Outcome.FAILED)) == "rejected"
    assert came(Entry(read, Outcome.FAILED, None, "no")) == "rejected: no"
    assert came(Entry(read, Outcome.HUNG)) == "no answer"
    twice = Entry(moves, Outcome.FAILED, ["e4", "Nf3", "e4"])
    assert came(twice) == "moves that are listed twice"


def test_the_game_leads_to_the_position() -> None:
    sample_board = sample()
    moves = sample_board.game_to(sample_board.cases["check.none.2.read"])
    board = chess.Board()
    for text in played(moves).split():
        if not text.endswith("."):
            board.push_san(text)
    assert board.fen() == AFTER
    assert sample_board.game_to(sample_board.cases["broken.ghost"]) == []


def test_a_verdict_is_a_colour_and_a_word() -> None:
    assert [verdict(*counts) for counts in ((0, 0), (3, 0), (2, 1), (0, 3))] == [
        ("none", "not asked"),
        ("yes", "pass"),
        ("some", "1 of 3 fail"),
        ("no", "3 of 3 fail"),
    ]


# Reports for maintainers


def report(title: str) -> str:
    board = sample()
    return maintainers_report(board, run_of(board, title)).decode()


def test_a_report_names_every_failure_and_has_a_section_for_each_mechanism() -> None:
    text = report("worst 1.0")
    board = sample()
    for entry in board.failures(run_of(board, "worst 1.0")):
        assert f"`{entry.case.id}`" in text
    assert len(re.findall("^## check.none: Read", text, re.MULTILINE)) == 1
    assert "worst 1.0 from PyPI" in text
    assert "1.0.0 (level core) on 2026-01-31: 0 of 7 passed, 7 failed" in text
    assert f'```python\nprint(read("{START}", "e4"))\n```' in text
    assert f'print(write("{START}", "g1f3"))' in text
    without_code = re.sub("`.*?`", "", re.sub("``.*?``", "", text), flags=re.DOTALL)
    assert "<img" in text
    assert "<img" not in without_code.replace("\\<", "")
    assert "Nothing fails." in report("best 1.0")
    assert "could not be installed" in report("absent 1.0")


def test_the_smallest_position_of_a_mechanism_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    board = sample()
    worst = run_of(board, "worst 1.0")
    entry = worst.answers["check.none.2.read"]
    small = entry._replace(case=replace(entry.case, fen=SMALL))
    monkeypatch.setitem(worst.answers, small.case.id, small)
    text = maintainers_report(board, worst).decode()
    assert f"- position: `{SMALL}`\n- expected: `e7e5`" in text


def test_a_library_without_snippets_is_asked_through_its_adapter() -> None:
    board = sample()
    bare = replace(board, snippets={})
    text = maintainers_report(bare, run_of(board, "worst 1.0")).decode()
    (line, *_) = re.findall(r"^```sh\nprintf '%s\\n' (.*) \| \./adapter\n```$", text, re.MULTILINE)
    asked = json.loads(shlex.split(line)[0])
    assert asked == {"id": 1, "operation": "read", "fen": SMALL, "san": "exd6"}
    assert text.count("```sh") == len(re.findall("^## ", text, re.MULTILINE))
