"""Checks the table of the shortest games, which published data has besides."""

import os
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Final

from sanproof.proofs.kernel.files import EvidenceError, read_bytes
from sanproof.proofs.shortest.checks import check_part
from sanproof.proofs.shortest.table import PARTS, PUBLISHED, TABLE, split_table
from sanproof.verify.work.progress import Scale
from sanproof.verify.work.provenance import is_installed

PHASE: Final = "Replaying the shortest games"


def read_table(directory: Path) -> bytes | None:
    """Return the table that stands beside a run; None otherwise.

    Raises:
        EvidenceError: It cannot be read.
    """
    path = directory / PUBLISHED
    return read_bytes(path) if os.path.lexists(path) else None


def submit_table(
    table: bytes, executor: Executor, progress: Scale
) -> Iterator[list[tuple[str, str]]]:
    """Have the parts of a table checked; the work begins at once.

    Where numba is installed games are replayed by compiled code, and a sample by the kernel.
    """
    check = partial(check_part, by_kernel=not is_installed("numba"))
    parts = split_table(table)
    checking = executor.map(check, parts.values(), parts)
    return progress.watch(PHASE, checking, len(PARTS))


def check_players(
    checked: Iterable[list[tuple[str, str]]], played: Collection[tuple[str, str]]
) -> int:
    """Check that the table has a row for each string and player who plays it; count the rows.

    Raises:
        EvidenceError: One is missing, or one too many is there.
    """
    found = {row for rows in checked for row in rows}
    if strange := found.symmetric_difference(played):
        san, player = min(strange)
        has = "has a row" if (san, player) in found else "has no row"
        raise EvidenceError(f"{TABLE}: {has} of {player}'s {san}; the games of the proof differ")
    return len(found)
