"""Counts of each string in real games, made by others.

The counts are no evidence, and no verdict rests on them. They are published beside a run, in three
files: the table, packed; where it comes from, with the hashes of the others; and the licence. The
audit checks that every counted string is among the proven ones; any other would refute the theorem.
"""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from sanproof.proofs.kernel.files import MOST_BYTES, EvidenceError, read_bytes, unpacked
from sanproof.reports.archive import json_object, reading
from sanproof.reports.tables.names import OBSERVED, OBSERVED_FILES, OBSERVED_SOURCE

_UNITS: Final = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))


class Sighting(NamedTuple):
    """How often one string was played in the counted games; ``times`` is 0 if it never was."""

    times: int
    moves: int
    games_of: str

    def sentence(self) -> str:
        """Return a sentence such as: Played 12 times in 398 billion moves of some games."""
        how = {0: "Never seen", 1: "Played once"}.get(self.times, f"Played {self.times:,} times")
        return f"{how} in {in_words(self.moves)} moves of {self.games_of}."


class Observed:
    """The counts of played strings in a folder.

    ``source`` has the entries of ``observed.json``, ``digests`` the SHA-256 of the three files.
    """

    def __init__(self, directory: Path, source: dict[str, Any], files: Mapping[str, bytes]) -> None:
        self.source = source
        self.digests = {name: _sha256(files[name]) for name in OBSERVED_FILES}
        self._directory = directory
        self._files = files

    def sighting(self, san: str) -> Sighting:
        """Return how often one string was played, without reading all rows.

        Raises:
            ArchiveError: The table is damaged.
        """
        start = self._table.find(f"\n{san},")
        with reading(self._directory, OBSERVED):
            row = self._table[start + 1 :].split("\n", 1)[0] if start >= 0 else f"{san},0"
            times = int(row.removeprefix(f"{san},"))
        return Sighting(times, self.source["moves"], self.source["games_of"])

    @cached_property
    def _table(self) -> str:
        with reading(self._directory, OBSERVED):
            return unpacked(OBSERVED, self._files[OBSERVED]).decode("ascii")

    @cached_property
    def times(self) -> dict[str, int]:
        """Return how often each string that was seen was played, in list order.

        Raises:
            ArchiveError: The table is damaged.
        """
        with reading(self._directory, OBSERVED):
            rows = [row.split(",") for row in self._table.splitlines()[1:]]
            return {san: int(number) for san, number in rows}

    def files(self) -> dict[str, bytes]:
        """Return the three files as they were read."""
        return dict(self._files)


def open_observed(directory: Path) -> Observed | None:
    """Open the counts in the folder of a run, or return None if it has none.

    Raises:
        ArchiveError: A file is missing or damaged.
    """
    if not any((directory / name).exists() for name in OBSERVED_FILES):
        return None
    with reading(directory, OBSERVED_SOURCE):
        files = {name: read_bytes(directory / name, MOST_BYTES) for name in OBSERVED_FILES}
        source = json_object(files[OBSERVED_SOURCE], "games_of", "games", "moves", "strings")
        for name, digest in dict(source["files"]).items():
            if _sha256(files[name]) != digest:
                raise EvidenceError(f"{name} is not the file that {OBSERVED_SOURCE} names")
    return Observed(directory, source, files)


def in_words(number: int) -> str:
    """Write a large number with three digits: 397,801,292,866 is ``398 billion``."""
    for unit, name in _UNITS:
        if number >= unit:
            return f"{float(f'{number / unit:.3g}'):,g} {name}"
    return f"{number:,}"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
