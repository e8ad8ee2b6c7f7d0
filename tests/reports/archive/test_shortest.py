"""The table of the shortest games beside a run: what it says, and what it cannot say."""

import lzma
from pathlib import Path

import pytest

from sanproof.proofs.shortest.table import PUBLISHED, ShortestRow
from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.archive.replayed import witnesses_by
from sanproof.reports.archive.shortest import Shortest, open_shortest
from sanproof.reports.exports.exports import plan
from tests.reports.archive.archives import SHORTEST, files, write_run, write_shortest


def read(directory: Path, *rows: ShortestRow) -> Shortest:
    found = open_shortest(write_shortest(directory, rows))
    assert found is not None
    return found


def test_it_is_read_as_it_is_written(tmp_path: Path) -> None:
    found = read(tmp_path, *SHORTEST)
    for _ in range(2):  # one string first, and then the others of its part
        rows = [row for san in ("Qh4#", "f3", "e5", "g4") for row in found.rows_of(san)]
        assert sorted(rows) == sorted(SHORTEST)
    assert found.of("Qh4#") == SHORTEST[-1]
    assert found.of("Qh4#", "white") is found.of("Qh5#") is found.of("O-O-O") is None


def test_who_is_earlier_is_shown_and_the_lower_bound_holds_for_both(tmp_path: Path) -> None:
    black, white = SHORTEST[1:3]
    found = read(tmp_path, white._replace(bound=1), black)
    row = found.of("e5")
    assert row is not None
    assert (row.player, row.ply, row.bound, row.exact) == ("black", 2, 1, False)
    assert found.of("e5", "white") == white._replace(bound=1)


def test_without_a_table_nothing_is_said(tmp_path: Path) -> None:
    assert open_shortest(tmp_path) is None
    archive = open_archive(write_run(tmp_path / "run", files()))
    assert archive.shortest is None
    rows = plan("strings", None, None, bare=False)._replace(columns=("san", "earliest", "bound"))
    assert set(rows.rows(archive)) == {(san, None, None) for san in ("e5", "f3", "g4", "Qh4#")}


def test_the_shortest_game_and_both_players_witnesses(tmp_path: Path) -> None:
    content = files() | {"games.txt.xz": lzma.compress(b"")}  # nobody else plays a string
    archive = open_archive(write_shortest(write_run(tmp_path / "run", content)))
    earliest = archive.earliest("Qh4#", "white")
    assert earliest is not None
    assert earliest.game == archive.game(4)._replace(number=0)
    for players, sans in (("white", ["f3", "g4"]), ("black", ["e5", "Qh4#"])):
        assert sorted(row.san for row in witnesses_by(archive, [players])) == sorted(sans)


def test_exports_have_both_plies(tmp_path: Path) -> None:
    archive = open_archive(write_shortest(write_run(tmp_path / "run", files())))
    export = plan("strings", "csv", ("san", "earliest", "bound", "id"), bare=False)
    assert list(export.rows(archive)) == [
        ("e5", 2, 2, 0), ("f3", 1, 1, 1), ("g4", 3, 1, 2), ("Qh4#", 4, 4, 3),
    ]  # fmt: skip


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = write_shortest(tmp_path) / PUBLISHED
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ArchiveError, match="cut short"):
        Shortest(tmp_path, path.read_bytes()).rows_of("Nh8")
