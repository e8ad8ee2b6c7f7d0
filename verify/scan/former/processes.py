"""Worker processes, each behind a thread that hands it tasks through a pipe.

The pool of processes of the standard library needs semaphores, whose names stay in the system when
a whole process group is killed; its workers outlive a parent that is killed, and look for modules
in the current folder, where anything may lie. A pipe ends with its processes, and our workers
begin without any user's folder, and then have the path of their parent.
"""

import gc
import multiprocessing
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from sanproof.verify.errors import Unfinished
from sanproof.verify.scan.former import signals
from sanproof.verify.scan.former.log import log, recorded

P = ParamSpec("P")
R = TypeVar("R")

GARBAGE_THRESHOLD: Final = 100_000
"""Formulas are many tuples and no cycles: garbage is looked for less often than Python would."""
PROGRAM: Final = (
    "import sys; sys.path[:] = sys.argv[2:]; "
    "from sanproof.verify.scan.former.processes import work; work(int(sys.argv[1]))"
)
"""The program of a worker, with the number of its pipe and the path of its parent."""


class ProcessExecutor(ThreadPoolExecutor):
    """An executor of worker processes, which are started at once; when one dies, all end.

    What they log is logged here, when they have done a task.
    """

    def __init__(self, workers: int) -> None:
        # The threads leave signals to the main one.
        block = partial(signal.pthread_sigmask, signal.SIG_BLOCK, signals.SENTENCES)
        super().__init__(workers, initializer=block)
        self._processes: list[subprocess.Popen[bytes]] = []
        self._idle: queue.SimpleQueue[Connection] = queue.SimpleQueue()
        try:
            with signals.blocked():
                for _ in range(workers):
                    self._start()
        except BaseException:
            self.kill()
            raise

    def _start(self) -> None:
        """Spawn a worker, which works alike on every system."""
        ours, theirs = Pipe()
        with theirs:
            number = theirs.fileno()
            alone = "-I" if sys.flags.isolated else "-P"
            command = [sys.executable, alone, "-c", PROGRAM, str(number), *_path()]
            process = subprocess.Popen(command, pass_fds=[number], stdin=subprocess.DEVNULL)
        signals.add_process(process.pid)
        self._processes.append(process)
        self._idle.put(ours)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have a worker call the function."""
        return super().submit(self._call, fn, args, kwargs)

    def _call(self, *call: Any) -> Any:  # noqa: ANN401 - any function's
        """Hand a call to an idle worker, and wait for what comes back."""
        pickled = pickle.dumps(call)
        connection = self._idle.get()
        try:
            connection.send_bytes(pickled)
            answered = connection.recv_bytes()
        except Exception as error:  # it died
            self._end_processes()
            raise BrokenProcessPool("a worker process died") from error
        finally:
            self._idle.put(connection)
        return result_of(answered)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the workers end what they are doing, and then themselves."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            for _ in self._processes:
                self._idle.get().close()
            for process in self._processes:
                process.wait()
                signals.end_process(process.pid)
            self._processes = []

    def kill(self) -> None:
        """End the workers at once, whatever they are doing."""
        self._end_processes()
        self.shutdown(cancel_futures=True)

    def _end_processes(self) -> None:
        for process in self._processes:
            process.kill()


def _path() -> list[str]:
    """Return this process's path without the current folder, unless sanproof itself lies there."""
    ours = Path(__file__).parents[3]
    try:
        here = Path.cwd()
    except FileNotFoundError:  # it was removed
        here = ours
    folders = [here / folder for folder in sys.path]
    return [str(folder) for folder in folders if folder != here or folder == ours]


@contextmanager
def process_pool(workers: int) -> Iterator[ProcessExecutor]:
    """Open a :class:`ProcessExecutor`, which ends with the block; after an error it is killed."""
    pool = ProcessExecutor(workers)
    try:
        yield pool
        pool.shutdown(cancel_futures=True)
    except BaseException:
        pool.kill()
        raise


def work(number: int) -> None:
    """Do one task after the other that comes through a pipe, as a worker, until it is closed."""
    multiprocessing.current_process().name = f"worker {os.getpid()}"  # in the log
    connection = Connection(number)
    calls: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(connection, calls), daemon=True).start()
    with suppress(OSError):  # the parent has died
        while True:
            connection.send_bytes(answer(calls.get()))


def _receive(connection: Connection, calls: "queue.SimpleQueue[bytes]") -> None:
    """Take in calls, and end this process with its parent, whatever it is doing."""
    with suppress(EOFError, OSError):
        while True:
            calls.put(connection.recv_bytes())
    os._exit(1)


def answer(pickled: bytes) -> bytes:
    """Do a pickled call as a worker; pickle its log records, its result, and its error or None."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    records: list[Any] = []  # of the log
    try:
        work, args, kwargs = pickle.loads(pickled)  # noqa: S301 - from our own parent
        with recorded() as records:
            result = work(*args, **kwargs)
        return pickle.dumps((records, result, None))
    except Exception as error:  # noqa: BLE001 - as an executor does
        failed = error
    try:
        answered = pickle.dumps((records, None, failed))
        pickle.loads(answered)  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - an error may fail in any way as it is copied
        answered = pickle.dumps((records, None, RuntimeError(repr(failed))))
    return answered


def result_of(answered: bytes, worker: str = "") -> Any:  # noqa: ANN401 - any function's
    """Log what a worker logged, under its name if it is given, and return or raise its answer.

    Raises:
        Unfinished: It is no answer.
    """
    try:
        records, result, error = pickle.loads(answered)  # noqa: S301 - ours
        for record in records:
            record.processName = worker or record.processName
            log.handle(record)
    except Exception as wrong:
        raise _unreadable(worker, wrong) from wrong
    if not isinstance(error, Exception | None):
        raise _unreadable(worker, error)
    if error is not None:
        raise error
    return result


def _unreadable(worker: str, why: object) -> Unfinished:
    return Unfinished(
        f"The answer of {worker or 'a worker'} cannot be read ({why!r}); what was done is kept: "
        "look at its log, and run the same command again."
    )
