"""Time and memory of sanproof, beside the time that plain arithmetic takes on the same machine.

    nox -s bench                whole commands
    nox -s bench -- --rounds 3     three times, and the medians
    nox -s bench -- --quick        without those that search for games
    nox -s bench -- --against DIR  in turn with the checkout in DIR
    nox -s bench -- --scan 60000   only the scan of so many games, beside other readers

Nothing is asserted. A ratio is to ten loops of ten million steps of arithmetic, of which two are
run with each command: the machine may be slower a minute later. What other processes take makes a
command's seconds more, and hardly its processor time.

With ``--scan`` the games are the published ones and the cover, or what ``SANPROOF_GAMES`` names; as
they are, with clocks and variations, with superfluous signs of check, and in UCI.
"""

import argparse
import gzip
import json
import lzma
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import chess

from sanproof.verify.scan.borders import game_starts
from sanproof.verify.scan.movetext import TextOfGame, wrong_result
from sanproof.verify.scan.movetext import read_game as parts_of
from sanproof.verify.scan.reading import read_game
from tests.campaigns.replay.programs import SEARCH_PATH

ROOT = Path(__file__).parents[2]
PROGRAM = "import sys; sys.argv = sys.argv[1:]; from {} import main; sys.exit(main{})"


class Usage(NamedTuple):
    """The costs of a process, with all that it started: its largest process, in MiB, at the end."""

    seconds: float
    processor_seconds: float
    mib: float


def command(module: str, *arguments: str, tree: Path = ROOT, main: str = "()") -> list[str]:
    """Return the command that runs a module's ``main`` in a checkout, of any time."""
    package = "sanproof." if (tree / "sanproof" / "verify").exists() else ""
    program = PROGRAM.format(package + module, main)
    return [sys.executable, "-c", program, "sanproof", *arguments]


def sanproof(*arguments: str, tree: Path = ROOT) -> Usage:
    """Run the command of a checkout as a process."""
    return run(command("verify.commands.start", *arguments, tree=tree), tree)


LAUNCHER: Final = """
import json, os, subprocess, sys, time
begun = time.perf_counter()
process = subprocess.Popen(sys.argv[2:])
_, status, used = os.wait4(process.pid, 0)
process.returncode = 0
seconds, code = time.perf_counter() - begun, os.waitstatus_to_exitcode(status)
answer = [code, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss]
os.write(int(sys.argv[1]), json.dumps(answer).encode())
"""
"""Starts a process from a small one: the peak of a child is its parent's at first."""


def launched(
    line: Sequence[str],
    patience_seconds: float | None = None,
    **options: Any,  # noqa: ANN401 - subprocess.Popen's
) -> tuple[int, Usage]:
    """Run a program to its end, or kill it after some time; return its exit code and usage."""
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", LAUNCHER, str(writer), *line],
        pass_fds=[writer],
        start_new_session=True,
        **options,
    )
    os.close(writer)
    try:
        process.wait(patience_seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    with os.fdopen(reader, "rb") as answer:
        killed = f"[{-signal.SIGKILL}, 0, 0, 0]".encode()
        code, seconds, processor_seconds, peak = json.loads(answer.read() or killed)
    scale = 1024 if sys.platform == "darwin" else 1
    return code, Usage(seconds, processor_seconds, peak / scale / 1024)


def run(line: Sequence[str], tree: Path = ROOT) -> Usage:
    """Run a program in a checkout, with its modules compiled; exit code 1 is an answer too."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as errors:
        code, used = launched(
            line, cwd=tree, env=environment, stdout=subprocess.DEVNULL, stderr=errors
        )
        if code not in (0, 1):
            errors.seek(0)
            sys.exit(errors.read().decode(errors="replace"))
    return used


LOOP = 10_000_000
"""Steps of arithmetic, to compare machines by."""
LOOPS = 10
"""So many loops are 1 in the table; about what a generator takes that proves nothing."""


LOOK_UP = "import sanproof; sanproof.look_up('Qb6e3#')"


class Measured(NamedTuple):
    """A job as it was run once, and the seconds that ten loops took just before and after."""

    used: Usage
    loops_seconds: float


def jobs(trees: Sequence[Path], rounds: int, *, quick: bool) -> Iterator[str]:
    """Yield the table: whole commands, in turn in each checkout, as medians."""
    yield " " * 36 + "seconds   ratio  of processor   MiB"
    measured: dict[tuple[Path, str], list[Measured]] = defaultdict(list)
    for _ in range(rounds):
        for tree in trees:
            for name, result in run_jobs(tree, quick=quick):
                measured[tree, name].append(result)
    for tree in trees:
        if len(trees) > 1:
            yield f"{tree.name}:"
        yield from (row(name, results) for (of, name), results in measured.items() if of == tree)


def row(name: str, results: Sequence[Measured]) -> str:
    """Return a job's row, in medians."""
    ratios = [result.used.seconds / result.loops_seconds for result in results]
    processor = [result.used.processor_seconds / result.loops_seconds for result in results]
    shown = f"{name:<34}{median(r.used.seconds for r in results):>9.2f}{median(ratios):>8.3f}"
    return f"{shown}{median(processor):>14.3f}{max(r.used.mib for r in results):>6.0f}"


def run_jobs(tree: Path, *, quick: bool) -> Iterator[tuple[str, Measured]]:
    """Run each job once, between two loops of arithmetic."""
    kernel = command("proofs.kernel.__main__", "data", tree=tree, main="(sys.argv[1:])")
    with tempfile.TemporaryDirectory() as directory:
        one, two, whole = (str(Path(directory, name)) for name in ("one", "two", "whole"))

        def asked(*arguments: str) -> Callable[[], Usage]:
            return lambda: sanproof(*arguments, tree=tree)

        positions = ("verify", "--no-games", "--out")
        doings: dict[str, Callable[[], Usage]] = {
            "explain Qb6e3#": asked("explain", "Qb6e3#"),
            "explain Ba1b2+": asked("explain", "Ba1b2+"),
            "import sanproof, look_up": lambda: run([sys.executable, "-c", LOOK_UP], tree),
            "kernel on data": lambda: run(kernel, tree),
            "verify --no-games": asked(*positions, two),
            "verify --no-games, again": asked(*positions, two),
            "verify --no-games, one worker": asked(*positions, one, "--workers", "1"),
        }
        if not quick:
            doings["verify"] = asked("verify", "--out", whole)
            doings["audit of that"] = asked("audit", whole)
        sanproof("explain", "Ba1b2+", tree=tree)  # which compiles the modules
        for name, do in doings.items():
            yield name, beside_loops(do)


def beside_loops(job: Callable[[], Usage]) -> Measured:
    """Run a job, with a loop of arithmetic before it and one after it."""
    before = arithmetic()
    used = job()
    return Measured(used, LOOPS * (before + arithmetic()) / 2)


def arithmetic() -> float:
    """Return the processor seconds of a process that does a fixed piece of work, like a script."""
    loop = f"total = 0\nfor number in range({LOOP}): total += number * number"
    return run([sys.executable, "-c", loop]).processor_seconds


# --- The scan, beside other readers: whole processes in turn, all of the same games ---

READ_ALL: Final = (
    "import sys, chess.pgn; file = open(sys.argv[1], encoding='utf-8')\n"
    "while chess.pgn.read_game(file) is not None: pass"
)
FORMS: Final = ("plain", "annotated", "5 % dirty", "all dirty", "all in UCI")
FEW: Final = 1000
"""So many clean games are taken, and repeated; python-chess, which takes long, reads them once."""
SCAN_ROUNDS: Final = 3


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
        if is_clean and not wrong_result(game, data, read.due):
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


def scans(number: int) -> Iterator[str]:
    """Yield the table of readers: CPU time for a game in each form, medians of several rounds."""
    data = source()
    clean = [game for game, _ in zip(clean_games(data), range(FEW), strict=False)]
    times = max(1, number // len(clean))
    with tempfile.TemporaryDirectory() as folder:
        few, many, out = (str(Path(folder, name)) for name in ("few.pgn", "many.pgn", "out"))
        scan = command("verify.commands.start", "scan", "--workers", "1", many)
        readers = {
            "python-chess": [sys.executable, "-c", READ_ALL, few],
            "--check": [*scan, "--check"],
            "--out": [*scan, "--out", out],
        }
        if program := shutil.which("pgn-extract", path=SEARCH_PATH):
            readers["pgn-extract -r"] = [program, "-r", many]
        yield f"{'CPU ms a game':<14}{''.join(f'{name:>16}' for name in readers)}"
        largest = 0.0
        for form in FORMS:
            texts = [written(data, *game, form, i) for i, game in enumerate(clean)]
            Path(few).write_bytes(b"".join(texts))
            Path(many).write_bytes(b"".join(texts) * times)
            taken: dict[str, list[float]] = {name: [] for name in readers}
            for _ in range(SCAN_ROUNDS):
                for name, line in readers.items():
                    shutil.rmtree(out, ignore_errors=True)
                    used = run(line)
                    games = len(texts) * (1 if name == "python-chess" else times)
                    taken[name].append(1000 * used.processor_seconds / games)
                    largest = max(largest, used.mib)
            row = "".join(f"{median(values):>16.3f}" for values in taken.values())
            yield f"{form:<14}{row}"
        yield f"The largest process took {largest:,.0f} MiB."


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="how often to run jobs")
    parser.add_argument("--quick", action="store_true", help="without the search for games")
    parser.add_argument("--against", metavar="DIR", help="another checkout to run in turn")
    parser.add_argument("--scan", metavar="N", type=int, help="only the scan of N games")
    options = parser.parse_args()
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    trees = [ROOT, *([Path(options.against).resolve()] if options.against else [])]
    quick = options.quick
    for line in scans(options.scan) if options.scan else jobs(trees, options.rounds, quick=quick):
        print(line, flush=True)


if __name__ == "__main__":
    main()
