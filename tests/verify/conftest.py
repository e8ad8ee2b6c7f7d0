"""Finished runs for all tests, however many processes run them."""

import shutil
import tempfile
from pathlib import Path
from typing import Final

import pytest

from sanproof.verify.claims.selection import Selection, select
from tests.verify.command import PART, sanproof, shared_folder, verify

RUNS: Final = {"run": ("[aBN]*xb[18]*", "--no-games"), "played": ("[aN]xb1*",)}
"""Six cubes without games, with promotions of both players and pieces with twins; and two with
games, of strings that either player writes, and of some that only Black does."""


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a finished run with the real command; it is not to be changed."""
    return made_once(tmp_path_factory, "finished", {"run": (PART,)}) / "run"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the runs ``run`` and ``played``, once; they are not to be changed."""
    return made_once(tmp_path_factory, "made", RUNS)


def made_once(factory: pytest.TempPathFactory, name: str, runs: dict[str, tuple[str, ...]]) -> Path:
    """Return a directory of runs, each of a pattern and with options, made by the command."""
    with shared_folder(factory, name) as base:
        if not (base / name).exists():
            making = Path(tempfile.mkdtemp(dir=base))
            for run, (pattern, *options) in runs.items():
                done = sanproof(*verify(making / run, pattern, workers=2), *options)
                assert done.returncode == 0, done.stderr
            making.rename(base / name)
    return base / name


@pytest.fixture
def finished(finished_run: Path, tmp_path: Path) -> Path:
    """Copy the finished run, to be changed."""
    return Path(shutil.copytree(finished_run, tmp_path / "finished"))


@pytest.fixture(scope="session")
def part() -> Selection:
    """Return the strings of the finished run."""
    return select(PART)
