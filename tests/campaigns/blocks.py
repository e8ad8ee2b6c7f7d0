"""Runs each page's commands as a reader does.

``python -m tests.campaigns.blocks FOLDER [PAGE...]`` makes environments in a folder. Each command
runs in an environment that has sanproof with the extras that the page has named so far, and
nothing else: what needs more fails. The prompts of Python are compared with what is shown.
"""

import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tests.verify.command import ROOT

PAGES: Final = (ROOT / "README.md", ROOT / "TRUST.md", *sorted((ROOT / "docs").glob("*.md")))
PIECES: Final = re.compile(
    r"pip install [^`\n]*?(?:\.|sanproof)\[(?P<extras>[\w,]+)\]"
    r"|^```(?P<kind>console|pycon|python|sh)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
OURS: Final = re.compile(r"sanproof |python (-I )?-m sanproof")
"""A line of a block of the shell that is run; the others start programs of others."""
NOT_HERE: Final = (
    *("sanproof conformance run 'java", "sanproof conformance run ./adapter"),  # the reader's own
    *("nox ", "sanproof verify"),  # sessions of their own
)
UNREAD: Final = re.compile(r"(?m)^[0-9,]+ games?, .* (not read|stopped|unclosed)| is a table")
"""The last line says why a command ends with 2: for games that it did not read, or a table."""
FEN: Final = "rnbqk1nr/pppp1ppp/8/4p3/1b2P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 2 3"
GAME: Final = '[Event "x"]\n\n1. e4 e5 2. Ng1f3 Nc6 3. Bc4 Bc5 4. O-O *\n'


def steps(page: str, folder: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what a page has run, after the extras that it has named by then.

    Its programs are written to the folder.
    """
    extras: set[str] = set()
    prompts = ""
    for found in PIECES.finditer(page):
        kind, text, commands = found["kind"], found["text"], []
        if found["extras"]:
            extras.update(found["extras"].split(","))
        elif kind == "pycon":
            prompts += text + "\n"
            (folder / "prompts.txt").write_text(prompts)
            commands = ["python -m doctest -o ELLIPSIS prompts.txt"]
        elif kind == "python":
            named = re.search(r"`(\w+\.py)`[^`]*\Z", page[: found.start()])
            name = named[1] if named else "block.py"
            (folder / name).write_text(text)
            commands = [f"python {name} < /dev/null"]
        else:
            start = r"^\$ (.*)$" if kind == "console" else r"^(.*?)(?: +#.*)?$"
            lines = re.findall(start, text, re.MULTILINE)
            commands = [line for line in lines if kind == "console" or OURS.match(line)]
        for command in commands:
            if not command.startswith(NOT_HERE):
                yield tuple(sorted(extras)), re.sub(r"'?\bFEN'?$", f"'{FEN}'", command)


@cache
def environment(folder: Path, extras: tuple[str, ...]) -> Path:
    """Make an environment with these extras, and return its programs."""
    place = folder / ("-".join(("environment", *extras)))
    venv.create(place, with_pip=True, clear=True)
    install = (place / "bin" / "python", "-m", "pip", "install", "--quiet")
    what = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    subprocess.run([*install, what], check=True)
    return place / "bin"


def furnish(folder: Path) -> None:
    """Put into a folder what the pages take for granted: a clone's data, games, a list."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "games").mkdir(parents=True)
    (folder / "games" / "a.pgn").write_text(GAME)
    (folder / "data").symlink_to(ROOT / "data")
    for name in ("mine.txt", "san_strings.txt"):
        shutil.copy(ROOT / "data" / "san_strings.txt", folder / name)


def failures(page: Path, folder: Path) -> Iterator[str]:
    """Run what a page says; yield what fails."""
    home, number = folder / page.stem, 0
    furnish(home)
    for extras, command in steps(page.read_text("utf-8"), home):
        programs = environment(folder, extras)
        variables = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8"}
        line = ["bash", "-c", command]
        ran = subprocess.run(
            line, cwd=home, env=variables, capture_output=True, text=True, check=False
        )
        number += 1
        answered = ran.returncode in {0, 1} or UNREAD.search(ran.stderr + ran.stdout)
        if not answered or "Traceback" in ran.stderr:
            said = (ran.stderr or ran.stdout)[-600:]
            yield f"{command} (with {extras}) ends with {ran.returncode}: {said}"
    sys.stdout.write(f"{page.name:<24} {number:>3} run\n")
    sys.stdout.flush()


def main(folder: Path, *names: str) -> int:
    """Run all pages, or some; say what failed, and return 1 if anything did."""
    chosen = [page for page in PAGES if not names or page.name in names]
    wrong = [f"{page.name}: {said}\n" for page in chosen for said in failures(page, folder)]
    sys.stdout.writelines(wrong)
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), *sys.argv[2:]))
