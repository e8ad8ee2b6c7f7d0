"""The functions compiled before the tests are all that they would have numba compile."""

import subprocess
import sys

import pytest

from tests.verify.command import ROOT

PROGRAM = """
import numba
from sanproof.proofs.games import boards, endings, paths
from sanproof.proofs.shortest import states
from sanproof.verify.scan import loops
from tests import compiling

within = {*vars(boards), *vars(states)}  # other loops call them, and are compiled with them
compiling.scan()
compiling.compile_search()
for module in (loops, endings, paths):
    for name, loop in vars(module).items():
        if numba.extending.is_jitted(loop) and name not in within and not name.startswith("_"):
            print(name, len(loop.signatures))
"""


@pytest.mark.slow
def test_all_loops_are_compiled() -> None:
    run = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True)
    found = dict(line.split() for line in done.stdout.splitlines())
    assert {"read_games", "search_steps"} <= found.keys()
    assert "0" not in found.values(), found
