"""The examples of docs/positions.md are run."""

import doctest
import re
import shlex
from pathlib import Path

import chess
import click
import pytest
from click.testing import CliRunner

from sanproof.proofs.numbering.plausible import PLAUSIBLE
from sanproof.verify.commands.positions import position, positions

PAGE = Path(__file__).parents[3] / "docs" / "positions.md"


def blocks(language: str) -> list[str]:
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_python_examples() -> None:
    examples = doctest.DocTestParser().get_doctest("".join(blocks("pycon")), {}, PAGE.name, None, 0)
    assert len(examples.examples) > 9
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_the_legal_position_has_no_number() -> None:
    (fen,) = re.findall(r"such as `([^`]+)`, have no number", PAGE.read_text(encoding="utf-8"))
    assert chess.Board(fen).is_valid()
    with pytest.raises(ValueError, match="not plausible: its captures are so few"):
        PLAUSIBLE.number(fen)


def commands() -> list[tuple[str, str]]:
    parts = [re.split(r"^\$ ", block, flags=re.MULTILINE)[1:] for block in blocks("console")]
    pairs = [part.partition("\n") for block in parts for part in block]
    return [(command, output) for command, _, output in pairs]


@pytest.mark.parametrize(("command", "output"), commands())
def test_commands_print_what_is_shown(command: str, output: str) -> None:
    program = click.Group("sanproof", {"position": position, "positions": positions})
    words = shlex.split(command)
    file = words.index(">") if ">" in words else len(words)
    result = CliRunner().invoke(program, words[1:file], catch_exceptions=False)
    shown = result.stderr if file < len(words) else result.output
    assert result.exit_code == 0
    assert shown == output


def test_noticed_a_wrong_example() -> None:
    examples = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    assert doctest.DocTestRunner().run(examples, out=lambda _: None).failed == 1
