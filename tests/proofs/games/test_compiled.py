"""Compiled functions: what is said where compiled code cannot be kept."""

import subprocess
import sys

PROGRAM = """
from sanproof.proofs.games.compiled import compiled
made = {}
exec("def one(x): return x + 1\\ndef two(x): return x + 2", made)
print(compiled(made["one"])(1), compiled(made["two"])(1))
"""


def test_that_it_cannot_be_kept_is_said_once() -> None:
    """Numba finds no file of these functions, and so no place beside it."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout == "2 3\n"
    assert done.stderr.count("NUMBA_CACHE_DIR") == 1
