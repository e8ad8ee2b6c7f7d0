"""Scans the game files of packages: ``python -m tests.packages FOLDER``.

What sanproof says is compared with python-chess, game by game, and with pgn-extract, file by file.
Each difference stands in ``differences.csv`` with why it is one; any other fails, and so does a row
that is no difference any more.
"""

import csv
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple

from tests.packages.fetching import fetch, read_list
from tests.packages.readers import (
    PGN_EXTRACT,
    PYTHON_CHESS,
    Reading,
    by_pgn_extract,
    by_python_chess,
    by_sanproof,
    pgn_extract,
)

EXPLAINED: Final = Path(__file__).parent / "differences.csv"


class Difference(NamedTuple):
    """What a reader says otherwise: of a game, by its number from 1, or of a file (0)."""

    file: str
    game: int
    reader: str
    what: str
    sanproof: str
    other: str


def game_by_game(
    file: str, ours: Sequence[Reading], theirs: Sequence[Reading]
) -> Iterator[Difference]:
    """Where python-chess differs; of files with other numbers of games, the sums are compared."""
    if len(ours) != len(theirs):
        yield Difference(file, 0, PYTHON_CHESS, "games", str(len(ours)), str(len(theirs)))
        a, b = (Counter(s for reading in all_ for s in reading.strings) for all_ in (ours, theirs))
        if a != b:
            more, less = (" ".join(sorted((x - y).elements())) for x, y in ((a, b), (b, a)))
            yield Difference(file, 0, PYTHON_CHESS, "strings", more, less)
        return
    for number, (our, their) in enumerate(zip(ours, theirs, strict=True), 1):
        for name in ("whole", "moves"):
            a, b = getattr(our, name), getattr(their, name)
            if a != b:
                yield Difference(file, number, PYTHON_CHESS, name, str(a), str(b))
        if our.strings != their.strings:
            pairs = zip(our.strings, their.strings, strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            rest = (" ".join(reading.strings[same:]) for reading in (our, their))
            yield Difference(file, number, PYTHON_CHESS, "strings", *rest)


def file_by_file(
    file: str, ours: Sequence[Reading], theirs: tuple[int, int]
) -> Iterator[Difference]:
    """Where pgn-extract differs in how many games there are, and how many it reads to their end."""
    whole = sum(reading.whole for reading in ours)
    for what, a, b in (("games", len(ours), theirs[0]), ("whole", whole, theirs[1])):
        if a != b:
            yield Difference(file, 0, PGN_EXTRACT, what, str(a), str(b))


def read_explained() -> dict[Difference, str]:
    """The differences that are explained, each with why."""
    with EXPLAINED.open(newline="", encoding="utf-8") as file:
        found = {}
        for file_, game, *rest, why in list(csv.reader(file))[1:]:
            found[Difference(file_, int(game), *rest)] = why
    return found


def unexplained(found: Sequence[Difference], explained: dict[Difference, str]) -> list[str]:
    """A line for each difference that is not explained, and for what is explained and is none."""
    lines = [
        f"not explained: {difference}" for difference in found if not explained.get(difference)
    ]
    return lines + [f"no difference any more: {d}" for d in explained.keys() - {*found}]


def main(folder: Path) -> int:
    """Fetch, read and compare; the exit code."""
    games = folder / "games"
    fetched = tuple(f"{package.folder}/" for package in fetch(read_list(), games))
    ours = by_sanproof(games, folder / "scan")
    found: list[Difference] = []
    program = pgn_extract()
    for file, readings in ours.items():
        found += game_by_game(file, readings, by_python_chess(games / file))
        if program:
            found += file_by_file(file, readings, by_pgn_extract(program, games / file))
    readers = {PYTHON_CHESS, PGN_EXTRACT} if program else {PYTHON_CHESS}
    explained = {
        d: why
        for d, why in read_explained().items()
        if d.file.startswith(fetched) and d.reader in readers
    }
    lines = unexplained(found, explained)
    sys.stdout.writelines(f"{line}\n" for line in lines)
    number = sum(map(len, ours.values()))
    moves = sum(reading.moves for readings in ours.values() for reading in readings)
    sys.stdout.write(
        f"{len(ours)} files, {number} games, {moves} moves: {len(found)} differences, "
        f"{len(found) - sum(line.startswith('not') for line in lines)} of them explained\n"
    )
    return 1 if lines or not ours else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
