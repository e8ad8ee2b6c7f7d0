"""What Coq is given of the conformance suite; that it proves all of it: ``nox -s formal``."""

import copy
import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from sanproof.proofs.formal import suite as formal_suite
from sanproof.proofs.formal.build import CLOSED, MisuseError, NotProvedError
from sanproof.proofs.formal.suite import (
    UNSTATED,
    cases_file,
    lines,
    literal,
    prove,
    question,
    read_suite,
    stated,
)
from tests.proofs.formal.suite_lies import CORE, planted

Suite = dict[str, Any]


@pytest.fixture(scope="module")
def core() -> Suite:
    return read_suite(CORE)


def few(core: Suite, step: int = 60) -> Suite:
    """Return a suite of some cases of each operation."""
    return core | {"cases": core["cases"][::step]}


def test_only_what_rules_leave_open_is_left_out(core: Suite) -> None:
    left = [case for case in core["cases"] if question(case) is None]
    demanded = [case for case in left if case["class"] != "may" and case["operation"] != "game"]
    assert not [case["id"] for case in demanded if case["mechanism"] not in UNSTATED]
    assert {case["mechanism"] for case in core["cases"]} >= UNSTATED
    assert len(core["cases"]) - len(left) == sum(map(len, stated(core).values())) == 5760


def test_a_case_of_another_form_is_refused(core: Suite) -> None:
    case = next(case for case in core["cases"] if case["operation"] == "play")
    for other in ({"operation": "think"}, {"class": "may"}, {"expected": {"always": "8/8"}}):
        with pytest.raises(MisuseError, match=case["id"]):
            question(case | other)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Nf3+", '("Nf3+")'),
        ("", '""'),
        ('a" b', '("a" ++ String "034"%char "" ++ " b")'),
        ("½", '(String "194"%char "" ++ String "189"%char "")'),
        ("\n", '(String "010"%char "")'),
    ],
)
def test_no_text_closes_its_literal(text: str, term: str) -> None:
    assert literal(text) == term


def test_a_place_is_stated_once_with_all_its_cases(core: Suite) -> None:
    places = stated(core)
    text = cases_file(places)
    assert text.count("\nPlace ") == len(places)
    assert len(lines(places)) == len(places) + 5760
    assert all(line.isprintable() for line in text.splitlines())
    assert text.isascii()


def answer_with(monkeypatch: pytest.MonkeyPatch, assumed: str) -> None:
    """Have Coq accept everything, and say that the answers assume this."""
    monkeypatch.setattr(formal_suite, "compile_judge", lambda _: {})
    monkeypatch.setattr(formal_suite, "compile_file", lambda *_: "")
    monkeypatch.setattr(formal_suite, "fingerprint", lambda *_: {})
    monkeypatch.setattr(formal_suite, "ask", lambda *_: assumed)


def test_another_case_than_is_printed_is_noticed(
    core: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = few(core)
    shown = lines(stated(suite))
    answer_with(monkeypatch, f"{CLOSED}\n")
    for said in (shown, shown[1:], [*shown[:-1], f"{shown[-1]}\tx"], shown[::-1]):
        monkeypatch.setattr(formal_suite, "printed_list", lambda *_, said=said: said)
        with nullcontext() if said is shown else pytest.raises(NotProvedError, match="not those"):
            prove(suite, tmp_path)


@pytest.mark.parametrize("said", ["", "Axioms:\nfunext : False\n"])
def test_an_axiom_is_noticed(
    said: str, core: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_with(monkeypatch, said)
    with pytest.raises(NotProvedError, match="rest on more"):
        prove(few(core), tmp_path)


def test_a_file_that_is_no_suite_is_refused(tmp_path: Path) -> None:
    for text in ("[]", "{", '{"cases": []}'):
        (tmp_path / "core.json").write_text(text)
        with pytest.raises(MisuseError, match="no suite"):
            read_suite(tmp_path / "core.json")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("coqc"), reason="coqc is not installed")
def test_coq_proves_right_answers_and_names_wrong_ones(core: Suite, tmp_path: Path) -> None:
    suite = few(core)
    assert "no axiom" in prove(suite, tmp_path / "right")
    lying, kinds = planted(copy.deepcopy(core), 5, seed=3)
    with pytest.raises(NotProvedError) as error:
        prove(lying, tmp_path / "wrong")
    assert all(name in str(error.value) for name in kinds)
