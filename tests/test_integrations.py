"""The parts that others' builds take from here: the actions and the hooks, run as they would be."""

import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.verify.command import ROOT, program
from tests.verify.conformance.suites import hostile, write_suite

ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
SUITE_ACTION = (ROOT / "conformance" / "action.yml").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
LISTS = [str(ROOT / "data" / name) for name in ("san_strings.txt", "san_strings_with_symbols.txt")]


def run_step(
    home: Path, name: str, given: dict[str, str], action: str = ACTION
) -> subprocess.CompletedProcess[str]:
    """Run a step of an action as a runner does: bash, without profiles, stopping at errors.

    Inputs that are not given are as the action states them.
    """
    names = re.findall(r"SANPROOF_(\w+): \$\{\{ inputs\.(\w+) \}\}", action)
    stated = r'^  (\w+):\n    description: .*\n    default: "?(.*?)"?$'
    usual = dict(re.findall(stated, action, re.MULTILINE))
    inputs = {variable: usual.get(name, "") for variable, name in names}
    inputs |= {name.upper(): value for name, value in ({"home": str(home)} | given).items()}
    script = re.search(
        r"\n( +)run: \|\n((?:\1 .*\n|\n)+)", action.partition(f"- name: {name}\n")[2]
    )
    assert script is not None
    (home / "step.sh").write_text(textwrap.dedent(script[2]))
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "step.sh"],
        cwd=home,
        env={**os.environ, **{f"SANPROOF_{name}": value for name, value in inputs.items()}},
        capture_output=True,
        text=True,
        check=False,
    )


PYTHON = """#!/bin/bash
flags=()
while [ "$1" != -m ]; do flags+=("$1"); shift; done
shift 2
exec {python} "${{flags[@]}}" {program} "$@"
"""
"""Runs a program of this tree as a module would run, with the flags that it was called with."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder such as the step that installs leaves behind, with this tree's sanproof."""
    sanproof = program(tmp_path / "home")
    python = sanproof.with_name("python")
    python.write_text(PYTHON.format(python=sys.executable, program=sanproof))
    python.chmod(0o755)
    return sanproof.parents[1]


@pytest.fixture
def suite(home: Path) -> str:
    """Write a small suite to a file whose name is no friend of shells."""
    path = home / "my suite; exit 3.json"
    write_suite(home).rename(path)
    return str(path)


RIGHT, EVIL = hostile("right"), hostile("gives both")
GATE = [
    ({"files": "\n".join([*LISTS, ""])}, 0, "is exactly right"),
    (
        {"files": "wrong list.txt"},
        1,
        "::error file=wrong list.txt,line=9759,title=sanproof%3A not",
    ),
    ({"files": "my list; exit 3.txt", "list": "bare"}, 0, "is exactly right"),
    ({"files": "none.txt"}, 2, "::error::sanproof: "),
    ({"files": "--help\n-"}, 2, ""),
    ({}, 2, ""),
]
GAMES = [
    ({"games": "a game; exit 3.pgn\n"}, 0, ""),
    (
        {"games": "b.pgn"},
        1,
        "::error file=b.pgn,line=1,col=13,endColumn=18,title=sanproof%3A excess-square::",
    ),
    ({"games": "--help"}, 2, "::error::"),
]
RUN = [
    ({"command": RIGHT}, 0, "20 of 20 cases passed"),
    ({"command": f"cd / && {EVIL}"}, 1, "::error title=hostile 1%3A initial.Nc3"),
    ({"command": EVIL, "known": "known failures.txt"}, 0, ""),
    ({"command": EVIL, "only": "initial.N?3", "skip": "*.Nc3\n*.Na3"}, 0, "2 of 2 cases"),
    ({"command": EVIL, "only": "initial.N?3\n\n$(touch PWNED)*\n"}, 2, ""),
    ({"command": "--help"}, 4, ""),
]
STEPS = [("Gate", case) for case in GATE] + [("Check games", case) for case in GAMES]


@pytest.mark.parametrize(("step", "case"), [*STEPS, *(("Run", case) for case in RUN)])
def test_a_step_of_an_action(
    home: Path, suite: str, step: str, case: tuple[dict[str, str], int, str]
) -> None:
    given, code, said = case
    strings = Path(LISTS[0]).read_text()
    for name, text in {
        "wrong list.txt": f"{strings}\ne9\n",
        "my list; exit 3.txt": strings,
        "a game; exit 3.pgn": "1. e4 e5 2. Nf3 *\n",
        "b.pgn": "1. e4 e5 2. Ng1f3 *\n",
        "known failures.txt": "initial.Nc3\n",
    }.items():
        (home / name).write_text(text)
    is_run = step == "Run"
    more = {"suite": suite} if is_run else {}
    done = run_step(home, step, given | more, SUITE_ACTION if is_run else ACTION)
    assert (done.returncode, said in done.stdout) == (code, True), done
    assert not list(home.glob("PWNED*"))


@pytest.mark.parametrize("step", ["Check games", "Gate", "Run"])
def test_the_environment_chooses_no_code(
    home: Path, suite: str, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chess project may have a `chess.py`, and name its own folder in PYTHONPATH."""
    games = home / "games.pgn"
    games.write_text("1. e4 e5 *\n")
    for name in ("chess", "click", "sanproof"):
        (home / f"{name}.py").write_text(f"open('{home}/PWNED', 'w')\n")
    monkeypatch.setenv("PYTHONPATH", ".")
    given = {"games": str(games), "files": LISTS[0]}
    given |= {"command": hostile("right"), "suite": suite} if step == "Run" else {}
    done = run_step(home, step, given, SUITE_ACTION if step == "Run" else ACTION)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (home / "PWNED").exists()


@pytest.mark.parametrize(
    ("name", "file", "content", "said"),
    [
        ("sanproof-gate", "san_strings.txt", Path(LISTS[0]).read_text(), "is exactly right"),
        ("sanproof-scan", "a.pgn", "1. e4 e5 *\n", "all moves are canonical SAN"),
    ],
)
def test_no_name_of_a_file_is_an_option_of_a_hook(
    name: str, file: str, content: str, said: str, home: Path
) -> None:
    """pre-commit splits the entry as a shell does and appends the names that a commit changes."""
    (found,) = [part for part in HOOKS.split("- id: ") if part.startswith(f"{name}\n")]
    keys = dict(re.findall(r"^ +(\w+): (.+)$", found, re.MULTILINE))
    tool, *arguments = shlex.split(keys["entry"])
    folders = ("--command=touch PWNED #", "--ordered", "-h", "::stop-commands::x")
    paths = [f"{folder}/{file}" for folder in folders]
    for path in paths:
        (home / path).parent.mkdir()
        assert re.search(keys["files"], path)
        assert not re.search(keys["files"], f"{path}.bak")
        (home / path).write_text(content)
    line = [str(home / "bin" / tool), *arguments, *paths]  # as in the hook's own environment
    run = subprocess.run(line, cwd=home, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert said in run.stdout
    assert not list(home.glob("PWNED*"))


PIP = """#!/bin/sh
if [ "$1 $2 $3" = "-I -m venv" ]; then
    mkdir -p "$4/bin" && cp "$0" "$4/bin/python"
else
    printf '%s\\n' "$*" >>"$LOG"
fi
"""


def test_the_action_installs_what_the_locks_name_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a Python that only writes down what pip is to do."""
    python = tmp_path / "python"
    python.write_text(PIP)
    python.chmod(0o755)
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    given = {"python": str(python), "source": str(ROOT)}
    assert run_step(tmp_path, "Install sanproof", given).returncode == 0
    *locked, last = (tmp_path / "log").read_text().splitlines()
    assert {Path(line.split()[-1]) for line in locked} >= {ROOT / "requirements" / "run.lock"}
    assert last.endswith(f" {ROOT}")
    for line in [*locked, last]:
        assert "--no-deps" in line
        assert "--no-build-isolation" in line
        assert line == last or ("--require-hashes" in line and Path(line.split()[-1]).is_file())
