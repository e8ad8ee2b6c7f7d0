"""Every way to end: an exit code that says which it is, and never a traceback.

And a command that writes is killed at a random moment; the same command then ends as if it was not.
Files appear when they are complete: what is there after a kill is as it is at the end.
"""

import errno
import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from sanproof.proofs.search import SolverGaveUp
from sanproof.verify.commands.cli import cli
from sanproof.verify.commands.start import told
from sanproof.verify.errors import Undecided, Unfinished
from sanproof.verify.work.signals import SENTENCES
from tests.verify.command import (
    ROOT,
    command,
    completed,
    expect_sentence,
    names,
    on_terminal,
    shell,
)

LIST = str(ROOT / "data" / "san_strings.txt")
GATE = """
import os, signal, sys, threading, time
import sanproof.verify.gate.formats as session
def run_gate(*_, **__):
{body}
session.run_gate = run_gate
"""


def run(*arguments: str, first: str = "") -> subprocess.CompletedProcess[str]:
    """Run sanproof after these statements."""
    return completed(command(*arguments, first=first), timeout=120)


def gate_that(body: str) -> str:
    """Return statements that have ``sanproof gate`` do something else."""
    return GATE.format(body="".join(f"    {line}\n" for line in body.split("\n")))


RAISED: list[tuple[BaseException, int, str]] = [
    (ValueError("no\n\x1b[31msuch thing"), 4, r"ValueError: no\n\x1b[31msuch thing. Please report"),
    (Exception("x" * 10_000), 4, "xxx. Please report it"),
    (MemoryError(), 4, "There is not enough memory"),
    (RuntimeError(b"out of memory"), 4, "There is not enough memory"),  # as Z3 says it
    (OSError(errno.ENOSPC, "No space left", "x"), 4, "x cannot be used: No space left"),
    (OSError(errno.EACCES, "Permission denied", "x"), 2, "x cannot be used: Permission denied"),
    (OSError(errno.ENOENT, "No such file", b"\xff"), 2, r"\udcff cannot be used: No such file"),
    (OSError(errno.EIO, "Input/output error"), 4, "The output cannot be written: Input/output"),
    (SolverGaveUp("Z3 gave up: x"), 3, "Nothing was decided: Z3 gave up: x"),
    (Undecided("It is open."), 3, "It is open"),
    (Unfinished("It is full."), 4, "It is full"),
    (KeyboardInterrupt(), 130, "Interrupted"),
]


@pytest.mark.parametrize(("error", "code", "words"), RAISED, ids=lambda value: ascii(value)[:40])
def test_every_exception_is_a_sentence(
    error: BaseException, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = told(error)
    output, errors = capsys.readouterr()
    expect_sentence(subprocess.CompletedProcess([], ended, output, errors), code, words)
    assert len(errors) < 700
    assert output == ""
    assert [told(SystemExit(code)) for code in (None, 0, 3, "text")] == [0, 0, 3, 2]
    assert told(BrokenPipeError()) == 4
    assert capsys.readouterr() == ("", "")


def test_a_traceback_is_printed_when_asked_for() -> None:
    first = "import os; os.environ['SANPROOF_TRACEBACK'] = '1'\n"
    done = run("gate", LIST, first=first + gate_that("raise ValueError('here')"))
    assert done.returncode == 4
    assert "in run_gate\n" in done.stderr
    assert "SANPROOF_TRACEBACK=1" in done.stderr.splitlines()[-1]


ENDS = {
    ("gate WRONG", "2>/dev/full"): 1,
    ("gate --fly", "2>/dev/full"): 2,
    ("gate WRONG", ">/dev/full"): 4,
    ("gate LIST", "<&-"): 0,
    ("explain e4", ">/dev/full"): 4,
    ("--help", ">/dev/full"): 4,
}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("line", "streams"), ENDS)
def test_streams_that_are_closed_or_full(line: str, streams: str, tmp_path: Path) -> None:
    (tmp_path / "WRONG").write_text(Path(LIST).read_text() + "\ne9\n")
    code = ENDS[line, streams]
    done = shell(
        f"unset PYTHONUNBUFFERED; sanproof {line.replace('LIST', LIST)} {streams}", tmp_path
    )
    assert done.returncode == code, done.stderr
    if "2>" not in streams and done.returncode == 4:
        expect_sentence(done, 4, "The output cannot be written")
    else:
        assert done.stderr == ""


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("export --what vocabulary --out x.json", "os.fsync"),
        ("export --what certificates --out x", "os.mkdir"),
        ("report --out x", "os.mkdir"),
        ("conformance export --out .", "os.fsync"),
    ],
)
def test_no_room_is_not_misuse(
    line: str,
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nor is a damaged disk; but what may not be written is."""
    monkeypatch.chdir(tmp_path)
    for number, code in ((errno.ENOSPC, 4), (errno.EIO, 4), (errno.EACCES, 2)):
        monkeypatch.setattr(place, Mock(side_effect=OSError(number, os.strerror(number))))
        ended = told(CliRunner().invoke(cli, line.split()).exception or SystemExit(0))
        done = subprocess.CompletedProcess([], ended, *capsys.readouterr())
        expect_sentence(done, code, "cannot be written", os.strerror(number))
        assert ".sanproof-" not in done.stderr
        assert names(tmp_path) == set()


@pytest.mark.parametrize("arguments", ["explain e4", "--help"])
def test_nobody_reads_the_answer(arguments: str, tmp_path: Path) -> None:
    """As in ``sanproof ... | head -0``."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb", closefd=True) as output:
        done = subprocess.run(
            command(*arguments.split()), cwd=tmp_path, stdout=output, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False,
        )  # fmt: skip
    assert (done.stderr, done.returncode) == (b"", 4)


def test_a_bare_export_prints_its_help_on_a_terminal() -> None:
    code, lines = on_terminal("export", columns=80)
    assert (code, lines[0]) == (0, "Usage: sanproof export [OPTIONS]")
    assert len(lines) < 100


@pytest.mark.parametrize("number", SENTENCES, ids=lambda number: number.name)
def test_a_signal_ends_a_command_with_a_sentence(number: signal.Signals) -> None:
    done = run("gate", LIST, first=gate_that(f"signal.raise_signal({int(number)})"))
    expect_sentence(done, 128 + number, SENTENCES[number])


def test_a_second_signal_ends_at_once() -> None:
    body = """\
try:
    signal.raise_signal(signal.SIGINT)
finally:
    signal.raise_signal(signal.SIGTERM)
    time.sleep(600)"""
    done = run("gate", LIST, first=gate_that(body))
    assert (done.returncode, done.stderr) == (143, "sanproof: Ended at once.\n")


GAMES: Final = ROOT / "tests" / "games" / "real-games.pgn"
COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "verify": ("verify", "--only", "N*xb1*", "--no-games", "--workers", "2", "--out", "out"),
    "scan": ("scan", str(GAMES), "--workers", "2", "--out", "out"),
    "export": ("export", "--what", "witnesses", "--format", "csv", "--out", "out.csv"),
    "report": ("report", "--out", "out"),
    "shorten": ("shorten", "--out", "out"),
}
TIMED: Final = {"manifest.json", "summary.json", "summary.md", "SUMMARY.md", "run.log"}
"""Files that say how long it took, or hash one that does."""
KILLS: Final = 3


def start(name: str, folder: Path) -> subprocess.Popen[bytes]:
    folder.mkdir(exist_ok=True)
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        command(*COMMANDS[name]), cwd=folder, stdout=quiet, stderr=quiet, start_new_session=True
    )


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files that are published, without stores and what stands beside them."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.name not in TIMED
        and "sqlite3" not in path.name
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_command_continues_to_the_same_bytes(name: str, tmp_path: Path) -> None:
    begun = time.monotonic()
    assert start(name, tmp_path / "whole").wait() in {0, 1}
    seconds = time.monotonic() - begun
    whole = files_of(tmp_path / "whole")
    assert whole
    random = Random(name)
    for number in range(KILLS):
        folder = tmp_path / str(number)
        process = start(name, folder)
        time.sleep(random.random() * seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
        for file, content in files_of(folder).items():
            assert whole.get(file) == content, file
        if files_of(folder) != whole:  # a page that is complete is not written over
            assert start(name, folder).wait() in {0, 1}
        assert files_of(folder) == whole
