"""The table of the shortest games known, which stands beside the published data or a run.

It is no evidence of the theorem. A part of it is unpacked when one of its strings is asked for.
"""

import os
from pathlib import Path

from sanproof.proofs.kernel.files import MOST_BYTES, read_bytes
from sanproof.proofs.shortest.table import (
    PUBLISHED,
    TABLE,
    ShortestRow,
    part_of,
    read_part,
    split_table,
)
from sanproof.reports.archive import reading


class Shortest:
    """The table of a folder."""

    def __init__(self, directory: Path, content: bytes) -> None:
        self.content = content
        self._directory = directory
        self._asked: dict[str, tuple[str, list[ShortestRow]]] = {}
        self._parts: dict[str, dict[str, list[ShortestRow]]] = {}

    def rows_of(self, san: str) -> list[ShortestRow]:
        """Return a row for each player who can play a string.

        Raises:
            ArchiveError: The table is damaged.
        """
        part = part_of(san)
        if part in self._parts:
            return self._parts[part].get(san, [])
        asked, found = self._asked.get(part, ("", []))
        if asked == san:
            return found
        with reading(self._directory, TABLE):
            packed = split_table(self.content)[part]
            if not asked:  # one string is often all that is asked for
                self._asked[part] = (san, list(read_part(packed, part, san)))
                return self._asked[part][1]
            rows: dict[str, list[ShortestRow]] = {}
            for row in read_part(packed, part):
                rows.setdefault(row.san, []).append(row)
        self._parts[part] = rows
        return rows.get(san, [])

    def of(self, san: str, player: str | None = None) -> ShortestRow | None:
        """Return the earlier row of a string, or that of the player who is named.

        It is None if there is no such row. If no player is named, its bound is the lower of both
        bounds: neither player can be earlier than that.

        Raises:
            ArchiveError: The table is damaged.
        """
        found = [row for row in self.rows_of(san) if player in (None, row.player)]
        if not found:
            return None
        first = min(found)  # all are of this string
        return first._replace(bound=min(row.bound for row in found))


def open_shortest(directory: Path) -> Shortest | None:
    """Return the table that stands beside a run; None otherwise.

    Raises:
        ArchiveError: It cannot be read.
    """
    path = directory / PUBLISHED
    if not os.path.lexists(path):
        return None
    with reading(directory, TABLE):
        return Shortest(directory, read_bytes(path, MOST_BYTES))
