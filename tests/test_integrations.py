"""What others' builds take from this repository: the action and the hook, run as they would be."""

import os
import re
import subprocess
import sys
import textwrap
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
    assert f"::error file={wrong},line=9759,title=SAN strange::" in run.stdout


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


def test_the_hook_runs_a_command_that_there_is() -> None:
    found = dict(re.findall(r"^ +(\w+): (.+)$", HOOKS, re.MULTILINE))
    assert found["entry"] == "sanproof gate"
    pattern = re.compile(found["files"])
    for name in ("san_strings.txt", "data/san_strings_with_symbols.txt", "x/san_strings.json"):
        assert pattern.search(name)
    for name in ("san_strings.py", "my_san_strings.txt.bak", "nosan_strings.txt"):
        assert not pattern.search(name)
