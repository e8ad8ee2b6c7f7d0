"""The start of an attack on a command, the ways the command may end, and damage to files."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from tests.campaigns.forging.model import NotCaught, Runs
from tests.verify.command import command, completed, outputs, verify

PART: Final = "*xh8*"
SCAN: Final = ("--rewrite", "--rows", "csv", "--no-fast")
"""With all that a scan can write; what compiles takes longer than so few games."""
FAILURES: Final = frozenset({2, 4})
ANSWERS: Final = frozenset({0, 1, 3})
PATIENCE_SECONDS: Final = 120
PRECIOUS: Final = "precious.txt"


class World(NamedTuple):
    """The things that an attack starts from.

    Attributes:
        folder: An empty directory.
        made: Where the finished work is: ``sound``, a run of the part; the runs that forgeries are
            made of; ``games.pgn``, and ``scanned``, a scan of them.
        runs: These runs.
        random: Chance.
    """

    folder: Path
    made: Path
    runs: Runs
    random: Random

    @property
    def precious(self) -> Path:
        """A user's file, which no command may touch."""
        path = self.folder / PRECIOUS
        if not path.exists():
            path.write_text("precious")
        return path

    def check_precious(self) -> None:
        """Check that nothing has touched it; raise NotCaught otherwise."""
        if (self.folder / PRECIOUS).read_text() != "precious":
            raise NotCaught("a file outside was written")


@contextmanager
def about(what: str) -> Iterator[None]:
    """Say in what is not caught what was done."""
    try:
        yield
    except NotCaught as error:
        raise NotCaught(f"{what}: {error}") from error


def run_part(folder: Path) -> list[str]:
    """Return the arguments of a run of the part."""
    return verify(folder, PART, 2)


def scan_into(world: World, folder: Path) -> list[str]:
    """Return the arguments of the scan of the games."""
    return ["scan", str(world.made / "games.pgn"), "--out", str(folder), *SCAN]


def scan_files(folder: Path) -> dict[str, bytes]:
    """Return what a scan leaves, but for what it keeps for itself."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith("scan.")
    }


def files_of(folder: Path) -> dict[str, bytes]:
    """Return what a run or a scan leaves that is always the same."""
    return scan_files(folder) if (folder / "scan.sqlite3").exists() else outputs(folder)


def check_end(code: int, stderr: str, *, is_said: bool = True) -> None:
    """Check for a documented end: no traceback, and a failure says one sentence at least.

    Raises:
        NotCaught: It is another end.
    """
    if "Traceback" in stderr or "An error in sanproof" in stderr:
        raise NotCaught(stderr[-600:])
    if code not in ANSWERS | FAILURES:
        raise NotCaught(f"exit code {code}: {stderr[-300:]}")
    has_sentence = re.search(r"^(sanproof|Error): .|cannot be read: .", stderr, re.MULTILINE)
    if is_said and code in FAILURES and not has_sentence:
        raise NotCaught(f"exit code {code} without a sentence: {stderr[-300:]!r}")


def tried(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:  # noqa: ANN401
    """Run sanproof in a process of its own; raise NotCaught if it does not end."""
    try:
        return completed(command(*arguments), timeout=PATIENCE_SECONDS, **options)
    except subprocess.TimeoutExpired as error:
        raise NotCaught(f"it goes on for more than {PATIENCE_SECONDS} s") from error


def check_again(world: World, folder: Path, arguments: list[str], sound: Path) -> None:
    """Give a command again: it has to end with the same bytes, or to say what is wrong."""
    done = tried(*arguments)
    check_end(done.returncode, done.stderr)
    world.check_precious()
    if done.returncode == 0 and (found := files_of(folder)) != (due := files_of(sound)):
        different = sorted(n for n in {*found, *due} if found.get(n) != due.get(n))
        raise NotCaught(f"exit code 0 with other {', '.join(different)}")


# --- Changes of a file ---


def flip(path: Path, random: Random) -> None:
    """Flip a random bit, or some."""
    content = bytearray(path.read_bytes() or b"x")
    for _ in range(random.choice((1, 1, 8))):
        content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    path.write_bytes(content)


def instead(make: Callable[[Path], object]) -> Callable[[Path, Path, Random], object]:
    """Put something in the place of a file."""

    def change(path: Path, _: Path, __: Random) -> None:
        path.unlink()
        make(path)

    return change


def link(path: Path, precious: Path, _: Random) -> None:
    """Put a link to a user's file in the place of a file."""
    path.unlink()
    path.symlink_to(precious)


CHANGES: Final[dict[str, Callable[[Path, Path, Random], object]]] = {
    "emptied": lambda path, *_: path.write_bytes(b""),
    "cut": lambda path, _, random: os.truncate(path, random.randrange(path.stat().st_size)),
    "extended": lambda path, *_: path.write_bytes(path.read_bytes() + b"more"),
    "edited": lambda path, _, random: flip(path, random),
    "removed": lambda path, *_: path.unlink(),
    "a link": link,
    "a directory": instead(Path.mkdir),
    "a pipe": instead(os.mkfifo),
}


def copied(sound: Path, folder: Path, random: Random) -> Path:
    """Return a copy of a finished directory, or of its store alone: then all is written again."""
    without = None if random.random() < 0.5 else (lambda _, names: [
        name for name in names if ".sqlite3" not in name
    ])  # fmt: skip
    return Path(shutil.copytree(sound, folder, ignore=without))
