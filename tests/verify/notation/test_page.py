"""docs/notation.md says what the code does: its tables, its examples, its commands."""

import re
import shlex
from pathlib import Path

import chess
import pytest
from click.testing import CliRunner

from sanproof.verify.commands.cli import cli
from sanproof.verify.notation.deviations import Deviation
from sanproof.verify.notation.illegal import Reason
from sanproof.verify.notation.reading import Verdict, read
from sanproof.verify.notation.text import LONGEST
from sanproof.verify.notation.writing import IllegalMove, write

PAGE = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")
CODES = {"Nf9": 1, "Ng1-f3!": 1, "g1e2": 0}


def table(heading: str) -> list[list[str]]:
    """The cells of the first table after a line, without its head."""
    lines = PAGE.partition(heading)[2].splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


def code(cell: str) -> str:
    return cell.strip("`")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_vocabulary_is_the_one_of_the_page() -> None:
    rows = [(code(name), meaning) for name, meaning, *_ in table("## Deviations")]
    assert rows == [(deviation.value, deviation.sentence) for deviation in Deviation]


def test_the_reasons_are_those_of_the_page() -> None:
    rows = [(code(name), meaning) for name, meaning, *_ in table("## Reasons for")]
    assert rows == [(reason.value, reason.sentence) for reason in Reason]


def test_the_verdicts_are_those_of_the_page() -> None:
    assert [code(row[0]) for row in table("## Verdicts")] == [verdict.value for verdict in Verdict]


@pytest.mark.parametrize("row", table("## Deviations"), ids=lambda row: code(row[0]))
def test_examples_of_deviations(row: list[str]) -> None:
    name, _, text, written, position = row
    fens = {place: code(fen) for place, fen in table("The positions of the examples")}
    reading = read(code(text), fens[position])
    assert reading.canonical == code(written)
    assert Deviation(code(name)) in reading.deviations


REASONS = [
    ("pinned", "Nd5", "r3k2r/p1p3pp/2n5/1B1pP1q1/1b6/2N5/PP3PPP/R1B1K2R w KQkq d6 0 1"),
    ("en-passant-exposes-king", "exd6", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1"),
    ("check-not-answered", "Ra2", "4k3/8/8/8/1b6/5N2/8/RN1QK2R w KQ - 0 1"),
    ("attacked-square", "Ke2", "4k3/8/8/8/8/7b/5r2/4K3 w - - 0 1"),
    ("castling-out-of-check", "O-O", "4k3/8/8/8/1b6/8/8/4K2R w K - 0 1"),
    ("castling-through-check", "O-O", "4k3/8/b7/8/8/8/8/4K2R w K - 0 1"),
    ("castling-into-check", "O-O", "4k3/8/8/8/8/8/7p/4K2R w K - 0 1"),
    ("castling-blocked", "O-O", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("no-castling-right", "O-O", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
    ("blocked", "e4", "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1"),
    ("no-en-passant", "exd6", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1"),
    ("nothing-to-capture", "exd6", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1"),
    ("own-piece", "Nbd2", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("promotion-missing", "a7a8", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"),
    ("promotion-to-king", "a8=K", "6r1/P1P4r/8/2QNQ3/7k/2QNQ3/1b5P/4K2R w K - 0 1"),
    ("promotion-before-last-rank", "exd=Q", "4k3/8/3p4/4P3/8/8/8/4K3 w - - 0 1"),
    ("promotion-of-piece", "Nf3=Q", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("cannot-reach", "Ne4", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1"),
    ("other-players-piece", "e7e5", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("no-such-piece", "e5", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"),
]
"""An example of each reason: a text, or for a missing promotion a move, and the position."""


@pytest.mark.parametrize(("name", "text", "fen"), REASONS, ids=[row[0] for row in REASONS])
def test_examples_of_reasons(name: str, text: str, fen: str) -> None:
    if name == Reason.PROMOTION_MISSING.value:
        with pytest.raises(IllegalMove, match=name):
            write(text, fen)
    else:
        assert read(text, fen).reason is Reason(name)


def test_every_reason_has_an_example() -> None:
    assert [name for name, _, _ in REASONS] == [reason.value for reason in Reason]


def test_every_command_prints_what_is_shown() -> None:
    seen = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            program, name, *arguments = shlex.split(line)
            assert program == "sanproof"
            result = CliRunner().invoke(cli, [name, *arguments])
            assert (result.exit_code, result.stdout) == (CODES[arguments[0]], output), line
            seen.append(arguments[0])
    assert set(seen) == set(CODES)


def test_python_is_run() -> None:
    (block,) = blocks("python")
    exec(block, {})


def test_the_bound_is_told() -> None:
    assert f"nothing longer than {LONGEST} characters" in PAGE


@pytest.mark.parametrize(
    ("text", "fen", "what"),
    [
        ("--", chess.STARTING_FEN, chess.Move.null()),
        ("a8", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", chess.IllegalMoveError),
        ("xd6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", chess.IllegalMoveError),
        ("d6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", chess.IllegalMoveError),
        ("exd6 e.p.", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", chess.InvalidMoveError),
        ("Nf3!", chess.STARTING_FEN, chess.InvalidMoveError),
        ("nf3", chess.STARTING_FEN, chess.InvalidMoveError),
        ("Kg1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", chess.IllegalMoveError),
        ("Nxf3#", chess.STARTING_FEN, chess.Move.from_uci("g1f3")),
    ],
)
def test_what_is_said_of_python_chess(
    text: str, fen: str, what: chess.Move | type[ValueError]
) -> None:
    board = chess.Board(fen)
    if isinstance(what, chess.Move):
        assert board.parse_san(text) == what
    else:
        with pytest.raises(what):
            board.parse_san(text)
