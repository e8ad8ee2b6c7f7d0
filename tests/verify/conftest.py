"""Finished runs for all tests, however many processes run them."""

import fcntl
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

import pytest

from tests.verify.command import PART, sanproof, verify

RUNS: Final = {"run": ("[aN]*xb[18]*", "--no-games"), "played": (PART,)}
"""Four cubes without games, with promotions of both players and pieces with twins; and two with
games, of strings that either player writes, and of some that only Black does."""


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the runs ``run`` and ``played``, once, by the command; they are not to be changed."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    with Path(base, "made.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one process makes them for all
        if not (base / "made").exists():
            making = Path(tempfile.mkdtemp(dir=base))
            for run, (pattern, *options) in RUNS.items():
                done = sanproof(*verify(making / run, pattern, workers=2), *options)
                assert done.returncode == 0, done.stderr
                assert "%" not in done.stderr  # the bars are for a terminal
            making.rename(base / "made")
    return base / "made"


@pytest.fixture
def finished(made: Path, tmp_path: Path) -> Path:
    """Copy the run with games, to be changed."""
    return Path(shutil.copytree(made / "played", tmp_path / "finished"))
