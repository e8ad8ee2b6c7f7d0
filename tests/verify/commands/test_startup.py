"""What a command loads: nobody waits for a solver that is not used."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verify.command import ROOT

SLOW = ("z3", "pysat", "chess", "rich", "multiprocessing", "sqlite3", "numpy")
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
    """Which of these modules a program loads, in a Python of its own."""
    program += f"\nimport sys\nprint('loaded', *[m for m in {modules} if m in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    (line,) = [line for line in run.stdout.splitlines() if line.startswith("loaded")]
    return set(line.split()[1:])


def test_nothing_is_loaded_before_signals_are_caught() -> None:
    """Or Ctrl-C meanwhile ends with a traceback."""
    program = (
        "import os, sys; before = set(sys.modules); import sanproof.verify.commands.start; "
        "print(*set(sys.modules) - before)"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    rooms = {"sanproof", "sanproof.verify", "sanproof.verify.commands"}
    assert set(run.stdout.split()) == {*rooms, "sanproof.verify.commands.start"}


@pytest.mark.parametrize(
    "module",
    [
        "sanproof.verify.commands.cli",
        "generator",
        "sanproof.generator.files",
        "sanproof.generator.strings",
        "sanproof.proofs.rules.san",
    ],
)
def test_importing_loads_nothing_slow(module: str) -> None:
    assert loaded(f"import {module}") == set()


@pytest.mark.parametrize("arguments", [["generate"], ["generate", "--out", "."]])
def test_generating_loads_nothing_slow(arguments: list[str], tmp_path: Path) -> None:
    """Not even the library for command lines."""
    program = RUN.format(arguments=arguments, code=0)
    assert loaded(program, (*SLOW, "click"), tmp_path) == set()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(("san", "code"), [("Qb6e3#", 0), ("Ba1b2+", 1)])
def test_looking_one_string_up_loads_nothing_slow(san: str, code: int) -> None:
    program = RUN.format(arguments=["explain", san], code=code)
    assert loaded(program, (*SLOW, "click")) == set()


def test_other_commands_load_the_library_for_command_lines() -> None:
    program = RUN.format(arguments=["generate", "--help"], code=0)
    assert loaded(program, ("click",)) == {"click"}


def test_help_loads_nothing_slow() -> None:
    assert loaded(RUN.format(arguments=["verify", "--help"], code=0)) == set()


def test_a_malformed_string_loads_no_solver() -> None:
    assert loaded(RUN.format(arguments=["explain", "e9"], code=2)).isdisjoint({"z3", "pysat"})


@pytest.mark.parametrize(("san", "code"), [("Qb6e3#", 0), ("Ba1b2+", 1)])
@pytest.mark.usually(1)
def test_to_prove_one_string_takes_one_solver(san: str, code: int) -> None:
    """Z3 takes longer to load than the proof takes, and far more memory."""
    arguments = ["explain", "--prove", san]
    found = loaded(RUN.format(arguments=arguments, code=code), ("z3", "pysat"))
    assert found == {"pysat"}


def test_the_measurement_sees_what_is_loaded() -> None:
    assert loaded("import z3, chess") >= {"z3", "chess"}


@pytest.mark.parametrize("package", ["generator", "proofs", "verify", "reports"])
def test_opening_a_package_loads_nothing_slow(package: str) -> None:
    assert loaded(f"import {package}") == set()


@pytest.mark.parametrize(("san", "code"), [("Qb6e3#", 0), ("Ba1b2+", 1)])
def test_pictures_are_loaded_for_impossible_strings(san: str, code: int) -> None:
    found = loaded(
        RUN.format(arguments=["explain", san], code=code),
        ("sanproof.proofs.arrangements.pictures", "sanproof.proofs.arrangements.words"),
    )
    assert found == ({"sanproof.proofs.arrangements.pictures"} if code else set())


def test_a_look_up_by_a_program_loads_nothing_slow() -> None:
    assert loaded("import sanproof\nsanproof.look_up('Qb6e3#')", (*SLOW, "click")) == set()
