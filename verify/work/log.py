"""The log of work: the records of all workers come to one file, in the order in which they arrive.

multiprocessing-logging has a queue and a thread for them, so that nothing waits for the disk. Its
queue could take records of workers only if they were forked. Ours are started afresh, or run on
other machines, so theirs come through the pipe or the answer that brings the results.
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


class _Sender(logging.handlers.QueueHandler):
    """Hands log records to a function, in a form that can be sent."""

    def __init__(self, send: Callable[[logging.LogRecord], None]) -> None:
        super().__init__(queue.SimpleQueue())
        self._send = send

    def enqueue(self, record: logging.LogRecord) -> None:
        """Hand over a record that is ready to be sent."""
        self._send(record)


@contextmanager
def sent_records(send: Callable[[logging.LogRecord], None]) -> Iterator[None]:
    """Set up a worker, which hands its log records to a function in the block."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    sender = _Sender(send)
    log.addHandler(sender)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(sender)


@contextmanager
def gathered_log(log_file: Path) -> Iterator[None]:
    """Have all log records written to a file."""
    logging.raiseExceptions = False  # a log that cannot be written is no reason for a traceback
    to_file = logging.FileHandler(log_file, encoding="utf-8")
    to_file.setFormatter(logging.Formatter("%(asctime)s %(processName)s %(message)s"))
    before = multiprocessing.get_start_method(allow_none=True)
    # The handler's queue makes semaphores for this method; for others they would have names in
    # the system, which a kill leaves behind.
    multiprocessing.set_start_method("fork", force=True)
    with blocked():
        handler = MultiProcessingHandler("sanproof-log", sub_handler=to_file)
    multiprocessing.set_start_method(before, force=True)
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        handler.close()
