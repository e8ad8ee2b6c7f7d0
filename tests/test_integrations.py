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

from tests.verify.command import PROGRAM, ROOT

ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
LISTS = [str(ROOT / "data" / name) for name in ("san_strings.txt", "san_strings_with_symbols.txt")]


def step(name: str) -> str:
    """The script of a step."""
    _, _, found = ACTION.partition(f"- name: {name}\n")
    script = re.search(r"\n( +)run: \|\n((?:\1 .*\n|\n)+)", found)
    assert script is not None
    return textwrap.dedent(script[2])


def inputs() -> dict[str, str]:
    """The variables of the step with their usual values, as a runner would set them."""
    names = re.findall(r"SANPROOF_(\w+): \$\{\{ inputs\.(\w+) \}\}", ACTION)
    stated = r'^  (\w+):\n    description: .*\n    default: "?(.*?)"?$'
    defaults = dict(re.findall(stated, ACTION, re.MULTILINE))
    return {f"SANPROOF_{variable}": defaults[name] for variable, name in names}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """What the step that installs leaves behind: here this tree's sanproof."""
    program = tmp_path / "home" / "bin" / "sanproof"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, '{ROOT}')\n{PROGRAM}\n")
    program.chmod(0o755)
    return tmp_path / "home"


def gate(home: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """Run the action's step as a runner does: bash, without profiles, stopping at errors."""
    environment = {**os.environ, **inputs(), "SANPROOF_HOME": str(home)}
    environment |= {f"SANPROOF_{name.upper()}": value for name, value in given.items()}
    script = home / "step.sh"
    script.write_text(step("Gate"))
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=home,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_input_is_used() -> None:
    used = set(re.findall(r"inputs\.(\w+)", ACTION))
    block = ACTION.partition("\ninputs:\n")[2].partition("\nruns:\n")[0]
    assert used == set(re.findall(r"^  (\w+):$", block, re.MULTILINE))
    assert "${{" not in step("Gate") + step("Install sanproof")


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


def hook() -> dict[str, str]:
    """The keys of the hook."""
    return dict(re.findall(r"^ +(\w+): (.+)$", HOOKS, re.MULTILINE))


def test_no_name_of_a_file_is_an_option_of_the_hook(home: Path) -> None:
    """pre-commit splits the entry as a shell does and appends the names that a commit changes."""
    for folder in ("--command=touch PWNED #", "--prove", "-h", "::stop-commands::x"):
        (home / folder).mkdir()
        name = f"{folder}/san_strings.txt"
        assert re.search(hook()["files"], name)
        (home / name).write_text(Path(LISTS[0]).read_text())
        program, *arguments = shlex.split(hook()["entry"])
        run = subprocess.run(
            [str(home / "bin" / program), *arguments, name],
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
if [ "$1 $2" = "-m venv" ]; then
    mkdir -p "$3/bin" && cp "$0" "$3/bin/python"
else
    printf '%s\\n' "$*" >>"$LOG"
fi
"""


def installed(tmp_path: Path) -> list[str]:
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


def pins(name: str) -> dict[str, str]:
    """The versions that a lock file names, each with at least one hash."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    found = re.findall(r"^([\w.-]+)==(\S+)[^\n]*\\\n +--hash=sha256:", text, re.MULTILINE)
    assert len(found) == len(re.findall(r"^[\w.-]+==", text, re.MULTILINE))
    return dict(found)


def test_the_lock_for_users_holds_all_dependencies_as_the_other_locks_do() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[^\w-]", needed)[0] for needed in project["dependencies"]}
    locked = pins("run.lock")
    assert names <= locked.keys()
    assert locked.items() <= pins("dev.lock").items()
    assert "hatchling" in pins("bootstrap.lock")


TEXTS = [
    ROOT / "README.md",
    ROOT / "action.yml",
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / ".github").glob("**/*.yml"),
]


def test_actions_are_named_by_commit() -> None:
    """A tag can be moved to other code; OWNER/sanproof@COMMIT is for readers to fill in."""
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
        assert commit or line == "OWNER/sanproof@COMMIT", line
