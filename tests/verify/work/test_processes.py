"""The workers: results, errors, deaths, nothing left behind, nothing imported from here."""

import logging
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import resource_tracker
from pathlib import Path
from textwrap import indent

import pytest

from sanproof.verify.errors import Unfinished
from sanproof.verify.scan.borders import CHUNK_BYTES
from sanproof.verify.work.executors import worker_pool
from sanproof.verify.work.processes import ProcessExecutor, process_pool, result_of
from tests.verify.command import PROGRAM, ROOT, completed
from tests.verify.scan.pgn import random_games
from tests.verify.work import saboteurs

# The worker processes: results, errors, deaths, and nothing left behind


@pytest.fixture
def pool() -> Iterator[ProcessExecutor]:
    executor = ProcessExecutor(2)
    yield executor
    executor.kill()


def results_come_back(pool: Executor) -> None:
    futures = {pool.submit(divmod, i, 7): i for i in range(100)}
    results = {futures[f]: f.result() for f in as_completed(futures)}
    assert results == {i: divmod(i, 7) for i in range(100)}


def test_results_errors_and_log_records_come_back(
    pool: ProcessExecutor, caplog: pytest.LogCaptureFixture
) -> None:
    results_come_back(pool)
    errors_come_back(pool)
    with caplog.at_level(logging.INFO, "sanproof"):
        pool.submit(saboteurs.greet).result()
    assert [r.message for r in caplog.records] == ["greetings from a worker"]
    assert str(caplog.records[0].processName).startswith("worker ")


def errors_come_back(pool: Executor) -> None:
    """Check that errors come back as raised, or in words; and the worker goes on."""
    with pytest.raises(ZeroDivisionError):
        pool.submit(divmod, 1, 0).result()
    with pytest.raises(RuntimeError, match="Uncopyable"):
        pool.submit(saboteurs.fail_with_what_cannot_be_copied).result()
    with pytest.raises((AttributeError, TypeError), match=r"pickle|lambda"):
        pool.submit(lambda: None).result()
    with pytest.raises((AttributeError, TypeError), match=r"pickle|lambda"):
        pool.submit(saboteurs.return_what_cannot_be_copied).result()
    assert pool.submit(divmod, 7, 2).result() == (3, 1)


@pytest.mark.parametrize(
    "answer", [b"", b"x", *map(pickle.dumps, (1, ([], 1), ([1], 1, None), ([], 1, SystemExit())))]
)
def test_what_is_no_answer_is_refused_in_a_sentence(answer: bytes) -> None:
    with pytest.raises(Unfinished, match="The answer of tcp://1 cannot be read"):
        result_of(answer, "tcp://1")


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
    with worker_pool(2, tmp_path / "log") as (executor, _):
        pids = {executor.submit(os.getpid).result() for _ in range(20)} | {os.getpid()}
        for pid in pids:
            lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
            named = [line for line in lines if "/sem." in line and not line.endswith("(deleted)")]
            assert named == []


# Work beside the main thread arrives, and keeps no command waiting


def test_a_command_that_ends_does_not_wait_for_it() -> None:
    code = (
        "import time\n"
        "from sanproof.verify.work.executors import beside\n"
        "beside(time.sleep, 120)\n"
        "raise SystemExit(5)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert done.returncode == 5


def test_one_worker_is_this_process_and_several_are_others() -> None:
    with worker_pool(1) as (executor, workers):
        assert workers == 1
        assert executor.submit(os.getpid).result() == os.getpid()
    with worker_pool(2) as (executor, workers):
        assert workers == 2
        assert executor.submit(os.getpid).result() != os.getpid()


# Workers import nothing from the current folder, whatever lies there

NAMES = ("multiprocessing", "pickle", "json", "chess", "numpy", "verify", "proofs", "sitecustomize")
"""The modules that a worker imports in any case, before and after it has its path."""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Make a folder of modules that note that they were run."""
    for name in NAMES:
        note = f"open({str(tmp_path / 'was_run')!r}, 'a').write({name!r} + ' ')\n"
        (tmp_path / f"{name}.py").write_text(note)
    return tmp_path


def run(hostile: Path, *arguments: str) -> None:
    """Run as the installed command: its own folder, not the current one, is first on the path."""
    command = hostile / "bin" / "sanproof"
    command.parent.mkdir(exist_ok=True)
    command.write_text(f"if __name__ == '__main__':\n    {PROGRAM}\n")
    done = completed(
        [sys.executable, str(command), *arguments],
        cwd=hostile,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert not (hostile / "was_run").exists(), (hostile / "was_run").read_text()


@pytest.mark.slow
def test_verify_and_audit(hostile: Path) -> None:
    run(hostile, "verify", "--out", "run", "--only", "O-O", "--workers", "2", "--no-games")
    run(hostile, "audit", "run", "--workers", "2")


@pytest.mark.slow
def test_scan(hostile: Path) -> None:
    """Of a file that is larger than one chunk, or no worker is started."""
    long = "%" + "x" * (1 << 10) + "\n"
    (hostile / "a.pgn").write_text("".join(random_games(5, 20)) + long * (CHUNK_BYTES >> 10))
    run(hostile, "scan", "a.pgn", "--out", "out", "--workers", "2", "--no-fast")


@pytest.mark.slow
def test_no_place_for_compiled_code_is_taken_from_it(hostile: Path) -> None:
    """Numba would look for it there, and run it."""
    (hostile / ".numba_config.yaml").write_text("cache_dir: elsewhere\n")
    (hostile / "a.pgn").write_text("".join(random_games(5, 2)))
    run(hostile, "scan", "a.pgn", "--check", "--workers", "1")
    run(hostile, "verify", "--out", "run", "--only", "O-O-O", "--workers", "1")
    assert not (hostile / "elsewhere").exists()


def path_of_worker() -> list[str]:
    return sys.path


def test_the_path_of_a_worker_is_its_parents_without_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    with process_pool(1) as pool:
        found = pool.submit(path_of_worker).result()
    assert found == [str(Path(folder)) for folder in sys.path[2:]]


BESIDE_A_THREAD = """
import threading
from sanproof.proofs.find.limited import within
threading.Thread(target=threading.Event().wait, daemon=True).start()  # so that it cannot fork
print(list(within(60, range, 3)))
"""


def test_a_search_with_a_limit_beside_a_thread(hostile: Path) -> None:
    """As a program, whose own folder stands in front of the path, not the current one."""
    program = hostile / "bin" / "program.py"
    program.parent.mkdir()
    program.write_text(f"if __name__ == '__main__':\n{indent(BESIDE_A_THREAD, '    ')}")
    done = completed([sys.executable, str(program)], cwd=hostile)
    assert (done.returncode, done.stdout) == (0, "[0, 1, 2]\n"), done.stderr
    assert not (hostile / "was_run").exists(), (hostile / "was_run").read_text()
