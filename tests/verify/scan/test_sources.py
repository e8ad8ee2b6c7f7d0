import bz2
import errno
import gzip
import io
import lzma
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sanproof.verify.errors import Failure
from sanproof.verify.scan.harness import tasks
from sanproof.verify.scan.sources import Source, find_sources, opened
from tests.verify.scan.pgn import game, random_games

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TEXT = "".join(random_games(1, 5)).encode()


def zst(*parts: bytes, window_log: int = 20) -> bytes:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    parameters = zstandard.ZstdCompressionParameters(
        compression_level=3, window_log=window_log, enable_ldm=window_log > 27, write_checksum=True
    )
    compressor = zstandard.ZstdCompressor(compression_params=parameters)
    frames = []
    for part in parts:
        frame = compressor.compressobj()  # the size is not in the frame, as with a stream
        frames.append(frame.compress(part) + frame.flush())
    return b"".join(frames)


def read(path: Path) -> bytes:
    (source,) = find_sources([str(path)])
    with opened(source) as (text, raw, _):
        content = b""
        while piece := text.read(1000):
            content += piece
        assert raw.taken == source.size
        return content


@pytest.mark.parametrize("packing", ["plain", "gz", "bz2", "xz", "zst", "zst of long windows"])
def test_each_packing_is_read_whatever_the_name(tmp_path: Path, packing: str) -> None:
    half = len(TEXT) // 2
    parts = TEXT[:half], TEXT[half:]
    packed = {
        "plain": lambda: TEXT,
        "gz": lambda: b"".join(map(gzip.compress, parts)),
        "bz2": lambda: b"".join(map(bz2.compress, parts)),
        "xz": lambda: b"".join(map(lzma.compress, parts)),
        "zst": lambda: zst(*parts),
        "zst of long windows": lambda: zst(*parts, window_log=31),
    }[packing]()
    path = tmp_path / "games"
    path.write_bytes(packed)
    assert read(path) == TEXT


PACKERS: "dict[str, Callable[[bytes], bytes]]" = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zst,
}


@pytest.mark.parametrize("packing", PACKERS)
def test_a_damaged_file_is_a_sentence(tmp_path: Path, packing: str) -> None:
    pack = PACKERS[packing]
    for packed in (pack(TEXT)[:-20], pack(TEXT)[:100] + b"\0" * 40 + pack(TEXT)[140:]):
        path = tmp_path / "games"
        path.write_bytes(packed)
        with pytest.raises(Failure, match="games cannot be read: "):
            read(path)


@pytest.mark.parametrize("packing", PACKERS)
def test_what_follows_the_last_part_is_padding_or_damage(tmp_path: Path, packing: str) -> None:
    packed = PACKERS[packing](TEXT)
    path = tmp_path / "games"
    path.write_bytes(packed + b"\0" * 5000 + packed + b"\0" * 12)
    assert read(path) == TEXT + TEXT
    path.write_bytes(packed + b"something else")
    with pytest.raises(Failure, match="games cannot be read: "):
        read(path)
    damages: list[tuple[int, str]] = []
    found = list(tasks(find_sources([str(path)]), on_damage=lambda *damage: damages.append(damage)))
    assert b"".join(task.chunk.data for task in found) == TEXT
    assert [number for number, _ in damages] == [0]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_text_without_lines_of_its_own_is_a_sentence(
    tmp_path: Path, pack: "Callable[[bytes], bytes]"
) -> None:
    path = tmp_path / "games.pgn"
    for text, words in (
        (TEXT.decode().encode("utf-16"), "is UTF-16"),
        (TEXT.replace(b"\n", b"\r"), "end in CR alone"),
        (b"\xef\xbb\xbf" + TEXT.replace(b"\n", b"\r"), "end in CR alone"),
    ):
        path.write_bytes(pack(text))
        with pytest.raises(Failure, match=words):
            list(tasks(find_sources([str(path)])))
    path.write_bytes(pack(TEXT.replace(b"\n", b"\r\n")))
    assert list(tasks(find_sources([str(path)])))


def test_a_folder_is_its_files_in_order(tmp_path: Path) -> None:
    for name in ("b.pgn", "a.pgn.gz", "c/d.pgn.zst", "e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    found = [Path(source.name).name for source in find_sources([str(tmp_path)])]
    assert found == ["a.pgn.gz", "b.pgn", "d.pgn.zst"]


def test_a_folder_is_read_as_a_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.pgn").write_bytes(TEXT)
    (tmp_path / "b.pgn").symlink_to(tmp_path / "none.pgn")
    with pytest.raises(Failure, match="cannot be read: No such file"):
        find_sources([str(tmp_path)])
    (tmp_path / "b.pgn").unlink()
    (tmp_path / "c").mkdir()
    scandir = os.scandir

    def locked(path: str) -> "Iterator[os.DirEntry[str]]":
        if Path(path).name == "c":  # permissions do not stop whoever may do everything
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", locked)
    with pytest.raises(Failure, match="cannot be read: Permission denied"):
        find_sources([str(tmp_path)])


def test_what_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="cannot be read"):
        find_sources([str(tmp_path / "none.pgn")])
    with pytest.raises(Failure, match="no file of games"):
        find_sources([str(tmp_path)])


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT))))
    with opened(Source("-", None)) as (text, *_):
        assert text.read(10**6) == TEXT


def test_chunks_know_how_many_games_come_before(tmp_path: Path) -> None:
    for name in ("a.pgn", "b.pgn"):
        (tmp_path / name).write_text("".join(game(f"1. {m} *") for m in ("e4", "d4", "c4")))
    found = list(tasks(find_sources([str(tmp_path)]), numbered=True, chunk_bytes=40))
    assert [task.chunk.first_game for task in found] == [0, 1, 2, 0, 1, 2]
    assert [task.source for task in found] == [0, 0, 0, 1, 1, 1]
    assert [task.number for task in found] == list(range(6))
