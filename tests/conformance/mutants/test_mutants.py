"""The oracle plays chess, its mutants do not, and the core finds the faults that people make.

The mutants are small changes; the faults, in ``pitfalls.toml``, are what a programmer forgets or
mistakes: one for each mechanism that a case is about. Without its rule the oracle answers each
position of the mechanism wrongly, or the position tests nothing.
"""

import csv
import inspect
import random
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import chess
import pytest

from conformance.suite.build import smoke_of
from tests import oracle
from tests.conformance.mutants.measure import TABLE, asked, core_suite, counts, fails, finders
from tests.conformance.mutants.operators import Mutant, mutants, mutated

FAULTS: Final = [
    (name, fault)
    for name, faults in tomllib.loads(
        Path(__file__).with_name("pitfalls.toml").read_text("utf-8")
    ).items()
    for fault in faults
]
MISSED: Final = {"castling.past-rook", "mate.no-castling"}
"""What no feature asks for: whose piece stands in castling's way, and castling but for a check."""


@pytest.mark.parametrize("count", [12, pytest.param(400, marks=pytest.mark.slow)])
def test_the_oracle_plays_chess(count: int) -> None:
    fens = sorted({case["fen"] for case in asked(core_suite())})
    for board in map(chess.Board, random.Random(45).sample(fens, count)):
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


def test_the_table_counts_the_mutants_that_there_are() -> None:
    _, *rows = csv.reader(TABLE.read_text("utf-8").splitlines())
    numbers = {operator: list(map(int, found)) for operator, *found in rows}
    last = numbers.pop("all")
    assert {n: row[0] for n, row in numbers.items()} == Counter(m.operator for m in mutants())
    assert [sum(column) for column in zip(*numbers.values(), strict=True)] == last


@pytest.mark.slow
def test_a_row_counts_those_that_a_case_finds() -> None:
    """And the case that is named fails, but for the mutant."""
    chosen, cases = mutants()[::400], asked(core_suite())
    number, smoke, core = map(int, list(counts(chosen))[-1][1:])
    found = finders(cases, chosen)
    assert number == len(chosen)
    assert core == sum(case is not None for case in found.values()) >= smoke > 0
    whole = asked(smoke_of(core_suite()))
    few = [case for case in whole if case["operation"] != "moves"][:9]
    for mutant, case in finders(few, chosen).items():
        with mutated(mutant):
            failed = [index for index, one in enumerate(few) if fails(one)]
        assert (case in failed) if failed else case is None


# Faults that people make


@contextmanager
def planted(fault: dict[str, Any]) -> Iterator[None]:
    """Have the oracle make a fault while the context lasts."""
    whole, source = dict(vars(oracle)), inspect.getsource(oracle)
    olds, news = (
        [text] if isinstance(text, str) else text for text in (fault["old"], fault["new"])
    )
    for old, new in zip(olds, news, strict=True):
        if source.count(old) != 1:
            raise ValueError(f"not one place is {old!r}")
        source = source.replace(old, new)
    exec(compile(source, oracle.__file__, "exec"), vars(oracle))
    try:
        yield
    finally:
        vars(oracle).clear()
        vars(oracle).update(whole)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "fault"), FAULTS, ids=[name for name, _ in FAULTS])
def test_the_core_finds_each_fault(name: str, fault: dict[str, Any]) -> None:
    with planted(fault):
        found = any(map(fails, asked(core_suite())))
    assert found == (name not in MISSED)


def test_each_change_is_there_only_for_a_while_and_fits_one_place() -> None:
    names = [about for name, fault in FAULTS for about in (name, *fault.get("also", ()))]
    assert len(set(names)) == len(names)
    knights = Mutant("MOVES", 0, "table", "N: without (1, 2)")
    for change in (mutated(knights), *(planted(fault) for _, fault in FAULTS)):
        whole = dict(vars(oracle))
        with change:
            assert vars(oracle) != whole
        assert vars(oracle) == whole
    for old in ("no such code", "colour"):
        with pytest.raises(ValueError, match="not one place"), planted({"old": old, "new": ""}):
            pass
