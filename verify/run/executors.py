"""Who does the work of a run: worker processes of this machine, or a cluster."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path

from sanproof.verify.run.workers import worker_pool


@contextmanager
def executor(workers: int, log_file: Path, scheduler: str | None = None) -> Iterator[Executor]:
    """An executor, whose log records end up in one file.

    What is submitted must give the same result wherever it is done: it takes data, not the names
    of files. When the block is left by an exception, what was not done is dropped.

    Args:
        workers: How many worker processes of this machine; not used with a scheduler.
        log_file: Where the log records of all workers go.
        scheduler: The address of a scheduler of dask.distributed.

    Raises:
        Failure: The address is not a scheduler's, or its workers are not as this process is.
        Unfinished: The scheduler cannot be reached, or has no workers. Later, a future fails with
            this when the scheduler or all workers are lost.
    """
    if scheduler is None:
        with worker_pool(workers, log_file) as pool:
            yield pool
        return
    # Only a run on a cluster needs dask.
    from sanproof.verify.run.cluster import cluster  # noqa: PLC0415

    with cluster(scheduler, log_file) as remote:
        yield remote
