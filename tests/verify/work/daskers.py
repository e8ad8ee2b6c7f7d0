"""Schedulers and workers of dask, each a process of its own on the loopback address."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from tests.verify.command import PATIENCE_SECONDS, ROOT

HOST: Final = "127.0.0.1"
IDLE: Final = "300"
"""Seconds after which processes end by themselves that a killed test has left behind."""
QUICK: Final = {
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s",
    "DASK_SANPROOF__PATIENCE": "3s",
}
"""Patience of a client that is to fail."""


def free_port() -> int:
    """Return a port at which no program listens."""
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return int(listener.getsockname()[1])


class Dasker:
    """A process of dask in a process group of its own, which writes to a file."""

    def __init__(
        self, module: str, log: Path, *arguments: str, env: Mapping[str, str] | None = None
    ) -> None:
        self.log = log
        path = os.pathsep.join([*filter(None, [(env or {}).get("PYTHONPATH")]), str(ROOT)])
        with log.open("ab") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"],
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {}), "PYTHONPATH": path},
                cwd=log.parent,  # not the tree: a worker finds sanproof as another machine would
                start_new_session=True,
            )

    def after(self, text: str) -> Self:
        """Return it when it has written this: that it listens, or has joined."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.log.read_text():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.05)
        return self

    def kill(self) -> None:
        """End it as a power cut would."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Cluster:
    """A scheduler and workers, in a folder."""

    def __init__(self, folder: Path, port: int, scheme: str) -> None:
        self.folder = folder
        self.port = port
        self.scheme = scheme
        self.address = f"{scheme}://{HOST}:{port}"
        self.daskers: list[Dasker] = []
        self._logs = 0

    def _log(self) -> Path:
        self._logs += 1
        return self.folder / f"{self._logs}.log"

    def scheduler(self, env: Mapping[str, str] | None = None) -> Dasker:
        """Start the scheduler, and wait until it listens."""
        where = ("--protocol", self.scheme, "--host", HOST, "--port", str(self.port))
        idle = ("--idle-timeout", IDLE)
        dasker = Dasker("dask_scheduler", self._log(), *where, *idle, env=env)
        self.daskers.append(dasker)
        return dasker.after("Scheduler at:")

    def worker(self, env: Mapping[str, str] | None = None, *, threads: int = 1) -> Dasker:
        """Start a worker; it may take seconds until it has joined."""
        arguments = ("--nthreads", str(threads), "--no-nanny", "--host", HOST)
        folder = ("--local-directory", str(self.folder), "--death-timeout", IDLE)
        dasker = Dasker("dask_worker", self._log(), self.address, *arguments, *folder, env=env)
        self.daskers.append(dasker)
        return dasker


@contextmanager
def cluster_in(folder: Path, scheme: str = "tcp") -> Iterator[Cluster]:
    """Make a cluster without processes yet; kill all that are started in it at the end."""
    folder.mkdir()
    cluster = Cluster(folder, free_port(), scheme)
    try:
        yield cluster
    finally:
        for dasker in cluster.daskers:
            dasker.kill()
