"""Help texts, the examples with which they begin, and completion."""

import shutil
import signal
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from sanproof.verify import errors
from sanproof.verify.commands.cli import MODULES, cli
from tests.verify.command import ROOT, shell

COLUMNS: Final = 80
TWO_SCREENS: Final = 60
COMMANDS: Final = [*MODULES, *(f"conformance {name}" for name in ("export", "run"))]
SLOW: Final = {"audit", "conformance", "conformance run", "find", "report", "shorten", "verify"}


def helped(name: str) -> str:
    """Return the help text of a command on a terminal of 80 columns."""
    arguments = [*name.split(), "--help"]
    done = CliRunner().invoke(cli, arguments, prog_name="sanproof", env={"COLUMNS": str(COLUMNS)})
    assert done.exit_code == 0
    return done.output


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_two_screens(name: str) -> None:
    lines = helped(name).splitlines()
    assert len(lines) <= TWO_SCREENS
    assert max(map(len, lines)) <= COLUMNS


def test_the_program_alone_lists_all_commands_and_exit_codes() -> None:
    text = helped("")
    alone = CliRunner().invoke(cli, [], prog_name="sanproof", env={"COLUMNS": str(COLUMNS)})
    assert (alone.exit_code, alone.output) == (0, text)
    found = [line.split() for line in text.splitlines() if line.startswith("  ")]
    assert set(MODULES) <= {first for first, *_ in found}
    codes = {int(first): rest for first, *rest in found if first.isdecimal()}
    assert set(codes) == {
        0,
        errors.NegativeAnswer.exit_code,
        errors.Failure.exit_code,
        errors.Undecided.exit_code,
        errors.Unfinished.exit_code,
        errors.REFUTED,
        errors.Interrupted.exit_code,
    }
    assert errors.Interrupted.exit_code == 128 + signal.SIGINT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with the files that examples name."""
    shutil.copy(ROOT / "data" / "san_strings.txt", tmp_path)
    (tmp_path / "games.pgn").write_text("1. e4 e5 2. Nf3 *\n")
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in COMMANDS],
)
def test_help_begins_with_an_example_that_works(name: str, folder: Path) -> None:
    _, _, examples, *_ = helped(name).split("\n\n")
    title, line, *_ = (line.strip() for line in examples.splitlines())
    assert title == "Try:"
    assert f"sanproof {name}" in line
    done = shell(line, folder, HOME=str(folder))
    assert (done.returncode, done.stderr.count("Error")) == (0, 0), (line, done.stderr)


def test_bash_completes_commands_and_options(tmp_path: Path) -> None:
    complete = '''eval "$(_SANPROOF_COMPLETE=bash_source sanproof)"
        COMP_WORDS=(sanproof "$@"); COMP_CWORD=$#
        _sanproof_completion sanproof; echo "${COMPREPLY[@]}"'''
    for words, found in {"exp": "explain export", "explain --arr": "--arrangements"}.items():
        done = shell(f"set -- {words}; {complete}", tmp_path)
        assert (done.stdout, done.stderr) == (f"{found}\n", "")
