"""The page of records: how early each string can be played, and how early it is known to be."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from sanproof.proofs.shortest.table import TABLE, ShortestRow
from sanproof.reports.archive.shortest import Shortest
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.rarities import kinds_of
from sanproof.reports.page.templates import render

WIDTH, HEIGHT = 640, 220
"""The size of the picture, as in the template."""


def rows_of(contents: Contents) -> list[ShortestRow]:
    """Return the row of each string that has one, in list order."""
    shortest = contents.shortest
    found = (shortest.of(str(san)) for san in contents.reachable) if shortest else ()
    return [row for row in found if row is not None]


def records_page(contents: Contents, shortest: Shortest) -> bytes:
    """Make ``records.html``.

    Raises:
        ArchiveError: The table of the shortest games is damaged.
    """
    rows = rows_of(contents)
    by_string = {row.san: row for row in rows}
    return render(
        "records.html",
        reachable=len(contents.reachable),
        known=len(rows),
        exact=sum(row.exact for row in rows),
        average=_average(row.ply for row in rows),
        bound=_average(row.bound for row in rows),
        curve=_curve(rows),
        by_ply=_by_ply(rows),
        kinds=kinds_of(contents.reachable, lambda kind, sans: _kind(kind, sans, by_string)),
        file=TABLE,
        size=len(shortest.content),
    )


def _average(plies: Iterable[int]) -> float | str:
    found = list(plies)
    return round(sum(found) / len(found), 1) if found else "-"


def _kind(kind: str, sans: Sequence[str], rows: dict[str, ShortestRow]) -> tuple[Any, ...]:
    """Average the plies of the strings of a kind, bound and known, and count the exact ones."""
    found = [rows[san] for san in sans if san in rows]
    plies = (_average(row.bound for row in found), _average(row.ply for row in found))
    return kind, len(sans), *plies, sum(row.exact for row in found)


def _by_ply(rows: Sequence[ShortestRow]) -> list[list[int]]:
    """Return for each ply how many strings can be there, are known there, and are exact there."""
    last = max((row.ply for row in rows), default=0)
    bounds, plies = Counter(row.bound for row in rows), Counter(row.ply for row in rows)
    exact = Counter(row.ply for row in rows if row.exact)
    return [[ply, bounds[ply], plies[ply], exact[ply]] for ply in range(1, last + 1)]


def _curve(rows: Sequence[ShortestRow]) -> dict[str, Any] | None:
    """Return two lines: at ply n so many strings are known, and no more than so many can be.

    With them the ticks of both axes: each a number, and where it stands.
    """
    table = _by_ply(rows)
    if not table:
        return None
    last = len(table)
    lines = []
    for column in (1, 2):
        counts = accumulate(row[column] for row in table)
        points = [
            f"{WIDTH * ply / last:.1f},{HEIGHT * (1 - count / len(rows)):.1f}"
            for ply, count in enumerate((0, *counts))
        ]
        lines.append(" ".join(points))
    return {
        "strings": len(rows),
        "plies": last,
        "most": lines[0],
        "least": lines[1],
        "plies_at": [(n, f"{WIDTH * n / last:.1f}") for n in range(0, last + 1, 10)],
        "shares_at": [(n, f"{HEIGHT * (1 - n / 100):.1f}") for n in range(0, 101, 25)],
    }
