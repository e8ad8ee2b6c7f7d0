"""The libraries that a command loads: unused ones are not loaded."""

import os
import sys
from pathlib import Path

import pytest

from tests.verify.command import ROOT, completed

SLOW = ("z3", "pysat", "chess", "rich", "multiprocessing", "sqlite3", "numpy")
SOLVERS = ("z3", "pysat")
RUN = """
import sys
sys.argv = ["sanproof", *{arguments}]
from sanproof.verify.commands.start import main
try:
    main()
except SystemExit as end:
    assert end.code == {code}, end.code
"""


def loaded(program: str, modules: tuple[str, ...] = SLOW, cwd: Path = ROOT) -> set[str]:
    """Return which of these modules a program loads, in a Python of its own."""
    program += f"\nimport sys\nprint('loaded', *[m for m in {modules} if m in sys.modules])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = completed([sys.executable, "-c", program], cwd=cwd, env=environment)
    assert done.returncode == 0, done.stderr
    first, *names = done.stdout.splitlines()[-1].split()
    assert first == "loaded"
    return set(names)


def test_importing_loads_nothing_slow() -> None:
    names = ("generator", "proofs", "verify", "reports", "proofs.rules.san", "verify.commands.cli")
    assert loaded("".join(f"import sanproof.{name}\n" for name in names)) == set()
    assert loaded("import sanproof\nsanproof.look_up('Qb6e3#')", (*SLOW, "click")) == set()
    assert loaded("import z3, chess") >= {"z3", "chess"}  # the measurement sees what is loaded


PICTURES = "sanproof.proofs.theory.pictures"
LOADED: list[tuple[list[str], int, tuple[str, ...], set[str]]] = [
    (["generate", "--out", "."], 0, SLOW, set()),
    (["explain", "Qb6e3#"], 0, (*SLOW, PICTURES), {"chess"}),
    (["explain", "Ba1b2+"], 1, (*SLOW, PICTURES), {PICTURES}),
    (["explain", "Ba1b2+", "Kae1"], 1, SLOW, set()),
    (["explain", "e9"], 2, SOLVERS, set()),
    (["explain", "--prove", "Qb6e3#"], 0, SOLVERS, {"pysat"}),  # Z3 takes longer than the proof
]


@pytest.mark.parametrize(("arguments", "code", "modules", "expected"), LOADED, ids=str)
def test_a_command_loads_what_it_needs(
    arguments: list[str], code: int, modules: tuple[str, ...], expected: set[str], tmp_path: Path
) -> None:
    found = loaded(RUN.format(arguments=arguments, code=code), modules, tmp_path)
    assert found == expected
