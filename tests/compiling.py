"""The functions numba compiles, compiled before tests want them: once, not by every process.

``python -m tests.compiling scan`` calls the loops of the fast path, ``... games`` those that search
for paths and mates and play games. Each takes a second where they are compiled already.
"""

import sys

from sanproof.proofs.games.search import compile_search
from sanproof.verify.scan.results import Chunk, Options, proven_lines
from sanproof.verify.scan.scanning import scan_chunk

GAMES = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n"


def scan() -> None:
    """Scan a game on the fast path."""
    scan_chunk(Chunk("a", GAMES, [0]), Options(proven_lines()))


if __name__ == "__main__":
    {"scan": scan, "games": compile_search}[sys.argv[1]]()
