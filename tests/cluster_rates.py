"""How many tasks a second a scheduler of dask hands out, and what a task costs the client.

    python -m tests.cluster_rates --workers 2

prints JSON: what `python -m tests.scan_plan` wants to know of a cluster. The workers do nothing
with what they get. Rates are of CPU time, which other programs on the machine disturb least: of the
scheduler, which has one thread, and of the client. What it takes on the clock is printed as well.
"""

import argparse
import json
import sys
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from statistics import median
from typing import Any, Final

import psutil

from sanproof.verify.work.cluster import cluster as connected
from tests.verify.work.daskers import cluster_in

CHUNK_BYTES: Final = 4 << 20
"""Of text, in one task of a scan."""
CHUNKS: Final = 50
REPEATS: Final = 3


def handed_out(hands: Executor, tasks: int, payload: bytes, ahead: int) -> float:
    """Seconds for so many tasks that take a payload and do nothing, so many at a time."""
    started = time.perf_counter()
    under_way: set[Future[int]] = set()
    for _ in range(tasks):
        if len(under_way) >= ahead:
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
        under_way.add(hands.submit(len, payload))
    for future in under_way:
        future.result()
    return time.perf_counter() - started


def measured(workers: int) -> dict[str, float]:
    """The rates of a scheduler and so many workers, each a process of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster_in(Path(folder) / "cluster") as cluster,
    ):
        scheduler = psutil.Process(cluster.scheduler().process.pid)
        for _ in range(workers):
            cluster.worker()
        with connected(cluster.address, Path(folder) / "log") as hands:
            ahead = 2 * workers + 1
            handed_out(hands, 50, b"", ahead)  # the first imports what they need
            seconds, scheduling, sending = [], [], []
            for _ in range(REPEATS):
                before, own = _cpu_seconds(scheduler), time.process_time()
                seconds.append(handed_out(hands, CHUNKS, bytes(CHUNK_BYTES), ahead) / CHUNKS)
                scheduling.append((_cpu_seconds(scheduler) - before) / CHUNKS)
                sending.append((time.process_time() - own) / CHUNKS)
    return {
        "tasks_per_second": 1 / median(scheduling),
        "sending_bytes_per_second": CHUNK_BYTES / median(sending),
        "chunk_bytes": CHUNK_BYTES,
        "tasks_per_second_on_the_clock": 1 / median(seconds),
    }


def _cpu_seconds(process: Any) -> float:  # noqa: ANN401 - psutil has no types
    times = process.cpu_times()
    return float(times.user + times.system)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    json.dump(measured(options.workers), sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
