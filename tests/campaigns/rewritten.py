"""Rewritten games, read again by python-chess and pgn-extract: ``... rewritten [FILE]...``.

By default the files are the corpus of the tests of `scan`, in which every irregularity occurs, and
real games. Of the games that `scan` reads to their end a file is made and rewritten; other readers
must find in it as many games, with the moves that `scan` found. The exit code is 1 if one does not;
pgn-extract is asked if it is installed.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sanproof.verify.scan.chunks import Options, proven_lines
from sanproof.verify.scan.scanner import Settings, scan
from tests.campaigns.packages.__main__ import Reading, by_python_chess, by_sanproof, rows
from tests.campaigns.replay.__main__ import SEARCH_PATH, sans_of, split_games
from tests.verify.command import ROOT

UNLIKE: Final = re.compile(
    rb"[(;]|--|Variant|\n\s*\n[\s\S]+\n\s*\n|\n\t\[|^\[(?!\w+ \"[^\"]*\"\]$)", re.MULTILINE
)
"""What the readers take in unlike ways, whatever the moves are: faulty tags and variations, null
moves, a blank line within a game, line comments that a lone CR ends, castling of Chess960."""
FILES: Final = (ROOT / "tests/verify/scan/corpus.pgn", ROOT / "tests/games/real-games.pgn")


def whole_games(path: Path, folder: Path) -> tuple[bytes, list[Reading]]:
    """Return the games of a file of UTF-8 that are chess, read to their end, and like others'.

    Each comes as it stands, and as `scan` reads it.
    """
    shutil.copy(path, folder / "given.pgn")
    (readings,) = by_sanproof(folder, folder / "scan").values()
    lines = path.read_bytes().splitlines(keepends=True)
    begins = [int(row["line"]) - 1 for row in rows(folder / "scan" / "games.csv")]
    texts = [b"".join(lines[a:b]) for a, b in pairwise([*begins, len(lines)])]
    kept = [
        (text.strip(), reading)
        for text, reading in zip(texts, readings, strict=True)
        if reading.whole and reading.strings and not UNLIKE.search(text.strip())
    ]
    return b"\n\n".join(text for text, _ in kept), [reading for _, reading in kept]


def rewritten(text: bytes, folder: Path) -> Path:
    """Rewrite games."""
    source = folder / "source" / "games.pgn"
    source.parent.mkdir()
    source.write_bytes(text)
    options = Options(proven_lines(), rewrite=True)
    scan([str(source.parent)], folder / "out", Settings(options, 1))
    (path,) = (folder / "out" / "rewritten").rglob("*.pgn")
    return path


def by_pgn_extract(path: Path) -> list[tuple[str, ...]]:
    """Return the moves of each game, as pgn-extract writes them, without comments and the like."""
    program = str(shutil.which("pgn-extract", path=SEARCH_PATH))
    command = (program, "-s", "-w1000000", "-C", "-N", "-V", str(path))
    done = subprocess.run(command, capture_output=True, check=True)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return [sans_of(movetext) for _, movetext in split_games(lines)]


def lost(due: Sequence[Reading], path: Path) -> Iterator[str]:
    """Yield what other readers do not find in a file of rewritten games."""
    readers = {"python-chess": [reading.strings for reading in by_python_chess(path)]}
    if shutil.which("pgn-extract", path=SEARCH_PATH):
        readers["pgn-extract"] = by_pgn_extract(path)
    else:
        sys.stdout.write("pgn-extract is not there, and is not asked.\n")
    for name, games in readers.items():
        if len(games) != len(due):
            yield f"{name} finds {len(games)} games of {len(due)}"
        for number, (reading, found) in enumerate(zip(due, games, strict=False), 1):
            if found != reading.strings:
                yield f"{name}, game {number}: {' '.join(found)}, not {' '.join(reading.strings)}"
                break


def main(*names: str) -> int:
    """Rewrite the games of files, and say what is lost."""
    code = 0
    for path in map(Path, names) if names else FILES:
        with TemporaryDirectory() as name:
            given, made = Path(name, "given"), Path(name, "made")
            given.mkdir()
            made.mkdir()
            text, due = whole_games(path, given)
            wrong = list(lost(due, rewritten(text, made)))
        sys.stdout.write(f"{path.name}: {len(due)} games rewritten, {len(wrong)} readers differ\n")
        sys.stdout.writelines(f"  {line}\n" for line in wrong)
        code |= bool(wrong) or not due
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
