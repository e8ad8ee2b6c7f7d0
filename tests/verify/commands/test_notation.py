"""``sanproof read`` and ``sanproof write``: forms, exit codes, and what a user can do wrong."""

import json
from typing import Any

import chess
import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.commands.notation import read, write
from sanproof.verify.notation.reading import ReadingVerdict
from sanproof.verify.notation.reading import read as reading_of

KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"


def run(command: click.Command, *arguments: str) -> Result:
    result = CliRunner().invoke(command, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize(
    ("command", "arguments", "code", "expected"),
    [
        (read, ["Nf3"], 0, {"verdict": "canonical", "fen": chess.STARTING_FEN, "uci": "g1f3"}),
        (read, ["Nf5"], 1, {"verdict": "illegal", "uci": None}),
        (read, ["Nf9"], 1, {"verdict": "not-san", "offset": 2}),
        (read, [""], 1, {"verdict": "not-san"}),
        (read, ["Nd2", "--fen", KNIGHTS], 1, {"verdict": "ambiguous", "fen": KNIGHTS}),
        (read, ["O-O"], 1, {"reason": "castling-blocked"}),
        (
            read,
            ["nb1d2!", "--fen", KNIGHTS],
            1,
            {
                "verdict": "understandable",
                "canonical": "Nbd2",
                "deviations": ["lower-case-piece", "annotation", "excess-rank"],
                "candidates": [],
                "obstacles": [],
                "sentence": "'nb1d2!' is understandable: it denotes b1d2, written Nbd2.",
            },
        ),
        (write, ["b1d2", "--fen", KNIGHTS], 0, {"uci": "b1d2", "san": "Nbd2", "twins": ["f3"]}),
        (write, ["e1g1"], 1, {"san": None, "reason": "castling-blocked", "uci": "e1g1"}),
    ],
)
def test_forms_and_exit_codes(
    command: click.Command, arguments: list[str], code: int, expected: dict[str, Any]
) -> None:
    result = run(command, *arguments, "--format", "json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found | expected) == (code, found)
    result = run(command, *arguments)
    said = str(expected.get("verdict") or expected.get("reason") or expected["san"])
    assert (result.exit_code, said.replace("not-san", "not SAN") in result.stdout) == (code, True)


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (read, ["e4", "--fen", "8/8 w"]),
        (read, ["e4", "--fen", ""]),
        (read, ["e4", "--format", "xml"]),
        (read, []),
        (write, ["Nf3"]),
        (write, ["e2e4", "--fen", "hello"]),
    ],
)
def test_misuse(command: click.Command, arguments: list[str]) -> None:
    result = run(command, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith("Error: ")


def test_a_board_or_a_character_is_shown_where_one_has_to_look() -> None:
    lines = run(read, "Nd2", "--fen", KNIGHTS).stdout.splitlines()
    assert "  1  . N . . K . . ." in lines
    assert lines[-1] == "     a b c d e f g h   White to move"
    assert run(read, "Nf9").stdout.splitlines()[-2:] == ["  Nf9", "    ^"]
    text = run(read, "--help").stdout
    assert all(f"\n    {verdict.value} " in text for verdict in ReadingVerdict)


@given(st.text(max_size=150))
def test_any_text_is_answered_within_80_columns(text: str) -> None:
    result = run(read, "--", text)
    assert result.exit_code == (reading_of(text).verdict is not ReadingVerdict.CANONICAL)
    assert all(len(line) <= 80 or " " not in line for line in result.stdout.splitlines())
