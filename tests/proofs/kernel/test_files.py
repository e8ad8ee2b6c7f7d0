"""Files of any content are read whole, or refused with a sentence, in bounded memory."""

import gzip
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

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
from tests.campaigns.forging import xz_bomb

TEXT = "cube Na1\nscope geometry\n"
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "a.txt": bytes,
    "a.txt.xz": lzma.compress,
    "a.csv.gz": gzip.compress,
}
each_packer = pytest.mark.parametrize(("name", "pack"), PACKERS.items(), ids=PACKERS)
TOO_LARGE = "unpacks to more than any file of its size"
CUT = "is cut short, or something follows its end"


@pytest.fixture(autouse=True, scope="module")
def _dense() -> Iterator[None]:
    """Let files pack as well as they do, but in the test of that limit."""
    with mock.patch.object(files, "MOST_TIMES", MOST_BYTES):
        yield


def assert_refused(name: str, content: bytes, said: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        text_of(name, content)
    assert str(caught.value) == f"{name}: {said}"


def test_names_and_limits_are_those_that_are_published_and_measured() -> None:
    assert STRINGS == "san_strings_with_symbols.txt"
    assert (GAMES, CERTIFICATES) == ("games.txt.xz", "certificates.txt.xz")
    assert (MOST_BYTES, MOST_LINES, LONGEST_LINE) == (64 << 20, 2 << 20, 64 << 10)
    assert MOST_TIMES == 126


def test_a_refusal_is_not_long() -> None:
    assert str(EvidenceError("a.txt: " + "x" * 10**6)) == "a.txt: " + "x" * 293
    assert_refused("a.txt", b"x" * 999 + b"\0", f"line 1 has a control character: '{'x' * 40}'")


# --- The text of a file ---


@given(st.sampled_from([*PACKERS]), st.text(st.characters(max_codepoint=300)))
@example("a.txt.xz", "x" * LONGEST_LINE)
@example("a.csv.gz", " ~\n\n")
@example("a.txt.xz", "\n" * MOST_LINES)
@example("a.txt", "e5 \u2028")
def test_plain_text_is_read_and_nothing_else(name: str, text: str) -> None:
    content = PACKERS[name](text.encode())
    if all(c == "\n" or " " <= c <= "~" for c in text):
        assert text_of(name, content) == text
        return
    with pytest.raises(EvidenceError) as caught:
        text_of(name, content)
    assert str(caught.value).isprintable()


REFUSED = {
    "has bytes that are not ASCII": "Nf3\xe9",
    "has more lines than any file of a run": "\n" * (MOST_LINES + 1),
    "line 2 is longer than any of a run": "e4\n" + "x" * (LONGEST_LINE + 1),
    **{
        f"line 2 has a control character: {f'e5 {control}'!a}": f"e4\ne5 {control}\nNf3\n"
        for control in ("\0", "\r", "\t", "\v", "\f", "\x1b[2J", "\x1c", "\x7f")
    },
}


@each_packer
@pytest.mark.parametrize(("said", "text"), REFUSED.items(), ids=[*range(len(REFUSED))])
def test_the_line_is_named(name: str, pack: Callable[[bytes], bytes], said: str, text: str) -> None:
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


@pytest.mark.parametrize("more", [0, 1, 1 << 40])
def test_a_file_larger_than_any_is_refused(tmp_path: Path, more: int) -> None:
    """It takes no room on the disk, and may be more than any memory."""
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(MOST_BYTES + more)
    if more:
        with pytest.raises(EvidenceError, match=r"^a.txt: is larger than any file of a run$"):
            read_bytes(tmp_path / "a.txt")
    else:
        assert len(read_bytes(tmp_path / "a.txt")) == MOST_BYTES


def test_no_more_is_read_of_a_file_that_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was small when it was opened."""
    (tmp_path / "small").write_bytes(b"")
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(MOST_BYTES + 10)
    small = os.stat(tmp_path / "small")  # noqa: PTH116 - what fstat gives
    monkeypatch.setattr(os, "fstat", lambda _: small)
    assert len(read_bytes(tmp_path / "a.txt")) == MOST_BYTES


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


@pytest.mark.parametrize("name", ["a.txt.xz", "a.csv.gz"])
def test_a_packed_file_is_whole_and_nothing_follows(name: str) -> None:
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


@pytest.mark.parametrize("name", ["a.txt", "a.txt.xz.txt", "xz", "gz"])
def test_only_what_its_name_calls_packed_is_unpacked(name: str) -> None:
    assert text_of(name, TEXT.encode()) == TEXT
    assert_refused(name, lzma.compress(TEXT.encode()), "has bytes that are not ASCII")


@pytest.mark.parametrize(("name", "pack"), [("a.xz", lzma.compress), ("a.gz", gzip.compress)])
def test_a_small_file_unpacks_to_little(
    name: str, pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is in it takes time to check; what a small file may ask for is little."""
    monkeypatch.setattr(files, "MOST_TIMES", MOST_TIMES)
    noise = Random(7).randbytes(30_000).hex().encode()
    sound = pack(noise + b"x" * 600_000)
    assert len(unpacked(name, sound)) == 660_000
    with pytest.raises(EvidenceError, match=f"^{name}: {TOO_LARGE}$"):
        unpacked(name, pack(noise + b"x" * 2 * MOST_TIMES * len(sound)))
    assert len(unpacked(name, pack(b"x" * LONGEST_LINE))) == LONGEST_LINE
    with pytest.raises(EvidenceError, match=f"^{name}: {TOO_LARGE}$"):
        unpacked(name, pack(b"x" * (LONGEST_LINE + 1)))


@pytest.mark.slow
def test_as_much_as_a_file_may_have_is_unpacked_and_no_byte_more() -> None:
    assert_refused(
        "a.txt.xz", lzma.compress(bytes(MOST_BYTES)), "line 1 is longer than any of a run"
    )
    assert_refused("a.txt.xz", lzma.compress(bytes(MOST_BYTES + 1)), TOO_LARGE)
    bomb = xz_bomb(bytes(1), 10 << 10)  # of 10 GiB
    assert len(bomb) < 1 << 21
    assert_refused("a.txt.xz", bomb, TOO_LARGE)


def test_a_dictionary_that_needs_much_memory_is_refused() -> None:
    for times, allowed in ((3, True), (4, False)):
        filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": times * MOST_BYTES}]
        packed = lzma.compress(TEXT.encode(), filters=filters)
        if allowed:
            assert text_of("a.txt.xz", packed) == TEXT
        else:
            said = "cannot be unpacked: Memory usage limit exceeded"
            assert_refused("a.txt.xz", packed, said)
    largest = lzma.compress(TEXT.encode(), preset=9 | lzma.PRESET_EXTREME)
    assert text_of("a.txt.xz", largest) == TEXT


def test_what_repeats_itself_from_afar_is_unpacked() -> None:
    """Half of 32 KiB back, and more: the window of gzip."""
    part = "".join(Random(3).choices("abcdefgh12345678", k=30_000)) + "\n"
    for name in ("a.txt.xz", "a.csv.gz"):
        packed = PACKERS[name]((part * 2).encode())
        assert len(packed) < len(part)
        assert text_of(name, packed) == part * 2
