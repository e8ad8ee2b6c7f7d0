"""The questions to ACL2, and what is said of its answers; campaign `acl2` asks ACL2 itself."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest

from sanproof.proofs.kernel.refutation import RefutationError, check_refutation
from sanproof.proofs.search.solvers import search_refutation
from tests.campaigns import acl2
from tests.campaigns.acl2 import CHANGES, RIGHT, Question, main, questions
from tests.proofs.kernel.evidence import part

WITH_A_MODEL = "a formula with a model"


@cache
def asked() -> tuple[Question, ...]:
    return tuple(questions(part().certificates, 1000, Random(1)))


def clauses_of(question: Question) -> list[list[int]]:
    header, *lines = question.formula.splitlines()
    clauses = [[int(x) for x in line.split(" ")[:-1]] for line in lines]
    assert header.split(" ")[:2] == ["p", "cnf"]
    assert int(header.split(" ")[3]) == len(clauses)
    return clauses


def test_each_kind_is_asked() -> None:
    kinds = Counter(question.kind for question in asked())
    assert set(kinds) == {RIGHT, WITH_A_MODEL, *CHANGES}
    assert kinds[RIGHT] == part().certificates.count("\n\n")


def test_strict_readers_can_read_the_formulas() -> None:
    """No clause is empty or has a literal twice or with its opposite."""
    for question in asked():
        for clause in clauses_of(question):
            assert clause
            assert len({abs(x) for x in clause}) == len(clause)


def test_what_is_called_right_is_right_and_the_others_are_wrong() -> None:
    for question in asked():
        clauses = clauses_of(question)
        if question.kind == WITH_A_MODEL:
            assert search_refutation(clauses) is None
        elif question.kind == RIGHT:
            check_refutation(clauses, question.lines)
        else:
            with pytest.raises(RefutationError):
                check_refutation(clauses, question.lines)


@pytest.mark.parametrize(
    ("accepts", "code"),
    [(True, 1), (False, 1), (None, 0)],
    ids=["accepts everything", "accepts nothing", "is right"],
)
def test_a_checker_that_is_wrong_is_noticed(
    accepts: bool | None,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def answers(asked: Sequence[Question], _: Path) -> list[bool]:
        return [question.kind == RIGHT if accepts is None else accepts for question in asked]

    (tmp_path / "certificates.txt.xz").touch()
    monkeypatch.setattr(acl2, "ask", answers)
    monkeypatch.setattr(acl2, "text_of", lambda *_: part().certificates)
    assert main(["--data", str(tmp_path)]) == code
    assert ("Not as it should be: cube " in capsys.readouterr().out) == bool(code)


def test_a_program_that_ends_early_has_answered_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As ACL2 does if a book is missing."""
    program = tmp_path / "acl2"
    program.write_text("#!/bin/sh\necho 'ACL2 Error'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(acl2.Acl2Error, match="1 questions unasked"):
        acl2.ask(asked()[:1], tmp_path)
