"""Scans the game files of packages: ``nox -s replay``.

What sanproof says is compared with python-chess, game by game. Each difference stands in
``differences.csv`` with why it is one; any other fails, and so does a row that is no difference any
more. The packages that ``packages.txt`` names are fetched by hash.
"""

import csv
import hashlib
import logging
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple

import chess
import chess.pgn

from sanproof.verify.scan.chunks import READ, Options, proven_lines
from sanproof.verify.scan.scanner import Settings, scan

FOLDER: Final = Path(__file__).parent
LIST: Final = FOLDER / "packages.txt"
_TIMEOUT_SECONDS: Final = 600


class Package(NamedTuple):
    """A package, and the SHA-256 of its file: a source distribution on PyPI."""

    registry: str
    name: str
    version: str
    sha256: str

    @property
    def folder(self) -> str:
        """The folder of its game files, without its version, so that explained differences stay."""
        return f"{self.registry}/{self.name.replace('/', '-')}"


def read_list() -> list[Package]:
    """Return the packages of the list."""
    return [Package(*line.split()) for line in LIST.read_text("ascii").splitlines()]


def download(package: Package, folder: Path) -> Path:
    """Have the registry's own client download a package; its file has the hash of the list."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command: tuple[str, ...] = ("npm", "pack", "--silent", f"{package.name}@{package.version}")
    if package.registry == "PyPI":
        wanted = folder / "wanted.txt"
        wanted.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n")
        pip = (sys.executable, "-m", "pip", "download", "--no-deps", "--no-build-isolation")
        command = (*pip, "--no-binary=:all:", "--require-hashes", "-r", wanted.name)
    subprocess.run(command, cwd=folder, capture_output=True, timeout=_TIMEOUT_SECONDS, check=True)
    (found,) = (path for path in folder.iterdir() if path.suffix in {".gz", ".tgz"})
    if hashlib.sha256(found.read_bytes()).hexdigest() != package.sha256:
        raise ValueError(f"{found.name} has another SHA-256 than {package.sha256}")
    return found


def unpack(archive: Path, folder: Path) -> None:
    """Unpack the game files of a package."""
    whole = archive.parent / "whole"
    whole.mkdir()
    shutil.unpack_archive(archive, whole, "gztar", filter="data")
    for path in sorted(whole.rglob("*")):
        if path.is_file() and path.suffix.lower() == ".pgn":
            there = folder / path.relative_to(whole)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, there)
    shutil.rmtree(whole)


class Reading(NamedTuple):
    """The answer of a reader about a game.

    Attributes:
        whole: Whether it read the game to its end.
        moves: How many moves it read.
        strings: How they are written; none of a variant, whose strings are not counted.
    """

    whole: bool
    moves: int
    strings: tuple[str, ...]


NOTHING: Final = Reading(whole=False, moves=0, strings=())


def by_sanproof(games: Path, out: Path, *, fast: bool = True) -> dict[str, list[Reading]]:
    """Return the games of each file below a folder, as a scan's tables have them."""
    shutil.rmtree(out, ignore_errors=True)
    options = Options(proven_lines(), fast, rows="csv", games=True)
    summary = scan([str(games)], out, Settings(options, 1))
    found: dict[str, list[Reading]] = {
        str(Path(source["name"]).relative_to(games)): [] for source in summary["sources"]
    }
    strings: dict[tuple[str, str], list[str]] = {}
    for path in sorted((out / "rows").iterdir()):
        for row in rows(path):
            strings.setdefault((row["source"], row["game"]), []).append(row["san"])
    for row in rows(out / "games.csv"):
        written = tuple(strings.get((row["source"], row["game"]), ()))
        reading = Reading(row["outcome"] == READ, int(row["moves"]), written)
        found[str(Path(row["source"]).relative_to(games))].append(reading)
    return found


def rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def by_python_chess(path: Path) -> list[Reading]:
    """Return the games of a file, as python-chess reads them.

    It fails at some illegal moves that begin variations (IndexError), which ends the file, and
    gives no board of a variant that it does not know (ValueError).
    """
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)  # the errors are in the games too
    found: list[Reading] = []
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        while True:
            try:
                game = chess.pgn.read_game(file)
            except IndexError:
                return [*found, NOTHING]
            if game is None:
                return found
            try:
                found.append(_reading(game, game.board()))
            except ValueError:
                found.append(NOTHING)


def _reading(game: chess.pgn.Game, board: chess.Board) -> Reading:
    if type(board) is not chess.Board:
        return NOTHING  # of another variant than Chess960, whose games a scan skips
    is_chess = not board.chess960
    strings = []
    for move in game.mainline_moves():
        strings.append(board.san(move))
        board.push(move)
    return Reading(not game.errors, len(strings), tuple(strings) if is_chess else ())


EXPLAINED: Final = FOLDER / "differences.csv"


class Difference(NamedTuple):
    """A difference of python-chess: of a game, by its number from 1, or of a file (0)."""

    file: str
    game: int
    what: str
    sanproof: str
    other: str


def game_by_game(
    file: str, ours: Sequence[Reading], theirs: Sequence[Reading]
) -> Iterator[Difference]:
    """Yield the differences; of files with other numbers of games, the sums are compared."""
    if len(ours) != len(theirs):
        yield Difference(file, 0, "games", str(len(ours)), str(len(theirs)))
        a, b = (Counter(s for reading in all_ for s in reading.strings) for all_ in (ours, theirs))
        if a != b:
            more, less = (" ".join(sorted((x - y).elements())) for x, y in ((a, b), (b, a)))
            yield Difference(file, 0, "strings", more, less)
        return
    for number, (our, their) in enumerate(zip(ours, theirs, strict=True), 1):
        for name in ("whole", "moves"):
            a, b = getattr(our, name), getattr(their, name)
            if a != b:
                yield Difference(file, number, name, str(a), str(b))
        if our.strings != their.strings:
            pairs = zip(our.strings, their.strings, strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            rest = (" ".join(reading.strings[same:]) for reading in (our, their))
            yield Difference(file, number, "strings", *rest)


def read_explained() -> dict[Difference, str]:
    """Return the differences that are explained, each with why."""
    with EXPLAINED.open(newline="", encoding="utf-8") as file:
        found = {}
        for file_, game, *rest, why in list(csv.reader(file))[1:]:
            found[Difference(file_, int(game), *rest)] = why
    return found


def unexplained(found: Sequence[Difference], explained: dict[Difference, str]) -> list[str]:
    """List each difference that is not explained, and what is explained and is no difference."""
    lines = [
        f"not explained: {difference}" for difference in found if not explained.get(difference)
    ]
    return lines + [f"no difference any more: {d}" for d in explained.keys() - {*found}]


def main(folder: Path) -> int:
    """Fetch, read and compare; the exit code."""
    games = folder / "games"
    shutil.rmtree(games, ignore_errors=True)
    for package in read_list():
        unpack(download(package, folder / package.folder), games / package.folder)
    ours = by_sanproof(games, folder / "scan")
    found = [
        difference
        for file, readings in ours.items()
        for difference in game_by_game(file, readings, by_python_chess(games / file))
    ]
    lines = unexplained(found, read_explained())
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
