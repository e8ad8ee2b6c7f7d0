"""Executors of work: this process, worker processes of this machine, or a cluster."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, ParamSpec, TypeVar

from sanproof.verify.errors import Unfinished
from sanproof.verify.scan.former.signals import blocked

P = ParamSpec("P")
R = TypeVar("R")


class Inline(Executor):
    """Does the work at once, in this process: nothing has to be sent anywhere."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Do it, and keep what came out."""
        future: Future[R] = Future()
        settle(future, lambda: fn(*args, **kwargs))
        return future


def beside(fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
    """Do work in a thread of this process, which does not keep the command from ending."""
    future: Future[R] = Future()
    with blocked():  # the thread leaves signals to the main one
        work = (future, lambda: fn(*args, **kwargs), BaseException)
        Thread(target=settle, args=work, daemon=True).start()
    return future


def checked(done: Future[R], check: Callable[[R], Future[Any]]) -> Future[R]:
    """Return the future of a result of others, which fails if the check of the result fails."""
    future: Future[R] = Future()

    def end(last: Future[Any]) -> None:
        if last.cancelled():
            future.cancel()
        settle(future, lambda: (last.result(), done.result())[1])

    def have_checked(_: Future[R]) -> None:
        if done.cancelled() or done.exception():
            end(done)
            return
        with suppress(RuntimeError):  # the checker is shut down: the result is not awaited
            check(done.result()).add_done_callback(end)

    future.add_done_callback(lambda _: done.cancel())  # which has no effect if it is done
    done.add_done_callback(have_checked)
    return future


def settle(
    future: Future[R], work: Callable[[], R], caught: type[BaseException] = Exception
) -> None:
    """Give a future what a function returns or raises, unless it was cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except caught as error:
        future.set_exception(error)


class WorkerPool(NamedTuple):
    """An executor for a run or a scan, and how many workers it had at the beginning.

    What is submitted must give the same result wherever it is done: it takes data.
    """

    executor: Executor
    workers: int


@contextmanager
def worker_pool(
    workers: int,
    log_file: Path | None = None,
    scheduler: str | None = None,
    packages: Sequence[str] = (),
) -> Iterator[WorkerPool]:
    """Workers, whose log records end up in one file: processes of this machine, or a cluster's.

    A single worker that logs nothing is this process. When the block is left by an exception, what
    was not done is dropped. The packages must have the same version on every worker of a cluster,
    besides those that all work needs.

    Raises:
        Failure: The address is not a scheduler's, or its workers are not as this process is.
        Unfinished: The scheduler cannot be reached, or has no workers. Later, a future fails with
            this when the scheduler or all workers are lost.
    """
    from sanproof.verify.scan.former.log import gathered_log  # noqa: PLC0415 - --check needs none
    from sanproof.verify.scan.former.processes import process_pool  # noqa: PLC0415

    with gathered_log(log_file) if log_file else nullcontext():
        if scheduler is not None:
            # Only work on a cluster needs dask.
            from sanproof.verify.scan.former.cluster import cluster  # noqa: PLC0415

            with cluster(scheduler, packages) as remote:
                yield WorkerPool(remote, remote.workers)
        elif log_file is None and workers == 1:
            yield WorkerPool(Inline(), 1)
        else:
            with process_pool(workers) as pool:
                yield WorkerPool(pool, workers)


def worker_died(consequence: str) -> Unfinished:
    """Return the failure when a worker process is gone, with what follows for the work."""
    return Unfinished(
        f"A worker process died (out of memory, or killed){consequence}, perhaps with fewer "
        "--workers."
    )
