"""The page of rarities: what can occur and was never seen, or hardly ever, by kinds of strings."""

from calendar import month_name
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from sanproof.proofs.rules.san import San
from sanproof.proofs.theory.reasons import NAMES
from sanproof.reports.archive.observed import Observed
from sanproof.reports.page.contents import Contents
from sanproof.reports.page.index import MAX_EXAMPLES, examples
from sanproof.reports.page.templates import render
from sanproof.reports.tables.names import OBSERVED, OBSERVED_LICENCE
from sanproof.reports.tables.summary import SUFFIX_NAMES
from sanproof.reports.tables.survey import DISCRIMINATORS, discriminator, piece_name

MAX_FREQUENT: Final = 20


def _promotion(san: San) -> str:
    return f"to a {NAMES[san.promotion]}" if san.promotion else "no promotion"


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
        _promotion,
        ("no promotion", *(f"to a {NAMES[letter]}" for letter in "QRBN")),
    ),
}
"""The tables: what the first column is called, the kind of a string, and the order of the kinds."""


def kinds_of(
    strings: Sequence[San], row: Callable[[str, list[str]], Any]
) -> dict[str, tuple[str, list[Any]]]:
    """Make each table of :data:`KINDS`: its first column's name, and a row for each kind."""
    tables = {}
    for title, (name, kind_of, order) in KINDS.items():
        kinds: dict[str, list[str]] = defaultdict(list)
        for san in strings:
            kinds[kind_of(san)].append(str(san))
        tables[title] = name, [row(kind, kinds[kind]) for kind in order if kinds[kind]]
    return tables


def rarities_page(contents: Contents, observed: Observed) -> bytes:
    """Make ``rarities.html``; the page of the run looks the strings up."""
    times = {str(san): observed.times.get(str(san), 0) for san in contents.reachable}
    never = [san for san in contents.reachable if times[str(san)] == 0]
    once = [san for san in contents.reachable if times[str(san)] == 1]
    return render(
        "rarities.html",
        reachable=len(times),
        seen=len(times) - len(never),
        moves=sum(times.values()),
        source=observed.source,
        first=_month(observed.source["first_month"]),
        last=_month(observed.source["last_month"]),
        table_name=OBSERVED,
        licence_name=OBSERVED_LICENCE,
        often=_often(times),
        frequent=sorted(times.items(), key=lambda item: -item[1])[:MAX_FREQUENT],
        kinds=kinds_of(contents.reachable, lambda kind, sans: _row(kind, sans, times)),
        never=never,
        never_by_piece=_by_piece(never),
        once=once,
        once_by_piece=_by_piece(once),
    )


def _month(text: str) -> str:
    year, month = text.split("-")
    return f"{month_name[int(month)]} {year}"


def _often(times: Mapping[str, int]) -> list[tuple[Any, ...]]:
    """Count how many strings were played how often, by the length of that number."""
    groups: dict[int, list[str]] = defaultdict(list)
    for san, number in times.items():
        groups[_decade(number)].append(san)
    decades = range(-1, max(groups, default=0) + 1)
    numbers = [len(groups[n]) for n in decades]
    return [
        (_range(n), number, share, examples(groups[n]))
        for n, number, share in zip(decades, numbers, shares(numbers), strict=True)
    ]


def shares(numbers: Sequence[int]) -> list[str]:
    """Return the share of each number in percent; the shares add up to 100%.

    Of the percents that rounding down leaves, those get one whose fractions are largest.
    """
    whole = sum(numbers) or 1
    percents = [100 * number // whole for number in numbers]
    by_fraction = sorted(range(len(numbers)), key=lambda at: -(100 * numbers[at] % whole))
    for at in by_fraction[: 100 - sum(percents) if any(numbers) else 0]:
        percents[at] += 1
    return [
        "<1%" if number and not percent else f"{percent}%"
        for number, percent in zip(numbers, percents, strict=True)
    ]


def share(part: int, whole: int) -> str:
    """Return a rounded share in percent, which is 0% or 100% only if it is just that."""
    percent = round(100 * part / whole)
    if percent == 0 and part:
        return "<1%"
    return ">99%" if percent == 100 and part < whole else f"{percent}%"


def _decade(number: int) -> int:
    """Return -1 for never, 0 for once, 1 for 2 to 9, 2 for 10 to 99, and so on."""
    return -1 if number == 0 else len(str(number)) - (number == 1)


def _range(decade: int) -> str:
    if decade < 1:
        return "never" if decade < 0 else "once"
    return f"{max(2, 10 ** (decade - 1)):,} to {10**decade - 1:,}"


def _row(kind: str, strings: Sequence[str], times: Mapping[str, int]) -> dict[str, Any]:
    """Return the counts of a kind of strings, as its table shows them.

    ``rarest`` are the strings that were seen least often, each with its number. That many are
    ``alike``, with the same number as the first; of these there are ``examples``.
    """
    seen = sorted((san for san in strings if times[san]), key=lambda san: times[san])
    same = [san for san in seen if times[san] == times[seen[0]]]
    return {
        "kind": kind,
        "can": len(strings),
        "seen": len(seen),
        "share": share(len(seen), len(strings)),
        "times": sum(times[san] for san in seen),
        "rarest": [(san, times[san]) for san in seen[:MAX_EXAMPLES]],
        "never": examples([san for san in strings if not times[san]]),
        "alike": len(same),
        "examples": examples(same),
    }


def _by_piece(strings: Iterable[San]) -> dict[str, dict[str, list[str]]]:
    """Group strings by piece, and these by what is written of the origin."""
    groups: dict[str, dict[str, list[str]]] = {
        piece: {name: [] for name in DISCRIMINATORS.values()} for piece in KINDS["By piece"][2]
    }
    for san in strings:
        groups[piece_name(san)][discriminator(san)].append(str(san))
    return {
        piece: shown
        for piece, origins in groups.items()
        if (shown := {name: sans for name, sans in origins.items() if sans})
    }
