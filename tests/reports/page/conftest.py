"""Pages of real runs."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest

from sanproof.reports.archive.door import Archive, open_archive
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.page.folder import write_page
from sanproof.verify.claims.selection import select
from tests.verify.command import ROOT, sanproof, shared_folder, verify

if TYPE_CHECKING:
    from pathlib import Path

PART = "[eQ]*xd1*"
"""Captures on d1: either player's, a promotion, and a queen's with many twins."""

WITHOUT_GAMES = "Kxd1*"


def page_of(run: Path, folder: Path) -> Path:
    """Return the page of a run."""
    archive = open_archive(run)
    write_page(archive, folder, select(archive.summary["only"]).selected)
    return folder


@pytest.fixture(scope="session")
def published() -> Archive:
    """Open the data that the project publishes: all strings."""
    return open_archive(ROOT / "data")


@pytest.fixture(scope="session")
def contents(published: Archive, tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """Return what the page of the published data is made from; one process reads and checks it."""
    with shared_folder(tmp_path_factory, "contents") as base:
        kept = base / "contents.pickle"
        if not kept.exists():
            kept.write_bytes(pickle.dumps(read_contents(published)))
        found = pickle.loads(kept.read_bytes())
    assert isinstance(found, Contents)
    return found


@pytest.fixture(scope="session")
def published_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(ROOT / "data", tmp_path_factory.mktemp("published") / "page")


@pytest.fixture(scope="session")
def played_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a run about a part, with games."""
    directory = tmp_path_factory.mktemp("played") / "run"
    run = sanproof(*verify(directory, PART))
    assert run.returncode == 0, run.stderr
    return directory


@pytest.fixture(scope="session")
def played_page(played_run: Path) -> Path:
    return page_of(played_run, played_run.parent / "page")


@pytest.fixture(scope="session")
def page_without_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("quick") / "run"
    run = sanproof(*verify(directory, WITHOUT_GAMES), "--no-games")
    assert run.returncode == 0, run.stderr
    return page_of(directory, directory.parent / "page")
