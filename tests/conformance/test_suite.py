"""The published suite: right by python-chess, sanproof and the oracle, and its pairs are there."""

import csv
import io
import json
import lzma
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from random import Random

import chess
import pytest
from jsonschema import Draft202012Validator

from conformance.keep import csv_text
from conformance.suite.build import SMOKE, smoke_of
from conformance.suite.features import Position, features
from conformance.suite.pairs import rules
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
from sanproof.verify.notation.reading import Reading, ReadingVerdict, judge, read
from sanproof.verify.notation.writing import write
from tests import oracle
from tests.conformance import features_again
from tests.conformance.mutants.measure import asked, fails
from tests.conformance.mutants.measure import core_suite as core
from tests.examples import examples
from tests.verify.command import ROOT

Making = Callable[[], Suite]
PUBLISHED = ROOT / "data" / "conformance"
SCHEMA = Draft202012Validator(json.loads((PUBLISHED / "schema.json").read_bytes()))
MAX_CASES = 7000
MAX_BYTES = 3_000_000
GUESSED = (
    "wrong.advantage-sign",
    "wrong.null-move",
    "wrong.other-language",
    "wrong.rook-of-castling",
)
"""Texts that denote no move and that some programs read on purpose."""


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
    cases = core()["cases"]
    assert len({case["id"] for case in cases}) == len(cases) <= MAX_CASES
    assert smoke()["cases"] == cases[:SMOKE]
    for name, suite in (("core", core()), ("smoke", smoke())):
        assert (PUBLISHED / f"{name}.json").read_bytes() == suite_bytes(suite)
    assert len(suite_bytes(core())) < MAX_BYTES
    assert len(of(core, "moves")) >= 300


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table beside the pages."""
    return list(csv.DictReader((ROOT / TABLES / f"{name}.csv").read_text("utf-8").splitlines()))


# Pairs of features


@pytest.mark.slow
def test_the_tables_are_those_of_the_core() -> None:
    """Each pair that is said to be found is found, and each other has its rule or is open."""
    assert lzma.decompress((PUBLISHED / PAIRS).read_bytes()).decode() == csv_text(pair_rows(core()))
    for name, rows in (("features", feature_rows), ("mechanisms", mechanism_rows)):
        assert (ROOT / TABLES / f"{name}.csv").read_text("utf-8") == csv_text(rows(core()))


@pytest.mark.parametrize("each", [83, pytest.param(1, marks=pytest.mark.slow)])
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
    shown = {(row["feature"], row["value"]): row for row in table("features")}
    for feature in features():
        for value in feature.values:
            row = shown[feature.name, value]
            assert int(row["cases of moves"]) + int(row["cases of refused texts"]) > 0


def test_every_form_is_written_read_and_played() -> None:
    """A form: piece, player, origin, capture, promotion, sign; all that strings can have."""
    form = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)(x?)[a-h][1-8](=.)?([+#]?)")
    shown: dict[str, set[object]] = {"write": set(), "read": set(), "play": set()}
    for case in of(core, *shown):
        if case["class"] == "must":
            san = case["expected"] if case["operation"] == "write" else case["san"]
            match = form.fullmatch(san)
            piece, file, rank, *others = match.groups() if match else (san, "", "")
            shown[case["operation"]].add((case["colour"], piece, bool(file), bool(rank), *others))
    assert shown["write"] == shown["read"] == shown["play"]
    assert len(shown["write"]) >= 250


def refusals(board: chess.Board, chance: Random) -> Iterator[Reading]:
    """Yield texts that are refused: of each piece, to any square, and near legal moves."""
    found = ["O-O", "O-O-O"]
    own = chess.scan_forward(board.occupied_co[board.turn])
    anywhere = (chess.Move(origin, chance.randrange(64)) for origin in own)
    for move in (*anywhere, *board.pseudo_legal_moves):
        letter = chess.piece_symbol(board.piece_type_at(move.from_square) or chess.KING).upper()
        name, goal = chess.square_name(move.from_square), chess.square_name(move.to_square)
        if letter == "P":
            last = "=Q" * (goal[1] in "18")
            found += [f"{name[0]}x{goal}{last}", f"{name}{last}", goal + last]
        else:
            takes = "x" * board.is_capture(move)
            found.append(letter + chance.choice(("", "", *name, name)) + takes + goal)
    for text in chance.sample(found, min(20, len(found))):
        yield judge(text, board)


@pytest.mark.parametrize("seed", range(3))
def test_no_position_breaks_a_rule(seed: int) -> None:
    """A few moves lead on from a position of the core, in which rare things happen."""
    chance, fens = Random(seed), sorted({case["fen"] for case in asked(core())})
    for fen in chance.sample(fens, examples(80)):
        board = chess.Board(fen)
        for _ in range(chance.choice((1, 1, 2, 3))):
            if not board.is_game_over():
                board.push(chance.choice(list(board.legal_moves)))
        if board.is_game_over():
            continue
        position = Position(board)
        found = [("move", position.of_move(move)[1]) for move in position.legal]
        refused = map(position.of_refusal, refusals(board, chance))
        found += [("refused", values) for values in refused if values]
        for of_what, values in found:
            for rule in rules():
                if rule.of == of_what and all(values[n] in some for n, some in rule.conditions):
                    assert values[rule.other] in rule.values, (rule, board.fen())


# Answers


@ALL
def test_it_keeps_the_schema(suite: Making) -> None:
    content = json.loads(suite_bytes(suite()))
    assert not list(SCHEMA.iter_errors(content))
    assert content == suite()


def test_the_schema_names_what_the_code_names_and_refuses_the_rest() -> None:
    SCHEMA.check_schema(SCHEMA.schema)
    case = SCHEMA.schema["$defs"]["case"]["properties"]
    assert case["operation"]["enum"] == list(runner.ASKED)
    assert case["class"]["enum"] == list(runner.REJECTED)
    content = json.loads(suite_bytes(smoke()))
    entry = next(case for case in content["cases"] if case["operation"] == "read")
    assert SCHEMA.is_valid({**content, "cases": [entry]})
    wrong = {"class": "should", "expected": "e9e4", "san": None, "fen": "8/8", "colour": "grey"}
    for part, value in (wrong | {"plies": "x", "more": 1}).items():
        assert not SCHEMA.is_valid({**content, "cases": [entry | {part: value}]})


@ALL
def test_every_position_is_of_its_legal_game(suite: Making) -> None:
    """The game is replayed by python-chess, and none of its positions ended it by the Laws."""
    games, used = suite()["games"], set()
    for case in suite()["cases"]:
        if case["operation"] == "game" or case["id"].startswith("broken."):
            assert "game" not in case
            continue
        used.add(case["game"])
        replayed = chess.Board()
        for uci in games[case["game"]].split()[: case["plies"]]:
            move = chess.Move.from_uci(uci)
            assert replayed.is_legal(move)
            replayed.push(move)
        assert case["fen"] == replayed.fen(en_passant="fen")
        assert case["colour"] == ("white" if replayed.turn else "black")
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
    section = re.compile(r"[^{]*((FIDE|PGN standard|section) \d|, \d+\.\d)[^{]*\.")
    assert [case["id"] for case in core()["cases"] if not section.fullmatch(case["why"])] == []


def test_every_report_has_cases_that_can_fail_or_a_reason() -> None:
    ids = [case["id"] for case in core()["cases"] if case["class"] != "may"]
    reports = table("reports")
    assert len({report["report"] for report in reports}) == len(reports) >= 60
    for report in reports:
        assert bool(report["cases"]) != bool(report["why none"])
        for pattern in report["cases"].split():
            assert any(fnmatchcase(name, pattern) for name in ids), (report["report"], pattern)
