"""One finished run for all tests, however many processes run them."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from tests.verify.command import PART, sanproof, verify
from verify.run.selection import Selection, select


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the real command, finished; not to be changed."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    directory = base / "finished"
    with Path(base, "finished.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (base / "finished.out").exists():
            run = sanproof(*verify(directory, workers=2))
            assert run.returncode == 0, run.stderr
            (base / "finished.out").write_text(run.stdout)
    return directory


@pytest.fixture(scope="session")
def finished_output(finished_run: Path) -> str:
    """What the finished run printed."""
    return (finished_run.parent / "finished.out").read_text()


@pytest.fixture
def finished(finished_run: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, to be changed."""
    return Path(shutil.copytree(finished_run, tmp_path / "finished"))


@pytest.fixture(scope="session")
def part() -> Selection:
    """The strings of the finished run."""
    return select(PART)
