"""Folders as a scan of game files leaves them, to be read and damaged."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
OPEN: Final = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
CASTLES: Final = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4"

COLUMNS: Final = ("string", "times", "games", "first_source", "first_game", "first_ply")
COUNTS: Final = (
    ("e4", 5, 4, "games/a.pgn", 1, 1),
    ("e5", 4, 4, "games/a.pgn", 1, 2),
    ("Nf3", 2, 2, "games/a.pgn", 2, 3),
    ("O-O", 1, 1, "games/b.pgn", 1, 7),
    ("Qb6e3#", 1, 1, "games/b.pgn", 2, 61),
)
DEVIATING: Final = (
    *("source", "game", "ply", "line", "column"),
    *("written", "canonical", "kind", "fen"),
)
DEVIATIONS: Final = (
    ("games/a.pgn", 2, 3, 9, 13, "Ng1f3", "Nf3", "excess-square", OPEN),
    ("games/a.pgn", 3, 3, 19, 13, "Ng1f3", "Nf3", "excess-square", OPEN),
    ("games/b.pgn", 1, 7, 9, 36, "0-0", "O-O", "zeros-in-castling", CASTLES),
    ("games/b.pgn", 3, 3, 29, 13, "Ke3", "", "illegal cannot-reach", OPEN),
)
SUMMARY: Final[dict[str, Any]] = {
    "sources": [{"name": "games/a.pgn", "games": 3}, {"name": "games/b.pgn", "games": 4}],
    "total": {"games": 7, "games_read": 6, "games_stopped": 1, "moves": 13, "lines": 40},
    "strings": {"proven": 28938, "played": 5},
    "most_frequent": {"e4": 5},
    "rarest": {"O-O": 1},
    "deviations": {"zeros-in-castling": 1, "excess-square": 2, "illegal cannot-reach": 1},
    "refuting": [],
    "settings": {"files": ["games"]},
}


def _table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode(errors="surrogateescape")


def write_scan(
    directory: Path,
    *,
    summary: Mapping[str, Any] | None = None,
    counts: Sequence[Sequence[object]] = COUNTS,
    deviations: Sequence[Sequence[object]] = DEVIATIONS,
) -> Path:
    """Write the files of a scan; the entries of ``summary`` replace those of the usual one."""
    directory.mkdir(exist_ok=True)
    (directory / "counts.csv").write_bytes(_table(COLUMNS, counts))
    (directory / "deviations.csv").write_bytes(_table(DEVIATING, deviations))
    (directory / "summary.json").write_text(json.dumps(SUMMARY | dict(summary or {})))
    return directory
