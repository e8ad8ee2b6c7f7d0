"""The kept tables are about the mutants that there are, and say of each what its fate is."""

import csv
from collections import Counter

import pytest

from conformance.suite.publish import smoke_of
from tests.conformance.mutants.__main__ import LEAST_SHARE, TABLES, main
from tests.conformance.mutants.fates import (
    SAME,
    UNDECIDED,
    Fate,
    by_operator,
    says_the_same,
    survivors,
    why_chess,
)
from tests.conformance.mutants.measure import asked, finders
from tests.conformance.mutants.operators import Mutant, mutants, source_of
from tests.conformance.suites import core


def table(name: str) -> list[dict[str, str]]:
    """A kept table."""
    return list(csv.DictReader((TABLES / name).read_text("utf-8").splitlines()))


def test_the_table_counts_the_mutants_that_there_are() -> None:
    counts = Counter(mutant.operator for mutant in mutants())
    rows = {row.pop("operator"): Counter(numbers(row)) for row in table("mutants.csv")}
    last = rows.pop("all")
    assert {operator: row["mutants"] for operator, row in rows.items()} == counts
    assert sum(rows.values(), Counter()) == last
    for row in [*rows.values(), last]:
        assert row["smoke"] <= row["core"] <= row["full"]
        assert row["mutants"] == row["full"] + row["argued"] + row[UNDECIDED] + row["alive"]
    assert last["alive"] == 0
    assert last["core"] >= LEAST_SHARE * last["full"]


def numbers(row: dict[str, str]) -> dict[str, int]:
    """A row's numbers; those that are 0 are left out."""
    return {name: int(number) for name, number in row.items() if int(number)}


def test_each_survivor_is_a_mutant_and_has_the_argument_that_is_known() -> None:
    known: dict[tuple[str, ...], list[Mutant]] = {}
    for mutant in mutants():
        key = mutant.place, source_of(mutant), mutant.operator, mutant.change
        known.setdefault(key, []).append(mutant)
    left = Counter[tuple[str, ...]]()
    reasons: dict[str, Counter[str]] = {"argued": Counter(), UNDECIDED: Counter()}
    for place, code, operator, change, why in (row.values() for row in table("survivors.csv")):
        left[place, code, operator, change] += 1
        assert why == (why_chess(known[place, code, operator, change][0]) or UNDECIDED)
        reasons["argued" if why != UNDECIDED else why][operator] += 1
    assert all(count <= len(known[key]) for key, count in left.items())
    for row in table("mutants.csv")[:-1]:
        assert int(row["argued"]) == reasons["argued"][row["operator"]]
        assert int(row[UNDECIDED]) == reasons[UNDECIDED][row["operator"]]


@pytest.mark.slow
def test_the_table_counts_what_the_smallest_suite_finds() -> None:
    found = finders(asked(smoke_of(core())), mutants())
    counts = Counter(mutant.operator for mutant, case in found.items() if case is not None)
    for row in table("mutants.csv")[:-1]:
        assert int(row["smoke"]) == counts[row["operator"]]


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


def fates() -> list[Fate]:
    """One of each sort."""
    one, *others = [mutant for mutant in mutants() if why_chess(mutant) == SAME][:5]
    return [
        Fate(one, smoke=True, core=True, further="", why="", touched=False),
        Fate(others[0], smoke=False, core=False, further="a.case", why="", touched=False),
        Fate(others[1], smoke=False, core=False, further="", why=SAME, touched=True),
        Fate(others[2], smoke=False, core=False, further="", why="", touched=False),
        Fate(others[3], smoke=False, core=False, further="", why="", touched=True),
    ]


def test_what_no_case_finds_is_argued_undecided_or_alive() -> None:
    found = fates()
    assert [fate.full for fate in found] == [True, True, False, False, False]
    assert [fate.is_undecided for fate in found] == [False, False, False, True, False]
    assert [fate.is_alive for fate in found] == [False, False, False, False, True]
    assert [fate.differs for fate in found] == [True, True, False, False, True]
    *_, last = by_operator(found)
    assert last == ("all", 5, 1, 1, 2, 1, 1, 1)
    assert [row[-1] for row in survivors(found)] == ["why it is chess", SAME, UNDECIDED, ""]


def test_only_all_mutants_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--each", "100", "--keep"])
    assert "leave out --each" in capsys.readouterr().err
