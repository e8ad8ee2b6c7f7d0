"""CPU time for a thousand games: the scan, python-chess and pgn-extract, whole processes in turn.

All read the same games: the published ones and the cover, or what ``SANPROOF_GAMES`` names; as they
are, with clocks and variations, with superfluous signs of check, and in UCI.
"""

import gzip
import lzma
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Final

import chess

from sanproof.verify.scan.borders import game_starts
from sanproof.verify.scan.movetext import TextOfGame, contradicted_result
from sanproof.verify.scan.movetext import read_game as parts_of
from sanproof.verify.scan.reading import read_game
from tests.campaigns.replay.programs import SEARCH_PATH

ROOT: Final = Path(__file__).parents[2]
PROGRAM: Final = (
    "import sys; sys.argv[0] = 'sanproof'; from sanproof.verify.commands.start import main; main()"
)
READ_ALL: Final = (
    "import sys, chess.pgn; file = open(sys.argv[1], encoding='utf-8')\n"
    "while chess.pgn.read_game(file) is not None: pass"
)
FORMS: Final = ("plain", "annotated", "5 % dirty", "all dirty", "all in UCI")
FEW: Final = 1000
"""So many clean games are taken, and repeated; python-chess, which takes long, reads them once."""
ROUNDS: Final = 3


def source() -> bytes:
    """Return the games that are repeated."""
    if real_games := os.environ.get("SANPROOF_GAMES"):
        return Path(real_games).read_bytes().rstrip() + b"\n\n"
    published = gzip.decompress((ROOT / "data/games.pgn.gz").read_bytes())
    return published + lzma.decompress((ROOT / "data/cover.pgn.xz").read_bytes())


def clean_games(data: bytes) -> Iterator[tuple[TextOfGame, list[str]]]:
    """Yield the first games that are clean, with the strings of their moves."""
    for begin, end in pairwise([*game_starts(data), len(data)]):
        game = parts_of(data, begin, end)
        read = read_game(game, data)
        is_clean = read.outcome == "read" and not any(p.kind or p.apart for p in read.played)
        is_clean = is_clean and game.has_result and "FEN" not in game.tags and not game.odd
        if is_clean and not (read.due and contradicted_result(game, data, read.due)):
            yield game, [played.san for played in read.played]


def written(data: bytes, game: TextOfGame, moves: Sequence[str], form: str, number: int) -> bytes:
    """Write a game in a form; one in twenty is dirty, or all are, by one superfluous +."""
    texts = list(moves)
    if form == "all in UCI":
        board = chess.Board()
        texts = [board.push_san(san).uci() for san in moves]
    elif form == "all dirty" or (form == "5 % dirty" and number % 20 == 0):
        at = next((i for i, san in enumerate(texts) if san[-1] not in "+#"), 0)
        texts[at] += "+"
    numbered: Iterator[str] = (
        f"{i // 2 + 1}. {text}" if i % 2 == 0 else text for i, text in enumerate(texts)
    )
    if form == "annotated":
        numbered = annotated(moves)
    tags = data[game.start : game.movetext].strip()
    result = data[slice(*game.result or (0, 0))]
    return tags + b"\n\n" + " ".join([*numbered, ""]).encode() + result + b"\n\n"


def annotated(moves: Sequence[str]) -> Iterator[str]:
    """Yield moves with a clock each, and a comment and a variation at every tenth."""
    board = chess.Board()
    for i, san in enumerate(moves):
        number = f"{i // 2 + 1}{'...' if i % 2 else '.'} "
        yield f"{number}{san} {{ [%eval 0.{i}] [%clk 0:03:{i % 60:02}] }}"
        if i % 10 == 9:
            other = board.san(next(iter(board.legal_moves)))
            yield f"{{ Inaccuracy. {other} was best. }} ({number}{other} {{ so it is }})"
        board.push_san(san)


def milliseconds(command: Sequence[str], games: int) -> float:
    """Return the CPU time that a program takes for each of so many games."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if run.returncode not in {0, 1}:
        sys.exit(f"{command}: {run.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 1000 * spent / games


def main(number: int) -> None:
    """Measure and print a row for each form: medians of several rounds."""
    data = source()
    clean = [game for game, _ in zip(clean_games(data), range(FEW), strict=False)]
    times = max(1, number // len(clean))
    with tempfile.TemporaryDirectory() as folder:
        few, many, out = (str(Path(folder, name)) for name in ("few.pgn", "many.pgn", "out"))
        scan = [sys.executable, "-c", PROGRAM, "scan", "--workers", "1", many]
        readers = {
            "python-chess": [sys.executable, "-c", READ_ALL, few],
            "--check": [*scan, "--check"],
            "--out": [*scan, "--out", out],
        }
        if program := shutil.which("pgn-extract", path=SEARCH_PATH):
            readers["pgn-extract -r"] = [program, "-r", many]
        sys.stdout.write(f"{'CPU ms a game':<14}{''.join(f'{name:>16}' for name in readers)}\n")
        for form in FORMS:
            texts = [written(data, *game, form, i) for i, game in enumerate(clean)]
            Path(few).write_bytes(b"".join(texts))
            Path(many).write_bytes(b"".join(texts) * times)
            taken: dict[str, list[float]] = {name: [] for name in readers}
            for _ in range(ROUNDS):
                for name, command in readers.items():
                    shutil.rmtree(out, ignore_errors=True)
                    games = len(texts) * (1 if name == "python-chess" else times)
                    taken[name].append(milliseconds(command, games))
            row = "".join(f"{median(values):>16.3f}" for values in taken.values())
            sys.stdout.write(f"{form:<14}{row}\n")
            sys.stdout.flush()
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    sys.stdout.write(f"The largest process took {largest:,.0f} MiB.\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60_000)
