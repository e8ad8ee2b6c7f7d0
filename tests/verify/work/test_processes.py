"""The worker processes: results, errors, deaths, and nothing left behind."""

import logging
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

from sanproof.verify.work.executors import hands
from sanproof.verify.work.processes import ProcessExecutor
from tests.verify.work import saboteurs


@pytest.fixture
def pool() -> Iterator[ProcessExecutor]:
    executor = ProcessExecutor(2)
    yield executor
    executor.kill()


def test_results_and_log_records_come_back(
    pool: ProcessExecutor, caplog: pytest.LogCaptureFixture
) -> None:
    futures = {pool.submit(divmod, i, 7): i for i in range(100)}
    assert {futures[f]: f.result() for f in as_completed(futures)} == {
        i: divmod(i, 7) for i in range(100)
    }
    with caplog.at_level(logging.INFO, "sanproof"):
        pool.submit(saboteurs.greet).result()
    assert [r.message for r in caplog.records] == ["greetings from a worker"]
    assert str(caplog.records[0].processName).startswith("worker ")


def errors_come_back(pool: Executor) -> None:
    """As they were raised, or in words; and the worker goes on."""
    with pytest.raises(ZeroDivisionError):
        pool.submit(divmod, 1, 0).result()
    with pytest.raises(RuntimeError, match="Uncopyable"):
        pool.submit(saboteurs.fail_with_what_cannot_be_copied).result()
    with pytest.raises((AttributeError, TypeError), match=r"pickle|lambda"):
        pool.submit(lambda: None).result()
    with pytest.raises((AttributeError, TypeError), match=r"pickle|lambda"):
        pool.submit(saboteurs.return_what_cannot_be_copied).result()
    assert pool.submit(divmod, 7, 2).result() == (3, 1)


def test_errors_come_back(pool: ProcessExecutor) -> None:
    errors_come_back(pool)


def test_a_dead_worker_ends_everything(pool: ProcessExecutor) -> None:
    futures: list[Future[None]] = [pool.submit(os._exit, 9)]
    futures += [pool.submit(time.sleep, 0.01) for _ in range(50)]
    failed = [f for f in as_completed(futures, timeout=60) if f.exception()]
    assert futures[0] in failed
    assert all(isinstance(f.exception(), BrokenProcessPool) for f in failed)
    with pytest.raises(BrokenProcessPool):
        pool.submit(divmod, 7, 2).result(timeout=60)


def test_a_worker_that_dies_idle_is_noticed(pool: ProcessExecutor) -> None:
    pids = {pool.submit(os.getpid).result() for _ in range(10)}
    os.kill(pids.pop(), signal.SIGKILL)
    futures = [pool.submit(time.sleep, 0.01) for _ in range(1000)]
    with pytest.raises(BrokenProcessPool):
        list(map(Future.result, futures))


def test_what_was_not_begun_can_be_cancelled(pool: ProcessExecutor) -> None:
    futures = [pool.submit(time.sleep, 0.05) for _ in range(100)]
    pool.shutdown(cancel_futures=True)
    assert sum(f.cancelled() for f in futures) > 50
    assert all(f.done() for f in futures)
    with pytest.raises(RuntimeError, match="after shutdown"):
        pool.submit(divmod, 1, 1)


def test_workers_leave_signals_to_the_parent() -> None:
    """Also the first worker of a process, with which Python starts a process of its own."""
    resource_tracker._resource_tracker._stop()  # type: ignore[attr-defined]
    pool = ProcessExecutor(1)
    blocked = pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result()
    pool.shutdown()
    assert blocked >= {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs /proc")
def test_no_semaphore_has_a_name_that_a_kill_would_leave_behind(tmp_path: Path) -> None:
    """A semaphore is a file that a process has mapped; one without a name is marked as deleted."""
    with hands(2, tmp_path / "log") as (executor, _):
        pids = {executor.submit(os.getpid).result() for _ in range(20)} | {os.getpid()}
        for pid in pids:
            lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
            named = [line for line in lines if "/sem." in line and not line.endswith("(deleted)")]
            assert named == []
