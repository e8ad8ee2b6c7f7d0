"""The published list of what chess does not allow: refuted, and in no case of the suite."""

import json

import chess
import pytest

from conformance.suite.build import further_suite
from conformance.suite.impossible import FILE, NAMED
from sanproof.proofs.find.asking import QuestionVerdict, find
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.questions import read_question
from sanproof.proofs.find.terms import unmet
from sanproof.reports.archive.door import open_archive
from sanproof.verify.conformance.suite import Operation
from tests.verify.command import ROOT

CONTENT = json.loads((ROOT / "data" / "conformance" / FILE).read_bytes())
COMBINATIONS = CONTENT["combinations"]
FAST = ("castling in check", "castling that captures", "a check given by the king itself (to d5)")


def test_every_combination_is_listed_and_nothing_else() -> None:
    listed = {entry["combination"]: entry["question"] for entry in COMBINATIONS}
    listed |= {entry["combination"]: entry["question"] for entry in CONTENT["undecided"]}
    assert listed == {name: " ".join(words) for name, words in NAMED.items()}
    assert all("formulas" in entry or "why" in entry for entry in COMBINATIONS)


@pytest.mark.parametrize("name", FAST)
def test_some_are_refuted_again(name: str) -> None:
    assert find(*NAMED[name]).verdict is QuestionVerdict.REFUTED


def test_no_move_of_the_suite_is_one() -> None:
    moves = [
        PlayedMove(chess.Board(case.fen or ""), chess.Move.from_uci(case.asked or ""))
        for case in further_suite().cases
        if case.operation is Operation.WRITE
    ]
    for words in NAMED.values():
        question = read_question(words)
        wide = question.pattern == "*" or "d5" in question.pattern  # then all squares are meant
        if wide:
            met = [m for m in moves if next(unmet(question.criteria, m), None) is None]
            kind = question.pattern[0]
            if kind in "KQRBN":
                met = [m for m in met if m.board.san(m.move)[0] == kind]
            if question.pattern.endswith("?"):
                met = [m for m in met if m.board.gives_check(m.move)]
            assert met == []


def test_the_strings_are_those_without_check() -> None:
    no_check = [san for san, reason in open_archive().impossible() if reason == "no-check"]
    assert sorted(CONTENT["strings"]) == sorted(no_check)
    assert len(no_check) > 0
