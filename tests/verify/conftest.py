"""One finished run for all tests, however many processes run them."""

import shutil
from pathlib import Path

import pytest

from sanproof.verify.claims.selection import Selection, select
from tests.verify.command import PART, sanproof, shared_folder, verify


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a finished run with the real command; it is not to be changed."""
    with shared_folder(tmp_path_factory, "finished") as base:
        directory = base / "finished"
        if not (base / "finished.out").exists():
            run = sanproof(*verify(directory, workers=2))
            assert run.returncode == 0, run.stderr
            (base / "finished.out").write_text(run.stdout)
    return directory


@pytest.fixture
def finished(finished_run: Path, tmp_path: Path) -> Path:
    """Copy the finished run, to be changed."""
    return Path(shutil.copytree(finished_run, tmp_path / "finished"))


@pytest.fixture(scope="session")
def part() -> Selection:
    """Return the strings of the finished run."""
    return select(PART)
