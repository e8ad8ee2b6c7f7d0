"""``sanproof read`` and ``sanproof write``: forms, exit codes, and what a user can do wrong."""

import json

import chess
import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.commands.notation import _INITIAL, read, write
from sanproof.verify.notation.reading import ReadingVerdict
from sanproof.verify.notation.reading import read as reading_of

TWO_KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"


def run(command: click.Command, *arguments: str) -> Result:
    result = CliRunner().invoke(command, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize(
    ("text", "verdict", "code"),
    [
        ("Nf3", "canonical", 0),
        ("nf3", "understandable", 1),
        ("Nf5", "illegal", 1),
        ("Nf9", "not-san", 1),
        ("", "not-san", 1),
    ],
)
def test_verdicts_and_exit_codes(text: str, verdict: str, code: int) -> None:
    result = run(read, text, "--format", "json")
    assert (result.exit_code, json.loads(result.stdout)["verdict"]) == (code, verdict)
    assert json.loads(result.stdout)["fen"] == chess.STARTING_FEN == _INITIAL
    result = run(read, text)
    assert result.exit_code == code
    assert verdict.replace("not-san", "not SAN") in result.stdout


def test_json_of_readings() -> None:
    found = json.loads(run(read, "nb1d2!", "--fen", TWO_KNIGHTS, "--format", "json").stdout)
    assert found == {
        "san": "nb1d2!",
        "fen": TWO_KNIGHTS,
        "verdict": "understandable",
        "uci": "b1d2",
        "canonical": "Nbd2",
        "deviations": ["lower-case-piece", "annotation", "excess-rank"],
        "candidates": [],
        "reason": None,
        "obstacles": [],
        "offset": None,
        "expected": None,
        "sentence": "'nb1d2!' is understandable: it denotes b1d2, written Nbd2.",
    }
    found = json.loads(run(read, "Nd2", "--fen", TWO_KNIGHTS, "--format", "json").stdout)
    assert [(c["uci"], c["san"]) for c in found["candidates"]] == [
        ("b1d2", "Nbd2"),
        ("f3d2", "Nfd2"),
    ]
    found = json.loads(run(read, "O-O", "--format", "json").stdout)
    (obstacle,) = found["obstacles"]
    assert found["reason"] == obstacle["reason"] == "castling-blocked"
    assert obstacle["by"] == ["f1", "g1"]


def test_json_of_a_writing() -> None:
    result = run(write, "b1d2", "--fen", TWO_KNIGHTS, "--format", "json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert (found["uci"], found["san"], found["twins"]) == ("b1d2", "Nbd2", ["f3"])
    assert found["fen"] == TWO_KNIGHTS
    assert len(found["explanation"]) == 2


def test_an_illegal_move_is_not_written() -> None:
    result = run(write, "e1g1")
    assert (result.exit_code, "castling-blocked" in result.stdout) == (1, True)
    result = run(write, "e1g1", "--format", "json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["san"], found["reason"]) == (1, None, "castling-blocked")


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (read, ["e4", "--fen", "8/8 w"]),
        (read, ["e4", "--fen", ""]),
        (read, ["e4", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"]),
        (read, ["e4", "--format", "xml"]),
        (read, []),
        (write, ["e2"]),
        (write, ["Nf3"]),
        (write, ["e2e4", "--fen", "hello"]),
    ],
)
def test_misuse(command: click.Command, arguments: list[str]) -> None:
    result = run(command, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith("Error: ")


def test_a_board_or_a_character_is_shown_where_one_has_to_look() -> None:
    lines = run(read, "Nd2", "--fen", TWO_KNIGHTS).stdout.splitlines()
    assert "  1  . N . . K . . ." in lines
    assert lines[-1] == "     a b c d e f g h   White to move"
    assert run(read, "Nf9").stdout.splitlines()[-2:] == ["  Nf9", "    ^"]


@given(st.text(max_size=150))
def test_any_text_is_answered_within_80_columns(text: str) -> None:
    result = run(read, "--", text)
    assert result.exit_code == (reading_of(text).verdict is not ReadingVerdict.CANONICAL)
    assert all(len(line) <= 80 or " " not in line for line in result.stdout.splitlines())


def test_the_verdicts_of_the_help_are_all() -> None:
    text = run(read, "--help").stdout
    assert all(f"\n    {verdict.value} " in text for verdict in ReadingVerdict)
