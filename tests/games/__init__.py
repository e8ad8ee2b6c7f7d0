"""Games for tests: real ones, and the published ones."""

import lzma
import os
from functools import cache
from pathlib import Path
from typing import Final

from sanproof.proofs.games.game import ProofGame, read_line
from sanproof.proofs.shortest.table import PUBLISHED, ShortestRow, read_rows

REAL_GAMES: Final = Path(
    os.environ.get("SANPROOF_GAMES") or Path(__file__).with_name("real-games.pgn")
)
"""``SANPROOF_GAMES`` names a larger collection, for a long session."""
ROOT: Final = Path(__file__).parents[2]


@cache
def published_rows() -> list[ShortestRow]:
    """Return the rows of the published table of the shortest games, read once for all tests."""
    return read_rows(ROOT / "data" / PUBLISHED)


@cache
def published_games() -> list[ProofGame]:
    """Return the published games, one for each string and player, read once for all tests."""
    text = lzma.decompress((ROOT / "data" / "games.txt.xz").read_bytes()).decode()
    return list(map(read_line, text.splitlines()))
