"""The log of work: the records of all workers come to one file, in the order in which they arrive.

multiprocessing-logging has a queue and a thread for them, so that nothing waits for the disk. Its
queue could take records of workers only if they were forked. Ours are spawned, or run on
other machines, so theirs come with the answer that brings a result.
"""

import logging
import logging.handlers
import multiprocessing
import queue
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from multiprocessing_logging import MultiProcessingHandler

from sanproof.verify.scan.former.signals import blocked

log = logging.getLogger("sanproof")


@contextmanager
def recorded() -> Iterator[list[logging.LogRecord]]:
    """Collect what a worker logs in the block, in a form that can be sent."""
    records: queue.SimpleQueue[logging.LogRecord] = queue.SimpleQueue()
    found: list[logging.LogRecord] = []
    handler = logging.handlers.QueueHandler(records)
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield found
    finally:
        log.removeHandler(handler)
        found += [records.get() for _ in range(records.qsize())]


@contextmanager
def gathered_log(log_file: Path) -> Iterator[None]:
    """Have all log records written to a file, those of libraries too."""
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
    logging.root.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        logging.root.removeHandler(handler)
        handler.close()
