import csv
import io
import json
from collections.abc import Callable

import click
import pytest
from click.testing import CliRunner, Result

from sanproof.proofs.numbering.placements import PLACEMENTS
from sanproof.proofs.numbering.plausibility import looks_legal
from sanproof.proofs.numbering.plausible import PLAUSIBLE
from sanproof.verify.commands.positions import FORMS, position, positions
from sanproof.verify.errors import MISUSE, Failure
from tests.proofs.numbering.published import PAIRS, SIZE

NUMBER, FEN = PAIRS[-1]


@pytest.fixture
def run() -> Callable[..., Result]:
    """Runs a command; a failure is raised, as in the program, which makes a sentence of it."""

    def invoke(command: click.Command, *arguments: str) -> Result:
        return CliRunner().invoke(command, arguments, catch_exceptions=False)

    return invoke


@pytest.mark.parametrize("text", [[str(NUMBER)], [FEN], FEN.split(), [f"  {NUMBER} "]])
def test_a_number_and_a_fen_print_the_same_line(
    run: Callable[..., Result], text: list[str]
) -> None:
    assert run(position, *text).output == f"{NUMBER} {FEN}\n"


def test_placements(run: Callable[..., Result]) -> None:
    result = run(position, "--numbering", "placements", "8/8/8/8/8/8/8/8")
    assert result.output == f"{13**64 - 1} 8/8/8/8/8/8/8/8 w - - 0 1\n"


@pytest.mark.parametrize("form", FORMS)
def test_every_form_holds_the_same(run: Callable[..., Result], form: str) -> None:
    text = run(positions, "--from", "1000", "--count", "3", "--format", form).output
    expected = [(str(n), PLAUSIBLE.position(n)) for n in (1000, 1001, 1002)]
    assert read(text, form) == expected


def read(text: str, form: str) -> list[tuple[str, ...]]:
    if form == "csv":
        header, *rows = csv.reader(io.StringIO(text))
        assert header == ["number", "fen"]
        return [tuple(row) for row in rows]
    if form == "json":
        return [(item["number"], item["fen"]) for item in json.loads(text)]
    lines = text.splitlines()
    if form == "jsonl":
        return [(item["number"], item["fen"]) for item in map(json.loads, lines)]
    return [tuple(line.split(" ", 1)) for line in lines]


@pytest.mark.parametrize("form", FORMS)
def test_nothing_has_a_form_too(run: Callable[..., Result], form: str) -> None:
    assert read(run(positions, "--count", "0", "--format", form).output, form) == []


def test_a_slice_ends_with_the_last_number(run: Callable[..., Result]) -> None:
    result = run(positions, "--from", str(SIZE - 2), "--count", "9")
    assert [line.split()[0] for line in result.output.splitlines()] == [
        str(SIZE - 2),
        str(SIZE - 1),
    ]


def test_samples(run: Callable[..., Result]) -> None:
    first = run(positions, "--random", "--seed", "7", "--count", "3").output
    assert first == run(positions, "--random", "--seed", "7", "--count", "3").output
    assert first != run(positions, "--random", "--seed", "8", "--count", "3").output
    assert [line.split(" ", 1)[1] for line in first.splitlines()] == list(PLAUSIBLE.random(7, 3))


def test_legal_looking(run: Callable[..., Result]) -> None:
    result = run(positions, "--random", "--count", "300", "--legal-looking")
    expected = [fen for fen in PLAUSIBLE.random(0, 300) if looks_legal(fen)]
    assert 0 < len(expected) < 300
    assert [line.split(" ", 1)[1] for line in result.stdout.splitlines()] == expected
    assert result.stderr == f"Kept {len(expected)} of 300 positions ({len(expected) / 300:.1%}).\n"


def test_legal_looking_placements(run: Callable[..., Result]) -> None:
    result = run(
        positions, "--numbering", "placements", "--random", "--count", "5", "--legal-looking"
    )
    assert result.stderr == "Kept 0 of 5 positions (0.0%).\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "neither a whole number nor a FEN"),
        ("e4", "neither a whole number nor a FEN"),
        ("1_0", "neither a whole number nor a FEN"),
        ("\u0661", "neither a whole number nor a FEN"),
        ("-1", "from 0 to"),
        (str(SIZE), "from 0 to"),
        ("9" * 5000, "5000 digits"),
        ("8/8", "8 ranks"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "no kings"),
    ],
)
def test_bad_input_to_position(run: Callable[..., Result], text: str, message: str) -> None:
    with pytest.raises(Failure, match=message) as failure:
        run(position, "--", text)
    assert failure.value.exit_code == MISUSE
    assert str(failure.value).endswith(".")
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "1", "--random"], "do not go together"),
        (["--seed", "1"], "needs --random"),
        (["--from", str(SIZE + 1)], "from 0 to"),
        (["--from", "-1"], "from 0 to"),
    ],
)
def test_bad_input_to_positions(
    run: Callable[..., Result], arguments: list[str], message: str
) -> None:
    with pytest.raises(Failure, match=message):
        run(positions, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--from", "x"],
        ["--from", "9" * 5000],
        ["--count", "-1"],
        ["--numbering", "other"],
        ["--format", "xml"],
        ["--seed", "x"],
    ],
)
def test_options_that_cannot_be_read(run: Callable[..., Result], arguments: list[str]) -> None:
    result = run(positions, *arguments)
    assert result.exit_code == MISUSE
    assert "Traceback" not in result.output


def test_slices_of_placements(run: Callable[..., Result]) -> None:
    result = run(positions, "--from", "12", "--count", "2", "--numbering", "placements")
    assert result.output == "".join(f"{n} {PLACEMENTS.position(n)}\n" for n in (12, 13))
