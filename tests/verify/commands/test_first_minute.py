"""The first minute: what the command says alone, examples that work, and completion."""

import json
import lzma
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from sanproof.verify.commands.cli import COMMANDS, FIRST_STEPS, cli
from sanproof.verify.commands.conformance import SUBCOMMANDS
from tests.verify.command import PROGRAM, ROOT

ALL: Final = (*((name,) for name in COMMANDS), *(("conformance", name) for name in SUBCOMMANDS))
SLOW: Final = (
    ("conformance",),
    ("audit",),
    ("find",),
    ("games",),
    ("report",),
    ("verify",),
    ("conformance", "run"),
)
NO: Final = ("sanproof explain 'Ba1b2+'", "sanproof read 'Ng1-f3!'")
"""What ends with 1: a string that is impossible, and a text that is not canonical."""


def helped(arguments: tuple[str, ...]) -> list[str]:
    result = CliRunner().invoke(cli, [*arguments, "--help"], prog_name="sanproof")
    assert result.exit_code == 0
    return result.output.splitlines()


def first_example(arguments: tuple[str, ...]) -> str:
    """The example with which a help text begins: after the usage, and before all else."""
    lines = helped(arguments)
    begin = lines.index("")
    assert lines[begin + 1] == "  Try:"
    return lines[begin + 2].strip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that examples name, and this tree's command."""
    shutil.copy(ROOT / "data" / "san_strings.txt", tmp_path)
    (tmp_path / "games.pgn").write_text("1. e4 e5 2. Nf3 *\n")
    case = {"mechanism": "wrong.attacked-square", "moves": "f2f3 e7e5 e2e4 d8h4", "text": "Kf2"}
    (tmp_path / "case.json").write_text(json.dumps(case))
    results = max((ROOT / "data" / "conformance" / "results").glob("*.json.xz"))  # the newest
    for name in ("old.json", "new.json"):
        (tmp_path / name).write_bytes(lzma.decompress(results.read_bytes()))
    program = tmp_path / "bin" / "sanproof"
    program.parent.mkdir()
    head = f"#!{sys.executable}\nimport sys\nsys.path.insert(0, '{ROOT}')\n"
    program.write_text(f"{head}if __name__ == '__main__':\n    {PROGRAM}\n")
    program.chmod(0o755)
    return tmp_path


def shell(line: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(folder), **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "arguments",
    [pytest.param(a, marks=[pytest.mark.slow] if a in SLOW else [], id=" ".join(a)) for a in ALL],
)
@pytest.mark.usually(5)
def test_help_begins_with_an_example_that_works(arguments: tuple[str, ...], folder: Path) -> None:
    line = first_example(arguments)
    assert shlex.split(line)[1 : 1 + len(arguments)] == list(arguments) or "&& sanproof" in line
    done = shell(line, folder)
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


def test_bash_completes_commands_and_options(folder: Path) -> None:
    assert "Installed as" in shell("sanproof completion bash --install", folder).stdout
    place = folder / ".local/share/bash-completion/completions/sanproof"
    complete = f'''source {place}
        COMP_WORDS=(sanproof "$@"); COMP_CWORD=$#
        _sanproof_completion sanproof; echo "${{COMPREPLY[@]}}"'''
    asked = {"exp": "explain export", "explain --arr": "--arrangements"}
    for words, found in asked.items():
        done = shell(f"set -- {words}; {complete}", folder)
        assert (done.stdout, done.stderr) == (f"{found}\n", "")


@pytest.mark.parametrize(
    ("name", "path"),
    [("fish", ".config/fish/completions/sanproof.fish"), ("zsh", ".zfunc/_sanproof")],
)
def test_other_shells_find_it_where_they_look(name: str, path: str, folder: Path) -> None:
    shell(f"sanproof completion {name} --install", folder, XDG_CONFIG_HOME="")
    printed = shell(f"sanproof completion {name}", folder).stdout
    assert (folder / path).read_text() == printed
    assert "_SANPROOF_COMPLETE" in printed


def test_a_file_that_is_not_ours_stays(folder: Path) -> None:
    place = folder / ".zfunc" / "_sanproof"
    place.parent.mkdir()
    place.write_text("something else")
    done = shell("sanproof completion zsh --install", folder)
    assert done.returncode != 0
    assert "holds something else" in done.stderr
    assert place.read_text() == "something else"
