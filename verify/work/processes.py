"""Worker processes, each behind a thread that hands it tasks through a pipe.

The pool of processes of the standard library needs semaphores, whose names stay in the system when
a whole process group is killed; its workers outlive a parent that is killed, and look for modules
in the current folder, where anything may lie. A pipe ends with its processes, and our workers
begin without any folder of somebody's, and then have the path of their parent.
"""

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

from sanproof.verify.work import signals
from sanproof.verify.work.log import log, sent_records

P = ParamSpec("P")
R = TypeVar("R")

RECORD: Final = "log record"
DONE: Final = "done"
FAILED: Final = "failed"

PROGRAM: Final = (
    "import sys; sys.path[:] = sys.argv[2:]; "
    "from sanproof.verify.work.processes import work; work(int(sys.argv[1]))"
)
"""The program of a worker, with the number of its pipe and the path of its parent."""


class ProcessExecutor(ThreadPoolExecutor):
    """An executor of worker processes, which are started at once; when one dies, all end.

    What they log is logged here.
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
        """Start a worker afresh, which works alike on every system."""
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
            while (answer := pickle.loads(connection.recv_bytes()))[0] == RECORD:  # noqa: S301 - ours
                log.handle(answer[1])
        except Exception as error:  # it died, or sent what cannot be read
            self._end_processes()
            raise BrokenProcessPool("a worker process died") from error
        finally:
            self._idle.put(connection)
        if answer[0] == FAILED:
            raise answer[1]
        return answer[1]

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
    send = lambda record: connection.send_bytes(pickle.dumps((RECORD, record)))  # noqa: E731
    with sent_records(send), suppress(OSError):  # the parent has died
        while True:
            connection.send_bytes(answer(calls.get()))


def _receive(connection: Connection, calls: "queue.SimpleQueue[bytes]") -> None:
    """Take in calls, and end this process with its parent, whatever it is doing."""
    with suppress(EOFError, OSError):
        while True:
            calls.put(connection.recv_bytes())
    os._exit(1)


def answer(pickled: bytes) -> bytes:
    """Do a pickled call; the pickled result or error, with ``DONE`` or ``FAILED`` before it."""
    try:
        work, args, kwargs = pickle.loads(pickled)  # noqa: S301 - from our own parent
        return pickle.dumps((DONE, work(*args, **kwargs)))
    except Exception as error:  # noqa: BLE001 - as an executor does
        return _failed(error)


def _failed(error: Exception) -> bytes:
    """Pickle an error, or its text if it cannot be sent."""
    try:
        pickled = pickle.dumps((FAILED, error))
        pickle.loads(pickled)  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - an error may fail in any way as it is copied
        return pickle.dumps((FAILED, RuntimeError(repr(error))))
    return pickled
