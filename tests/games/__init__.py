"""Games for tests: real ones, and the published ones."""

import lzma
import os
from pathlib import Path
from typing import Final

from sanproof.proofs.games.game import ProofGame, read_line

REAL_GAMES: Final = Path(
    os.environ.get("SANPROOF_GAMES") or Path(__file__).with_name("real-games.pgn")
)
"""``SANPROOF_GAMES`` names a larger collection, for a long session."""
ROOT: Final = Path(__file__).parents[2]


def published_games() -> list[ProofGame]:
    """Return the published games, one for each string and player."""
    text = lzma.decompress((ROOT / "data" / "games.txt.xz").read_bytes()).decode()
    return list(map(read_line, text.splitlines()))
