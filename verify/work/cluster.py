"""Runs work on a cluster of dask.distributed. No other module imports dask.

The cluster is the user's own. Its workers' results are not checked here, because the kernel checks
all evidence in the end. The workers must have our code and versions, or results would differ.
"""

import logging
import warnings
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from typing import Final

from sanproof.verify.errors import Failure, Unfinished
from sanproof.verify.work.provenance import CODE, TOOLS, provenance
from sanproof.verify.work.store import differing

try:
    from distributed import Client, KilledWorker
    from distributed.comm import CommClosedError
except ImportError as error:
    raise Failure("--scheduler needs dask: pip install 'sanproof[cluster]'.") from error

_LIBRARIES: Final = ("numba", "numpy", "dask", "distributed")
_WAITING_SECONDS: Final = 30.0
_CLOSING_SECONDS: Final = 3.0


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Yield the executor of a cluster. When the block ends, unfinished work is cancelled.

    Raises:
        Failure: The address is not a scheduler's, or a worker has other code or versions.
        Unfinished: The scheduler cannot be reached, has no workers, or was lost later.
    """
    for name in [*logging.root.manager.loggerDict]:
        if name.startswith("distributed"):  # its errors arrive as exceptions
            logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = _connected(address)
        try:
            _compare(client, address)
            yield (executor := client.get_executor(pure=False))
            executor.shutdown(wait=False)
        finally:  # what this client asked for and has not got is then dropped
            client.close(_CLOSING_SECONDS)
    except (CancelledError, CommClosedError, KilledWorker) as error:
        raise Unfinished(
            f"The cluster of {address} failed ({type(error).__name__}); what was done is kept: "
            "look at the logs of its scheduler and workers, and run the same command again."
        ) from error


def _connected(address: str) -> Client:
    """Connect to a scheduler that has workers, or gets one in time."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other versions, which we compare ourselves
            client = Client(address, set_as_default=False)
        client.wait_for_workers(1, _WAITING_SECONDS)
    except ValueError as error:
        raise Failure(f"{address} is not a scheduler's address: {error}.") from error
    except OSError as error:
        raise Unfinished(
            f"No scheduler answers at {address}, or it has no workers: start them with "
            f"`dask scheduler` and `dask worker {address} --nthreads 1`."
        ) from error
    return client


def _compare(client: Client, address: str) -> None:
    """Refuse a cluster with a worker that has other code, versions or several threads."""
    again = "install the same there, start it again, and run the same command again."
    ours = provenance(*TOOLS, *_LIBRARIES)
    try:
        found = client.run(provenance, *ours.keys() - {CODE})
    except Exception as error:  # whatever keeps sanproof from running there
        why = type(error).__name__
        raise Failure(f"A worker of {address} cannot run this sanproof ({why}): {again}") from error
    for worker, theirs in sorted(found.items()):
        other = [f"other {name}" for name in differing(theirs, ours)]
        threads = client.nthreads().get(worker, 1)
        if threads != 1:  # the solvers are untested in more than one thread
            other.append(f"{threads} threads and not 1 (dask worker --nthreads 1)")
        if other:
            raise Failure(f"The worker {worker} has {', '.join(other)}: {again}")
