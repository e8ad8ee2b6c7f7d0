"""Worker processes that are handed their tasks through pipes.

The executor of the standard library needs semaphores, which have names in the system, and those
stay there when a whole process group is killed. A pipe ends with its processes. And its processes,
as all of multiprocessing's, look for their first modules in the current folder, where anything
may lie. Ours begin without any folder of somebody's, and then have the path of their parent.
"""

import atexit
import multiprocessing
import multiprocessing.connection
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from sanproof.verify.work import signals

P = ParamSpec("P")
R = TypeVar("R")
Send = Callable[[object], None]

MESSAGE: Final = "message"
DONE: Final = "done"
FAILED: Final = "failed"

PROGRAM: Final = (
    "import sys; sys.path[:] = sys.argv[3:]; "
    "from sanproof.verify.work.processes import work; work(int(sys.argv[1]), int(sys.argv[2]))"
)
"""What a worker runs, with the numbers of its pipes and the path of its parent."""


class _Task(NamedTuple):
    future: Future[Any]
    call: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def nothing(_: object) -> None:
    """A worker that has nothing to begin with, or a parent that has nothing to hear."""


class ProcessExecutor(Executor):
    """An executor of worker processes, which are started at once.

    Each of them first calls ``begin`` with a function that sends a message to the parent, where a
    thread calls ``hear`` with each of these messages.
    """

    def __init__(
        self,
        workers: int,
        begin: Callable[[Send], None] = nothing,
        hear: Callable[[Any], None] = nothing,
    ) -> None:
        self._hear = hear
        self._waiting: deque[_Task] = deque()
        self._closed = self._broken = False
        self._processes: list[subprocess.Popen[bytes]] = []
        self._connections: list[Connection] = []
        self._woken, self._wake = Pipe(duplex=False)
        self._dying, self._living = Pipe(duplex=False)
        atexit.register(self.kill)  # or workers would go on that nobody ended
        try:
            with signals.blocked():
                for _ in range(workers):
                    self._start(begin)
                self._thread = threading.Thread(target=self._serve, daemon=True)
                self._thread.start()
        except BaseException:
            self.kill()
            raise

    def _start(self, begin: Callable[[Send], None]) -> None:
        """Start a worker afresh, which works alike on every system."""
        ours, theirs = Pipe()
        with theirs:
            ends = (theirs.fileno(), self._dying.fileno())
            alone = "-I" if sys.flags.isolated else "-P"
            command = [sys.executable, alone, "-c", PROGRAM, *map(str, ends), *_path()]
            process = subprocess.Popen(command, pass_fds=ends, stdin=subprocess.DEVNULL)
        signals.add_process(process.pid)
        self._processes.append(process)
        self._connections.append(ours)
        ours.send_bytes(pickle.dumps(begin))

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have a worker call the function."""
        if self._closed:
            raise RuntimeError("the executor is shut down")
        future: Future[R] = Future()
        self._waiting.append(_Task(future, (fn, args, kwargs)))
        self._wake.send_bytes(b"!")
        if self._broken:
            self._break([])
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the workers end what they are doing, and then themselves."""
        self._closed = True
        if cancel_futures:
            for task in list(self._waiting):
                task.future.cancel()
        self._wake.send_bytes(b"!")
        if wait:
            self._thread.join()
            self._join()

    def kill(self) -> None:
        """End the workers at once, whatever they are doing."""
        self._closed = True
        for process in self._processes:
            process.kill()
        self._join()

    def _join(self) -> None:
        for process in self._processes:
            process.wait()
            signals.end_process(process.pid)
        atexit.unregister(self.kill)

    def _serve(self) -> None:
        """Hand out tasks and take in results, in a thread of the parent."""
        busy: dict[Connection, Future[Any]] = {}
        try:
            while self._hand_out(busy) or not self._closed:
                for ready in multiprocessing.connection.wait([self._woken, *self._connections]):
                    if ready is self._woken:
                        self._woken.recv_bytes()
                    elif isinstance(ready, Connection):
                        self._take_in(ready, busy)
            for connection in self._connections:
                connection.send_bytes(b"")
        except Exception:  # noqa: BLE001 - a worker died, or sent what nobody can read
            self._break(list(busy.values()))
        finally:
            for connection in self._connections:
                connection.close()

    def _hand_out(self, busy: dict[Connection, Future[Any]]) -> bool:
        """Give each idle worker a task; whether any worker is busy."""
        idle = [connection for connection in self._connections if connection not in busy]
        while idle and self._waiting:
            future, call = self._waiting.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                pickled = pickle.dumps(call)
            except Exception as error:  # noqa: BLE001 - it is the caller's
                future.set_exception(error)
                continue
            busy[idle[-1]] = future
            idle.pop().send_bytes(pickled)
        return bool(busy)

    def _take_in(self, connection: Connection, busy: dict[Connection, Future[Any]]) -> None:
        kind, value = pickle.loads(connection.recv_bytes())  # noqa: S301 - from our own worker
        if kind == MESSAGE:
            self._hear(value)
        elif kind == DONE:
            busy.pop(connection).set_result(value)
        else:
            busy.pop(connection).set_exception(value)

    def _break(self, running: list[Future[Any]]) -> None:
        """Let everything that was not done fail."""
        self._broken = True
        while self._waiting:
            future = self._waiting.popleft().future
            if future.set_running_or_notify_cancel():
                running.append(future)
        for future in running:
            future.set_exception(BrokenProcessPool("a worker process died"))


def _path() -> list[str]:
    """The parent's path without the current folder, unless sanproof itself lies there."""
    ours = Path(__file__).parents[3]
    try:
        here = Path.cwd()
    except FileNotFoundError:  # it was removed
        here = ours
    folders = [here / folder for folder in sys.path]
    return [str(folder) for folder in folders if folder != here or folder == ours]


@contextmanager
def process_pool(
    workers: int, begin: Callable[[Send], None] = nothing, hear: Callable[[Any], None] = nothing
) -> Iterator[ProcessExecutor]:
    """A :class:`ProcessExecutor`, which ends with the block; after an error it is killed."""
    pool = ProcessExecutor(workers, begin, hear)
    try:
        yield pool
        pool.shutdown(cancel_futures=True)
    except BaseException:
        pool.kill()
        raise


def work(number: int, dying: int) -> None:
    """A worker: do one task after the other, until there are no more.

    Args:
        number: The pipe of the tasks and results.
        dying: A pipe that ends with the parent.
    """
    threading.Thread(target=_end_with_parent, args=(dying,), daemon=True).start()
    multiprocessing.current_process().name = f"worker {os.getpid()}"  # in the log
    connection = Connection(number)
    begin = pickle.loads(connection.recv_bytes())  # noqa: S301 - from our own parent
    begin(lambda message: connection.send_bytes(pickle.dumps((MESSAGE, message))))
    with suppress(EOFError, OSError):  # the parent has died
        while pickled := connection.recv_bytes():
            connection.send_bytes(answer(pickled))


def answer(pickled: bytes) -> bytes:
    """Do a pickled call; the pickled result or error, with ``DONE`` or ``FAILED`` before it."""
    try:
        work, args, kwargs = pickle.loads(pickled)  # noqa: S301 - from our own parent
        return pickle.dumps((DONE, work(*args, **kwargs)))
    except Exception as error:  # noqa: BLE001 - as an executor does
        return _failed(error)


def _failed(error: Exception) -> bytes:
    """The error, or its text if it cannot be sent."""
    try:
        pickled = pickle.dumps((FAILED, error))
        pickle.loads(pickled)  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - an error may fail in any way as it is copied
        return pickle.dumps((FAILED, RuntimeError(repr(error))))
    return pickled


def _end_with_parent(dying: int) -> None:
    os.read(dying, 1)
    os._exit(1)
