"""Help texts, the examples with which they begin, what the command says alone, and completion."""

import json
import lzma
import re
import shutil
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner

from sanproof.verify.commands.cli import COMMANDS, FIRST_STEPS, cli
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
    assert not re.search(r"\bdocs/|\.md\b", text.replace("summary.md", ""))  # are not installed
    result = CliRunner().invoke(cli, [*arguments, "--version"])
    assert (result.exit_code, result.output) == (0, f"sanproof {version('sanproof')}\n")
    assert helped(arguments).count("--version") == 1  # it is added once


@pytest.mark.parametrize("arguments", EVERYTHING, ids=" ".join)
def test_the_help_of_each_option_is_a_sentence(arguments: tuple[str, ...]) -> None:
    command: click.Command = cli
    for name in arguments:
        assert isinstance(command, click.Group)
        command = command.commands[name]
    texts = [option.help for option in command.params if isinstance(option, click.Option)]
    for text in (command.short_help or "", *filter(None, texts)):
        assert re.fullmatch(r"[A-Z0-9].*(?<!\.)[.?](?: \[required\])?", text, re.DOTALL), text


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
        (("conformance", "exprot"), "'export'"),
        (("explian" * 100_000,), None),
    ],
    ids=["explian", "exprot", "long"],
)
def test_a_mistyped_command_gets_a_suggestion(typed: tuple[str, ...], meant: str | None) -> None:
    result = CliRunner().invoke(cli, typed)
    assert result.exit_code == 2
    assert f"No such command '{typed[-1]}'" in result.stderr
    assert meant is None or meant in result.stderr.partition("Did you mean")[2]
    assert ("Did you mean" in result.stderr) == (meant is not None)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Nf3", "No such command 'Nf3'. Did you mean 'sanproof explain Nf3'?"),
        ("export witnesses", "(witnesses). Did you mean '--what witnesses'?"),
        ("conformance run adapter.py", "write 'python adapter.py'."),
        ("conformance run python_chess", "write python-chess."),
        ("scan --check --out x games.pgn", "Both --check and --out were given: choose one."),
    ],
)
def test_the_command_that_was_meant_is_named(typed: str, said: str, folder: Path) -> None:
    (folder / "adapter.py").touch()
    done = shell(f"sanproof {typed}", folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"{said}\n")


SLOW: Final = (
    "audit",
    "conformance",
    "conformance run",
    "find",
    "games",
    "report",
    "shorten",
    "verify",
)
NO: Final = ("sanproof explain 'Ba1b2+'", "sanproof read 'Ng1-f3!'")
"""The commands that end with 1: a string that is impossible, and a text that is not canonical."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with the files that examples name."""
    shutil.copy(ROOT / "data" / "san_strings.txt", tmp_path)
    (tmp_path / "games.pgn").write_text("1. e4 e5 2. Nf3 *\n")
    case = {"mechanism": "wrong.attacked-square", "moves": "f2f3 e7e5 e2e4 d8h4", "text": "Kf2"}
    (tmp_path / "case.json").write_text(json.dumps(case))
    results = max((ROOT / "data" / "conformance" / "results").glob("*.json.xz"))  # the newest
    for name in ("old.json", "new.json"):
        (tmp_path / name).write_bytes(lzma.decompress(results.read_bytes()))
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else [])
     for n in map(" ".join, EVERYTHING) if n],
)  # fmt: skip
@pytest.mark.usually(2)
def test_help_begins_with_an_example_that_works(name: str, folder: Path) -> None:
    line = first_example(tuple(name.split()))
    assert line.startswith(f"sanproof {name}") or f"&& sanproof {name}" in line
    done = shell(line, folder, HOME=str(folder))
    assert (done.returncode, done.stderr.count("Error")) == (0, 0), (line, done.stderr)


def test_alone_it_shows_three_things_to_try(folder: Path) -> None:
    done = shell("sanproof", folder)
    assert (done.returncode, done.stdout) == (0, f"{FIRST_STEPS}\n")
    tries = re.findall(r"^  (sanproof .*?)  ", done.stdout, re.MULTILINE)
    assert len(tries) == 3
    for line in tries[:2]:  # the third is an example of its own command
        answer = shell(line, folder)
        assert answer.returncode == int(line in NO), line
        assert "Error" not in answer.stderr
    assert tries[2] == first_example(("conformance", "run"))


def test_bash_completes_commands_and_options(tmp_path: Path) -> None:
    complete = '''eval "$(sanproof completion bash)"
        COMP_WORDS=(sanproof "$@"); COMP_CWORD=$#
        _sanproof_completion sanproof; echo "${COMPREPLY[@]}"'''
    for words, found in {"exp": "explain export", "explain --arr": "--arrangements"}.items():
        done = shell(f"set -- {words}; {complete}", tmp_path)
        assert (done.stdout, done.stderr) == (f"{found}\n", "")
    assert "Choose from: bash, fish, zsh." in shell("sanproof completion", tmp_path).stderr


@pytest.mark.parametrize("name", ["fish", "zsh"])
def test_another_shell_gets_a_script_that_asks_the_command(name: str, tmp_path: Path) -> None:
    assert "_SANPROOF_COMPLETE" in shell(f"sanproof completion {name}", tmp_path).stdout
