"""Adapters that do harm: what it costs, and that nothing of them is left."""

import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sanproof.verify.conformance import asking, conversation
from sanproof.verify.conformance.asking import Adapter, ask
from sanproof.verify.conformance.conversation import MOST_IN_A_ROW, MOST_SILENT_STARTS
from sanproof.verify.conformance.judge import Outcome
from tests.verify.conformance.suites import cases, hostile

EVIL = "initial.Nc3"
CASES = cases()
OUTCOMES = {
    "hangs": (Outcome.HUNG, "did not answer within 0.5 s"),
    "trickles": (Outcome.HUNG, "did not answer within 0.5 s"),
    "crashes": (Outcome.CRASHED, "ended with exit code 101; its standard error says"),
    "is killed": (Outcome.CRASHED, "was ended by signal 11"),
    "ends": (Outcome.CRASHED, "ended with exit code 0"),
    "closes its output": (Outcome.CRASHED, "closed its output"),
    "answers twice": (Outcome.GARBLED, "answered a case twice"),
    "answers out of order": (Outcome.GARBLED, "answered a later case before this one"),
    "answers another case": (Outcome.GARBLED, "answered a case that it was not asked"),
    "writes garbage": (Outcome.GARBLED, "wrote a line that is not JSON: 'Warning: \\x1b]0;"),
    "writes an empty line": (Outcome.GARBLED, "wrote a line that is not JSON: ''"),
    "writes bytes": (Outcome.GARBLED, "wrote a line that is not JSON"),
    "writes a line without end": (Outcome.GARBLED, "wrote a line of more than 1,048,576 bytes"),
    "writes no number": (Outcome.GARBLED, "wrote a line that is not JSON"),
    "nests": (Outcome.GARBLED, "wrote a line that is not JSON"),
    "gives both": (Outcome.GARBLED, "not exactly one of result, rejected, skip"),
}


def asked(*commands: str, timeout_seconds: float = 0.5) -> list[Adapter]:
    progress: list[int] = []
    adapters = ask(commands, CASES, timeout_seconds, progress.append)
    assert sum(progress) == sum(len(adapter.conversation.records) for adapter in adapters)
    return adapters


def by_id(adapter: Adapter) -> dict[str, Outcome]:
    records = adapter.conversation.records
    return {CASES[at].id: record.outcome for at, record in records.items()}


def others_passed(adapter: Adapter) -> bool:
    outcomes = by_id(adapter)
    assert set(outcomes) == {case.id for case in CASES}
    return {outcomes[name] for name in outcomes if name != EVIL} == {Outcome.PASSED}


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    before = children()
    yield
    assert children() <= before  # not even one that has ended and was not waited for


def children() -> set[str]:
    """The processes that this one has started, also for other tests; none where nobody can tell."""
    lists = Path("/proc/self/task").glob("*/children")
    return {number for path in lists for number in path.read_text().split()}


def test_a_right_adapter_passes() -> None:
    (adapter,) = asked(hostile("right"), timeout_seconds=30)
    assert set(by_id(adapter).values()) == {Outcome.PASSED}
    found = adapter.conversation
    assert (found.restarts, found.notes, found.ended) == (0, [], None)


@pytest.mark.parametrize("behaviour", OUTCOMES)
@pytest.mark.usually(6)
def test_harm_costs_the_case_at_hand(behaviour: str) -> None:
    outcome, words = OUTCOMES[behaviour]
    timeout_seconds = 0.5 if outcome is Outcome.HUNG else 30  # a busy machine starts slowly
    (adapter,) = asked(hostile(behaviour), timeout_seconds=timeout_seconds)
    assert others_passed(adapter)
    (record,) = (r for at, r in adapter.conversation.records.items() if CASES[at].id == EVIL)
    assert record.outcome is outcome
    assert words in record.message
    assert record.message.isprintable()
    assert adapter.conversation.restarts == (2 if outcome is Outcome.CRASHED else 1)
    assert adapter.conversation.ended is None


def test_a_result_of_another_type_costs_no_restart() -> None:
    (adapter,) = asked(hostile("gives a number"), timeout_seconds=30)
    assert others_passed(adapter)
    assert by_id(adapter)[EVIL] is Outcome.GARBLED
    assert adapter.conversation.restarts == 0


def test_megabytes_of_errors_do_no_harm() -> None:
    (adapter,) = asked(hostile("writes errors"), timeout_seconds=30)
    assert set(by_id(adapter).values()) == {Outcome.PASSED}
    assert adapter.conversation.restarts == 0


def test_an_adapter_that_closes_its_input_is_started_again() -> None:
    """It looks as if it took too long for the case after the one at which that happened."""
    (adapter,) = asked(hostile("closes its input"), timeout_seconds=0.5)
    assert adapter.conversation.ended is None
    after = CASES[[case.id for case in CASES].index(EVIL) + 1].id
    expected = dict.fromkeys(by_id(adapter), Outcome.PASSED) | {after: Outcome.HUNG}
    assert by_id(adapter) == expected
    assert len(expected) == len(CASES)


def test_what_an_adapter_does_not_read_is_asked_again() -> None:
    """Cases are left to be written when it has closed its input."""
    many = [case for case in CASES if case.id != EVIL] * 4
    evil = next(case for case in CASES if case.id == EVIL)
    (adapter,) = ask([hostile("closes its input")], [evil, *many], 1, lambda _: None)
    outcomes = [record.outcome for _, record in sorted(adapter.conversation.records.items())]
    assert outcomes == [Outcome.PASSED, Outcome.HUNG, *[Outcome.PASSED] * (len(many) - 1)]


def test_a_crash_that_does_not_come_again_costs_no_case(tmp_path: Path) -> None:
    (adapter,) = asked(hostile("crashes once", tmp_path / "mark"), timeout_seconds=30)
    assert set(by_id(adapter).values()) == {Outcome.PASSED}
    assert adapter.conversation.restarts == 1
    (note,) = adapter.conversation.notes
    assert "cases on their way it ended with exit code 1" in note


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("never greets", "did not greet: it wrote no line within 0.5 s (does it flush"),
        ("greets badly", "did not greet: it wrote a line that is not JSON: 'hello'"),
        ("ends before it greets", "ended with exit code 1; its standard error says 'no s"),
        (
            "speaks another protocol",
            "did not greet: it greets for protocol 2; this program sp",
        ),
        ("offers nothing", "without naming one of the operations read, write"),
    ],
)
def test_an_adapter_without_a_greeting_is_not_asked(behaviour: str, words: str) -> None:
    (adapter,) = asked(hostile(behaviour))
    assert adapter.conversation.ended is not None
    assert words in adapter.conversation.ended
    assert adapter.conversation.records == {}
    assert adapter.conversation.restarts == 0


def test_a_missing_program_is_named() -> None:
    (adapter,) = asked("/nowhere/adapter --strict", timeout_seconds=30)
    assert adapter.conversation.ended is not None
    assert "ended with exit code 127" in adapter.conversation.ended
    assert "not found" in adapter.conversation.ended


def test_a_command_is_one_of_the_shell() -> None:
    commands = [f"cd / && {hostile('right')}", f"X='a b' {hostile('right')}", "echo $((1 + 1))"]
    *rights, wrong = asked(*commands, timeout_seconds=30)
    for adapter in rights:
        assert set(by_id(adapter).values()) == {Outcome.PASSED}
    assert "not a greeting: '2'" in str(wrong.conversation.ended)


def test_a_dead_adapter_ends_the_run() -> None:
    many = [case for case in CASES for _ in range(3)]
    (adapter,) = ask([hostile("always crashes")], many, 30, lambda _: None)
    assert adapter.conversation.ended == (
        f"broke down {MOST_IN_A_ROW} times in a row without an answer; "
        "the last time it ended with exit code 1"
    )
    assert adapter.conversation.restarts == MOST_IN_A_ROW - 1
    assert 0 < len(adapter.conversation.records) < len(many)


@pytest.mark.slow
def test_a_sleeping_adapter_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "MOST_HANGS", 3)
    (adapter,) = asked(hostile("always hangs"), timeout_seconds=1)
    assert adapter.conversation.ended == (
        "did not answer in time 3 times; the last time it did not answer within 1 s"
    )
    assert len(adapter.conversation.records) == 3


def test_an_adapter_that_greets_once_only_ends_the_run(tmp_path: Path) -> None:
    (adapter,) = asked(hostile("greets once", tmp_path / "mark"), timeout_seconds=30)
    assert adapter.conversation.ended is not None
    assert adapter.conversation.ended.startswith(f"did not greet in {MOST_SILENT_STARTS} restarts")


def test_another_library_after_a_restart_ends_the_run(tmp_path: Path) -> None:
    (adapter,) = asked(hostile("greets otherwise", tmp_path / "mark"), timeout_seconds=30)
    assert adapter.conversation.ended == "greets as 'hostile 2' after a restart"


def test_words_after_the_last_answer_cost_the_last_case() -> None:
    (adapter,) = asked(hostile("babbles at the end"), timeout_seconds=30)
    *others, last = [by_id(adapter)[case.id] for case in CASES]
    assert set(others) == {Outcome.PASSED}
    assert last is Outcome.GARBLED


def test_an_end_with_an_exit_code_is_noted() -> None:
    (adapter,) = asked(hostile("dies at the end"), timeout_seconds=30)
    assert set(by_id(adapter).values()) == {Outcome.PASSED}
    assert adapter.conversation.notes == ["After the last answer it ended with exit code 3."]


def test_an_adapter_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_LAST_SECONDS", 0.2)
    (adapter,) = asked(hostile("lasting"), timeout_seconds=30)
    assert set(by_id(adapter).values()) == {Outcome.PASSED}
    (note,) = adapter.conversation.notes
    assert "did not end within 0.2 s of the end of its input" in note


@pytest.mark.slow
def test_one_adapter_does_not_hold_up_another() -> None:
    hanging, right = asked(hostile("hangs"), hostile("right"), timeout_seconds=2)
    assert by_id(hanging)[EVIL] is Outcome.HUNG
    assert set(by_id(right).values()) == {Outcome.PASSED}
    assert right.seconds < hanging.seconds


@pytest.mark.slow
def test_what_an_adapter_has_started_ends_with_it(tmp_path: Path) -> None:
    name = tmp_path / "started"
    command = hostile("starts others", tmp_path / "new", name)
    (adapter,) = ask([command], CASES[:1], 2, lambda _: None)
    assert adapter.conversation.records[0].outcome is Outcome.HUNG
    number = int(name.read_text())
    deadline = time.monotonic() + 30
    while Path(f"/proc/{number}").exists():
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        if state == "Z":
            break
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_an_adapter_that_reads_slowly_gets_all_cases() -> None:
    """Cases that do not fit into the pipe wait, and nobody waits for them."""
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
    (adapter,) = ask([command], cases(long), 30, lambda _: None)
    outcomes = [record.outcome for record in adapter.conversation.records.values()]
    assert outcomes == [Outcome.SKIPPED] * (len(CASES) + 1)
