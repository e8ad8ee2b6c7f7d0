"""The first minute: what the command says alone, examples that work, and completion."""

import json
import lzma
import re
import shutil
from pathlib import Path
from typing import Final

import pytest

from sanproof.verify.commands.cli import FIRST_STEPS
from tests.verify.command import ROOT, shell
from tests.verify.commands.test_help import EVERYTHING, first_example

SLOW: Final = ("audit", "conformance", "conformance run", "find", "games", "report", "verify")
NO: Final = ("sanproof explain 'Ba1b2+'", "sanproof read 'Ng1-f3!'")
"""What ends with 1: a string that is impossible, and a text that is not canonical."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that examples name."""
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
@pytest.mark.usually(5)
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
    installed = shell("sanproof completion bash --install", tmp_path, HOME=str(tmp_path))
    assert "Installed as" in installed.stdout
    place = tmp_path / ".local/share/bash-completion/completions/sanproof"
    complete = f'''source {place}
        COMP_WORDS=(sanproof "$@"); COMP_CWORD=$#
        _sanproof_completion sanproof; echo "${{COMPREPLY[@]}}"'''
    for words, found in {"exp": "explain export", "explain --arr": "--arrangements"}.items():
        done = shell(f"set -- {words}; {complete}", tmp_path)
        assert (done.stdout, done.stderr) == (f"{found}\n", "")


@pytest.mark.parametrize(
    ("name", "path"),
    [("fish", ".config/fish/completions/sanproof.fish"), ("zsh", ".zfunc/_sanproof")],
)
def test_other_shells_find_it_where_they_look(name: str, path: str, tmp_path: Path) -> None:
    install = f"sanproof completion {name} --install"
    variables = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": ""}
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text("another program's")
    assert "holds something else" in shell(install, tmp_path, **variables).stderr
    assert (tmp_path / path).read_text() == "another program's"
    (tmp_path / path).unlink()
    assert shell(install, tmp_path, **variables).returncode == 0
    printed = shell(f"sanproof completion {name}", tmp_path).stdout
    assert (tmp_path / path).read_text() == printed
    assert "_SANPROOF_COMPLETE" in printed
