"""Help texts, the examples with which they begin, what the command says alone, and completion."""

import json
import lzma
import re
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from sanproof.verify.commands.cli import COMMANDS, cli
from sanproof.verify.commands.conformance import SUBCOMMANDS
from tests.verify.command import ROOT, shell

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
    result = CliRunner().invoke(cli, [*arguments, "--version"])
    assert (result.exit_code, result.output) == (0, f"sanproof {version('sanproof')}\n")
    assert helped(arguments).count("--version") == 1  # it is added once


SLOW: Final = (
    "audit",
    "conformance",
    "conformance run",
    "find",
    "report",
    "shorten",
    "verify",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with the files that examples name."""
    shutil.copy(ROOT / "data" / "san_strings.txt", tmp_path)
    (tmp_path / "games.pgn").write_text("1. e4 e5 2. Nf3 *\n")
    case = {"mechanism": "wrong.attacked-square", "moves": "f2f3 e7e5 e2e4 d8h4", "text": "Kf2"}
    (tmp_path / "case.json").write_text(json.dumps(case))
    results = ROOT / "data" / "conformance" / "results.json.xz"
    for name in ("old.json", "new.json"):
        (tmp_path / name).write_bytes(lzma.decompress(results.read_bytes()))
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else [])
     for n in map(" ".join, EVERYTHING) if n],
)  # fmt: skip
def test_help_begins_with_an_example_that_works(name: str, folder: Path) -> None:
    line = first_example(tuple(name.split()))
    assert line.startswith(f"sanproof {name}") or f"&& sanproof {name}" in line
    done = shell(line, folder, HOME=str(folder))
    assert (done.returncode, done.stderr.count("Error")) == (0, 0), (line, done.stderr)


def test_bash_completes_commands_and_options(tmp_path: Path) -> None:
    complete = '''eval "$(sanproof completion bash)"
        COMP_WORDS=(sanproof "$@"); COMP_CWORD=$#
        _sanproof_completion sanproof; echo "${COMPREPLY[@]}"'''
    for words, found in {"exp": "explain export", "explain --arr": "--arrangements"}.items():
        done = shell(f"set -- {words}; {complete}", tmp_path)
        assert (done.stdout, done.stderr) == (f"{found}\n", "")
    assert "Choose from: bash, fish, zsh." in shell("sanproof completion", tmp_path).stderr
