"""The group of commands within the command line."""

import click
import pytest
from click.testing import CliRunner

from sanproof.verify.commands.cli import cli
from sanproof.verify.commands.conformance import SUBCOMMANDS
from sanproof.verify.commands.lazy import LazyGroup
from tests.verify.command import ROOT, expect_usage, sanproof


def test_every_file_is_a_subcommand() -> None:
    files = {path.stem for path in (ROOT / "verify" / "commands").glob("conformance_*.py")}
    assert {f"conformance_{name}" for name in SUBCOMMANDS} == files
    assert "run" in SUBCOMMANDS


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_help_is_that_of_the_subcommand(name: str) -> None:
    done = CliRunner().invoke(cli, ["conformance", name, "--help"], prog_name="sanproof")
    assert done.exit_code == 0
    assert done.output.startswith(f"Usage: sanproof conformance {name} ")
    assert "--version" in done.output


@pytest.mark.parametrize("columns", [30, 50, 79])
def test_help_fits_the_terminal(columns: int) -> None:
    for arguments in ([], *([name] for name in SUBCOMMANDS)):
        line = ["conformance", *arguments, "--help"]
        done = CliRunner().invoke(cli, line, prog_name="sanproof", env={"COLUMNS": str(columns)})
        for text in done.output.splitlines():
            assert len(text) <= columns or len(text.split()) == 1, text


def test_without_a_command_the_help_is_shown() -> None:
    done = sanproof("conformance")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: sanproof conformance [OPTIONS] COMMAND")
    assert "\\n" not in done.stderr
    assert len(done.stderr.splitlines()) > 5


def test_an_unknown_subcommand_is_misuse() -> None:
    expect_usage(sanproof("conformance", "fly"), "No such command 'fly'")


def test_a_group_without_commands_has_no_list_of_them() -> None:
    empty = LazyGroup("empty", modules={})
    with click.Context(empty) as context:
        assert "Commands" not in empty.get_help(context)
