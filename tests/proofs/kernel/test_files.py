"""Files of any content are read whole, or refused with a sentence, in bounded memory."""

import gzip
import lzma
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from proofs.kernel.files import (
    LONGEST_LINE,
    MOST_BYTES,
    MOST_LINES,
    EvidenceError,
    read_file,
    text_of,
)

TEXT = "cube Na1\nscope geometry\n"
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "a.txt": lambda text: text,
    "a.txt.xz": lzma.compress,
    "a.csv.gz": gzip.compress,
}
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "the last byte cut off": lambda content: content[:-1],
    "all cut off but the text": lambda content: content[:-8],
    "a byte appended": lambda content: content + b"\n",
    "itself appended": lambda content: content + content,
}
each_packer = pytest.mark.parametrize(("name", "pack"), PACKERS.items(), ids=PACKERS)


def assert_refused(name: str, content: bytes, said: str) -> None:
    with pytest.raises(EvidenceError, match=f"^{name}: {said}"):
        text_of(name, content)


@each_packer
@pytest.mark.parametrize("text", ["", "\n", TEXT, "x" * LONGEST_LINE, "\n" * MOST_LINES])
def test_a_text_is_read_as_it_was_written(
    name: str, pack: Callable[[bytes], bytes], text: str
) -> None:
    assert text_of(name, pack(text.encode())) == text


@each_packer
@pytest.mark.parametrize("control", ["\0", "\r", "\t", "\x1b[2J", "\x7f"])
def test_a_control_character_is_refused(
    name: str, pack: Callable[[bytes], bytes], control: str
) -> None:
    content = pack(f"e4\ne5 {control}\nNf3\n".encode())
    where = f"line 2 has a control character: {f'e5 {control}'!a}"
    assert_refused(name, content, re.escape(where))


@each_packer
def test_what_is_not_ascii_is_refused(name: str, pack: Callable[[bytes], bytes]) -> None:
    assert_refused(name, pack(b"Nf3\xe9"), "byte 4 is not ASCII")


@each_packer
@pytest.mark.parametrize("text", ["\n" * (MOST_LINES + 1), "x" * (LONGEST_LINE + 1)])
def test_too_many_lines_or_longer_ones_are_refused(
    name: str, pack: Callable[[bytes], bytes], text: str
) -> None:
    assert_refused(name, pack(text.encode()), "has more lines, or longer ones")


@pytest.mark.parametrize("name", ["a.txt.xz", "a.csv.gz"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_packed_file_is_whole_and_nothing_follows(
    name: str, damage: Callable[[bytes], bytes]
) -> None:
    content = damage(PACKERS[name](TEXT.encode()))
    assert_refused(name, content, "is cut short, or something follows its end")


@pytest.mark.parametrize("name", ["a.txt.xz", "a.csv.gz"])
def test_what_is_not_packed_is_refused(name: str) -> None:
    assert_refused(name, TEXT.encode(), "cannot be unpacked")


@pytest.mark.parametrize("name", ["a.txt.xz", "a.csv.gz"])
def test_what_unpacks_to_more_than_a_file_may_have_is_refused(name: str) -> None:
    packed = PACKERS[name](bytes(MOST_BYTES + 1))
    assert_refused(name, packed, "unpacks to more than any file of a run")


def test_a_dictionary_that_needs_much_memory_is_refused() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 4 * MOST_BYTES}]
    packed = lzma.compress(TEXT.encode(), filters=filters)
    assert lzma.decompress(packed) == TEXT.encode()
    assert_refused("a.txt.xz", packed, "cannot be unpacked: Memory usage limit exceeded")


def test_a_file_may_be_packed_as_published(tmp_path: Path) -> None:
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress(TEXT.encode()))
    assert read_file(tmp_path, "a.txt") == TEXT.encode()
    (tmp_path / "a.txt").write_bytes(b"itself")
    assert read_file(tmp_path, "a.txt") == b"itself"


@pytest.mark.parametrize("size", [MOST_BYTES + 1, 1 << 40])
def test_a_file_larger_than_any_is_refused(tmp_path: Path, size: int) -> None:
    """It takes no room on the disk, and may be more than any memory."""
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(size)
    with pytest.raises(EvidenceError, match=r"^a.txt: is larger than any file of a run$"):
        read_file(tmp_path, "a.txt")


def test_a_file_as_large_as_it_may_be_is_read(tmp_path: Path) -> None:
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(MOST_BYTES)
    assert len(read_file(tmp_path, "a.txt")) == MOST_BYTES


INSTEAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing": (lambda _: None, "No such file or directory"),
    "a directory": (Path.mkdir, "it is not a file"),
    "a pipe": (os.mkfifo, "it is not a file"),
    "a link to itself": (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
}


@pytest.mark.parametrize(("make", "said"), INSTEAD.values(), ids=INSTEAD)
def test_what_is_no_file_is_refused(
    tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    make(tmp_path / "a.txt")
    with pytest.raises(EvidenceError, match=f"^a.txt: cannot be read: {said}$"):
        read_file(tmp_path, "a.txt")
