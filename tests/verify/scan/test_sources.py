import bz2
import errno
import gzip
import io
import lzma
import os
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sanproof.verify.errors import Failure
from sanproof.verify.scan.scanner import Damage, chunks_of
from sanproof.verify.scan.sources import (
    Source,
    Text,
    _archive,
    find_sources,
    translated,
)
from tests.verify.scan.pgn import game, random_games

TEXT = "".join(random_games(1, 5)).encode()


def zst(text: bytes, window_log: int = 20) -> bytes:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    parameters = zstandard.ZstdCompressionParameters(
        compression_level=3, window_log=window_log, enable_ldm=window_log > 27, write_checksum=True
    )
    compressor = zstandard.ZstdCompressor(compression_params=parameters)
    frame = compressor.compressobj()  # the size is not in the frame, as with a stream
    return bytes(frame.compress(text) + frame.flush())


def read(path: Path) -> bytes:
    (source,) = find_sources([str(path)])
    text = Text(source)
    content = b"".join(text)
    if text.damage:
        raise Failure(f"games cannot be read: {text.damage}")
    assert text.taken == source.size
    return content


PACKERS: "dict[str, Callable[[bytes], bytes]]" = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zst,
    "zst of long windows": lambda text: zst(text, window_log=31),
}


def taken(path: Path) -> tuple[bytes, list[str]]:
    """Return what is read of a file that is damaged, and what that is."""
    damaged: dict[int, Damage] = {}
    found = list(chunks_of(find_sources([str(path)]), damaged, chunk_bytes=500))
    return b"".join(chunk.data for chunk in found), [damage["read"] for damage in damaged.values()]


@pytest.mark.parametrize("packing", PACKERS)
def test_each_packing_is_read_whatever_the_name_as_far_as_it_is_whole(
    tmp_path: Path, packing: str
) -> None:
    pack, path = PACKERS[packing], tmp_path / "games"
    packed, half = pack(TEXT), len(TEXT) // 2
    path.write_bytes(pack(TEXT[:half]) + b"\0" * 5000 + pack(TEXT[half:]) + b"\0" * 12)
    assert read(path) == TEXT
    path.write_bytes(TEXT)
    assert read(path) == TEXT
    for damaged in (packed[:-20], packed[:100] + b"\0" * 40 + packed[140:], packed + b"mine"):
        path.write_bytes(damaged)
        with pytest.raises(Failure, match="games cannot be read: "):
            read(path)
    assert taken(path) == (TEXT, ["before"])
    flipped = bytearray(pack("".join(random_games(21, 80) * 4).encode()))
    flipped[len(flipped) // 2] ^= 16
    path.write_bytes(flipped)
    assert taken(path)[1] in (["before"], ["nothing"])
    assert packing != "gz" or taken(path)[1] == ["before"]  # only the checksum tells


def test_a_folder_is_its_files_in_order(tmp_path: Path) -> None:
    for name in ("b.PGN", "a.pgn.gz", "c/d.Pgn.Zst", "e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    found = [Path(source.name).name for source in find_sources([str(tmp_path)])]
    assert found == ["a.pgn.gz", "b.PGN", "d.Pgn.Zst"]


def test_what_cannot_be_read_in_a_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.pgn").write_bytes(TEXT)
    (tmp_path / "b.pgn").symlink_to(tmp_path / "none.pgn")
    (tmp_path / "c").mkdir()
    (tmp_path / "d.zip").write_bytes(b"PK\x03\x04")
    scandir = os.scandir

    def locked(path: str) -> "Iterator[os.DirEntry[str]]":
        if Path(path).name == "c":  # permissions do not stop root
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", locked)
    found = [(source.within, source.problem) for source in find_sources([str(tmp_path)])]
    assert found == [
        ("a.pgn", ""),
        ("b.pgn", "No such file or directory"),
        ("c", "Permission denied"),
        ("d.zip", "File is not a zip file"),
    ]
    monkeypatch.setattr(os, "scandir", lambda _: locked(str(tmp_path / "c")))
    (source,) = find_sources([str(tmp_path / "c")])
    assert source.problem == "Permission denied"


def test_a_zip_file_is_the_games_in_it(tmp_path: Path) -> None:
    """The directory is read twice: to find the files, and once to read them all."""
    with zipfile.ZipFile(tmp_path / "TWIC.ZIP", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.pgn", TEXT)
        archive.writestr("../a.PGN.gz", gzip.compress(TEXT))
        archive.writestr("read.me", "no games")
    for named in (tmp_path, tmp_path / "TWIC.ZIP"):
        before = _archive.cache_info().misses
        sources = find_sources([str(named)])
        assert [source.within for source in sources] == ["TWIC.ZIP/../a.PGN.gz", "TWIC.ZIP/b.pgn"]
        texts = [b"".join(chunk.data for chunk in chunks_of([source], {})) for source in sources]
        assert texts == [TEXT, TEXT]
        assert _archive.cache_info().misses <= before + 1
    with zipfile.ZipFile(tmp_path / "none.zip", "w") as archive:
        archive.writestr("read.me", "no games")
    (source,) = find_sources([str(tmp_path / "none.zip")])
    assert source.problem == "it holds no game files"
    assert len(find_sources([str(tmp_path)])) == 2


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_files_of_one_name_in_a_zip_file_are_all_read(tmp_path: Path) -> None:
    """Unpackers leave the last only; here no game is lost, and each file has a name of its own."""
    path = tmp_path / "a.zip"
    texts = [game(f"1. {move} *").encode() for move in ("e4", "d4", "c4", "Nf3")]
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in zip(("b.pgn", "c.pgn", "b.pgn", "b.pgn"), texts, strict=True):
            archive.writestr(name, text)
    sources = find_sources([str(path)])
    names = [source.name.removeprefix(f"{path}/") for source in sources]
    assert names == ["b.pgn (1 of 3)", "b.pgn (2 of 3)", "b.pgn (3 of 3)", "c.pgn"]
    assert [source.within for source in sources] == ["a.zip/b.pgn"] * 3 + ["a.zip/c.pgn"]
    read = [b"".join(chunk.data for chunk in chunks_of([source], {})) for source in sources]
    assert read == [texts[0], texts[2], texts[3], texts[1]]


def test_a_damaged_member_of_a_zip_file_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("b.pgn", TEXT)
    content = bytearray(path.read_bytes())
    content[200] ^= 1
    path.write_bytes(content)
    damaged: dict[int, Damage] = {}
    list(chunks_of(find_sources([str(path)]), damaged))
    assert damaged[0]["why"].startswith("Bad CRC-32")


def test_an_encrypted_member_of_a_zip_file_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("b.pgn", TEXT)
    content = bytearray(path.read_bytes())
    for header, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.index(header) + flags] |= 1
    path.write_bytes(content)
    damaged: dict[int, Damage] = {}
    list(chunks_of(find_sources([str(path)]), damaged))
    assert damaged[0]["why"].startswith("it is encrypted")


def test_a_file_that_is_reached_twice_is_there_once(tmp_path: Path) -> None:
    (tmp_path / "b.pgn").write_bytes(TEXT)
    (tmp_path / "a.pgn").symlink_to("b.pgn")
    os.link(tmp_path / "b.pgn", tmp_path / "c.pgn")
    found = find_sources([str(tmp_path), str(tmp_path / "b.pgn"), str(tmp_path / "c.pgn")])
    assert [(Path(source.name).name, source.problem) for source in found] == [("a.pgn", "")]


def test_what_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="cannot be read"):
        find_sources([str(tmp_path / "none.pgn")])
    with pytest.raises(Failure, match="no game files"):
        find_sources([str(tmp_path)])


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT))))
    assert b"".join(Text(Source("-", None))) == TEXT


def test_chunks_know_how_many_games_come_before(tmp_path: Path) -> None:
    for name in ("a.pgn", "b.pgn"):
        (tmp_path / name).write_text("".join(game(f"1. {m} *") for m in ("e4", "d4", "c4")))
    found = list(chunks_of(find_sources([str(tmp_path)]), {}, chunk_bytes=40))
    assert [chunk.games for chunk in found] == [0, 1, 2, 0, 1, 2]
    assert [chunk.place for chunk in found] == [0, 0, 0, 1, 1, 1]
    assert [chunk.number for chunk in found] == list(range(6))


ENCODED = "".join(random_games(1, 3)) + "{Zürich}"
AS_WRITTEN = {
    "UTF-16": ENCODED.encode("utf-16"),
    "UTF-16, big end first": b"\xfe\xff" + ENCODED.encode("utf-16-be"),
    "UTF-16 without mark": ENCODED.encode("utf-16-le"),
    "CR": ENCODED.replace("\n", "\r").encode(),
    "UTF-16 and CR": ENCODED.replace("\n", "\r").encode("utf-16"),
    "UTF-32": ENCODED.encode("utf-32"),
    "UTF-32 without mark": ENCODED.encode("utf-32-be"),
    "plain": ENCODED.encode(),
}


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("how", AS_WRITTEN)
def test_a_text_is_read_however_it_is_written(
    tmp_path: Path, how: str, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(pack(AS_WRITTEN[how]))
    found = list(chunks_of(find_sources([str(path)]), {}, chunk_bytes=500))
    assert b"".join(chunk.data for chunk in found).decode() == ENCODED


def in_pieces(text: bytes, size: int) -> bytes:
    """Translate a text that comes in pieces of one size."""
    pieces = (text[begin : begin + size] for begin in range(0, len(text), size))
    return b"".join(translated(pieces))


@pytest.mark.parametrize("size", [7, 1000, 1 << 20])
def test_a_long_text_is_read_in_any_pieces(size: int) -> None:
    text = "é\r" * (1 << 16)
    for plain in (b"1. e4\r\n", b"1. e4\r\r\n1... e5\r\n", b"x" * 10 + b"\n", b""):
        assert in_pieces(plain, size) == plain
    assert in_pieces(b"a\nb\rc\r\rd\r", size) == b"a\nb\nc\n\nd\n"
    for encoding in ("utf-8", "utf-16"):
        assert in_pieces(text.encode(encoding), size) == text.replace("\r", "\n").encode()


def test_half_a_character_at_the_end_is_no_error() -> None:
    assert in_pieces("e4".encode("utf-16") + b"e", 3) == "e4\ufffd".encode()


@pytest.mark.parametrize(
    ("content", "is_game"),
    [
        (b"# A page\n\nabout [Nf3](x).\n", False),
        (b"Lorem ipsum", False),
        (b"\n\xef\xbb\xbf e4 e5 *", True),
        (b'from a book\n\n[Event "x"]\n\n1. e4 *\n', True),
        ("\u041af3 *".encode(), True),
        (b"{no move yet", True),
        (b"", True),
    ],
)
def test_a_text_that_is_no_game_file_is_refused(
    tmp_path: Path, content: bytes, *, is_game: bool
) -> None:
    (tmp_path / "x.pgn").write_bytes(content)
    damaged: dict[int, Damage] = {}
    list(chunks_of(find_sources([str(tmp_path / "x.pgn")]), damaged))
    said = [damage["why"][:21] for damage in damaged.values()]
    assert said == ([] if is_game else ["it is not a game file"])


def test_standard_input_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    damaged: dict[int, Damage] = {}
    list(chunks_of(find_sources(["-"]), damaged))
    assert damaged[0]["why"] == "standard input is closed"
