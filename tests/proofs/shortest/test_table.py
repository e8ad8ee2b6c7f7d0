"""The table of the shortest games: its form, and what the kernel says of its rows."""

import lzma
from collections import defaultdict
from pathlib import Path

import pytest

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.shortest.exhaustion import Exhaustion
from sanproof.proofs.shortest.moves import code_of
from sanproof.proofs.shortest.table import (
    HEADER,
    PUBLISHED,
    ShortestRow,
    check_rows,
    earliest,
    pack_rows,
    read_rows,
)
from sanproof.reports.archive.door import published_directory

MATE = ("f2f4", "e7e5", "g2g4", "d8h4")
ROWS = [
    ShortestRow("black", "Qh4#", 4, 4, MATE),
    ShortestRow("black", "e5", 2, 2, MATE),
    ShortestRow("white", "f4", 1, 1, MATE),
]
TABLE = published_directory() / PUBLISHED


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "shortest.csv.xz"
    path.write_bytes(pack_rows(ROWS))
    rows = list(read_rows(path))
    assert sorted(rows) == sorted(ROWS)
    for by_kernel in (True, False):
        check_rows(rows, by_kernel=by_kernel)


@pytest.mark.parametrize("by_kernel", [True, False])
@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (ROWS[0]._replace(bound=5), "its bound 5 is above 4"),
        (ROWS[0]._replace(player="white"), "ply 4 is the other player's"),
        (ROWS[0]._replace(san="Qh4+"), "Qh4#"),
        (ROWS[1]._replace(moves=MATE[:3]), "does not end in checkmate"),
        (ROWS[1]._replace(moves=("e2e5", *MATE)), "not legal"),
    ],
)
def test_a_row_that_does_not_hold_is_refused(row: ShortestRow, wrong: str, by_kernel: bool) -> None:
    with pytest.raises(EvidenceError, match=wrong):
        check_rows([row], by_kernel=by_kernel)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("player,san\n", "begins with"),
        (f"{HEADER}\nwhite,e4,1,1,e2e4\nwhite,e4,1,1,e2e4\n", "line 3 lists white's e4 again"),
        (f"{HEADER}\nred,e4,1,1,e2e4\n", "line 2 is no row"),
        (f"{HEADER}\nwhite,e4,0,1,e2e4\n", "line 2 is no row"),
        (f"{HEADER}\nwhite,e4,1,1,\n", "line 2 is no row"),
    ],
)
def test_a_file_in_another_form_is_refused(tmp_path: Path, text: str, wrong: str) -> None:
    path = tmp_path / "shortest.csv.xz"
    path.write_bytes(lzma.compress(text.encode()))
    with pytest.raises(EvidenceError, match=wrong):
        list(read_rows(path))


def test_the_published_games_begin_with_those_of_an_exhaustion() -> None:
    exhaustion = Exhaustion(5)
    for _ in exhaustion.steps():
        pass
    expected: dict[int, set[int]] = {
        ply.ply: {first.code for first in ply.firsts} for ply in exhaustion.plies
    }
    found: dict[int, set[int]] = defaultdict(set)
    for row in read_rows(TABLE):
        if row.ply <= 5:
            assert row.exact
            found[row.ply].add(code_of(row.san))
    assert found == expected


def test_published_games_hold_for_the_kernel() -> None:
    rows = list(read_rows(TABLE))
    check_rows(rows[::120])
    best = earliest(rows)
    assert len(best) == 28_938
    assert best["Qh4#"].ply == best["Qh4#"].bound == 4
