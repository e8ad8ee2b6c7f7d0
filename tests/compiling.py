"""The functions numba compiles, compiled before tests want them: once, not by every process.

``python -m tests.compiling`` calls the loops of the scan's fast path, and those that search for
paths and mates and play games.
"""

from sanproof.proofs.games.search import compile_search
from sanproof.verify.scan.results import Options, Piece, proven_lines
from sanproof.verify.scan.scanning import scan_chunk

GAMES = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n"

if __name__ == "__main__":
    scan_chunk([Piece("a", GAMES, [0])], Options(proven_lines()))
    compile_search()
