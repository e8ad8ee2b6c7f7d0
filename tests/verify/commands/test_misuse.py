"""The mistakes of users and refusals of the machine: one sentence, nothing lost."""

import errno
import os
import subprocess
from pathlib import Path

import pytest

from sanproof.verify.run.store import RunStore
from tests.verify.command import (
    command,
    expect_sentence,
    names,
    sanproof,
    shell,
    verify,
)


def contents(directory: Path) -> dict[str, bytes]:
    """Read all files but the database: to close it here would give up our own lock on it."""
    paths = [path for path in directory.iterdir() if "sqlite3" not in path.name]
    return {path.name: path.read_bytes() for path in paths}


# The directory


def not_writable(tmp_path: Path) -> Path:
    """Return a directory in which this user cannot write: for root, one of the kernel's."""
    if os.geteuid() != 0:
        directory = tmp_path / "locked"
        directory.mkdir(mode=0o555)
        return directory
    if Path("/proc/self/fdinfo").is_dir():
        return Path("/proc")
    pytest.skip("root can write everywhere")


def test_the_directory_is_not_writable(tmp_path: Path) -> None:
    out = not_writable(tmp_path)
    for directory in (out, out / "new"):
        expect_sentence(sanproof("verify", "--out", str(directory)), 2, str(directory))
        expect_sentence(sanproof("generate", "--out", str(directory)), 2, str(directory))


# A run that is not ours


def test_two_runs_at_once_in_one_directory(finished: Path) -> None:
    with RunStore(finished):
        before = contents(finished)
        expect_sentence(sanproof(*verify(finished)), 2, "Another run", str(finished))
        assert contents(finished) == before
    assert sanproof(*verify(finished)).returncode == 0


# A full disk


FULL_DISK = """
import errno, os
def full(*_, **__): raise OSError(errno.{error}, os.strerror(errno.{error}))
"""


ERRORS = {"ENOSPC": 4, "EIO": 4, "EACCES": 2}
WRITERS = {
    "export --out x.txt": "os.fsync",
    "export --what certificates --out x": "os.mkdir",
    "report --out x": "os.mkdir",
    "conformance export --out .": "os.fsync",
}
"""Commands, and the function that fails."""


@pytest.mark.parametrize(
    ("line", "error"), [(line, error) for line in WRITERS for error in ERRORS], ids=str
)
def test_no_room_is_not_misuse(tmp_path: Path, line: str, error: str) -> None:
    """Nor is a damaged disk; but what may not be written is."""
    code, place = ERRORS[error], WRITERS[line]
    first = f"{FULL_DISK.format(error=error)}{place} = full\n"
    run = sanproof(*line.split(), cwd=tmp_path, first=first)
    expect_sentence(run, code, "cannot be written", os.strerror(getattr(errno, error)))
    assert ".sanproof-" not in run.stderr
    assert names(tmp_path) == set()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", ["explain e4", "explain Kd4=Q", "--help"])
def test_no_room_for_the_answer(arguments: str, tmp_path: Path) -> None:
    """Not even when Python ends and writes what it has kept back."""
    run = shell(f"unset PYTHONUNBUFFERED; sanproof {arguments} >/dev/full", tmp_path)
    expect_sentence(run, 4, "No space left on device")


@pytest.mark.parametrize("arguments", ["explain e4", "--help", "generate --out lists", "verify"])
def test_nobody_reads_the_answer(arguments: str, finished: Path) -> None:
    """As in ``sanproof ... | head -0``."""
    words = verify(finished) if arguments == "verify" else arguments.split()
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb", closefd=True) as output:
        run = subprocess.run(
            command(*words), cwd=finished, stdout=output, stderr=subprocess.PIPE, check=False
        )
    assert (run.stderr, run.returncode) == (b"", 4)
