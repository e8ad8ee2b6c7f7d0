"""Follows every link of a built site in a real browser: ``python -m tests.site.walk SITE``.

The site is served on the loopback. Nothing may be dead, no console may report an error, nothing
may be asked of another host, what a page loads at first may not exceed 300 kB, and axe-core must
find nothing in anybody's way, in light and in dark.
"""

import re
import shutil
import sys
import threading
from collections import deque
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from docs.site.addresses import site

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, Response

FIRST_VIEW: Final = 300_000
"""Bytes, as GitHub Pages serves them: packed with gzip."""
MEASURED: Final = (
    "index.html",
    "look-up/index.html",
    "scoreboard/index.html",
    "scoreboard/failures.html",
    "scoreboard/mechanisms.html",
    "api.html",
    "s/Ba1b2-check.html",
)
START: Final = (
    "index.html",
    "look-up/index.html",
    "look-up/rarities.html",
    "scoreboard/index.html",
)
LEAST: Final = 100
"""Fewer pages are no site: then the walk went wrong."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Walk:
    """One walk, and what it found wrong."""

    def __init__(self, folder: Path, page: "Page", address: str) -> None:
        """Take a folder that is served at an address."""
        self.folder, self.page, self.address = folder, page, address
        self.seen: set[str] = set()
        self.wrong: list[str] = []
        self.bytes = 0
        self.at = ""
        page.on("response", self._response)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._complain(f"error: {error}"))

    def run(self) -> None:
        """Open every page that a link of another leads to."""
        waiting = deque(urljoin(self.address, name) for name in (*START, *self._mapped()))
        while waiting:
            address = waiting.popleft()
            if address in self.seen:
                continue
            self.seen.add(address)
            waiting.extend(self._links(address))

    def search(self, san: str) -> None:
        """Search for a string; the search must lead to where it is looked up."""
        self.at = urljoin(self.address, f"search.html?q={quote(san, safe='')}")
        self.page.goto(self.at, wait_until="load")
        self.page.click("#as-string a")
        self.page.wait_for_selector("#verdict:not(:empty)")
        if (shown := self.page.inner_text("#san")) != san:
            self._complain(f"leads to {shown}")

    def _mapped(self) -> list[str]:
        """The pages that the site map names: those of strings are linked from elsewhere only."""
        text = (self.folder / "sitemap.xml").read_text(encoding="utf-8")
        return [name.removeprefix(site()) for name in re.findall(r"<loc>(.*?)</loc>", text)]

    def _links(self, address: str) -> list[str]:
        self.at, self.bytes = address, 0
        if not urlsplit(address).path.endswith((".html", "/")):
            self._file(address)
            return []
        self.page.goto(address, wait_until="load")
        name = address.removeprefix(self.address)
        if name in MEASURED and self.bytes > FIRST_VIEW:
            self._complain(f"{self.bytes:,} bytes at first")
        if name in MEASURED:
            sys.stdout.write(f"{name}: {self.bytes:,} bytes\n")
            self._hinders()
        if self.page.query_selector(".sidebar-tree") is None:
            self._complain("has not the site's navigation")
        found = self.page.eval_on_selector_all("a[href]", "all => all.map(a => a.href)")
        ids = set(self.page.eval_on_selector_all("[id]", "all => all.map(e => e.id)"))
        strings = self.page.query_selector("#look-up, .rarities, #failures") is not None
        ours = []
        for link in found:
            target, anchor = urldefrag(link)
            if not link.startswith(self.address):
                continue
            here = target == address or not target
            # On these pages a script reads the anchor: a string, or what is to be shown.
            if here and anchor and not strings and unquote(anchor) not in ids:
                self._complain(f"#{anchor} is not there")
            ours.append(target)
        return ours

    def _hinders(self) -> None:
        for scheme in ("dark", "light"):
            self.page.emulate_media(color_scheme=scheme)
            for found in Axe().run(self.page).response["violations"]:
                at = "; ".join(str(node["target"]) for node in found["nodes"][:3])
                self._complain(f"axe ({scheme}): {found['id']} at {at}")

    def _file(self, address: str) -> None:
        path = self.folder / unquote(address.removeprefix(self.address))
        if not path.is_file():
            self._complain("there is no such file")

    def _response(self, response: "Response") -> None:
        if not response.url.startswith((self.address, "data:")):
            self._complain(f"asks {response.url}")
        elif response.status >= 400:
            self._complain(f"{response.status} for {response.url}")
        elif response.url.startswith(self.address):
            path = self.folder / unquote(urlsplit(response.url).path.lstrip("/"))
            self.bytes += packed(path) if path.is_file() else 0

    def _console(self, message: "ConsoleMessage") -> None:
        if message.type == "error":
            self._complain(f"console: {message.text}")

    def _complain(self, what: str) -> None:
        self.wrong.append(f"{self.at}: {what}")


def packed(path: Path) -> int:
    """The bytes of a file as a server sends them."""
    import gzip  # noqa: PLC0415

    content = path.read_bytes()
    return len(content) if path.suffix == ".png" else len(gzip.compress(content, 6))


def main(folder: Path) -> None:
    """Serve the site and walk it."""
    program = shutil.which("chromium")
    if program is None:
        sys.exit("Install Chromium first (Debian: apt-get install chromium).")
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        walk = Walk(folder, browser.new_page(), f"http://127.0.0.1:{server.server_port}/")
        walk.run()
        walk.search("Qb6e3#")
        browser.close()
        server.shutdown()
    sys.stdout.write(f"{len(walk.seen)} addresses, {len(walk.wrong)} wrong\n")
    for line in walk.wrong[:50]:
        sys.stdout.write(f"{line}\n")
    if walk.wrong or len(walk.seen) < LEAST:
        sys.exit(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
