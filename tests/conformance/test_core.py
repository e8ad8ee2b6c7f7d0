"""Every case of the core, judged by python-chess alone and by sanproof read and write."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn
import pytest
from jsonschema import Draft202012Validator

from conformance.suite.build import PUBLIC
from conformance.suite.mechanisms import MECHANISMS, MoveMechanism
from conformance.suite.publish import publish, schema_bytes, suite_bytes
from sanproof.verify.conformance.suite import Case, Demand, Operation, Suite, suite_of
from sanproof.verify.notation.reading import ReadingVerdict, read
from sanproof.verify.notation.writing import write
from tests.conformance.suites import core, further, smoke
from tests.verify.command import ROOT

Making = Callable[[], Suite]
PUBLISHED = ROOT / "data" / "conformance"
ALL = pytest.mark.parametrize("suite", [smoke, further], ids=["smoke", "further"])
MOST_CASES = 1500
MOST_OF_SMOKE = 150
LEAST_REPORTS = 60
GUESSED = ("wrong.null-move", "wrong.other-language", "wrong.rook-of-castling")
"""Texts that denote no move and that some programs read on purpose."""
MOST_BYTES = 700_000


def of(suite: Making, *operations: Operation) -> list[Case]:
    return [case for case in suite().cases if case.operation in operations]


def board(case: Case) -> chess.Board:
    return chess.Board(case.fen or "")


def test_the_published_files_are_what_the_code_makes() -> None:
    assert (PUBLISHED / "core.json").read_bytes() == suite_bytes(core())
    assert (PUBLISHED / "smoke.json").read_bytes() == suite_bytes(smoke())
    assert (PUBLISHED / "schema.json").read_bytes() == schema_bytes()


def test_publishing_writes_the_same_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "suite"
    assert publish(folder) == ["core.json", "schema.json", "smoke.json"]
    for path in folder.iterdir():
        assert path.read_bytes() == (PUBLISHED / path.name).read_bytes()


def test_the_core_is_small() -> None:
    assert len(core().cases) <= MOST_CASES
    assert len(suite_bytes(core())) < MOST_BYTES
    assert 0 < len(smoke().cases) <= MOST_OF_SMOKE


@ALL
@pytest.mark.usually(1)
def test_it_keeps_the_schema(suite: Making) -> None:
    schema = json.loads(schema_bytes())
    Draft202012Validator.check_schema(schema)
    content = json.loads(suite_bytes(suite()))
    assert not list(Draft202012Validator(schema).iter_errors(content))
    assert suite_of(content) == suite()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("class", "should"),
        ("expected", "e9e4"),
        ("san", None),
        ("fen", "8/8"),
        ("colour", "grey"),
        ("plies", "x"),
        ("more", 1),
    ],
)
def test_the_schema_refuses(part: str, value: object) -> None:
    content = json.loads(suite_bytes(core()))
    case = next(case for case in content["cases"] if case["operation"] == "read")
    case[part] = value
    validator = Draft202012Validator(json.loads(schema_bytes()))
    assert not validator.is_valid(content)


@ALL
def test_ids_are_sorted_and_used_once(suite: Making) -> None:
    ids = [case.id for case in of(suite, *Operation)]
    assert ids == sorted(set(ids))


def test_each_suite_is_part_of_the_next() -> None:
    def content(case: Case) -> tuple[object, ...]:
        return (case.id, case.fen, case.asked, case.demand, str(case.expected), case.why)

    parts = [{content(case) for case in suite().cases} for suite in (smoke, core, further)]
    assert parts[0] < parts[1] < parts[2]


@ALL
def test_every_position_is_of_its_legal_game(suite: Making) -> None:
    """The game is replayed by python-chess, and none of its positions ended it by the Laws."""
    games = suite().games
    used = set()
    for case in of(suite, *Operation):
        if case.operation is Operation.GAME:
            continue
        if case.id.startswith("broken."):
            assert case.game is None
            continue
        assert case.game is not None
        used.add(case.game)
        moves = games[case.game].split()
        assert case.plies == len(moves)
        replayed = chess.Board()
        for uci in moves:
            move = chess.Move.from_uci(uci)
            assert replayed.is_legal(move)
            replayed.push(move)
            assert not replayed.is_seventyfive_moves()
            assert not replayed.is_insufficient_material()
        assert not replayed.is_fivefold_repetition()
        fens = {replayed.fen(en_passant="legal"), replayed.fen(en_passant="fen")}
        assert case.fen in fens
        assert case.colour == ("white" if replayed.turn else "black")
    assert used == set(range(len(games)))


@ALL
def test_readings_by_python_chess(suite: Making) -> None:
    """Must: the only legal move that is written so. Must not: python-chess reads none either."""
    for case in of(suite, Operation.READ):
        if case.id.startswith("broken."):
            continue
        position, text = board(case), case.asked or ""
        written = {position.san(move): move.uci() for move in position.legal_moves}
        if case.demand is Demand.MUST:
            assert written[text] == case.expected == position.parse_san(text).uci()
            continue
        assert text not in written, case.id
        if case.demand is Demand.MUST_NOT:
            with pytest.raises(ValueError, match=r"san|no matching legal move"):
                position.parse_san(text)
        elif case.mechanism not in GUESSED:
            assert case.expected in written.values()


@ALL
def test_readings_by_enumeration(suite: Making) -> None:
    """Must not: no legal move, or several, agree with what is written of piece and squares."""
    for case in of(suite, Operation.READ):
        text = case.asked or ""
        if case.id.startswith("broken.") or not text.isascii() or len(text) > 10:
            continue
        if case.demand is not Demand.MUST_NOT or not text.isalnum() or text[0] not in "QRBNK":
            continue
        position = board(case)
        origin, to = text[1:-2].replace("x", ""), text[-2:]
        agreeing = [
            move
            for move in position.legal_moves
            if chess.square_name(move.to_square) == to
            and all(part in chess.square_name(move.from_square) for part in origin)
            and position.piece_at(move.from_square)
            == chess.Piece.from_symbol(text[0] if position.turn else text[0].lower())
            and not position.is_castling(move)
        ]
        assert len(agreeing) != 1, case.id


@ALL
def test_readings_by_sanproof(suite: Making) -> None:
    verdicts = {
        Demand.MUST: {ReadingVerdict.CANONICAL},
        Demand.MAY: {ReadingVerdict.UNDERSTANDABLE},
        Demand.MUST_NOT: {ReadingVerdict.AMBIGUOUS, ReadingVerdict.ILLEGAL, ReadingVerdict.NOT_SAN},
    }
    for case in of(suite, Operation.READ):
        if not case.id.startswith("broken.") and case.mechanism not in GUESSED:
            reading = read(case.asked or "", case.fen or "")
            assert reading.verdict in verdicts[case.demand], case.id
            assert reading.uci == case.expected


@ALL
def test_writings(suite: Making) -> None:
    for case in of(suite, Operation.WRITE):
        position = board(case)
        assert case.expected == position.san(chess.Move.from_uci(case.asked or ""))
        assert case.expected == write(case.asked or "", case.fen or "").san


@ALL
def test_moves_and_positions(suite: Making) -> None:
    for case in of(suite, Operation.MOVES):
        position = board(case)
        assert sorted(case.expected) == sorted(map(position.san, position.legal_moves))
    for case in of(suite, Operation.PLAY):
        position = board(case)
        position.push_san(case.asked or "")
        customs = {"always": "fen", "pseudo-legal": "xfen", "legal": "legal"}
        for custom, named in customs.items():
            assert case.expected[custom] == position.fen(en_passant=named)  # type: ignore[arg-type]


def test_customs_can_be_told_apart() -> None:
    played = [case.expected for case in of(core, Operation.PLAY)]
    for one, other in (("always", "pseudo-legal"), ("pseudo-legal", "legal")):
        assert any(fens[one] != fens[other] for fens in played)


def missing(suite: Making, least: int) -> list[tuple[str, str, Operation]]:
    """The mechanisms with fewer cases of a player and an operation."""
    seen = Counter(
        (case.mechanism, case.colour, case.operation)
        for case in of(suite, Operation.READ, Operation.WRITE)
    )
    return [
        (name, colour, operation)
        for name, mechanism in MECHANISMS.items()
        for colour in ("white", "black")
        for operation in (Operation.READ, Operation.WRITE)
        if isinstance(mechanism, MoveMechanism) or operation is Operation.READ
        if seen[name, colour, operation] < least
    ]


def test_the_full_suite_has_every_mechanism_twice_for_each_player_and_operation() -> None:
    assert missing(further, 2) == []


def test_the_core_has_every_mechanism_for_each_player_and_operation() -> None:
    """Texts that have nothing to do with the player are there for one of them."""
    of_texts = ("text.", "wrong.")
    assert [lost for lost in missing(core, 1) if not lost[0].startswith(of_texts)] == []
    assert {case.mechanism for case in core().cases} >= set(MECHANISMS)


def test_every_report_has_cases_that_can_fail_or_a_reason() -> None:
    ids = {case.id: case for case in core().cases}
    assert len(PUBLIC) == len({report.url for report in PUBLIC}) >= LEAST_REPORTS
    for report in PUBLIC:
        assert bool(report.cases) != bool(report.why_none)
        for name in report.cases:
            assert report.url in ids[name].reports
            assert ids[name].demand is not Demand.MAY


def test_a_why_is_one_sentence() -> None:
    for case in further().cases:
        assert case.why.endswith(".")
        assert "{" not in case.why
