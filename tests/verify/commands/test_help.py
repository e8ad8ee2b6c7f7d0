"""Help texts on terminals of any width: no line is cut in the middle of a word."""

import re
from importlib.metadata import version
from itertools import pairwise

import pytest
from click.testing import CliRunner

from sanproof.verify.commands.cli import COMMANDS, cli

ASKED = [(), *[(name,) for name in COMMANDS]]
EVERYTHING = [*ASKED, *[("conformance", name) for name in ("export", "report", "run")]]


def helped(arguments: tuple[str, ...], columns: int) -> str:
    """The help text of a command on a terminal of this width."""
    result = CliRunner().invoke(
        cli, [*arguments, "--help"], prog_name="sanproof", env={"COLUMNS": str(columns)}
    )
    assert result.exit_code == 0
    return result.output


@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
@pytest.mark.parametrize("columns", [30, 40, 50, 60, 79, 100])
def test_lines_fit_and_no_word_is_cut(arguments: tuple[str, ...], columns: int) -> None:
    text = helped(arguments, columns)
    whole = set(helped(arguments, 500).split())
    for line in text.splitlines():
        assert len(line) <= columns or len(line.split()) == 1, line
        assert line == line.rstrip()
        for word in set(line.split()) - whole:  # is a part of one that was cut where it may be
            assert any(
                re.search(rf"(^|[,|]){re.escape(word)}([,|]|$)|{re.escape(word)}(?<=[,|])", w)
                for w in whole
            ), word


@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_nothing_is_left_out(arguments: tuple[str, ...]) -> None:
    narrow, wide = ("".join(helped(arguments, columns).split()) for columns in (40, 500))
    assert narrow == wide


@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_every_command_tells_the_version(arguments: tuple[str, ...]) -> None:
    for _ in range(2):  # the option is added to a command once
        result = CliRunner().invoke(cli, [*arguments, "--version"])
        assert (result.exit_code, result.output) == (0, f"sanproof {version('sanproof')}\n")
        assert helped(arguments, 80).count("--version") == 1


@pytest.mark.parametrize("arguments", EVERYTHING, ids=" ".join)
def test_lines_are_full(arguments: tuple[str, ...]) -> None:
    """What continues a line begins where it does, and holds what had no room there."""
    lines = helped(arguments, 80).splitlines()
    for line, after in pairwise(lines):
        begins = len(after) - len(after.lstrip(" "))
        text = line[begins:]
        if begins > 8 and after.strip() and text.strip() and line[begins - 2 : begins] == "  ":
            assert len(line) + 1 + len(after.split()[0]) > 78, after


@pytest.mark.parametrize("arguments", EVERYTHING, ids=" ".join)
def test_no_help_sends_to_a_file_that_is_not_installed(arguments: tuple[str, ...]) -> None:
    assert not re.search(r"\bdocs/|\.md\b", helped(arguments, 80).replace("summary.md", ""))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("explian",), "'explain'"),
        (("Gate",), "'gate'"),
        (("positon",), "'position' or 'positions'"),
        (("conformance", "exprot"), "'export'"),
    ],
)
def test_a_mistyped_command_gets_a_suggestion(typed: tuple[str, ...], meant: str) -> None:
    result = CliRunner().invoke(cli, typed)
    assert result.exit_code == 2
    assert f"No such command '{typed[-1]}'. Did you mean {meant}?" in result.stderr


@pytest.mark.parametrize("typed", ["xyz", "explian" * 100_000, "-explain"])
def test_nothing_near_gets_none(typed: str) -> None:
    result = CliRunner().invoke(cli, [typed])
    assert result.exit_code == 2
    assert "Did you mean" not in result.stderr


@pytest.mark.parametrize("arguments", EVERYTHING, ids=" ".join)
def test_a_form_says_which_is_printed_by_default(arguments: tuple[str, ...]) -> None:
    option = r"(?ms)^ +--format \[(.*?)\](.*?)(?=^ +-|\Z)"
    for forms, said in re.findall(option, helped(arguments, 500)):
        assert f"[default: {forms.partition('|')[0]}]" in " ".join(said.split())
