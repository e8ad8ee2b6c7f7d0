"""Small finished runs, whole to the last hash, to be read and damaged."""

import gzip
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from reports.tables.pgn import PgnGame, write_pgn

SANS: Final = ("f3", "e5", "g4", "Qh4#")
"""The shortest mate: the game of every string here."""

FENS: Final = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
)
MOVES: Final = ("f2f3", "e7e5", "g2g4", "d8h4")


def files(*, games: bool = True) -> dict[str, bytes]:
    """The files of a run that knows four strings."""
    order = sorted(range(4), key=lambda ply: (len(SANS[ply]), SANS[ply]))
    rows = [
        f"{SANS[ply]},{FENS[ply]},{MOVES[ply]},{FENS[ply + 1]}" + f",{number}" * games
        for number, ply in enumerate(order, 1)
    ]
    text = "".join(write_pgn(PgnGame(i, SANS[p], p, SANS)) for i, p in enumerate(order, 1))
    header = "san,before_fen,uci,after_fen" + ",game" * games
    made = {
        "san_strings.txt": "\n".join(SANS[ply] for ply in order[:3]),
        "san_strings_with_symbols.txt": "\n".join(SANS[ply] for ply in order),
        "witnesses.csv": "".join(f"{line}\n" for line in (header, *rows)),
        "summary.json": json.dumps({"only": None, "undecided": 0}),
    }
    packed = {"impossible.csv.gz": "san,reason\na1,promotion-missing\ne4e5,pawn-rank-written\n"}
    if games:
        packed["games.pgn.gz"] = text
    return {name: text.encode("ascii") for name, text in made.items()} | {
        name: gzip.compress(text.encode("ascii")) for name, text in packed.items()
    }


def write_run(directory: Path, content: Mapping[str, bytes]) -> Path:
    """Write the files of a run, and the manifest that names them."""
    directory.mkdir(exist_ok=True)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in content.items()}
    for name, data in content.items():
        (directory / name).write_bytes(data)
    (directory / "manifest.json").write_text(json.dumps({"files": hashes}))
    return directory
