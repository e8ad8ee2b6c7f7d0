"""Reading what a run left behind: what is there, and every way in which it can be damaged."""

import gzip
import json
import lzma
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanproof.proofs.shortest.table import PUBLISHED
from sanproof.reports.archive.door import Archive, ArchiveError, GameRow, open_archive
from sanproof.reports.archive.observed import Sighting, in_words, open_observed
from sanproof.reports.tables.names import OBSERVED_FILES
from tests.reports.archive.archives import (
    FENS,
    MOVES,
    SANS,
    SHORTEST,
    SOURCE,
    SUMMARY,
    files,
    write_observed,
    write_run,
    write_shortest,
)


def everything(directory: Path) -> list[object]:
    """Return all that an archive gives."""
    archive = open_archive(directory)
    lists: list[object] = [archive.strings(), archive.strings(bare=True), archive.summary]
    lists += [list(archive.witnesses()), list(archive.impossible())]
    lists += [list(archive.cover()), list(archive.pgn(cover=True))]
    lists += [list(archive.games()), list(archive.games([4])), list(archive.pgn())]
    return [*lists, list(archive.files())]


def test_all_that_is_there_is_read(tmp_path: Path) -> None:
    archive = open_archive(write_run(tmp_path, files()))
    assert archive.is_complete
    assert archive.has_games
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
    assert games[3].shown == rows["Qh4#"]
    assert games[3] == (4, "Qh4#", "black", 4, SANS, "0-1")
    assert archive.game(3) == games[2]
    players = {row.san: row.players for row in archive.witnesses()}
    assert (players["f3"], players["Qh4#"]) == (("white",), ("black",))
    assert list(archive.cover()) == [("e5", 1, 2), ("f3", 1, 1), ("g4", 1, 3), ("Qh4#", 1, 4)]
    cover, shown = (
        "".join(text for _, text in archive.pgn(cover=cover)).encode() for cover in (True, False)
    )
    assert cover == files()["cover.pgn"]
    asked = ("e5", "Qh4#", "Qh4", "h4", "")
    assert [san for san in asked if archive.is_reachable(san)] == ["e5", "Qh4#"]
    assert all(archive.witness_of(san) == row for san, row in rows.items())
    assert list(archive.games({2, 4})) == [games[1], games[3]]
    assert shown == lzma.decompress(files()["games.pgn.xz"])
    assert shown == "".join(row.pgn for row in games).encode()


def test_a_run_without_games(tmp_path: Path) -> None:
    archive = open_archive(write_run(tmp_path, files(games=False)))
    assert not archive.has_games
    assert [row.game for row in archive.witnesses()] == [None] * 4
    for read in (archive.games, archive.pgn, lambda: archive.games([1])):
        with pytest.raises(ArchiveError, match=r"holds no games\.pgn\.xz$"):
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


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch, lambda _: None])
def test_what_is_no_run(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "run")
    with pytest.raises(ArchiveError, match=r"holds no finished run|is not a folder"):
        Archive(tmp_path / "run")


def test_a_table_that_cannot_be_understood(tmp_path: Path) -> None:
    """Its hash is right, as in a run of another version."""
    content = files() | {"witnesses.csv": b"san,fen\ne5,x\nf3,x\ng4,x\nQh4#,x\n"}
    archive = open_archive(write_run(tmp_path, content))
    for read in (lambda: list(archive.witnesses()), lambda: archive.witness_of("e5")):
        with pytest.raises(ArchiveError, match=r"is damaged: witnesses\.csv"):
            read()
    with pytest.raises(ArchiveError, match="has no witness of h4"):
        archive.witness_of("h4")


# Counts of played strings, beside the run

REACHABLE = open_archive().strings()


def test_the_published_counts_are_of_proven_strings_and_add_up() -> None:
    observed = open_archive().observed
    assert observed is not None
    assert set(observed.times) < set(REACHABLE)
    for san in random.Random(3).sample(REACHABLE, 300):
        assert observed.sighting(san).times == observed.times.get(san, 0)


@given(st.dictionaries(st.sampled_from(REACHABLE), st.integers(1, 10**13), max_size=40))
def test_what_was_counted_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, times: dict[str, int]
) -> None:
    observed = open_observed(write_observed(tmp_path_factory.mktemp("counts"), times))
    assert observed is not None
    assert observed.times == times
    assert list(observed.times) == sorted(times, key=lambda san: (len(san), san))
    assert observed.sighting("e4") == (times.get("e4", 0), sum(times.values()), SOURCE["games_of"])


@pytest.mark.parametrize("name", OBSERVED_FILES)
def test_counts_that_are_missing_or_changed(name: str, tmp_path: Path) -> None:
    path = write_observed(tmp_path) / name
    content = path.read_bytes()
    path.unlink()
    with pytest.raises(ArchiveError, match=name):
        open_observed(tmp_path)
    path.write_bytes(content[:-2] + b"!!")
    with pytest.raises(ArchiveError, match=name):
        open_observed(tmp_path)


LARGE = {0: "0", 12: "12", 999_999: "999,999", 1_234_567: "1.23 million"}
LARGE |= {397_801_292_866: "398 billion", 6 * 10**9: "6 billion", 2 * 10**14: "200 trillion"}


def test_numbers_in_words() -> None:
    assert {number: in_words(number) for number in LARGE} == LARGE
    for times, words in {0: "Never seen", 1: "Played once", 1200: "Played 1,200 times"}.items():
        said = Sighting(times, 5_000_000, "club games").sentence()
        assert said == f"{words} in 5 million moves of club games."


# The shortest games known, beside the run


def test_each_player_has_a_row_and_the_lower_bound_holds_for_both(tmp_path: Path) -> None:
    run = write_run(tmp_path, files() | {"games.txt.xz": lzma.compress(b"")})
    archive = open_archive(write_shortest(run))
    rows = [row for san in ("Qh4#", "f3", "e5", "g4") for row in archive.shortest_of(san)]
    assert sorted(rows) == sorted(SHORTEST)
    assert archive.earliest("Qh4#") == archive.earliest("Qh4#", "white") == SHORTEST[-1]
    assert GameRow.of_row(SHORTEST[-1]) == archive.game(4)._replace(number=0)
    assert archive.earliest("Qh5#") is archive.earliest("O-O-O") is None
    published = open_archive()  # of one part of the table: one string first, and then the others
    assert all(published.shortest_of(san) for san in ("e3", "e4", "Ne2", "e3"))
    for players, sans in (("white", ["f3", "g4"]), ("black", ["e5", "Qh4#"])):
        assert sorted(row.san for row in archive.witnesses_by([players])) == sorted(sans)
    black, white = SHORTEST[1], SHORTEST[2]._replace(bound=1)
    archive = open_archive(write_shortest(run, [white, black]))
    assert archive.earliest("e5") == black._replace(bound=1)
    assert archive.earliest("e5", "white") == white


def test_without_a_table_nothing_is_said_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    archive = open_archive(write_run(tmp_path, files()))
    assert (archive.shortest, archive.earliest("e5")) == (None, None)
    path = write_shortest(tmp_path) / PUBLISHED
    for content, words in ((path.read_bytes()[:-9], "cut short"), (b"", "parts")):
        path.write_bytes(content)
        with pytest.raises(ArchiveError, match=words):
            open_archive(tmp_path).earliest("Nh8")
    with pytest.raises(ArchiveError, match="of f3 is damaged"):
        GameRow.of_row(SHORTEST[0]._replace(text="f2f5"))
