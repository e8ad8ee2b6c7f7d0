"""Takes pictures of the page for the documentation: ``python -m docs.site.pictures``."""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from sanproof.reports.archive.door import open_archive
from sanproof.reports.page.folder import write_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(__file__).parents[1] / "pictures"
MOST_BYTES = 150_000
STRING, IMPOSSIBLE = "Qb6e3%23", "Ba1b2%2B"


def main() -> None:
    """Write ``string.png``, ``atlas.png`` and ``impossible.png`` in docs/pictures.

    The fonts are the system's.
    """
    program = shutil.which("chromium")
    if program is None:
        sys.exit("Install Chromium first (Debian: apt-get install chromium).")
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(temporary) / "page"
        write_page(open_archive(), folder)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(
            viewport={"width": 1100, "height": 1000}, color_scheme="light", reduced_motion="reduce"
        )
        page.goto(f"{(folder / 'index.html').as_uri()}#{STRING}")
        take(page, "#look-up", "#board piece", "string.png")
        page.check("#pieces label:has-text('bishop') input")
        page.click("#destinations [data-square=b2]")
        take(page, "#atlas", "#origins .some", "atlas.png")
        page.goto(f"{(folder / 'index.html').as_uri()}#{IMPOSSIBLE}")
        take(page, "#result", "#why-board piece", "impossible.png")
        browser.close()


def take(page: "Page", section: str, shown: str, name: str) -> None:
    """Take a picture of a section of the page, once something is shown in it."""
    page.wait_for_selector(shown)
    page.mouse.move(0, 0)
    path = FOLDER / name
    page.locator(section).screenshot(path=path, animations="disabled")
    size = path.stat().st_size
    if size > MOST_BYTES:
        sys.exit(f"{path} has {size:,} bytes, more than {MOST_BYTES:,}.")
    sys.stdout.write(f"{path}: {size:,} bytes\n")


if __name__ == "__main__":
    main()
