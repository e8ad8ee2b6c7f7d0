"""How much text the workers of a scan scan, and its own process reads for them, in a second of CPU.

To read is all that the command's own process does: it unpacks, cuts into chunks, sends these to the
workers, and takes in what they found. Each rate is of the difference between the scans of a short
and of a long file by the command, so that what a scan does once (imports, its tables) is left out.

    python -m tests.scan_rates > scan.json

prints JSON for `python -m tests.scan_plan`. The games are those of the scan's benchmark, written as
Lichess writes them: seventeen tags, a clock time after every move, packed with zstd. Ratings,
players and times are drawn by lot, so it takes about as long to unpack them.
"""

import json
import random
import resource
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.verify.scan.chunks import READ, Options
from sanproof.verify.scan.lists import proven_lines
from sanproof.verify.scan.movetext import games
from sanproof.verify.scan.reading import read_game
from sanproof.verify.scan.scanner import Settings, scan
from sanproof.verify.scan.scanning import fast_path
from tests.bench_scan import corpus

GAMES: Final = 20_000
"""With far fewer, what a scan does once hides what it does for each game."""
SHORT, LONG = 4, 12
"""How many times the packed games stand in the two files; each time is unpacked by itself."""
WORKERS: Final = 2
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


class Cost(NamedTuple):
    """What a scan took.

    Attributes:
        reading: Seconds of CPU time of its own process.
        scanning: Those of all its workers.
        games: How many games it found.
        moves: How many moves.
    """

    reading: float
    scanning: float
    games: int
    moves: int


def cost_of(file: Path) -> Cost:
    """Scan a file as `sanproof scan` does, into a folder that is then removed."""

    def spent(who: int) -> float:
        usage = resource.getrusage(who)
        return usage.ru_utime + usage.ru_stime

    with tempfile.TemporaryDirectory() as folder:
        own, workers = spent(resource.RUSAGE_SELF), spent(resource.RUSAGE_CHILDREN)
        summary = scan([str(file)], Path(folder), Settings(Options(proven_lines()), WORKERS))
        return Cost(
            spent(resource.RUSAGE_SELF) - own,
            spent(resource.RUSAGE_CHILDREN) - workers,
            summary["total"]["games"],
            summary["total"]["moves"],
        )


def measured() -> dict[str, float]:
    """The rates, medians of several, and what was read."""
    import zstandard  # noqa: PLC0415 - of the extra

    if fast_path() is None:
        sys.exit("The fast path is not installed: pip install 'sanproof[scan]'.")
    text = as_lichess_writes(corpus(GAMES))
    packed = zstandard.compress(text, ZSTD_LEVEL)
    more_bytes = (LONG - SHORT) * len(text)
    with tempfile.TemporaryDirectory() as folder:
        short, long = Path(folder) / "short.pgn.zst", Path(folder) / "long.pgn.zst"
        short.write_bytes(packed * SHORT)
        long.write_bytes(packed * LONG)
        pairs = [(cost_of(short), cost_of(long)) for _ in range(REPEATS)]
    found = (pairs[0][1].games - pairs[0][0].games) // (LONG - SHORT)
    moves = (pairs[0][1].moves - pairs[0][0].moves) // (LONG - SHORT)
    scanning = statistics.median(many.scanning - few.scanning for few, many in pairs)
    reading = statistics.median(many.reading - few.reading for few, many in pairs)
    return {
        "text_bytes_per_second": more_bytes / scanning,
        "reader_bytes_per_second": more_bytes / reading,
        "games_per_second": found * (LONG - SHORT) / scanning,
        "moves_per_second": moves * (LONG - SHORT) / scanning,
        "text_bytes_per_game": len(text) / found,
        "moves_per_game": moves / found,
        "times_packed": len(text) / len(packed),
    }


def main() -> None:
    """Measure and print."""
    json.dump(measured(), sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
