"""How fast games are read: the scan, python-chess, pgn-extract and the bare native reader.

All read the same file: the published games, the cover and, where they lie beside the project, the
games that people played, repeated. Each rate is of one process; CPU time, which other programs on
the machine disturb least, and the time that passed.
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
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import chess.pgn

from sanproof.verify.scan.borders import game_starts

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
    parts = [gzip.decompress((ROOT / "data/games.pgn.gz").read_bytes())]
    parts.append(lzma.decompress((ROOT / "data/cover.pgn.xz").read_bytes()))
    if real_games := os.environ.get("SANPROOF_GAMES"):
        parts.insert(0, Path(real_games).read_bytes().rstrip() + b"\n\n")
    text = b"".join(parts)
    starts = [*game_starts(text), len(text)]
    times, rest = divmod(wanted_games, len(starts) - 1)
    return text * times + text[: starts[rest]]


def measured(name: str, games: int, action: Callable[[], object]) -> Rate:
    """The rate of an action of this process."""
    begun, cpu = time.perf_counter(), time.process_time()
    action()
    return Rate(name, games, time.perf_counter() - begun, time.process_time() - cpu)


def measured_command(name: str, games: int, command: list[str]) -> Rate:
    """The rate of a program."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if run.returncode:
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


def main(games: int) -> None:
    """Measure and print."""
    sys.stdout.write(f"{'':<52} {'games/s':>10} {'per CPU s':>12} {'ratio':>7}\n")
    base = None
    for rate in rates(games):
        base = base or rate
        sys.stdout.write(rate.row(base) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60_000)
