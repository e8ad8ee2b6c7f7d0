"""Pages of real runs."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest import mock

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


@pytest.fixture(scope="session")
def contents(published: Archive) -> Contents:
    """Return what the page of the published data is made from, without the games of strings."""
    with mock.patch.object(Archive, "has_games", new=False):  # they take half of the time
        return read_contents(published)


@pytest.fixture(scope="session")
def published_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(ROOT / "data", tmp_path_factory.mktemp("published") / "page")
