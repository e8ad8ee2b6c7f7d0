"""How fast games are read: the scan, python-chess, pgn-extract and the bare native reader.

All read the same file: the published games and the cover, or what ``SANPROOF_GAMES`` names,
repeated. Each rate is of one process; CPU time, which other programs on the machine disturb least,
and the time that passed.

Then the conditions: the same games as they are, plain, with deviations, and in UCI, whole processes
in turn, by CPU time with starting.
"""

import gzip
import io
import lzma
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import chess
import chess.pgn

from sanproof.verify.scan.borders import game_starts
from sanproof.verify.scan.chunks import READ
from sanproof.verify.scan.movetext import TextOfGame, contradicted_result
from sanproof.verify.scan.movetext import read_game as parts_of
from sanproof.verify.scan.reading import read_game
from tests.replay.programs import SEARCH_PATH

ROOT = Path(__file__).parents[1]
PROGRAM = (
    "import sys; sys.argv[0] = 'sanproof'; from sanproof.verify.commands.start import main; main()"
)
PART_BYTES = 2_000_000
"""python-chess and pgn-extract read the beginning of the file."""


class Rate(NamedTuple):
    """How many games a reader reads a second."""

    name: str
    games: int
    seconds: float
    cpu_seconds: float

    def row(self, base: "Rate") -> str:
        """A row of the table; the ratio is that of CPU time to the first row."""
        rate, cpu_rate = self.games / self.seconds, self.games / self.cpu_seconds
        ratio = cpu_rate / (base.games / base.cpu_seconds)
        return f"{self.name:<52} {rate:>10,.0f} {cpu_rate:>12,.0f} {ratio:>7.1f}"


def corpus(wanted_games: int) -> bytes:
    """Games of all sorts, repeated until there are as many as are wanted."""
    text = source()
    starts = [*game_starts(text), len(text)]
    times, rest = divmod(wanted_games, len(starts) - 1)
    return text * times + text[: starts[rest]]


def source() -> bytes:
    """The games that are repeated."""
    if real_games := os.environ.get("SANPROOF_GAMES"):
        return Path(real_games).read_bytes().rstrip() + b"\n\n"
    published = gzip.decompress((ROOT / "data/games.pgn.gz").read_bytes())
    return published + lzma.decompress((ROOT / "data/cover.pgn.xz").read_bytes())


def measured(name: str, games: int, action: Callable[[], object]) -> Rate:
    """The rate of an action of this process."""
    begun, cpu = time.perf_counter(), time.process_time()
    action()
    return Rate(name, games, time.perf_counter() - begun, time.process_time() - cpu)


def measured_command(
    name: str, games: int, command: list[str], good: Collection[int] = (0,)
) -> Rate:
    """The rate of a program, which ends with one of these exit codes."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if run.returncode not in good:
        sys.exit(f"{name}: {run.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Rate(name, games, time.perf_counter() - begun, cpu)


def python_chess(text: str) -> None:
    """Read all games, as most programs do."""
    file = io.StringIO(text)
    while chess.pgn.read_game(file) is not None:
        pass


def native_reader(data: bytes) -> Callable[[], object]:
    """The native reader alone, with games that were cut before."""
    import pyarrow as pa  # noqa: PLC0415 - of the extra
    import rust_pgn_reader_python_binding as native  # noqa: PLC0415

    starts = [*game_starts(data), len(data)]
    texts = [data[a:b].decode() for a, b in pairwise(starts)]
    array: Any = pa.chunked_array([pa.array(texts)])
    return lambda: native.parse_games(array, num_threads=1)


def rates(games: int) -> Iterator[Rate]:
    """Read the corpus in all ways."""
    data = corpus(games)
    starts = game_starts(data)
    few = max(1, sum(start < PART_BYTES for start in starts) - 1)
    part = data[: starts[few]] if few < len(starts) else data
    yield measured("python-chess: chess.pgn.read_game", few, lambda: python_chess(part.decode()))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "part.pgn").write_bytes(part)
        (Path(folder) / "all.pgn").write_bytes(data)
        if shutil.which("pgn-extract"):
            command = ["pgn-extract", "-s", "-o/dev/null", f"{folder}/part.pgn"]
            yield measured_command("pgn-extract, writing nowhere", few, command)
        bare = data[: starts[len(starts) // 4]]
        yield measured("bare native reader", len(starts) // 4, native_reader(bare))
        scan = [sys.executable, "-c", PROGRAM, "scan", f"{folder}/all.pgn"]
        scan += ["--out", f"{folder}/out"]
        subprocess.run([*scan, "--workers", "1"], capture_output=True, check=True)  # compiles
        for workers in (1, 2):
            shutil.rmtree(f"{folder}/out")
            name = f"sanproof scan --workers {workers}, whole command"
            yield measured_command(name, len(starts), [*scan, "--workers", str(workers)])
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    sys.stdout.write(f"{'  memory of the largest process, MiB':<52} {largest:>10,.0f}\n")


FORMS: Final = ("plain", "annotated", "5 % dirty", "all dirty", "all in UCI")
FEW: Final = 1000
"""So many games are in the small files, and are what python-chess reads of large ones."""
ROUNDS: Final = 3
READERS: Final = ("python-chess", "pgn-extract -r", "--check", "--out")
READ_ALL: Final = (
    "import sys, chess.pgn; file = open(sys.argv[1], encoding='utf-8')\n"
    "while chess.pgn.read_game(file) is not None: pass"
)


def clean_games() -> tuple[bytes, list[tuple[TextOfGame, list[str]]]]:
    """The source, and those of its first games that are clean, with the strings of their moves."""
    data, found = source(), []
    for begin, end in pairwise([*game_starts(data), len(data)]):
        game = parts_of(data, begin, end)
        read = read_game(game, data)
        is_clean = read.outcome == READ and not any(p.kind or p.apart for p in read.played)
        is_clean = is_clean and game.has_result and "FEN" not in game.tags and not game.odd
        if is_clean and not (read.due and contradicted_result(game, data, read.due)):
            found.append((game, [played.san for played in read.played]))
        if len(found) == FEW:
            break
    return data, found


def written(data: bytes, game: TextOfGame, moves: Sequence[str], form: str, number: int) -> bytes:
    """A game in a form; one in twenty is dirty, or all are, by one superfluous sign of check."""
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
    """Moves with a clock each, and a comment and a variation at every tenth."""
    board = chess.Board()
    for i, san in enumerate(moves):
        number = f"{i // 2 + 1}{'...' if i % 2 else '.'} "
        yield f"{number}{san} {{ [%eval 0.{i}] [%clk 0:03:{i % 60:02}] }}"
        if i % 10 == 9:
            other = board.san(next(iter(board.legal_moves)))
            yield f"{{ Inaccuracy. {other} was best. }} ({number}{other} {{ so it is }})"
        board.push_san(san)


def cpu_seconds(reader: str, few: Path, many: Path, out: Path) -> float:
    """What a reader takes for many games; python-chess, which takes long, reads few of them."""
    shutil.rmtree(out, ignore_errors=True)
    scan = [sys.executable, "-c", PROGRAM, "scan", "--workers", "1", str(many)]
    commands = {
        "python-chess": [sys.executable, "-c", READ_ALL, str(few)],
        "pgn-extract -r": [shutil.which("pgn-extract", path=SEARCH_PATH) or "", "-r", str(many)],
        "--check": [*scan, "--check"],
        "--out": [*scan, "--out", str(out)],
    }
    return measured_command(reader, 1, commands[reader], {0, 1}).cpu_seconds


def table(
    readers: Sequence[str], texts: dict[str, list[bytes]], many: int
) -> dict[tuple[str, str], float]:
    """CPU seconds for a thousand games, in each form and by each reader: medians of several."""
    taken: dict[tuple[str, str], list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        few_games, many_games, out = (Path(folder, name) for name in ("few.pgn", "many.pgn", "out"))
        for form, each in texts.items():
            few_games.write_bytes(b"".join(each))
            many_games.write_bytes(b"".join(each) * (many // len(each)))
            for _ in range(ROUNDS):
                for reader in readers:
                    read = len(each) * (1 if reader == "python-chess" else many // len(each))
                    seconds = cpu_seconds(reader, few_games, many_games, out)
                    taken.setdefault((form, reader), []).append(1000 * seconds / read)
            row = [f"{median(taken[form, reader]):>16.3f}" for reader in readers]
            sys.stdout.write(f"{form:<14}{many_games.stat().st_size / 2**20:>8.0f}{''.join(row)}\n")
            sys.stdout.flush()
    return {key: median(values) for key, values in taken.items()}


def conditions(taken: dict[tuple[str, str], float]) -> Iterator[str]:
    """What was asked, what is, and whether it holds."""
    for mode in ("--check", "--out"):
        asked = [
            ("5 % dirty / plain", ("5 % dirty", mode), ("plain", mode), 1.5),
            ("all dirty / plain", ("all dirty", mode), ("plain", mode), 5.0),
            ("in UCI / python-chess", ("all in UCI", mode), ("all in UCI", "python-chess"), 0.1),
            ("plain / pgn-extract", ("plain", mode), ("plain", "pgn-extract -r"), 1.0),
            ("annotated / pgn-extract", ("annotated", mode), ("annotated", "pgn-extract -r"), 1.0),
        ]
        for name, one, other, most in asked:
            if other in taken:
                ratio = taken[one] / taken[other]
                holds = "holds" if ratio <= most else "DOES NOT HOLD"
                yield f"{mode:<8} {name:<30} {ratio:>7.3f}, at most {most}: {holds}\n"


def print_conditions(number: int) -> None:
    """Measure large and small files, and print the tables and the conditions."""
    data, clean = clean_games()
    texts = {
        form: [written(data, *game, form, i) for i, game in enumerate(clean)] for form in FORMS
    }
    readers = [
        r for r in READERS if r != "pgn-extract -r" or shutil.which("pgn-extract", path=SEARCH_PATH)
    ]
    for times in sorted({1, max(1, number // len(clean))}, reverse=True):
        many = times * len(clean)
        sys.stdout.write(f"\nCPU seconds for 1,000 games, with starting; files of {many:,} games\n")
        sys.stdout.write(f"{'':<14}{'MiB':>8}{''.join(f'{r:>16}' for r in readers)}\n")
        taken = table(readers, texts, many)
        if times > 1:
            sys.stdout.writelines(conditions(taken))


def main(number: int) -> None:
    """Measure and print."""
    sys.stdout.write(f"{'':<52} {'games/s':>10} {'per CPU s':>12} {'ratio':>7}\n")
    base = None
    for rate in rates(number):
        base = base or rate
        sys.stdout.write(rate.row(base) + "\n")
        sys.stdout.flush()
    print_conditions(number)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60_000)
