"""The oracle plays chess, its mutants do not, the core finds a sample, and the tables say so."""

import csv
from collections import Counter
from itertools import islice

import chess
import pytest

from conformance.suite.build import smoke_of
from sanproof.verify.conformance.suite import Case
from tests import oracle
from tests.conformance.mutants.__main__ import LEAST_SHARE, TABLES, biased_boards, judged
from tests.conformance.mutants.fates import (
    SAME,
    UNDECIDED,
    Fate,
    arguments,
    by_operator,
    fits,
    says_the_same,
    survivors,
    why_chess,
)
from tests.conformance.mutants.measure import asked, core_suite, fails, finders
from tests.conformance.mutants.operators import Mutant, mutants, mutated, source_of


@pytest.mark.parametrize("count", [12, pytest.param(400, marks=pytest.mark.slow)])
def test_the_oracle_plays_chess(count: int) -> None:
    for board in biased_boards(count):
        position = oracle.position_of(board.fen())
        moves = list(oracle.legal_moves(position))
        written = {oracle.write(position, move): oracle.uci_of(move) for move in moves}
        assert written == {board.san(move): move.uci() for move in board.legal_moves}
        for san, uci in written.items():
            assert oracle.uci_of(oracle.read(position, san)) == uci
            after = board.copy(stack=False)
            after.push_uci(uci)
            played = oracle.fen_of(oracle.play(position, oracle.move_of(uci)))
            assert played == after.fen(en_passant="fen")


def test_a_mutant_is_there_only_for_a_while() -> None:
    position = oracle.position_of(chess.STARTING_FEN)
    whole = list(oracle.legal_moves(position))
    with mutated(Mutant("MOVES", 0, "table", "N: without (1, 2)")):
        assert len(list(oracle.legal_moves(position))) == len(whole) - 2
    assert list(oracle.legal_moves(position)) == whole


def small() -> list[Case]:
    """Return the cases of the smallest suite that are answered fast."""
    return [case for case in asked(smoke_of(core_suite())) if case["operation"] != "moves"]


@pytest.mark.slow
def test_there_are_enough_and_the_smallest_suite_finds_a_sample() -> None:
    assert len(set(mutants())) == len(mutants()) >= 3000
    sample = [m for m in mutants() if m.operator in {"negate", "leave out"}][::24]
    cases, found = small(), 0
    for mutant in sample:
        with mutated(mutant):
            found += any(fails(case) for case in cases)
    assert found >= 0.7 * len(sample)


@pytest.mark.slow
def test_finders_name_a_case_that_fails() -> None:
    cases, sample = small()[:9], mutants()[::500]
    found = finders(cases, sample)
    assert any(number is not None for number in found.values())
    for mutant, number in found.items():
        with mutated(mutant):
            failed = [index for index, case in enumerate(cases) if fails(case)]
        assert (number in failed) if failed else number is None


# The tables of docs/tables


def kept(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((TABLES / name).read_text("utf-8").splitlines()))


def test_the_table_counts_the_mutants_that_there_are() -> None:
    counts = Counter(mutant.operator for mutant in mutants())
    rows = {
        row.pop("operator"): Counter({name: int(n) for name, n in row.items() if int(n)})
        for row in kept("mutants.csv")
    }
    last = rows.pop("all")
    assert {operator: row["mutants"] for operator, row in rows.items()} == counts
    assert sum(rows.values(), Counter()) == last
    for row in [*rows.values(), last]:
        assert row["smoke"] <= row["core"]
        assert row["mutants"] == row["core"] + row["argued"] + row[UNDECIDED] + row["alive"]
    assert last["core"] >= LEAST_SHARE * (last["core"] + last["alive"])


@pytest.mark.slow
def test_each_survivor_is_a_mutant_and_has_the_argument_that_is_known() -> None:
    known: dict[tuple[str, ...], list[Mutant]] = {}
    for mutant in mutants():
        key = mutant.place, source_of(mutant), mutant.operator, mutant.change
        known.setdefault(key, []).append(mutant)
    left = Counter[tuple[str, ...]]()
    reasons: dict[str, Counter[str]] = {"argued": Counter(), UNDECIDED: Counter()}
    for place, code, operator, change, why in (row.values() for row in kept("survivors.csv")):
        left[place, code, operator, change] += 1
        if not why:  # it is alive: no case of the core finds it
            continue
        assert why == (why_chess(known[place, code, operator, change][0]) or UNDECIDED)
        reasons["argued" if why != UNDECIDED else why][operator] += 1
    assert left
    assert all(count <= len(known[key]) for key, count in left.items())
    for row in kept("mutants.csv")[:-1]:
        assert int(row["argued"]) == reasons["argued"][row["operator"]]
        assert int(row[UNDECIDED]) == reasons[UNDECIDED][row["operator"]]


@pytest.mark.slow
def test_the_table_counts_what_the_smallest_suite_finds() -> None:
    found = finders(asked(smoke_of(core_suite())), mutants())
    counts = Counter(mutant.operator for mutant, case in found.items() if case is not None)
    for row in kept("mutants.csv")[:-1]:
        assert int(row["smoke"]) == counts[row["operator"]]


@pytest.mark.slow
def test_every_argument_is_about_some_mutant_and_none_about_all() -> None:
    found = mutants()
    assert all(any(fits(argument, mutant) for mutant in found) for argument in arguments())
    assert sum(bool(why_chess(mutant)) for mutant in found) < 0.4 * len(found)


@pytest.mark.parametrize(
    ("condition", "change", "is_the_same"),
    [
        ("kind == 'P'", "_ or (kind == 'P')", True),
        ("kind == 'P'", "_ or (kind == 'N')", False),
        ("kind == 'P'", "_ and not (kind == 'N')", True),
        ("kind == 'P'", "_ and not (colour == 'w')", False),
        ("captures", "_ and not (not captures)", True),
        ("captures", "not _", False),
        ("kind in 'PN'", "_ or (kind == 'N' and line == 'leap')", True),
        ("board[one] == EMPTY", "_ or (kind == 'P')", False),
        ("colour == 'w'", "True", False),
    ],
)
def test_a_condition_about_the_situation_alone_is_tried_in_each(
    condition: str, change: str, is_the_same: bool
) -> None:
    assert says_the_same(condition, change) == is_the_same


def test_what_no_case_finds_is_argued_undecided_or_alive(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one, *others = islice((mutant for mutant in mutants() if why_chess(mutant) == SAME), 5)
    found = [
        Fate(one, smoke=True, core=True, why="", differs=False),
        Fate(others[0], smoke=False, core=True, why="", differs=False),
        Fate(others[1], smoke=False, core=False, why=SAME, differs=False),
        Fate(others[2], smoke=False, core=False, why="", differs=False),
        Fate(others[3], smoke=False, core=False, why="", differs=True),
    ]
    *_, last = by_operator(found)
    assert last == ("all", 5, 1, 2, 1, 1, 1)
    assert [row[-1] for row in survivors(found)] == ["why it is chess", SAME, UNDECIDED, ""]
    assert judged(found, 1000) == 1  # one is alive
    assert judged(found[:1] * 2, 1000) == 0
    assert judged(found[:1] * 2, 10) == 1  # too few
    assert judged([*found[:1], found[4]], 1000) == 1  # the core finds one of two
    assert "3 differ from chess; the core finds 66.67% of them" in capsys.readouterr().out
