"""Reading what a run left behind: what is there, and every way in which it can be damaged."""

import gzip
import json
import lzma
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from reports.exports.archive import Archive, ArchiveError, open_archive, published_directory
from tests.reports.exports.archives import FENS, MOVES, SANS, files, write_run


def everything(directory: Path) -> list[object]:
    """All that an archive gives."""
    archive = open_archive(directory)
    lists: list[object] = [archive.strings(), archive.strings(bare=True), archive.summary]
    lists.append(archive.witnesses_of(archive.strings()))
    lists += [list(archive.witnesses()), list(archive.impossible())]
    return [*lists, list(archive.games()) if archive.has_games else None]


def test_all_that_is_there_is_read(tmp_path: Path) -> None:
    archive = open_archive(write_run(tmp_path, files()))
    assert archive.is_complete
    assert archive.strings() == ["e5", "f3", "g4", "Qh4#"]
    assert archive.strings(bare=True) == ["e5", "f3", "g4"]
    assert list(archive.impossible()) == [
        ("a1", "promotion-missing"),
        ("e4e5", "pawn-rank-written"),
    ]
    rows = {row.san: row for row in archive.witnesses()}
    assert rows["Qh4#"] == ("Qh4#", FENS[3], MOVES[3], FENS[4], 4)
    games = list(archive.games())
    assert [game.number for game in games] == [1, 2, 3, 4]
    assert games[3] == (4, "Qh4#", "black", 4, SANS, "0-1")
    assert list(archive.games({2, 4})) == [games[1], games[3]]
    assert "".join(archive.games_text()).encode() == gzip.decompress(files()["games.pgn.gz"])


def test_a_run_without_games(tmp_path: Path) -> None:
    archive = open_archive(write_run(tmp_path, files(games=False)))
    assert [row.game for row in archive.witnesses()] == [None] * 4
    for read in (archive.games, archive.games_text):
        with pytest.raises(ArchiveError, match=r"holds no games$"):
            list(read())


def test_a_table_that_is_published_packed(tmp_path: Path) -> None:
    directory = write_run(tmp_path, files())
    table = directory / "witnesses.csv"
    rows = list(open_archive(directory).witnesses())
    (directory / "witnesses.csv.xz").write_bytes(lzma.compress(table.read_bytes()))
    table.unlink()
    assert list(open_archive(directory).witnesses()) == rows
    (directory / "witnesses.csv.xz").write_bytes(lzma.compress(bytes(1 << 27), preset=0))
    with pytest.raises(ArchiveError, match="unpacks to more"):
        list(open_archive(directory).witnesses())


def test_a_part_of_the_universe_is_not_complete(tmp_path: Path) -> None:
    for summary in ({"only": "Q*", "undecided": 0}, {"only": None, "undecided": 3}):
        content = files() | {"summary.json": json.dumps(summary).encode()}
        assert not open_archive(write_run(tmp_path, content)).is_complete


def test_the_published_data_is_read() -> None:
    archive = open_archive()
    assert archive.directory == published_directory()
    assert archive.is_complete
    assert archive.summary["reachable"] == len(archive.strings())


@pytest.mark.parametrize("name", files())
@pytest.mark.parametrize("damage", ["flipped", "cut", "gone", "directory", "pipe", "huge"])
def test_every_damage_is_a_sentence(tmp_path: Path, name: str, damage: str) -> None:
    directory = write_run(tmp_path / "run", files())
    path = directory / name
    content = path.read_bytes()
    path.unlink()
    if damage == "flipped":
        path.write_bytes(content[:7] + bytes([content[7] ^ 1]) + content[8:])
    elif damage == "cut":
        path.write_bytes(content[:-1])
    elif damage == "directory":
        path.mkdir()
    elif damage == "pipe":
        os.mkfifo(path)
    elif damage == "huge":
        with path.open("wb") as file:
            file.truncate(5 << 30)
    if (name, damage) == ("games.pgn.gz", "gone"):
        assert everything(directory)[-1] is None
        return
    with pytest.raises(ArchiveError, match=name):
        everything(directory)


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode())


FORGED: dict[str, tuple[str, bytes]] = {
    "no summary": ("summary.json", b"[]"),
    "a summary of arrays": ("summary.json", b"[" * 100_000),
    "a row too short": ("witnesses.csv", b"san,before_fen,uci,after_fen,game\ne4,x\n"),
    "a game without number": ("witnesses.csv", b"san,before_fen,uci,after_fen,game\na,b,c,d,e\n"),
    "a number without end": (
        "witnesses.csv",
        b"san,before_fen,uci,after_fen,game\na,b,c,d," + b"9" * 5000,
    ),
    "an endless line": ("impossible.csv.gz", _packed("a" * 1_000_000)),
    "a control character": ("san_strings.txt", b"e4\n\x1b[31m"),
    "a string without witness": ("san_strings_with_symbols.txt", b"e5\nf3\ng4\nh4\nQh4#"),
    "not packed": ("impossible.csv.gz", b"san,reason\n"),
    "not ASCII": ("impossible.csv.gz", _packed("san,reason\n\u00e9,x\n")),
    "cut within": ("games.pgn.gz", files()["games.pgn.gz"][:-20]),
    "half a game": ("games.pgn.gz", _packed('[Event "sanproof"]\n')),
    "another game": ("games.pgn.gz", _packed('[Event "x"]\n\n1. e4 *\n\n')),
    "a game without end": ("games.pgn.gz", _packed("x\n" * 100_000)),
}


@pytest.mark.parametrize(("name", "content"), FORGED.values(), ids=list(FORGED))
def test_what_is_forged_with_a_right_hash_is_a_sentence(
    tmp_path: Path, name: str, content: bytes
) -> None:
    directory = write_run(tmp_path, files() | {name: content})
    if name == "san_strings_with_symbols.txt":
        name = "witnesses.csv"
    with pytest.raises(ArchiveError, match=f"is damaged: {name} "):
        everything(directory)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"files": []}', "[" * 99_999, "\0", "é"])
def test_what_is_no_manifest(tmp_path: Path, text: str) -> None:
    (write_run(tmp_path, files()) / "manifest.json").write_text(text)
    with pytest.raises(ArchiveError, match=r"manifest\.json|holds no"):
        everything(tmp_path)


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch, lambda _: None])
def test_what_is_no_run(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "run")
    with pytest.raises(ArchiveError, match=r"holds no finished run|is no directory"):
        Archive(tmp_path / "run")


def test_readers_survive_random_content_under_right_hashes(tmp_path: Path) -> None:
    """Whatever the files hold, reading ends with what they say or with a sentence."""
    random.seed(0)
    refused = 0
    for _ in range(300):
        content = files()
        name = random.choice(list(content))
        text = content[name]
        packed = name.endswith(".gz") and random.random() < 0.7
        data = bytearray(gzip.decompress(text) if packed else text)
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(data) + 1)
            data[at : at + random.randint(0, 3)] = random.randbytes(random.randint(0, 3))
        content[name] = gzip.compress(bytes(data)) if packed else bytes(data)
        directory = write_run(tmp_path, content)
        try:
            everything(directory)
        except ArchiveError:
            refused += 1
    assert refused > 50
