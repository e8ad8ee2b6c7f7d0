"""The command as a user starts it, and what a run directory holds."""

import fcntl
import gc
import json
import multiprocessing
import os
import pty
import re
import shlex
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Any, Final

from hypothesis import settings

from sanproof.verify.commands.start import main
from sanproof.verify.work.executors import Inline

ROOT: Final = Path(__file__).parents[2]
PROGRAM: Final = (
    "import sys; sys.argv[0] = 'sanproof'; from sanproof.verify.commands.start import main; main()"
)
PART: Final = "[aN]*xb1*"
"""Captures on b1 by knights and a pawn, of which only Black's promotes there: two cubes."""

PATIENCE_SECONDS: Final = 60
CONTROL: Final = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def command(*arguments: str, first: str = "") -> list[str]:
    """Return the command line that runs this tree's sanproof, after the statements in ``first``."""
    return [sys.executable, "-c", first + PROGRAM, *arguments]


def completed(line: Sequence[str] | str, **options: Any) -> subprocess.CompletedProcess[Any]:  # noqa: ANN401
    """Run a program to its end, in this tree unless told otherwise; what it prints is captured."""
    usual: dict[str, Any] = {"cwd": ROOT, "capture_output": True, "text": True}
    return subprocess.run(line, check=False, **usual | options)


FORKING: Final = multiprocessing.get_context("forkserver")
"""Commands forked from a process that has loaded the program already: most of their time was that.

Such a command finds loaded what that process has loaded. So one that needs a library which it does
not import may be right by luck: once a week each test starts its commands in new processes."""
FORKING.set_forkserver_preload(
    [
        *("chess.pgn", "numba", "pysat.solvers", "z3", "pytest", "tests.verify.command"),
        "tests.reports.samples",  # for which the generator's strings are made
        *("sanproof.verify.audit.whole", "sanproof.verify.gate.formats"),
        *("sanproof.verify.notation.writing", "sanproof.verify.run.runner"),
        "sanproof.verify.scan.loops",
    ]
)
ENVIRONMENT: Final = os.environ | {"PYTEST_CURRENT_TEST": ""}


def sanproof(
    *arguments: str, cwd: Path = ROOT, env: dict[str, str] | None = None, first: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run sanproof to its end, after the statements in ``first``."""
    fresh = bool(first or env) or needs_fresh_start()
    fresh |= "--scheduler" in arguments  # what talks to one starts threads
    if fresh or os.environ | {"PYTEST_CURRENT_TEST": ""} != ENVIRONMENT:
        env = env or {**os.environ, "PYTHONPATH": str(ROOT)}
        done = completed(command(*arguments, first=first), cwd=cwd, env=env, text=False)
        return subprocess.CompletedProcess(
            done.args, done.returncode, _text(done.stdout), _text(done.stderr)
        )
    with NamedTemporaryFile() as output, NamedTemporaryFile() as errors:
        process = FORKING.Process(target=_become, args=(arguments, cwd, output.name, errors.name))
        process.start()
        process.join()
        said = _text(output.read()), _text(errors.read())
        return subprocess.CompletedProcess(arguments, process.exitcode or 0, *said)


def _become(arguments: tuple[str, ...], folder: Path, *streams: str) -> None:
    """Be the command, in a process that was forked."""
    gc.freeze()  # what was loaded before is no garbage
    multiprocessing.set_start_method("fork", force=True)  # its workers load nothing either
    multiprocessing.set_start_method = lambda *_, **__: None
    for number, name in enumerate(streams, 1):
        os.dup2(os.open(name, os.O_WRONLY), number)
    os.chdir(folder)
    sys.argv[:] = ["sanproof", *arguments]
    main()


def program(folder: Path) -> Path:
    """Write this tree's sanproof as a program to the folder `bin` in a folder."""
    path = folder / "bin" / "sanproof"
    path.parent.mkdir(parents=True, exist_ok=True)
    # Worker processes load the program's file again, as they do that of an installed program.
    guarded = f"if __name__ == '__main__':\n    {PROGRAM}\n"
    path.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, '{ROOT}')\n{guarded}")
    path.chmod(0o755)
    return path


SIMPLE: Final = re.compile(r"""sanproof(\s+([\w./:=+@%,-]+|'[^']*'|"[^"$`\\]*"))*\s*(\s#.*)?""")
"""A line for a shell that any shell would read alike: a command and its words."""


def shell(line: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in a folder; `sanproof` and `python` are those of the tests."""
    starts_others = re.search(" python| sanproof", line)  # which it finds on its path
    if SIMPLE.fullmatch(line) and not variables and not starts_others:
        return sanproof(*shlex.split(line, comments=True)[1:], cwd=folder)
    path = f"{program(folder).parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    variables |= {"PATH": path, "PYTHONPATH": str(ROOT)}
    return completed(["bash", "-c", line], cwd=folder, env={**os.environ, **variables})


def needs_fresh_start() -> bool:
    """Check whether each command starts as for a user: once a week, and to see what it runs."""
    weekly = settings.get_current_profile_name() == "fresh"
    return weekly or any(name.startswith("COVERAGE_") for name in os.environ)


def _text(output: bytes) -> str:
    """Decode the output; a directory's name may be any bytes."""
    return output.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")


def verify(directory: Path, only: str = PART, workers: int = 1) -> list[str]:
    """Return the arguments of a run on a part of the universe."""
    return ["verify", "--out", str(directory), "--only", only, "--workers", str(workers)]


def expect_sentence(run: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """Check that the command ended with this code and one sentence, which holds these words."""
    assert "Traceback" not in run.stderr, run.stderr
    assert run.returncode == code, (run.returncode, run.stderr)
    (sentence,) = without_progress(run.stderr)
    assert sentence.startswith("sanproof: ")
    assert sentence.endswith(".")
    for word in words:
        assert word in sentence


def expect_usage(run: subprocess.CompletedProcess[str], *words: str) -> None:
    """Check that the command refused its arguments: usage, and in the last line what is wrong."""
    assert "Traceback" not in run.stderr, run.stderr
    assert run.returncode == 2, (run.returncode, run.stderr)
    lines = run.stderr.splitlines()
    assert lines[0].startswith("Usage: sanproof")
    assert re.fullmatch(r"Error: [^a-z].*[^.][.?]\)?", lines[-1]), lines[-1]
    for word in words:
        assert word in lines[-1]


def without_progress(stderr: str) -> list[str]:
    """Return the lines of standard error but for the one that tells how a command gets on."""
    return [line for line in stderr.splitlines() if line and not line.startswith("Making the page")]


def outputs(directory: Path) -> dict[str, bytes]:
    """Return all that a run wrote but for its memory and log, without the times it took."""
    paths = [path for path in directory.iterdir() if not path.name.startswith("run.")]
    files = {path.name: path.read_bytes() for path in paths}
    for name, times in (("summary.json", "times"), ("manifest.json", "sha256")):
        if name in files:
            content = json.loads(files[name])
            del content[times]
            content.get("files", {}).pop("summary.json", None)  # whose hash follows from its times
            files[name] = json.dumps(content).encode()
    return files


def names(directory: Path) -> set[str]:
    """Return the names in a run directory but for the database's own files."""
    return {path.name for path in directory.iterdir() if "sqlite3" not in path.name}


def saved_units(directory: Path) -> int:
    """Return how many work units a run has saved, which may be under way."""
    with TemporaryDirectory() as copy, suppress(sqlite3.DatabaseError, FileNotFoundError):
        for path in directory.glob("run.sqlite3*"):
            shutil.copy(path, copy)
        with closing(sqlite3.connect(Path(copy, "run.sqlite3"))) as database:
            found = database.execute("SELECT count(*) FROM found WHERE kind = 'unit'")
            return int(found.fetchone()[0])
    return 0


@contextmanager
def started(*arguments: str, first: str = "") -> Iterator[subprocess.Popen[str]]:
    """Start sanproof in a process group of its own; whatever is left of it at the end is killed."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command(*arguments, first=first),
        cwd=ROOT,
        stdout=pipe,
        stderr=pipe,
        text=True,
        start_new_session=True,
    )
    try:
        with process:
            try:
                yield process
            finally:
                if group(process.pid):
                    os.killpg(process.pid, signal.SIGKILL)
    finally:
        assert process.returncode is not None


def wait_for(condition: Callable[[], object], process: subprocess.Popen[str]) -> None:
    """Wait until the condition holds, while the process runs."""
    wait_until(lambda: condition() or process.poll() is not None)
    assert process.poll() is None, process.communicate()


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until the condition holds; one that has ended takes a moment to be gone."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def children(parent: int) -> set[int]:
    """Return the processes that a process has started; those of a thread that ends are left out."""
    found: set[int] = set()
    for path in Path(f"/proc/{parent}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            found.update(map(int, path.read_text().split()))
    return found


def is_alive(number: int) -> bool:
    """Whether a process runs; one that has ended and waits to be noticed does not."""
    return completed(["ps", "-o", "stat=", "-p", str(number)]).stdout[:1] not in ("", "Z")


def group(leader: int) -> dict[int, str]:
    """Return the living processes of a process group, with their command lines."""
    rows = completed(["ps", "-ewwo", "pgid=,pid=,stat=,args="]).stdout.splitlines()
    found = (row.split(maxsplit=3) for row in rows)
    return {
        int(pid): line for of, pid, state, line in found if int(of) == leader and state[0] != "Z"
    }


def workers_of(leader: int) -> list[int]:
    """Return the worker processes of a run."""
    return [pid for pid, line in group(leader).items() if "spawn_main" in line]


def on_terminal(
    *arguments: str, columns: int, streams: Collection[str] = ("stdout",), typed: bytes = b""
) -> tuple[int, list[str]]:
    """Run sanproof with some of its standard streams on a terminal; the others go nowhere.

    Standard input is the terminal if something is typed there.

    Returns:
        The exit code, and the lines that the terminal shows.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    out, errors = (theirs if s in streams else subprocess.DEVNULL for s in ("stdout", "stderr"))
    with subprocess.Popen(
        command(*arguments),
        cwd=ROOT,
        env=environment | {"TERM": "xterm"},
        stdin=theirs if typed else subprocess.DEVNULL,
        stdout=out,
        stderr=errors,
    ) as process:
        os.close(theirs)
        os.write(ours, typed)
        shown = b""
        with suppress(OSError):  # the terminal's other side is closed
            while piece := os.read(ours, 1 << 16):
                shown += piece
        os.close(ours)
    return process.returncode, CONTROL.sub("", shown.decode()).replace("\r\n", "\n").splitlines()


@contextmanager
def inline_pool(*_: object, **_options: object) -> Iterator[Inline]:
    """Stand in for ``verify.work.executors.worker_pool``."""
    yield Inline()
