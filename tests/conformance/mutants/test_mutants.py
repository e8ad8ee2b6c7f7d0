"""The plain implementation plays chess, its mutants do not, and the core finds a sample of them."""

import random

import chess
import pytest

from sanproof.verify.conformance.suite import Case, Operation, read_suite
from tests import oracle
from tests.conformance.mutants.fates import arguments, why_chess
from tests.conformance.mutants.measure import answer, asked, fails, finders, probed
from tests.conformance.mutants.operators import Mutant, Mutated, mutants
from tests.conformance.mutants.smoke import found_by, greedily
from tests.conformance.suites import core
from tests.verify.command import ROOT

POSITIONS = 12
MANY_POSITIONS = 400


def positions(count: int) -> list[chess.Board]:
    """Positions of random games."""
    chance = random.Random(26)
    found: list[chess.Board] = []
    while len(found) < count:
        board = chess.Board()
        for _ in range(chance.randrange(100)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
        found.append(board)
    return found


def agrees(board: chess.Board) -> None:
    """The plain implementation says of a position what python-chess says."""
    position = oracle.position_of(board.fen())
    written = {oracle.write(position, m): oracle.uci_of(m) for m in oracle.legal_moves(position)}
    assert written == {board.san(move): move.uci() for move in board.legal_moves}
    for san, uci in written.items():
        assert oracle.uci_of(oracle.read(position, san)) == uci
        after = board.copy(stack=False)
        after.push_uci(uci)
        played = oracle.fen_of(oracle.play(position, oracle.move_of(uci)))
        assert played == after.fen(en_passant="fen")


def test_it_plays_chess() -> None:
    for board in positions(POSITIONS):
        agrees(board)


@pytest.mark.slow
def test_it_plays_chess_in_many_positions() -> None:
    for board in positions(MANY_POSITIONS):
        agrees(board)


@pytest.mark.slow
def test_it_passes_the_core_with_and_without_probes() -> None:
    assert not [case.id for case in asked(core()) if fails(case)]
    with probed():
        assert not [case.id for case in asked(core()) if fails(case)]


def test_a_mutant_is_there_only_for_a_while() -> None:
    mutant = Mutant("MOVES", 0, "table", "N: without (1, 2)")
    position = oracle.position_of(chess.STARTING_FEN)
    whole = list(oracle.legal_moves(position))
    with Mutated(mutant):
        assert len(list(oracle.legal_moves(position))) == len(whole) - 2
    assert list(oracle.legal_moves(position)) == whole


def test_there_are_enough_and_each_has_a_name() -> None:
    names = [mutant.name for mutant in mutants()]
    assert len(set(names)) == len(names) >= 3000


@pytest.mark.slow
def test_every_argument_is_about_some_mutant_and_none_about_all() -> None:
    found = mutants()
    assert all(any(argument.fits(mutant) for mutant in found) for argument in arguments())
    assert sum(bool(why_chess(mutant)) for mutant in found) < 0.3 * len(found)


def small() -> list[Case]:
    """The cases of the smallest suite that are answered fast."""
    suite = read_suite((ROOT / "data" / "conformance" / "smoke.json").read_bytes(), "smoke")
    return [case for case in asked(suite) if case.operation is not Operation.MOVES]


def test_the_smallest_suite_finds_a_sample() -> None:
    cases = small()
    sample = [mutant for mutant in mutants() if mutant.operator in {"negate", "leave out"}][::8]
    found = 0
    for mutant in sample:
        with Mutated(mutant):
            found += any(fails(case) for case in cases)
    assert found >= 0.7 * len(sample)


@pytest.mark.slow
def test_finders_name_a_case_that_fails() -> None:
    cases = small()[:40]
    sample = mutants()[::400]
    found = finders(cases, sample)
    assert any(number is not None for number in found.values())
    for mutant, number in found.items():
        if number is not None:
            assert not fails(cases[number])
            with Mutated(mutant):
                assert fails(cases[number])
                assert answer(cases[number]) is not None


def test_each_in_turn_adds_most() -> None:
    found = [{1, 2}, {1, 2, 3}, {3, 4}, {5}, {1, 5, 3}, set[int]()]
    assert greedily(found, 9) == [1, 2, 3]
    assert greedily(found, 2) == [1, 2]
    assert greedily([], 3) == []


def test_the_first_of_equals_is_taken() -> None:
    assert greedily([{2}, {1}, {1, 2}, {2, 1}], 5) == [2]


def test_what_finds_a_mutant_is_known() -> None:
    cases, chosen = small()[:10], mutants()[::500]
    for number, found in enumerate(found_by(cases, chosen)):
        for index, mutant in enumerate(chosen):
            with Mutated(mutant):
                assert fails(cases[number]) == (index in found)
