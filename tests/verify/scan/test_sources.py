"""From files to games: what is read of a source, and where its text is cut into games."""

import bz2
import errno
import gzip
import io
import lzma
import os
import random
import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanproof.verify.errors import Failure
from sanproof.verify.scan import borders
from sanproof.verify.scan.borders import cut, game_starts
from sanproof.verify.scan.scanner import Damage, chunks_of
from sanproof.verify.scan.sources import (
    Source,
    Text,
    _archive,
    find_sources,
    translated,
)
from tests.examples import examples
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
    """Unpackers leave the last only; here no game is lost."""
    texts = [game(f"1. {move} *").encode() for move in ("e4", "d4")]
    sources = find_sources([str(zipped(tmp_path, ("b.pgn", texts[0]), ("b.pgn", texts[1])))])
    assert [source.within for source in sources] == ["a.zip/b.pgn"] * 2
    assert [b"".join(Text(source)) for source in sources] == texts


def zipped(folder: Path, *members: tuple[str, bytes]) -> Path:
    """Write a zip file."""
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        for member in members:
            archive.writestr(*member)
    return folder / "a.zip"


def damaged_crc(content: bytearray) -> None:
    content[200] ^= 1


def encrypted(content: bytearray) -> None:
    for header, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.index(header) + flags] |= 1


@pytest.mark.parametrize(
    ("change", "why"), [(damaged_crc, "Bad CRC-32"), (encrypted, "it is encrypted")]
)
def test_a_member_of_a_zip_file_that_cannot_be_read_is_a_sentence(
    tmp_path: Path, change: Callable[[bytearray], None], why: str
) -> None:
    path = zipped(tmp_path, ("b.pgn", TEXT))
    content = bytearray(path.read_bytes())
    change(content)
    path.write_bytes(content)
    assert why in damage_of(str(path))


def damage_of(name: str) -> str:
    """Return why a source cannot be read."""
    damaged: dict[int, Damage] = {}
    list(chunks_of(find_sources([name]), damaged))
    return damaged[0]["why"]


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
    # Half a character at the end is no error.
    assert in_pieces("e4".encode("utf-16") + b"e", 3) == "e4\ufffd".encode()


def test_standard_input_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert damage_of("-") == "standard input is closed"


# Where games begin

LINES = (
    *('[Event "a"]', '[Site "b"]', "", " ", "1. e4 e5 *", "1-0", "0-1 ", "[%eval 1]"),
    *('[Event "a"]\n\n[Site "b"]', '[Event "a"]\n% b\n\n[Site "b"]', '[Event "a"] e4\n'),
    *("\x1a", "1. d4", "Nf3 e5", "e2e4", "\ufeff1. c4", '\ufeff[Event "d"]', "1\u20130", "1/2"),
    *("{ open", "}", "% remark", "\r", "d4 1/2-1/2", '  [Event "c"]', "[broken", "\ufeff"),
)
texts = st.lists(st.sampled_from(LINES), max_size=30).map(lambda lines: "\n".join(lines).encode())


STARTS: list[tuple[str, list[str]]] = [
    ('\ufeff\n[Event "a"]\n[Site "x"]\n\n1. e4 *\n[Event "b"]\n\n*', ["[Event", "[Event"]),
    ('\ufeff[Event "a"]\n[Site "x"]\n\n1. e4 *', ["\ufeff[Event"]),
    ("1. e4 e5 1-0\n\n1. d4 *\n", ["1. e4 e", "1. d4 *"]),
    ("1. e4 e5\n\n1. d4 *\n", ["1. e4"]),
    ("1. e4 e5 1-0\n2. d4 *\n", ["1. e4"]),
    ('1. e4 *\n\n\ufeff[Event "b"]\n[Site "x"]\n\n*\n\x1a[Event "c"]\n\n*\n',
     ["1. e4", "\ufeff[Event", "\x1a[Event"]),
    *((f"1. e4 *\n\n{rest}", ["1. e4"]) for rest in ("% remark", "\ufeff", "\x1a\n", "[broken")),
    *((text, []) for text in ("", "\ufeff", " \n\n\r\n", "% a remark\n\n")),
    ("\n" * 2_000_000 + "1. e4", ["\n"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "begins"), STARTS, ids=range(len(STARTS)))
def test_where_games_begin(text: str, begins: list[str]) -> None:
    data = text.encode()
    starts = game_starts(data)
    assert len(starts) == len(begins)
    assert all(data.startswith(b.encode(), at) for at, b in zip(starts, begins, strict=True))


FIRST = "1. d4|1.d4|1 d4|1.|d4 d5|Nf3|e2e4|g1f3!|\ufeff1. d4|  1. d4|d4"


@pytest.mark.parametrize("line", FIRST.split("|"))
def test_a_line_that_begins_as_games_do_begins_one_after_a_result(line: str) -> None:
    for result in ("1-0", "*", "1/2", "½-½", "1\u20130"):
        first = f"1. e4 e5 {result}\n".encode()
        assert game_starts(first + line.encode() + b" *\n") == [0, len(first)]
        assert game_starts(first.replace(b" " + result.encode(), b"") + line.encode()) == [0]


@pytest.mark.parametrize("line", ["1... e5", "1 ", "Nf6", "e5", "d44", "dx4", "{1. d4}", "10. d4"])
def test_no_other_line_does(line: str) -> None:
    assert game_starts(f"1. e4 1-0\n{line}".encode()) == [0]


GAPS = ("\n", " \t\n", "\r\n", "% x\n", "% x\n\n% x\n", "\n\n", "\n% x\n\n", "\n\n\n")
MORE_TAGS = ('[Site "b"]', '[Event "x"] ', '[Date "c"]\r')


def section(chosen: random.Random) -> str:
    """Return tags with anything between them, and moves."""
    lines = ['[Event "a"]\n']
    for _ in range(chosen.randrange(4)):
        lines += [chosen.choice(GAPS) * chosen.randrange(2), chosen.choice(MORE_TAGS) + "\n"]
    return "".join([*lines, "\n1. e4 *\n\n"])


@pytest.mark.parametrize("seed", range(3))
def test_python_chess_finds_as_many_games_whatever_stands_between_tags(seed: int) -> None:
    chosen = random.Random(seed)
    numbers = set()
    for _ in range(examples(200)):
        text = "".join(section(chosen) for _ in range(chosen.randrange(1, 4)))
        # For python-chess any tag begins a game after two empty lines.
        near = re.sub(r"\n(?:(?:%.*|[ \t\r]*)\n)+(?=\[(?!Event))", "\n\n", text)
        file, theirs = io.StringIO(near), 0
        while chess.pgn.read_game(file) is not None:
            theirs += 1
        assert len(game_starts(text.encode())) == theirs, text
        numbers.add(theirs)
    assert len(numbers) > 3


@given(texts, st.integers(1, 60), st.integers(1, 90))
@settings(max_examples=examples(300), deadline=None)
def test_wherever_a_text_is_cut_its_games_are_the_same(text: bytes, size: int, near: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(borders, "_NEAR_BYTES", near)
        pieces = list(cut(io.BytesIO(text), size))
    assert b"".join(pieces) == text
    games, at = [], 0
    for piece in pieces:
        games += [at + start for start in game_starts(piece)]
        at += len(piece)
    assert games == game_starts(text)


def test_a_piece_is_bounded_though_a_game_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(borders, "LONGEST_GAME_BYTES", 4000)
    long = game("1. e4 {" + "word " * 5000 + "\n" * 3 + "} *")
    text = (game("1. d4 *") + long + game("1. c4 *")).encode()
    pieces = list(cut(io.BytesIO(text), 1000))
    assert b"".join(pieces) == text
    assert max(map(len, pieces)) < 6000
    assert pieces[-1][game_starts(pieces[-1])[-1] :] == game("1. c4 *").encode()
