"""What a user can do wrong, and what the machine can refuse: one sentence, nothing lost."""

import errno
import os
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

from sanproof.verify.claims.selection import Selection
from sanproof.verify.errors import Failure
from sanproof.verify.run.runner import run
from sanproof.verify.run.store import RunStore
from sanproof.verify.work.provenance import CODE, TOOLS, provenance
from tests.verify.command import (
    command,
    expect_sentence,
    expect_usage,
    forge_row,
    names,
    outputs,
    sanproof,
    saved_units,
    shell,
    verify,
)

QUICK = "O-O"
"""A part that would be decided in a second, were it not for the misuse."""


def contents(directory: Path) -> dict[str, bytes]:
    """All files but the database: closing it in this process would give up our own lock on it."""
    paths = [path for path in directory.iterdir() if "sqlite3" not in path.name]
    return {path.name: path.read_bytes() for path in paths}


# The arguments


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("fly", "No such command 'fly'"),
        ("--fly", "No such option"),
        ("explain", "Missing argument"),
        ("explain -x", "No such option"),
        ("verify", "sanproof verify --out run"),
        ("verify --out run --workers 0", "0 is not in the range"),
        ("verify --out run --workers 99999", "99999 is not in the range"),
        ("verify --out run --workers 1.5", "'1.5' is not a valid integer"),
        ("conformance fly", "No such command 'fly'"),
    ],
)
def test_unknown_commands_and_missing_arguments(arguments: str, words: str) -> None:
    expect_usage(sanproof(*arguments.split()), words)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("", "No SAN string matches ''"),
        ("Q", "did you mean 'Q*'?"),
        ("\n[a-", r"'\n[a-' holds a character that is in no SAN string"),
        (os.fsdecode(b"Q\xff*"), r"'Q\udcff*' holds a character that is in no SAN string"),
        ("[" * 40_000, "at most 200 are allowed"),
    ],
    ids=ascii,
)
def test_a_pattern_that_matches_nothing(tmp_path: Path, pattern: str, words: str) -> None:
    out = tmp_path / "out"
    expect_sentence(sanproof(*verify(out, pattern)), 2, words)
    assert not out.exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e4\x1b[31m",
        "e4\u202e",
        "\uff454",
        "Qa1xb2=Q" * 9999,
        "[bold]e4%s",
        os.fsdecode(b"\xff"),
    ],
    ids=range(7),
)
def test_malformed_strings(text: str) -> None:
    run = sanproof("explain", "--", text)
    expect_sentence(run, 2, "is not a SAN string", "expected")
    assert (run.stdout, run.stderr.isascii()) == ("", True)
    assert run.stderr.rstrip("\n").isprintable()
    assert len(run.stderr) < 250


# The directory


@pytest.mark.parametrize(
    ("name", "words"),
    [("file", "file"), ("file/out", "Not a directory"), ("x" * 300, "File name too long")],
    ids=["a file", "in a file", "too long"],
)
def test_the_directory_cannot_be_made(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "file").write_text("precious")
    expect_sentence(sanproof("verify", "--out", name, cwd=tmp_path), 2, words)
    generated = sanproof("generate", "--out", name, cwd=tmp_path)
    if name == "file":
        expect_usage(generated, words)
    else:
        expect_sentence(generated, 2, words)
    assert (tmp_path / "file").read_text() == "precious"


def test_a_directory_without_a_name_is_not_the_one_we_are_in(tmp_path: Path) -> None:
    """As from an unset shell variable in ``--out "$DIR"``."""
    for words in (["verify", "--only", QUICK], ["generate"], ["report"]):
        expect_usage(sanproof(*words, "--out=", cwd=tmp_path), "the name is empty")
    assert list(tmp_path.iterdir()) == []


def not_writable(tmp_path: Path) -> Path:
    """A directory in which nobody here can write: for root, one of the kernel's."""
    if os.geteuid() != 0:
        directory = tmp_path / "locked"
        directory.mkdir(mode=0o555)
        return directory
    if Path("/proc/self/fdinfo").is_dir():
        return Path("/proc")
    pytest.skip("root can write everywhere")


def test_the_directory_is_not_writable(tmp_path: Path) -> None:
    out = not_writable(tmp_path)
    expect_sentence(sanproof("games", str(tmp_path)), 2, "holds no run", "sanproof verify")
    for directory in (out, out / "new"):
        expect_sentence(sanproof("verify", "--out", str(directory)), 2, str(directory))
        expect_sentence(sanproof("generate", "--out", str(directory)), 2, str(directory))


@pytest.mark.parametrize("name", ["run.sqlite3", "run.log", "san_strings.txt"])
def test_a_directory_stands_in_the_place_of_a_file(tmp_path: Path, name: str) -> None:
    if name != "run.sqlite3":
        with RunStore(tmp_path):
            pass
    (tmp_path / name).mkdir()
    (tmp_path / name / "precious").touch()
    expect_sentence(sanproof(*verify(tmp_path, QUICK)), 2, str(tmp_path))
    assert (tmp_path / name / "precious").exists()
    assert names(tmp_path) <= {name, "run.log"}


# A run that is not ours


@pytest.mark.parametrize("name", [*TOOLS, CODE])
def test_the_run_of_another_version(finished: Path, name: str) -> None:
    origin = provenance(*TOOLS) | {name: "older"}
    forge_row(finished / "run.sqlite3", "origin", "", origin)
    before = contents(finished)
    expect_sentence(sanproof(*verify(finished)), 2, f"with other {name}: use another DIR")
    assert contents(finished) == before


def test_two_runs_at_once_in_one_directory(finished: Path) -> None:
    with RunStore(finished):
        before = contents(finished)
        expect_sentence(sanproof(*verify(finished)), 2, "Another run", str(finished))
        assert contents(finished) == before
    assert sanproof(*verify(finished)).returncode == 0


# A full disk


@pytest.mark.slow
def test_no_room_for_what_is_decided(tmp_path: Path, finished_run: Path) -> None:
    """The run's file may grow to 100 kB: enough to begin, not enough for the whole run."""
    limit = """
import resource, sanproof.verify.run.harness
honest = sanproof.verify.run.harness.Search.decide
def decide(*arguments):  # the workers have started, and have room for what they need
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    honest(*arguments)
sanproof.verify.run.harness.Search.decide = decide
"""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    run = sanproof(*verify(tmp_path), first=limit)
    expect_sentence(run, 4, "run.sqlite3 cannot be written", "make room and run the same command")
    assert names(tmp_path) == {"run.log"}
    kept = saved_units(tmp_path)
    assert sanproof(*verify(tmp_path, workers=2)).returncode == 0
    assert saved_units(tmp_path) > kept
    assert outputs(tmp_path) == outputs(finished_run)


@pytest.mark.parametrize("step", ["write", "replace"])
@pytest.mark.parametrize("which", [0, 3, -1])
@pytest.mark.usually(2)
def test_no_room_for_the_lists(
    finished: Path,
    finished_run: Path,
    part: Selection,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    which: int,
) -> None:
    """The disk is full at one of the files: those before it are whole, the others not there."""
    expected = outputs(finished_run)
    for name in expected:
        (finished / name).unlink()
    room_for = left = which % len(expected)

    def full(*_: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def replace(source: Path, target: Path) -> None:
        full()
        source.rename(target)

    with monkeypatch.context() as patch:
        if step == "write":
            patch.setattr("sanproof.reports.tables.files.os.fsync", full)
        else:
            patch.setattr(Path, "replace", replace)
        with pytest.raises(Failure, match=r"No space left on device.*make room") as caught:
            run(finished, part, 1)
    assert caught.value.exit_code == 4
    written = outputs(finished)
    assert len(written) == room_for
    assert written == {name: expected[name] for name in written}
    assert not run(finished, part, 1).again
    assert outputs(finished) == expected


FULL_DISK = """
import errno, os
def full(*_, **__): raise OSError(errno.{error}, os.strerror(errno.{error}))
"""


ERRORS = {"ENOSPC": 4, "EIO": 4, "EACCES": 2}
WRITERS = {
    "generate --out .": "os.fsync",
    "export --out x.txt": "os.fsync",
    "export --what certificates --out x": "os.mkdir",
    "report --out x": "os.mkdir",
    "conformance export --out .": "os.fsync",
}
"""Commands, and the function that fails."""


@pytest.mark.parametrize(
    ("line", "error"), [(line, error) for line in WRITERS for error in ERRORS], ids=str
)
@pytest.mark.usually(4)
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


def test_a_directory_with_any_name(finished_run: Path, tmp_path: Path) -> None:
    """Line breaks, spaces, bytes that are no text: all are names of directories."""
    for name in ("two\nlines", os.fsdecode(b"-x \xff %s{}")):
        directory = Path(shutil.copytree(finished_run, tmp_path / name))
        run = sanproof(*verify(directory))
        assert (run.returncode, run.stderr) == (0, "")
