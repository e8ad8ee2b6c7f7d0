"""``sanproof report`` as a user starts it."""

import os
from pathlib import Path

import pytest

from tests.reports.archive.archives import write_run
from tests.reports.page.samples import FILES
from tests.verify.command import ROOT, expect_sentence, expect_usage, names, sanproof


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """Make a run of three strings: what `sanproof verify` makes is for the tests in a browser."""
    return write_run(tmp_path / "finished", FILES)


def test_the_page_of_a_run_lies_beside_it(finished: Path, tmp_path: Path) -> None:
    before = names(finished)
    run = sanproof("report", str(finished))
    page = tmp_path / "finished-page" / "index.html"
    assert (run.returncode, run.stdout) == (0, f"{page}\n")
    assert "that match <code>Qxf7*</code>" in page.read_text("utf-8")
    assert names(finished) == before
    again = sanproof("report", str(finished), "--out", str(page.parent))
    assert again.returncode == 0


@pytest.mark.slow
def test_without_a_run_the_page_is_about_the_published_data(tmp_path: Path) -> None:
    run = sanproof("report", cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (run.returncode, run.stdout) == (0, "sanproof-page/index.html\n")
    page = (tmp_path / "sanproof-page" / "index.html").read_text("utf-8")
    assert "strings that the SAN grammar allows" in page
    assert [path.name for path in tmp_path.iterdir()] == ["sanproof-page"]


def test_what_is_no_run_or_no_place_is_said(finished: Path, tmp_path: Path) -> None:
    expect_usage(sanproof("report", "/nowhere"), "does not exist")
    mine, empty = tmp_path / "mine", tmp_path / "empty"
    for folder in (mine, empty):
        folder.mkdir()
    (mine / "notes.txt").write_text("mine")
    for directory, out, *words in (
        (empty, tmp_path / "page", "holds no finished run", "sanproof verify"),
        (finished, finished / "page", "need separate folders", "--out"),
        (finished, mine, "something other than a page"),
    ):
        expect_sentence(sanproof("report", str(directory), "--out", str(out)), 2, *map(str, words))
    with (finished / "witnesses.csv").open("ab") as file:
        file.write(b"\n")
    done = sanproof("report", str(finished), "--out", str(tmp_path / "page"))
    expect_sentence(done, 2, "is damaged")
    assert {path.name for path in tmp_path.iterdir()} == {"mine", "empty", "finished"}
    assert [path.name for path in mine.iterdir()] == ["notes.txt"]
