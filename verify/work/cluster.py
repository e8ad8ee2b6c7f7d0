"""The work of a run on a cluster of dask.distributed.

Only this module imports dask, and :mod:`verify.work.remote` in what it sends to the workers.

A task goes out as bytes and comes back as bytes, with the log records that were written meanwhile.
What the task raises is part of its answer. So whatever dask itself raises says that the cluster
failed, and becomes one sentence.

A worker that dies has its tasks done by others: dask does that. A scheduler that dies has lost what
it knew, and the run ends; its store has what came back before.
"""

import asyncio
import logging
import pickle
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures import wait as wait_for
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from sanproof.verify.errors import Failure, Unfinished
from sanproof.verify.work.log import gathered_log, log
from sanproof.verify.work.processes import DONE
from sanproof.verify.work.provenance import MISSING
from sanproof.verify.work.remote import Response, entrance, fingerprint
from sanproof.verify.work.signals import blocked

try:
    import dask
    from dask.utils import parse_timedelta
    from distributed import Client, KilledWorker, Security, rpc
    from distributed.comm import CommClosedError
    from distributed.utils import LoopRunner, sync
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

ALIKE: Final = ("python", "dask", "distributed")
"""What client, scheduler and workers have in common, or they may not understand each other."""
LOGGERS: Final = ("asyncio", "bokeh", "distributed", "tornado")
AGAIN: Final = "what was done is kept: {}, and run the same command again."
"""Whoever submits tasks keeps their results, as a run does."""


class ClusterExecutor(Executor):
    """Has functions called by the workers of a cluster, all of the expected fingerprint.

    The executor of dask's client is not used. It would have dask look into the arguments, cancel
    tasks one by one, and raise errors of dask's where the cluster fails. Each log record that comes
    back is heard. ``workers`` says how many there were about a second ago.
    """

    def __init__(
        self,
        client: Client,
        address: str,
        expected: Mapping[str, str],
        hear: Callable[[logging.LogRecord], None],
    ) -> None:
        self._client = client
        self._address = address
        self._expected = dict(expected)
        self._hear = hear
        self._entrance = entrance()
        self._open: dict[Future[Any], Any] = {}
        self._unwanted: list[Any] = []
        self._closed = False
        self.workers = int(client.scheduler_info(n_workers=0)["n_workers"])
        client.loop.add_callback(self._watch)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have a worker call the function."""
        if self._closed:
            raise RuntimeError("the executor is shut down")
        future: Future[R] = Future()
        try:
            call = pickle.dumps((fn, args, kwargs))
        except Exception as error:  # noqa: BLE001 - it is the caller's
            future.set_exception(error)
            return future
        try:
            remote = self._client.submit(self._entrance, self._expected, call, pure=False)
        except Exception as error:  # noqa: BLE001 - whatever dask raises
            future.set_exception(self._failed(error))
            return future
        self._open[future] = remote
        future.add_done_callback(self._take_back)
        self._client.loop.add_callback(self._deliver, remote, future)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks; wait for what is under way, or take back all that has no result.

        A worker ends the task that it has begun, and nobody waits for it.
        """
        self._closed = True
        if cancel_futures:
            for future in list(self._open):
                future.cancel()
        elif wait:
            wait_for(list(self._open))

    async def _deliver(self, remote: Any, future: Future[R]) -> None:  # noqa: ANN401 - dask's
        """Wait for a task, and pass its result or error on."""
        try:
            reply = Response(*pickle.loads(await remote))  # noqa: S301 - from a worker we trust
            result, error = self._read(reply)
        except (Exception, asyncio.CancelledError) as failed:  # noqa: BLE001 - all of dask's
            result, error = None, self._failed(failed)
        self._settle(future, result, error)

    def _read(self, reply: Response) -> tuple[Any, Exception | None]:
        """A task's result, or its error."""
        if reply.differs:
            return None, Failure(_unlike(f"The worker {reply.worker}", reply.differs))
        for record in reply.records:
            record.processName = reply.worker
            self._hear(record)
        kind, value = pickle.loads(reply.answer)  # noqa: S301 - from a worker we trust
        return (value, None) if kind == DONE else (None, value)

    def _settle(self, future: Future[R], result: Any, error: Exception | None) -> None:  # noqa: ANN401
        """Give a future its result or error, unless it has one; in the thread of the loop."""
        if self._open.pop(future, None) is None or not future.set_running_or_notify_cancel():
            return
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    def _failed(self, error: BaseException) -> Unfinished:
        """The sentence for an error of dask's."""
        if isinstance(error, KilledWorker):
            return Unfinished(
                f"One piece of work ended {error.allowed_failures + 1} workers, the last of them "
                f"{error.last_worker.address} (out of memory, or killed); "
                + AGAIN.format("look at its log")
            )
        # Dask may raise the error before its client knows that it is cut off.
        if self._client.status != "running" or isinstance(error, CommClosedError):
            return Unfinished(
                f"The connection to the scheduler {self._address} was lost; "
                + AGAIN.format("start it and its workers")
            )
        return Unfinished(
            f"The cluster of {self._address} failed ({_in_words(error)}); "
            + AGAIN.format("check it")
        )

    def _take_back(self, future: Future[Any]) -> None:
        """Have the cluster drop a task that was cancelled here; many at once where there are many.

        A task that is taken back is settled when dask says that it is.
        """
        if future.cancelled():
            self._unwanted.append(self._open.get(future))
            with suppress(RuntimeError):  # the loop is closed, and so is the connection
                self._client.loop.add_callback(self._cancel_unwanted)

    async def _cancel_unwanted(self) -> None:
        unwanted, self._unwanted = self._unwanted, []
        unwanted = [remote for remote in unwanted if remote is not None]
        if unwanted and self._client.status == "running":
            with suppress(Exception):  # the connection is lost, and all tasks with it
                await self._client.cancel(unwanted)

    async def _watch(self) -> None:
        """End everything if for too long there are no workers, or the scheduler does not answer."""
        patience = _patience_seconds()
        well = time.monotonic()
        said = ""
        while not self._closed and self._client.status == "running":
            await asyncio.sleep(ASKING_SECONDS)
            said = await self._trouble(patience)
            if not said or not self._open:
                well = time.monotonic()
            elif time.monotonic() - well >= patience:
                again = AGAIN.format("check it")
                failure = Unfinished(f"The scheduler {self._address} {said}; {again}")
                for future in list(self._open):
                    self._settle(future, None, failure)

    async def _trouble(self, patience: float) -> str:
        """What is wrong with the cluster, in words; nothing if it has workers."""
        try:
            info = await asyncio.wait_for(self._client.scheduler.identity(n_workers=0), patience)
        except Exception:  # noqa: BLE001 - if the connection is lost, the tasks fail by themselves
            return "does not answer"
        self.workers = info["n_workers"]
        return "" if info["n_workers"] else f"has had no workers for {patience:.0f} s"


@contextmanager
def cluster(
    address: str, log_file: Path, packages: Sequence[str] = ()
) -> Iterator[ClusterExecutor]:
    """An executor of a cluster whose workers have the same code as this process.

    Log records of the workers come back with the results, and end up in one file with what dask
    has to say in this process. The packages must have the same version on every worker, besides
    those that every run needs.

    Raises:
        Failure: There is something else at the address, or a worker differs from this process.
        Unfinished: There is no scheduler, or it has no workers.
    """
    expected = fingerprint(packages)
    with gathered_log(log_file), _dask_to_log(), _connected(address) as client:
        with _still_connected(address):
            _check_versions(client, address)
            _wait_for_workers(client, address)
            _check_versions(client, address)
            _check_code(client, expected)
        executor = ClusterExecutor(client, address, expected, log.handle)
        try:
            yield executor
        finally:
            executor.shutdown(cancel_futures=True)


@contextmanager
def _dask_to_log() -> Iterator[None]:
    """Keep what dask has to say from the terminal: it goes to the log."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in LOGGERS]
    loggers = [logging.getLogger(name) for name in {*names, *LOGGERS}]
    for logger in loggers:
        is_top = logger.name in LOGGERS
        logger.handlers = list(log.handlers) if is_top else []
        logger.propagate = not is_top
    settings = {"distributed.admin.large-graph-warning-threshold": "1TB"}
    try:
        with warnings.catch_warnings(), dask.config.set(settings):
            warnings.simplefilter("ignore", VersionMismatchWarning)  # we compare them ourselves
            yield
    finally:
        for logger in loggers:
            logger.handlers = [logging.NullHandler()] if logger.name in LOGGERS else []


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """A client of the scheduler, with a thread of its own, which leaves signals to the main one.

    Raises:
        Failure: There is something else at the address.
        Unfinished: Nobody answers.
    """
    runner = LoopRunner()
    with blocked():
        runner.start()
    try:
        client = _connect(address, runner)
        try:
            yield client
        finally:
            sync(runner.loop, _close, client)
    finally:
        with suppress(TimeoutError):
            runner.stop(CLOSING_SECONDS)


def _connect(address: str, runner: LoopRunner) -> Client:
    patience = parse_timedelta(dask.config.get("distributed.comm.timeouts.connect"))
    try:
        return sync(runner.loop, _client_of, address, patience)
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


async def _client_of(address: str, patience: float) -> Client:
    """A client, once it is clear who answers: a client that fails to begin also fails to end."""
    security = Security().get_connection_args("client")
    async with rpc(address, connection_args=security, timeout=patience) as server:
        identity = await asyncio.wait_for(server.identity(), patience)
    if identity["type"] != "Scheduler":
        raise ValueError(f"a {identity['type'].lower()} answers there")
    client = Client(
        address, asynchronous=True, timeout=patience, set_as_default=False, name="sanproof"
    )
    try:
        return await asyncio.wait_for(client, patience)
    except BaseException:
        await _close(client)
        raise


async def _close(client: Client) -> None:
    """Close a client; the scheduler may be gone."""
    with suppress(Exception):
        await client.close(CLOSING_SECONDS)


def _wait_for_workers(client: Client, address: str) -> None:
    """Wait until there is a worker; an Unfinished if none comes in time."""
    patience = _patience_seconds()
    deadline = time.monotonic() + patience
    waited = False
    while not client.scheduler_info(n_workers=0)["n_workers"]:
        if time.monotonic() >= deadline:
            raise Unfinished(
                f"The scheduler {address} has no workers: start some with "
                f"`dask worker {address} --nthreads 1`."
            )
        if not waited:
            sys.stderr.write(f"waiting up to {patience:.0f} s for workers of {address}\n")
            waited = True
        time.sleep(ASKING_SECONDS / 4)


def _check_versions(client: Client, address: str) -> None:
    """Refuse a scheduler or workers with another Python or dask than this process."""
    versions = client.get_versions()
    own = _alike(versions["client"])
    others = {f"The scheduler {address}": versions["scheduler"]}
    others |= {f"The worker {name}": of for name, of in versions["workers"].items()}
    for who, theirs in others.items():
        found = _alike(theirs)
        wrong = [name for name in own if found[name] != own[name]]
        differs = [f"{name} {found[name]} instead of {own[name]}" for name in wrong]
        if differs:
            raise Failure(_unlike(who, differs))


def _alike(versions: Mapping[str, Any]) -> dict[str, str]:
    """What must be the same, of what dask says that a process has; of Python 3.11.7 the 3.11."""
    packages = versions["packages"]
    found = {name: str(packages.get(name) or MISSING) for name in ALIKE}
    return found | {"python": ".".join(found["python"].split(".")[:2])}


def _check_code(client: Client, expected: Mapping[str, str]) -> None:
    """Refuse workers that have not the code and the versions of this process.

    Workers that come later are compared before their first task.
    """
    replies = client.run(entrance(), dict(expected), None, on_error="return")
    for worker, reply in replies.items():
        if isinstance(reply, OSError):  # it is gone, and others may do the work
            log.info("%s does not answer: %s", worker, _in_words(reply))
            continue
        if isinstance(reply, Exception):
            differs = [f"what cannot be compared ({_in_words(reply)})"]
        else:
            differs = Response(*pickle.loads(reply)).differs  # noqa: S301 - from a worker we trust
        if differs:
            raise Failure(_unlike(f"The worker {worker}", differs))
        log.info("%s is as this process is", worker)


@contextmanager
def _still_connected(address: str) -> Iterator[None]:
    try:
        yield
    except Failure:
        raise
    except Exception as error:
        raise Unfinished(
            f"The connection to the scheduler {address} was lost ({_in_words(error)}): "
            "start it and its workers, and run the same command again."
        ) from error


def _unlike(who: str, differs: Sequence[str]) -> str:
    return (
        f"{who} cannot take part, because it has {', '.join(differs)}: "
        "install the same there, start it again, and run the same command again."
    )


def _patience_seconds() -> float:
    return float(parse_timedelta(dask.config.get(PATIENCE, PATIENCE_DEFAULT)))


def _in_words(error: BaseException) -> str:
    """An error on one line, without a full stop."""
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
