"""Reading what a run left behind: what is there, and every way in which it can be damaged."""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.rules.san import list_order
from sanproof.reports.archive.door import Archive, ArchiveError, open_archive
from sanproof.reports.archive.unpacking import one_game, place_before, row_of
from sanproof.reports.tables.files import gzipped
from sanproof.reports.tables.pgn import PgnGame, write_pgn
from tests.reports.archive.archives import FENS, MOVES, SANS, SUMMARY, files, write_run


def everything(directory: Path) -> list[object]:
    """Return all that an archive gives."""
    archive = open_archive(directory)
    lists: list[object] = [archive.strings(), archive.strings(bare=True), archive.summary]
    lists += [list(archive.witnesses()), archive.witnesses_of(archive.strings())]
    lists += [list(archive.impossible()), list(archive.files())]
    if archive.has_games:
        lists += [list(archive.cover()), list(archive.pgn(cover=True))]
        lists += [list(archive.games()), list(archive.games([4])), list(archive.pgn())]
    return lists


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
    assert rows["Qh4#"] == ("Qh4#", FENS[3], MOVES[3], FENS[4], 4, 4, None, None)
    games = list(archive.games())
    assert [game.number for game in games] == [1, 2, 3, 4]
    assert games[3] == (4, "Qh4#", "black", 4, SANS, "0-1")
    assert archive.game(3) == games[2]
    assert list(archive.cover()) == [("e5", 1, 2), ("f3", 1, 1), ("g4", 1, 3), ("Qh4#", 1, 4)]
    cover, shown = (
        "".join(text for _, text in archive.pgn(cover=cover)).encode() for cover in (True, False)
    )
    assert cover == files()["cover.pgn"]
    asked = ("e5", "Qh4#", "Qh4", "h4", "")
    assert [san for san in asked if archive.is_reachable(san)] == ["e5", "Qh4#"]
    assert all(archive.witness_of(san) == row for san, row in rows.items())
    assert list(archive.games({2, 4})) == [games[1], games[3]]
    assert shown == gzip.decompress(files()["games.pgn.gz"])


def test_a_run_without_games(tmp_path: Path) -> None:
    archive = open_archive(write_run(tmp_path, files(games=False)))
    assert [row.game for row in archive.witnesses()] == [None] * 4
    for read in (archive.games, archive.pgn, lambda: archive.games([1])):
        with pytest.raises(ArchiveError, match=r"holds no games$"):
            list(read())


def test_a_table_that_is_published_packed(tmp_path: Path) -> None:
    directory = write_run(tmp_path, files())
    table = directory / "witnesses.csv"
    rows = list(open_archive(directory).witnesses())
    (directory / "witnesses.csv.gz").write_bytes(gzip.compress(table.read_bytes()))
    table.unlink()
    assert list(open_archive(directory).witnesses()) == rows


def test_a_part_of_the_universe_is_not_complete(tmp_path: Path) -> None:
    for change in ({"only": "Q*", "undecided": 0}, {"only": None, "undecided": 3}):
        content = files() | {"summary.json": json.dumps(SUMMARY | change).encode()}
        assert not open_archive(write_run(tmp_path, content)).is_complete


def _packed(text: str) -> bytes:
    return gzip.compress(text.encode())


@pytest.mark.parametrize("name", files())
def test_every_damage_is_a_sentence(tmp_path: Path, name: str) -> None:
    """A thing that is no file, such as a pipe, is for the kernel's tests; the kernel reads them."""
    for damage in ("flipped", "cut", "link", "gone"):
        directory = write_run(tmp_path / damage, files())
        path = directory / name
        content = path.read_bytes()
        path.unlink()
        if damage == "flipped":
            path.write_bytes(content[:7] + bytes([content[7] ^ 1]) + content[8:])
        elif damage == "cut":
            path.write_bytes(content[:-1])
        elif damage == "link":
            path.symlink_to(write_run(tmp_path / "elsewhere", files()) / name)
        with pytest.raises(ArchiveError, match=name):
            everything(directory)


TABLE = files()["witnesses.csv"].decode()
COLUMNS = TABLE.split("\n")[0].split(",")


def _row(*cells: object) -> tuple[str, bytes]:
    """Return the table of witnesses with other cells in the row of the mate."""
    given: list[object] = ["Qh4#", FENS[3], MOVES[3], FENS[4], 4, 4, "", ""]
    good = ",".join(map(str, given))
    assert good in TABLE
    for place, cell in zip(cells[::2], cells[1::2], strict=True):
        given[COLUMNS.index(str(place))] = cell
    return "witnesses.csv", TABLE.replace(good, ",".join(map(str, given))).encode()


def _game(old: str, new: str) -> tuple[str, bytes]:
    text = gzip.decompress(files()["games.pgn.gz"]).decode()
    assert old in text
    return "games.pgn.gz", _packed(text.replace(old, new))


FORGED: dict[str, tuple[str, bytes]] = {
    "no summary": ("summary.json", b"[]"),
    "a summary of arrays": ("summary.json", b"[" * 100_000),
    "a row too short": ("witnesses.csv", f"{TABLE}e4,x\n".encode()),
    "another header": ("witnesses.csv", b"san,fen\ne4,x\n"),
    "no header": ("witnesses.csv", b""),
    "half a row": ("witnesses.csv", files()["witnesses.csv"][:-1]),
    "a formula": _row("san", "=HYPERLINK(1)"),
    "a position that is none": _row("before_fen", "+1"),
    "a rank of nine squares": _row("after_fen", FENS[4].replace("8", "9")),
    "a rank of seven squares": _row("before_fen", FENS[3].replace("/8/", "/7/")),
    "no man on the origin": _row("uci", "d6h4"),
    "the other player's man": _row("uci", "d1h4"),
    "another piece": _row("san", "Rh4"),
    "another destination": _row("san", "Qh5"),
    "a castling of a queen": _row("san", "O-O"),
    "a move that stays": _row("san", "Qd8", "uci", "d8d8"),
    "a promotion of a queen": _row("uci", "d8h4q"),
    "a game without number": _row("game", "e"),
    "game 0": _row("game", 0),
    "half a place": _row("other_ply", 3),
    "a number without end": _row("game", "9" * 5000),
    "an endless line": ("impossible.csv.gz", _packed("a" * 1_000_000)),
    "an unknown reason": ("impossible.csv.gz", _packed("san,reason\na1,=1+1\n")),
    "a control character": ("san_strings.txt", b"e4\n\x1b[31m"),
    "a list in another order": ("san_strings.txt", b"f3\ne5\ng4"),
    "a list with a string twice": ("san_strings.txt", b"e5\ne5\nf3"),
    "a list with an empty line": ("san_strings.txt", b"e5\n\nf3"),
    "a string without witness": ("san_strings_with_symbols.txt", b"e5\nf3\ng4\nh4\nQh4#"),
    "not packed": ("impossible.csv.gz", b"san,reason\n"),
    "not ASCII": ("impossible.csv.gz", _packed("san,reason\n\u00e9,x\n")),
    "more than packed": ("impossible.csv.gz", files()["impossible.csv.gz"] + b"x"),
    "a cover of words": ("cover.csv", b"san,game,ply\ne5,one,two\n"),
    "cut within": ("games.pgn.gz", files()["games.pgn.gz"][:-20]),
    "half a game": ("games.pgn.gz", _packed('[Event "sanproof"]\n')),
    "another game": ("games.pgn.gz", _packed('[Event "x"]\n\n1. e4 *\n\n')),
    "one more tag": _game('[Site "?"]', '[Site "?"]\n[Annotator "x"]'),
    "a move of 100 characters": _game("g4", "g" * 100),
    "a move that is no string": _game("g4", "=1+1"),
    "a ply beyond the end": _game('[ShownAtPly "4"]', '[ShownAtPly "400"]'),
    "a ply of another move": _game('[ShownAtPly "4"]', '[ShownAtPly "2"]'),
    "games in another order": _game('[Round "4"]', '[Round "5"]'),
    "a game without end": ("games.pgn.gz", _packed("x\n" * 100_000)),
}


@pytest.mark.parametrize(("name", "content"), FORGED.values(), ids=list(FORGED))
def test_what_is_forged_with_a_right_hash_is_a_sentence(
    tmp_path: Path, name: str, content: bytes
) -> None:
    directory = write_run(tmp_path, files() | {name: content})
    if name == "san_strings_with_symbols.txt":
        name = "witnesses.csv"
    with pytest.raises(ArchiveError, match=f"is damaged: {name}:? ") as caught:
        everything(directory)
    said = str(caught.value)  # and nothing that another table would be refused for as well
    assert ("has no row of" in said) == (content == FORGED["a string without witness"][1])
    headers = (FORGED["another header"][1], FORGED["no header"][1])
    assert ("no header" in said) == (content in headers)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "[" * 99_999, "\0", "é"])
def test_what_is_no_manifest(tmp_path: Path, text: str) -> None:
    (write_run(tmp_path, files()) / "manifest.json").write_text(text)
    with pytest.raises(ArchiveError, match=r"is damaged: manifest\.json"):
        open_archive(tmp_path)


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch, lambda _: None])
def test_what_is_no_run(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "run")
    with pytest.raises(ArchiveError, match=r"holds no finished run|is not a directory"):
        Archive(tmp_path / "run")


@pytest.mark.parametrize("pack", [gzip.compress, gzipped])
@pytest.mark.usually(1)
def test_a_file_of_games_is_read_where_it_is_asked_for(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    """Large enough for several pieces, with games across their borders; then what is cut off."""
    random.seed(0)
    strings = open_archive().strings()
    moves = [tuple(random.choices(strings, k=240)) for _ in range(1200)]
    games = [PgnGame(i, sans[i % 4], i % 4, sans) for i, sans in enumerate(moves, 1)]
    text = "".join(map(write_pgn, games)).encode()
    assert len(text) > 1 << 20
    packed = pack(text)
    archive = open_archive(write_run(tmp_path, files() | {"games.pgn.gz": packed}))
    rows = list(archive.games())
    assert [row.sans for row in rows] == [game.sans for game in games]
    for size in (1, 7, 19, 800):
        numbers = random.sample(range(1, 1201), size)
        assert list(archive.games(numbers)) == [rows[n - 1] for n in sorted(numbers)]
    with pytest.raises(ArchiveError, match="has no game 1201"):
        archive.game(1201)


def test_a_game_is_found_without_unpacking_those_long_before() -> None:
    games = [PgnGame(i, SANS[i % 4], i % 4, SANS * 60) for i in range(1, 9001)]
    packed = gzipped("".join(map(write_pgn, games)).encode())
    for number in (1, 2, *range(3999, 9001, 500), 9000):
        assert one_game(packed, number) == write_pgn(games[number - 1])
        assert (place_before(packed, number) > len(packed) // 3) == (number >= 3999)
    content = bytearray(packed)  # a place by chance, where nothing can be unpacked
    content[20:20] = b"\x00\x00\xff\xff\xff\xff"
    assert place_before(bytes(content), 2) == 0


@given(st.sets(st.text("ab1", max_size=3)), st.text("ab1,", max_size=4))
def test_a_row_is_found_where_there_is_one(sans: set[str], other: str) -> None:
    rows = [f"{san},of {san}" for san in sorted(sans, key=list_order)]
    for end in ("", "\n"):
        table = "\n".join(["header", *rows]) + end
        assert [row_of(table, row.split(",")[0]) for row in rows] == rows
        assert (row_of(table, other) is not None) == (other in sans)


@pytest.mark.usually(1)
@pytest.mark.parametrize("name", ["games.pgn.gz", "impossible.csv.gz", "witnesses.csv.gz"])
def test_what_unpacks_without_end_is_refused(tmp_path: Path, name: str) -> None:
    bomb = gzip.compress(b"san,reason\n" + b"a1,no-twins\n" * (1 << 23), 1)
    directory = write_run(tmp_path, files() | ({name: bomb} if "wit" not in name else {}))
    if "wit" in name:  # published packed
        (directory / "witnesses.csv").unlink()
        (directory / name).write_bytes(bomb)
    with pytest.raises(ArchiveError, match=rf"{name}:? (holds a game|unpacks to more)"):
        everything(directory)
