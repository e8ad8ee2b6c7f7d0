"""``sanproof games``: the stage of games by itself, stopped and gone on with."""

import os
import shutil
import signal
import sqlite3
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.verify.command import (
    PART,
    expect_sentence,
    outputs,
    sanproof,
    started,
    verify,
    wait_for,
)


def orbits_with_games(directory: Path) -> int:
    """How many orbits have their games, read from a copy because the run holds the file."""
    with TemporaryDirectory() as temporary:
        for name in ("run.sqlite3", "run.sqlite3-wal"):
            if (directory / name).exists():
                shutil.copy(directory / name, temporary)
        database = sqlite3.connect(Path(temporary, "run.sqlite3"))
        try:
            return int(database.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.Error:
            return 0  # copied while it was written
        finally:
            database.close()


@pytest.mark.slow
def test_killed_among_its_games_a_run_ends_with_the_same_bytes(
    finished_run: Path, tmp_path: Path
) -> None:
    directory = tmp_path / "run"
    decided = sanproof(*verify(directory), "--no-games")
    assert decided.returncode == 0, decided.stderr
    assert orbits_with_games(directory) == 0
    command = ["games", str(directory), "--only", PART, "--workers", "1"]
    with started(*command) as process:
        wait_for(partial(orbits_with_games, directory), process)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert orbits_with_games(directory) > 0
    done = sanproof(*command)
    assert done.returncode == 0, done.stderr
    assert outputs(directory) == outputs(finished_run)


def test_without_a_run_there_is_nothing_to_find_games_for(tmp_path: Path) -> None:
    expect_sentence(sanproof("games", str(tmp_path)), 2, "holds no run", "sanproof verify")
    assert not list(tmp_path.iterdir())
