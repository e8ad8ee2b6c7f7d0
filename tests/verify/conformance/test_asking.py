"""Adapters that do harm: what it costs, and that nothing of them is left."""

import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import PYTHON_CHESS, Asked, ask, shell_command
from tests.verify.command import children
from tests.verify.conformance.suites import hostile, suite

EVIL = "initial.Nc3"
SUITE = suite()
CASES = SUITE["cases"]
OUTCOMES = {
    "right": ("passed", ""),
    "writes errors": ("passed", ""),  # megabytes
    "gives a number": ("garbled", "has not the form of the operation read"),
    "hangs": ("hung", "did not answer within 0.5 s"),
    "crashes": ("crashed", "ended with exit code 101; its standard error says"),
    "is killed": ("crashed", "was ended by signal 11"),
    "closes its output": ("crashed", "closed its output"),
    "answers twice": ("garbled", "answered a case twice"),
    "answers out of order": ("garbled", "answered a case out of order"),
    "answers another case": ("garbled", "answered a case that it was not asked"),
    "writes garbage": ("garbled", "wrote a line that is not JSON: 'Warning: \\x1b]0;"),
    "gives both": ("garbled", "not exactly one of result, rejected, skip"),
}


def asked(*commands: str, timeout_seconds: float = 0.5) -> list[Asked]:
    progress: list[int] = []
    found = ask(commands, SUITE, CASES, timeout_seconds, progress.append)
    assert sum(progress) == sum(len(one.report.records) for one in found)
    return found


def by_id(asked: Asked) -> dict[str, str]:
    return {record.case["id"]: record.outcome for record in asked.report.records}


def others_passed(adapter: Asked) -> bool:
    outcomes = by_id(adapter)
    assert set(outcomes) == {case["id"] for case in CASES}
    return {outcomes[name] for name in outcomes if name != EVIL} == {"passed"}


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    before = children(os.getpid())  # also those of other tests
    yield
    assert children(os.getpid()) <= before  # not even one that has ended and was not waited for


@pytest.mark.parametrize("behaviour", OUTCOMES)
def test_harm_costs_the_case_at_hand(behaviour: str) -> None:
    outcome, words = OUTCOMES[behaviour]
    timeout_seconds = 0.5 if outcome == "hung" else 30  # a busy machine starts slowly
    (adapter,) = asked(hostile(behaviour), timeout_seconds=timeout_seconds)
    assert others_passed(adapter)
    (record,) = (r for r in adapter.report.records if r.case["id"] == EVIL)
    assert record.outcome == outcome
    assert words in record.message
    assert record.message.isprintable()
    restarts = 0 if behaviour in list(OUTCOMES)[:3] else 2 if outcome == "crashed" else 1
    assert (adapter.adapter.restarts, adapter.adapter.notes, adapter.report.ended) == (
        restarts,
        [],
        "",
    )


def test_what_an_adapter_does_not_read_is_asked_again() -> None:
    """Cases are left to be written when it has closed its input."""
    many = [case for case in CASES if case["id"] != EVIL] * 4
    evil = next(case for case in CASES if case["id"] == EVIL)
    (adapter,) = ask([hostile("closes its input")], SUITE, [evil, *many], 1)
    outcomes = [record.outcome for record in adapter.report.records]
    assert outcomes == ["passed", "hung", *["passed"] * (len(many) - 1)]


RIGHT = {"sanproof": 1, "name": "n", "version": "1", "language": "C", "operations": ["read"]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sanproof": True}, "greets for protocol true"),
        ({"sanproof": 2}, "did not greet: it greets for protocol 2; this program speaks 1"),
        ({"operations": ["fly"]}, "without naming one of read, write"),
        ({"version": None}, 'without a text "version"'),
        ({"settings": 7}, '"settings" that are no text'),
        ({"operations": [7]}, '"operations" that are not a list of names'),
        ({"from": "x"}, 'whose "from" is neither'),
    ],
)
def test_a_greeting_has_its_form(change: dict[str, object], words: str) -> None:
    (asked_one,) = asked(f"echo {shlex.quote(json.dumps(RIGHT | change))}", timeout_seconds=30)
    assert words in asked_one.report.ended
    assert asked_one.adapter.greeting == {}


def test_only_what_is_offered_and_can_be_reached_is_asked() -> None:
    write = {"id": "write", "operation": "write", "uci": "g1f3", "expected": "Nf3"}
    greeting = json.dumps(RIGHT | {"from": "game", "settings": "s"})
    whole = suite(write)
    (found,) = ask([f"echo {shlex.quote(greeting)}; read line"], whole, whole["cases"], 30)
    assert found.report.title == "n 1 (s)"
    assert {record.outcome for record in found.report.records} == {"skipped"}
    assert {record.message for record in found.report.records} == {
        "It does not offer the operation write.",
        "It takes moves and no FEN, and no game leads to this position.",
    }


def test_a_command_is_one_of_the_shell() -> None:
    commands = [f"cd / && {hostile('right')}", f"X='a b' {hostile('right')}", "echo $((1 + 1))"]
    *rights, wrong, missing = asked(*commands, "/nowhere/adapter --strict", timeout_seconds=30)
    assert "ended with exit code 127" in missing.report.ended
    assert "not found" in missing.report.ended
    for adapter in rights:
        assert set(by_id(adapter).values()) == {"passed"}
    assert "not a greeting: '2'" in wrong.report.ended


def test_a_dead_adapter_ends_the_run() -> None:
    many = [case for case in CASES for _ in range(3)]
    (adapter,) = ask([hostile("always crashes")], SUITE, many, 30)
    assert adapter.report.ended == (
        f"broke down {runner.MAX_IN_A_ROW} times in a row without an answer; "
        "the last time it ended with exit code 1"
    )
    assert adapter.adapter.restarts == runner.MAX_IN_A_ROW - 1
    assert 0 < len(adapter.report.records) < len(many)


ENDS = {
    "never greets": (0, 0, "did not greet: it wrote no line within 1 s (does it flush"),
    "greets badly": (0, 0, "did not greet: it wrote a line that is not JSON: 'hello'"),
    "ends before it greets": (0, 0, "ended with exit code 1; its standard error says 'no s"),
    "greets once": (1, 1, f"did not greet in {runner.MAX_SILENT_STARTS} restarts"),
    "greets otherwise": (1, 1, "greets as 'hostile 2' after a restart"),
    "always hangs": (3, 2, "did not answer in time 3 times; the last time it did not answer"),
}
"""The ends of runs: how many cases were asked, how often it was started again, what is said."""


@pytest.mark.parametrize("behaviour", ENDS)
def test_what_ends_a_run(behaviour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "MAX_HANGS", 3)
    seconds = 1 if behaviour in {"never greets", "always hangs"} else 30
    (adapter,) = asked(hostile(behaviour, tmp_path / "mark"), timeout_seconds=seconds)
    number, restarts, words = ENDS[behaviour]
    assert words in adapter.report.ended
    assert (len(adapter.report.records), adapter.adapter.restarts) == (number, restarts)


NOTES = {
    "crashes once": f"At {EVIL} it ended with exit code 1, and not again.",
    "dies at the end": "After the last answer it ended with exit code 3.",
    "lasting": "After the last answer it did not end within 0.2 s of the end of its input.",
}


@pytest.mark.parametrize("behaviour", NOTES)
def test_what_costs_no_case_is_noted(
    behaviour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LAST_SECONDS", 0.2 if behaviour == "lasting" else 30)
    (adapter,) = asked(hostile(behaviour, tmp_path / "mark"), timeout_seconds=30)
    assert set(by_id(adapter).values()) == {"passed"}
    assert adapter.adapter.notes == [NOTES[behaviour]]
    assert adapter.adapter.restarts == (behaviour == "crashes once")


def test_words_after_the_last_answer_cost_the_last_case() -> None:
    (adapter,) = asked(hostile("babbles at the end"), timeout_seconds=30)
    *others, last = [by_id(adapter)[case["id"]] for case in CASES]
    assert set(others) == {"passed"}
    assert last == "garbled"


@pytest.mark.slow
def test_one_adapter_does_not_hold_up_another() -> None:
    hanging, right = asked(hostile("hangs"), hostile("right"), timeout_seconds=2)
    assert by_id(hanging)[EVIL] == "hung"
    assert set(by_id(right).values()) == {"passed"}
    assert right.seconds < hanging.seconds


@pytest.mark.slow
def test_what_an_adapter_has_started_ends_with_it(tmp_path: Path) -> None:
    name = tmp_path / "started"
    command = hostile("starts others", tmp_path / "new", name)
    (adapter,) = ask([command], SUITE, CASES[:1], 2)
    assert adapter.report.records[0].outcome == "hung"
    number = int(name.read_text())
    deadline = time.monotonic() + 30
    while Path(f"/proc/{number}").exists():
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        if state == "Z":
            break
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_an_adapter_that_reads_slowly_gets_all_cases() -> None:
    """Cases that do not fit into the pipe wait, and do not block the runner."""
    long = {"id": "long", "operation": "game", "pgn": "x" * 1_000_000, "expected": None}
    program = (
        "import json, sys, time\n"
        "print(json.dumps({'sanproof': 1, 'name': 'slow', 'version': '1', 'language': 'Python',"
        " 'operations': ['read', 'game']}), flush=True)\n"
        "time.sleep(0.5)\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'skip': 'x'}), flush=True)\n"
    )
    command = shlex.join([sys.executable, "-S", "-c", program])
    whole = suite(long)
    (adapter,) = ask([command], whole, whole["cases"], 30)
    outcomes = [record.outcome for record in adapter.report.records]
    assert outcomes == ["skipped"] * (len(CASES) + 1)


def test_a_shell_stays_only_for_a_command_that_needs_one() -> None:
    assert str(PYTHON_CHESS) in shell_command("python-chess")
    for text in (
        "./python-chess",
        "python-chess --strict",
        "node chessjs.mjs",
        "python adapter.py",
        "pythonchess",
    ):
        assert shell_command(text) == f"exec {text}"  # no shell stays that hides how it ends
    for text in ("cd x && ./adapter", "X=1 ./adapter", "a | b"):
        assert shell_command(text) == text
