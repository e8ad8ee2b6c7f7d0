"""The oracle plays chess, its mutants do not, the core finds a sample, and the table says so."""

import csv
import random
from collections import Counter

import chess
import pytest

from conformance.suite.build import smoke_of
from tests import oracle
from tests.conformance.mutants.__main__ import LEAST, TABLE, counts, is_enough
from tests.conformance.mutants.measure import asked, core_suite, fails, finders
from tests.conformance.mutants.operators import Mutant, mutants, mutated


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


def test_a_mutant_is_there_only_for_a_while() -> None:
    position = oracle.position_of(chess.STARTING_FEN)
    whole = list(oracle.legal_moves(position))
    with mutated(Mutant("MOVES", 0, "table", "N: without (1, 2)")):
        assert len(list(oracle.legal_moves(position))) == len(whole) - 2
    assert list(oracle.legal_moves(position)) == whole


@pytest.mark.slow
def test_finders_name_a_case_that_fails() -> None:
    whole = asked(smoke_of(core_suite()))
    cases, sample = [case for case in whole if case["operation"] != "moves"][:9], mutants()[::500]
    found = finders(cases, sample)
    assert any(number is not None for number in found.values())
    for mutant, number in found.items():
        with mutated(mutant):
            failed = [index for index, case in enumerate(cases) if fails(case)]
        assert (number in failed) if failed else number is None


def test_the_table_counts_the_mutants_that_there_are() -> None:
    header, *rows = csv.reader(TABLE.read_text("utf-8").splitlines())
    assert header == ["operator", "mutants", "smoke", "core"]
    numbers = {operator: list(map(int, found)) for operator, *found in rows}
    last = numbers.pop("all")
    assert {n: row[0] for n, row in numbers.items()} == Counter(m.operator for m in mutants())
    assert [sum(column) for column in zip(*numbers.values(), strict=True)] == last
    assert is_enough([header, rows[-1]])
    for level in LEAST:
        assert not is_enough([header, [0 if name == level else "9" for name in header]])


@pytest.mark.slow
def test_a_row_counts_those_that_a_case_finds() -> None:
    chosen = mutants()[::400]
    number, smoke, core = map(int, list(counts(chosen))[-1][1:])
    found = finders(asked(core_suite()), chosen)
    assert number == len(chosen)
    assert core == sum(case is not None for case in found.values()) >= smoke
