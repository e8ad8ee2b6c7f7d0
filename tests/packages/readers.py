"""What sanproof, python-chess and pgn-extract say of the games in files."""

import csv
import logging
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import chess
import chess.pgn

from sanproof.verify.scan.chunks import READ, Options, proven_lines
from sanproof.verify.scan.scanner import Settings, scan
from tests.replay.programs import SEARCH_PATH

PYTHON_CHESS: Final = "python-chess"
PGN_EXTRACT: Final = "pgn-extract"
VERSION: Final = "19-04"
_MATCHED: Final = re.compile(r"^(\d+) games? matched out of (\d+)\.$", re.MULTILINE)


class Reading(NamedTuple):
    """What a reader says of a game.

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
    """The games of each file below a folder, as a scan's tables have them."""
    shutil.rmtree(out, ignore_errors=True)
    options = Options(proven_lines(), fast, rows="csv", games=True)
    summary = scan([str(games)], out, Settings(options, 1))
    found: dict[str, list[Reading]] = {
        str(Path(source["name"]).relative_to(games)): [] for source in summary["sources"]
    }
    strings: dict[tuple[str, str], list[str]] = {}
    for path in sorted((out / "rows").iterdir()):
        for row in _rows(path):
            strings.setdefault((row["source"], row["game"]), []).append(row["san"])
    for row in _rows(out / "games.csv"):
        written = tuple(strings.get((row["source"], row["game"]), ()))
        reading = Reading(row["outcome"] == READ, int(row["moves"]), written)
        found[str(Path(row["source"]).relative_to(games))].append(reading)
    return found


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def by_python_chess(path: Path) -> list[Reading]:
    """The games of a file, as python-chess reads them.

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
    is_chess = type(board) is chess.Board and not board.chess960
    strings = []
    for move in game.mainline_moves():
        strings.append(board.san(move))
        board.push(move)
    return Reading(not game.errors, len(strings), tuple(strings) if is_chess else ())


def pgn_extract() -> str | None:
    """The program; None, which is said, without the version whose differences are explained."""
    program = shutil.which(PGN_EXTRACT, path=SEARCH_PATH)
    version = "none"
    if program is not None:
        done = subprocess.run((program, "--version"), capture_output=True, text=True, check=False)
        version = (re.findall(r"v(\d\S*\d)", done.stdout + done.stderr) or ["unknown"])[0]
    if version == VERSION:
        return program
    sys.stderr.write(f"NOT COMPARED: pgn-extract {VERSION}; installed is {version}\n")
    return None


def by_pgn_extract(program: str, path: Path) -> tuple[int, int]:
    """How many games pgn-extract finds in a file, and in how many no error."""
    done = subprocess.run((program, "-r", path), capture_output=True, timeout=60, check=False)
    whole, games = _MATCHED.findall(done.stderr.decode(errors="replace"))[-1]
    return int(games), int(whole)
