"""Who is at fault: an adapter in memory, with faults where a test wants them."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.conformance import conversation as module
from sanproof.verify.conformance.conversation import Conversation, Trouble, is_failure
from sanproof.verify.conformance.judge import Outcome
from sanproof.verify.conformance.outcome import Entry, sentence
from sanproof.verify.conformance.suite import Case, Demand, Operation
from tests.verify.conformance.suites import FEN, cases

GREETING = {"sanproof": 1, "name": "x", "version": "1", "language": "C", "operations": ["read"]}
CASES = cases()
MANY = tuple(replace(case, id=f"{case.id}.{i}") for i in range(10) for case in CASES)


def greeted(asked: tuple[Case, ...] = CASES, **more: object) -> Conversation:
    conversation = Conversation(asked)
    assert conversation.take(json.dumps(GREETING | more).encode()) is None
    return conversation


def answers(conversation: Conversation, plan: Mapping[int, Outcome]) -> None:
    """Have cases asked to the end by an adapter with a fault at each position of the plan."""
    by_asked = {case.asked: case.expected for case in CASES}
    numbers: list[int] = []
    asked: dict[int, str] = {}
    while not conversation.is_done:
        if not conversation.is_greeted:
            conversation.take(json.dumps(GREETING).encode())
            numbers = []
        lines = list(conversation.questions())
        assert lines or numbers
        numbers += [json.loads(line)["id"] for line in lines]
        asked.update((json.loads(line)["id"], json.loads(line)["san"]) for line in lines)
        number, numbers = numbers[0], numbers[1:]
        position = conversation._sent[0][1]
        fault = plan.get(position)
        if fault is Outcome.GARBLED:
            trouble = conversation.take(b"nonsense")
            assert trouble is not None
            conversation.lose(trouble)
        elif fault in {Outcome.CRASHED, Outcome.HUNG}:
            conversation.lose(Trouble(fault, "broke down"))
        else:
            result = "a1a1" if fault is Outcome.FAILED else by_asked[asked[number]]
            answer = {"id": number, "result": result}
            assert conversation.take(json.dumps(answer).encode()) is None


FAULTS = st.sampled_from([Outcome.GARBLED, Outcome.CRASHED, Outcome.HUNG, Outcome.FAILED])
PLANS = st.dictionaries(st.integers(0, len(MANY) - 1), FAULTS, max_size=12)


@given(PLANS)
def test_each_fault_costs_its_own_case_and_no_other(plan: dict[int, Outcome]) -> None:
    conversation = Conversation(MANY)
    answers(conversation, plan)
    found = {at: record.outcome for at, record in conversation.records.items()}
    assert found == dict.fromkeys(range(len(MANY)), Outcome.PASSED) | plan
    assert conversation.ended is None


def pieces() -> st.SearchStrategy[object]:
    """Answers and what looks like them."""
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=6,
    )
    keys = st.sampled_from(["id", "result", "rejected", "skip", "sanproof", "x"])
    return values | st.dictionaries(keys, st.integers(-1, 25) | values)


LINES = st.lists(st.binary(max_size=40) | pieces().map(lambda v: json.dumps(v).encode()))


@given(LINES, st.booleans())
def test_no_line_is_too_much(lines: list[bytes], begins_rightly: bool) -> None:
    conversation = greeted() if begins_rightly else Conversation(CASES)
    for line in lines:
        list(conversation.questions())
        trouble = conversation.take(line)
        if trouble is not None:
            assert trouble.message.isprintable()
            assert trouble.message.isascii()
            conversation.lose(trouble)
            if conversation.is_done:
                break
            conversation.take(json.dumps(GREETING).encode())
    assert set(conversation.records) <= set(range(len(CASES)))


def test_no_more_cases_are_on_their_way_than_the_window_holds() -> None:
    conversation = greeted(MANY)
    assert len(list(conversation.questions())) == module.WINDOW
    assert list(conversation.questions()) == []


def test_a_case_is_told_without_what_would_give_it_away() -> None:
    line = next(iter(greeted().questions()))
    assert line.endswith(b"\n")
    told = json.loads(line)
    assert told == {"id": 1, "operation": "read", "fen": FEN, "san": CASES[0].asked}


def test_what_is_not_offered_is_skipped() -> None:
    other = replace(CASES[0], operation=Operation.MOVES, asked=None, expected=[])
    conversation = greeted((other, CASES[1]))
    assert len(list(conversation.questions())) == 1
    assert conversation.records[0].outcome is Outcome.SKIPPED
    assert "does not offer the operation moves" in conversation.records[0].message


def test_restarts_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_STARTS", 5)
    conversation = Conversation(MANY)
    answers(conversation, dict.fromkeys(range(0, len(MANY), 2), Outcome.GARBLED))
    assert conversation.ended is not None
    assert conversation.ended.startswith("was started 5 times; the last time it wrote")
    assert conversation.restarts == 4


def test_an_end_after_which_nothing_is_asked_is_no_restart() -> None:
    """Neither the one before the greeting nor that with the last case."""
    silent = Conversation(CASES)
    silent.lose(Trouble(Outcome.CRASHED, "ended"))
    last = greeted(CASES[:1])
    list(last.questions())
    last.lose(Trouble(Outcome.HUNG, "slept"))
    assert silent.is_done
    assert last.is_done
    assert (silent.restarts, last.restarts) == (0, 0)


def test_what_is_up_to_the_library_is_no_failure() -> None:
    case = replace(CASES[0], demand=Demand.MAY)
    conversation = greeted((case,))
    list(conversation.questions())
    conversation.lose(Trouble(Outcome.HUNG, "slept"))
    assert conversation.records[0].outcome is Outcome.HUNG
    assert not is_failure(case, conversation.records[0])
    assert is_failure(CASES[0], conversation.records[0])


def fens(always: str, legal: str) -> dict[str, str]:
    return {"always": always, "pseudo-legal": legal, "legal": legal}


def test_customs_are_those_that_fit_all_answers() -> None:
    play = {"operation": "play", "san": "e4"}
    asked = cases(
        play | {"id": "p1", "expected": fens("A", "B")},
        play | {"id": "p2", "expected": {"always": "A", "pseudo-legal": "C", "legal": "B"}},
        play | {"id": "p3", "expected": fens("D", "D")},
    )[-3:]
    for given_fens, customs in (
        (["B", "B", "D"], ("legal",)),
        (["B", "C", "D"], ("pseudo-legal",)),
        (["A", "A", "D"], ("always",)),
        (["A", "B", "D"], ()),
        (["x", "x", "D"], ()),
    ):
        conversation = greeted(asked, operations=["play"])
        for line, fen in zip(conversation.questions(), given_fens, strict=True):
            answer = {"id": json.loads(line)["id"], "result": fen}
            assert conversation.take(json.dumps(answer).encode()) is None
        assert conversation.en_passant == customs


@pytest.mark.parametrize(
    ("operation", "value"),
    [
        ("read", "x" * 50_000),
        ("moves", ["x" * 50_000] * 9),
        ("moves", ["e4"] * 50_000),
        ("game", {"moves": ["e4"] * 50_000, "fen": "x" * 50_000, "more": "x" * 50_000}),
    ],
)
def test_an_answer_that_is_very_long_is_kept_in_part(operation: str, value: object) -> None:
    case = replace(
        CASES[0],
        operation=Operation(operation),
        expected={"moves": ["d4"], "fen": {"always": "A"}} if operation == "game" else ["d4"],
    )
    conversation = greeted((case,), operations=[operation])
    list(conversation.questions())
    conversation.take(json.dumps({"id": 1, "result": value}).encode())
    record = conversation.records[0]
    assert record.outcome is Outcome.FAILED
    assert 0 < len(json.dumps(record.answer)) < 20_000
    assert "reject" not in sentence(Entry(case, record))
