"""The page of a scan: what was counted, what deviates, and how much of what can occur did."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import PurePath
from typing import Any, Final, NamedTuple

import chess

from sanproof.proofs.rules.san import parse_san
from sanproof.reports.archive.observed import Observed, spoken_total
from sanproof.reports.page.rarities import kinds_of, share
from sanproof.reports.page.scanned import Example, PlayedString, Scan
from sanproof.reports.page.templates import render

MAX_SHOWN: Final = 20
MAX_SOURCES: Final = 200
CURVE_POINTS: Final = 160
WIDTH, HEIGHT = 640, 220
"""The size of the curve, as in the template."""

TOTALS: Final = {
    "games": "games",
    "games_read": "read to their end",
    "games_stopped": "read up to a text that is no legal move",
    "games_unclosed": "with an unclosed comment or variation",
    "games_after-result": "with moves after the result, not read",
    "games_variant": "of another variant, not read",
    "games_bad-position": "from a position that chess does not allow, not read",
    "games_too-long": "too long, not read",
    "games_left-out": "left out by --where",
    "games_without_result": "that break off without a result",
    "games_from_position": "that begin from a FEN",
    "games_without_moves": "without a move",
    "moves": "moves",
    "deviating_moves": "moves that are not canonical SAN",
    "move_texts_not_read": "move texts that were not read",
}
"""Counts in words. What a scan counts besides is shown by its name."""


class ComparedWith(NamedTuple):
    """The strings that can be written, in list order; how often each was played elsewhere.

    The latter is None if it is not known.
    """

    strings: Sequence[str]
    observed: Observed | None


def scan_page(scan: Scan, proven: ComparedWith) -> bytes:
    """Make ``index.html`` of a scan."""
    played = {row.san for row in scan.played}
    strings = set(proven.strings)
    rarest = _rarest(scan, proven.observed.times if proven.observed else None)
    return render(
        "scan.html",
        moves=scan.total.get("moves", 0),
        games=scan.total.get("games", 0),
        sources=scan.by_trouble,
        max_sources=MAX_SOURCES,
        played=len(played & strings),
        strings=len(strings),
        deviating=sum(scan.kinds.values()),
        kinds=scan.kinds,
        total=[
            [TOTALS.get(name, name.replace("_", " ")), number]
            for name, number in scan.total.items()
            if number or name in ("games", "moves")
        ],
        curve=_curve(scan, strings),
        coverage=kinds_of(
            list(map(parse_san, proven.strings)),
            lambda kind, sans: _played_of(kind, sans, played),
        ),
        frequent=[(row.san, row.times, row.games) for row in scan.played[:MAX_SHOWN]],
        rarest=rarest,
        elsewhere=proven.observed and spoken_total(proven.observed),
        refuting=list(map(_shown, scan.refuting)),
        max_shown=MAX_SHOWN,
        examples={kind: list(map(_shown, items)) for kind, items in scan.examples.items()},
    )


def _played_of(kind: str, sans: Sequence[str], played: set[str]) -> tuple[str, int, int, str]:
    number = len(played.intersection(sans))
    return kind, len(sans), number, share(number, len(sans))


def _curve(scan: Scan, strings: set[str]) -> dict[str, Any] | None:
    """Count the strings that had been played after so many games: for a line, and for a table.

    None if none was played.
    """
    games = max(1, sum(number for _, number in scan.sources))
    before: dict[str, int] = {}
    counts = [number for _, number in scan.sources]
    for (name, _), offset in zip(scan.sources, accumulate(counts, initial=0), strict=False):
        before.setdefault(name, offset)
    played = (row for row in scan.played if row.san in strings)
    firsts = sorted(min(games, before.get(row.source, 0) + row.game) for row in played)
    if not firsts:
        return None
    places = sorted({round(games * i / CURVE_POINTS) for i in range(CURVE_POINTS + 1)})
    steps = sorted({games, *(10**n for n in range(len(str(games))))})
    return {
        "games": games,
        "strings": len(firsts),
        "line": " ".join(
            f"{WIDTH * place / games:.1f},"
            f"{HEIGHT * (1 - bisect_right(firsts, place) / len(firsts)):.1f}"
            for place in places
        ),
        "points": [(step, bisect_right(firsts, step)) for step in steps],
    }


def _rarest(scan: Scan, elsewhere: Mapping[str, int] | None) -> list[list[str | int]]:
    """Return the strings played least often; of these first what is rarest elsewhere, if known."""

    def often(row: PlayedString) -> list[int]:
        return [row.times] if elsewhere is None else [row.times, elsewhere.get(row.san, 0)]

    ordered = sorted(scan.played, key=lambda row: (often(row), row.san))
    return [
        [
            row.san,
            *often(row),
            f"{PurePath(row.source).name}, game {row.game:,}, move {(row.ply + 1) // 2}",
        ]
        for row in ordered[:MAX_SHOWN]
    ]


def _shown(example: Example) -> dict[str, Any]:
    """Return a text with its position, and the squares of its move if it denotes one."""
    squares = None
    if example.fen:
        try:
            move = chess.Board(example.fen).parse_san(example.canonical)
            squares = chess.square_name(move.from_square), chess.square_name(move.to_square)
        except ValueError:
            pass
    return {**example._asdict(), "file": PurePath(example.source).name, "squares": squares}
