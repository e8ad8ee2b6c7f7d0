"""The published suites: made by the code, right by python-chess, sanproof and the oracle."""

import json
import lzma
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import chess
import pytest
from jsonschema import Draft202012Validator

from conformance.suite.build import core_suite, further_suite, public_reports
from conformance.suite.impossible import FILE, NAMED
from conformance.suite.mechanisms import MECHANISMS
from conformance.suite.publish import MECHANISMS as TABLE
from conformance.suite.publish import mechanisms, publish, smoke_of, suite_bytes
from sanproof.proofs.find.asking import QuestionVerdict, find
from sanproof.proofs.find.judge import PlayedMove
from sanproof.proofs.find.terms import unmet
from sanproof.proofs.find.words import read_question
from sanproof.reports.archive.door import open_archive
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import ask
from sanproof.verify.conformance.strings import FURTHER
from sanproof.verify.conformance.suite import LEVELS, Case, Suite, asked_of
from sanproof.verify.notation.reading import ReadingVerdict, read
from sanproof.verify.notation.writing import write
from tests.conformance.mutants.measure import asked, fails
from tests.verify.command import ROOT

Making = Callable[[], Suite]
PUBLISHED = ROOT / "data" / "conformance"
SCHEMA = Draft202012Validator(json.loads((PUBLISHED / "schema.json").read_bytes()))
core, further = core_suite, further_suite
MAX_CASES = 1700
MAX_SMOKE = 150
MAX_BYTES = 800_000
LEAST_REPORTS = 60
GUESSED = (
    "wrong.advantage-sign",
    "wrong.null-move",
    "wrong.other-language",
    "wrong.rook-of-castling",
)
"""Texts that denote no move and that some programs read on purpose."""


def smoke() -> Suite:
    return smoke_of(core())


ALL = pytest.mark.parametrize("suite", [smoke, further], ids=["smoke", "further"])


def of(suite: Making, *operations: str) -> list[Case]:
    found = [case for case in suite()["cases"] if case["operation"] in operations]
    assert found
    return found


def test_the_published_files_are_what_the_code_makes(tmp_path: Path) -> None:
    assert publish(tmp_path / "suite") == ["core.json", "smoke.json"]
    for name in ("core.json", "smoke.json"):
        assert (tmp_path / "suite" / name).read_bytes() == (PUBLISHED / name).read_bytes()
    assert (ROOT / TABLE).read_text("utf-8") == mechanisms()
    assert lzma.decompress(FURTHER.read_bytes()) == suite_bytes(further())
    assert len(core()["cases"]) <= MAX_CASES
    assert len(suite_bytes(core())) < MAX_BYTES
    assert 0 < len(smoke()["cases"]) <= MAX_SMOKE


@ALL
def test_it_keeps_the_schema(suite: Making) -> None:
    content = json.loads(suite_bytes(suite()))
    assert not list(SCHEMA.iter_errors(content))
    assert content == suite()


def test_the_schema_names_what_the_code_names_and_refuses_the_rest() -> None:
    SCHEMA.check_schema(SCHEMA.schema)
    case = SCHEMA.schema["$defs"]["case"]["properties"]
    assert SCHEMA.schema["properties"]["level"]["enum"] == list(LEVELS)
    assert case["operation"]["enum"] == list(runner.ASKED)
    assert case["class"]["enum"] == list(runner.REJECTED)
    content = json.loads(suite_bytes(smoke()))
    entry = next(case for case in content["cases"] if case["operation"] == "read")
    for part, value in (
        ("class", "should"),
        ("expected", "e9e4"),
        ("san", None),
        ("fen", "8/8"),
        ("colour", "grey"),
        ("plies", "x"),
        ("more", 1),
    ):
        changed = {**content, "cases": [entry | {part: value}]}
        assert not SCHEMA.is_valid(changed), part
    assert SCHEMA.is_valid({**content, "cases": [entry]})


def test_each_suite_is_sorted_and_part_of_the_next() -> None:
    def content(case: Case) -> tuple[object, ...]:
        return tuple(
            map(
                str,
                (
                    case["id"],
                    case.get("fen"),
                    asked_of(case),
                    case["class"],
                    case.get("expected"),
                    case["why"],
                ),
            )
        )

    for suite in (smoke, core, further):
        ids = [case["id"] for case in suite()["cases"]]
        assert ids == sorted(set(ids))
    parts = [{content(case) for case in suite()["cases"]} for suite in (smoke, core, further)]
    assert parts[0] < parts[1] < parts[2]


@ALL
def test_every_position_is_of_its_legal_game(suite: Making) -> None:
    """The game is replayed by python-chess, and none of its positions ended it by the Laws."""
    games = suite()["games"]
    used = set()
    for case in suite()["cases"]:
        if case["operation"] == "game" or case["id"].startswith("broken."):
            assert "game" not in case
            continue
        used.add(case["game"])
        moves = games[case["game"]].split()
        assert case["plies"] == len(moves)
        replayed = chess.Board()
        for uci in moves:
            move = chess.Move.from_uci(uci)
            assert replayed.is_legal(move)
            replayed.push(move)
            assert not replayed.is_seventyfive_moves()
            assert not replayed.is_insufficient_material()
        assert not replayed.is_fivefold_repetition()
        assert case["fen"] in {replayed.fen(en_passant="legal"), replayed.fen(en_passant="fen")}
        assert case["colour"] == ("white" if replayed.turn else "black")
        assert case["why"].endswith(".")
        assert "{" not in case["why"]
    assert used == set(range(len(games)))


@ALL
def test_sanproof_agrees(suite: Making) -> None:
    verdicts = {
        "must": {ReadingVerdict.CANONICAL},
        "may": {ReadingVerdict.UNDERSTANDABLE},
        "must not": {ReadingVerdict.AMBIGUOUS, ReadingVerdict.ILLEGAL, ReadingVerdict.NOT_SAN},
    }
    for case in of(suite, "read", "write", "moves"):
        position, text = chess.Board(case["fen"]), asked_of(case)
        if case["operation"] == "write":
            assert case["expected"] == write(text, case["fen"]).san
        elif case["operation"] == "moves":
            ours = (write(move.uci(), case["fen"]).san for move in position.legal_moves)
            assert case["expected"] == sorted(ours)
        elif not case["id"].startswith("broken.") and case["mechanism"] not in GUESSED:
            reading = read(text, case["fen"])
            assert reading.verdict in verdicts[case["class"]], case["id"]
            assert reading.uci == case.get("expected")
            if case["class"] == "may":
                assert text != position.san(chess.Move.from_uci(case["expected"]))


@ALL
def test_python_chess_passes(suite: Making) -> None:
    content = json.loads(suite_bytes(suite()))
    ((_, _, report, _),) = ask(["python-chess"], content, content["cases"], 60)
    assert len(report.records) == len(suite()["cases"])
    assert not report.failures, report.text()


@ALL
def test_the_oracle_passes(suite: Making) -> None:
    assert len(asked(suite())) > 100
    assert not [case["id"] for case in asked(suite()) if fails(case)]


def test_customs_can_be_told_apart() -> None:
    played = [case["expected"] for case in of(core, "play")]
    for one, other in (("always", "pseudo-legal"), ("pseudo-legal", "legal")):
        assert any(fens[one] != fens[other] for fens in played)


def missing(suite: Making, least: int) -> list[str]:
    """Return the mechanisms with fewer cases of a player and an operation."""
    seen = Counter((c["mechanism"], c["colour"], c["operation"]) for c in suite()["cases"])
    return [
        name
        for name, mechanism in MECHANISMS.items()
        for colour in ("white", "black")
        for operation in ("read", "write")
        if mechanism.sort == "move" or operation == "read"
        if seen[name, colour, operation] < least
    ]


def test_every_case_names_a_section_of_the_standard_or_an_article() -> None:
    section = re.compile(r"(FIDE|PGN standard|section) \d|, \d+\.\d")
    assert [case["id"] for case in core()["cases"] if not section.search(case["why"])] == []


def test_every_mechanism_is_there_for_each_player_and_operation() -> None:
    """Of texts that have nothing to do with the player, the core has one for one of them."""
    assert missing(further, 2) == []
    assert [lost for lost in missing(core, 1) if not lost.startswith(("text.", "wrong."))] == []
    assert {case["mechanism"] for case in core()["cases"]} >= set(MECHANISMS)


def test_every_report_has_cases_that_can_fail_or_a_reason() -> None:
    ids = {case["id"]: case for case in core()["cases"]}
    reports = {report["report"]: report for report in public_reports()}
    assert len(public_reports()) == len(reports) >= LEAST_REPORTS
    for url, report in reports.items():
        assert bool(report["cases"]) != bool(report["why none"])
        for name in report["cases"].split():
            assert url in ids[name]["reports"]
            assert ids[name]["class"] != "may"


# Cases that chess does not allow

IMPOSSIBLE = json.loads((PUBLISHED / FILE).read_bytes())
FAST = ("castling in check", "castling that captures", "a check given by the king itself (to d5)")


def test_every_combination_is_listed_and_nothing_else() -> None:
    entries = IMPOSSIBLE["combinations"]
    listed = {entry["combination"]: entry["question"] for entry in entries}
    listed |= {entry["combination"]: entry["question"] for entry in IMPOSSIBLE["undecided"]}
    assert listed == {name: " ".join(words) for name, words in NAMED.items()}
    assert all("formulas" in entry or "why" in entry for entry in entries)
    no_check = [san for san, reason in open_archive().impossible() if reason == "no-check"]
    assert sorted(IMPOSSIBLE["strings"]) == sorted(no_check)
    assert len(no_check) > 0


@pytest.mark.parametrize("name", FAST)
def test_some_are_refuted_again(name: str) -> None:
    assert find(*NAMED[name]).verdict is QuestionVerdict.REFUTED


def test_no_move_of_the_suite_is_impossible() -> None:
    moves = [
        PlayedMove(chess.Board(case["fen"]), chess.Move.from_uci(case["uci"]))
        for case in of(further, "write")
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
