"""Asks chess.js and python-chess the suite with the packed runners: ``... runners FOLDER``.

Nothing of sanproof is there: the npm package is packed and installed beside chess.js, and the one
file of Python is copied into an empty folder and run in an environment with chess alone.
"""

import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def main(folder: Path) -> None:
    """Pack, install and ask."""
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


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
