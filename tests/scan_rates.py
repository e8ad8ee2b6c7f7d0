"""How much text one core scans, and how much one core reads for others, in a second of CPU time.

To read is to unpack, to cut into chunks, and to make these ready for another process.

    python -m tests.scan_rates > scan.json

prints JSON for `python -m tests.scan_plan`. The games are those of the scan's benchmark, written as
Lichess writes them: seventeen tags, a clock time after every move, packed with zstd. Ratings,
players and times are drawn by lot, so it takes about as long to unpack them.
"""

import json
import pickle
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.bench_scan import corpus
from verify.scan.chunks import READ, Options
from verify.scan.harness import tasks
from verify.scan.lists import proven_lines
from verify.scan.movetext import games
from verify.scan.reading import read_game
from verify.scan.scanning import fast_path, scan_chunk
from verify.scan.sources import find_sources

GAMES: Final = 20_000
REPEATS: Final = 3
TAGS: Final = """[Event "Rated Blitz game"]
[Site "https://lichess.org/{site:08x}"]
[Date "2022.09.01"]
[Round "-"]
[White "somebody{white:05}"]
[Black "somebodyelse{black:05}"]
[Result "1-0"]
[UTCDate "2022.09.01"]
[UTCTime "06:21:42"]
[WhiteElo "{white_rating}"]
[BlackElo "{black_rating}"]
[WhiteRatingDiff "+6"]
[BlackRatingDiff "-6"]
[ECO "B23"]
[Opening "Sicilian Defense: Closed"]
[TimeControl "180+2"]
[Termination "Normal"]

"""
ZSTD_LEVEL: Final = 19


def as_lichess_writes(data: bytes) -> bytes:
    """Those of the games that can be read to their end, in the form of the Lichess database."""
    texts: list[str] = []
    for game in games(data):
        if read_game(game, data).outcome == READ:
            chosen = random.Random(len(texts))
            moves = [data[span.start : span.end].decode() for span in game.moves]
            numbered = (
                f"{ply // 2 + 1}{'...' if ply % 2 else '.'} {move} {{ [%clk {_clock(chosen)}] }}"
                for ply, move in enumerate(moves)
            )
            texts.append(f"{_tags(chosen)}{' '.join(numbered)} 1-0\n\n")
    return "".join(texts).encode("ascii")


def _tags(chosen: random.Random) -> str:
    return TAGS.format(
        site=chosen.getrandbits(32),
        white=chosen.randrange(100_000),
        black=chosen.randrange(100_000),
        white_rating=chosen.randrange(1000, 2500),
        black_rating=chosen.randrange(1000, 2500),
    )


def _clock(chosen: random.Random) -> str:
    return f"0:0{chosen.randrange(4)}:{chosen.randrange(60):02}"


def cpu_seconds(action: Callable[[], object]) -> float:
    """The median of several times after one that is thrown away."""
    action()
    times = []
    for _ in range(REPEATS):
        before = time.process_time()
        action()
        times.append(time.process_time() - before)
    return statistics.median(times)


def measured(count: int) -> dict[str, float]:
    """The rates, and what was read."""
    import zstandard  # noqa: PLC0415 - of the extra

    text = as_lichess_writes(corpus(count))
    options = Options(proven_lines())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.pgn.zst"
        packed = zstandard.compress(text, ZSTD_LEVEL)
        file.write_bytes(packed)
        sources = find_sources([str(file)])

        def read() -> None:
            for task in tasks(sources):
                pickle.dumps(task.chunk)  # as it goes to a worker

        reading = cpu_seconds(read)
        chunks = [task.chunk for task in tasks(sources)]
    results = [scan_chunk(chunk, options) for chunk in chunks]
    scanning = cpu_seconds(lambda: [scan_chunk(chunk, options) for chunk in chunks])
    found = sum(result.counts["games"] for result in results)
    moves = sum(result.counts["moves"] for result in results)
    if fast_path() is None:
        sys.exit("The fast path is not installed: pip install 'sanproof[scan]'.")
    return {
        "text_bytes_per_second": len(text) / scanning,
        "reader_bytes_per_second": len(text) / reading,
        "games_per_second": found / scanning,
        "moves_per_second": moves / scanning,
        "text_bytes_per_game": len(text) / found,
        "moves_per_game": moves / found,
        "times_packed": len(text) / len(packed),
    }


def main() -> None:
    """Measure and print."""
    json.dump(measured(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES), sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
