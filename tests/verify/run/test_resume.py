"""A run that is stopped goes on where it was, and ends with the same bytes.

The finished run to compare with was made by two workers; the runs here have one.
"""

import os
import random
import signal
import time
from functools import partial
from pathlib import Path

import pytest

from sanproof.proofs.rules.cubes import Cube
from sanproof.verify.claims.selection import Selection, select
from sanproof.verify.run.harness import units_for
from sanproof.verify.run.runner import run
from sanproof.verify.run.workers import WorkUnit
from tests.verify.command import (
    group,
    inline_pool,
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

linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def has_more_than(saved: int, directory: Path) -> bool:
    return saved_units(directory) > saved


@linux
@pytest.mark.slow
def test_killed_and_interrupted_a_run_ends_with_the_same_bytes(
    tmp_path: Path, finished_run: Path
) -> None:
    """Whatever is done to it, and with whatever number of workers it goes on."""
    saved = 0
    for number, workers in ((signal.SIGKILL, 1), (signal.SIGINT, 2)):
        with started(*verify(tmp_path, workers=workers)) as process:
            wait_for(partial(has_more_than, saved, tmp_path), process)
            os.killpg(process.pid, number)
            _, stderr = process.communicate()
            assert "Traceback" not in stderr
            if number == signal.SIGINT:
                assert process.returncode == 130
                sentence = without_progress(stderr)[-1]
                assert sentence.startswith("sanproof: Interrupted; ")
                assert sentence.endswith("run the same command again to continue.")
            else:
                assert process.returncode == -number
        assert saved_units(tmp_path) > saved
        saved = saved_units(tmp_path)
        assert names(tmp_path) == {"run.log"}
    assert saved < 7  # or there is nothing left to go on with
    last = sanproof(*verify(tmp_path))
    assert last.returncode == 0, last.stderr
    assert outputs(tmp_path) == outputs(finished_run)


@linux
def test_workers_do_not_outlive_a_killed_run(tmp_path: Path) -> None:
    with started("verify", "--out", str(tmp_path), "--workers", "2") as process:
        wait_for(lambda: saved_units(tmp_path), process)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + 5
        while group(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert group(process.pid) == {}


@linux
def test_a_worker_that_is_killed_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    with started(*verify(tmp_path)) as process:
        wait_for(lambda: saved_units(tmp_path), process)
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        _, stderr = process.communicate()
        assert process.returncode == 4
        assert "Traceback" not in stderr
        (sentence,) = without_progress(stderr)
        assert sentence.startswith("sanproof: A worker process died")
        assert "run the same command again" in sentence
    assert names(tmp_path) == {"run.log"}
    assert saved_units(tmp_path) >= 1


@pytest.mark.slow
def test_the_order_of_work_does_not_matter(
    tmp_path: Path,
    finished_run: Path,
    part: Selection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def shuffled(cubes: list[Cube] | None) -> list[WorkUnit]:
        units = units_for(cubes)
        random.Random(0).shuffle(units)
        return units

    monkeypatch.setattr("sanproof.verify.run.harness.units_for", shuffled)
    monkeypatch.setattr("sanproof.verify.run.runner.hands_of_run", inline_pool)
    run(tmp_path, part, 1)
    assert outputs(tmp_path) == outputs(finished_run)


def stamped(directory: Path) -> dict[str, tuple[bytes, int]]:
    """Every file but the database, with the time of its last change."""
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
    "name", ["san_strings.txt", "witnesses.csv", "impossible.csv.gz", "summary.json", "summary.md"]
)
@pytest.mark.parametrize("damage", ["deleted", "changed"])
@pytest.mark.usually(4)
def test_a_file_that_is_missing_or_changed_is_written_again(
    finished: Path, finished_run: Path, part: Selection, name: str, damage: str
) -> None:
    if damage == "deleted":
        (finished / name).unlink()
    else:
        content = (finished / name).read_bytes()
        (finished / name).write_bytes(content[:-2] + b"!" + content[-1:])
    result = run(finished, part, 1)
    assert not result.again
    assert outputs(finished) == outputs(finished_run)
    assert run(finished, part, 1).again


def test_a_larger_part_can_follow_a_smaller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One directory for the king's captures, and then for its moves as well."""
    monkeypatch.setattr("sanproof.verify.run.runner.hands_of_run", inline_pool)
    for pattern in ("Kxa1", "K*a1"):
        run(tmp_path / "grown", select(pattern), 1)
    run(tmp_path / "at once", select("K*a1"), 1)
    assert outputs(tmp_path / "grown") == outputs(tmp_path / "at once")
