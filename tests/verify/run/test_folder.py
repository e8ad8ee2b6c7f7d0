"""Nothing of a user's is lost: neither to a run's files, nor to one that is cut down."""

import json
import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from sanproof.verify.claims.selection import Selection, select
from sanproof.verify.errors import Failure, Unfinished
from sanproof.verify.run.runner import run
from sanproof.verify.run.store import RunStore
from tests.verify.command import (
    PART,
    expect_sentence,
    forge_row,
    inline_pool,
    outputs,
    sanproof,
    verify,
)

QUICK = "O-O"


def contents(directory: Path) -> dict[str, bytes]:
    files = (p for p in directory.rglob("*") if p.is_file() and "sqlite3" not in p.name)
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    "name", ["summary.md", "manifest.json", "cover.pgn", "run.log", "notes.txt", ".hidden"]
)
def test_a_directory_with_somebodys_files_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("precious")
    expect_sentence(
        sanproof(*verify(tmp_path, QUICK)), 2, str(tmp_path), name, "name an empty directory"
    )
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "precious"


def test_the_published_data_is_refused_and_stays(tmp_path: Path) -> None:
    """It has a manifest of ours, and was put together by hand."""
    data = Path(shutil.copytree(Path(__file__).parents[3] / "data", tmp_path / "data"))
    before = contents(data)
    expect_sentence(sanproof(*verify(data, QUICK)), 2, "holds other files")
    assert contents(data) == before


@pytest.mark.parametrize("name", ["san_strings.txt", "games.pgn.gz", "manifest.json"])
@pytest.mark.parametrize("kind", ["file", "link", "dangling link", "directory"])
def test_what_the_run_has_not_written_stays_in_its_directory(
    tmp_path: Path, name: str, kind: str
) -> None:
    """A run was begun there, and its user put a file beside it."""
    directory, precious = tmp_path / "run", tmp_path / "precious"
    directory.mkdir()
    with RunStore(directory):
        pass
    precious.write_text("precious")
    if kind == "file":
        shutil.copy(precious, directory / name)
    elif kind == "directory":
        (directory / name).mkdir()
    else:
        (directory / name).symlink_to(precious if kind == "link" else "nowhere")
    with pytest.raises(Failure, match=f"{name} is not a file of this run"):
        run(directory, select(QUICK), 1)
    assert (directory / name).is_symlink() == ("link" in kind)
    assert precious.read_text() == "precious"
    assert not (directory / "nowhere").exists()
    assert "run.log" not in contents_names(directory)  # it is said before any work is done


def contents_names(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def test_other_files_in_a_runs_directory_do_not_matter(finished: Path, part: Selection) -> None:
    (finished / "notes.txt").write_text("precious")
    (finished / "cover.pgn").write_text("precious")  # this run has no cover
    (finished / "san_strings.txt").unlink()
    assert not run(finished, part, 1).again
    assert (finished / "notes.txt").read_text() == "precious"
    assert (finished / "cover.pgn").read_text() == "precious"


def test_a_pipe_in_the_place_of_the_log_does_not_block(tmp_path: Path) -> None:
    with RunStore(tmp_path):
        pass
    os.mkfifo(tmp_path / "run.log")
    expect_sentence(sanproof(*verify(tmp_path, QUICK)), 2, "run.log is not a file")


@pytest.mark.parametrize("name", ["run.sqlite3", "san_strings.txt"])
def test_a_pipe_in_the_place_of_a_file_does_not_block(tmp_path: Path, name: str) -> None:
    if name != "run.sqlite3":
        with RunStore(tmp_path):
            pass
    os.mkfifo(tmp_path / name)
    expect_sentence(sanproof(*verify(tmp_path, QUICK)), 2, f"{name} is not a file")


@pytest.mark.parametrize("name", ["../precious", "{absolute}", "notes.txt", "run.log"])
@pytest.mark.parametrize("table", ["files", "finished"])
def test_names_that_no_run_writes_are_refused_before_anything_is_touched(
    tmp_path: Path, table: str, name: str
) -> None:
    """Such a name in the store once had the file removed."""
    directory, precious = tmp_path / "run", tmp_path / "precious"
    directory.mkdir()
    precious.write_text("precious")
    (directory / "notes.txt").write_text("precious")
    with RunStore(directory):
        pass
    name = name.format(absolute=precious)
    value = [] if table == "files" else ["O-O", 1, 0, {name: "00"}]
    forge_row(directory / "run.sqlite3", table, name if table == "files" else "", value)
    with pytest.raises(Failure, match=r"run\.sqlite3 is damaged \(no run writes a file"):
        run(directory, select(QUICK), 1)
    assert precious.read_text() == (directory / "notes.txt").read_text() == "precious"


def test_nothing_is_written_through_a_link(finished: Path, part: Selection) -> None:
    precious = finished.parent / "precious"
    precious.write_text("precious")
    (finished / "witnesses.csv").unlink()
    (finished / "witnesses.csv").symlink_to(precious)
    with pytest.raises(Failure, match=r"witnesses\.csv is not a file of this run"):
        run(finished, part, 1)
    assert precious.read_text() == "precious"


@pytest.mark.parametrize("name", ["run.sqlite3", "run.sqlite3-wal", "run.log"])
def test_the_store_and_the_log_are_no_links(tmp_path: Path, name: str) -> None:
    directory, precious = tmp_path / "run", tmp_path / "precious"
    directory.mkdir()
    precious.write_bytes(b"")
    with RunStore(directory):
        pass
    (directory / name).unlink(missing_ok=True)
    (directory / name).symlink_to(precious)
    with pytest.raises(Failure, match="is a symbolic link"):
        run(directory, select(QUICK), 1)
    assert precious.read_bytes() == b""


def test_a_directory_that_is_removed_meanwhile_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence once said that what was decided is kept."""
    directory = tmp_path / "run"

    def removing(*_: object, **__: object) -> NoReturn:
        shutil.rmtree(directory)
        raise KeyboardInterrupt

    monkeypatch.setattr("sanproof.verify.run.runner.hands_of_run", inline_pool)
    monkeypatch.setattr("sanproof.verify.run.runner.gather_results", removing)
    with pytest.raises(Unfinished, match="was removed while the run was at work: nothing is kept"):
        run(directory, select(QUICK), 1)


CUT = {
    "another part": ["--only", "Nxh8*"],
    "a part of it": ["--only", "?xh8*"],
    "without games": ["--only", PART, "--no-games"],
}


@pytest.mark.parametrize("options", CUT.values(), ids=CUT)
def test_a_finished_run_is_not_cut_down(finished: Path, options: list[str]) -> None:
    before = contents(finished)
    done = sanproof("verify", "--out", str(finished), "--workers", "1", *options)
    expect_sentence(done, 2, "holds a finished run", f"match {PART}, with games", "another DIR")
    assert contents(finished) == before


@pytest.mark.slow
def test_a_finished_run_may_grow(finished_run: Path, finished: Path, part: Selection) -> None:
    """Here it is one of which only a part was written before."""
    directory = finished.parent / "grown"
    directory.mkdir()
    run(directory, select("Kxh8*"), 1, games=False)
    assert "games.pgn.gz" not in contents_names(directory)
    run(directory, select("Kxh8*"), 1)
    run(directory, part, 1)
    assert outputs(directory) == outputs(finished_run)


def test_while_files_are_written_nobody_takes_them_for_a_finished_run(
    finished: Path, part: Selection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest goes first and comes last."""
    seen = []

    def write(path: Path, content: bytes) -> None:
        seen.append((path.name, (finished / "manifest.json").exists()))
        path.write_bytes(content)

    (finished / "summary.md").unlink()
    monkeypatch.setattr("sanproof.verify.run.store.write_whole", write)
    run(finished, part, 1)
    assert seen[-1] == ("manifest.json", False)
    assert not any(there for _, there in seen)
    names = json.loads((finished / "manifest.json").read_bytes())["files"]
    assert {name for name, _ in seen} == {*names, "manifest.json"}


def test_what_a_killed_run_had_begun_to_write_is_removed(finished: Path, part: Selection) -> None:
    left = finished / ".sanproof-0123456789ab.tmp"
    left.write_bytes(b"half of")
    run(finished, part, 1)
    assert not left.exists()
