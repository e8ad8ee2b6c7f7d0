"""Prints what is known of the shortest games: by piece and suffix, by ply, and the longest waits.

``python -m tests.campaigns.waits`` reads the published table, or another that is named.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.proofs.rules.san import parse_san
from sanproof.proofs.shortest.bounds import Bounds
from sanproof.proofs.shortest.table import PUBLISHED, ShortestRow, read_rows
from tests.verify.command import ROOT

WAITS: Final = 10
"""So many strings of the highest bounds have their argument printed."""


class Wait(NamedTuple):
    """The wait for a string: the earliest ply known, and what no game can beat; by whom."""

    san: str
    ply: int
    bound: int
    player: str


def waits(rows: Iterable[ShortestRow]) -> list[Wait]:
    """Return each string's, by whichever player is earlier."""
    by_san = defaultdict(list)
    for row in rows:
        by_san[row.san].append(row)
    found = []
    for san, both in by_san.items():
        first = min(both, key=lambda row: row.bound)
        found.append(Wait(san, min(row.ply for row in both), first.bound, first.player))
    return found


def kind_of(san: str) -> tuple[str, str]:
    """Return what a string names besides its destination, and its suffix."""
    parts = parse_san(san)
    named = "file and rank" if parts.file and parts.rank else ""
    named = named or ("file or rank" if parts.file or parts.rank else "")
    named = f"={parts.promotion}" if parts.promotion else named if parts.piece else ""
    return f"{parts.piece or 'pawn'} {named}".strip(), parts.suffix


def by_kind(found: Iterable[Wait]) -> Iterator[str]:
    """Yield a line for each kind of string."""
    kinds = defaultdict(list)
    for wait in found:
        kinds[kind_of(wait.san)].append(wait)
        kinds["all", ""].append(wait)
    yield f"{'strings':20} {'number':>7} {'bound':>6} {'known':>6} {'exact':>6}"
    for (kind, suffix), several in sorted(kinds.items()):
        size = len(several)
        bound = sum(wait.bound for wait in several) / size
        ply = sum(wait.ply for wait in several) / size
        exact = sum(wait.ply == wait.bound for wait in several)
        yield f"{kind:18} {suffix:1} {size:7,} {bound:6.2f} {ply:6.2f} {exact:6,}"


def by_ply(found: list[Wait]) -> Iterator[str]:
    """Yield for each ply how many strings are known by then, may be possible, and are exact."""
    yield f"{'ply':>3} {'known':>7} {'possible':>9} {'exact':>7}"
    for ply in range(1, 1 + max(wait.ply for wait in found)):
        known = [wait for wait in found if wait.ply <= ply]
        possible = sum(wait.bound <= ply for wait in found)
        exact = sum(wait.ply == wait.bound for wait in known)
        yield f"{ply:3} {len(known):7,} {possible:9,} {exact:7,}"


def longest(found: list[Wait]) -> Iterator[str]:
    """Yield the arguments of the strings whose bounds are highest."""
    bounds = Bounds()
    for wait in sorted(found, key=lambda wait: (-wait.bound, -wait.ply, wait.san))[:WAITS]:
        if argument := bounds.argument(wait.san, wait.player):
            yield from argument.sentences()


def main() -> None:
    """Print all of it."""
    found = waits(read_rows(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "data" / PUBLISHED))
    for part in (by_kind(found), by_ply(found), longest(found)):
        sys.stdout.write("\n".join(part) + "\n\n")


if __name__ == "__main__":
    main()
