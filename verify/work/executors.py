"""Executors of work: this process, worker processes of this machine, or a cluster."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

from sanproof.verify.errors import Unfinished

P = ParamSpec("P")
R = TypeVar("R")


class Inline(Executor):
    """Does the work in this process, when it is submitted."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Do it, and keep what came out."""
        future: Future[R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the future's reader handles it
            future.set_exception(error)
        return future


@contextmanager
def worker_pool(
    workers: int,
    log_file: Path | None = None,
    scheduler: str | None = None,
    packages: Sequence[str] = (),
) -> Iterator[Executor]:
    """Yield an executor for a job: processes of this machine, or a cluster's workers.

    A single worker that logs nothing is this process. When the block is left by an exception, what
    was not done is dropped. The packages must have the same version on every worker of a cluster,
    besides those that all work needs.
    """
    if scheduler is not None:
        from sanproof.verify.work.cluster import cluster  # noqa: PLC0415 - loads dask

        with cluster(scheduler, packages) as executor:
            yield executor
    elif log_file is None and workers == 1:
        yield Inline()
    else:
        from sanproof.verify.work.processes import process_pool  # noqa: PLC0415

        with process_pool(workers, log_file) as executor:
            yield executor


def worker_died(consequence: str) -> Unfinished:
    """Return the failure when a worker is gone, with what follows for the job."""
    return Unfinished(
        f"A worker died (out of memory, killed, or its cluster was lost){consequence}, perhaps "
        "with fewer --workers."
    )
