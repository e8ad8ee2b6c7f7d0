"""Commands forked from a process that has loaded the program already: most of their time was that.

A command gets streams, folder and arguments of its own, and ends as Python ends. What it has loaded
the next one finds loaded. So a command that needs a library which it does not import, or that
writes what depends on the seed of hashes, may be right by luck here: once a week each test starts
its commands afresh (:func:`tests.verify.command.sanproof`).
"""

import atexit
import importlib
import json
import os
import selectors
import socket
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

ROOT: Final = Path(__file__).parents[2]
SERVER: Final = "from tests.verify.forking import serve; serve(int(__import__('sys').argv[1]))"
STREAMS: Final = 3
NOT_LOADED: Final = ("__", "dask", "distributed", "tornado", "asyncio", "aiohttp", "tests")
"""What begins so is loaded by no more than the command that wants it: it may start threads."""
LONGEST_REPORT: Final = 1 << 16
"""Of what a command has loaded: as much as a pipe takes without a reader."""


class Forker:
    """A process that forks commands, as long as this one lives."""

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
        """Whether a command would begin with the same environment here."""
        return self._environment == _environment()

    def close(self) -> None:
        """End the process."""
        self._channel.close()
        self._process.wait()

    def run(self, arguments: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
        """Run a command to its end."""
        reading, writing = zip(*(os.pipe() for _ in range(STREAMS)), strict=True)
        try:
            self._ask(arguments, folder, (0, *writing))
        finally:
            for number in writing:
                os.close(number)
        output, errors, code = _read_all(reading)
        if len(code) != struct.calcsize("i"):
            raise RuntimeError("the process that forks commands has ended")
        (number,) = struct.unpack("i", code)
        return subprocess.CompletedProcess(arguments, number, output, errors)

    def _ask(self, arguments: list[str], folder: Path, streams: tuple[int, ...]) -> None:
        text = json.dumps({"arguments": arguments, "folder": str(folder)}).encode()
        with self._lock:
            socket.send_fds(self._channel, [struct.pack("I", len(text))], streams)
            self._channel.sendall(text)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


def _read_all(pipes: tuple[int, ...]) -> list[bytes]:
    """Read pipes to their ends, whichever is written to first."""
    found: dict[int, list[bytes]] = {number: [] for number in pipes}
    with selectors.DefaultSelector() as selector:
        for number in pipes:
            selector.register(number, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                read = os.read(key.fd, 1 << 16)
                found[key.fd].append(read)
                if not read:
                    selector.unregister(key.fd)
                    os.close(key.fd)
    return [b"".join(parts) for parts in found.values()]


@cache
def forker() -> Forker | None:
    """The process of all tests that this one runs, started when the first asks; Linux only."""
    return Forker() if sys.platform == "linux" else None


# --- What follows happens in that process, and in its children ---


class _Request(NamedTuple):
    arguments: list[str]
    folder: str
    streams: list[int]
    """Standard input, output and error, and where the exit code goes."""


class _Running(NamedTuple):
    process: int
    loaded: int
    """A pipe in which the command says what it has loaded."""
    answer: int


def serve(number: int) -> None:
    """Fork a command at each request."""
    channel = socket.socket(fileno=number)
    running: dict[int, _Running] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(channel, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is not channel:
                    selector.unregister(key.fd)
                    _see_to_end(key.fd, running.pop(key.fd))
                    continue
                request = _receive(channel)
                if request is None:
                    return
                handle, command = _fork(request, channel, selector, running)
                running[handle] = command
                selector.register(handle, selectors.EVENT_READ)


def _receive(channel: socket.socket) -> _Request | None:
    """The next request; None if nobody is there any more."""
    head, streams, _, _ = socket.recv_fds(channel, struct.calcsize("I"), STREAMS + 1)
    if not head:
        return None
    (size,) = struct.unpack("I", head)
    text = b""
    while len(text) < size:
        text += channel.recv(size - len(text))
    return _Request(**json.loads(text), streams=streams)


def _fork(
    request: _Request,
    channel: socket.socket,
    selector: selectors.BaseSelector,
    running: dict[int, _Running],
) -> tuple[int, _Running]:
    """Start a command; its handle, and what is to be known of it."""
    loaded, told = os.pipe()
    os.set_blocking(loaded, False)
    os.set_blocking(told, False)
    process = os.fork()
    if process == 0:
        channel.close()
        selector.close()
        for other in running.values():
            os.close(other.answer)
            os.close(other.loaded)
        os.close(loaded)
        _become(request, told)
    os.close(told)
    *streams, answer = request.streams
    for stream in streams:
        os.close(stream)
    return os.pidfd_open(process), _Running(process, loaded, answer)


def _become(request: _Request, told: int) -> NoReturn:
    """Be the command that is asked for."""
    *streams, answer = request.streams
    os.close(answer)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(request.folder)
    sys.argv[:] = ["sanproof", *(os.fsdecode(os.fsencode(text)) for text in request.arguments)]
    before = set(sys.modules)
    code = 1
    try:
        from sanproof.verify.commands.start import main  # noqa: PLC0415 - as a command does

        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except BaseException:  # noqa: BLE001 - as Python does
        sys.excepthook(*sys.exc_info())
    report = "\n".join(sys.modules.keys() - before).encode()
    os.write(told, report[:LONGEST_REPORT])
    end_as_python_does(code)


def end_as_python_does(code: int) -> NoReturn:
    """Wait for threads, do what was left for the end, and end; nothing is taken apart."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        code = 120
    os._exit(code)


def _see_to_end(handle: int, command: _Running) -> None:
    """Say how a command has ended, and load what it had loaded."""
    os.close(handle)
    _, status = os.waitpid(command.process, 0)
    os.write(command.answer, struct.pack("i", os.waitstatus_to_exitcode(status)))
    os.close(command.answer)
    names = []
    with suppress(BlockingIOError):  # it said nothing, and a child of it goes on
        names = os.read(command.loaded, LONGEST_REPORT).decode().split()
    os.close(command.loaded)
    for name in sorted(names):
        if not name.startswith(NOT_LOADED):
            with suppress(Exception):
                importlib.import_module(name)
