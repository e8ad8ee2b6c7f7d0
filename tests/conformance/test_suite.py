"""The published suite: right by python-chess, sanproof and the oracle, and its pairs are there."""

import csv
import io
import json
import lzma
import re
from collections import Counter
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cache
from random import Random

import chess
import pytest
from jsonschema import Draft202012Validator

from conformance.keep import csv_text
from conformance.suite.build import SMOKE, mechanism_of, smoke_of
from conformance.suite.features import Position, features
from conformance.suite.pairs import NUMBER, contradiction, rules
from conformance.suite.publish import (
    PAIRS,
    TABLES,
    feature_rows,
    features_of,
    mechanism_rows,
    pair_rows,
    suite_bytes,
)
from sanproof.verify.conformance import sanproof_runner as runner
from sanproof.verify.conformance.asking import ask
from sanproof.verify.conformance.suite import Case, Suite, asked_of
from sanproof.verify.notation.reading import ReadingVerdict, read
from sanproof.verify.notation.writing import write
from tests import oracle
from tests.conformance import features_again
from tests.conformance.changed_games import changed, is_over, refusals, started
from tests.conformance.mutants.measure import asked, fails
from tests.examples import examples
from tests.verify.command import ROOT

Making = Callable[[], Suite]
PUBLISHED = ROOT / "data" / "conformance"
SCHEMA = Draft202012Validator(json.loads((PUBLISHED / "schema.json").read_bytes()))
MAX_CASES = 7000
MAX_BYTES = 3_000_000
LEAST_POSITIONS = 300
LEAST_REPORTS = 60
GUESSED = (
    "wrong.advantage-sign",
    "wrong.null-move",
    "wrong.other-language",
    "wrong.rook-of-castling",
)
"""Texts that denote no move and that some programs read on purpose."""


@cache
def core() -> Suite:
    return dict(runner.load(str(PUBLISHED / "core.json")))


def smoke() -> Suite:
    return smoke_of(core())


ALL = pytest.mark.parametrize(
    "suite", [smoke, pytest.param(core, marks=pytest.mark.slow)], ids=["smoke", "core"]
)


def of(suite: Making, *operations: str) -> list[Case]:
    found = [case for case in suite()["cases"] if case["operation"] in operations]
    assert found
    return found


def test_it_is_as_large_as_is_said_and_begins_with_the_smallest() -> None:
    assert len(core()["cases"]) <= MAX_CASES
    assert (PUBLISHED / "core.json").read_bytes() == suite_bytes(core())
    assert len(suite_bytes(core())) < MAX_BYTES
    assert (PUBLISHED / "smoke.json").read_bytes() == suite_bytes(smoke())
    assert [case["id"] for case in smoke()["cases"]] == [
        case["id"] for case in core()["cases"][:SMOKE]
    ]
    assert len({case["id"] for case in core()["cases"]}) == len(core()["cases"])
    assert len(of(core, "moves")) >= LEAST_POSITIONS


# Pairs of features


@pytest.mark.slow
def test_the_tables_are_those_of_the_core() -> None:
    """Each pair that is said to be found is found, and each other has its rule or is open."""
    assert lzma.decompress((PUBLISHED / PAIRS).read_bytes()).decode() == csv_text(pair_rows(core()))
    for name, rows in (("features", feature_rows), ("mechanisms", mechanism_rows)):
        assert (ROOT / TABLES / f"{name}.csv").read_text("utf-8") == csv_text(rows(core()))


@pytest.mark.parametrize("each", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_another_program_finds_the_same_features(each: int) -> None:
    cases = [case for case in of(core, "write", "read", "play") if case["class"] != "may"]
    for case in cases[::each]:
        position = oracle.position_of(case["fen"])
        if case["class"] == "must not":
            found = features_of(case)
            again = features_again.of_refusal(position, case["san"])
            assert (found and found[1]) == again, case["id"]
            continue
        named = "uci" in case
        move = oracle.move_of(case["uci"]) if named else oracle.read(position, case["san"])
        assert features_of(case) == ("move", features_again.of_move(position, move)), case["id"]


def test_each_value_has_cases_and_no_pair_is_open() -> None:
    text = lzma.decompress((PUBLISHED / PAIRS).read_bytes()).decode("ascii")
    verdicts = Counter(row["verdict"] for row in csv.DictReader(io.StringIO(text)))
    assert set(verdicts) == {"found", "impossible"}
    page = (ROOT / "docs" / "test-your-library.md").read_text("utf-8")
    assert f"Of {verdicts.total():,} pairs {verdicts['found']:,} occur" in page
    rows = csv.DictReader((ROOT / TABLES / "features.csv").read_text("utf-8").splitlines())
    shown = {(row["feature"], row["value"]): row for row in rows}
    for feature in features():
        for value in feature.values:
            row = shown[feature.name, value]
            assert int(row["cases of moves"]) + int(row["cases of refused texts"]) > 0


def test_every_form_is_written_read_and_played() -> None:
    """A form: piece, player, origin, capture, promotion, sign; all that strings can have."""
    form = re.compile(
        r"(?P<piece>[KQRBN]?)(?P<file>[a-h]?)(?P<rank>[1-8]?)(x?)[a-h][1-8](=.)?([+#]?)"
    )
    shown: dict[str, set[object]] = {"write": set(), "read": set(), "play": set()}
    for case in of(core, *shown):
        if case["class"] == "must":
            san = case["expected"] if case["operation"] == "write" else case["san"]
            match = form.fullmatch(san)
            parts = (
                (san,)
                if match is None
                else (match["piece"], bool(match["file"]), bool(match["rank"]), *match.groups()[3:])
            )
            shown[case["operation"]].add((case["colour"], *parts))
    assert shown["write"] == shown["read"] == shown["play"]
    assert len(shown["write"]) >= 250


@pytest.mark.parametrize("seed", range(3))
def test_no_position_breaks_a_rule(seed: int) -> None:
    chance = Random(seed)
    for _ in range(examples(60)):
        board = changed(started(chance), chance)
        if is_over(board):
            continue
        position = Position(board)
        found = [("move", position.of_move(move)[1]) for move in position.legal]
        refused = map(position.of_refusal, refusals(board, chance, 20))
        found += [("refused", values) for values in refused if values]
        for of_what, values in found:
            for rule in rules():
                if rule.of == of_what and all(values[n] in some for n, some in rule.conditions):
                    assert values[rule.other] in rule.values, (rule, board.fen())


def test_contradictions_follow_from_rules() -> None:
    pawn, knight = NUMBER["piece", "P"], NUMBER["piece", "N"]
    assert contradiction("move", pawn, NUMBER["from_rank", "first"]) is not None
    assert contradiction("move", knight, NUMBER["promotion", "Q"]) is not None
    assert contradiction("move", pawn, NUMBER["promotion", "Q"]) is None
    assert contradiction("move", knight, NUMBER["given", "double"]) is None


def test_cases_have_the_names_of_their_features() -> None:
    for case in of(smoke, "write", "read", "play"):
        found = features_of(case)
        if case["class"] == "must" and found is not None:
            mechanism = mechanism_of(case["operation"], found[1])
            assert (case["mechanism"], case["why"]) == (mechanism.name, mechanism.why)
            told = dict(word.split("=") for word in case.get("features", ()))
            assert told.items() <= found[1].items()


# Answers


@ALL
def test_it_keeps_the_schema(suite: Making) -> None:
    content = json.loads(suite_bytes(suite()))
    assert not list(SCHEMA.iter_errors(content))
    assert content == suite()


def test_the_schema_names_what_the_code_names_and_refuses_the_rest() -> None:
    SCHEMA.check_schema(SCHEMA.schema)
    case = SCHEMA.schema["$defs"]["case"]["properties"]
    assert {"smoke", "core"} <= {*SCHEMA.schema["properties"]["level"]["enum"]}
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
        moves = games[case["game"]].split()[: case["plies"]]
        replayed = chess.Board()
        for uci in moves:
            move = chess.Move.from_uci(uci)
            assert replayed.is_legal(move)
            replayed.push(move)
        assert case["fen"] == replayed.fen(en_passant="fen")
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


def test_every_case_names_a_section_of_the_standard_or_an_article() -> None:
    section = re.compile(r"(FIDE|PGN standard|section) \d|, \d+\.\d")
    assert [case["id"] for case in core()["cases"] if not section.search(case["why"])] == []


def test_every_report_has_cases_that_can_fail_or_a_reason() -> None:
    ids = [case["id"] for case in core()["cases"] if case["class"] != "may"]
    reports = list(csv.DictReader((ROOT / TABLES / "reports.csv").read_text("utf-8").splitlines()))
    assert len({report["report"] for report in reports}) == len(reports) >= LEAST_REPORTS
    for report in reports:
        assert bool(report["cases"]) != bool(report["why none"])
        for pattern in report["cases"].split():
            assert any(fnmatchcase(name, pattern) for name in ids), (report["report"], pattern)
