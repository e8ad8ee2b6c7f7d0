"""Small finished runs, whole to the last hash, to be read and damaged."""

import hashlib
import json
import lzma
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from sanproof.proofs.shortest.table import PUBLISHED, ShortestRow, pack_rows, packed_game
from sanproof.reports.tables.outputs import cover_index
from sanproof.reports.tables.pgn import PgnGame, write_pgn
from tests.campaigns.publish import make_observed

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

VERDICTS: Final = {"reachable": 4, "impossible": 2, "undecided": 0}
VERSIONS: Final = {"sanproof": "0.1.0", "python-sat": "1.9.dev17", "proofs": "d0e65fe85c0c4027"}
SUMMARY: Final[dict[str, Any]] = {
    "only": None,
    "strings": 6,
    **VERDICTS,
    "by_piece": {"pawn": VERDICTS, "queen": VERDICTS},
    "by_suffix": {"mate (#)": VERDICTS},
    "by_discriminator": {"nothing written": VERDICTS},
    "by_reason": {"promotion-missing": 1, "pawn-rank-written": 1},
    "refuted": 2,
    "games": {
        "games": 4,
        "strings_by_player": {"white and black": 0, "white": 2, "black": 2},
        "plies_mean": 4.0,
        "plies_deciles": [4] * 11,
    },
    "cover": {"games": 1, "mates": 1, "plies": 4, "plies_mean": 4.0, "plies_deciles": [4] * 11},
    "generator": {"strings": 28938, "missing": {"f3": FENS[0]}, "too_many": {"a1": "It is not."}},
    "undecided_strings": [],
    "undecided_players": [],
    "search": {"witnesses": 4},
    "versions": VERSIONS,
    "times": {"working_seconds": 0.5},
}


def files(*, games: bool = True) -> dict[str, bytes]:
    """Return the files of a run that knows four strings."""
    order = sorted(range(4), key=lambda ply: (len(SANS[ply]), SANS[ply]))
    strings = [SANS[ply] for ply in order]
    rows = [
        f"{SANS[ply]},{FENS[ply]},{MOVES[ply]},{FENS[ply + 1]}" + f",{number},{ply + 1},," * games
        for number, ply in enumerate(order, 1)
    ]
    header = "san,before_fen,uci,after_fen" + ",game,ply,other_game,other_ply" * games
    summary = SUMMARY if games else SUMMARY | {"games": None, "cover": None}
    made = {
        "san_strings.txt": "\n".join(strings[:3]),
        "san_strings_with_symbols.txt": "\n".join(strings),
        "witnesses.csv": "".join(f"{line}\n" for line in (header, *rows)),
        "summary.json": json.dumps(summary),
    }
    packed = {"impossible.csv.xz": "san,reason\na1,promotion-missing\ne4e5,pawn-rank-written\n"}
    if games:
        shown = [PgnGame(i, SANS[ply], ply, SANS) for i, ply in enumerate(order, 1)]
        cover = [PgnGame(1, SANS[3], 3, SANS)]
        packed["games.pgn.xz"] = "".join(map(write_pgn, shown))
        made["cover.pgn"] = "".join(map(write_pgn, cover))
        made["cover.csv"] = cover_index(cover, strings).decode()
    return {name: text.encode("ascii") for name, text in made.items()} | {
        name: lzma.compress(text.encode("ascii")) for name, text in packed.items()
    }


def manifest(content: Mapping[str, bytes]) -> dict[str, Any]:
    """Return a manifest that names these files."""
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in content.items()}
    counts = {"strings": 6, **VERDICTS}
    return {
        "files": hashes,
        "only": None,
        "counts": counts,
        "versions": VERSIONS,
        "sha256": "0" * 64,
    }


def write_run(directory: Path, content: Mapping[str, bytes]) -> Path:
    """Write the files of a run, and the manifest that names them."""
    directory.mkdir(exist_ok=True)
    for name, data in content.items():
        (directory / name).write_bytes(data)
    (directory / "manifest.json").write_text(json.dumps(manifest(content)))
    return directory


SOURCE: Final[dict[str, Any]] = {
    "games_of": "blitz games of a club",
    "first_month": "2019-11",
    "last_month": "2020-02",
    "games": 7,
    "address": "https://example.org/counts?a=1",
    "version": "16c0c69",
    "how": "Counted by hand.",
    "licence": "MIT",
    "copyright": "Copyright (c) 2020 Somebody",
}
TIMES: Final = {"f3": 12, "e5": 1, "Qh4#": 5_000_000_000}
"""The times that the strings of the run were played: g4 never was."""


def write_observed(directory: Path, times: Mapping[str, int] | None = None) -> Path:
    """Write counts of played strings beside the files of a run."""
    given = (TIMES if times is None else times).items()
    for name, content in make_observed(given, SOURCE, b"Do as you like.\n").items():
        (directory / name).write_bytes(content)
    return directory


SHORTEST: Final = (
    ShortestRow("f3", 1, 1, packed_game(MOVES)),
    ShortestRow("e5", 2, 2, packed_game(MOVES)),
    ShortestRow("e5", 5, 3, packed_game(["e2e4", "a7a6", "f2f3", "a6a5", "e4e5"])),
    ShortestRow("g4", 3, 1, packed_game(MOVES)),
    ShortestRow("Qh4#", 4, 4, packed_game(MOVES)),
)
"""Rows of the shortest games known: not as short as can be, and not complete."""


def write_shortest(directory: Path, rows: Sequence[ShortestRow] = SHORTEST) -> Path:
    """Write a table of the shortest games beside the files of a run."""
    (directory / PUBLISHED).parent.mkdir(exist_ok=True)
    (directory / PUBLISHED).write_bytes(_packed(tuple(rows)))
    return directory


_packed: Final = cache(pack_rows)
