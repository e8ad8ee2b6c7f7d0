"""Makes the pages of rarities and of records, which count strings by kind."""

from calendar import month_name
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from sanproof.proofs.rules.san import San
from sanproof.proofs.shortest.table import TABLE, ShortestRow
from sanproof.proofs.theory.reasons import NAMES
from sanproof.reports.archive.observed import Observed
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.templates import render
from sanproof.reports.tables.names import OBSERVED, OBSERVED_LICENCE
from sanproof.reports.tables.summary import DISCRIMINATORS, SUFFIX_NAMES, discriminator, piece_name

MAX_FREQUENT: Final = 20
WIDTH, HEIGHT = 640, 220
"""The size of the chart of records in the template, in units of SVG."""
MAX_EXAMPLES: Final = 4
KINDS: Final[dict[str, tuple[str, Callable[[San], str], Sequence[str]]]] = {
    "By piece": ("piece", piece_name, (*NAMES.values(), "castling")),
    "By suffix": ("suffix", lambda san: SUFFIX_NAMES[san.suffix], tuple(SUFFIX_NAMES.values())),
    "By what is written of the origin": ("origin", discriminator, tuple(DISCRIMINATORS.values())),
    "Captures": (
        "capture",
        lambda san: "capture" if san.capture else "no capture",
        ("no capture", "capture"),
    ),
    "Promotions": (
        "promotion",
        lambda san: f"to a {NAMES[san.promotion]}" if san.promotion else "no promotion",
        ("no promotion", *(f"to a {NAMES[letter]}" for letter in "QRBN")),
    ),
}
"""For each table the name of its first column, the kind of a string, and the order of kinds."""


def kinds_of(
    strings: Sequence[San], row: Callable[[str, list[str]], Any]
) -> dict[str, tuple[str, list[Any]]]:
    """Map the title of each table of :data:`KINDS` to its first column's name and its rows.

    ``row`` makes the row of a kind, given its name and its strings.
    """
    tables = {}
    for title, (name, kind_of, order) in KINDS.items():
        kinds: dict[str, list[str]] = defaultdict(list)
        for san in strings:
            kinds[kind_of(san)].append(str(san))
        tables[title] = name, [row(kind, kinds[kind]) for kind in order if kinds[kind]]
    return tables


def examples(strings: Sequence[str]) -> list[str]:
    """Choose up to MAX_EXAMPLES strings, evenly spread, because the first are all alike."""
    count = min(len(strings), MAX_EXAMPLES)
    return [strings[(2 * i + 1) * len(strings) // (2 * count)] for i in range(count)]


def share(part: int, whole: int) -> str:
    """Return a share in percent, rounded, but 0% only for none and 100% only for all."""
    percent = round(100 * part / whole)
    if percent == 0 and part:
        return "<1%"
    return ">99%" if percent == 100 and part < whole else f"{percent}%"


# What can occur and was never seen, or hardly ever


def rarities_page(contents: Contents, observed: Observed) -> bytes:
    """Return ``rarities.html``, about the strings that were never or seldom played."""
    times = {str(san): observed.times.get(str(san), 0) for san in contents.reachable}
    seldom = [[san for san in contents.reachable if times[str(san)] == n] for n in (0, 1)]
    return render(
        "rarities.html",
        reachable=len(times),
        seen=len(times) - len(seldom[0]),
        moves=sum(times.values()),
        source=observed.source,
        first=_month(observed.source["first_month"]),
        last=_month(observed.source["last_month"]),
        table_name=OBSERVED,
        licence_name=OBSERVED_LICENCE,
        often=_often(times),
        frequent=sorted(times.items(), key=lambda item: -item[1])[:MAX_FREQUENT],
        kinds=kinds_of(contents.reachable, lambda kind, sans: _row(kind, sans, times)),
        never=len(seldom[0]),
        once=len(seldom[1]),
        never_by_piece=_by_piece(seldom[0]),
        once_by_piece=_by_piece(seldom[1]),
    )


def _month(text: str) -> str:
    year, month = text.split("-")
    return f"{month_name[int(month)]} {year}"


def _often(times: Mapping[str, int]) -> list[tuple[str, int, list[str]]]:
    """Count the strings that were never played, 1 to 9 times, 10 to 99 times, and so on."""
    groups: dict[int, list[str]] = defaultdict(list)
    for san, number in times.items():
        groups[len(str(number)) if number else 0].append(san)
    words = ["never", *(f"{10 ** (n - 1):,} to {10**n - 1:,}" for n in range(1, 1 + max(groups)))]
    return [(word, len(groups[n]), examples(groups[n])) for n, word in enumerate(words)]


def _row(kind: str, strings: Sequence[str], times: Mapping[str, int]) -> dict[str, Any]:
    """Return the counts of a kind of strings, as its table shows them.

    ``rarest`` are the strings that were seen least often, each with its number.
    """
    seen = sorted((san for san in strings if times[san]), key=lambda san: times[san])
    return {
        "kind": kind,
        "can": len(strings),
        "seen": len(seen),
        "share": share(len(seen), len(strings)),
        "times": sum(times[san] for san in seen),
        "rarest": [(san, times[san]) for san in seen[:MAX_EXAMPLES]],
        "never": examples([san for san in strings if not times[san]]),
    }


def _by_piece(strings: Iterable[San]) -> dict[str, dict[str, list[str]]]:
    """Group strings by piece, and these by what is written of the origin."""
    groups: dict[str, dict[str, list[str]]] = {piece: {} for piece in KINDS["By piece"][2]}
    for san in sorted(strings, key=lambda san: (bool(san.rank), bool(san.file))):
        groups[piece_name(san)].setdefault(discriminator(san), []).append(str(san))
    return {piece: by_origin for piece, by_origin in groups.items() if by_origin}


# How early each string can be played, and how early it is known to be


def records_page(contents: Contents) -> bytes:
    """Return ``records.html``, about how early each string can be played.

    Raises:
        ArchiveError: The table of the shortest games is damaged.
    """
    found = ((str(san), contents.archive.earliest(str(san))) for san in contents.reachable)
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
        size=len(contents.archive.shortest or b""),
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
