"""Help texts: each fits 80 columns, begins with an example, and says what all of them say."""

import re
from importlib.metadata import version

import pytest
from click.testing import CliRunner

from sanproof.verify.commands.cli import COMMANDS, cli
from sanproof.verify.commands.conformance import SUBCOMMANDS

COLUMNS = 80
EVERYTHING = [
    (),
    *((name,) for name in COMMANDS),
    *(("conformance", name) for name in SUBCOMMANDS),
]


def helped(arguments: tuple[str, ...]) -> str:
    """Return the help text of a command on a terminal of 80 columns."""
    result = CliRunner().invoke(
        cli, [*arguments, "--help"], prog_name="sanproof", env={"COLUMNS": str(COLUMNS)}
    )
    assert result.exit_code == 0
    return result.output


def first_example(arguments: tuple[str, ...]) -> str:
    """Return the example with which a help text begins: after the usage, before all else."""
    usage, examples, *_ = helped(arguments).split("\n\n")
    assert usage.startswith(f"Usage: {' '.join(('sanproof', *arguments))} ")
    title, first, *_ = examples.splitlines()
    assert title == "  Try:"
    return first.strip()


@pytest.mark.parametrize("arguments", EVERYTHING, ids=" ".join)
def test_help_fits_80_columns_and_begins_with_an_example(arguments: tuple[str, ...]) -> None:
    text = helped(arguments)
    assert first_example(arguments).startswith("sanproof ")
    for line in text.splitlines():
        assert len(line) <= COLUMNS
        assert line == line.rstrip()
    for forms, said in re.findall(r"(?ms)^ +--format \[(.*?)\](.*?)(?=^ +-|\Z)", text):
        assert f"[default: {forms.partition('|')[0]}]" in " ".join(said.split())
    assert not re.search(r"\bdocs/|\.md\b", text.replace("summary.md", ""))  # are not installed


@pytest.mark.parametrize("arguments", EVERYTHING, ids=" ".join)
def test_every_command_prints_the_version(arguments: tuple[str, ...]) -> None:
    for _ in range(2):  # the option is added to a command once
        result = CliRunner().invoke(cli, [*arguments, "--version"])
        assert (result.exit_code, result.output) == (0, f"sanproof {version('sanproof')}\n")
        assert helped(arguments).count("--version") == 1


@pytest.mark.parametrize(
    ("group", "names"), [((), COMMANDS), (("conformance",), SUBCOMMANDS)], ids=["all", "suite"]
)
def test_a_group_lists_its_commands_with_a_whole_sentence(
    group: tuple[str, ...], names: dict[str, str]
) -> None:
    listed = helped(group).partition("\nCommands:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^  (\S+)", listed, re.MULTILINE) == sorted(names)
    assert "..." not in listed
    assert listed.count(".") + listed.count("?") >= len(names)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("explian",), "'explain'"),
        (("Gate",), "'gate'"),
        (("positon",), "'position'"),
        (("conformance", "exprot"), "'export'"),
        (("xyz",), None),
        (("explian" * 100_000,), None),
    ],
    ids=["explian", "Gate", "positon", "exprot", "nothing near", "long"],
)
def test_a_mistyped_command_gets_a_suggestion(typed: tuple[str, ...], meant: str | None) -> None:
    result = CliRunner().invoke(cli, typed)
    assert result.exit_code == 2
    assert f"No such command '{typed[-1]}'" in result.stderr
    assert meant is None or meant in result.stderr.partition("Did you mean")[2]
    assert ("Did you mean" in result.stderr) == (meant is not None)
