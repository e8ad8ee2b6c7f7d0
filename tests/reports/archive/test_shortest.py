"""The table of the shortest games beside a run: what it says, and what it cannot say."""

from pathlib import Path

import pytest

from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.archive.shortest import Shortest, open_shortest
from sanproof.reports.exports.exports import plan
from tests.reports.archive.archives import SHORTEST, files, write_run, write_shortest


def read(directory: Path, *rows: str) -> Shortest:
    found = open_shortest(write_shortest(directory, rows))
    assert found is not None
    return found


def test_it_is_read_as_it_is_written(tmp_path: Path) -> None:
    found = read(tmp_path, *SHORTEST)
    written = [f"{r.player},{r.san},{r.ply},{r.bound},{r.moves}" for r in found.rows.values()]
    assert written == list(SHORTEST)
    mate = found.of("Qh4#")
    assert mate is not None
    assert mate.is_exact
    assert found.of("Qh4#", "white") is None


def test_who_is_earlier_is_shown_and_the_lower_bound_holds_for_both(tmp_path: Path) -> None:
    found = read(tmp_path, "white,e5,5,1,e2e4 a7a6 f2f3 a6a5 e4e5", "black,e5,2,2,f2f3 e7e5")
    row = found.of("e5")
    assert row is not None
    assert (row.player, row.ply, row.bound, row.is_exact) == ("black", 2, 1, False)
    assert found.of("e5", "white") == found.rows["e5", "white"]


def test_without_a_table_nothing_is_said(tmp_path: Path) -> None:
    assert open_shortest(tmp_path) is None
    archive = open_archive(write_run(tmp_path / "run", files()))
    assert archive.shortest is None
    rows = plan("strings", None, None, bare=False)._replace(columns=("san", "earliest", "bound"))
    assert set(rows.rows(archive)) == {(san, None, None) for san in ("e5", "f3", "g4", "Qh4#")}


def test_exports_have_both_plies(tmp_path: Path) -> None:
    archive = open_archive(write_shortest(write_run(tmp_path / "run", files())))
    export = plan("strings", "csv", ("san", "earliest", "bound", "id"), bare=False)
    assert list(export.rows(archive)) == [
        ("e5", 2, 2, 0), ("f3", 1, 1, 1), ("g4", 3, 1, 2), ("Qh4#", 4, 4, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "row",
    [
        "white,f3,1,3,f2f3",  # a bound above the ply
        "white,f3,3,1,f2f3",  # a ply that the game does not have
        "black,f3,1,1,f2f3",  # a ply of the other player's
        "both,f3,1,1,f2f3",
        "white,=f3,1,1,f2f3",
        "white,f3,0,0,f2f3",
        "white,f3,1,1,",
        "white,f3,1,1,f2f3 ",
        "white,g4,3,1,f2f3 e7e5 g2g4",  # a row that is there already
    ],
)
def test_what_cannot_be_is_refused(row: str, tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"is damaged: shortest\.csv\.xz"):
        _ = read(tmp_path, *SHORTEST, row).rows


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = write_shortest(tmp_path) / "shortest" / "shortest.csv.xz"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ArchiveError, match="cut short"):
        _ = Shortest(tmp_path, path.read_bytes()).rows
