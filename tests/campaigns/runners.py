"""Asks chess.js and python-chess the suite with the packed runners: ``... runners FOLDER``.

Nothing of sanproof is there: the npm package is packed and installed beside chess.js, and the one
file of Python is copied into an empty folder and run in an environment with chess alone.
"""

import json
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SUITES: Final = ROOT / "data/conformance"


def npm_package(folder: Path) -> None:
    """Put into a folder what npm packs, and where the project lives."""
    packed = ("npm", "pack", "--silent", "--pack-destination", str(folder.parent))
    done = subprocess.run(
        packed, cwd=ROOT / "conformance/runner", check=True, stdout=subprocess.PIPE
    )
    archive = folder.parent / done.stdout.decode().split()[-1]
    shutil.unpack_archive(archive, folder.parent)  # the folder in it is "package"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    address = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]
    about = json.loads((folder / "package.json").read_text("utf-8"))
    del about["scripts"]  # the suites are there
    about["repository"] = {
        "type": "git",
        "url": f"git+{address}.git",
        "directory": "conformance/runner",
    }
    (folder / "package.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def main(folder: Path) -> None:
    """Pack, install and ask."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    npm_package(folder / "package")
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
    archive = run("npm", "pack", "--silent", "./package").strip().splitlines()[-1]
    run("npm", "install", "--silent", f"./{archive}", "chess.js")
    for option in ("--write-known", "--known"):  # it fails a few; what failed is known then
        asked = ("npx", "sanproof-conformance", "core", option, "known.txt")
        run(*asked, "--", "node", "chessjs.mjs", "--strict")
    venv.create(folder / "venv", with_pip=True)
    python = str(folder / "venv/bin/python")
    run(python, "-m", "pip", "install", "--quiet", "chess")
    core = str(SUITES / "core.json")
    run(python, "-P", "sanproof_runner.py", core, "--", python, "python_chess.py")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
