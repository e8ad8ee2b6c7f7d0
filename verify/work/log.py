"""The log of work: records of all workers come back with their results, to one file.

multiprocessing-logging has a thread write them, so that nobody waits for the disk.
"""

import gc
import logging
import logging.handlers
import multiprocessing
import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from multiprocessing_logging import MultiProcessingHandler

from sanproof.verify.work.signals import blocked

log = logging.getLogger("sanproof")
GARBAGE_THRESHOLD: Final = 100_000
"""Formulas are many tuples and no cycles: garbage is looked for less often than Python would."""


class RecordSender(logging.handlers.QueueHandler):
    """Hands log records to a function, in a form that can be sent."""

    def __init__(self, send: Callable[[logging.LogRecord], None]) -> None:
        super().__init__(queue.SimpleQueue())
        self._send = send

    def enqueue(self, record: logging.LogRecord) -> None:
        """Hand a record over, which :meth:`prepare` made ready to be sent."""
        self._send(record)


def send_records(send: Callable[[object], None]) -> None:
    """Set up a worker: its log records go to the parent."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    log.addHandler(RecordSender(send))
    log.setLevel(logging.INFO)


@contextmanager
def gathered_log(log_file: Path) -> Iterator[None]:
    """Have a thread write all log records to a file."""
    logging.raiseExceptions = False  # a log that cannot be written is no reason for a traceback
    file_handler = logging.FileHandler(log_file, encoding="utf-8")
    file_handler.setFormatter(logging.Formatter("%(asctime)s %(processName)s %(message)s"))
    with _unnamed_semaphores(), blocked():
        handler = MultiProcessingHandler("sanproof-log", sub_handler=file_handler)
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        handler.close()


@contextmanager
def _unnamed_semaphores() -> Iterator[None]:
    """Let a queue's semaphores have no names in the system, which a kill would leave behind.

    The handler's queue makes them as processes are started by default; and only processes that
    are not forked need the names. Ours send their records through their pipes.
    """
    before = multiprocessing.get_start_method(allow_none=True)
    multiprocessing.set_start_method("fork", force=True)
    try:
        yield
    finally:
        multiprocessing.set_start_method(before, force=True)
