"""Adapters that do harm: what it costs, and that nothing of them is left."""

import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import Asked, ask
from tests.verify.command import children
from tests.verify.conformance.suites import hostile, suite

EVIL = "initial.Nc3"
SUITE = suite()
CASES = SUITE["cases"]


def asked(*commands: str, timeout_seconds: float = 30) -> list[Asked]:
    """Ask adapters the small suite; a busy machine starts them slowly."""
    return ask(commands, SUITE, CASES, timeout_seconds)


def outcomes(asked: Asked) -> dict[str, str]:
    return {record.case["id"]: record.outcome for record in asked.report.records}


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    before = children(os.getpid())  # also those of other tests
    yield
    assert children(os.getpid()) <= before  # not even one that has ended and was not waited for


def test_a_case_is_asked_again_after_a_crash(tmp_path: Path) -> None:
    (adapter,) = asked(hostile("crashes once", tmp_path / "mark"))
    assert (set(outcomes(adapter).values()), adapter.adapter.restarts) == ({"passed"}, 1)
    assert len(adapter.adapter.notes) == 1


def test_what_an_adapter_does_not_read_costs_one_case() -> None:
    others = [case for case in CASES if case["id"] != EVIL]
    evil = next(case for case in CASES if case["id"] == EVIL)
    (adapter,) = ask([hostile("closes its input")], SUITE, [evil, *others * 4], 1)
    found = [record.outcome for record in adapter.report.records]
    assert found == ["passed", "hung", *["passed"] * (4 * len(others) - 1)]


RIGHT = {"sanproof": 1, "name": "n", "version": "1", "language": "C", "operations": ["read"]}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"sanproof": True}, "true"),
        ({"sanproof": 2}, "should be 1"),
        ({"operations": ["fly"]}, "operations"),
        ({"operations": [7]}, "operations"),
        ({"version": None}, '"version"'),
        ({"settings": 7}, '"settings"'),
        ({"from": "x"}, '"from"'),
    ],
)
def test_a_greeting_has_its_form(change: dict[str, object], word: str) -> None:
    (found,) = asked(f"echo {shlex.quote(json.dumps(RIGHT | change))}")
    assert word in found.report.ended
    assert (found.report.records, found.adapter.greeting) == ([], {})


def test_only_what_is_offered_and_can_be_reached_is_asked() -> None:
    write = {"id": "write", "operation": "write", "uci": "g1f3", "expected": "Nf3"}
    greeting, whole = json.dumps(RIGHT | {"from": "game", "settings": "s"}), suite(write)
    (found,) = ask([f"echo {shlex.quote(greeting)}; read line"], whole, whole["cases"], 30)
    assert found.report.title == "n 1 (s)"
    assert {record.outcome for record in found.report.records} == {"skipped"}
    assert len({record.message for record in found.report.records}) == 2


def test_a_command_is_one_of_the_shell() -> None:
    commands = [f"cd / && {hostile('right')}", f"X='a b' {hostile('right')}", "echo $((1 + 1))"]
    *rights, wrong, missing = asked(*commands, "/nowhere/adapter --strict")
    assert all(set(outcomes(adapter).values()) == {"passed"} for adapter in rights)
    assert "not a greeting: '2'" in wrong.report.ended
    assert "ended (exit code 127) before it printed its first line" in missing.report.ended
    assert "not found" in missing.report.ended


@pytest.mark.parametrize(
    ("behaviour", "number", "restarts", "word"),
    [
        ("never greets", 0, 0, "within 0.2 s"),
        ("greets badly", 0, 0, "'hello'"),
        ("ends before it greets", 0, 0, "'no such library'"),
        ("greets at times", 1, 1, "started again"),
        ("always crashes", 2, 3, "4 times in a row"),
        ("always hangs", 2, 1, "in time 2 times"),
    ],
)
def test_what_ends_a_run(
    behaviour: str,
    number: int,
    restarts: int,
    word: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner, "MAX_HANGS", 2)
    monkeypatch.setattr(runner, "MAX_IN_A_ROW", 4)
    seconds = {"never greets": 0.2, "always hangs": 1}.get(behaviour, 30)
    (adapter,) = asked(hostile(behaviour, tmp_path / "mark"), timeout_seconds=seconds)
    assert word in adapter.report.ended
    assert (len(adapter.report.records), adapter.adapter.restarts) == (number, restarts)


def test_a_case_that_does_not_fit_into_a_pipe_is_read_slowly() -> None:
    whole = suite({"id": "long", "san": "x" * 1_000_000, "expected": "a2a3"})
    (adapter,) = ask([hostile("skips")], whole, whole["cases"], 30)
    assert [r.message for r in adapter.report.records] == ["tired"] * (len(CASES) + 1)
