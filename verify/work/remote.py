"""What a worker of a cluster does: it sees that it is as the client is, and then does one task.

All that goes over the network is bytes that the client made, or an answer to them, so a scheduler
needs no code of ours. A worker that differs in code, versions or threads does nothing.
"""

import gc
import logging
import pickle
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from sanproof.verify.work.log import GARBAGE_THRESHOLD, RecordSender, log
from sanproof.verify.work.processes import answer
from sanproof.verify.work.provenance import CODE, TOOLS, provenance

THREADS: Final = "the number of threads"


class Response(NamedTuple):
    """What comes back from a worker.

    Attributes:
        worker: Its address.
        differs: How it differs from the client; if it does, nothing was done.
        records: What it had to say while it did the task.
        answer: As :func:`verify.work.processes.answer` gives it.
    """

    worker: str
    differs: list[str]
    records: list[logging.LogRecord]
    answer: bytes


def fingerprint(packages: Iterable[str] = ()) -> dict[str, str]:
    """What has to be the same wherever a task is done: the versions of these packages too."""
    # In more than one thread at once nobody has tried the solvers, and Python would gain nothing.
    return provenance(*TOOLS, *packages) | {THREADS: "1"}


def differences(expected: Mapping[str, str], worker: Any) -> list[str]:  # noqa: ANN401 - dask's
    """How this process differs from a client, in words: "chess 1.10.0 and not 1.11.2"."""
    own = fingerprint(set(expected) - {CODE, THREADS}) | {THREADS: str(worker.state.nthreads)}
    texts = []
    for name, value in sorted(expected.items()):
        if own[name] == value:
            continue
        if name == CODE:
            texts.append("other code of sanproof")
        elif name == THREADS:
            texts.append(f"{own[name]} threads and not 1 (dask worker --nthreads 1)")
        else:
            texts.append(f"{name} {own[name]} and not {value}")
    return sorted(set(texts))


def perform(worker: str, call: bytes) -> bytes:
    """Do a task in the worker of this address, which is as its client is.

    The call is pickled: function, arguments, keyword arguments. So is what comes back: a
    :class:`Response`, as a tuple.
    """
    gc.set_threshold(GARBAGE_THRESHOLD)
    records: list[logging.LogRecord] = []
    sender = RecordSender(records.append)
    log.addHandler(sender)
    log.setLevel(logging.INFO)
    try:
        answered = answer(call)
    finally:
        log.removeHandler(sender)
    return pickle.dumps((worker, [], records, answered))


def entrance() -> Callable[..., bytes]:
    """A function that is sent as its own code: a worker without sanproof can say that it has none.

    It takes the fingerprint of the client, and the pickled call or None to compare only.
    """

    # By that name dask passes the worker to a function that is no task.
    def sanproof(expected: Mapping[str, str], call: bytes | None, dask_worker: Any = None) -> bytes:  # noqa: ANN401
        # Nothing from around it may be used here: it is not sent along.
        import pickle  # noqa: PLC0415
        from importlib import import_module  # noqa: PLC0415

        from distributed import get_worker  # noqa: PLC0415

        worker = dask_worker or get_worker()
        try:
            remote = import_module("sanproof.verify.work.remote")
            differs = remote.differences(expected, worker)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it
            differs = [f"no sanproof that runs ({type(error).__name__}: {error})"]
        else:
            if not differs and call is not None:
                done: bytes = remote.perform(worker.address, call)
                return done
        return pickle.dumps((worker.address, differs, [], b""))

    return sanproof
