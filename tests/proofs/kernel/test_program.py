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
from tests.campaigns.forging import run, xz_bomb
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


@pytest.fixture
def _dense(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files pack as well as they do, but in the test of that limit."""
    monkeypatch.setattr(files, "MOST_TIMES", MOST_BYTES)


dense = pytest.mark.usefixtures("_dense")


def assert_refused(name: str, content: bytes, said: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        text_of(name, content)
    assert str(caught.value) == f"{name}: {said}"


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


@dense
@pytest.mark.parametrize(("said", "text"), REFUSED.items(), ids=[*range(len(REFUSED))])
def test_the_line_is_named(said: str, text: str) -> None:
    for name, pack in PACKERS.items():
        assert_refused(name, pack(text.encode()), said)


# --- Files on the disk ---


def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    """It may be linked twice and stand in a linked folder."""
    content = bytes(range(256)) * 3
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_bytes(content)
    (tmp_path / "real" / "b.txt").hardlink_to(tmp_path / "real" / "a.txt")
    (tmp_path / "link").symlink_to("real")
    assert read_bytes(tmp_path / "link" / "b.txt") == content


def test_a_file_larger_than_any_is_refused_and_no_more_is_read_of_one_that_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes no room on the disk, and may be more than any memory."""
    path = tmp_path / "a.txt"
    path.touch()
    small = path.stat()
    for more in (0, 1, 1 << 40):
        os.truncate(path, MOST_BYTES + more)
        if not more:
            assert len(read_bytes(path)) == MOST_BYTES
            continue
        with pytest.raises(EvidenceError, match=r"^a.txt: is larger than any file of a run$"):
            read_bytes(path)
    monkeypatch.setattr(os, "fstat", lambda _: small)  # what it was when it was opened
    assert len(read_bytes(path)) == MOST_BYTES


INSTEAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing": (lambda _: None, "cannot be read: No such file or directory"),
    "a directory": (Path.mkdir, "cannot be read: Is a directory"),
    "a pipe": (os.mkfifo, "is not a regular file"),
    "a link": (lambda path: path.symlink_to(__file__), "cannot be read: is a symbolic link"),
    "a dangling link": (lambda path: path.symlink_to("x"), "cannot be read: is a symbolic link"),
    "a link to itself": (lambda path: path.symlink_to(path), "cannot be read: is a symbolic link"),
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


@dense
def test_a_packed_file_is_whole_and_nothing_follows() -> None:
    for name in ("a.txt.xz", "a.csv.gz"):
        sound = PACKERS[name](TEXT.encode())
        for damaged in (sound[:-1], sound[:-8], sound + b"\n", sound + sound):
            assert_refused(name, damaged, CUT)
        assert_refused(name, PACKERS[name](bytes(MOST_BYTES + 1)), TOO_LARGE)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt.xz", TEXT.encode()),
        ("a.csv.gz", TEXT.encode()),
        ("a.txt.xz", lzma.compress(TEXT.encode(), format=lzma.FORMAT_ALONE)),
        ("a.txt.xz", gzip.compress(TEXT.encode())),
        ("a.txt.gz", lzma.compress(TEXT.encode())),
        ("a.txt.gz", zlib.compress(TEXT.encode())),
    ],
)
def test_another_form_is_refused(name: str, content: bytes) -> None:
    with pytest.raises(EvidenceError, match=rf"^{name}: cannot be unpacked: .+$"):
        text_of(name, content)


def test_only_what_its_name_calls_packed_is_unpacked() -> None:
    for name in ("a.txt", "a.txt.xz.txt", "xz", "gz"):
        assert text_of(name, TEXT.encode()) == TEXT
        assert_refused(name, lzma.compress(TEXT.encode()), NO_ASCII)


@pytest.mark.parametrize(("name", "pack"), [("a.xz", lzma.compress), ("a.gz", gzip.compress)])
def test_a_small_file_unpacks_to_little(name: str, pack: Callable[[bytes], bytes]) -> None:
    """Whatever is in it takes time to check; what a small file may ask for is little."""
    noise = Random(7).randbytes(30_000).hex().encode()
    sound = pack(noise + b"x" * 600_000)
    for packed, length in (
        (sound, 660_000),
        (pack(noise + b"x" * 2 * MOST_TIMES * len(sound)), None),
        (pack(b"x" * LONGEST_LINE), LONGEST_LINE),
        (pack(b"x" * (LONGEST_LINE + 1)), None),
    ):
        if length:
            assert len(unpacked(name, packed)) == length
            continue
        with pytest.raises(EvidenceError, match=f"^{name}: {TOO_LARGE}$"):
            unpacked(name, packed)


@dense
@pytest.mark.slow
def test_as_much_as_a_file_may_have_is_unpacked_and_no_byte_more() -> None:
    long = "line 1 is longer than any of a run"
    assert_refused("a.txt.xz", lzma.compress(bytes(MOST_BYTES)), long)
    assert_refused("a.txt.xz", lzma.compress(bytes(MOST_BYTES + 1)), TOO_LARGE)
    bomb = xz_bomb(10 << 10)  # of 10 GiB
    assert len(bomb) < 1 << 21
    assert_refused("a.txt.xz", bomb, TOO_LARGE)


def test_a_dictionary_that_needs_much_memory_is_refused() -> None:
    for times in (3, 4):
        filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": times * MOST_BYTES}]
        packed = lzma.compress(TEXT.encode(), filters=filters)
        if times == 3:
            assert text_of("a.txt.xz", packed) == TEXT
        else:
            assert_refused("a.txt.xz", packed, "cannot be unpacked: Memory usage limit exceeded")
    largest = lzma.compress(TEXT.encode(), preset=9 | lzma.PRESET_EXTREME)
    assert text_of("a.txt.xz", largest) == TEXT


def test_what_repeats_itself_from_afar_is_unpacked() -> None:
    """Half of 32 KiB back, and more: the window of gzip."""
    half = "".join(Random(3).choices("abcdefgh12345678", k=30_000)) + "\n"
    for name in ("a.txt.xz", "a.csv.gz"):
        packed = PACKERS[name]((half * 2).encode())
        assert len(packed) < len(half)
        assert text_of(name, packed) == half * 2


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
Z9 = f"Not proved: {STRINGS}: differs from the strings that the games show in 'Z9'."
NOT_PROVED: list[tuple[Lay, int, str]] = [
    (lambda folder: (folder / STRINGS).unlink(), 0, f"{STRINGS}: cannot be read: No such file"),
    (lambda folder: (folder / GAMES).unlink(), 1, f"{GAMES}: cannot be read: No such file"),
    (other(STRINGS, lambda _: b"\xff"), 1, f"{STRINGS}: {NO_ASCII}.\n"),
    (other(GAMES, lambda _: LONG), 2, f"{GAMES}: {TOO_LARGE}.\n"),
    (other(GAMES, lambda text: text * 2), 2, f"{GAMES}: {CUT}.\n"),
    (other(CERTIFICATES, lambda text: text[:-1]), 3, f"{CERTIFICATES}: {CUT}.\n"),
]


@pytest.mark.parametrize(("change", "read", "said"), NOT_PROVED)
def test_a_file_that_cannot_be_read_is_named(
    folder: Path, change: Lay, read: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(folder)
    assert program.main([str(folder)]) == 1
    told = capsys.readouterr()
    assert told.out.splitlines() == hashes(folder, FILES[:read])
    assert told.err.startswith(f"sanproof kernel: Not proved: {said}")


class Recording(Inline):
    """Works in this process, and notes what is asked of a pool of processes."""

    asked: ClassVar[list[object]] = []

    def __init__(self, workers: int, context: object, first: object) -> None:
        self.asked[:] = [workers, getattr(context, "_name", None), first]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.asked.extend((wait, cancel_futures))


ENDINGS: list[tuple[type[BaseException] | None, int, str]] = [
    (None, 0, ""),
    (None, 1, Z9),
    (KeyboardInterrupt, 130, "Interrupted."),
    *((e, 4, f"Could not finish ({e.__name__}: why).") for e in (MemoryError, OSError)),
    (BrokenProcessPool, 4, "Could not finish (BrokenProcessPool: why)."),
]


@pytest.mark.parametrize(("error", "code", "said"), ENDINGS)
def test_the_theorem_is_said_or_what_stopped_it(
    folder: Path,
    error: type[BaseException] | None,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Workers start from scratch, and leave Ctrl-C to the process that started them."""

    def stop(*_: object) -> None:
        assert error
        raise error("why")

    monkeypatch.setattr(program, "ProcessPoolExecutor", Recording)
    if error:
        monkeypatch.setattr(program, "establish", stop)
    if said == Z9:
        other(STRINGS, lambda text: text + b"\nZ9")(folder)
    with only():
        assert program.main([str(folder)]) == code
        sentence = [] if code else [establish(part()).sentence()]
    told = capsys.readouterr()
    assert told.out == "\n".join([*hashes(folder), *sentence, ""])
    assert told.err == (f"sanproof kernel: {said}\n" if said else "")
    assert Recording.asked == [os.cpu_count(), "spawn", begin, True, True]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        *(([], 2, "Name one"), ([".", "."], 2, "Name one")),
        *((["no/such"], 2, "no/such"), ([__file__], 2, __file__)),
        (["--help"], 0, "python -I -m sanproof.proofs.kernel DIR"),
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
    done = in_a_shell(f'"$0" -I -c "{start}" "$1"', ROOT, Path("/"))
    said = "sanproof kernel: Name one folder: python -I -m sanproof.proofs.kernel DIR\n"
    assert (done.returncode, done.stderr) == (2, said)


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
def test_complaints_that_nobody_hears(folder: Path, stream: str) -> None:
    (folder / STRINGS).unlink()
    for argument, code in (("nowhere", 2), ("$1", 4 if ">&- 2" in stream else 1)):
        done = in_a_shell(f'"$0" -m sanproof.proofs.kernel "{argument}" {stream}', folder)
        assert (done.returncode, done.stderr) == (code, "")


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
