"""Texts as they are found: UTF-16, and lines that end in CR alone."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from sanproof.verify.scan.encodings import HEAD_BYTES, translated
from sanproof.verify.scan.harness import tasks
from sanproof.verify.scan.sources import find_sources
from tests.verify.scan.pgn import random_games

TEXT = "".join(random_games(1, 3)) + "{Zürich}"
AS_WRITTEN = {
    "UTF-16": TEXT.encode("utf-16"),
    "UTF-16, big end first": b"\xfe\xff" + TEXT.encode("utf-16-be"),
    "UTF-16 without mark": TEXT.encode("utf-16-le"),
    "CR": TEXT.replace("\n", "\r").encode(),
    "UTF-16 and CR": TEXT.replace("\n", "\r").encode("utf-16"),
    "plain": TEXT.encode(),
}


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("how", AS_WRITTEN)
def test_a_text_is_read_however_it_is_written(
    tmp_path: Path, how: str, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(pack(AS_WRITTEN[how]))
    found = list(tasks(find_sources([str(path)]), chunk_bytes=500))
    assert b"".join(task.chunk.data for task in found).decode() == TEXT


def in_pieces(text: bytes, size: int) -> bytes:
    """Translate a text that comes in pieces of one size."""
    pieces = (text[begin : begin + size] for begin in range(0, len(text), size))
    return b"".join(translated(pieces))


def test_cr_and_lf_are_left_as_they_are() -> None:
    for text in (b"1. e4\r\n", b"1. e4\r\r\n1... e5\r", b"x" * 10 + b"\n\r", b""):
        assert in_pieces(text, 3) == text


@pytest.mark.parametrize("size", [7, 1000, 1 << 20])
def test_a_long_text_is_read_in_any_pieces(size: int) -> None:
    text = "é\r" * HEAD_BYTES
    for encoding in ("utf-8", "utf-16"):
        assert in_pieces(text.encode(encoding), size) == text.replace("\r", "\n").encode()


def test_half_a_character_at_the_end_is_no_error() -> None:
    assert in_pieces("e4".encode("utf-16") + b"e", 3) == "e4\ufffd".encode()
