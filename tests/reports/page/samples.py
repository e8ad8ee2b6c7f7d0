"""A finished run of three strings, with one game, for the page."""

import json

from reports.tables.files import gzipped
from reports.tables.pgn import PgnGame, write_pgn

GAME = PgnGame(1, "Qxf7#", 6, ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"))
BEFORE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
AFTER = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"
SUMMARY = {
    "only": "Qxf7*",
    "strings": 3,
    "reachable": 1,
    "impossible": 1,
    "undecided": 1,
    "by_reason": {"no-twins": 1},
}
FILES = {
    "summary.json": json.dumps(SUMMARY).encode(),
    "san_strings_with_symbols.txt": b"Qxf7#",
    "witnesses.csv": f"san,before_fen,uci,after_fen,game\nQxf7#,{BEFORE},h5f7,{AFTER},1\n".encode(),
    "games.pgn.gz": gzipped(write_pgn(GAME).encode()),
    "impossible.csv.gz": gzipped(b"san,reason\nQ1xf7,no-twins\n"),
}
