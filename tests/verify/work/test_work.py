"""What a job stands on: its store, its progress, whose code it is, and its workers."""

import errno
import gc
import logging
import multiprocessing
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from socket import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.verify.errors import Failure, Interrupted, Unfinished, failure
from sanproof.verify.work import provenance
from sanproof.verify.work.executors import worker_pool
from sanproof.verify.work.provenance import SECOND_SOLVER, SOLVERS, require_solvers
from sanproof.verify.work.store import Store, kept_in
from tests.verify.command import (
    ROOT,
    children,
    completed,
    expect_sentence,
    is_alive,
    on_terminal,
    outputs,
    sanproof,
    verify,
    wait_until,
)

# The store: what is saved comes back; another job, origin or program is refused

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
ORIGIN = {"chess": "1.11", "files": ["a.pgn"]}


def trial(directory: Path, **more: object) -> Store:
    return Store(directory, "trial", {**ORIGIN, **more})


@given(values=st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), plain))
def test_what_is_saved_comes_back(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, object]
) -> None:
    directory = tmp_path_factory.mktemp("trial")
    with trial(directory) as store:
        for name, value in values.items():
            store.save("unit", name, "replaced", 7)
            store.save("unit", name, value, 0.5)
        store.save("unit", "dropped", 1)
        store.remove("unit", "dropped")
    with trial(directory) as store:
        values.pop("dropped", None)
        assert {name: store.load("unit", name) for name in store.names("unit")} == values
        assert store.seconds("unit") == 0.5 * len(values)


def test_only_what_is_not_there_can_be_claimed(tmp_path: Path) -> None:
    with trial(tmp_path) as store:
        (tmp_path / "mine.txt").touch()
        (tmp_path / "link").symlink_to("nowhere")
        for name in ("mine.txt", "link"):
            with pytest.raises(Failure, match=f"{name} is not a file of this trial"):
                store.claim(["a.txt", name])
        assert store.claim([]) == set()
        assert store.claim(["a.txt"]) == {"a.txt"}
        (tmp_path / "a.txt").touch()
        assert store.claim(["a.txt", "b.txt"]) == {"a.txt", "b.txt"}


def test_what_cannot_be_used_is_a_sentence(tmp_path: Path) -> None:
    """In use, of another origin, full, damaged, or not to be written."""
    path = tmp_path / "trial.sqlite3"
    with trial(tmp_path) as store:
        with pytest.raises(Failure, match="Another trial is running"):
            trial(tmp_path)
        store._database.execute("PRAGMA max_page_count = 1")  # as on a full disk
        with pytest.raises(Unfinished, match="make room"):
            store.save("unit", "first", [*range(100_000)])
        store._database.execute("PRAGMA max_page_count = 1000000")
        store.save("unit", "first", [1])
        assert store.load("unit", "first") == [1]
    with pytest.raises(Failure, match="other settings \\(chess, seed"):
        trial(tmp_path, chess="1.12", seed=1)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE found SET value = x'00' WHERE kind = 'unit'")
    with trial(tmp_path) as store, pytest.raises(Failure, match="is damaged"):
        store.load("unit", "first")
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(Failure, match="is damaged"):
        trial(tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(Failure, match=r"cannot|may not be written") as caught:
        trial(tmp_path)
    assert caught.value.exit_code == 2


def test_what_is_kept_is_said(tmp_path: Path) -> None:
    for error, kind, words in (
        (KeyboardInterrupt(), Interrupted, "2 are done, all kept in .*run the same command again"),
        (OSError(28, "No space left"), Unfinished, "cannot be written: No space left"),
        (Failure("As it is."), Failure, "As it is"),
    ):
        with (
            trial(tmp_path) as store,
            pytest.raises(kind, match=words),
            kept_in(store, lambda: "2 are done"),
        ):
            raise error


def test_the_machine_is_at_fault_or_the_user() -> None:
    machine = (errno.ENOSPC, errno.EIO, errno.EMFILE)
    for number in (*machine, errno.ENOENT, errno.EACCES, errno.EISDIR):
        caused = ValueError("no rows")
        caused.__cause__ = OSError(number, "")
        for error in (OSError(number, ""), caused):
            assert type(failure("", error)) is (Unfinished if number in machine else Failure)
    assert type(failure("", ValueError(errno.EIO))) is Failure


# Progress: a bar that a terminal shows


def test_a_terminal_sees_how_far_each_phase_is(tmp_path: Path) -> None:
    """In a bar for each phase, in order, that is never wider than the terminal."""
    columns, streams = 70, ("stdout", "stderr")
    code, shown = on_terminal(*verify(tmp_path, "O-O"), columns=columns, streams=streams)
    assert code == 0
    bars = [re.search(r"(\w+)  \[#+\]  100%", line) for line in shown]
    assert [bar[1] for bar in bars if bar] == ["deciding", "games", "replaying"]
    assert [line for line in shown if len(line) > columns and str(tmp_path) not in line] == []


# What is the same code, and whether the solvers are there

TREE = {"a.py": "x = 1\n", "b.py": "y = 2\n", "room/c.py": "", "room/table.txt": "e2e4\n"}


def hash_of(tree: Mapping[str, str], folder: Path) -> str:
    """Return the hash of a package with these files."""
    for name, text in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sanproof.verify.work.provenance.resources.files", lambda _: folder)
        return provenance.hash_of_code.__wrapped__()


def test_other_code_has_another_hash(tmp_path: Path) -> None:
    """Every module and table of ours counts, by its name and to the byte; data is no code."""
    first = hash_of(TREE, tmp_path / "first")
    changes: list[dict[str, str]] = [
        *({"a.py": "x = 2\n"}, {"room/c.py": "\n"}, {"room/table.txt": "e2e3\n"}),
        *({"room/new.py": ""}, {"a.py": "x = 1\ny", "b.py": " = 2\n"}),
        {"a.py": "", "z.py": TREE["a.py"]},
    ]
    for number, change in enumerate(changes):
        assert first != hash_of({**TREE, **change}, tmp_path / str(number))
    more = {"published/list.txt": "e4\n", "__pycache__/a.pyc": "\0", "page.html": "<p>"}
    assert first == hash_of({**more, **dict(reversed(TREE.items()))}, tmp_path / "same")


PROGRAM = f"""
import sys
for name in {SOLVERS!r}:
    sys.modules[name] = None
from sanproof.verify.commands.start import main
for line in sys.argv[1:]:
    sys.argv[1:] = line.split()
    try:
        main()
    except SystemExit as ended:
        sys.stderr.write(f"\\0{{ended.code}}\\0")
"""
"""Commands in turn, where the modules of the extra ``prove`` cannot be imported."""
NAMED = "pip install 'sanproof[prove]'"
WITHOUT_SOLVERS = [
    *((2, words) for words in ("verify --out run", "find Qd4#", "explain --prove Ba1b2+")),
    *((2, "audit --second-opinion"), (1, "explain Ba1b2+"), (1, "gate list.txt")),
    *((0, words) for words in ("read Nf3", "write g1f3", "scan --check --no-fast games.pgn")),
    (0, "find --criteria"),
]


def test_without_the_solvers_only_what_searches_fails(tmp_path: Path) -> None:
    """And it names the extra."""
    (tmp_path / "list.txt").write_text("e4\n", encoding="utf-8")
    (tmp_path / "games.pgn").write_text("1. e4 e5 *\n", encoding="utf-8")
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    lines = [words for _, words in WITHOUT_SOLVERS]
    done = completed([sys.executable, "-P", "-c", PROGRAM, *lines], cwd=tmp_path, env=environment)
    said = done.stderr.split("\0")
    found = [
        (int(code), NAMED in words) for words, code in zip(said[::2], said[1::2], strict=False)
    ]
    assert found == [(code, code == 2) for code, _ in WITHOUT_SOLVERS], done.stderr
    assert not (tmp_path / "run").exists()


def test_what_is_there_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    require_solvers("A test")
    assert provenance.version_of("no-such-package-as-this") == "none"
    monkeypatch.setitem(sys.modules, "z3", None)
    require_solvers("A test", ("numba",))
    with pytest.raises(Failure, match=r"^A test needs z3: "):
        require_solvers("A test", SECOND_SOLVER)
    with pytest.raises(Failure, match=r"A test needs the solvers: "):
        require_solvers("A test")


# Workers of this machine


def fail() -> None:
    raise ValueError("on purpose")


def log_square(number: int) -> int:
    logging.getLogger("sanproof").info("the square of %d", number)
    return number**2


def test_results_errors_and_records_of_the_log_come_back(tmp_path: Path) -> None:
    for log in (None, tmp_path / "log"):
        with worker_pool(1, log) as pool:
            assert (pool.submit(os.getpid).result() == os.getpid()) == (log is None)
            assert list(pool.map(log_square, range(5))) == [0, 1, 4, 9, 16]
            with pytest.raises(ValueError, match="on purpose"):
                pool.submit(fail).result()
    lines = (tmp_path / "log").read_text().splitlines()
    assert len(lines) == 5
    assert sum("the square of 3" in line and "Process-" in line for line in lines) == 1
    with pytest.raises(Unfinished, match="A worker died"), worker_pool(2) as pool:
        pool.submit(os._exit, 1).result()


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


WAITING = """
import os, sys, time
from multiprocessing import util
from sanproof.verify.commands.start import run_to_end
from sanproof.verify.work.executors import worker_pool
spawn = util.spawnv_passfds
def interrupted(path, args, fds):
    return (spawn(path, args, fds), os.kill(os.getpid(), 15 * ("spawn_main" in str(args))))[0]
def body():
    with worker_pool(2) as pool:
        future = pool.submit(time.sleep, 600)
        pool.submit(time.sleep, 0).result()
        print("ready", flush=True)
        return future.result()
if __name__ == "__main__":
    util.spawnv_passfds = globals()[sys.argv[1]] if sys.argv[1:] else spawn
    run_to_end(body)
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


def test_a_signal_while_a_worker_starts_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(WAITING)
    done = completed([sys.executable, str(tmp_path / "program.py"), "interrupted"])
    expect_sentence(done, 143, "SIGTERM")


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
