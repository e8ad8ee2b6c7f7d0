"""A built site, walked in a real browser and shown to Lighthouse: ``... site SITE [--slowdown N]``.

It is served on the loopback, packed, as web hosts do. Every link is followed: nothing may be dead,
no console may report an error, nothing may be asked of another host, what a page loads at first may
not exceed 300 kB, and axe-core must find nothing in anybody's way, in light and in dark. Then four
pages must reach 95 in performance, accessibility, best practices and search by Lighthouse. It slows
the processor down to that of a phone, four times unless it is told otherwise; on a machine that is
slow itself, which its benchmark index shows (1,500 and more on a usual one), name a smaller number.
"""

import argparse
import gzip
import json
import mimetypes
import os
import re
import shutil
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
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
MIN_PAGES: Final = 100
"""Fewer pages are no site: then the walk went wrong."""


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
        """Return the pages of the site map; those of strings are linked from elsewhere only."""
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
            self.bytes += len(sent(path)) if path.is_file() else 0

    def _console(self, message: "ConsoleMessage") -> None:
        if message.type == "error":
            self._complain(f"console: {message.text}")

    def _complain(self, what: str) -> None:
        self.wrong.append(f"{self.at}: {what}")


# --- Serving and measuring ---

PAGES: Final = (
    "index.html",
    "s/Ba1b2-check.html",
    "look-up/index.html",
    "scoreboard/index.html",
    "api.html",
)
CATEGORIES: Final = ("performance", "accessibility", "best-practices", "seo")
MIN_SCORE: Final = 95
LIGHTHOUSE: Final = "lighthouse@13"
"""From npm; it needs Node.js 22."""


class Packed(SimpleHTTPRequestHandler):
    """Sends files packed, as web hosts do."""

    def do_GET(self) -> None:
        """Send a file of the folder; there is nothing else."""
        path = Path(self.translate_path(urlsplit(self.path).path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        content = sent(path)
        self.send_response(200)
        self.send_header("Content-Type", mimetypes.guess_type(path)[0] or "text/plain")
        if path.suffix != ".png":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def asked(address: str, slowdown: float) -> dict[str, Any]:
    """Return what Lighthouse says of an address."""
    command = [*("npx", "--yes", LIGHTHOUSE, address, "--quiet", "--output=json")]
    command += ["--chrome-flags=--headless --no-sandbox"]
    command += [f"--only-categories={','.join(CATEGORIES)}"]
    command += [f"--throttling.cpuSlowdownMultiplier={slowdown}"]
    environment = {**os.environ, "CHROME_PATH": shutil.which("chromium") or ""}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        sys.exit(f"Lighthouse failed for {address}: {done.stderr[-400:]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def sent(path: Path) -> bytes:
    """Return a file as it is sent: packed, unless it is a picture."""
    content = path.read_bytes()
    return content if path.suffix == ".png" else gzip.compress(content, 6)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; yield its address."""
    handler = partial(Packed, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def walk(folder: Path, address: str) -> bool:
    """Walk the site; print what is wrong, and return whether nothing is."""
    with sync_playwright() as playwright:
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        walk = Walk(folder, browser.new_page(), address)
        walk.run()
        walk.search("Qb6e3#")
        browser.close()
    sys.stdout.write(f"{len(walk.seen)} addresses, {len(walk.wrong)} wrong\n")
    sys.stdout.write("".join(f"{line}\n" for line in walk.wrong[:50]))
    return not walk.wrong and len(walk.seen) >= MIN_PAGES


def measure(address: str, slowdown: float) -> bool:
    """Print Lighthouse's scores; return whether each is high enough."""
    say = sys.stdout.write
    say(f"| page | {' | '.join(CATEGORIES)} | benchmark index |\n| --- {'| --: ' * 5}|\n")
    good = True
    for name in PAGES:
        found = asked(f"{address}{name}", slowdown)
        scores = [round(100 * (found["categories"][c]["score"] or 0)) for c in CATEGORIES]
        index = round(found["environment"]["benchmarkIndex"])
        say(f"| {name} | {' | '.join(map(str, scores))} | {index} |\n")
        good = good and min(scores) >= MIN_SCORE
    return good


def main(arguments: list[str]) -> int:
    """Return 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="site", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--slowdown", type=float, default=4, metavar="N", help="of the processor")
    given = parser.parse_args(arguments)
    with served(given.folder) as address:
        return 0 if walk(given.folder, address) and measure(address, given.slowdown) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
