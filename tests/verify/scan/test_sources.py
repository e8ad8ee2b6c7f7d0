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
from sanproof.verify.scan import movetext
from sanproof.verify.scan.movetext import cut, game_starts
from sanproof.verify.scan.scanner import Damage, chunks_of
from sanproof.verify.scan.sources import find_sources, translated
from tests.examples import examples
from tests.verify.scan.pgn import game, random_games

TEXT = "".join(random_games(1, 5)).encode()


def taken(*names: Path | str, chunk_bytes: int = 500) -> tuple[bytes, list[tuple[str, str]]]:
    """Return what is read of sources, and why and how far those that are damaged are not."""
    damaged: list[Damage] = []
    found = list(chunks_of(find_sources([*map(str, names)]), damaged, chunk_bytes))
    return b"".join(p.data for chunk in found for p in chunk), [
        (d["why"], d["read"]) for d in damaged
    ]


def zst(text: bytes, window_log: int = 20) -> bytes:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    parameters = zstandard.ZstdCompressionParameters(
        compression_level=3, window_log=window_log, enable_ldm=window_log > 27, write_checksum=True
    )
    compressor = zstandard.ZstdCompressor(compression_params=parameters)
    frame = compressor.compressobj()  # the size is not in the frame, as with a stream
    return bytes(frame.compress(text) + frame.flush())


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zst,
    "zst of long windows": lambda text: zst(text, window_log=31),
}


@pytest.mark.parametrize("packing", PACKERS)
def test_each_packing_is_read_whatever_the_name_as_far_as_it_is_whole(
    tmp_path: Path, packing: str
) -> None:
    pack, path = PACKERS[packing], tmp_path / "games"
    packed, half = pack(TEXT), len(TEXT) // 2
    for whole in (pack(TEXT[:half]) + b"\0" * 5000 + pack(TEXT[half:]) + b"\0" * 12, TEXT):
        path.write_bytes(whole)
        assert taken(path) == (TEXT, [])
    for damaged in (packed[:-20], packed[:100] + b"\0" * 40 + packed[140:], packed + b"mine"):
        path.write_bytes(damaged)
        assert len(taken(path)[1]) == 1
    assert taken(path)[0] == TEXT
    flipped = bytearray(pack(random.Random(21).randbytes(100_000).hex().encode()))
    flipped[len(flipped) // 2] ^= 16
    path.write_bytes(flipped)
    (how,) = taken(path)[1]
    assert how[1] == "before" or (packing != "gz" and how[1] == "nothing")


def test_a_folder_is_its_files_in_order_each_once(tmp_path: Path) -> None:
    for name in ("b.PGN", "a.pgn.gz", "c/d.Pgn.Zst", "e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "a.pgn").symlink_to("b.PGN")
    os.link(tmp_path / "b.PGN", tmp_path / "c.pgn")
    found = find_sources([str(tmp_path), str(tmp_path / "b.PGN")])
    assert [Path(source.name).name for source in found] == ["a.pgn", "a.pgn.gz", "d.Pgn.Zst"]


def test_what_cannot_be_read_in_a_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.pgn").write_bytes(TEXT)
    (tmp_path / "b.pgn").symlink_to(tmp_path / "none.pgn")
    (tmp_path / "c").mkdir()
    (tmp_path / "d.zip").write_bytes(b"PK\x03\x04")
    scandir = os.scandir

    def locked(path: str) -> Iterator[os.DirEntry[str]]:
        if Path(path).name == "c":  # permissions do not stop root
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    found = [(source.within, source.problem) for source in find_sources([str(tmp_path)])]
    assert found == [
        ("a.pgn", ""),
        ("b.pgn", "No such file or directory"),
        ("d.zip", "File is not a zip file"),
    ]
    monkeypatch.setattr(os, "scandir", locked)
    with pytest.raises(Failure, match="c cannot be read: Permission denied"):
        find_sources([str(tmp_path)])


def zipped(path: Path, *members: tuple[str, bytes]) -> Path:
    """Write a zip file."""
    with zipfile.ZipFile(path, "w") as archive:
        for member in members:
            archive.writestr(*member)
    return path


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_file_is_the_games_in_it(tmp_path: Path) -> None:
    """Also those of one name, of which unpackers leave the last only."""
    texts = [game(f"1. {move} *").encode() for move in ("e4", "d4", "c4")]
    members = ("../b.PGN.gz", gzip.compress(texts[0])), ("c.pgn", texts[1]), ("c.pgn", texts[2])
    path = zipped(tmp_path / "TWIC.ZIP", *members, ("read.me", b"no games"))
    assert taken(path) == taken(tmp_path) == (b"".join(texts), [])
    withins = [source.within for source in find_sources([str(path)])]
    assert withins == ["TWIC.ZIP/../b.PGN.gz", "TWIC.ZIP/c.pgn", "TWIC.ZIP/c.pgn"]
    none = zipped(tmp_path / "none.zip", ("read.me", b"no games"))
    assert taken(none)[1] == [("it holds no game files", "nothing")]


@pytest.mark.parametrize("why", ["Bad CRC-32", "it is encrypted"])
def test_a_member_of_a_zip_file_that_cannot_be_read_is_a_sentence(tmp_path: Path, why: str) -> None:
    path = zipped(tmp_path / "a.zip", ("b.pgn", TEXT))
    content = bytearray(path.read_bytes())
    if why == "Bad CRC-32":
        content[200] ^= 1
    else:
        for header, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
            content[content.index(header) + flags] |= 1
    path.write_bytes(content)
    assert taken(path)[1][0][0].startswith(why)


def test_what_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="cannot be read"):
        find_sources([str(tmp_path / "none.pgn")])
    with pytest.raises(Failure, match="no game files"):
        find_sources([str(tmp_path)])


def test_standard_input_is_read_unless_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT))))
    assert taken("-") == (TEXT, [])
    monkeypatch.setattr(sys, "stdin", None)
    assert taken("-") == (b"", [("standard input is closed", "nothing")])


def test_chunks_know_what_comes_before(tmp_path: Path) -> None:
    for name in ("a.pgn", "b.pgn"):
        (tmp_path / name).write_text("".join(game(f"1. {m} *") for m in ("e4", "d4", "c4")))
    sources = find_sources([str(tmp_path)])
    found = [piece for (piece,) in chunks_of(sources, [], chunk_bytes=40)]
    assert [p[3:6] for p in found] == [(n, 4 * n, place) for place in (0, 1) for n in range(3)]
    assert [len(chunk) for chunk in chunks_of(sources, [], chunk_bytes=1000)] == [2]


ENCODED = "".join(random_games(1, 3)) + "{Zürich}"
AS_WRITTEN = {
    "UTF-16": ENCODED.encode("utf-16"),
    "UTF-16, big end first": b"\xfe\xff" + ENCODED.encode("utf-16-be"),
    "UTF-16 without mark": ENCODED.encode("utf-16-le"),
    "UTF-16 and CR": ENCODED.replace("\n", "\r").encode("utf-16"),
    "CR": ENCODED.replace("\n", "\r").encode(),
}


@pytest.mark.parametrize("how", AS_WRITTEN)
def test_a_text_is_read_however_it_is_written(tmp_path: Path, how: str) -> None:
    for pack in (bytes, gzip.compress):
        (tmp_path / "games.pgn").write_bytes(pack(AS_WRITTEN[how]))
        assert taken(tmp_path) == (ENCODED.encode(), [])


@pytest.mark.parametrize("size", [7, 1000, 1 << 20])
def test_a_text_is_read_in_any_pieces(size: int) -> None:
    def in_pieces(text: bytes) -> bytes:
        return b"".join(translated(text[at : at + size] for at in range(0, len(text), size)))

    text = "é\r" * (1 << 16)
    for plain in (b"1. e4\r\n", b"1. e4\r\r\n1... e5\r\n", b"x" * 10 + b"\n", b""):
        assert in_pieces(plain) == plain
    assert in_pieces(b"a\nb\rc\r\rd\r") == b"a\nb\nc\n\nd\n"
    for encoding in ("utf-8", "utf-16"):
        assert in_pieces(text.encode(encoding)) == text.replace("\r", "\n").encode()
    # Half a character at the end is no error.
    assert in_pieces("e4".encode("utf-16") + b"e") == "e4\ufffd".encode()


# Where games begin

LINES = (
    *('[Event "a"]', '[Site "b"]', "", " ", "1. e4 e5 *", "1-0", "0-1 ", "[%eval 1]"),
    *('[Event "a"]\n\n[Site "b"]', '[Event "a"]\n% b\n\n[Site "b"]', '[Event "a"] e4\n'),
    *("\x1a", "1. d4", "Nf3 e5", "e2e4", "\ufeff1. c4", '\ufeff[Event "d"]', "1\u20130", "1/2"),
    *("{ open", "}", "% remark", "1... e5", "\r", "d4 1/2-1/2", '  [Event "c"]', "[broken"),
    "\ufeff",
)
texts = st.lists(st.sampled_from(LINES), max_size=30).map(lambda lines: "\n".join(lines).encode())


STARTS: list[tuple[str, list[str]]] = [
    ('\ufeff\n[Event "a"]\n[Site "x"]\n\n1. e4 *\n[Event "b"]\n\n*', ["[Event", "[Event"]),
    ('\ufeff[Event "a"]\n[Site "x"]\n\n1. e4 *', ["\ufeff[Event"]),
    ("1. e4 e5 1-0\n\n1. d4 *\n", ["1. e4 e", "1. d4 *"]),
    ("1. e4 e5\n\n1. d4 *\n", ["1. e4"]),
    ('1. e4 *\n\n[White A]\n[Black B]\n[Event "b"]\n\n*', ["1. e4 *", "[White A]"]),
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


FIRST = ("1. d4", "1.d4", "1 d4", "1.", "d4 d5", "Nf3", "e2e4", "g1f3!", "\ufeff1. d4", "  1. d4")
NO_FIRST = ("1... e5", "1 ", "Nf6", "e5", "d44", "dx4", "{1. d4}", "10. d4")


@pytest.mark.parametrize("line", [*FIRST, *NO_FIRST])
def test_a_line_that_begins_as_games_do_begins_one_after_a_result(line: str) -> None:
    for result in ("1-0", "*", "1/2", "½-½", "1\u20130"):
        first = f"1. e4 e5 {result}\n".encode()
        begins = [0, len(first)] if line in FIRST else [0]
        assert game_starts(first + line.encode() + b" *\n") == begins
        assert game_starts(first.replace(b" " + result.encode(), b"") + line.encode()) == [0]


GAPS = ("", "\n", " \t\n", "\r\n", "% x\n", "% x\n\n% x\n", "\n\n", "\n% x\n\n", "\n\n\n")
MORE = ('[Site "b"]\n', '[Event "x"] \n', '[Date "c"]\r\n')


@pytest.mark.parametrize("seed", range(3))
def test_python_chess_finds_as_many_games_whatever_stands_between_tags(seed: int) -> None:
    chosen = random.Random(seed)
    for _ in range(examples(200)):
        text = ""
        for _ in range(chosen.randrange(1, 4)):
            tags = [chosen.choice(GAPS) + chosen.choice(MORE) for _ in range(chosen.randrange(4))]
            text += "".join(['[Event "a"]\n', *tags, "\n1. e4 *\n\n"])
        # For python-chess any tag begins a game after two empty lines.
        near = re.sub(r"\n(?:(?:%.*|[ \t\r]*)\n)+(?=\[(?!Event))", "\n\n", text)
        file = io.StringIO(near)
        theirs = sum(1 for _ in iter(lambda: chess.pgn.read_game(file), None))  # noqa: B023
        assert len(game_starts(text.encode())) == theirs, text


@given(texts, st.integers(1, 60))
@settings(max_examples=examples(300), deadline=None)
def test_wherever_a_text_is_cut_its_games_are_the_same(text: bytes, size: int) -> None:
    pieces = list(cut(io.BytesIO(text), size))
    assert b"".join(piece for piece, _ in pieces) == text
    games, at = [], 0
    for piece, starts in pieces:
        assert starts == game_starts(piece)
        games += [at + start for start in starts]
        at += len(piece)
    assert games == game_starts(text)


def test_a_piece_is_bounded_though_a_game_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(movetext, "LONGEST_GAME_BYTES", 4000)
    long = game("1. e4 {" + "word " * 5000 + "\n" * 3 + "} *")
    text = (game("1. d4 *") + long + game("1. c4 *")).encode()
    pieces = list(cut(io.BytesIO(text), 1000))
    assert b"".join(piece for piece, _ in pieces) == text
    assert max(len(piece) for piece, _ in pieces) < 6000
    last, starts = pieces[-1]
    assert last[starts[-1] :] == game("1. c4 *").encode()
