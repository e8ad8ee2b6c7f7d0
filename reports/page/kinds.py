"""Kinds of strings, by which several pages count them, and shares in percent."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final

from sanproof.proofs.rules.san import San
from sanproof.proofs.theory.reasons import NAMES
from sanproof.reports.tables.summary import SUFFIX_NAMES
from sanproof.reports.tables.survey import DISCRIMINATORS, discriminator, piece_name

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


def examples(strings: Sequence[str]) -> list[str]:
    """Choose some of many strings, evenly spread: the first are all of one corner of the board."""
    count = min(len(strings), MAX_EXAMPLES)
    return [strings[(2 * i + 1) * len(strings) // (2 * count)] for i in range(count)]


def share(part: int, whole: int) -> str:
    """Return a rounded share in percent, which is 0% or 100% only if it is just that."""
    percent = round(100 * part / whole)
    if percent == 0 and part:
        return "<1%"
    return ">99%" if percent == 100 and part < whole else f"{percent}%"
