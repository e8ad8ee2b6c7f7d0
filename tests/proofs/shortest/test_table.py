"""The table of the shortest games: its form, and what the kernel says of its rows."""

import lzma
from pathlib import Path

import pytest

from sanproof.proofs.kernel.files import EvidenceError
from sanproof.proofs.shortest import checks
from sanproof.proofs.shortest.checks import check_rows, main
from sanproof.proofs.shortest.table import (
    HEADER,
    PARTS,
    ShortestRow,
    pack_rows,
    packed_game,
    part_of,
    read_rows,
    rows_of,
)
from tests.games import published_rows

MATE = "f2f4e7e5g2g4d8h4"
ROWS = [
    ShortestRow("Qh4#", 4, 4, MATE),
    ShortestRow("e5", 2, 2, MATE),
    ShortestRow("f4", 1, 1, MATE),
    ShortestRow("f3", 1, 1, "f2f3e7e5g2g4d8h4"),
]


def test_rows_are_read_as_they_were_written_and_their_bounds_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "shortest.txt.xz"
    path.write_bytes(pack_rows([row._replace(bound=1) for row in ROWS]))
    assert main([str(path)]) == 0
    assert sorted(read_rows(path)) == sorted(ROWS)
    assert main([]) == 2
    path.write_bytes(pack_rows([ShortestRow("a2", 1, 1, MATE)]))
    with pytest.raises(EvidenceError, match="never writes a2"):
        main([str(path)])


def test_a_promotion_keeps_its_piece_and_its_rank() -> None:
    moves = ("e2e4", "b7a8q", "b2a1n")
    row = ShortestRow("bxa8=Q", 2, 2, packed_game(moves))
    assert (row.text, row.moves, row.player) == ("e2e4b7aqb2an", moves, "black")


def test_a_string_is_in_the_part_of_its_destination() -> None:
    parts = {"exd8=B+": "d5", "Nbxd4#": "d1", "O-O+": "g1", "O-O-O": "c1", "Qa1h5": "h5"}
    assert {san: part_of(san) for san in parts} == parts


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (ROWS[0]._replace(san="Qh4+"), "Qh4#"),
        (ROWS[1]._replace(ply=4), "Qh4#"),
        (ROWS[1]._replace(text=MATE[:12]), "does not end in checkmate"),
        (ROWS[1]._replace(text="e2e5" + MATE), "not legal"),
        (ROWS[0]._replace(ply=6, bound=6, text="e2e4e7e5" + MATE), "not legal"),
        (ShortestRow("g4", 11, 11, 2 * "b1c3b8c6c3b1c6b8" + MATE), "11, and 9 is what is proved"),
    ],
)
def test_a_row_that_does_not_hold_is_refused(row: ShortestRow, wrong: str) -> None:
    with pytest.raises(EvidenceError, match=wrong):
        check_rows(rows_of(pack_rows([row])))


def test_an_argument_that_rules_a_game_out_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "argument", lambda *_, **__: None)
    with pytest.raises(EvidenceError, match="rules out"):
        check_rows([ShortestRow("g4", 11, 11, 2 * "b1c3b8c6c3b1c6b8" + MATE)])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("player,san\n\n\n", "not in the form"),
        (f"{HEADER}\na4,1,1,0\n\na2a4\n", "not in the form"),
        (f"{HEADER}\na4,1,1,0,1\na4,1,1,1,0\n\na2a4\n", "two rows of white's a4"),
        (f"{HEADER}\na4,1,1,1,0\n\n\n", "a4 has a game of more moves"),
        (f"{HEADER}\na4,1,1,0,2\n\na2a4\n", "a4 has a game of more moves"),
        (f"{HEADER}\na4,1,1,0,1\n\na2a4a7a5\n", "moves of no game"),
        (f"{HEADER}\na4,1,1,0,1\n\na2a9\n", "no game has a4"),
        (f"{HEADER}\na4,3,4,0,3\n\na2a4a7a5b2b4\n", "no game has a4 at ply 3, not before 4"),
        (f"{HEADER}\na4,2,1,0,1\n\na2a4\n", "no game has a4 at ply 2, not before 1"),
        (f"{HEADER}\na4,0,0,0,1\n\na2a4\n", "no game has a4 at ply 0, not before 0"),
        (f"{HEADER}\ne4,1,1,0,1\n\ne2e4\n", "a row of e4, which is looked for elsewhere"),
    ],
)
def test_a_file_in_another_form_is_refused(tmp_path: Path, text: str, wrong: str) -> None:
    empty = lzma.compress(f"{HEADER}\n\n\n".encode())
    path = tmp_path / "shortest.txt.xz"
    path.write_bytes(lzma.compress(text.encode()) + empty * (len(PARTS) - 1))
    with pytest.raises(EvidenceError, match=wrong):
        read_rows(path)
    path.write_bytes(empty)
    with pytest.raises(EvidenceError, match="has 1 parts, not 16"):
        read_rows(path)


def test_published_games_hold_for_the_kernel() -> None:
    check_rows(published_rows()[::120])
    assert len({row.san for row in published_rows()}) == 28_938
