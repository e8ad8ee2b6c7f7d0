"""Builds the site: ``python -m docs.site.build OUT``.

What stands in docs/ is the source; here it is gathered, the page of `sanproof report` and the
scoreboard are made beside it, and each string that a page links to gets an address of its own.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from docs.site.addresses import ROOT, site
from docs.site.first_games import write_script
from docs.site.links import aided, site_map
from docs.site.pages import gather
from docs.site.strings import FOLDER, linked, write_strings
from docs.site.taken import take_in

HERE = Path(__file__).parent
PARTS = {"look-up": ("sanproof", "report"), "scoreboard": ("conformance.scoreboard",)}
"""Folders of the site that a command makes."""


def main(arguments: list[str]) -> None:
    """Build it in a folder that is not there, or that an earlier build made."""
    parser = argparse.ArgumentParser(prog="python -m docs.site.build", description=__doc__)
    parser.add_argument("out", type=Path)
    out: Path = parser.parse_args(arguments).out.resolve()
    if out.exists() and not (out / "objects.inv").exists():
        sys.exit(f"{out} is no earlier site: name a folder that does not exist.")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as work:
        made = Path(work) / "site"
        build(made, Path(work))
        shutil.rmtree(out, ignore_errors=True)
        made.rename(out)
    sys.stdout.write(f"{out / 'index.html'}\n")


def build(out: Path, work: Path) -> None:
    """Build the whole site in a new folder, with another for what it is made of."""
    source, beside = work / "source", work / "beside"
    gather(source)
    for name, command in PARTS.items():
        made = (sys.executable, "-m", *command, "--out", str(beside / name))
        subprocess.run(made, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        (beside / name / "sanproof-page.json").unlink(missing_ok=True)
    write_script(beside / "look-up")
    look_up = (beside / "look-up" / "index.html").read_text(encoding="utf-8")
    write_strings(linked(look_up), source, beside / FOLDER)
    for name in PARTS:
        take_in(beside / name, source)
    sphinx = (sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", "--conf-dir")
    subprocess.run([*sphinx, str(HERE), str(source), str(out)], check=True)
    shutil.copytree(beside, out, dirs_exist_ok=True)
    aided(out)
    shutil.rmtree(out / ".doctrees", ignore_errors=True)
    (out / ".nojekyll").touch()  # folders that begin with an underscore are published too
    site_map(out, site())


if __name__ == "__main__":
    main(sys.argv[1:])
