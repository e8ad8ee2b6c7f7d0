"""The page of records: how early each string can be played, and how early it is known to be."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from sanproof.proofs.shortest.table import TABLE, ShortestRow
from sanproof.reports.archive.shortest import Shortest
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.kinds import kinds_of
from sanproof.reports.page.templates import render

WIDTH, HEIGHT = 640, 220
"""The size of the picture, as in the template."""


def records_page(contents: Contents, shortest: Shortest) -> bytes:
    """Make ``records.html``.

    Raises:
        ArchiveError: The table of the shortest games is damaged.
    """
    found = ((str(san), shortest.of(str(san))) for san in contents.reachable)
    rows = {san: row for san, row in found if row is not None}

    def kind(name: str, sans: Sequence[str]) -> tuple[str | int | float, ...]:
        return name, len(sans), *_averages(rows[san] for san in sans if san in rows)

    bound, average, exact = _averages(rows.values())
    by_ply = _by_ply(rows.values())
    return render(
        "records.html",
        reachable=len(contents.reachable),
        known=len(rows),
        exact=exact,
        average=average,
        bound=bound,
        curve=_curve(by_ply) if by_ply else None,
        by_ply=by_ply,
        kinds=kinds_of(contents.reachable, kind),
        file=TABLE,
        size=len(shortest.content),
    )


def _averages(some: Iterable[ShortestRow]) -> tuple[float | str, float | str, int]:
    """Return the average bound and the average ply of rows, and how many are exact."""
    rows = list(some)
    if not rows:
        return "-", "-", 0
    plies = (sum(row.bound for row in rows), sum(row.ply for row in rows))
    bound, ply = (round(number / len(rows), 1) for number in plies)
    return bound, ply, sum(row.exact for row in rows)


def _by_ply(rows: Iterable[ShortestRow]) -> list[list[int]]:
    """Return for each ply how many strings can be there, are known there, and are exact there."""
    bounds, plies, exact = Counter[int](), Counter[int](), Counter[int]()
    for row in rows:
        bounds[row.bound] += 1
        plies[row.ply] += 1
        exact[row.ply] += row.exact
    return [[n, bounds[n], plies[n], exact[n]] for n in range(1, 1 + max(plies, default=0))]


def _curve(by_ply: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Return two lines: at ply n so many strings are known, and no more than so many can be.

    With them the ticks of both axes: each a number, and where it stands.
    """
    plies, strings = len(by_ply), sum(row[2] for row in by_ply)

    def line(column: int) -> str:
        counts = (0, *accumulate(row[column] for row in by_ply))
        return " ".join(
            f"{WIDTH * ply / plies:.1f},{HEIGHT * (1 - count / strings):.1f}"
            for ply, count in enumerate(counts)
        )

    return {
        "strings": strings,
        "plies": plies,
        "most": line(1),
        "least": line(2),
        "plies_at": [(n, f"{WIDTH * n / plies:.1f}") for n in range(0, plies + 1, 10)],
        "shares_at": [(n, f"{HEIGHT * (1 - n / 100):.1f}") for n in range(0, 101, 25)],
    }
