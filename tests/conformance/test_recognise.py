"""A case has the mechanism that its id names, and none that the name excludes; proposals too."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import chess
import pytest

from conformance.suite.build import cases_of, further_suite
from conformance.suite.check import MAX_PROPOSAL_BYTES, main
from conformance.suite.mechanisms import MECHANISMS
from conformance.suite.recognise import FURTHER, wrong_with
from conformance.suite.recognise_positions import NAMES, PLAYED
from conformance.suite.recognise_texts import TEXTS
from conformance.suite.sources import position, read_source, sources
from sanproof.reports.tables.rows import RowError
from sanproof.verify.errors import Failure
from tests.verify.command import ROOT

TWO_RANKS = {"play.rook-two-ranks", "play.queen-two-ranks"}
EXCLUSIVE = (
    {"castling.kingside", "castling.queenside"},
    {name for name in TEXTS if not name.startswith("text.")} | {"wrong.cannot-reach"},
    {"text.excess-file", "text.excess-for-pinned-twin"},
    {"text.double-plus-for-mate", "text.double-plus-for-double-check"},
    {"en-passant.diagonal-pin", "en-passant.file-pin"},
    {f"promotion.{how}-{what}" for how in ("push", "capture") for what in ("queen", "rook")},
    {f"mate.by-{kind}" for kind in ("queen", "rook", "bishop", "knight", "pawn", "king")},
    {"disambiguation.none", "disambiguation.file", "disambiguation.rank", "disambiguation.square"},
    {*PLAYED} - {"play.castling-right", "play.passed-square"} - TWO_RANKS,
)
"""Names of which a case has one; those of ``LEFT`` are what the more special ones leave."""
LEFT = {"wrong.cannot-reach", "wrong.less-than-needed"}


@cache
def known(name: str) -> list[tuple[chess.Board, str]]:
    found = [s for s in sources() if s.mechanism == name and s.level and s.text is not None]
    return [(position(source), source.text or "") for source in found]


def confused() -> Iterator[tuple[str, str, str]]:
    """Yield the cases that would also pass under another name of a group."""
    for group in EXCLUSIVE:
        for name in group:
            assert known(name)
            for board, text in known(name)[:6]:
                for other in group - {name} - LEFT:
                    if wrong_with(other, board, text) is None:
                        yield name, other, text


def test_no_case_fits_a_name_that_its_own_excludes() -> None:
    assert list(confused()) == []


START = chess.STARTING_FEN


@pytest.mark.parametrize(
    ("name", "fen", "text"),
    [
        ("wrong.no-move", START, "Nf9"),
        ("wrong.no-square", START, "xyNf3"),
        ("wrong.empty", START, "Nf9"),
        ("wrong.king-takes-rook", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kg3"),
        ("wrong.bishop-for-pawn", "4k3/8/8/8/8/p7/8/1B2K3 w - - 0 1", "bxa3"),
        ("play.rook-captured", "r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Rxa8+"),
        ("play.double-push", START, "e4"),
        ("play.double-push-idle", START, "e3"),
        ("play.quiet", START, "e4"),
        ("play.quiet", START, "Nf6"),
        ("moves.promotion", START, None),
        ("moves.initial", START, "e4"),
        ("game.plain", START, "e4"),
        ("game.ambiguous-move", START, "Nf3"),
    ],
)
def test_a_case_under_a_wrong_name_is_refused(name: str, fen: str, text: str | None) -> None:
    assert wrong_with(name, chess.Board(fen), text) is not None


def test_every_mechanism_is_known_and_has_a_source() -> None:
    found = list(sources())
    asked = {source.mechanism for source in found}
    assert asked == NAMES | set(MECHANISMS)
    moves = {name for name, mechanism in MECHANISMS.items() if mechanism.sort == "move"}
    assert set(FURTHER) <= moves | {"en-passant.diagonal-pin", "en-passant.file-pin"}
    assert set(TEXTS) <= set(MECHANISMS) - moves
    seen = [(source.mechanism, source.text, source.moves) for source in found]
    assert len(set(seen)) == len(seen)


RIGHT = 'core | disambiguation.file | "Nbd7" | g1f3 g8f6 d2d4 d7d6 e2e3'


def built(line: str) -> list[tuple[str, str, object]]:
    source = read_source(line.split(" | "))
    cases = cases_of(source, position(source), 1)
    return [(case["operation"], case["class"], case["expected"]) for case in cases]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("core", "most"),
        ('"Nbd7"', "Nbd7"),
        ("e2e3", "e2e5"),
        ("disambiguation.file", "disambiguation.rank"),
        ("disambiguation.file", "disambiguation.pinned-twin"),
        ("disambiguation.file", "check.direct"),
        ("disambiguation.file", "wrong.pinned"),
        ("disambiguation.file", "text.missing-x"),
        ("disambiguation.file", "no-such"),
        ("Nbd7", "Nd7"),
        ("Nbd7", "Nb8d7"),
    ],
)
def test_a_wrong_source_is_an_error(old: str, new: str) -> None:
    assert built(RIGHT) == [
        ("read", "must", "b8d7"),
        ("write", "must", "Nbd7"),
    ]
    assert old in RIGHT
    with pytest.raises(RowError):
        built(RIGHT.replace(old, new))


# Proposals

KING = {"mechanism": "wrong.attacked-square", "moves": "f2f3 e7e5 e2e4 d8h4", "text": "Kf2"}
Check = Callable[[object], list[str]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Return a function that returns what is printed of a proposal that is a case."""

    def printed(proposal: object) -> list[str]:
        path = tmp_path / "case.json"
        path.write_text(json.dumps(proposal))
        assert main([str(path)]) == 0
        return capsys.readouterr().out.splitlines()

    return printed


@pytest.mark.parametrize(
    ("proposal", "operation"),
    [
        (KING, "read"),
        ({"mechanism": "play.quiet", "moves": "e2e4 e7e5", "text": "Nf3"}, "play"),
        ({"mechanism": "moves.check", "moves": "e2e4 f7f6"}, "moves"),
        ({"mechanism": "game.plain", "moves": "e2e4 e7e5 g1f3"}, "game"),
        ({"mechanism": "game.illegal-move", "moves": "e2e4 e7e5", "text": "Nf4"}, "game"),
    ],
)
def test_every_operation_can_be_proposed(
    proposal: dict[str, str], operation: str, check: Check
) -> None:
    case, _, line = check(proposal)[:3]
    assert json.loads(case)["operation"] == operation
    assert json.loads(case)["id"] not in {case["id"] for case in further_suite()["cases"]}
    source = read_source(line.split(" | "))
    assert source.text == proposal.get("text")
    assert source.moves == tuple(proposal["moves"].split())


def test_the_page_shows_a_case(check: Check) -> None:
    page = (ROOT / "docs" / "test-your-library.md").read_text("utf-8")
    (text,) = [line for line in page.splitlines() if line.startswith('{"mechanism"')]
    assert check(json.loads(text))


def test_what_could_be_better_is_remarked(check: Check) -> None:
    longer = KING | {"moves": "a2a3 a7a6 f2f3 e7e5 e2e4 d8h4"}
    assert "A shorter game does: f2f3 e7e5 e2e4 d8h4" in check(longer)
    core = json.loads((ROOT / "data" / "conformance" / "core.json").read_bytes())
    case = next(case for case in core["cases"] if case["mechanism"] == "castling.out")
    proposal = {"mechanism": "castling.out", "moves": core["games"][case["game"]]}
    assert f"{case['id']} asks this already." in check(proposal | {"text": case["san"]})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (KING | {"text": "Ke2"}, "is canonical"),
        (KING | {"moves": "f2f3 e7e6 e2e5"}, "e2e5 is illegal"),
        (KING | {"mechanism": "wrong.attacked"}, "names like it: wrong.attacked-square"),
        (KING | {"mechanism": "odd"}, "those that fit: wrong.attacked-square. A new one is"),
        (KING | {"mechanism": "game.x"}, "no mechanism"),
        (KING | {"text": 7}, "are texts"),
        (KING | {"more": ""}, "a proposal is an object"),
        (KING | {"mechanism": "play.castling"}, "'Kf2' is not how a legal move is written"),
        (KING | {"mechanism": "play.castling", "text": "Ke2"}, "is no case of play.castling"),
        (KING | {"mechanism": "moves.in-check"}, "is no case of moves.in-check"),
        (KING | {"mechanism": "game.plain"}, "is no case of game.plain"),
        ("[", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        (" " * (MAX_PROPOSAL_BYTES + 1), "holds more than 1 MiB"),
    ],
)
def test_what_is_no_case_is_said(content: object, said: str, tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(Failure, match=r"[^.]\.$") as failed:
        main([str(path)])
    assert said in str(failed.value)
    assert failed.value.exit_code == 2


@pytest.mark.parametrize("module", ["conformance.suite.check", "conformance.keep"])
@pytest.mark.parametrize("path", ["missing.json", "tests", "/dev/zero"])
def test_a_file_that_cannot_be_read_is_said_in_a_sentence(module: str, path: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", module, path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert path in run.stderr
