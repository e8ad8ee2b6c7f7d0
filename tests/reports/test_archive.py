"""A finished run is read back as it was written, and a damaged one is refused in a sentence."""

import hashlib
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from reports.archive import ArchiveError, open_archive
from reports.files import gzipped
from reports.pgn import PgnGame, write_pgn

GAME = PgnGame(1, "Qxf7#", 6, ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"))
BEFORE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
AFTER = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"
SUMMARY = {
    "only": "Qxf7*",
    "strings": 3,
    "reachable": 1,
    "impossible": 1,
    "undecided": 1,
    "by_reason": {"no-twins": 1},
}
FILES = {
    "summary.json": json.dumps(SUMMARY).encode(),
    "san_strings_with_symbols.txt": b"Qxf7#",
    "witnesses.csv": f"san,before_fen,uci,after_fen,game\nQxf7#,{BEFORE},h5f7,{AFTER},1\n".encode(),
    "games.pgn.gz": gzipped(write_pgn(GAME).encode()),
    "impossible.csv.gz": gzipped(b"san,reason\nQ1xf7,no-twins\n"),
}
NAMES = sorted(FILES)


def write_run(directory: Path, files: dict[str, bytes]) -> Path:
    directory.mkdir(exist_ok=True)
    for name, content in files.items():
        (directory / name).write_bytes(content)
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    (directory / "manifest.json").write_text(json.dumps({"files": hashes}))
    return directory


def read_all(directory: Path) -> None:
    archive = open_archive(directory)
    for rows in (archive.strings(), archive.witnesses(), archive.games(), archive.impossible()):
        list(rows)


def test_everything_is_read_back(tmp_path: Path) -> None:
    archive = open_archive(write_run(tmp_path / "run", FILES))
    assert archive.summary == SUMMARY
    assert archive.strings() == ["Qxf7#"]
    assert list(archive.witnesses()) == [("Qxf7#", BEFORE, "h5f7", AFTER, 1)]
    assert list(archive.games()) == [GAME]
    assert list(archive.impossible()) == [("Q1xf7", "no-twins")]


def test_a_run_without_games_has_witnesses_without_numbers(tmp_path: Path) -> None:
    table = f"san,before_fen,uci,after_fen\nQxf7#,{BEFORE},h5f7,{AFTER}\n".encode()
    files = {name: FILES[name] for name in NAMES if name != "games.pgn.gz"}
    archive = open_archive(write_run(tmp_path / "run", files | {"witnesses.csv": table}))
    assert not archive.has_games
    assert list(archive.games()) == []
    assert [row.game for row in archive.witnesses()] == [None]


def test_published_data_may_be_packed(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", FILES)
    (run / "witnesses.csv").unlink()
    (run / "witnesses.csv.xz").write_bytes(lzma.compress(FILES["witnesses.csv"]))
    assert open_archive(run).files == FILES
    (run / "witnesses.csv.xz").write_bytes(b"not packed")
    with pytest.raises(ArchiveError, match=r"witnesses\.csv\.xz cannot be unpacked"):
        open_archive(run)


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_or_missing_file_is_named(tmp_path: Path, name: str) -> None:
    run = write_run(tmp_path / "run", FILES)
    (run / name).write_bytes(FILES[name][:-1])
    with pytest.raises(ArchiveError, match=f"{name} is damaged"):
        open_archive(run)
    (run / name).unlink()
    with pytest.raises(ArchiveError, match=f"{name}.* cannot be read"):
        open_archive(run)


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "not ASCII": lambda content: content + b"\xff",
    "another form": lambda _: b"a,b\n1,2\n",
    "packed garbage": lambda _: gzipped(b"a,b\n1,2\n"),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_file_in_another_form_never_ends_in_a_traceback(
    tmp_path: Path, name: str, change: str
) -> None:
    run = write_run(tmp_path / "run", FILES | {name: CHANGES[change](FILES[name])})
    silent = {
        ("san_strings_with_symbols.txt", "empty"),
        ("san_strings_with_symbols.txt", "another form"),
        ("games.pgn.gz", "empty"),
    }
    if (name, change) in silent:
        return  # no strings, no games, or other strings: what a file says is for others to check
    with pytest.raises(ArchiveError, match=name):
        read_all(run)


@pytest.mark.parametrize("manifest", [b"", b"[]", b"{}", b'{"files": 1}', b"\xff"])
def test_what_is_no_manifest(tmp_path: Path, manifest: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(manifest)
    with pytest.raises(ArchiveError, match="is not the manifest of a run"):
        open_archive(tmp_path)


def test_a_run_that_is_not_finished(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"holds no finished run: manifest\.json is missing"):
        open_archive(tmp_path)


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b"])
def test_a_manifest_cannot_name_files_elsewhere(tmp_path: Path, name: str) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps({"files": {name: "0"}}))
    with pytest.raises(ArchiveError, match="no file of a run"):
        open_archive(tmp_path)


def test_a_summary_that_says_too_little(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", FILES | {"summary.json": b'{"only": null}'})
    with pytest.raises(ArchiveError, match=r"summary\.json is not in the form"):
        open_archive(run)
