"""The kernel's program: files of any content, what it prints, and its exit codes."""

import gzip
import hashlib
import lzma
import os
import re
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import Random
from typing import ClassVar
from unittest import mock

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sanproof.proofs.kernel import __main__ as program
from sanproof.proofs.kernel import files
from sanproof.proofs.kernel.files import (
    CERTIFICATES,
    GAMES,
    LONGEST_LINE,
    MOST_BYTES,
    MOST_LINES,
    MOST_TIMES,
    STRINGS,
    EvidenceError,
    read_bytes,
    text_of,
    unpacked,
)
from sanproof.proofs.kernel.workers import begin
from sanproof.verify.work.executors import Inline
from tests.campaigns.forging import run
from tests.proofs.kernel.evidence import DATA, establish, lay_down, only, part
from tests.verify.command import ROOT, children, is_alive, wait_until

TEXT = "cube Na1\nscope geometry\n"
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "a.txt": bytes,
    "a.txt.xz": lzma.compress,
    "a.csv.gz": gzip.compress,
}
TOO_LARGE = "unpacks to more than any file of its size"
CUT = "is cut short, or something follows its end"
NO_ASCII = "has bytes that are not ASCII"


def test_names_and_limits_are_those_that_are_published_and_measured() -> None:
    assert STRINGS == "san_strings_with_symbols.txt"
    assert (GAMES, CERTIFICATES) == ("games.txt.xz", "certificates.txt.xz")
    assert (MOST_BYTES, MOST_LINES, LONGEST_LINE) == (64 << 20, 2 << 20, 64 << 10)
    assert MOST_TIMES == 126
    assert str(EvidenceError("a.txt: " + "x" * 10**6)) == "a.txt: " + "x" * 293


# --- The text of a file ---


@given(st.sampled_from([*PACKERS]), st.text(st.characters(max_codepoint=300)))
@example("a.txt.xz", "x" * LONGEST_LINE)
@example("a.csv.gz", " ~\n\n")
@example("a.txt.xz", "\n" * MOST_LINES)
@example("a.txt", "e5 \u2028")
def test_plain_text_is_read_and_nothing_else(name: str, text: str) -> None:
    content = PACKERS[name](text.encode())
    with mock.patch.object(files, "MOST_TIMES", MOST_BYTES):
        if all(c == "\n" or " " <= c <= "~" for c in text):
            assert text_of(name, content) == text
            return
        with pytest.raises(EvidenceError) as caught:
            text_of(name, content)
    assert str(caught.value).isprintable()


REFUSED = {
    NO_ASCII: "Nf3\xe9",
    "has more lines than any file of a run": "\n" * (MOST_LINES + 1),
    "line 2 is longer than any of a run": "e4\n" + "x" * (LONGEST_LINE + 1),
    f"line 1 has a control character: '{'x' * 40}'": "x" * 999 + "\0",
    **{
        f"line 2 has a control character: {f'e5 {control}'!a}": f"e4\ne5 {control}\nNf3\n"
        for control in ("\0", "\r", "\t", "\v", "\f", "\x1b[2J", "\x1c", "\x7f")
    },
}


@pytest.mark.parametrize(("said", "text"), REFUSED.items(), ids=[*range(len(REFUSED))])
def test_the_line_is_named(said: str, text: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        text_of("a.txt", text.encode())
    assert str(caught.value) == f"a.txt: {said}"


# --- Files on the disk ---


def test_a_file_is_read_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be linked twice and stand in a linked folder, and grow while it is read."""
    content = bytes(range(256)) * 3
    (tmp_path / "real").mkdir()
    path = tmp_path / "real" / "a.txt"
    path.write_bytes(content)
    (tmp_path / "real" / "b.txt").hardlink_to(path)
    (tmp_path / "link").symlink_to("real")
    assert read_bytes(tmp_path / "link" / "b.txt") == content
    small = path.stat()
    os.truncate(path, MOST_BYTES)
    assert len(read_bytes(path)) == MOST_BYTES
    os.truncate(path, 1 << 40)  # it takes no room on the disk, and may be more than any memory
    monkeypatch.setattr(os, "fstat", lambda _: small)
    assert len(read_bytes(path)) == MOST_BYTES


def too_large(path: Path) -> None:
    path.touch()
    os.truncate(path, MOST_BYTES + 1)


INSTEAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing": (lambda _: None, "cannot be read: No such file or directory"),
    "a directory": (Path.mkdir, "cannot be read: Is a directory"),
    "a pipe": (os.mkfifo, "is not a regular file"),
    "a link": (lambda path: path.symlink_to(__file__), "cannot be read: is a symbolic link"),
    "a dangling link": (lambda path: path.symlink_to("x"), "cannot be read: is a symbolic link"),
    "a link to itself": (lambda path: path.symlink_to(path), "cannot be read: is a symbolic link"),
    "a large file": (too_large, "is larger than any file of a run"),
}


@pytest.mark.parametrize(("make", "said"), INSTEAD.values(), ids=INSTEAD)
def test_what_is_no_file_is_refused(
    tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    make(tmp_path / "a.txt")
    with pytest.raises(EvidenceError, match=rf"^a.txt: {said}$"):
        read_bytes(tmp_path / "a.txt")


def test_a_device_and_a_name_that_no_file_can_have_are_not_read() -> None:
    with pytest.raises(EvidenceError, match=r"^zero: is not a regular file$"):
        read_bytes(Path("/dev/zero"))
    with pytest.raises(EvidenceError, match=r"cannot be read: embedded null byte$"):
        read_bytes(Path("a\0b"))


# --- Packed ---


def with_dictionary(size: int) -> bytes:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": size}]
    return lzma.compress(TEXT.encode(), filters=filters)


NOISE = Random(7).randbytes(30_000).hex() + "\n"


def wrong_ones() -> list[tuple[str, bytes, str]]:
    wrong = [
        *((name, TEXT.encode(), "cannot be unpacked: .+") for name in ("a.txt.xz", "a.csv.gz")),
        ("a.xz", lzma.compress(TEXT.encode(), format=lzma.FORMAT_ALONE), "cannot be unpacked: .+"),
        ("a.xz", gzip.compress(TEXT.encode()), "cannot be unpacked: .+"),
        ("a.gz", lzma.compress(TEXT.encode()), "cannot be unpacked: .+"),
        ("a.gz", zlib.compress(TEXT.encode()), "cannot be unpacked: .+"),
        ("a.xz", with_dictionary(4 * MOST_BYTES), ".+: Memory usage limit exceeded"),
        ("a.txt", lzma.compress(TEXT.encode()), NO_ASCII),
    ]
    for name in ("a.txt.xz", "a.csv.gz"):
        whole = PACKERS[name]((NOISE + TEXT).encode())
        wrong += [(name, c, CUT) for c in (whole[:-1], whole[:-8], whole + b"\n", whole * 2)]
        dense = NOISE.encode() + b"x" * 2 * MOST_TIMES * len(whole)
        wrong += [(name, PACKERS[name](c), TOO_LARGE) for c in (dense, bytes(LONGEST_LINE + 1))]
    return wrong


def test_a_packed_file_is_read_if_its_name_says_so_and_it_is_whole() -> None:
    """What a small file may ask for is little: whatever is in it takes time to check."""
    sound = [
        *((name, TEXT.encode(), TEXT) for name in ("a.txt", "a.txt.xz.txt", "xz", "gz")),
        ("a.txt.xz", with_dictionary(3 * MOST_BYTES), TEXT),
        ("a.txt.xz", lzma.compress(TEXT.encode(), preset=9 | lzma.PRESET_EXTREME), TEXT),
        *((name, pack((NOISE * 2).encode()), NOISE * 2) for name, pack in PACKERS.items()),
        *((name, pack(b"x" * LONGEST_LINE), "x" * LONGEST_LINE) for name, pack in PACKERS.items()),
    ]
    for name, content, text in sound:
        assert text_of(name, content) == text
    for name, content, said in wrong_ones():
        with pytest.raises(EvidenceError, match=f"^{name}: {said}$"):
            text_of(name, content)


def test_as_much_as_a_file_may_have_is_unpacked_and_no_byte_more() -> None:
    with mock.patch.multiple(files, MOST_TIMES=MOST_BYTES, MOST_BYTES=100_000):
        assert len(unpacked("a.gz", gzip.compress(bytes(100_000)))) == 100_000
        with pytest.raises(EvidenceError, match=TOO_LARGE):
            unpacked("a.gz", gzip.compress(bytes(100_001)))


# --- The program, in this process ---

FILES = (STRINGS, GAMES, CERTIFICATES)
Lay = Callable[[Path], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write the three files of a part's evidence."""
    lay_down(part().files, tmp_path)
    return tmp_path


def hashes(folder: Path, names: Sequence[str] = FILES) -> list[str]:
    """Return the version of python-chess, and what ``sha256sum`` prints of the three files."""
    sums = [f"{hashlib.sha256((folder / n).read_bytes()).hexdigest()}  {n}" for n in names]
    return [f"python-chess {chess.__version__}", *sums]


def other(name: str, change: Callable[[bytes], bytes]) -> Lay:
    """Return what changes a file of a folder."""
    return lambda folder: (folder / name).write_bytes(change((folder / name).read_bytes()))


LONG = lzma.compress(b"e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7 7 Qxf7#\n" * 10_000)
"""A small file must not ask for much work."""
NOT_PROVED: list[tuple[Lay | type[BaseException], int, int, str]] = [
    (lambda folder: (folder / STRINGS).unlink(), 1, 0, f"{STRINGS}: cannot be read: No such file"),
    (lambda folder: (folder / GAMES).unlink(), 1, 1, f"{GAMES}: cannot be read: No such file"),
    (other(STRINGS, lambda _: b"\xff"), 1, 1, f"{STRINGS}: {NO_ASCII}.\n"),
    (other(GAMES, lambda _: LONG), 1, 2, f"{GAMES}: {TOO_LARGE}.\n"),
    (other(CERTIFICATES, lambda text: text[:-1]), 1, 3, f"{CERTIFICATES}: {CUT}.\n"),
    (other(STRINGS, lambda text: text + b"\nZ9"), 1, 3, f"{STRINGS}: differs from the strings"),
]
ENDINGS: list[tuple[Lay | type[BaseException], int, int, str]] = [
    (lambda _: None, 0, 3, ""),
    *((change, code, read, f"Not proved: {said}") for change, code, read, said in NOT_PROVED),
    (KeyboardInterrupt, 130, 3, "Interrupted.\n"),
    *(
        (error, 4, 3, f"Could not finish ({error.__name__}: why).\n")
        for error in (MemoryError, OSError, BrokenProcessPool)
    ),
]
"""What is changed or happens, the exit code, how many files are read, and what is said."""


class Recording(Inline):
    """Works in this process, and notes what is asked of a pool of processes."""

    asked: ClassVar[list[object]] = []

    def __init__(self, workers: int, context: object, first: object) -> None:
        self.asked[:] = [workers, getattr(context, "_name", None), first]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.asked.extend((wait, cancel_futures))


@pytest.mark.parametrize(("change", "code", "read", "said"), ENDINGS)
def test_the_theorem_is_said_or_what_stopped_it(
    folder: Path,
    change: Lay | type[BaseException],
    code: int,
    read: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Workers start from scratch, and leave Ctrl-C to the process that started them."""
    Recording.asked.clear()
    monkeypatch.setattr(program, "ProcessPoolExecutor", Recording)
    if isinstance(change, type):
        monkeypatch.setattr(program, "establish", mock.Mock(side_effect=change("why")))
    else:
        change(folder)
    with only():
        assert program.main([str(folder)]) == code
        sentence = [] if code else [establish(part()).sentence()]
    told = capsys.readouterr()
    assert told.out == "\n".join([*hashes(folder, FILES[:read]), *sentence, ""])
    assert told.err.startswith(f"sanproof kernel: {said}" if said else "")
    assert told.err.count("\n") == (code > 0)
    assert Recording.asked == [os.cpu_count(), "spawn", begin, True, True] or code == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        *(([], 2, "Name one"), ([".", "."], 2, "Name one")),
        *((["no/such"], 2, "no/such"), ([__file__], 2, __file__)),
        (["--help"], 0, "python -I -m sanproof.proofs.kernel DIR"),
        (["-h"], 0, "python -I -m sanproof.proofs.kernel DIR"),
    ],
)
def test_misuse_and_help(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert program.main(arguments) == code
    told = capsys.readouterr()
    assert said in (told.err if code else told.out)
    assert not (told.out if code else told.err)


# --- As a process ---


def in_a_shell(command: str, folder: Path, directory: Path = ROOT) -> tuple[int, str]:
    """Run a command in a shell: Python is its first argument, the folder its second.

    What Python prints is buffered, as for most users.

    Returns:
        The exit code, and what is said to standard error.
    """
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    words = ["bash", "-c", f"set -o pipefail; {command}", sys.executable, str(folder)]
    done = subprocess.run(
        words, capture_output=True, text=True, cwd=directory, env=buffered, check=False
    )
    return done.returncode, done.stderr


def test_it_works_in_processes_of_its_own(folder: Path) -> None:
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    with only():
        assert done.stdout == "\n".join([*hashes(folder), establish(part()).sentence(), ""])


def test_it_ends_with_its_exit_code() -> None:
    """Isolated, in another directory, by its name alone; as users call it."""
    start = "import runpy, sys; sys.path.insert(0, sys.argv.pop()); "
    start += "runpy.run_module('sanproof.proofs.kernel', None, '__main__')"
    said = "sanproof kernel: Name one folder: python -I -m sanproof.proofs.kernel DIR\n"
    assert in_a_shell(f'"$0" -I -c "{start}" "$1"', ROOT, Path("/")) == (2, said)


STREAMS = [
    (">&-", "$1", 4, "standard output is closed"),
    (">/dev/full", "$1", 4, "No space left on device"),
    ("| true", "$1", 4, "Broken pipe"),
    *((">&- 2>&-", "$1", 4, ""), ("2>&-", "$1", 1, ""), ("2>/dev/full", "nowhere", 2, "")),
]


@pytest.mark.parametrize(("stream", "argument", "code", "said"), STREAMS)
def test_what_nobody_can_read_or_hears(
    folder: Path, stream: str, argument: str, code: int, said: str
) -> None:
    if stream != "| true":
        (folder / STRINGS).unlink()  # it says the version, and starts no workers, who would notice
    ended, told = in_a_shell(f'"$0" -m sanproof.proofs.kernel "{argument}" {stream}', folder)
    assert ended == code
    expected = rf"sanproof kernel: Could not finish \(.*{said}.*\)\.\n" if said else ""
    assert re.fullmatch(expected, told)


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
