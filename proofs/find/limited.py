"""A search in a process of its own, which is ended when its time is up.

A solver cannot be interrupted from outside; a process can.
"""

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any, TypeVar

T = TypeVar("T")


class TimeUp(Exception):
    """The time was up before the search ended: nothing follows from that."""


class SearchDied(RuntimeError):
    """The process of the search ended before it was done, of memory perhaps."""


def within(
    timeout_seconds: float, search: Callable[..., Iterator[T]], *arguments: object
) -> Iterator[T]:
    """Yield what a search, a function at the top of a module, yields until the time is up.

    Raises:
        TimeUp: The time was up.
        SearchDied: Its process ended too early.
        Exception: What the search raised.
    """
    deadline = time.monotonic() + timeout_seconds
    alone = threading.active_count() == 1 and "fork" in multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("fork" if alone else "spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(sender, search, arguments), daemon=True)
    process.start()
    sender.close()
    try:
        while receiver.poll(max(0.0, deadline - time.monotonic())):
            item = receiver.recv()
            if item is None:
                return
            if isinstance(item, Exception):
                raise item
            yield item
        raise TimeUp
    except EOFError as error:
        raise SearchDied("the search ended before it was done") from error
    finally:
        process.kill()
        process.join()
        receiver.close()


def _run(
    sender: Connection, search: Callable[..., Iterator[object]], arguments: tuple[object, ...]
) -> None:
    """Send what the search yields; then None, or what it raises."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    try:
        for item in search(*arguments):
            sender.send(item)
        sender.send(None)
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent raises it
        sender.send(error)
