"""The functions numba compiles, compiled before tests want them: once, not by every process.

``python -m tests.compiling scan`` calls the loops of the fast path, ``... games`` those that search
for paths and mates and play games. Each takes a second where they are compiled already.
"""

import sys

import numpy as np

from sanproof.proofs.games import endings, paths
from sanproof.proofs.games.pieces import read_setting
from sanproof.verify.scan.chunks import Chunk, Options, proven_lines
from sanproof.verify.scan.scanning import scan_chunk

GAMES = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n1. e2e4 e5+ 2. Nf3 *\n"
"""The position of a move that deviates is written."""


def scan() -> None:
    """Scan a game on the fast path."""
    scan_chunk(Chunk("a", GAMES), Options(proven_lines()))


def games() -> None:
    """Search a path from a hub to itself, which has no steps, and play a game."""
    setting = read_setting("8/8/8/8/8/k7/8/2K4R")
    paths.search_path(setting, setting.squares, frozenset(), 1)
    paths.plies_left(1, 1, True, False)
    paths.plies_left(np.zeros(1, np.int64), np.zeros(1, np.int64), True, False)
    endings.search_mate(setting)


if __name__ == "__main__":
    {"scan": scan, "games": games}[sys.argv[1]]()
