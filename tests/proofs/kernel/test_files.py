"""Files of any content are read whole, or refused with a sentence, in bounded memory."""

import gzip
import lzma
import os
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from tests.campaigns.forging.hazards import gz, xz, xz_bomb

TEXT = "cube Na1\nscope geometry\n"
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "a.txt": lambda text: text,
    "a.txt.xz": xz,
    "a.csv.gz": gz,
}
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "the last byte cut off": lambda content: content[:-1],
    "all cut off but the text": lambda content: content[:-8],
    "a byte appended": lambda content: content + b"\n",
    "itself appended": lambda content: content + content,
}
each_packer = pytest.mark.parametrize(("name", "pack"), PACKERS.items(), ids=PACKERS)


def assert_refused(name: str, content: bytes, said: str) -> None:
    with pytest.raises(EvidenceError, match=rf"^{name}: {said}$"):
        text_of(name, content)


def test_the_files_have_the_names_that_are_published() -> None:
    assert STRINGS == "san_strings_with_symbols.txt"
    assert (GAMES, CERTIFICATES) == ("games.txt.xz", "certificates.txt.xz")


def test_the_limits_are_those_that_the_kernel_s_memory_was_measured_with() -> None:
    assert MOST_BYTES == 64 * 1024 * 1024
    assert MOST_LINES == 2 * 1024 * 1024
    assert LONGEST_LINE == 64 * 1024
    assert MOST_TIMES == 24


def test_a_refusal_is_not_long() -> None:
    assert str(EvidenceError("a.txt: " + "x" * 10**6)) == "a.txt: " + "x" * 293
    assert str(EvidenceError("a.txt: no")) == "a.txt: no"


# --- The text of a file ---


@each_packer
@pytest.mark.parametrize("text", ["", "\n", TEXT, "x" * LONGEST_LINE, " ~\n\n"])
def test_a_text_is_read_as_it_was_written(
    name: str, pack: Callable[[bytes], bytes], text: str
) -> None:
    assert text_of(name, pack(text.encode())) == text


@given(st.text(st.characters(max_codepoint=300)))
def test_plain_text_is_read_and_nothing_else(text: str) -> None:
    if all(c == "\n" or " " <= c <= "~" for c in text):
        assert text_of("a.txt", text.encode()) == text
        return
    with pytest.raises(EvidenceError) as caught:
        text_of("a.txt", text.encode())
    assert str(caught.value).isprintable()


@each_packer
@pytest.mark.parametrize("control", ["\0", "\r", "\t", "\v", "\f", "\x1b[2J", "\x1c", "\x7f"])
def test_a_control_character_is_refused(
    name: str, pack: Callable[[bytes], bytes], control: str
) -> None:
    content = pack(f"e4\ne5 {control}\nNf3\n".encode())
    where = f"line 2 has a control character: {f'e5 {control}'!a}"
    assert_refused(name, content, re.escape(where))


@each_packer
@pytest.mark.parametrize("what", ["\xe9", "\u0661", "\x85", "\u2028", "\ufeff"])
def test_what_is_not_ascii_is_refused(name: str, pack: Callable[[bytes], bytes], what: str) -> None:
    assert_refused(name, pack(f"Nf3{what}".encode()), "has bytes that are not ASCII")


@each_packer
def test_too_many_lines_are_refused(name: str, pack: Callable[[bytes], bytes]) -> None:
    assert text_of(name, pack(b"\n" * MOST_LINES)) == "\n" * MOST_LINES
    content = pack(b"\n" * (MOST_LINES + 1))
    assert_refused(name, content, "has more lines than any file of a run")


@pytest.mark.parametrize(("name", "pack"), [("a.xz", lzma.compress), ("a.gz", gzip.compress)])
def test_a_small_file_unpacks_to_little(name: str, pack: Callable[[bytes], bytes]) -> None:
    """Whatever is in it takes time to check; what a small file may ask for is little."""
    noise = Random(7).randbytes(30_000).hex().encode()
    sound = pack(noise + b"x" * 600_000)
    assert len(unpacked(name, sound)) == 660_000
    with pytest.raises(EvidenceError, match=f"^{name}: unpacks to more than any file of its size$"):
        unpacked(name, pack(noise + b"x" * MOST_TIMES * len(sound)))


@each_packer
def test_a_line_that_is_too_long_is_refused(name: str, pack: Callable[[bytes], bytes]) -> None:
    content = pack(b"e4\n" + b"x" * (LONGEST_LINE + 1))
    assert_refused(name, content, "line 2 is longer than any of a run")


def test_a_long_line_is_not_repeated_in_full() -> None:
    content = b"x" * 50_000 + b"\0"
    with pytest.raises(EvidenceError, match=r"control character: 'x{40}'$"):
        text_of("a.txt", content)


# --- Files on the disk ---


def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    content = bytes(range(256)) * 3
    (tmp_path / "a.txt").write_bytes(content)
    assert read_bytes(tmp_path / "a.txt") == content


def test_a_file_may_be_linked_twice_and_stand_in_a_linked_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_bytes(b"e4")
    (tmp_path / "real" / "b.txt").hardlink_to(tmp_path / "real" / "a.txt")
    (tmp_path / "link").symlink_to("real")
    assert read_bytes(tmp_path / "link" / "b.txt") == b"e4"


@pytest.mark.parametrize("size", [MOST_BYTES + 1, 1 << 40])
def test_a_file_larger_than_any_is_refused(tmp_path: Path, size: int) -> None:
    """It takes no room on the disk, and may be more than any memory."""
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(size)
    with pytest.raises(EvidenceError, match=r"^a.txt: is larger than any file of a run$"):
        read_bytes(tmp_path / "a.txt")


def test_a_file_as_large_as_it_may_be_is_read(tmp_path: Path) -> None:
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(MOST_BYTES)
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


def test_a_device_is_not_read() -> None:
    with pytest.raises(EvidenceError, match=r"^zero: is not a regular file$"):
        read_bytes(Path("/dev/zero"))


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(EvidenceError, match=r"cannot be read: embedded null byte$"):
        read_bytes(Path("a\0b"))


# --- Packed ---


@pytest.mark.parametrize("name", ["a.txt.xz", "a.csv.gz"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_packed_file_is_whole_and_nothing_follows(
    name: str, damage: Callable[[bytes], bytes]
) -> None:
    content = damage(PACKERS[name](TEXT.encode()))
    assert_refused(name, content, "is cut short, or something follows its end")


@pytest.mark.parametrize("name", ["a.txt.xz", "a.csv.gz"])
def test_what_is_not_packed_is_refused(name: str) -> None:
    assert_refused(name, TEXT.encode(), "cannot be unpacked: .+")


OTHER_FORMS = {
    "an old form of LZMA": ("a.txt.xz", lzma.compress(TEXT.encode(), format=lzma.FORMAT_ALONE)),
    "gzip for xz": ("a.txt.xz", gzip.compress(TEXT.encode())),
    "xz for gzip": ("a.txt.gz", lzma.compress(TEXT.encode())),
    "zlib for gzip": ("a.txt.gz", zlib.compress(TEXT.encode())),
}


@pytest.mark.parametrize(("name", "content"), OTHER_FORMS.values(), ids=OTHER_FORMS)
def test_another_form_is_refused(name: str, content: bytes) -> None:
    assert_refused(name, content, "cannot be unpacked: .+")


@pytest.mark.parametrize("name", ["a.txt", "a.txt.xz.txt", "xz", "gz"])
def test_only_what_its_name_calls_packed_is_unpacked(name: str) -> None:
    assert text_of(name, TEXT.encode()) == TEXT
    assert_refused(name, lzma.compress(TEXT.encode()), "has bytes that are not ASCII")


@pytest.mark.parametrize("name", ["a.txt.xz", "a.csv.gz"])
def test_what_unpacks_to_more_than_a_file_may_have_is_refused(name: str) -> None:
    packed = PACKERS[name](bytes(MOST_BYTES + 1))
    assert_refused(name, packed, "unpacks to more than any file of its size")


def test_as_much_as_a_file_may_have_is_unpacked() -> None:
    """And a byte more is not, however well or badly it is packed."""
    assert_refused("a.txt.xz", xz(bytes(MOST_BYTES)), "line 1 is longer than any of a run")
    assert_refused(
        "a.txt.xz", xz(bytes(MOST_BYTES + 1)), "unpacks to more than any file of its size"
    )


def test_what_would_unpack_to_10_gibibytes_is_refused() -> None:
    bomb = xz_bomb(bytes(1), 10 << 10)
    assert len(bomb) < 1 << 21
    assert_refused("a.txt.xz", bomb, "unpacks to more than any file of its size")


def test_a_dictionary_that_needs_much_memory_is_refused() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 4 * MOST_BYTES}]
    packed = lzma.compress(TEXT.encode(), filters=filters)
    assert lzma.decompress(packed) == TEXT.encode()
    assert_refused("a.txt.xz", packed, "cannot be unpacked: Memory usage limit exceeded")


def test_a_dictionary_that_needs_less_is_allowed() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 3 * MOST_BYTES}]
    assert text_of("a.txt.xz", lzma.compress(TEXT.encode(), filters=filters)) == TEXT


def test_what_repeats_itself_from_afar_is_unpacked() -> None:
    """Half of 32 KiB back, and more: the window of gzip."""
    part = "".join(Random(3).choices("abcdefgh12345678", k=30_000)) + "\n"
    for name in ("a.txt.xz", "a.csv.gz"):
        packed = PACKERS[name]((part * 2).encode())
        assert len(packed) < len(part)
        assert text_of(name, packed) == part * 2


def test_the_largest_dictionary_of_the_presets_is_allowed() -> None:
    packed = lzma.compress(TEXT.encode(), preset=9 | lzma.PRESET_EXTREME)
    assert text_of("a.txt.xz", packed) == TEXT
