"""Commands forked from a process that has loaded the program already: most of their time was that.

A command gets streams, folder and arguments of its own, and ends as Python ends. It finds loaded
what the server has loaded. So a command that needs a library which it does not import, or that
writes what depends on the seed of hashes, may be right by luck here: once a week each test starts
its commands in new processes (:func:`tests.verify.command.sanproof`).
"""

import atexit
import json
import os
import socket
import struct
import subprocess
import sys
import threading
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, NoReturn

ROOT: Final = Path(__file__).parents[2]
SERVER: Final = "from tests.verify.forking import serve; serve(int(__import__('sys').argv[1]))"
LOADED: Final = (
    *("chess.pgn", "numba", "pysat.solvers", "z3"),
    *(
        f"sanproof.verify.{name}"
        for name in (
            *("audit.auditor", "gate.formats", "notation.writing", "run.runner", "scan.loops"),
        )
    ),
)
"""The modules that take long to load."""


class Forker:
    """A process that forks commands, one at a time, as long as this one lives."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._channel, theirs = socket.socketpair()
        with theirs:
            line = [sys.executable, "-c", SERVER, str(theirs.fileno())]
            self._process = subprocess.Popen(
                line, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
            )
        self._environment = _environment()
        atexit.register(self.close)

    def is_alike(self) -> bool:
        """Check whether a command would begin with the same environment here."""
        return self._environment == _environment()

    def close(self) -> None:
        """End the process."""
        self._channel.close()
        self._process.wait()

    def run(self, arguments: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
        """Run a command to its end."""
        with TemporaryFile("w+") as asked, TemporaryFile() as output, TemporaryFile() as errors:
            json.dump([arguments, str(folder)], asked)
            asked.seek(0)
            with self._lock:
                files = [asked.fileno(), output.fileno(), errors.fileno()]
                socket.send_fds(self._channel, [b"."], files)
                code = self._channel.recv(struct.calcsize("i"))
            if not code:
                raise RuntimeError("the process that forks commands has ended")
            (number,) = struct.unpack("i", code)
            output.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess(arguments, number, output.read(), errors.read())


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


@cache
def forker() -> Forker | None:
    """Return the process of all tests that this one runs; Linux only."""
    return Forker() if sys.platform == "linux" else None


# --- What follows happens in that process, and in its children ---


def serve(number: int) -> None:
    """Fork a command at each request, and answer with its exit code."""
    channel = socket.socket(fileno=number)
    for name in LOADED:
        import_module(name)
    while True:
        head, files, _, _ = socket.recv_fds(channel, 1, 3)
        if not head:
            return
        process = os.fork()
        if process == 0:
            channel.close()
            _become(*files)
        for file in files:
            os.close(file)
        _, status = os.waitpid(process, 0)
        channel.sendall(struct.pack("i", os.waitstatus_to_exitcode(status)))


def _become(asked: int, output: int, errors: int) -> NoReturn:
    """Be the command that is asked for, and end as Python does, but take nothing apart."""
    with open(asked) as file:
        arguments, folder = json.load(file)
    for number, stream in ((1, output), (2, errors)):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    sys.argv[:] = ["sanproof", *arguments]
    code = 1
    try:
        from sanproof.verify.commands.start import main  # noqa: PLC0415 - as a command does

        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except BaseException:  # noqa: BLE001 - as Python does
        sys.excepthook(*sys.exc_info())
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(code)
