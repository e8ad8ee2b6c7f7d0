"""Finished runs for all tests, however many processes run them."""

import shutil
import tempfile
from pathlib import Path
from typing import Final

import pytest

from sanproof.verify.claims.selection import Selection, select
from tests.verify.command import PART, sanproof, shared_folder, verify

RUNS: Final = {"run": ("[aBN]*xb[18]*", "--no-games"), "played": (PART,)}
"""Six cubes without games, with promotions of both players and pieces with twins; and two with
games, of strings that either player writes, and of some that only Black does."""


@pytest.fixture(scope="session")
def finished_run(made: Path) -> Path:
    """Return the finished run of a part, with games; it is not to be changed."""
    return made / "played"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the runs ``run`` and ``played``, once, by the command; they are not to be changed."""
    with shared_folder(tmp_path_factory, "made") as base:
        if not (base / "made").exists():
            making = Path(tempfile.mkdtemp(dir=base))
            for run, (pattern, *options) in RUNS.items():
                done = sanproof(*verify(making / run, pattern, workers=2), *options)
                assert done.returncode == 0, done.stderr
                assert "%" not in done.stderr  # the bars are for a terminal
            making.rename(base / "made")
    return base / "made"


@pytest.fixture
def finished(finished_run: Path, tmp_path: Path) -> Path:
    """Copy the finished run, to be changed."""
    return Path(shutil.copytree(finished_run, tmp_path / "finished"))


@pytest.fixture(scope="session")
def part() -> Selection:
    """Return the strings of the finished run."""
    return select(PART)
