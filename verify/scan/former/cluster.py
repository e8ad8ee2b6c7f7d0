"""The work of a run or a scan on a cluster of dask.distributed; only this module imports dask.

A task goes out as bytes and comes back as bytes, with the log records that were written meanwhile:
so a scheduler needs no code of ours, and what a task raises is part of its answer. Whatever dask
itself raises says that the cluster failed, and becomes one sentence. A worker that differs in code,
versions or threads does nothing.

Dask has the tasks of a worker that dies done by others. A scheduler that dies has lost what it
knew, and the work ends; its store has what came back before.
"""

import asyncio
import logging
import pickle
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any, Final

from sanproof.verify.errors import Failure, Unfinished
from sanproof.verify.scan.former import processes
from sanproof.verify.scan.former.executors import settle
from sanproof.verify.scan.former.signals import blocked
from sanproof.verify.scan.former.store import differing
from sanproof.verify.work.provenance import CODE, TOOLS, provenance

try:
    import dask
    from dask.utils import parse_timedelta
    from distributed import Client, KilledWorker, Security, rpc
    from distributed.cfexecutor import ClientExecutor
    from distributed.comm import CommClosedError
    from distributed.versions import VersionMismatchWarning, get_versions
except ImportError as error:
    raise Failure("--scheduler needs dask: pip install 'sanproof[cluster]'.") from error

PATIENCE: Final = "sanproof.patience"
"""In dask's configuration: for how long a scheduler may have no workers, or not answer."""
PATIENCE_DEFAULT: Final = "60s"
ASKING_SECONDS: Final = 1.0
CLOSING_SECONDS: Final = 3.0
DASK: Final = ("dask", "distributed")
RemoteAnswer = tuple[str, list[str], bytes]
"""A worker's address, how it differs from the client (then nothing was done), and its answer."""


class ClusterExecutor(ClientExecutor):  # type: ignore[misc]  # dask has no types
    """Has functions called by the workers of a cluster that are as this process is."""

    def __init__(self, client: Client, address: str, expected: Mapping[str, str]) -> None:
        super().__init__(client, pure=False)
        self._address = address
        self._entrance = partial(entrance(), dict(expected))
        self._trouble = ""
        self._patience = float(parse_timedelta(dask.config.get(PATIENCE, PATIENCE_DEFAULT)))
        client.loop.add_callback(self._watch)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401
        """Have a worker call the function."""
        call = pickle.dumps((fn, args, kwargs))
        try:
            remote = super().submit(self._entrance, call)
        except Exception as error:
            if self._client.status == "running":
                raise
            raise self._failed(error) from error
        future: Future[Any] = Future()
        future.add_done_callback(lambda _: remote.cancel())  # which has no effect if it is done
        remote.add_done_callback(lambda _: settle(future, partial(self._result, remote)))
        return future

    def wait_for_workers(self) -> None:
        """Wait until there is a worker, and count how many there are."""
        wait, asked = self._patience, partial(self._client.scheduler_info, n_workers=0)
        if not asked()["n_workers"]:
            sys.stderr.write(f"waiting up to {wait:.0f} s for workers of {self._address}\n")
        try:
            self._client.wait_for_workers(1, wait)
        except TimeoutError as error:
            raise Unfinished(
                f"The scheduler {self._address} has no workers: start some with "
                f"`dask worker {self._address} --nthreads 1`."
            ) from error
        self.workers = asked()["n_workers"]

    def close(self) -> None:
        """Take all tasks back, and leave the cluster. A worker ends the task that it has begun."""
        with suppress(Exception):  # the scheduler may be gone
            if self._client.status == "running":  # a loop that has ended would never cancel
                self.shutdown(False)
        with suppress(Exception):
            self._client.close(CLOSING_SECONDS)

    def _result(self, remote: Future[RemoteAnswer]) -> Any:  # noqa: ANN401 - any function's
        """Return a task's result, or raise its error."""
        try:
            worker, differs, answered = remote.result()
        except (Exception, asyncio.CancelledError) as error:
            raise self._failed(error) from error
        if differs:
            raise _unlike(f"The worker {worker}", differs)
        return processes.result_of(answered, worker)

    def _failed(self, error: BaseException) -> Unfinished:
        """Return the sentence for an error of dask's."""
        what, todo = f"The cluster of {self._address} failed ({_in_words(error)})", "check it"
        # Dask may raise the error before its client knows that it is cut off.
        if self._client.status != "running" or isinstance(error, CommClosedError):
            what = f"The connection to the scheduler {self._address} was lost"
            todo = "start it and its workers"
        elif self._trouble:
            what = f"The scheduler {self._address} {self._trouble}"
        elif isinstance(error, KilledWorker):
            number, last = error.allowed_failures + 1, error.last_worker.address
            what = f"One piece of work ended {number} workers, the last of them {last}"
            what, todo = f"{what} (out of memory, or killed)", "look at its log"
        return Unfinished(f"{what}; what was done is kept: {todo}, and run the same command again.")

    async def _watch(self) -> None:
        """Give all up if for too long there are no workers, or the scheduler does not answer."""
        well = time.monotonic()
        while self._client.status == "running":
            await asyncio.sleep(ASKING_SECONDS)
            trouble = "does not answer"
            with suppress(Exception):  # if the connection is lost, the tasks fail by themselves
                asked = self._client.scheduler.identity(n_workers=0)
                workers = (await asyncio.wait_for(asked, self._patience))["n_workers"]
                trouble = "" if workers else f"has had no workers for {self._patience:.0f} s"
            waiting = [task for task in self._client.futures.values() if task.status == "pending"]
            if not (trouble and waiting):
                well = time.monotonic()
            elif time.monotonic() - well >= self._patience:
                self._trouble = trouble
                for task in waiting:
                    task.cancel()


@contextmanager
def cluster(address: str, packages: Sequence[str] = ()) -> Iterator[ClusterExecutor]:
    """Open an executor of a cluster whose workers have the same code as this process.

    What the workers and dask have to say goes to the log. The packages must have the same version
    on every worker, besides those that every run needs.

    Raises:
        Failure: There is something else at the address, or a worker differs from this process.
        Unfinished: There is no scheduler, or it has no workers.
    """
    patience = parse_timedelta(dask.config.get("distributed.comm.timeouts.connect"))
    with _dask_to_log(), ExitStack() as stack:
        try:
            # First, for a client that fails to begin also fails to end.
            asyncio.run(asyncio.wait_for(_check_scheduler(address), patience))
            with blocked():  # its thread leaves signals to the main one
                client = Client(address, timeout=patience, set_as_default=False, name="sanproof")
            executor = ClusterExecutor(client, address, provenance(*TOOLS, *DASK, *packages))
            stack.callback(executor.close)
            executor.wait_for_workers()
        except Failure:
            raise
        except OSError as error:
            raise Unfinished(
                f"No scheduler answers at {address} within {patience:.0f} s: start one with "
                "`dask scheduler`, and give the address that it prints."
            ) from error
        except Exception as error:  # what another server says may look like anything
            why = f"{address} cannot be used as a scheduler: {_in_words(error)}."
            hint = " For tls://, dask's configuration must name certificates."
            raise Failure(why + hint * address.startswith("tls:")) from error
        yield executor


@contextmanager
def _dask_to_log() -> Iterator[None]:
    """Keep what dask has to say from the terminal: it goes to the log, as all records do."""
    for logger in map(logging.getLogger, list(logging.root.manager.loggerDict)):
        logger.handlers, logger.propagate = [], True  # dask gave them handlers of its own
    logging.root.addHandler(logging.NullHandler())  # for what comes after the log is closed
    settings = {"distributed.admin.large-graph-warning-threshold": "1TB"}
    with warnings.catch_warnings(), dask.config.set(settings):
        warnings.simplefilter("ignore", VersionMismatchWarning)  # we compare them ourselves
        yield


async def _check_scheduler(address: str) -> None:
    """Refuse what is no scheduler, and one with another Python or dask.

    Of Python 3.11.7 the 3.11 counts. A worker compares itself with this process.
    """
    async with rpc(address, connection_args=Security().get_connection_args("client")) as server:
        kind = (await server.identity())["type"]
        if kind != "Scheduler":
            raise ValueError(f"a {kind.lower()} answers there")
        theirs = (await server.versions())["packages"]
    own = get_versions()["packages"]
    own["python"], theirs["python"] = (".".join(v["python"].split(".")[:2]) for v in (own, theirs))
    names = [name for name in ("python", *DASK) if theirs[name] != own[name]]
    if differs := [f"{name} {theirs[name]} and not {own[name]}" for name in names]:
        raise _unlike(f"The scheduler {address}", differs)


def _unlike(who: str, differs: Iterable[str]) -> Failure:
    return Failure(
        f"{who} cannot take part, because it has {', '.join(differs)}: "
        "install the same there, start it again, and run the same command again."
    )


def _in_words(error: BaseException) -> str:
    """Describe an error on one line, without a full stop."""
    return " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":.")


# In a worker


def entrance() -> Callable[[Mapping[str, str], bytes], RemoteAnswer]:
    """Return a function that is sent as its own code: a worker without sanproof can say so.

    It takes the fingerprint of the client and a pickled call.
    """

    def sanproof(expected: Mapping[str, str], call: bytes) -> RemoteAnswer:
        # Nothing from around it may be used here: it is not sent along.
        from distributed import get_worker  # noqa: PLC0415

        worker = get_worker()
        try:
            from sanproof.verify.scan.former import cluster, processes  # noqa: PLC0415

            differs = cluster.differences(expected, worker.state.nthreads)
            # An error that dask cannot send back would never arrive.
            return worker.address, differs, b"" if differs else processes.answer(call)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it
            why = f"no sanproof that runs ({type(error).__name__}: {error})"
            return worker.address, [why], b""

    return sanproof


def differences(expected: Mapping[str, str], threads: int) -> list[str]:
    """Say how this worker differs from a client: "chess 1.10.0 and not 1.11.2"."""
    own = provenance(*expected.keys() - {CODE})
    differs = [
        "other code of sanproof" if name == CODE else f"{name} {own[name]} and not {expected[name]}"
        for name in differing(own, expected)
    ]
    # The solvers are untested in more than one thread, and Python would gain nothing.
    return differs + [f"{threads} threads and not 1 (dask worker --nthreads 1)"] * (threads != 1)
