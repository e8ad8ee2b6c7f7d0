"""Pages of real runs, and a browser to look at them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from reports.exports.archive import Archive, open_archive
from reports.page.contents import Contents, read_contents
from reports.page.folder import write_page
from tests.verify.command import ROOT, sanproof, verify
from verify.run.selection import select

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Dialog, Page

PART = "[eQ]*xd1*"
"""Captures on d1: either player's, a promotion, and a queen's with many twins."""

WITHOUT_GAMES = "Kxd1*"
Visit = Callable[..., AbstractContextManager["Page"]]


def page_of(run: Path, folder: Path) -> Path:
    """The page of a run."""
    archive = open_archive(run)
    write_page(archive, folder, select(archive.summary["only"]).selected)
    return folder


@pytest.fixture(scope="session")
def published() -> Archive:
    """The data that the project publishes: all strings."""
    return open_archive(ROOT / "data")


@pytest.fixture(scope="session")
def contents(published: Archive) -> Contents:
    """What the page of the published data is made from."""
    return read_contents(published)


@pytest.fixture(scope="session")
def published_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(ROOT / "data", tmp_path_factory.mktemp("published") / "page")


@pytest.fixture(scope="session")
def played_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run about a part, with games."""
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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium, the one that the system has."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: `nox -s page` does it"
    )
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser) -> Visit:
    """Opens a page from disk; in the end it must have asked nothing of a host, nor complained."""

    @contextmanager
    def visiting(
        folder: Path,
        text: str = "",
        *,
        lacks: str = "",
        answered: bool = True,
        **view: Any,  # noqa: ANN401 - playwright's
    ) -> Iterator[Page]:
        # without animations: what a test reads from the board and from the page stands still
        still = {"viewport": {"width": 1100, "height": 900}, "reduced_motion": "reduce"}
        context = browser.new_context(**still | view)
        context.set_default_timeout(60_000)
        complaints: list[str] = []
        asked: list[str] = []

        def refuse(dialog: Dialog) -> None:
            complaints.append(dialog.message)
            dialog.dismiss()

        context.on("request", lambda request: asked.append(request.url))
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", refuse)
        page.goto((folder / "index.html").as_uri() + text)
        if answered:
            page.wait_for_selector("#san:not(:empty)")
        yield page
        context.close()
        assert [c for c in complaints if not (lacks and "ERR_FILE_NOT_FOUND" in c)] == []
        assert asked
        assert [url for url in asked if not url.startswith(("file://", "data:"))] == []

    return visiting
