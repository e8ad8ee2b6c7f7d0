"""Installs chess libraries, asks them the suite and makes the scoreboard.

``nox -s harden -- libraries [--keep] [--full SECONDS] [KEY...]``: each library has an environment
of its own, which stays for the next time. ``--keep`` keeps the results in ``data/`` and the table
in docs/libraries.md; ``--full`` asks each cases of the full suite for so many seconds instead, and
tables what fails.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Final

MODULES: Final = "conformance"
SUITE: Final = "data/conformance/core.json"


def run(*arguments: str) -> None:
    """Run a module of sanproof; end as it ends if it fails."""
    code = subprocess.run([sys.executable, "-m", *arguments], check=False).returncode
    if code:
        sys.exit(code)


def main() -> None:
    """Ask the libraries that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("keys", nargs="*")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--full", metavar="SECONDS", default="")
    options = parser.parse_args()
    folder, keys = str(options.folder), options.keys
    run(f"{MODULES}.environments", folder, *keys)
    if options.full:
        table = "docs/tables/beyond.csv" if options.keep else f"{folder}/beyond.csv"
        run(f"{MODULES}.beyond", folder, options.full, table, *keys)
        return
    results = f"{folder}/results.json.xz"
    run(f"{MODULES}.survey", folder, SUITE, results, *keys)
    run(f"{MODULES}.scoreboard", results, "--out", f"{folder}/scoreboard")
    if options.keep:
        run(f"{MODULES}.keep", results)


if __name__ == "__main__":
    main()
