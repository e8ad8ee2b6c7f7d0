"""The kernel's program: what it prints, and its exit codes."""

import hashlib
import lzma
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import chess
import pytest

from sanproof.proofs.kernel import __main__ as program
from sanproof.proofs.kernel.files import CERTIFICATES, GAMES, STRINGS
from sanproof.proofs.kernel.workers import begin
from sanproof.verify.work.executors import Inline
from tests.campaigns.forging import ON_A_PART, run
from tests.proofs.kernel.evidence import DATA, establish, lay_down, only, part
from tests.verify.command import ROOT, children, is_alive, wait_until

POOL = [os.cpu_count(), "spawn", begin]
"""Workers that start from scratch, and leave Ctrl-C to the process that started them."""
DONE = {"wait": True, "cancel_futures": True}
FILES = (STRINGS, GAMES, CERTIFICATES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write the three files of a part's evidence."""
    lay_down(part().files, tmp_path)
    return tmp_path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Make the program work in this process; return what it asks of a pool of processes."""
    wanted: list[object] = []

    class Recording(Inline):
        def __init__(self, workers: int, context: object, first: object) -> None:
            wanted.extend((workers, getattr(context, "_name", None), first))

        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            wanted.append({"wait": wait, "cancel_futures": cancel_futures})

    monkeypatch.setattr(program, "ProcessPoolExecutor", Recording)
    return wanted


def hashes(folder: Path, names: Sequence[str] = FILES) -> list[str]:
    """Return the version of python-chess, and what ``sha256sum`` prints of the three files."""
    sums = [f"{hashlib.sha256((folder / n).read_bytes()).hexdigest()}  {n}" for n in names]
    return [f"python-chess {chess.__version__}", *sums]


def test_the_theorem_is_said(
    folder: Path, asked: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    with only():
        assert program.main([str(folder)]) == 0
        sentence = establish(part()).sentence()
    told = capsys.readouterr()
    assert told.out == "\n".join([*hashes(folder), sentence, ""])
    assert not told.err
    assert asked == [*POOL, DONE]


LONG = lzma.compress(b"e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7 7 Qxf7#\n" * 10_000)
"""A small file must not ask for much work."""
NOT_PROVED: list[tuple[str, Callable[[bytes], bytes] | None, str]] = [
    *((name, None, "cannot be read: No such file or directory") for name in FILES),
    (STRINGS, lambda text: text + b"\nZ9", "differs from the strings that the games show in 'Z9'"),
    (STRINGS, lambda _: b"\xff", "has bytes that are not ASCII"),
    (GAMES, lambda _: LONG, "unpacks to more than any file of its size"),
    (GAMES, lambda text: text * 2, "is cut short, or something follows its end"),
    (CERTIFICATES, lambda text: text[:-1], "is cut short, or something follows its end"),
]


@pytest.mark.parametrize(("name", "change", "said"), NOT_PROVED)
def test_what_does_not_hold_is_said(
    folder: Path,
    asked: list[object],
    name: str,
    change: Callable[[bytes], bytes] | None,
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = folder / name
    if change is None:
        path.unlink()
    else:
        path.write_bytes(change(path.read_bytes()))
    is_read = said.startswith("differs")
    read = FILES if is_read else FILES[: FILES.index(name) + (change is not None)]
    with only():
        assert program.main([str(folder)]) == 1
    told = capsys.readouterr()
    assert told.out.splitlines() == hashes(folder, read)
    assert asked == ([*POOL, DONE] if is_read else [])
    assert told.err == f"sanproof kernel: Not proved: {name}: {said}.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [([], "Name one"), ([".", "."], "Name one"), (["no/such"], "no/such"), ([__file__], __file__)],
)
def test_misuse(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(arguments) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert not told.out


def test_it_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--help"]) == 0
    assert "python -I -m sanproof.proofs.kernel DIR" in capsys.readouterr().out


ENDINGS: list[tuple[type[BaseException], int, str]] = [
    (KeyboardInterrupt, 130, "Interrupted."),
    (MemoryError, 4, "Could not finish (MemoryError: why)."),
    (OSError, 4, "Could not finish (OSError: why)."),
    (BrokenProcessPool, 4, "Could not finish (BrokenProcessPool: why)."),
]


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(("error", "code", "said"), ENDINGS)
def test_what_stops_it_is_said(
    folder: Path,
    error: type[BaseException],
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stop(*_: object) -> None:
        raise error("why")

    monkeypatch.setattr(program, "establish", stop)
    assert program.main([str(folder)]) == code
    assert capsys.readouterr().err == f"sanproof kernel: {said}\n"


# --- As a program ---


def test_it_works_in_processes_of_its_own(folder: Path) -> None:
    done = run(ON_A_PART, str(folder))
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    with only():
        assert done.stdout == "\n".join([*hashes(folder), establish(part()).sentence(), ""])


def in_a_shell(
    command: str, folder: Path, directory: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell: Python is its first argument, the folder its second.

    What Python prints is buffered, as for most users.
    """
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    words = ["bash", "-c", f"set -o pipefail; {command}", sys.executable, str(folder)]
    return subprocess.run(
        words, capture_output=True, text=True, cwd=directory, env=buffered, check=False
    )


def test_it_ends_with_its_exit_code() -> None:
    """Isolated, in another directory, by its name alone; as users call it."""
    program = "runpy.run_module('sanproof.proofs.kernel', None, '__main__')"
    start = "import runpy, sys; sys.path.insert(0, sys.argv.pop()); "
    done = in_a_shell(f'"$0" -I -c "{start}{program}" "$1"', ROOT, Path("/"))
    assert done.returncode == 2
    said = "sanproof kernel: Name one folder: python -I -m sanproof.proofs.kernel DIR\n"
    assert done.stderr == said


@pytest.mark.parametrize(
    ("stream", "said"),
    [
        (">&-", "standard output is closed"),
        (">/dev/full", "No space left on device"),
        ("| true", "Broken pipe"),
    ],
)
def test_output_that_cannot_be_written(folder: Path, stream: str, said: str) -> None:
    if "full" in stream:
        (folder / STRINGS).unlink()  # it says the version, and starts no workers, who would notice
    done = in_a_shell(f'"$0" -m sanproof.proofs.kernel "$1" {stream}', folder)
    assert re.fullmatch(rf"sanproof kernel: Could not finish \(.*{said}.*\)\.\n", done.stderr)
    assert done.returncode == 4


@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full", ">&- 2>&-"])
@pytest.mark.parametrize(("argument", "code"), [("nowhere", 2), ("$1", 1)])
def test_complaints_that_nobody_hears(folder: Path, stream: str, argument: str, code: int) -> None:
    (folder / STRINGS).unlink()
    done = in_a_shell(f'"$0" -m sanproof.proofs.kernel "{argument}" {stream}', folder)
    assert done.returncode == (4 if ">&- 2" in stream and code == 1 else code)
    assert not done.stderr


@pytest.mark.slow
def test_the_published_data_is_proved() -> None:
    done = in_a_shell('"$0" -m sanproof.proofs.kernel "$1"', DATA)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:4] == hashes(DATA)
    assert "Proved: of the 1,119,750 strings of the SAN grammar, " in done.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_its_parent(number: signal.Signals) -> None:
    line = [sys.executable, "-m", "sanproof.proofs.kernel", str(DATA)]
    with subprocess.Popen(line, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            for _ in range(4):  # the version and the hashes: after them the workers are started
                process.stdout.readline()
            wait_until(lambda: len(children(process.pid)) > 1)
            workers = children(process.pid)
            process.send_signal(number)
            process.wait(30)
            wait_until(lambda: not any(map(is_alive, workers)))
        finally:
            process.kill()
