"""The page of a scan says what the scan's files say, and nothing in it is markup."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from sanproof.proofs.rules.san import parse_san
from sanproof.reports.archive.door import ArchiveError, open_archive
from sanproof.reports.page.kinds import KINDS
from sanproof.reports.page.scan_page import LONGEST_TEXT, is_scan, read_scan, scan_page
from tests.reports.archive.archives import files, write_run
from tests.reports.page import markup
from tests.reports.page.markup import EVIL, expect_only_text, text_of
from tests.verify.command import ROOT, expect_sentence, sanproof

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
OPEN: Final = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
PROMOTES: Final = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
CASTLES: Final = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4"

COLUMNS: Final = ("string", "times", "games", "first_source", "first_game", "first_ply")
COUNTS: Final = (
    ("e4", 5, 4, "games/a.pgn", 1, 1),
    ("e5", 4, 4, "games/a.pgn", 1, 2),
    ("Nf3", 2, 2, "games/a.pgn", 2, 3),
    ("O-O", 1, 1, "games/b.pgn", 1, 7),
    ("Qb6e3#", 1, 1, "games/b.pgn", 2, 61),
)
DEVIATING: Final = (
    *("source", "game", "ply", "line", "column"),
    *("written", "canonical", "kind", "fen"),
)
DEVIATIONS: Final = (
    ("games/a.pgn", 2, 3, 9, 13, "Ng1f3", "Nf3", "excess-square", OPEN),
    ("games/a.pgn", 3, 3, 19, 13, "a7a8=Q", "a8=Q", "excess-square", PROMOTES),
    ("games/b.pgn", 1, 7, 9, 36, "0-0", "O-O", "zeros-in-castling", CASTLES),
    ("games/b.pgn", 3, 3, 29, 13, "Ke3", "", "illegal cannot-reach", OPEN),
)
SUMMARY: Final[dict[str, Any]] = {
    "sources": [{"name": "games/a.pgn", "games": 3}, {"name": "games/b.pgn", "games": 4}],
    "total": {"games": 9, "games_read": 6, "games_stopped": 1, "games_left-out": 2, "moves": 13},
    "strings": {"proven": 28938, "played": 5},
    "most_frequent": {"e4": 5},
    "rarest": {"O-O": 1},
    "deviations": {"zeros-in-castling": 1, "excess-square": 2, "illegal cannot-reach": 1},
    "settings": {"files": ["games"]},
}


def _table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode(errors="surrogateescape")


def write_scan(
    directory: Path,
    *,
    summary: Mapping[str, Any] | None = None,
    counts: Sequence[Sequence[object]] = COUNTS,
    deviations: Sequence[Sequence[object]] = DEVIATIONS,
) -> Path:
    """Write the files of a scan; the entries of ``summary`` replace those of the usual one."""
    directory.mkdir(exist_ok=True)
    (directory / "counts.csv").write_bytes(_table(COLUMNS, counts))
    (directory / "deviations.csv").write_bytes(_table(DEVIATING, deviations))
    (directory / "summary.json").write_text(json.dumps(SUMMARY | dict(summary or {})))
    return directory


PROVEN = sorted({*open_archive(ROOT / "data").strings()[::29], *(row[0] for row in COUNTS)})


def page_of(directory: Path, proven: Sequence[str] = PROVEN) -> str:
    return scan_page(read_scan(directory), proven).decode()


def rows_of(page: str, caption: str) -> list[list[str]]:
    return [list(map(text_of, row)) for row in markup.rows_of(page, caption)]


def test_what_was_counted_is_shown(tmp_path: Path) -> None:
    page = page_of(write_scan(tmp_path))
    assert "13 moves of 7 games in 2 files" in page
    assert f"<strong>{len(COUNTS)}</strong> of the {len(PROVEN):,} strings" in page
    shown = {what: number for what, number in rows_of(page, "What was read")}  # noqa: C416
    assert (shown["games"], shown["games left out"]) == ("9", "2")
    assert (shown["games stopped"], shown["games read"]) == ("1", "6")
    assert rows_of(page, "Files") == [["games/b.pgn", "4"], ["games/a.pgn", "3"]]
    assert rows_of(page, "Most frequent")[0] == ["e4", "5", "4"]
    rare = rows_of(page, "Rarest")
    assert rare[0] == ["O-O", "1", "b.pgn, game 1, move 4"]
    assert rare[1] == ["Qb6e3#", "1", "b.pgn, game 2, move 31"]
    for title, (_, kind_of, _) in KINDS.items():
        rows = rows_of(page, title)
        assert sum(int(can.replace(",", "")) for _, can, _, _ in rows) == len(PROVEN)
        for kind, _, did, _ in rows:
            assert int(did) == sum(kind_of(parse_san(str(row[0]))) == kind for row in COUNTS)


def test_a_scan_of_nothing(tmp_path: Path) -> None:
    empty = {"sources": [], "total": {"games": 0, "moves": 0}, "deviations": {}}
    page = page_of(write_scan(tmp_path, summary=empty, counts=[], deviations=[]))
    assert "<strong>0</strong> of the" in page


def test_each_kind_has_its_examples_on_a_board(tmp_path: Path) -> None:
    page = page_of(write_scan(tmp_path))
    assert rows_of(page, "Kinds of deviations") == [
        ["excess-square", "2"],
        ["illegal cannot-reach", "1"],
        ["zeros-in-castling", "1"],
    ]
    boards = re.findall(r'<div class="board" data-fen="([^"]*)"([^>]*)>', page)
    assert boards == [
        (OPEN, ' data-from="g1" data-to="f3"'),
        (PROMOTES, ' data-from="a7" data-to="a8"'),
        (OPEN, ""),  # the text denotes no move
        (CASTLES, ' data-from="e1" data-to="g1"'),
    ]
    assert '<span class="san">Ng1f3</span>, to be written <span class="san">Nf3</span>' in page
    assert "a.pgn, line 9, game 2, move 2" in page


def test_evil_names_and_texts_add_no_element(tmp_path: Path) -> None:
    pages = {}
    for text in ("plain", EVIL):
        rows = [(text, 1, 1, 1, 1, text, text, "not-san", START)]
        sources = [{"name": text, "games": 7}]
        summary = {"sources": sources, "deviations": {"not-san": 1}, "total": {text: 3}}
        counts = [("e4", 1, 1, text, 1, 1)]
        pages[text] = page_of(write_scan(tmp_path, summary=summary, counts=counts, deviations=rows))
    expect_only_text(*pages.values())


def test_the_command_shows_a_scan(tmp_path: Path) -> None:
    directory = write_scan(tmp_path / "scan")
    assert is_scan(directory)
    assert not is_scan(write_scan(write_run(tmp_path / "both", files())))
    run = sanproof("report", str(directory))
    assert (run.returncode, run.stderr) == (0, "")
    page = tmp_path / "scan-page" / "index.html"
    assert run.stdout == f"{page}\n"
    assert '<td class="rule">games read</td>' in page.read_text()
    expect_sentence(sanproof("report", str(directory)), 2, "new or empty")
    (directory / "counts.csv").write_text("no,counts\n")
    expect_sentence(sanproof("report", str(directory), "--out", "x"), 2, "is damaged")


def test_foreign_texts_are_short_and_visible(tmp_path: Path) -> None:
    texts = ("N" * 500, "e4\x00\x1b[31m\u202e", 'a,"b\nc', "\udcff")
    rows = [("a", 1, 1, 1, 1, text, "", "not-san", "no position") for text in texts]
    for row in rows:
        scan = read_scan(
            write_scan(tmp_path, summary={"deviations": {"not-san": 4}}, deviations=[row])
        )
        (example,) = scan.examples["not-san"]
        assert example["written"].isprintable()
        assert 0 < len(example["written"]) <= LONGEST_TEXT
        assert example["fen"] == ""


def test_damaged_and_missing_files_are_a_sentence(tmp_path: Path) -> None:
    for text in ("", "[]", "[" * 100_000, '{"sources": []}'):
        (write_scan(tmp_path) / "summary.json").write_text(text)
        with pytest.raises(ArchiveError, match="is damaged"):
            read_scan(tmp_path)
    with pytest.raises(ArchiveError, match="is damaged"):
        read_scan(write_scan(tmp_path, counts=[("e4", "x", 1, "a", 1, 1)]))
    (write_scan(tmp_path) / "deviations.csv").unlink()
    with pytest.raises(ArchiveError, match="cannot be read"):
        read_scan(tmp_path)
