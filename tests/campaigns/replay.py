"""Other programs read our games: those of a run, and those that `scan` rewrites.

``python -m tests.campaigns.replay [RUN] [--only-rewritten]``: pgn-extract (C) and chess.js share no
code with python-chess. They must play each game as it is written, end in the position in which
python-chess ends, and write every string of the list. Of rewritten games pgn-extract and
python-chess must read the moves that `scan` found. Exit codes: 0 all agree, 1 they do not.
"""

import argparse
import csv
import json
import lzma
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import chess.pgn

from sanproof.reports.tables.names import FULL_LIST, GAMES_PGN
from sanproof.verify.scan.results import Options, Outcome, proven_lines
from sanproof.verify.scan.scanner import scan
from tests.verify.command import ROOT

FULL: Final = ROOT / ".nox/full/tmp/run"
"""The run of the session `full`."""
REWRITTEN: Final = (ROOT / "tests/verify/scan/corpus.pgn", ROOT / "tests/games/real-games.pgn")
UNLIKE: Final = re.compile(
    rb"[(;]|--|Variant|\n\s*\n[\s\S]+\n\s*\n|\n\t\[|^\[(?!\w+ \"[^\"]*\"\]$)", re.MULTILINE
)
"""What the readers take in unlike ways, whatever the moves are: faulty tags and variations, null
moves, a blank line within a game, line comments that a lone CR ends, castling of Chess960."""
CHESS_JS: Final = """
import { readFileSync } from "node:fs";
import { Chess } from "chess.js";
for (const pgn of JSON.parse(readFileSync(0, "utf8"))) {
  const chess = new Chess();
  try { chess.loadPgn(pgn, { strict: true }); } catch { /* too little was played, then */ }
  console.log(JSON.stringify([chess.history(), chess.fen()]));
}
"""


class Played(NamedTuple):
    """A game as a program plays it: the moves as it writes them, and the last position.

    The position names the passed square only if a pawn can be taken there.
    """

    sans: tuple[str, ...]
    position: str


def position_of(fen: str) -> str:
    """Return a position that a program names, in the form of :class:`Played`."""
    return chess.Board(fen).epd()


def by_python_chess(path: Path) -> Iterator[Played]:
    """Yield the games as python-chess plays them."""
    with path.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            board = game.board()
            sans = tuple(map(board.san_and_push, game.mainline_moves()))
            yield Played(sans, board.epd())


def by_pgn_extract(path: Path) -> Iterator[Played]:
    """Yield the games that pgn-extract writes; it leaves out those that it cannot play."""
    # Debian has it among the games, which are not on the path of root.
    program = shutil.which("pgn-extract", path=f"{os.environ.get('PATH', '')}:/usr/games")
    if program is None:
        sys.exit("pgn-extract is not there: apt-get install pgn-extract")
    # Silent, a game on one line without comments and variations, its last position in a comment.
    command = (program, "-s", "-w1000000", "-C", "-N", "-V", "-F", path)
    said = subprocess.run(command, capture_output=True, check=True).stdout
    for line in said.decode("utf-8", "replace").splitlines():
        if found := re.fullmatch(r'(.*)\{ "(.*)" \} \S+', line):
            sans = tuple(word for word in found[1].split() if word[-1] != ".")
            yield Played(sans, position_of(found[2]))


def texts(path: Path) -> list[str]:
    """Return the texts of games that nothing but a blank line parts."""
    return re.split(r"\n\n(?=\[)", path.read_text("utf-8"))


def by_chess_js(path: Path) -> Iterator[Played]:
    """Yield the games as chess.js plays them, as far as it does; it reads one at a time."""
    command = ("node", "--input-type=module", "--eval", CHESS_JS)
    done = subprocess.run(
        command,
        input=json.dumps(texts(path)).encode(),
        cwd=ROOT / "tests",
        stdout=subprocess.PIPE,
        check=True,
    )
    for sans, fen in map(json.loads, done.stdout.splitlines()):
        yield Played(tuple(sans), position_of(fen))


def as_written(path: Path) -> Iterator[tuple[str, ...]]:
    """Yield the moves of each game as they stand in a file."""
    for game in texts(path):
        *words, _ = game.rpartition("]\n")[2].split()
        yield tuple(word for word in words if word[-1] != ".")


def replay(path: Path, strings: set[str]) -> Iterator[tuple[str, str]]:
    """Yield for each program its name and how its games differ from those of a file."""
    due = list(by_python_chess(path))
    yield "python-chess", difference([*as_written(path)], [game.sans for game in due])
    for name, read in (("pgn-extract", by_pgn_extract), ("chess.js", by_chess_js)):
        found = list(read(path))
        missing = strings.difference(*(game.sans for game in found))
        unwritten = f"it never writes {min(missing)}" if missing else ""
        yield name, difference(due, found) or unwritten


def difference(due: Sequence[object], found: Sequence[object]) -> str:
    """Return the first game that is not as it is due; nothing if all are."""
    for number, (one, other) in enumerate(zip_longest(due, found), 1):
        if one != other:
            return f"game {number} is {other}, not {one}"
    return ""


# --- Rewritten games ---


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def whole_games(path: Path, folder: Path) -> dict[bytes, tuple[str, ...]]:
    """Return the games that `scan` reads to their end and others read alike, with their moves."""
    scan([str(path)], folder, Options(proven_lines(), rows="csv", games=True))
    moves: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for row in (row for table in sorted((folder / "rows").iterdir()) for row in rows(table)):
        moves[row["game"]] += (row["san"],)
    games = rows(folder / "games.csv")
    lines = path.read_bytes().splitlines(keepends=True)
    begins = [*(int(game["line"]) - 1 for game in games), len(lines)]
    parts = (b"".join(lines[a:b]).strip() for a, b in pairwise(begins))
    return {
        text: moves[game["game"]]
        for text, game in zip(parts, games, strict=True)
        if game["outcome"] == Outcome.READ and game["game"] in moves and not UNLIKE.search(text)
    }


def reread(path: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Rewrite the games of a file; yield how they differ for other programs."""
    games = whole_games(path, folder / "read")
    source = folder / "games.pgn"
    source.write_bytes(b"\n\n".join(games))
    scan([str(source)], folder / "out", Options(proven_lines(), rewrite=True))
    (made,) = (folder / "out" / "rewritten").rglob("*.pgn")
    for name, read in (("python-chess", by_python_chess), ("pgn-extract", by_pgn_extract)):
        found = [game.sans for game in read(made)]
        yield name, difference(list(games.values()), found) if games else "nothing is read"


def main() -> int:
    """Print what each program says of each file."""
    parser = argparse.ArgumentParser(prog="replay", description=__doc__)
    parser.add_argument("run", type=Path, nargs="?", default=FULL)
    parser.add_argument("--only-rewritten", action="store_true", help="without the games of a run")
    options = parser.parse_args()
    said: list[tuple[str, str, str]] = []
    with TemporaryDirectory() as folder:
        for path in REWRITTEN:
            said += [(path.name, *found) for found in reread(path, Path(folder, path.stem))]
        if not options.only_rewritten:
            strings = set((options.run / FULL_LIST).read_text("ascii").split("\n"))
            games = Path(folder, "games.pgn")
            games.write_bytes(lzma.decompress((options.run / GAMES_PGN).read_bytes()))
            for path in (games, options.run / "cover.pgn"):
                said += [(path.name, *found) for found in replay(path, strings)]
    for file, program, wrong in said:
        sys.stdout.write(f"{file}, {program}: {wrong or 'agrees'}\n")
    return 1 if any(wrong for _, _, wrong in said) else 0


if __name__ == "__main__":
    sys.exit(main())
