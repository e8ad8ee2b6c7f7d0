"""The parts that others' builds take from here: the action and the hook, run as they would be."""

import os
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from tests.verify.command import ROOT, program
from tests.verify.conformance.suites import hostile, write_suite

ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
SUITE_ACTION = (ROOT / "conformance" / "action.yml").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
LISTS = [str(ROOT / "data" / name) for name in ("san_strings.txt", "san_strings_with_symbols.txt")]


def step(name: str, action: str = ACTION) -> str:
    """Return the script of a step."""
    _, _, found = action.partition(f"- name: {name}\n")
    script = re.search(r"\n( +)run: \|\n((?:\1 .*\n|\n)+)", found)
    assert script is not None
    return textwrap.dedent(script[2])


def run_step(
    home: Path,
    name: str,
    given: dict[str, str],
    action: str = ACTION,
    workspace: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a step as a runner does: bash, without profiles, stopping at errors.

    Inputs that are not given are as the action states them.
    """
    names = re.findall(r"SANPROOF_(\w+): \$\{\{ inputs\.(\w+) \}\}", action)
    stated = r'^  (\w+):\n    description: .*\n    default: "?(.*?)"?$'
    usual = dict(re.findall(stated, action, re.MULTILINE))
    inputs = {variable: usual.get(name, "") for variable, name in names}
    inputs |= {name.upper(): value for name, value in ({"home": str(home)} | given).items()}
    script = (workspace or home) / "step.sh"
    script.write_text(step(name, action))
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=workspace or home,
        env={**os.environ, **{f"SANPROOF_{name}": value for name, value in inputs.items()}},
        capture_output=True,
        text=True,
        check=False,
    )


def gate(home: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """Run the action's step for lists."""
    return run_step(home, "Gate", given)


def conformance(home: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """Run the step of the other action, which runs the conformance suite."""
    return run_step(home, "Run", given, SUITE_ACTION)


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


@pytest.mark.parametrize(("action", "name"), [(ACTION, "Gate"), (SUITE_ACTION, "Run")])
def test_every_input_is_used_and_both_install_the_same(action: str, name: str) -> None:
    used = set(re.findall(r"inputs\.(\w+)", action))
    block = action.partition("\ninputs:\n")[2].partition("\nruns:\n")[0]
    assert used == set(re.findall(r"^  (\w+):$", block, re.MULTILINE))
    assert "${{" not in step(name, action) + step("Install sanproof", action) + step("Check games")
    assert step("Install sanproof") == step("Install sanproof", action)
    assert "SANPROOF_SOURCE: ${{ github.action_path }}/..\n" in SUITE_ACTION


def test_the_action_judges_lists(home: Path) -> None:
    run = gate(home, files="\n".join([*LISTS, ""]))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("is exactly right") == 2
    wrong = home / "wrong list.txt"
    wrong.write_text(Path(LISTS[0]).read_text() + "\ne9\n")
    run = gate(home, files=str(wrong))
    assert run.returncode == 1
    assert f"::error file={wrong},line=9759,title=SAN string not SAN::" in run.stdout


def test_the_action_runs_a_generator(home: Path) -> None:
    copy = home / "my list; exit 3.txt"
    run = gate(home, command=f"cp {LISTS[0]} '{copy}'", files=str(copy), list="bare")
    assert (run.returncode, run.stderr) == (0, "")
    run = gate(home, command=f"cat {LISTS[1]}")
    assert (run.returncode, run.stderr) == (0, "")
    for given in ({"command": "exit 3"}, {"files": "none.txt"}):
        run = gate(home, **given)
        assert (run.returncode, run.stdout.count("::error::sanproof: ")) == (2, 1)


def test_the_actions_refuse_what_they_do_not_know(home: Path, suite: str) -> None:
    run = gate(home, files=LISTS[0], list="long")
    assert (run.returncode, "::error::" in run.stdout) == (2, True)
    assert gate(home).returncode == 2
    assert gate(home, files="--help\n-").returncode == 2
    assert conformance(home, command="", suite=suite).returncode == 2
    assert conformance(home, command="--help", suite=suite).returncode == 4
    assert conformance(home, command=hostile("right"), suite=suite, level="-h").returncode == 2


def test_the_action_asks_an_adapter(home: Path, suite: str) -> None:
    run = conformance(home, command=hostile("right"), suite=suite)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == "hostile 1: 20 of 20 cases passed.\n"
    run = conformance(home, command=f"cd / && {hostile('gives both')}", suite=suite)
    assert run.returncode == 1
    assert run.stdout.startswith("::error title=hostile 1%3A initial.Nc3::read: Nc3 in ")


def test_the_action_passes_patterns_and_known_failures_on(home: Path, suite: str) -> None:
    known = home / "known failures.txt"
    known.write_text("initial.Nc3\n")
    evil = hostile("gives both")
    assert conformance(home, command=evil, suite=suite, known=str(known)).returncode == 0
    patterns = "initial.N?3\n\n$(touch PWNED)*\n"
    run = conformance(home, command=evil, suite=suite, only=patterns)
    assert (run.returncode, "$(touch PWNED)*" in run.stderr) == (2, True)
    run = conformance(home, command=evil, suite=suite, only="initial.N?3", skip="*.Nc3\n*.Na3")
    assert (run.returncode, "2 of 2 cases passed" in run.stdout) == (0, True)
    assert not list(home.glob("PWNED*"))


def test_the_action_checks_games(home: Path) -> None:
    games = home / "my games; exit 3.pgn"
    games.write_text("1. e4 e5 2. Nf3 *\n")
    run = run_step(home, "Check games", {"games": f"{games}\n"})
    assert (run.returncode, run.stderr) == (0, "")
    games.write_text("1. e4 e5 2. Ng1f3 *\n")
    run = run_step(home, "Check games", {"games": str(games)})
    place = f"::error file={games},line=1,col=13,endColumn=18,title=SAN excess-square::"
    assert (run.returncode, place in run.stdout) == (1, True)
    run = run_step(home, "Check games", {"games": "--help"})
    assert (run.returncode, run.stdout.count("::error::")) == (2, 1)


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


def hook(name: str) -> tuple[list[str], re.Pattern[str]]:
    """Return what a hook runs, and the pattern of files for which it does."""
    (found,) = [part for part in HOOKS.split("- id: ") if part.startswith(f"{name}\n")]
    keys = dict(re.findall(r"^ +(\w+): (.+)$", found, re.MULTILINE))
    return shlex.split(keys["entry"]), re.compile(keys["files"])


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
    (tool, *arguments), pattern = hook(name)
    for folder in ("--command=touch PWNED #", "--prove", "-h", "::stop-commands::x"):
        (home / folder).mkdir()
        path = f"{folder}/{file}"
        assert pattern.search(path)
        (home / path).write_text(content)
        line = [str(home / "bin" / tool), *arguments, path]  # as in the hook's own environment
        run = subprocess.run(line, cwd=home, capture_output=True, text=True, check=False)
        assert (run.returncode, run.stderr) == (0, "")
        assert said in run.stdout
        assert not list(home.glob("PWNED*"))


def test_hooks_are_for_lists_and_games() -> None:
    _, pattern = hook("sanproof-gate")
    assert pattern.search("data/san_strings.txt")
    assert not pattern.search("my_san_strings.txt.bak")


# The installation


PIP = """#!/bin/sh
if [ "$1 $2 $3" = "-I -m venv" ]; then
    mkdir -p "$4/bin" && cp "$0" "$4/bin/python"
else
    printf '%s\\n' "$*" >>"$LOG"
fi
"""


@pytest.mark.parametrize(("prove", "lock"), [("false", "run.lock"), ("true", "prove.lock")])
def test_the_action_installs_what_the_locks_name_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prove: str, lock: str
) -> None:
    """In a Python that only writes down what pip is to do."""
    python = tmp_path / "python"
    python.write_text(PIP)
    python.chmod(0o755)
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    given = {"python": str(python), "source": str(ROOT), "prove": prove}
    assert run_step(tmp_path, "Install sanproof", given).returncode == 0
    *locked, last = (tmp_path / "log").read_text().splitlines()
    assert {Path(line.split()[-1]) for line in locked} >= {ROOT / "requirements" / lock}
    assert last.endswith(f" {ROOT}")
    for line in [*locked, last]:
        assert "--no-deps" in line
        assert "--no-build-isolation" in line
        assert line == last or ("--require-hashes" in line and Path(line.split()[-1]).is_file())


def pins(name: str) -> dict[str, str]:
    """Return the versions that a lock file names, each with at least one hash."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    found = re.findall(r"^([\w.-]+)==(\S+)[^\n]*\\\n +--hash=sha256:", text, re.MULTILINE)
    assert len(found) == len(re.findall(r"^[\w.-]+==", text, re.MULTILINE))
    return dict(found)


def test_the_locks_for_users_hold_what_they_need_as_the_other_locks_do() -> None:
    """Solvers are only in the lock for those who prove."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def names(needed: list[str]) -> set[str]:
        return {re.split(r"[^\w-]", entry)[0] for entry in needed}

    solvers = names(project["optional-dependencies"]["prove"])
    locked, proving = pins("run.lock"), pins("prove.lock")
    assert names(project["dependencies"]) <= locked.keys()
    assert not solvers & locked.keys()
    assert locked.keys() | solvers <= proving.keys()
    assert locked.items() <= proving.items() <= pins("dev.lock").items()
    assert "hatchling" in pins("bootstrap.lock")


def test_actions_are_named_by_commit() -> None:
    """A tag can be moved to other code; what stands in braces the site fills in."""
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / ".github").glob("**/*.yml")]
    pages += [ROOT / name for name in ("README.md", "action.yml", "conformance/action.yml")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages)
    used = set(re.findall(r"^ *-? *uses: (.+)$", text, re.MULTILINE))
    commit = r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+"
    assert {line for line in used if not re.fullmatch(commit, line)} == {
        "{{ slug }}@{{ commit }}",
        "{{ slug }}/conformance@{{ commit }}",
        "./.github/workflows/ci.yml",
    }
    assert len(used) > 4


@pytest.mark.slow
def test_installing_runs_nothing_of_the_workspace(tmp_path: Path) -> None:
    """A pull request may hold files that are named as the modules that the step runs."""
    for name in ("venv", "pip", "ensurepip"):
        (tmp_path / f"{name}.py").write_text("open('was run', 'w')\n")
    given = {"python": sys.executable, "source": str(tmp_path / "none")}
    run = run_step(tmp_path / "home", "Install sanproof", given, workspace=tmp_path)
    assert "Could not open requirements file" in run.stderr
    assert not (tmp_path / "was run").exists()
