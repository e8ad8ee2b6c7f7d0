"""The table's bounds, written anew."""

from pathlib import Path

from sanproof.proofs.shortest.checks import main
from sanproof.proofs.shortest.table import ShortestRow, pack_rows, read_rows


def test_bounds_are_written_anew_and_games_stay(tmp_path: Path) -> None:
    path = tmp_path / "table.xz"
    mate = "f2f3e7e5g2g4d8h4"
    rows = [ShortestRow("Qh4#", 4, 1, mate), ShortestRow("e5", 2, 2, mate)]
    path.write_bytes(pack_rows(rows))
    assert main([str(path)]) == 0
    found = {row.san: row for row in read_rows(path)}
    assert {san: row.bound for san, row in found.items()} == {"Qh4#": 4, "e5": 2}
    assert {row.text for row in found.values()} == {mate}
    assert main([]) == 2
