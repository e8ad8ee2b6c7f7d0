"""Ctrl-C and its like: a run ends with a sentence."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from sanproof.verify.claims.selection import Selection
from sanproof.verify.run.runner import run
from tests.verify.command import (
    group,
    names,
    outputs,
    sanproof,
    saved_units,
    started,
    verify,
    wait_for,
    without_progress,
    workers_of,
)

# Ctrl-C and its like: the first ends in order, the second at once, none with a traceback

linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

IN_TIME_SECONDS = 30
"""Far more than anything here takes on a busy machine; it once took for ever."""


def ended(process: subprocess.Popen[str]) -> str:
    """Return the last sentence of a run that was told to end, without anything left of it."""
    _, stderr = process.communicate(timeout=IN_TIME_SECONDS)
    assert "Traceback" not in stderr, stderr
    assert "leaked" not in stderr, stderr
    deadline = time.monotonic() + IN_TIME_SECONDS
    while group(process.pid):
        assert time.monotonic() < deadline, group(process.pid)
        time.sleep(0.05)
    return without_progress(stderr)[-1]


@linux
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_each_signal_says_what_is_kept(tmp_path: Path, number: int, code: int) -> None:
    """Sent to all processes, as a terminal does."""
    with started(*verify(tmp_path, workers=2)) as process:
        wait_for(lambda: saved_units(tmp_path), process)
        os.killpg(process.pid, number)
        sentence = ended(process)
    assert process.returncode == code
    assert sentence.startswith("sanproof: Interrupted; ")
    assert sentence.endswith("run the same command again to continue.")
    assert saved_units(tmp_path) >= 1
    assert names(tmp_path) == {"run.log"}


@linux
@pytest.mark.parametrize(
    "trial", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 4))]
)
@pytest.mark.parametrize("times", [2, 3])
def test_more_of_them_at_any_moment_end_it_too(tmp_path: Path, trial: int, times: int) -> None:
    """As the workers start, as they work, and as they end."""
    timings = random.Random(f"{trial} {times}")
    with started(*verify(tmp_path, workers=2)) as process:
        wait_for(lambda: workers_of(process.pid), process)
        time.sleep(timings.uniform(0, 1.5))
        for _ in range(times):
            try:
                os.killpg(process.pid, signal.SIGINT)
            except ProcessLookupError:
                break
            time.sleep(timings.choice([0, 0.01, 0.05, 0.3, 0.6]))
        _, stderr = process.communicate(timeout=IN_TIME_SECONDS)
    # Python's own end has a moment in which the signal itself ends the process.
    assert process.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in stderr, stderr


# A run that ends otherwise, or has ended; one that is killed goes on: commands/test_kills.py


@linux
def test_a_worker_that_is_killed_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    with started(*verify(tmp_path)) as process:
        wait_for(lambda: saved_units(tmp_path), process)
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        _, stderr = process.communicate()
        assert process.returncode == 4
        assert "Traceback" not in stderr
        (sentence,) = without_progress(stderr)
        assert sentence.startswith("sanproof: A worker died")
        assert "run the same command again" in sentence
    assert names(tmp_path) == {"run.log"}
    assert saved_units(tmp_path) >= 1


def stamped(directory: Path) -> dict[str, tuple[bytes, int]]:
    """Return every file but the database, with the time of its last change."""
    paths = [path for path in directory.iterdir() if "sqlite3" not in path.name]
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in paths}


def test_a_finished_run_started_again_says_so_and_changes_nothing(finished: Path) -> None:
    before = stamped(finished)
    again = sanproof(*verify(finished))
    assert again.returncode == 0, again.stderr
    assert again.stdout.startswith("This run was finished before")
    assert "The generator agrees" in again.stdout
    assert stamped(finished) == before


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("witnesses.csv", None),
        ("summary.json", b"!"),
        ("manifest.json", b"!"),
        ("games.pgn.xz", b""),
    ],
)
def test_a_file_that_is_missing_or_changed_is_written_again(
    finished: Path, finished_run: Path, part: Selection, name: str, damage: bytes | None
) -> None:
    path = finished / name
    content = path.read_bytes()
    path.unlink()
    if damage is not None:
        path.write_bytes(content[:-2] + damage + content[-1:])
    assert not run(finished, part, 1)[1]
    assert outputs(finished) == outputs(finished_run)
    assert run(finished, part, 1)[1]
