"""A scan is read as it was written; a damaged one ends with a sentence."""

from pathlib import Path

import pytest

from sanproof.reports.page.scanned import (
    LONGEST_TEXT,
    MOST_EXAMPLES,
    MOST_KINDS,
    PlayedString,
    ScanError,
    is_scan,
    read_scan,
)
from tests.reports.archive.archives import files, write_run
from tests.reports.page.scans import COUNTS, OPEN, START, write_scan


def test_a_scan_is_read(tmp_path: Path) -> None:
    scan = read_scan(write_scan(tmp_path))
    assert scan.sources == [("games/a.pgn", 3), ("games/b.pgn", 4)]
    assert scan.played == [PlayedString(*row) for row in COUNTS]
    assert list(scan.kinds) == ["excess-square", "illegal cannot-reach", "zeros-in-castling"]
    first, second = scan.examples["excess-square"]
    assert (first.written, first.canonical, first.line, first.fen) == ("Ng1f3", "Nf3", 9, OPEN)
    assert second.game == 3
    assert scan.examples["illegal cannot-reach"][0].canonical == ""


def test_a_scan_and_a_run_are_told_apart(tmp_path: Path) -> None:
    assert is_scan(write_scan(tmp_path / "scan"))
    assert not is_scan(write_run(tmp_path / "run", files()))
    assert not is_scan(tmp_path)
    assert not is_scan(write_scan(write_run(tmp_path / "both", files())))


def test_of_many_deviations_the_first_of_the_most_frequent_kinds_are_kept(tmp_path: Path) -> None:
    kinds = {f"kind-{'x' * n}": n for n in range(1, MOST_KINDS + 3)}
    rows = [("a", n, 1, 1, 1, "e3", "e4", kind, START) for kind in kinds for n in range(1, 9)]
    scan = read_scan(write_scan(tmp_path, summary={"deviations": kinds}, deviations=rows))
    assert len(scan.kinds) == MOST_KINDS + 2
    assert len(scan.examples) == MOST_KINDS
    assert f"kind-{'x' * 1}" not in scan.examples
    for examples in scan.examples.values():
        assert [example.game for example in examples] == list(range(1, MOST_EXAMPLES + 1))


def test_foreign_texts_are_short_and_visible(tmp_path: Path) -> None:
    texts = ("N" * 500, "e4\x00\x1b[31m\u202e", 'a,"b\nc', "\udcff")
    rows = [("a", 1, 1, 1, 1, text, "", "not-san", "no position") for text in texts]
    for row in rows:
        scan = read_scan(
            write_scan(tmp_path, summary={"deviations": {"not-san": 4}}, deviations=[row])
        )
        (example,) = scan.examples["not-san"]
        assert example.written.isprintable()
        assert 0 < len(example.written) <= LONGEST_TEXT
        assert example.fen == ""


@pytest.mark.parametrize(
    "summary",
    [
        {"sources": None},
        {"sources": [{"name": 1, "games": 1}]},
        {"sources": [{"name": "a"}]},
        {"total": {"games": -1}},
        {"total": {"games": True}},
        {"total": [1]},
        {"deviations": {"<b>": 1}},
        {"deviations": {"a": 1.5}},
        {"refuting": {}},
        {"refuting": [{"source": "a"}]},
    ],
)
def test_a_damaged_summary_is_a_sentence(summary: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(ScanError, match="is damaged: it holds no scan"):
        read_scan(write_scan(tmp_path, summary=summary))


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, '{"sources": []}', "\xff"])
def test_a_summary_that_is_none(text: str, tmp_path: Path) -> None:
    (write_scan(tmp_path) / "summary.json").write_text(text, "latin-1")
    with pytest.raises(ScanError, match="is damaged: it holds no scan"):
        read_scan(tmp_path)


@pytest.mark.parametrize(
    "counts",
    [
        [("e9", 1, 1, "a", 1, 1)],
        [("=1+1", 1, 1, "a", 1, 1)],
        [("e4", "many", 1, "a", 1, 1)],
        [("e4", 1)],
    ],
)
def test_damaged_counts_are_a_sentence(counts: list[tuple[object, ...]], tmp_path: Path) -> None:
    with pytest.raises(ScanError, match="is damaged: it holds no scan"):
        read_scan(write_scan(tmp_path, counts=counts))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    (write_scan(tmp_path) / "deviations.csv").unlink()
    with pytest.raises(ScanError, match=r"deviations\.csv cannot be read: No such file"):
        read_scan(tmp_path)
