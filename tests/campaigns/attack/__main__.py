"""Commands under attack: killed, stopped, given damaged stores, strange folders and forged runs.

``python -m tests.campaigns.attack [--seed S] [--count N] [--only WORD]`` tries each kind of attack
N times, and each large hostile input once. What must hold: no traceback; an exit code that the
documentation knows, with a sentence if it is a failure; and whatever was done to a run, it ends
with the bytes of one to which nothing was done, or it says that it is damaged.
"""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from tests.campaigns.attack import memory, stores, surroundings
from tests.campaigns.attack.world import SCAN, World, run_part
from tests.campaigns.forging.__main__ import Row, attempt, options_of, read_runs, show
from tests.campaigns.forging.model import Runs, make_runs
from tests.verify.command import sanproof
from tests.verify.scan.pgn import random_games

ATTACKS: Final[dict[str, Callable[[World], None]]] = {
    "killed or stopped, and given again": surroundings.stopped,
    "bits of a run's store": stores.flipped,
    "rows of a store, hashes made right": stores.edited,
    "folders that cannot be written": surroundings.unwritable,
    "a clock that goes back": surroundings.backwards,
    "files changed between two calls": surroundings.changed_between,
    "hostile folders": surroundings.hostile_folder,
    "forged runs": surroundings.forged,
    "changed runs and scans": surroundings.changed,
}


def make(*arguments: str) -> None:
    """Run a command that must succeed."""
    done = sanproof(*arguments)
    if done.returncode:
        raise RuntimeError(done.stderr)


def make_sound(directory: Path) -> None:
    """Make what the attacks start from: runs, a run of the part, games and a scan of them."""
    make_runs(directory)
    make(*run_part(directory / "sound"))
    text = "".join(random_games(40, 40)).replace("O-O ", "0-0 ")
    (directory / "games.pgn").write_text(text.replace("\n1. Nf3", "\n1. Ng1f3"))
    (directory / "more.pgn").write_text("".join(random_games(41, 10)))
    for games, scanned in (("games.pgn", "scanned"), ("more.pgn", "scanned_more")):
        make("scan", str(directory / games), "--out", str(directory / scanned), *SCAN)


def attacks(directory: Path, runs: Runs, count: int, seed: int, only: str = "") -> Iterator[Row]:
    """Try each attack so many times, and say what was wrong."""

    def once(name: str, number: int) -> None:
        with TemporaryDirectory() as folder:
            random = Random(f"{seed} {name} {number}")
            ATTACKS[name](World(Path(folder), directory, runs, random))

    for name in ATTACKS:
        if only in name:
            yield attempt(name, (partial(once, name, number) for number in range(count)))


def main() -> int:
    """Print the table; return 1 if anything went wrong."""
    parser = options_of("attack", __doc__, 20)
    parser.add_argument("--megabytes", type=int, default=memory.MEGABYTES, help="of large inputs")
    options = parser.parse_args()
    begun = time.perf_counter()
    with TemporaryDirectory() as temporary:
        make_sound(Path(temporary))
        runs = read_runs(Path(temporary))
        tried = attacks(Path(temporary), runs, options.count, options.seed, options.only)
        wrong = show(chain(tried, memory.attacks(runs, options.megabytes, options.only)))
    said = f"seed {options.seed}, {time.perf_counter() - begun:.0f} s"
    sys.stdout.write("\n".join([*wrong, said, ""]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
