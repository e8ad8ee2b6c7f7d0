"""A run's directory: nothing of a user's is lost."""

import json
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from sanproof.verify.claims.selection import Selection, select
from sanproof.verify.errors import Failure, Unfinished
from sanproof.verify.run.runner import run
from sanproof.verify.run.store import RunStore
from tests.verify.command import PART, expect_sentence, inline_pool, outputs, sanproof, verify

# Nothing of a user's is lost: neither to a run's files, nor to one that is cut down

QUICK = "O-O"


def contents(directory: Path) -> dict[str, bytes]:
    files = (p for p in directory.rglob("*") if p.is_file() and "sqlite3" not in p.name)
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


@pytest.mark.parametrize("name", ["manifest.json", "cover.pgn", ".hidden"])
def test_a_directory_with_somebodys_files_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("precious")
    expect_sentence(
        sanproof(*verify(tmp_path, QUICK)), 2, str(tmp_path), name, "Choose an empty folder"
    )
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "precious"


@pytest.mark.parametrize("name", ["games.pgn.xz", "manifest.json"])
def test_what_the_run_has_not_written_stays_in_its_directory(tmp_path: Path, name: str) -> None:
    """A run was begun there, and its user put a file beside it."""
    with RunStore(tmp_path):
        pass
    (tmp_path / name).write_text("precious")
    with pytest.raises(Failure, match=f"{name} is not a file of this run"):
        run(tmp_path, select(QUICK), 1)
    assert (tmp_path / name).read_text() == "precious"
    assert "run.log" not in contents_names(tmp_path)  # it is said before any work is done


def contents_names(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def test_other_files_in_a_runs_directory_do_not_matter(finished: Path, part: Selection) -> None:
    (finished / "notes.txt").write_text("precious")
    (finished / "cover.pgn").write_text("precious")  # this run has no cover
    (finished / "san_strings.txt").unlink()
    assert not run(finished, part, 1)[1]
    assert (finished / "notes.txt").read_text() == "precious"
    assert (finished / "cover.pgn").read_text() == "precious"


def test_a_directory_that_is_removed_meanwhile_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence once said that what was decided is kept."""
    directory = tmp_path / "run"

    def removing(*_: object, **__: object) -> NoReturn:
        shutil.rmtree(directory)
        raise KeyboardInterrupt

    monkeypatch.setattr("sanproof.verify.run.runner.worker_pool", inline_pool)
    monkeypatch.setattr("sanproof.verify.run.runner.publish", removing)
    with pytest.raises(Unfinished, match="was removed during the run: nothing is kept"):
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


def test_a_finished_run_may_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One directory for the king's captures without games, with them, and for its other moves."""
    monkeypatch.setattr("sanproof.verify.run.runner.worker_pool", inline_pool)
    grown = tmp_path / "grown"
    run(grown, select("Kxa1"), 1, games=False)
    assert "games.pgn.xz" not in contents_names(grown)
    run(grown, select("Kxa1"), 1)
    run(grown, select("K*a1"), 1)
    run(tmp_path / "at once", select("K*a1"), 1)
    assert outputs(grown) == outputs(tmp_path / "at once")


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
