"""Installs chess libraries, asks them the suite and makes the scoreboard.

``nox -s libraries -- [--keep | KEY...]``: each library has an environment of its own, which stays
for the next time. ``--keep`` keeps the results in ``data/`` and the tables in docs/.
"""

import argparse
import shutil
from pathlib import Path

from conformance import environments, keep
from conformance.scoreboard import DATA, read_scoreboard, write_scoreboard
from sanproof.reports.tables.files import write_whole


def main() -> None:
    """Ask the libraries that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("keys", nargs="*")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    if options.keep and options.keys:
        parser.error("--keep is about all libraries: leave out the others")
    folder, keys, core = options.folder, options.keys, DATA / "core.json"
    environments.main(folder, keys)
    results = folder / "results.json.xz"
    write_whole(results, keep.packed(keep.survey(folder, core, keys)))
    shutil.rmtree(folder / "scoreboard", ignore_errors=True)
    write_scoreboard(read_scoreboard(core, [results]), folder / "scoreboard")
    if options.keep:
        keep.main(results)


if __name__ == "__main__":
    main()
