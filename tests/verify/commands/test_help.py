"""Help texts on terminals of any width: no line is cut in the middle of a word."""

import re
from importlib.metadata import version

import pytest
from click.testing import CliRunner

from sanproof.verify.commands.cli import COMMANDS, cli

ASKED = [(), *[(name,) for name in COMMANDS]]


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
