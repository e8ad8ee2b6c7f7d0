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
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

from sanproof.verify.errors import Failure, Unfinished
from sanproof.verify.work.executors import settle
from sanproof.verify.work.log import log
from sanproof.verify.work.processes import result_of
from sanproof.verify.work.provenance import CODE, TOOLS, provenance
from sanproof.verify.work.signals import blocked

try:
    import dask
    from dask.utils import parse_timedelta
    from distributed import Client, KilledWorker, Security, rpc
    from distributed.comm import CommClosedError
    from distributed.versions import VersionMismatchWarning
except ImportError as error:
    raise Failure("--scheduler needs dask: pip install 'sanproof[cluster]'.") from error

P = ParamSpec("P")
R = TypeVar("R")

PATIENCE: Final = "sanproof.patience"
"""In dask's configuration: for how long a scheduler may have no workers, or not answer."""
PATIENCE_DEFAULT: Final = "60s"
ASKING_SECONDS: Final = 1.0
CLOSING_SECONDS: Final = 3.0

THREADS: Final = "the number of threads"
DASK: Final = ("dask", "distributed")
LOGGERS: Final = ("asyncio", "bokeh", "distributed", "tornado")


class ClusterExecutor(Executor):
    """Has functions called by the workers of a cluster that are as this process is."""

    def __init__(self, client: Client, address: str, expected: Mapping[str, str]) -> None:
        self._client = client
        self._address = address
        self._remote = client.get_executor(pure=False)
        self._entrance = partial(entrance(), dict(expected))
        self._open: set[Future[Any]] = set()
        self._closed = False
        self.workers = _workers_of(client)
        client.loop.add_callback(self._watch)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have a worker call the function."""
        if self._closed:
            raise RuntimeError("the executor is shut down")
        future: Future[R] = Future()
        try:
            remote = self._remote.submit(self._entrance, pickle.dumps((fn, args, kwargs)))
        except Exception as error:  # noqa: BLE001 - the caller's, or dask's
            is_lost = self._client.status != "running"
            future.set_exception(self._failed(error) if is_lost else error)
            return future
        self._open.add(future)
        future.add_done_callback(lambda _: future.cancelled() and remote.cancel())
        remote.add_done_callback(lambda _: self._deliver(future, remote))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Take no more tasks. A worker ends the task that it has begun, and nobody waits for it."""
        self._closed = True
        if cancel_futures and self._open:  # otherwise the cluster may be given up
            with suppress(Exception):  # the connection is lost, and all tasks with it
                self._remote.shutdown(wait=False)

    def _deliver(self, future: Future[R], remote: Future[bytes]) -> None:
        """Give a future its result or error, unless it was given up; in the thread of the loop."""
        if future in self._open:
            self._open.discard(future)
            if future.set_running_or_notify_cancel():
                settle(future, lambda: self._result(remote))

    def _result(self, remote: Future[bytes]) -> Any:  # noqa: ANN401 - any function's
        """Return a task's result, or raise its error."""
        try:
            worker, differs, answered = pickle.loads(remote.result())  # noqa: S301 - ours
        except (Exception, asyncio.CancelledError) as error:
            raise self._failed(error) from error
        if differs:
            raise _unlike(f"The worker {worker}", differs)
        return result_of(answered, worker)

    def _failed(self, error: BaseException) -> Unfinished:
        """Return the sentence for an error of dask's."""
        # Dask may raise the error before its client knows that it is cut off.
        if self._client.status != "running" or isinstance(error, CommClosedError):
            lost = f"The connection to the scheduler {self._address} was lost"
            return _unfinished(lost, "start it and its workers")
        if isinstance(error, KilledWorker):
            number, last = error.allowed_failures + 1, error.last_worker.address
            ended = f"One piece of work ended {number} workers, the last of them {last}"
            return _unfinished(f"{ended} (out of memory, or killed)", "look at its log")
        failed = f"The cluster of {self._address} failed ({_in_words(error)})"
        return _unfinished(failed, "check it")

    async def _watch(self) -> None:
        """Give all up if for too long there are no workers, or the scheduler does not answer."""
        patience = _patience_seconds()
        well = time.monotonic()
        while not self._closed and self._client.status == "running":
            await asyncio.sleep(ASKING_SECONDS)
            trouble = "does not answer"
            with suppress(Exception):  # if the connection is lost, the tasks fail by themselves
                asked = self._client.scheduler.identity(n_workers=0)
                workers = (await asyncio.wait_for(asked, patience))["n_workers"]
                trouble = "" if workers else f"has had no workers for {patience:.0f} s"
            if not trouble or not self._open:
                well = time.monotonic()
            elif time.monotonic() - well >= patience:
                error = _unfinished(f"The scheduler {self._address} {trouble}", "check it")
                given_up, self._open = self._open, set()
                for future in given_up:
                    if future.set_running_or_notify_cancel():
                        future.set_exception(error)


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
            asyncio.run(_expect_scheduler(address, patience))
            with blocked():  # its thread leaves signals to the main one
                client = Client(address, timeout=patience, set_as_default=False, name="sanproof")
            stack.callback(_close, client)
            _check_scheduler(client, address)
            _wait_for_workers(client, address)
        except Failure:
            raise
        except OSError as error:
            raise Unfinished(
                f"No scheduler answers at {address} within {patience:.0f} s: start one with "
                "`dask scheduler`, and give the address that it prints."
            ) from error
        except Exception as error:  # what another server says may look like anything
            certificates = " For tls://, dask's configuration must name certificates."
            hint = certificates if address.startswith("tls:") else ""
            raise Failure(
                f"{address} cannot be used as a scheduler: {_in_words(error)}.{hint}"
            ) from error
        executor = ClusterExecutor(client, address, fingerprint(packages))
        stack.callback(executor.shutdown, cancel_futures=True)
        yield executor


@contextmanager
def _dask_to_log() -> Iterator[None]:
    """Keep what dask has to say from the terminal: it goes to the log."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in LOGGERS]
    loggers = [logging.getLogger(name) for name in {*names, *LOGGERS}]
    for logger in loggers:
        logger.handlers, logger.propagate = list(log.handlers), False
    settings = {"distributed.admin.large-graph-warning-threshold": "1TB"}
    try:
        with warnings.catch_warnings(), dask.config.set(settings):
            warnings.simplefilter("ignore", VersionMismatchWarning)  # we compare them ourselves
            yield
    finally:
        for logger in loggers:
            logger.handlers = [logging.NullHandler()]


async def _expect_scheduler(address: str, patience: float) -> None:
    """Ask who answers, for a client that fails to begin also fails to end."""
    security = Security().get_connection_args("client")
    async with rpc(address, connection_args=security, timeout=patience) as server:
        identity = await asyncio.wait_for(server.identity(), patience)
    if identity["type"] != "Scheduler":
        raise ValueError(f"a {identity['type'].lower()} answers there")


def _close(client: Client) -> None:
    with suppress(Exception):  # the scheduler may be gone
        client.close(CLOSING_SECONDS)


def _check_scheduler(client: Client, address: str) -> None:
    """Refuse a scheduler with another Python or dask; a worker compares itself with this process.

    Of Python 3.11.7 the 3.11 counts.
    """
    versions = client.get_versions()
    own, theirs = (versions[who]["packages"] for who in ("client", "scheduler"))
    own["python"], theirs["python"] = (v["python"].rpartition(".")[0] for v in (own, theirs))
    names = [name for name in ("python", *DASK) if theirs[name] != own[name]]
    if names:
        differs = [f"{name} {theirs[name]} and not {own[name]}" for name in names]
        raise _unlike(f"The scheduler {address}", differs)


def _wait_for_workers(client: Client, address: str) -> None:
    patience = _patience_seconds()
    if not _workers_of(client):
        sys.stderr.write(f"waiting up to {patience:.0f} s for workers of {address}\n")
    try:
        client.wait_for_workers(1, patience)
    except TimeoutError as error:
        raise Unfinished(
            f"The scheduler {address} has no workers: start some with "
            f"`dask worker {address} --nthreads 1`."
        ) from error


def _workers_of(client: Client) -> int:
    return int(client.scheduler_info(n_workers=0)["n_workers"])


def _unfinished(what: str, todo: str) -> Unfinished:
    return Unfinished(f"{what}; what was done is kept: {todo}, and run the same command again.")


def _unlike(who: str, differs: Iterable[str]) -> Failure:
    return Failure(
        f"{who} cannot take part, because it has {', '.join(differs)}: "
        "install the same there, start it again, and run the same command again."
    )


def _patience_seconds() -> float:
    return float(parse_timedelta(dask.config.get(PATIENCE, PATIENCE_DEFAULT)))


def _in_words(error: BaseException) -> str:
    """Describe an error on one line, without a full stop."""
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


# In a worker


def entrance() -> Callable[..., bytes]:
    """Return a function that is sent as its own code: a worker without sanproof can say so.

    It takes the fingerprint of the client and a pickled call. It returns, pickled, the worker's
    address, how it differs (then nothing was done), and the answer.
    """

    def sanproof(expected: Mapping[str, str], call: bytes) -> bytes:
        # Nothing from around it may be used here: it is not sent along.
        import pickle  # noqa: PLC0415
        from importlib import import_module  # noqa: PLC0415

        from distributed import get_worker  # noqa: PLC0415

        worker = get_worker()
        try:
            remote = import_module("sanproof.verify.work.cluster")
            differs = remote.differences(expected, worker)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it
            differs = [f"no sanproof that runs ({type(error).__name__}: {error})"]
        processes = import_module("sanproof.verify.work.processes") if not differs else None
        return pickle.dumps((worker.address, differs, processes and processes.answer(call)))

    return sanproof


def fingerprint(packages: Iterable[str] = ()) -> dict[str, str]:
    """Return what has to be the same wherever a task is done: these packages' versions too."""
    # In more than one thread at once nobody has tried the solvers, and Python would gain nothing.
    return provenance(*TOOLS, *DASK, *packages) | {THREADS: "1"}


def differences(expected: Mapping[str, str], worker: Any) -> list[str]:  # noqa: ANN401 - dask's
    """Say how this process differs from a client: "chess 1.10.0 and not 1.11.2"."""
    own = fingerprint(set(expected) - {CODE, THREADS}) | {THREADS: str(worker.state.nthreads)}
    special = {
        CODE: "other code of sanproof",
        THREADS: f"{own[THREADS]} threads and not 1 (dask worker --nthreads 1)",
    }
    return sorted(
        special.get(name, f"{name} {own[name]} and not {value}")
        for name, value in expected.items()
        if own[name] != value
    )
