"""Games that people played: README.md says where they are from."""

import os
from pathlib import Path
from typing import Final

REAL_GAMES: Final = Path(
    os.environ.get("SANPROOF_GAMES") or Path(__file__).with_name("real-games.pgn")
)
"""``SANPROOF_GAMES`` names a larger collection, for a long session."""
