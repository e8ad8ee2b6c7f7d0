"""Installs chess libraries, asks them the suite and makes the scoreboard.

``nox -s libraries -- [--keep | KEY...]``: each library has an environment of its own, which stays
for the next time. ``--keep`` keeps the results in ``data/`` and the tables in docs/. Then chess.js
and python-chess are asked by the packed runners, where nothing of sanproof is installed.
"""

import argparse
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from conformance import environments, keep
from conformance.scoreboard import DATA, read_scoreboard, write_scoreboard
from sanproof.reports.tables.files import write_whole
from tests.verify.command import ROOT


def survey(folder: Path, keys: list[str], *, kept: bool) -> None:
    """Ask the libraries that are named, or all."""
    core = DATA / "core.json"
    environments.main(folder, keys)
    results = folder / "results.json.xz"
    write_whole(results, keep.packed(keep.survey(folder, core, keys)))
    shutil.rmtree(folder / "scoreboard", ignore_errors=True)
    write_scoreboard(read_scoreboard(core, [results]), folder / "scoreboard")
    if kept:
        keep.main(results)


def run_alone(folder: Path) -> None:
    """Pack the runner for npm and copy the one file of Python, and ask one library with each."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in (
        *("conformance/adapters/chessjs.mjs", "verify/conformance/python_chess.py"),
        "verify/conformance/sanproof_runner.py",
    ):
        shutil.copy(ROOT / path, folder)

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
        sys.stdout.write(done.stdout)
        return done.stdout

    (folder / "package.json").write_text('{"private": true}')
    archive = run("npm", "pack", "--silent", str(ROOT / "conformance/runner")).split()[-1]
    run("npm", "install", "--silent", f"./{archive}", "chess.js")
    for option in ("--write-known", "--known"):  # it fails a few; what failed is known then
        asked = ("npx", "sanproof-conformance", "core", option, "known.txt")
        run(*asked, "--", "node", "chessjs.mjs", "--strict")
    venv.create(folder / "venv", with_pip=True)
    python = str(folder / "venv/bin/python")
    run(python, "-m", "pip", "install", "--quiet", "chess")
    core = str(ROOT / "data/conformance/core.json")
    run(python, "-P", "sanproof_runner.py", core, "--", python, "python_chess.py")


def main() -> None:
    """Ask them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("keys", nargs="*")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    if options.keep and options.keys:
        parser.error("--keep is about all libraries: leave out the others")
    survey(options.folder, options.keys, kept=options.keep)
    run_alone(options.folder.resolve() / "runners")


if __name__ == "__main__":
    main()
