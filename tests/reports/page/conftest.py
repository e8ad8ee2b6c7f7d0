"""Pages of real runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sanproof.reports.archive.door import Archive, open_archive
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.page.folder import write_page
from sanproof.verify.claims.selection import select
from tests.verify.command import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def page_of(run: Path, folder: Path) -> Path:
    """Return the page of a run."""
    archive = open_archive(run)
    write_page(archive, folder, select(archive.summary["only"]).selected)
    return folder


@pytest.fixture(scope="session")
def published() -> Archive:
    """Open the data that the project publishes: all strings."""
    return open_archive(ROOT / "data")


class WithoutGames(Archive):
    """A run of which a page shows no games: they take half of the time."""

    @property
    def has_games(self) -> bool:
        return False


@pytest.fixture(scope="session")
def contents() -> Contents:
    """Return what the page of the published data is made from, without its games."""
    return read_contents(WithoutGames(ROOT / "data"))


@pytest.fixture(scope="session")
def published_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(ROOT / "data", tmp_path_factory.mktemp("published") / "page")
