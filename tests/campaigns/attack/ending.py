"""What an attack on a command starts from, and how every command has to end."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from tests.campaigns.forging.model import NotCaught, Runs
from tests.verify.command import verify

PART: Final = "*xh8*"
SCAN: Final = ("--rewrite", "--rows", "csv", "--no-fast")
"""With all that a scan can write; what compiles takes longer than so few games."""
FAILURES: Final = frozenset({2, 4})
ANSWERS: Final = frozenset({0, 1, 3})


class World(NamedTuple):
    """What an attack starts from.

    Attributes:
        sound: The directory of a finished run of the part.
        runs: The sound runs that forgeries are made of.
        folder: An empty directory.
        random: Chance.
        runs_folder: Where these runs are.
        games: A file of games.
        scanned: The directory of a finished scan of it, with rewritten games and rows.
    """

    sound: Path
    runs: Runs
    folder: Path
    random: Random
    runs_folder: Path
    games: Path
    scanned: Path

    @property
    def second(self) -> Path:
        """The directory of a finished scan of other games, in the same way."""
        return self.scanned.with_name("second")

    @property
    def merged(self) -> Path:
        """The two scans, merged."""
        return self.scanned.with_name("merged")


@contextmanager
def about(what: str) -> Iterator[None]:
    """Say in what is not caught what was done."""
    try:
        yield
    except NotCaught as error:
        raise NotCaught(f"{what}: {error}") from error


def run_part(folder: Path) -> list[str]:
    """The arguments of a run of the part."""
    return verify(folder, PART, 2)


def check_end(code: int, stderr: str, *, is_said: bool = True) -> None:
    """A documented end: no traceback, no error of ours, and a failure says one sentence at least.

    Raises:
        NotCaught: It is another end.
    """
    if "Traceback" in stderr or "An error in sanproof" in stderr:
        raise NotCaught(stderr[-600:])
    if code not in ANSWERS | FAILURES:
        raise NotCaught(f"exit code {code}: {stderr[-300:]}")
    if (
        is_said
        and code in FAILURES
        and not re.search(r"^(sanproof|Error): .+", stderr, re.MULTILINE)
    ):
        raise NotCaught(f"exit code {code} without a sentence: {stderr[-300:]!r}")
