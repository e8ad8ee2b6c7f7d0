"""The page of rarities: what can occur and was never seen, or hardly ever, by kinds of strings."""

from calendar import month_name
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sanproof.proofs.rules.san import San
from sanproof.reports.archive.observed import Observed
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.kinds import KINDS, MAX_EXAMPLES, examples, kinds_of, share
from sanproof.reports.page.templates import render
from sanproof.reports.tables.names import OBSERVED, OBSERVED_LICENCE
from sanproof.reports.tables.survey import discriminator, piece_name

MAX_FREQUENT: Final = 20


def rarities_page(contents: Contents, observed: Observed) -> bytes:
    """Make ``rarities.html``; the page of the run looks the strings up."""
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
