"""Ctrl-C and its like: the first ends in order, the second at once, none with a traceback."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

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

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

IN_TIME_SECONDS = 30
"""Far more than anything here takes on a busy machine; it once took for ever."""


def ended(process: subprocess.Popen[str]) -> str:
    """The last sentence of a run that was told to end, without anything left of it."""
    _, stderr = process.communicate(timeout=IN_TIME_SECONDS)
    assert "Traceback" not in stderr, stderr
    assert "leaked" not in stderr, stderr
    deadline = time.monotonic() + IN_TIME_SECONDS
    while group(process.pid):
        assert time.monotonic() < deadline, group(process.pid)
        time.sleep(0.05)
    return without_progress(stderr)[-1]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.usually(1)
def test_each_signal_says_what_is_kept(
    tmp_path: Path, finished_run: Path, number: int, code: int
) -> None:
    """Sent to all processes, as a terminal does; the run goes on afterwards."""
    with started(*verify(tmp_path, workers=2)) as process:
        wait_for(lambda: saved_units(tmp_path), process)
        os.killpg(process.pid, number)
        sentence = ended(process)
    assert process.returncode == code
    assert sentence.startswith("sanproof: Interrupted; ")
    assert sentence.endswith("run the same command again to continue.")
    assert saved_units(tmp_path) >= 1
    assert names(tmp_path) == {"run.log"}
    if number == signal.SIGINT:  # what is kept is the same after each
        assert sanproof(*verify(tmp_path)).returncode == 0
        assert outputs(tmp_path) == outputs(finished_run)


@pytest.mark.parametrize(
    "trial", [0, 1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 6))]
)
@pytest.mark.parametrize("times", [2, 3])
@pytest.mark.usually(1)
def test_more_of_them_at_any_moment_end_it_too(tmp_path: Path, trial: int, times: int) -> None:
    """Before the workers start, as they start, as they work, and as they end."""
    timings = random.Random(f"{trial} {times}")
    with started(*verify(tmp_path, workers=2)) as process:
        if trial % 2:
            wait_for(lambda: workers_of(process.pid), process)
            time.sleep(timings.uniform(0, 1.5))
        else:
            time.sleep(timings.uniform(0.1, 0.6))
        for _ in range(times):
            try:
                os.killpg(process.pid, signal.SIGINT)
            except ProcessLookupError:
                break
            time.sleep(timings.choice([0, 0.01, 0.05, 0.3, 0.6]))
        _, stderr = process.communicate(timeout=IN_TIME_SECONDS)
    # Python's own end has a moment in which the signal itself ends the process.
    assert process.returncode in (130, -signal.SIGINT)
    if "Traceback" in stderr:  # Python itself had not yet started
        assert "sanproof" not in stderr, stderr


SLOW = """
import hashlib, sys, sanproof.verify.run.runner, sanproof.verify.work.signals
def slow(*_, **__):
    sys.stderr.write("slow\\n")
    sys.stderr.flush()
    hashlib.pbkdf2_hmac("sha256", b"", b"", 1_000_000_000)  # minutes in which no handler is run
sanproof.verify.run.runner.make_manifest = slow
sanproof.verify.work.signals.ENDED_AFTER_SECONDS = {limit}
"""


@contextmanager
def in_a_long_step(directory: Path, limit: float) -> Iterator[subprocess.Popen[str]]:
    """A run in a step in which it sees no signal."""
    with started(*verify(directory, "O-O"), first=SLOW.format(limit=limit)) as process:
        assert process.stderr is not None
        assert any(line == "slow\n" for line in process.stderr)
        time.sleep(0.5)  # the line comes just before the step, where a signal is still seen
        yield process


def test_while_a_long_step_goes_on_the_first_says_that_it_ends_and_the_second_ends_it(
    tmp_path: Path,
) -> None:
    with in_a_long_step(tmp_path, limit=600) as process:
        assert process.stderr is not None
        os.kill(process.pid, signal.SIGINT)
        said = next(line for line in process.stderr if line.startswith("sanproof"))
        assert said.startswith("sanproof: ending (")
        os.kill(process.pid, signal.SIGINT)
        assert ended(process) == "sanproof: Ended at once."
        assert process.returncode == 130


@pytest.mark.slow
def test_a_long_step_does_not_keep_the_end_waiting_for_ever(tmp_path: Path) -> None:
    with in_a_long_step(tmp_path, limit=0.5) as process:
        os.kill(process.pid, signal.SIGINT)
        assert ended(process) == "sanproof: Ended at once."
        assert process.returncode == 130
