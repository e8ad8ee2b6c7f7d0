"""A browser to look at pages, one for all tests of them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Dialog, Page

Visit = Callable[..., AbstractContextManager["Page"]]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield a headless Chromium, the one that the system has."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: `nox -s browser` does it"
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
    """Open a page from disk; it must ask nothing of a host, nor complain, nor may axe-core."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    @contextmanager
    def visiting(
        folder: Path,
        text: str = "",
        *,
        name: str = "index.html",
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
        page.goto((folder / name).as_uri() + text)
        if answered:
            page.wait_for_selector("#san:not(:empty)")
        yield page
        found = axe.run(page, options={"preload": False}).response["violations"]
        complaints.extend(violation["help"] for violation in found)
        context.close()
        assert complaints == []
        assert asked
        assert [url for url in asked if not url.startswith(("file://", "data:"))] == []

    return visiting
