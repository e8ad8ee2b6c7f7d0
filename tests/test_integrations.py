"""What others' builds take from this repository: the action and the hook, run as they would be."""

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
    """The script of a step."""
    _, _, found = action.partition(f"- name: {name}\n")
    script = re.search(r"\n( +)run: \|\n((?:\1 .*\n|\n)+)", found)
    assert script is not None
    return textwrap.dedent(script[2])


def inputs(action: str = ACTION) -> dict[str, str]:
    """The variables of the step with their usual values, as a runner would set them."""
    names = re.findall(r"SANPROOF_(\w+): \$\{\{ inputs\.(\w+) \}\}", action)
    stated = r'^  (\w+):\n    description: .*\n    default: "?(.*?)"?$'
    defaults = dict(re.findall(stated, action, re.MULTILINE))
    return {f"SANPROOF_{variable}": defaults.get(name, "") for variable, name in names}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """What the step that installs leaves behind: here this tree's sanproof."""
    return program(tmp_path / "home").parents[1]


def gate(home: Path, name: str = "Gate", **given: str) -> subprocess.CompletedProcess[str]:
    """Run the action's step as a runner does: bash, without profiles, stopping at errors."""
    return run_step(home, inputs() | named(given), step(name))


def conformance(home: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """Run the step of the other action, which runs the conformance suite."""
    return run_step(home, inputs(SUITE_ACTION) | named(given), step("Run", SUITE_ACTION))


def named(given: dict[str, str]) -> dict[str, str]:
    """Inputs as variables."""
    return {f"SANPROOF_{name.upper()}": value for name, value in given.items()}


def run_step(
    home: Path, given: dict[str, str], text: str, workspace: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the script of a step with these variables, in a workspace or at home."""
    environment = {**os.environ, **given, "SANPROOF_HOME": str(home)}
    script = (workspace or home) / "step.sh"
    script.write_text(text)
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=workspace or home,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("action", "name"), [(ACTION, "Gate"), (SUITE_ACTION, "Run")])
def test_every_input_is_used(action: str, name: str) -> None:
    used = set(re.findall(r"inputs\.(\w+)", action))
    block = action.partition("\ninputs:\n")[2].partition("\nruns:\n")[0]
    assert used == set(re.findall(r"^  (\w+):$", block, re.MULTILINE))
    assert "${{" not in step(name, action) + step("Install sanproof", action)
    assert "${{" not in step("Check games")


def test_the_action_passes_right_lists(home: Path) -> None:
    run = gate(home, files="\n".join([*LISTS, ""]))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("is exactly right") == 2


def test_the_action_annotates_wrong_lists(home: Path) -> None:
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
    assert gate(home, command="false").returncode == 2


def test_the_action_refuses_what_it_does_not_know(home: Path) -> None:
    assert gate(home).returncode == 2
    run = gate(home, files=LISTS[0], list="long")
    assert run.returncode == 2
    assert "::error::" in run.stdout
    assert gate(home, files="--help\n-").returncode == 2


@pytest.fixture
def suite(home: Path) -> str:
    """A small suite, in a file whose name is no friend of shells."""
    path = home / "my suite; exit 3.json"
    write_suite(home).rename(path)
    return str(path)


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
    assert run.returncode == 2
    assert "$(touch PWNED)*" in run.stderr
    run = conformance(home, command=evil, suite=suite, only="initial.N?3", skip="*.Nc3\n*.Na3")
    assert run.returncode == 0
    assert "2 of 2 cases passed" in run.stdout
    assert not list(home.glob("PWNED*"))


def test_the_action_refuses_what_is_no_adapter(home: Path, suite: str) -> None:
    assert conformance(home, command="", suite=suite).returncode == 2
    assert conformance(home, command="--help", suite=suite).returncode == 4
    run = conformance(home, command=hostile("right"), suite=suite, level="--help")
    assert run.returncode == 2


def test_both_actions_install_the_same() -> None:
    assert step("Install sanproof") == step("Install sanproof", SUITE_ACTION)
    assert "SANPROOF_SOURCE: ${{ github.action_path }}/..\n" in SUITE_ACTION
    assert (ROOT / "conformance" / ".." / "action.yml").is_file()


def test_the_action_checks_games(home: Path) -> None:
    games = home / "my games; exit 3.pgn"
    games.write_text("1. e4 e5 2. Nf3 *\n")
    run = gate(home, "Check games", games=f"{games}\n")
    assert (run.returncode, run.stderr) == (0, "")
    games.write_text("1. e4 e5 2. Ng1f3 *\n")
    run = gate(home, "Check games", games=str(games))
    assert run.returncode == 1
    assert (
        f"::error file={games},line=1,col=13,endColumn=18,title=SAN excess-square::" in run.stdout
    )
    assert gate(home, "Check games", games="--help").returncode == 2


def hook(name: str = "sanproof-gate") -> dict[str, str]:
    """The keys of a hook."""
    (found,) = [part for part in HOOKS.split("- id: ") if part.startswith(f"{name}\n")]
    return dict(re.findall(r"^ +(\w+): (.+)$", found, re.MULTILINE))


def test_the_hook_for_games(home: Path) -> None:
    found = hook("sanproof-scan")
    pattern = re.compile(found["files"])
    assert pattern.search("games/mine.pgn")
    assert not pattern.search("mine.pgn.bak")
    (home / "--prove").mkdir()
    (home / "--prove/a.pgn").write_text("1. e4 e5 *\n")
    tool, *arguments = shlex.split(found["entry"])
    run = subprocess.run(
        [str(home / "bin" / tool), *arguments, "--prove/a.pgn"],
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "all moves are canonical SAN" in run.stdout


def test_no_name_of_a_file_is_an_option_of_the_hook(home: Path) -> None:
    """pre-commit splits the entry as a shell does and appends the names that a commit changes."""
    for folder in ("--command=touch PWNED #", "--prove", "-h", "::stop-commands::x"):
        (home / folder).mkdir()
        name = f"{folder}/san_strings.txt"
        assert re.search(hook()["files"], name)
        (home / name).write_text(Path(LISTS[0]).read_text())
        tool, *arguments = shlex.split(hook()["entry"])
        run = subprocess.run(
            [str(home / "bin" / tool), *arguments, name],
            cwd=home,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, run.stderr) == (0, "")
        assert run.stdout.strip("'").startswith(folder)
        assert "is exactly right" in run.stdout
        assert not list(home.glob("PWNED*"))


def test_the_hook_runs_a_command_that_there_is() -> None:
    found = hook()
    assert found["entry"] == "sanproof gate --"
    pattern = re.compile(found["files"])
    for name in ("san_strings.txt", "data/san_strings_with_symbols.txt", "x/san_strings.json"):
        assert pattern.search(name)
    for name in ("san_strings.py", "my_san_strings.txt.bak", "nosan_strings.txt"):
        assert not pattern.search(name)


# What is installed


PIP = """#!/bin/sh
if [ "$1 $2 $3" = "-I -m venv" ]; then
    mkdir -p "$4/bin" && cp "$0" "$4/bin/python"
else
    printf '%s\\n' "$*" >>"$LOG"
fi
"""


def installed(tmp_path: Path, **given: str) -> list[str]:
    """What the action's step has pip do, in a Python that only writes it down."""
    python = tmp_path / "python"
    python.write_text(PIP)
    python.chmod(0o755)
    environment = {
        "PATH": os.environ["PATH"],
        "LOG": str(tmp_path / "log"),
        "SANPROOF_PYTHON": str(python),
        "SANPROOF_SOURCE": str(ROOT),
        "SANPROOF_HOME": str(tmp_path / "home"),
        **given,
    }
    script = tmp_path / "step.sh"
    script.write_text(step("Install sanproof"))
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    subprocess.run(shell, env=environment, check=True)
    return (tmp_path / "log").read_text().splitlines()


def test_the_action_installs_what_the_locks_name_and_nothing_else(tmp_path: Path) -> None:
    *locked, last = installed(tmp_path)
    assert len(locked) > 1
    for line in locked:
        assert "--require-hashes" in line
        assert Path(line.split()[-1]).parent == ROOT / "requirements"
        assert Path(line.split()[-1]).is_file()
    assert last.endswith(f" {ROOT}")
    for line in [*locked, last]:
        assert "--no-deps" in line
        assert "--no-build-isolation" in line


def test_the_action_installs_solvers_for_proofs_only(tmp_path: Path) -> None:
    for given, lock in (({}, "run.lock"), ({"SANPROOF_PROVE": "true"}, "prove.lock")):
        assert any(line.endswith(f"/{lock}") for line in installed(tmp_path, **given))
        (tmp_path / "log").unlink()


def pins(name: str) -> dict[str, str]:
    """The versions that a lock file names, each with at least one hash."""
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


TEXTS = [
    ROOT / "README.md",
    ROOT / "action.yml",
    ROOT / "conformance" / "action.yml",
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / ".github").glob("**/*.yml"),
]


def test_actions_are_named_by_commit() -> None:
    """A tag can be moved to other code; what stands in braces the site fills in."""
    used = [
        line
        for path in TEXTS
        for line in re.findall(
            r"^ *-? *uses: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    ]
    assert len(used) > 4
    for line in used:
        commit = re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", line)
        ours = {
            "{{ slug }}@{{ commit }}",
            "{{ slug }}/conformance@{{ commit }}",
            "./.github/workflows/ci.yml",
        }
        assert commit or line in ours, line


@pytest.mark.parametrize(
    "script",
    sorted({step("Install sanproof", action) for action in (ACTION, SUITE_ACTION)}),
    ids=lambda _: "one of the actions'",
)
@pytest.mark.slow
def test_installing_runs_nothing_of_the_workspace(tmp_path: Path, script: str) -> None:
    """A pull request may hold files that are named as the modules that the step runs."""
    for name in ("venv", "pip", "ensurepip"):
        (tmp_path / f"{name}.py").write_text("open('was run', 'w')\n")
    given = {"SANPROOF_PYTHON": sys.executable, "SANPROOF_SOURCE": str(tmp_path / "none")}
    run = run_step(tmp_path / "home", given, script, tmp_path)
    assert "Could not open requirements file" in run.stderr
    assert not (tmp_path / "was run").exists()
