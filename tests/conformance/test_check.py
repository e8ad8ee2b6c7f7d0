"""A case that is proposed is one, or it is said why not."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.suite.check import main
from conformance.suite.sources import read_sources
from tests.verify.command import ROOT

KING = {"mechanism": "wrong.attacked-square", "moves": "f2f3 e7e5 e2e4 d8h4", "text": "Kf2"}
Check = Callable[[object], list[str]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """What is printed of a proposal that is a case."""

    def printed(proposal: object) -> list[str]:
        path = tmp_path / "case.json"
        path.write_text(json.dumps(proposal))
        main(str(path))
        return capsys.readouterr().out.splitlines()

    return printed


def test_a_case_is_shown_as_the_suite_would_have_it(check: Check) -> None:
    case, _, line = check(KING)[:3]
    assert json.loads(case)["class"] == "must not"
    assert line == 'core | wrong.attacked-square | "Kf2" | f2f3 e7e5 e2e4 d8h4'


@pytest.mark.parametrize(
    ("proposal", "operation"),
    [
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
    (source,) = read_sources([line])
    assert source.text == proposal.get("text")


def test_the_page_shows_a_case(check: Check) -> None:
    (text,) = [
        line
        for line in (ROOT / "docs" / "cases.md").read_text("utf-8").splitlines()
        if line.startswith('{"mechanism"')
    ]
    assert check(json.loads(text))


def test_a_longer_game_than_needed_is_remarked(check: Check) -> None:
    longer = KING | {"moves": "a2a3 a7a6 f2f3 e7e5 e2e4 d8h4"}
    assert "A shorter game does: f2f3 e7e5 e2e4 d8h4" in check(longer)


def test_what_the_suite_asks_already_is_remarked(check: Check) -> None:
    core = json.loads((ROOT / "data" / "conformance" / "core.json").read_bytes())
    case = next(case for case in core["cases"] if case["mechanism"] == "castling.out")
    proposal = {
        "mechanism": case["mechanism"],
        "moves": core["games"][case["game"]],
        "text": case["san"],
    }
    assert f"{case['id']} asks this already." in check(proposal)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"text": "Ke2"}, "is canonical"),
        ({"moves": "f2f3 e7e6 e2e5"}, "e2e5 is illegal"),
        ({"mechanism": "wrong.everything"}, "no mechanism"),
        ({"mechanism": "game.x"}, "no mechanism"),
        ({"mechanism": "moves.x"}, "no mechanism"),
        ({"text": 7}, "are texts"),
        ({"more": ""}, "a proposal is an object"),
        ({"mechanism": "play.castling"}, "'Kf2' is not how a legal move is written"),
        ({"mechanism": "play.castling", "text": "Ke2"}, "is no case of play.castling"),
        ({"mechanism": "moves.everything"}, "no mechanism"),
        ({"mechanism": "moves.in-check"}, "is no case of moves.in-check"),
        ({"mechanism": "game.plain"}, "is no case of game.plain"),
    ],
)
def test_what_is_no_case_is_said(
    change: dict[str, object], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(KING | change))
    with pytest.raises(SystemExit, match="2"):
        main(str(path))
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("content", "said"), [("[", "is not JSON"), (None, "cannot be read")])
def test_what_is_no_file_of_a_case_is_said(
    content: str | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "case.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(SystemExit, match="2"):
        main(str(path))
    assert said in capsys.readouterr().err
