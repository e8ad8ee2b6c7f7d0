"""Lighthouse on four pages of a site: ``python -m tests.site.lighthouse FOLDER [--slowdown N]``.

Each page must reach 95 in performance, accessibility, best practices and search. Lighthouse slows
the processor down to that of a phone, four times unless it is told otherwise; on a machine that is
slow itself, which its benchmark index shows (1,500 and more on a usual one), name a smaller number.
"""

import argparse
import gzip
import json
import mimetypes
import os
import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

PAGES: Final = (
    "index.html",
    "s/Ba1b2-check.html",
    "look-up/index.html",
    "scoreboard/index.html",
    "api.html",
)
CATEGORIES: Final = ("performance", "accessibility", "best-practices", "seo")
LEAST: Final = 95
LIGHTHOUSE: Final = "lighthouse@13"
"""From npm; it needs Node.js 22."""


class Packed(SimpleHTTPRequestHandler):
    """Sends files packed, as web hosts do."""

    def do_GET(self) -> None:
        """Send a file of the folder; there is nothing else."""
        path = Path(self.translate_path(urlsplit(self.path).path))
        if not path.is_file():
            self.send_error(404)
            return
        content, kind = path.read_bytes(), mimetypes.guess_type(path)[0] or "text/plain"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if kind != "image/png":
            content = gzip.compress(content)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def asked(address: str, slowdown: float) -> dict[str, Any]:
    """What Lighthouse says of an address."""
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


def main(arguments: list[str]) -> int:
    """Print the table; 1 if a page has too little somewhere."""
    parser = argparse.ArgumentParser(prog="python -m tests.site.lighthouse", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--slowdown", type=float, default=4, metavar="N", help="of the processor")
    given = parser.parse_args(arguments)
    bad = 0
    say = sys.stdout.write
    say(f"| page | {' | '.join(CATEGORIES)} | benchmark index |\n| --- {'| --: ' * 5}|\n")
    handler = partial(Packed, directory=str(given.folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name in PAGES:
            found = asked(f"http://127.0.0.1:{server.server_port}/{name}", given.slowdown)
            scores = [round(100 * (found["categories"][c]["score"] or 0)) for c in CATEGORIES]
            index = round(found["environment"]["benchmarkIndex"])
            say(f"| {name} | {' | '.join(map(str, scores))} | {index} |\n")
            bad += min(scores) < LEAST
        server.shutdown()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
