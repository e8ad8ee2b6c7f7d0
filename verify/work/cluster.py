"""The work of a job on a cluster of dask.distributed; only this module imports dask.

The cluster is the user's own: its workers' results are taken as they come, for the kernel checks
all evidence in the end. They must have our code and versions, or results would differ.
"""

import logging
import sys
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from typing import Final

from sanproof.verify.errors import Failure, Unfinished
from sanproof.verify.work.provenance import CODE, TOOLS, provenance
from sanproof.verify.work.store import differing

try:
    import dask
    from dask.utils import parse_timedelta
    from distributed import Client, KilledWorker
    from distributed.comm import CommClosedError
    from distributed.versions import VersionMismatchWarning
except ImportError as error:
    raise Failure("--scheduler needs dask: pip install 'sanproof[cluster]'.") from error

DASK: Final = ("dask", "distributed")
_CLOSING_SECONDS: Final = 3.0


@contextmanager
def cluster(address: str, packages: Sequence[str] = ()) -> Iterator[Executor]:
    """Yield the executor of a cluster; when the block is left, what was not done is dropped.

    Raises:
        Failure: The address is not a scheduler's, or a worker has other code or versions.
        Unfinished: The scheduler cannot be reached, has no workers, or was lost later.
    """
    for name in [*logging.root.manager.loggerDict]:
        if name.startswith("distributed"):  # its errors arrive as exceptions
            logging.getLogger(name).setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VersionMismatchWarning)  # we compare versions ourselves
        client = _connect(address)
    try:
        _wait_for_workers(client, address)
        _compare(client, address, provenance(*TOOLS, *DASK, *packages))
        executor = client.get_executor(pure=False)
        try:
            yield executor
        finally:
            executor.shutdown(wait=False)
    except (CancelledError, CommClosedError, KilledWorker) as error:
        raise Unfinished(
            f"The cluster of {address} failed ({_in_words(error)}); what was done is kept: look at "
            "the logs of its scheduler and workers, and run the same command again."
        ) from error
    finally:
        client.close(_CLOSING_SECONDS)


def _connect(address: str) -> Client:
    try:
        return Client(address, set_as_default=False)
    except OSError as error:
        raise Unfinished(
            f"No scheduler answers at {address}: start one with `dask scheduler`, and give the "
            "address that it prints."
        ) from error
    except Exception as error:  # what another server answers may look like anything
        raise Failure(f"{address} is not a scheduler's address: {_in_words(error)}.") from error


def _wait_for_workers(client: Client, address: str) -> None:
    if client.nthreads():
        return
    patience = parse_timedelta(dask.config.get("distributed.comm.timeouts.connect"))
    sys.stderr.write(f"waiting up to {patience:.0f} s for workers of {address}\n")
    try:
        client.wait_for_workers(1, patience)
    except TimeoutError as error:
        raise Unfinished(
            f"The scheduler {address} has no workers: start some with "
            f"`dask worker {address} --nthreads 1`."
        ) from error


def _compare(client: Client, address: str, expected: dict[str, str]) -> None:
    """Refuse a cluster with a worker that has other code, versions or several threads."""
    try:
        found = client.run(provenance, *expected.keys() - {CODE})
    except Exception as error:  # it has no sanproof, or one that does not start
        why = f"it has no sanproof that runs ({_in_words(error)})"
        raise _unlike(f"A worker of {address}", why) from error
    threads = client.nthreads()
    for worker, theirs in sorted(found.items()):
        for name in differing(theirs, expected):
            what = "other code of sanproof"
            if name != CODE:
                what = f"{name} {theirs[name]} and not {expected[name]}"
            raise _unlike(f"The worker {worker}", f"it has {what}")
        if threads.get(worker, 1) != 1:  # the solvers are untested in more than one thread
            what = f"it has {threads[worker]} threads and not 1 (dask worker --nthreads 1)"
            raise _unlike(f"The worker {worker}", what)


def _unlike(who: str, why: str) -> Failure:
    return Failure(
        f"{who} cannot take part, because {why}: install the same there, start it again, and run "
        "the same command again."
    )


def _in_words(error: BaseException) -> str:
    """Describe an error on one line, without a full stop."""
    return " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":.")
