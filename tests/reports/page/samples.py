"""A finished run of three strings, with one game, for the page."""

import json
import lzma
from collections.abc import Mapping
from pathlib import Path

from sanproof.reports.archive.door import open_archive
from sanproof.reports.page.contents import Contents, read_contents
from sanproof.reports.tables.pgn import PgnGame, write_pgn
from tests.reports.archive import archives
from tests.reports.archive.archives import write_run

GAME = PgnGame(1, "Qxf7#", 6, ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"))
BEFORE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
AFTER = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"
VERDICTS = {"reachable": 1, "impossible": 1, "undecided": 1}
SUMMARY = archives.SUMMARY | {
    "only": "Qxf7*",
    "strings": 3,
    **VERDICTS,
    "by_piece": {"queen": VERDICTS},
    "by_suffix": {"mate (#)": VERDICTS},
    "by_discriminator": {"nothing written": VERDICTS},
    "by_reason": {"no-twins": 1},
    "games": {
        "games": 1,
        "strings_by_player": {"white": 1},
        "plies_mean": 7.0,
        "plies_deciles": [7] * 11,
    },
    "cover": None,
}
FILES = {
    "summary.json": json.dumps(SUMMARY).encode(),
    "san_strings_with_symbols.txt": b"Qxf7#",
    "witnesses.csv": (
        "san,before_fen,uci,after_fen,game,ply,other_game,other_ply\n"
        f"Qxf7#,{BEFORE},h5f7,{AFTER},1,7,,\n"
    ).encode(),
    "games.pgn.xz": lzma.compress(write_pgn(GAME).encode()),
    "impossible.csv.xz": lzma.compress(b"san,reason\nQ1xf7,no-twins\n"),
}


def sample_contents(directory: Path, changed: Mapping[str, bytes] | None = None) -> Contents:
    """Return what the page is made from, of the run with some files changed."""
    return read_contents(open_archive(write_run(directory, FILES | dict(changed or {}))))
