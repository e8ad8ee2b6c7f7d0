import json
import re
import shlex
from dataclasses import replace

import pytest

from conformance.scoreboard.maintainers import maintainers_report
from tests.conformance.scoreboard.samples import AFTER, SMALL, START, sample


def report(title: str) -> str:
    board = sample()
    run = next(run for run in board.runs if run.title == title)
    return maintainers_report(board, run).decode()


def test_every_failure_is_named_and_each_mechanism_has_one_section() -> None:
    text = report("worst 1.0")
    board = sample()
    worst = next(run for run in board.runs if run.name == "worst")
    for case, _ in board.failures(worst):
        assert f"`{case.id}`" in text
    assert len(re.findall("^## check.none: Read", text, re.MULTILINE)) == 1
    assert text.index("## broken.ghost") > text.index("## play.push")


def test_the_smallest_position_of_a_mechanism_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    board = sample()
    small = replace(board.cases["check.none.2.read"], fen=SMALL)
    monkeypatch.setitem(board.cases, small.id, small)
    worst = next(run for run in board.runs if run.name == "worst")
    assert f"- position: `{SMALL}`\n- expected: `e7e5`" in maintainers_report(board, worst).decode()


def test_the_snippet_has_the_case_in_it() -> None:
    text = report("worst 1.0")
    assert f'```python\nprint(read("{START}", "e4"))\n```' in text
    assert f'print(write("{START}", "g1f3"))' in text
    assert AFTER in text


def test_a_library_without_snippets_is_asked_through_its_adapter() -> None:
    board = sample()
    worst = next(run for run in board.runs if run.name == "worst")
    text = maintainers_report(replace(board, snippets={}), worst).decode()
    (line, *_) = re.findall(r"^```sh\nprintf '%s\\n' (.*) \| \./adapter\n```$", text, re.MULTILINE)
    asked = json.loads(shlex.split(line)[0])
    assert asked.keys() >= {"id", "operation"}
    assert text.count("```sh") == len(re.findall("^## ", text, re.MULTILINE))


def test_versions_counts_and_date_stand_at_the_top() -> None:
    assert "worst 1.0 from PyPI" in report("worst 1.0")
    assert "1.0.0 (level core) on 2026-01-31: 0 of 7 passed, 7 failed" in report("worst 1.0")


def test_a_library_without_failures_and_one_that_was_not_asked() -> None:
    assert "Nothing fails." in report("best 1.0")
    assert "could not be installed" in report("absent 1.0")


def test_foreign_text_is_no_markdown() -> None:
    text = report("worst 1.0")
    assert "<img" in text  # in code, and escaped
    without_code = re.sub("`.*?`", "", re.sub("``.*?``", "", text), flags=re.DOTALL)
    assert "<img" not in without_code.replace("\\<", "")
