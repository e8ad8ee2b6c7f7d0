"""Who does the work: this process, worker processes of this machine, or a cluster."""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import Any, NamedTuple, ParamSpec, TypeVar

from sanproof.verify.errors import Unfinished
from sanproof.verify.work.log import gathered_log, log, send_records
from sanproof.verify.work.processes import process_pool
from sanproof.verify.work.signals import blocked

P = ParamSpec("P")
R = TypeVar("R")


class Inline(Executor):
    """Does the work at once, in this process: nothing has to be sent anywhere."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Do it, and keep what came out."""
        future: Future[R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - as an executor does
            future.set_exception(error)
        return future


class Beside(Executor):
    """Does the work in threads of this process, for which nobody waits if the command ends."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Begin it."""
        future: Future[R] = Future()

        def work() -> None:
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - as an executor does
                future.set_exception(error)

        with blocked():  # the thread leaves signals to the main one
            Thread(target=work, daemon=True).start()
        return future


class Behind(Executor):
    """Hands work on to another executor, so much at once: what others want done comes between.

    Args:
        executor: Who does the work.
        at_once: How many tasks it has at once; one more than it has workers keeps them busy.
    """

    def __init__(self, executor: Executor, at_once: int) -> None:
        self._executor = executor
        self._free = at_once
        self._waiting: deque[tuple[Future[Any], Callable[[], Future[Any]]]] = deque()
        self._handing_on = False
        self._lock = Lock()

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have it done when there is room."""
        future: Future[R] = Future()
        self._waiting.append((future, lambda: self._executor.submit(fn, *args, **kwargs)))
        self._hand_on()
        return future

    def _hand_on(self) -> None:
        """Hand on what there is room for; whoever does so already goes on with it."""
        with self._lock:
            if self._handing_on:
                return
            self._handing_on = True
        while task := self._next():
            future, begin = task
            if not future.set_running_or_notify_cancel():
                self._give_back()
                continue
            try:
                done = begin()
            except Exception as error:  # noqa: BLE001 - it may be shut down
                done = Future()
                done.set_exception(error)
            done.add_done_callback(partial(self._settle, future))

    def _next(self) -> tuple[Future[Any], Callable[[], Future[Any]]] | None:
        with self._lock:
            self._handing_on = bool(self._free and self._waiting)
            if not self._handing_on:
                return None
            self._free -= 1
            return self._waiting.popleft()

    def _settle(self, future: Future[Any], done: Future[Any]) -> None:
        error = CancelledError() if done.cancelled() else done.exception()
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(done.result())
        self._give_back()
        self._hand_on()

    def _give_back(self) -> None:
        with self._lock:
            self._free += 1


class Checking(Executor):
    """Has work done by machines that may be wrong, and its results checked by processes of ours.

    Args:
        others: Who does the work.
        own: Who checks it.
        checks: For a function of the work what is called with its arguments and its result, and
            raises an error if that is wrong.
        at_home: The functions that ``own`` calls, because to check is to do them again.
    """

    def __init__(
        self,
        others: Executor,
        own: Executor,
        checks: Mapping[Callable[..., Any], Callable[..., None]],
        at_home: Collection[Callable[..., Any]] = (),
    ) -> None:
        self._others = others
        self._own = own
        self._checks = checks
        self._at_home = at_home

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have it done, and checked."""
        if fn in self._at_home:
            return self._own.submit(fn, *args, **kwargs)
        done = self._others.submit(fn, *args, **kwargs)
        check = self._checks.get(fn)
        if check is None:
            return done
        checked: Future[R] = Future()

        def settle(last: Future[Any]) -> None:
            if last.cancelled():
                checked.cancel()
            if not checked.set_running_or_notify_cancel():
                return
            if error := last.exception():
                checked.set_exception(error)
            else:
                checked.set_result(done.result())

        def have_checked(_: Future[R]) -> None:
            if done.cancelled() or done.exception():
                settle(done)
                return
            with suppress(RuntimeError):  # it is shut down: nobody waits for the result
                result = done.result()
                self._own.submit(check, *args, result, **kwargs).add_done_callback(settle)

        checked.add_done_callback(lambda _: done.cancel())  # which is nothing if it is done
        done.add_done_callback(have_checked)
        return checked


class Hands(NamedTuple):
    """Who does the work of a run or a scan, and how many workers there were at the beginning.

    What is submitted must give the same result wherever it is done: it takes data.
    """

    executor: Executor
    workers: int


@contextmanager
def hands(
    workers: int, log_file: Path, scheduler: str | None = None, packages: Sequence[str] = ()
) -> Iterator[Hands]:
    """Workers, whose log records end up in one file: processes of this machine, or a cluster's.

    When the block is left by an exception, what was not done is dropped. The packages must have the
    same version on every worker of a cluster, besides those that all work needs.

    Raises:
        Failure: The address is not a scheduler's, or its workers are not as this process is.
        Unfinished: The scheduler cannot be reached, or has no workers. Later, a future fails with
            this when the scheduler or all workers are lost.
    """
    if scheduler is None:
        with gathered_log(log_file), process_pool(workers, send_records, log.handle) as pool:
            yield Hands(pool, workers)
        return
    # Only work on a cluster needs dask.
    from sanproof.verify.work.cluster import cluster  # noqa: PLC0415

    with cluster(scheduler, log_file, packages) as remote:
        yield Hands(remote, remote.workers)


@contextmanager
def own_hands(workers: int) -> Iterator[Hands]:
    """Workers that log nothing; if there is one, it is this process."""
    if workers == 1:
        yield Hands(Inline(), 1)
        return
    with process_pool(workers) as pool:
        yield Hands(pool, workers)


def worker_died(consequence: str) -> Unfinished:
    """The failure when a worker process is gone, with what follows for the work."""
    return Unfinished(
        f"A worker process died (out of memory, or killed){consequence}, perhaps with fewer "
        "--workers."
    )
