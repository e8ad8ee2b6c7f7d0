"""The table of the shortest games known, which stands beside the published data or a run.

A row is a player's string: the earliest ply known, the ply before which no game can show it, and
the game. The games are checked elsewhere; here only the form of the table is.
"""

import os
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.proofs.kernel.files import MOST_BYTES, read_bytes, unpacked
from sanproof.reports.archive import reading
from sanproof.reports.archive.schema import SHORTEST_ROWS, SchemaError, ascii_text
from sanproof.reports.archive.unpacking import table_rows
from sanproof.reports.tables.names import SHORTEST

FOLDER: Final = "shortest"


class Earliest(NamedTuple):
    """The earliest place of a string that is known for a player.

    Attributes:
        san: The string.
        player: Who plays it: ``white`` or ``black``.
        ply: Where it stands in the shortest game known, from 1.
        bound: No game has it earlier.
        moves: The game in UCI, with spaces between.
    """

    san: str
    player: str
    ply: int
    bound: int
    moves: str

    @property
    def is_exact(self) -> bool:
        """Whether no game can have it earlier."""
        return self.ply == self.bound


class Shortest:
    """The table of a folder; it is read when something is asked."""

    def __init__(self, directory: Path, content: bytes) -> None:
        self.content = content
        self._directory = directory

    @cached_property
    def rows(self) -> dict[tuple[str, str], Earliest]:
        """The row of each string and player.

        Raises:
            ArchiveError: The table is damaged.
        """
        rows = {}
        with reading(self._directory, SHORTEST):
            text = ascii_text(unpacked(SHORTEST, self.content))
            for player, san, ply, bound, moves in table_rows(text, SHORTEST_ROWS):
                row = Earliest(san, player, int(ply), int(bound), moves)
                if not row.bound <= row.ply <= 1 + moves.count(" "):
                    raise SchemaError(f"says that {san} stands at ply {ply} and not before {bound}")
                if (row.ply % 2 == 1) != (player == "white") or (san, player) in rows:
                    raise SchemaError(f"has a row of {san} that cannot be {player}'s")
                rows[san, player] = row
        return rows

    def of(self, san: str, player: str | None = None) -> Earliest | None:
        """Return a player's row of a string, or of who has it earlier; None if there is none.

        Its bound is the lower one then, for no player is earlier than that.
        """
        players = ("white", "black") if player is None else (player,)
        found = [self.rows[san, name] for name in players if (san, name) in self.rows]
        if not found:
            return None
        first = min(found, key=lambda row: row.ply)
        return first._replace(bound=min(row.bound for row in found))


def open_shortest(directory: Path) -> Shortest | None:
    """Return the table that stands beside a run; None if there is none.

    Raises:
        ArchiveError: It cannot be read.
    """
    path = directory / FOLDER / SHORTEST
    if not os.path.lexists(path):
        return None
    with reading(directory, SHORTEST):
        return Shortest(directory, read_bytes(path, MOST_BYTES))
