"""A run on a real scheduler with real workers: the same bytes, and one sentence when it fails."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from pathlib import Path

import pytest

from sanproof.verify.errors import Failure, Unfinished
from sanproof.verify.work.cluster import ClusterExecutor
from sanproof.verify.work.executors import worker_pool
from tests.verify.command import (
    ROOT,
    expect_sentence,
    names,
    outputs,
    sanproof,
    saved_units,
    started,
    wait_for,
    without_progress,
)
from tests.verify.work.daskers import HOST, QUICK, Cluster, cluster_in, free_port
from tests.verify.work.test_processes import errors_come_back, results_come_back

PART = "Kx*"
"""Captures of the king: units of a second or two each, so that a run has a middle."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a scheduler with two workers, which no test may hurt."""
    with cluster_in(tmp_path_factory.mktemp("cluster") / "shared") as cluster:
        cluster.scheduler()
        cluster.worker()
        cluster.worker()
        yield cluster


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Make a cluster for one test, without processes yet."""
    with cluster_in(tmp_path / "cluster") as own:
        yield own


def verify(directory: Path, address: str, only: str) -> list[str]:
    """Return the arguments of a run on a cluster."""
    return ["verify", "--out", str(directory), "--only", only, "--scheduler", address]


def quick(directory: Path, address: str) -> subprocess.CompletedProcess[str]:
    """Return a run that is to fail soon."""
    return sanproof(*verify(directory, address, "Kxa1"), env=os.environ | QUICK)


@contextmanager
def in_process(cluster: Cluster, folder: Path) -> Iterator[ClusterExecutor]:
    """Yield the executor itself."""
    with worker_pool(1, folder / "log", cluster.address) as pool:
        assert isinstance(pool.executor, ClusterExecutor)
        yield pool.executor


def sentences(stderr: str) -> list[str]:
    """Return what a run had to say, without how it gets on and that it waits."""
    return [line for line in without_progress(stderr) if not line.startswith("waiting ")]


# Whole runs


@pytest.mark.slow
def test_a_run_on_a_cluster_gives_the_same_bytes(
    tmp_path: Path, shared: Cluster, finished_run: Path
) -> None:
    run = sanproof(*verify(tmp_path / "run", shared.address, "*xh8*"))
    assert run.returncode == 0, run.stderr
    assert outputs(tmp_path / "run") == outputs(finished_run)
    log = (tmp_path / "run" / "run.log").read_text()
    assert log.count("solve_unit of ") == 7  # one for each unit, sent back from the workers
    assert log.count(f" tcp://{HOST}:") >= 7


@pytest.mark.slow
def test_who_is_killed_loses_nothing(tmp_path: Path, cluster: Cluster) -> None:
    """Without its scheduler a run ends, and goes on with the next; others do a worker's tasks."""
    local, out = tmp_path / "local", tmp_path / "run"
    part = "[KB]x*"  # long enough to be stopped twice
    assert sanproof("verify", "--out", str(local), "--only", part, "--workers", "2").returncode == 0
    scheduler = cluster.scheduler()
    workers = [cluster.worker(), cluster.worker()]
    with started(*verify(out, cluster.address, part)) as process:
        wait_for(lambda: saved_units(out), process)
        scheduler.kill()
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 4, stderr
    assert "Traceback" not in stderr, stderr
    (sentence,) = sentences(stderr)
    assert sentence.startswith(f"sanproof: The connection to the scheduler {cluster.address} was")
    assert sentence.endswith("run the same command again.")
    assert names(out) == {"run.log"}
    saved = saved_units(out)
    assert saved >= 1
    log = out / "run.log"
    before = len(log.read_text())
    for worker in workers:
        worker.kill()
    cluster.scheduler()
    victim = cluster.worker()
    cluster.worker()
    with started(*verify(out, cluster.address, part)) as process:
        wait_for(lambda: saved_units(out) > saved, process)
        victim.kill()
        _, stderr = process.communicate()
    assert process.returncode == 0, stderr
    assert outputs(out) == outputs(local)
    done_now = log.read_text()[before:].count("solve_unit of ")
    assert done_now == saved_units(out) - saved  # nothing that was kept was done again


@pytest.mark.slow
def test_an_interrupt_takes_the_work_back(tmp_path: Path, shared: Cluster) -> None:
    with started(*verify(tmp_path / "run", shared.address, "K*")) as process:
        wait_for(lambda: saved_units(tmp_path / "run"), process)
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in stderr, stderr
    assert sentences(stderr)[-1].startswith("sanproof: Interrupted; ")
    assert tasks_of(shared, tmp_path) == 0


def tasks_of(cluster: Cluster, folder: Path) -> int:
    """Count the tasks that the scheduler knows."""
    with in_process(cluster, folder) as pool:
        return int(pool._client.run_on_scheduler(_tasks))


def _tasks(dask_scheduler: object) -> int:
    return len(dask_scheduler.tasks)  # type: ignore[attr-defined]


# Addresses


@pytest.mark.slow
def test_who_answers_is_no_scheduler(tmp_path: Path, shared: Cluster) -> None:
    nobody, tls = f"tcp://{HOST}:{free_port()}", shared.address.replace("tcp:", "tls:")
    expect_sentence(quick(tmp_path / "1", nobody), 4, "No scheduler answers", nobody)
    expect_sentence(quick(tmp_path / "2", tls), 2, tls, "certificates")
    with in_process(shared, tmp_path) as pool:
        worker, *_ = pool._client.scheduler_info()["workers"]
    expect_sentence(quick(tmp_path / "3", worker), 2, worker, "a worker answers there")


@pytest.mark.slow
def test_a_scheduler_without_workers(tmp_path: Path, cluster: Cluster) -> None:
    cluster.scheduler()
    run = quick(tmp_path / "run", cluster.address)
    waiting, *others = without_progress(run.stderr)
    assert waiting == f"waiting up to 3 s for workers of {cluster.address}"
    run.stderr = "\n".join(others)
    expect_sentence(run, 4, "has no workers", "dask worker")


def test_dask_is_not_installed(tmp_path: Path) -> None:
    hidden = tmp_path / "dask.py"
    hidden.write_text("raise ImportError\n")
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    run = sanproof(*verify(tmp_path / "run", "tcp://localhost:1", "Kxa1"), env=env)
    expect_sentence(run, 2, "pip install 'sanproof[cluster]'")


# Workers that are not as the client is


def copied_code(folder: Path) -> str:
    """Return a folder with sanproof in which one comment differs."""
    ignored = shutil.ignore_patterns("__pycache__", "node_modules", "*.json", "*.css", "*.js")
    shutil.copytree(ROOT / "sanproof", folder / "sanproof", ignore=ignored)
    with (folder / "sanproof" / "verify" / "errors.py").open("a") as errors:
        errors.write("# another version\n")
    return str(folder)


def other_version(folder: Path, package: str) -> str:
    """Return a folder that makes Python believe that a package has another version."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import importlib.metadata as metadata\n"
        "real = metadata.version\n"
        f"metadata.version = lambda name: '0.0.1' if name == {package!r} else real(name)\n"
    )
    return str(folder)


def broken_code(folder: Path) -> str:
    """Return a folder in which something else has the name of our package."""
    folder.mkdir()
    (folder / "sanproof.py").write_text("")
    return str(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("code", ["other code of sanproof"]),
        ("broken", ["no sanproof that runs", "not a package"]),
        ("dask", ["dask 0.0.1 and not "]),
        ("chess", ["chess 0.0.1 and not "]),
        ("distributed", ["distributed 0.0.1 and not "]),
        ("threads", ["2 threads and not 1", "--nthreads 1"]),
    ],
)
def test_who_differs_is_named(
    tmp_path: Path, cluster: Cluster, what: str, words: Sequence[str]
) -> None:
    other = tmp_path / "other"
    of_scheduler = what == "dask"
    cluster.scheduler({"PYTHONPATH": other_version(other, what)} if of_scheduler else None)
    match what:
        case "dask":
            pass
        case "code":
            cluster.worker({"PYTHONPATH": copied_code(other)})
        case "broken":
            cluster.worker({"PYTHONPATH": broken_code(other)})
        case "threads":
            cluster.worker(threads=2)
        case package:
            cluster.worker({"PYTHONPATH": other_version(other, package)})
    run = sanproof(*verify(tmp_path / "run", cluster.address, "Kxa1"))
    run.stderr = "\n".join(sentences(run.stderr))
    who = "scheduler" if of_scheduler else "worker"
    expect_sentence(run, 2, f"The {who} tcp://{HOST}:", "cannot take part", *words)
    assert names(tmp_path / "run") == {"run.log"}


@pytest.mark.slow
def test_a_worker_that_comes_later_is_compared_as_well(tmp_path: Path, cluster: Cluster) -> None:
    cluster.scheduler()
    cluster.worker()
    with in_process(cluster, tmp_path) as pool:
        cluster.worker({"PYTHONPATH": copied_code(tmp_path / "other")})
        pool._client.wait_for_workers(2)
        futures = [pool.submit(time.sleep, 0.2) for _ in range(10)]
        with pytest.raises(Failure, match="other code of sanproof"):
            [future.result() for future in futures]


# The executor


def test_it_is_an_executor(tmp_path: Path, shared: Cluster) -> None:
    with in_process(shared, tmp_path) as pool:
        results_come_back(pool)
        errors_come_back(pool)
        same = [pool.submit(os.getpid) for _ in range(2)]  # called each time, not remembered
        assert len({f.result() for f in same}) <= 2
        futures = [pool.submit(time.sleep, 0.5) for _ in range(400)]
        futures[0].result()
        assert sum(future.cancel() for future in futures) > 300
        with pytest.raises(CancelledError):
            futures[-1].result()
        assert pool.submit(divmod, 7, 2).result(timeout=20) == (3, 1)  # not after all that sleep
        pool.shutdown()
        with pytest.raises(RuntimeError, match="after shutdown"):
            pool.submit(divmod, 7, 2)


@pytest.mark.slow
def test_a_task_that_ends_workers_is_given_up(tmp_path: Path, cluster: Cluster) -> None:
    cluster.scheduler({"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"})
    for _ in range(3):
        cluster.worker()
    with in_process(cluster, tmp_path) as pool:
        pool._client.wait_for_workers(3)
        future: Future[None] = pool.submit(os._exit, 9)
        with pytest.raises(Unfinished, match=r"One piece of work ended 2 workers.*what was done"):
            future.result(timeout=60)
        assert pool.submit(divmod, 7, 2).result(timeout=60) == (3, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("who", "number", "said"),
    [
        ("worker", signal.SIGKILL, "has had no workers for 3 s"),
        ("scheduler", signal.SIGSTOP, "does not answer"),  # as one whose machine is gone
    ],
)
def test_a_cluster_without_workers_or_without_a_word_is_given_up(
    tmp_path: Path,
    cluster: Cluster,
    monkeypatch: pytest.MonkeyPatch,
    who: str,
    number: int,
    said: str,
) -> None:
    monkeypatch.setattr("sanproof.verify.work.cluster.PATIENCE_DEFAULT", "3s")
    daskers = {"scheduler": cluster.scheduler(), "worker": cluster.worker().after("Registered to")}
    with in_process(cluster, tmp_path) as pool:
        future = pool.submit(time.sleep, 60)
        time.sleep(1)
        daskers[who].process.send_signal(number)
        with pytest.raises(Unfinished, match=said):
            future.result(timeout=60)
