"""``sanproof conformance check``: a case that is proposed is one, or it is said why not."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sanproof.verify.commands.cli import cli
from sanproof.verify.conformance.cases.sources import read_sources
from tests.verify.command import ROOT

KING = {"mechanism": "wrong.attacked-square", "moves": "f2f3 e7e5 e2e4 d8h4", "text": "Kf2"}


def check(folder: Path, proposal: object) -> Result:
    path = folder / "case.json"
    path.write_text(json.dumps(proposal))
    line = ["conformance", "check", str(path)]
    return CliRunner().invoke(cli, line, prog_name="sanproof")


def test_a_case_is_shown_as_the_suite_would_have_it(tmp_path: Path) -> None:
    done = check(tmp_path, KING)
    assert done.exit_code == 0, done.exception
    case, _, line = done.output.splitlines()[:3]
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
    proposal: dict[str, str], operation: str, tmp_path: Path
) -> None:
    done = check(tmp_path, proposal)
    assert done.exit_code == 0, done.exception
    case, _, line = done.output.splitlines()[:3]
    assert json.loads(case)["operation"] == operation
    (source,) = read_sources([line])
    assert source.text == proposal.get("text")


def test_the_page_shows_a_case(tmp_path: Path) -> None:
    (text,) = [
        line
        for line in (ROOT / "docs" / "cases.md").read_text("utf-8").splitlines()
        if line.startswith('{"mechanism"')
    ]
    assert check(tmp_path, json.loads(text)).exit_code == 0


def test_a_longer_game_than_needed_is_remarked(tmp_path: Path) -> None:
    done = check(tmp_path, KING | {"moves": "a2a3 a7a6 f2f3 e7e5 e2e4 d8h4"})
    assert "A shorter game does: f2f3 e7e5 e2e4 d8h4" in done.output


def test_what_the_suite_asks_already_is_remarked(tmp_path: Path) -> None:
    core = json.loads((ROOT / "data" / "conformance" / "core.json").read_bytes())
    case = next(case for case in core["cases"] if case["mechanism"] == "castling.out")
    proposal = {
        "mechanism": case["mechanism"],
        "moves": core["games"][case["game"]],
        "text": case["san"],
    }
    assert f"{case['id']} asks this already." in check(tmp_path, proposal).output


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
def test_what_is_no_case_is_said(change: dict[str, object], said: str, tmp_path: Path) -> None:
    done = check(tmp_path, KING | change)
    assert done.exit_code != 0
    assert said in str(done.exception) or said in done.output
