"""The worker processes of an audit: they end with it, however it ends."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from sanproof.verify.run.pool import ProcessExecutor


@contextmanager
def audit_workers(number: int) -> Iterator[Executor]:
    """Worker processes; after an error or a signal they are killed, whatever they are doing."""
    pool = ProcessExecutor(number, _nothing, _nothing)
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        pool.kill()
        raise


def _nothing(_: object) -> None:
    """Workers of an audit need no beginning, and send nothing but results."""
