"""Positions by their numbers on the command line; the examples of docs/positions.md are run."""

import csv
import io
import json
import shlex

import chess
import click
import pytest
from click.testing import CliRunner, Result

from sanproof.proofs.numbering.placements import PLACEMENTS, Placements, read_where
from sanproof.proofs.numbering.plausibility import looks_legal
from sanproof.proofs.numbering.plausible import PLAUSIBLE
from sanproof.verify.commands.positions import FORMS, position, positions
from tests.proofs.numbering.published import PAIRS, SIZE

NUMBER, FEN = PAIRS[-1]


def run(command: click.Command, *arguments: str) -> Result:
    """Run a command; a failure is raised, as in the program, which makes a sentence of it."""
    return CliRunner().invoke(command, arguments, catch_exceptions=False)


def listed(line: str) -> Result:
    return run(positions, *shlex.split(line))


@pytest.mark.parametrize("text", [[str(NUMBER)], [FEN], FEN.split(), [f"  {NUMBER} "]])
def test_a_number_and_a_fen_print_the_same_line(text: list[str]) -> None:
    assert run(position, *text).output == f"{NUMBER} {FEN}\n"


def test_placements() -> None:
    result = run(position, "--numbering", "placements", "8/8/8/8/8/8/8/8")
    assert result.output == f"{13**64 - 1} 8/8/8/8/8/8/8/8 w - - 0 1\n"
    result = listed("--from 12 --count 2 --numbering placements")
    assert result.output == "".join(f"{n} {PLACEMENTS.position(n)}\n" for n in (12, 13))
    result = listed("--seed 0 --count 5 --numbering placements --legal-looking")
    assert result.stderr == "Kept 0 of 5 positions (0.0%).\n"


def read(text: str, form: str) -> list[tuple[str, ...]]:
    if form == "csv":
        header, *rows = csv.reader(io.StringIO(text))
        assert header == ["number", "fen"]
        return [tuple(row) for row in rows]
    if form == "text":
        return [tuple(line.split(" ", 1)) for line in text.splitlines()]
    return [(item["number"], item["fen"]) for item in json.loads(text)]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_holds_the_same(form: str) -> None:
    expected = [(str(n), PLAUSIBLE.position(n)) for n in (1000, 1001, 1002)]
    assert read(listed(f"--from 1000 --count 3 --format {form}").output, form) == expected
    assert read(listed(f"--count 0 --format {form}").output, form) == []


def test_slices_and_samples() -> None:
    lines = listed(f"--from {SIZE - 2} --count 9").output.splitlines()
    assert [line.split()[0] for line in lines] == [str(SIZE - 2), str(SIZE - 1)]
    first, again, other = (listed(f"--seed {seed} --count 3").output for seed in "778")
    assert first == again != other
    assert [line.split(" ", 1)[1] for line in first.splitlines()] == list(PLAUSIBLE.random(7, 3))


def test_legal_looking() -> None:
    result = listed("--seed 0 --count 300 --legal-looking")
    expected = [fen for fen in PLAUSIBLE.random(0, 300) if looks_legal(fen)]
    assert 0 < len(expected) < 300
    assert [line.split(" ", 1)[1] for line in result.stdout.splitlines()] == expected
    assert result.stderr == f"Kept {len(expected)} of 300 positions ({len(expected) / 300:.1%}).\n"


PLACED = "--numbering placements --where d5=P --where e1=."


def test_placements_that_fit_are_counted_directly() -> None:
    """All those near a number, tried one by one, are those that are listed; and a sample fits."""
    start = PLACEMENTS.number("PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/8/PPPP1kkk")
    near = range(start, start + 3 * 13**3)
    fitting = [n for n in near if has(PLACEMENTS.position(n), d5="P", e1=None)]
    assert len(fitting) > 100
    lines = listed(f"{PLACED} --from {start} --count {len(fitting)}").output.splitlines()
    assert [int(line.split()[0]) for line in lines] == fitting
    sample = listed(f"{PLACED} --seed 0 --count 50").output.splitlines()
    assert len({*sample}) == 50
    for line in sample:
        number, fen = line.split(" ", 1)
        assert has(fen, d5="P", e1=None)
        assert PLACEMENTS.number(fen) == int(number)


def has(fen: str, **pieces: str | None) -> bool:
    board = chess.BaseBoard(fen.split(maxsplit=1)[0])
    found = {square: board.piece_at(chess.parse_square(square)) for square in pieces}
    return pieces == {square: piece and piece.symbol() for square, piece in found.items()}


@pytest.mark.parametrize("start", [0, 1, 13**20 + 5, 7 * 13**63 + 11, 13**64 - 1])
def test_the_first_that_fits(start: int) -> None:
    among = Placements(read_where(["a8=K", "d5=P", "h1=."]))
    first = among.number(PLACEMENTS.position(start))
    if first < among.size:
        assert PLACEMENTS.number(among.position(first)) >= start
    if first:
        assert PLACEMENTS.number(among.position(first - 1)) < start
    assert among.number(among.position(among.size - 1)) == among.size - 1 == 13**61 - 1


def test_plausible_positions_that_fit_are_kept() -> None:
    every = [line.split(" ", 1)[1] for line in listed("--seed 0 --count 60").output.splitlines()]
    kept = listed("--seed 0 --count 60 --where d5=P")
    fitting = [fen for fen in every if has(fen, d5="P")]
    assert [line.split(" ", 1)[1] for line in kept.output.splitlines()[: len(fitting)]] == fitting
    assert fitting
    assert kept.stderr.startswith(f"Kept {len(fitting)} of 60 positions")
