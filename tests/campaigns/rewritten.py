"""Rewritten games, read again by python-chess and pgn-extract: ``... rewritten [FILE]...``.

By default the files are the corpus of the tests of `scan`, in which every irregularity occurs, and
real games. Of the games that `scan` reads to their end a file is made and rewritten; other readers
must find in it as many games, with the moves that `scan` found. The exit code is 1 if one does not;
pgn-extract is asked if it is installed.
"""

import csv
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import chess.pgn

from sanproof.verify.scan.chunks import READ, Options, proven_lines
from sanproof.verify.scan.scanner import scan
from tests.campaigns.replay.__main__ import SEARCH_PATH, sans_of, split_games
from tests.verify.command import ROOT

FILES: Final = (ROOT / "tests/verify/scan/corpus.pgn", ROOT / "tests/games/real-games.pgn")
UNLIKE: Final = re.compile(
    rb"[(;]|--|Variant|\n\s*\n[\s\S]+\n\s*\n|\n\t\[|^\[(?!\w+ \"[^\"]*\"\]$)", re.MULTILINE
)
"""What the readers take in unlike ways, whatever the moves are: faulty tags and variations, null
moves, a blank line within a game, line comments that a lone CR ends, castling of Chess960."""
Moves = tuple[str, ...]


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def whole_games(path: Path, folder: Path) -> tuple[bytes, list[Moves]]:
    """Return the games of a file of UTF-8 that are chess, read to their end, and like others'.

    Each comes as it stands, and as `scan` reads it.
    """
    options = Options(proven_lines(), rows="csv", games=True)
    scan([str(path)], folder / "read", options)
    moves: dict[str, list[str]] = defaultdict(list)
    for table in sorted((folder / "read" / "rows").iterdir()):
        for row in rows(table):
            moves[row["game"]].append(row["san"])
    games = rows(folder / "read" / "games.csv")
    lines = path.read_bytes().splitlines(keepends=True)
    begins = [int(row["line"]) - 1 for row in games]
    texts = [b"".join(lines[a:b]).strip() for a, b in pairwise([*begins, len(lines)])]
    kept = [
        (text, tuple(moves[row["game"]]))
        for text, row in zip(texts, games, strict=True)
        if row["outcome"] == READ and row["game"] in moves and not UNLIKE.search(text)
    ]
    return b"\n\n".join(text for text, _ in kept), [found for _, found in kept]


def rewritten(text: bytes, folder: Path) -> Path:
    """Rewrite games."""
    source = folder / "games.pgn"
    source.write_bytes(text)
    options = Options(proven_lines(), rewrite=True)
    scan([str(source)], folder / "out", options)
    (path,) = (folder / "out" / "rewritten").rglob("*.pgn")
    return path


def by_python_chess(path: Path) -> Iterator[Moves]:
    """Yield the moves of each game, as python-chess reads and writes them."""
    with path.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield tuple(node.san() for node in game.mainline())


def by_pgn_extract(path: Path) -> Iterator[Moves]:
    """Yield the moves of each game, as pgn-extract writes them, without comments and the like."""
    program = str(shutil.which("pgn-extract", path=SEARCH_PATH))
    command = (program, "-s", "-w1000000", "-C", "-N", "-V", str(path))
    done = subprocess.run(command, capture_output=True, check=True)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return (sans_of(movetext) for _, movetext in split_games(lines))


def lost(due: Sequence[Moves], path: Path) -> Iterator[str]:
    """Yield what other readers do not find in a file of rewritten games."""
    readers = {"python-chess": by_python_chess}
    if shutil.which("pgn-extract", path=SEARCH_PATH):
        readers["pgn-extract"] = by_pgn_extract
    else:
        sys.stdout.write("pgn-extract is not there, and is not asked.\n")
    for name, read in readers.items():
        games = list(read(path))
        if len(games) != len(due):
            yield f"{name} finds {len(games)} games of {len(due)}"
        for number, (moves, found) in enumerate(zip(due, games, strict=False), 1):
            if found != moves:
                yield f"{name}, game {number}: {' '.join(found)}, not {' '.join(moves)}"
                break


def main(*names: str) -> int:
    """Rewrite the games of files, and say what is lost."""
    code = 0
    for path in map(Path, names) if names else FILES:
        with TemporaryDirectory() as folder:
            text, due = whole_games(path, Path(folder))
            wrong = list(lost(due, rewritten(text, Path(folder))))
        sys.stdout.write(f"{path.name}: {len(due)} games rewritten, {len(wrong)} differences\n")
        sys.stdout.writelines(f"  {line}\n" for line in wrong)
        code |= bool(wrong) or not due
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
