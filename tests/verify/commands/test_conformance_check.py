"""``sanproof conformance check``: a case that is proposed is one, or it is said why not."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sanproof.verify.commands.cli import cli
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
    ],
)
def test_what_is_no_case_is_said(change: dict[str, object], said: str, tmp_path: Path) -> None:
    done = check(tmp_path, KING | change)
    assert done.exit_code != 0
    assert said in str(done.exception) or said in done.output
