"""Runs each page's commands as a reader does.

``python -m tests.campaigns.blocks FOLDER [PAGE...]`` makes environments in a folder. Each command
runs in an environment that has sanproof with the extras that the page has named so far, and
nothing else: what needs more fails. The prompts of Python are compared with what is shown.
"""

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

UNREAD: Final = re.compile(r"^[0-9,]+ games?, .* (not read|stopped|unclosed)", re.MULTILINE)
"""The last line of ``scan --check`` says why it ends with 2, if that is for games."""
ROOT: Final = Path(__file__).parents[2]
PAGES: Final = (ROOT / "README.md", ROOT / "TRUST.md", *sorted((ROOT / "docs").glob("*.md")))
PIECES: Final = re.compile(
    r"pip install [^`\n]*?(?:\.|sanproof)\[(?P<extras>[\w,]+)\]"
    r"|^```(?P<kind>console|pycon|python|sh)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
OURS: Final = re.compile(r"sanproof |python (-I )?-m sanproof")
"""A line of a block of the shell that is run; the others start programs of others."""
NOT_HERE: Final = {
    "sanproof conformance run 'java": "a library of the reader",
    "sanproof conformance run ./adapter": "a library of the reader",
    "nox ": "a session, which installs what it needs",
    "sanproof verify": "a session of its own",
}
FEN: Final = "rnbqk1nr/pppp1ppp/8/4p3/1b2P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 2 3"
ANSWERS: Final = {0, 1}
"""The exit codes of a command that could do its work; to some the answer is no."""


class Step(NamedTuple):
    """Something that a page has run, and the extras that it has named by then."""

    extras: tuple[str, ...]
    command: str


def steps(page: str, folder: Path) -> Iterator[Step]:
    """Yield what a page has run; its programs are written to the folder."""
    extras: set[str] = set()
    prompts = ""
    for found in PIECES.finditer(page):
        if found["extras"]:
            extras.update(found["extras"].split(","))
        elif found["kind"] == "pycon":
            prompts += found["text"] + "\n"
            (folder / "prompts.txt").write_text(prompts)
            yield Step(tuple(sorted(extras)), "python -m doctest -o ELLIPSIS prompts.txt")
        elif found["kind"] == "python":
            named = re.search(r"`(\w+\.py)`[^`]*\Z", page[: found.start()])
            name = named[1] if named else "block.py"
            (folder / name).write_text(found["text"])
            yield Step(tuple(sorted(extras)), f"python {name} < /dev/null")
        else:
            start = r"^\$ (.*)$" if found["kind"] == "console" else r"^(.*?)(?: +#.*)?$"
            for line in re.findall(start, found["text"], re.MULTILINE):
                ours = found["kind"] == "console" or OURS.match(line)
                if ours and not line.startswith(tuple(NOT_HERE)):
                    yield Step(tuple(sorted(extras)), re.sub(r"\bFEN$", f"'{FEN}'", line))


@cache
def environment(folder: Path, extras: tuple[str, ...]) -> Path:
    """Make an environment with these extras, and return its programs."""
    place = folder / ("-".join(("environment", *extras)))
    venv.create(place, with_pip=True, clear=True)
    what = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    install = (str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", what)
    subprocess.run(install, check=True)
    return place / "bin"


def furnish(folder: Path) -> None:
    """Put into a folder what the pages take for granted: a clone's data, games, a list."""
    folder.mkdir(parents=True)
    (folder / "data").symlink_to(ROOT / "data")
    (folder / "games").mkdir()
    text = '[Event "x"]\n\n1. e4 e5 2. Ng1f3 Nc6 3. Bc4 Bc5 4. O-O *\n'
    (folder / "games" / "a.pgn").write_text(text)
    for name in ("mine.txt", "san_strings.txt"):
        (folder / name).write_bytes((ROOT / "data" / "san_strings.txt").read_bytes())


def main(folder: Path, names: list[str]) -> int:
    """Run all pages, or some; say what failed, and return 1 if anything did."""
    wrong = 0
    for path in PAGES:
        if names and path.name not in names:
            continue
        home, done = folder / path.stem, 0
        subprocess.run(["rm", "-rf", home], check=True)
        furnish(home)
        for step in steps(path.read_text("utf-8"), home):
            path_of = f"{environment(folder, step.extras)}:/usr/bin:/bin"
            ran = subprocess.run(
                ["bash", "-c", step.command],
                cwd=home,
                env={"PATH": path_of, "HOME": str(home), "LANG": os.environ.get("LANG", "C.UTF-8")},
                capture_output=True,
                text=True,
                check=False,
            )
            done += 1
            answered = ran.returncode in ANSWERS or UNREAD.search(ran.stderr + ran.stdout)
            if not answered or "Traceback" in ran.stderr:
                wrong += 1
                beside = ", ".join(step.extras) or "no extras"
                sys.stdout.write(f"{path.name}, with {beside}: {step.command}\n")
                said = (ran.stderr or ran.stdout)[-600:]
                sys.stdout.write(f"  exit code {ran.returncode}: {said}\n")
        sys.stdout.write(f"{path.name:<24} {done:>3} run\n")
        sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
