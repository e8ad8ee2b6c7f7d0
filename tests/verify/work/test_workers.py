"""Workers: processes of this machine, and those of a cluster."""

import gc
import logging
import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from socket import socket

import pytest

from sanproof.verify.work.executors import Inline, worker_pool
from tests.verify.command import (
    ROOT,
    children,
    expect_sentence,
    is_alive,
    outputs,
    sanproof,
    verify,
    wait_until,
)


def log_square(number: int) -> int:
    logging.getLogger("sanproof").info("the square of %d", number)
    return number**2


def fail(error: type[Exception]) -> None:
    raise error("on purpose")


def test_results_errors_and_records_of_the_log_come_back(tmp_path: Path) -> None:
    with worker_pool(2, tmp_path / "log") as pool:
        assert list(pool.map(log_square, range(5))) == [0, 1, 4, 9, 16]
        with pytest.raises(ValueError, match="on purpose"):
            pool.submit(fail, ValueError).result()
        logging.getLogger("sanproof").info("from the parent")
    lines = (tmp_path / "log").read_text().splitlines()
    assert len(lines) == 6
    assert sum("the square of 3" in line and "Process-" in line for line in lines) == 1


def test_one_worker_without_a_log_is_this_process() -> None:
    with worker_pool(1) as pool:
        assert isinstance(pool, Inline)
        assert pool.submit(os.getpid).result() == os.getpid()
        assert isinstance(pool.submit(fail, ValueError).exception(), ValueError)


def work_long(begun: Path) -> None:
    begun.touch()
    time.sleep(600)


def begin_result(begun: Path) -> None:
    """Write the first bytes of a result into the pool's pipe, and no more."""
    (results,) = [queue for queue in gc.get_objects() if type(queue) is SimpleQueue]
    os.write(results._writer.fileno(), (1000).to_bytes(4))  # type: ignore[attr-defined]
    work_long(begun)


@pytest.mark.parametrize("work", [work_long, begin_result])
def test_an_error_ends_workers_at_once(work: Callable[[Path], None], tmp_path: Path) -> None:
    """Also one in the middle of a result, for the rest of which the pool once waited."""
    begun = tmp_path / "begun"
    with pytest.raises(ZeroDivisionError), worker_pool(2) as pool:
        _ = pool.submit(work, begun), wait_until(begun.exists), 1 / 0  # type: ignore[func-returns-value]
    wait_until(lambda: not multiprocessing.active_children())


def test_a_worker_that_dies_breaks_the_pool() -> None:
    with pytest.raises(BrokenExecutor), worker_pool(2) as pool:
        pool.submit(os._exit, 1).result()


WAITING = """
import sys, time
from sanproof.verify.work.executors import worker_pool
if __name__ == "__main__":
    with worker_pool(2) as pool:
        future = pool.submit(time.sleep, 600)
        pool.submit(time.sleep, 0).result()
        print("ready", flush=True)
        future.result()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(WAITING)
    process = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process:
        assert process.stdout.readline() == b"ready\n"
        workers = children(process.pid)
        process.kill()
    assert len(workers) >= 2
    wait_until(lambda: not any(map(is_alive, workers)))


# A cluster, as its user starts it

dask = shutil.which("dask", path=str(Path(sys.executable).parent))
needs_dask = pytest.mark.skipif(dask is None, reason="needs dask")


@pytest.fixture
def scheduler() -> Iterator[str]:
    with closing(socket()) as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    host, port = address.split(":")
    with dask_process("scheduler", "--host", host, "--port", port):
        yield f"tcp://{address}"


@contextmanager
def dask_process(*arguments: str) -> Iterator[None]:
    environment = {**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "30s"}
    command = [str(dask), *arguments, "--no-dashboard"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment) as process:
        try:
            yield
        finally:
            process.kill()


def far(directory: Path, scheduler: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Make a small run on a cluster."""
    options = ("--out", str(directory), "--only", "O-O", "--scheduler", scheduler)
    return sanproof("verify", *options, env={**os.environ, "PYTHONPATH": str(ROOT), **more})


@needs_dask
@pytest.mark.slow
def test_a_cluster_finds_the_same(scheduler: str, tmp_path: Path) -> None:
    with dask_process("worker", scheduler, "--nthreads", "1"):
        done = far(tmp_path / "far", scheduler)
    assert done.returncode == 0, done.stderr
    assert sanproof(*verify(tmp_path / "near", "O-O")).returncode == 0
    assert outputs(tmp_path / "far") == outputs(tmp_path / "near")


@needs_dask
@pytest.mark.slow
def test_a_worker_that_differs_takes_no_part(scheduler: str, tmp_path: Path) -> None:
    with dask_process("worker", scheduler, "--nthreads", "2"):
        done = far(tmp_path / "run", scheduler)
    expect_sentence(done, 2, "2 threads and not 1")


@needs_dask
def test_no_scheduler(tmp_path: Path) -> None:
    done = far(tmp_path, "tcp://127.0.0.1:1", DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT="1s")
    expect_sentence(done, 4, "No scheduler answers at tcp://127.0.0.1:1")
