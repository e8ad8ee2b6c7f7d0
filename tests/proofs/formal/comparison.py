"""Are the definitions in Coq chess? Their program is compared with python-chess.

``python -m tests.proofs.formal.comparison --seed 1 --pairs 1000000`` compares moves, strings,
check, mate, stalemate and the positions after moves; repetition and 75 moves; and the leaves of
the Chess Programming Wiki's six positions. Exit codes: 0 no difference, 1 a difference.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from tests.proofs.formal.player import Player, build_player, differences
from tests.proofs.formal.questions import PERFT, about_games, about_positions

SHOWN: Final = 5


def compare(
    player: Player, rng: Random, pairs: int, games: int
) -> tuple[dict[str, int], list[str]]:
    """How much was compared, and the first differences in words."""
    counts = {
        "positions": 0,
        "pairs of position and move": 0,
        "all moves of positions": 0,
        "games": 0,
    }
    found: list[str] = []
    for question, due, moves in about_positions(rng, pairs):
        counts[
            "positions" if moves or question.startswith("moves") else "all moves of positions"
        ] += 1
        counts["pairs of position and move"] += moves
        found += map(told, differences([(question, due)], player))
        if len(found) >= SHOWN:
            return counts, found
    for question, due in about_games(rng, games):
        counts["games"] += 1
        found += map(told, differences([(question, due)], player))
        if len(found) >= SHOWN:
            break
    return counts, found


def told(difference: tuple[str, str, str]) -> str:
    """One difference, in the words that differ."""
    question, due, answer = difference
    here, there = set(due.split()), set(answer.split())
    return (
        f"{question}\n  only python-chess: {' '.join(sorted(here - there)[:4])}"
        f"\n  only Chess.v: {' '.join(sorted(there - here)[:4])}"
    )


def compare_leaves(player: Player) -> tuple[int, list[str]]:
    """The leaves of the six positions, and where they differ from what the wiki says."""
    found, leaves = [], 0
    for fen, depth, due in PERFT:
        start = time.perf_counter()
        answer = player.ask(f"perft {depth} {fen}")
        sys.stdout.write(f"perft {depth} {fen}: {answer} ({time.perf_counter() - start:.0f} s)\n")
        sys.stdout.flush()
        leaves += int(answer or 0)
        if answer != str(due):
            found.append(f"perft {depth} {fen}: {answer}, not {due}")
    return leaves, found


def main() -> None:
    """Compare, and say what was compared."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--no-perft", action="store_true", help="leave out the six positions")
    parser.add_argument("--build", type=Path, help="where to build and keep the program")
    options = parser.parse_args()
    with TemporaryDirectory() as name, Player(build_player(options.build or Path(name))) as player:
        counts, found = compare(player, Random(options.seed), options.pairs, options.games)
        if not options.no_perft and not found:
            counts["leaves"], found = compare_leaves(player)
    for difference in found:
        sys.stdout.write(f"{difference}\n")
    said = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    sys.stdout.write(f"{said} (seed {options.seed}): {len(found) or 'no'} differences\n")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
