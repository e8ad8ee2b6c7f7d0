"""Installs chess libraries, asks them the suite and makes the scoreboard.

``nox -s libraries -- [--keep] [--full SECONDS] [KEY...]``: each library has an environment
of its own, which stays for the next time. ``--keep`` keeps the results in ``data/`` and the table
in docs/libraries.md; ``--full`` asks each cases of the full suite for so many seconds instead, and
tables what fails.
"""

import argparse
from pathlib import Path
from typing import Final

from conformance import beyond, environments, keep, survey
from conformance.scoreboard.__main__ import report as scoreboard

TABLE: Final = "beyond.csv"


def main() -> None:
    """Ask the libraries that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("keys", nargs="*")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--full", metavar="SECONDS", type=float)
    options = parser.parse_args()
    folder, keys = options.folder, options.keys
    environments.main(folder, keys)
    if options.full is not None:
        beyond.main(folder, options.full, (keep.TABLES if options.keep else folder) / TABLE, keys)
        return
    results = folder / "results.json.xz"
    survey.main(folder, keep.DATA / "core.json", results, keys)
    pages = str(folder / "scoreboard")
    scoreboard.main([str(results), "--out", pages], standalone_mode=False)
    if options.keep:
        keep.main(results)


if __name__ == "__main__":
    main()
