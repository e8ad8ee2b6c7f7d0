"""The page of a scan: what was counted, what deviates, and how much of what can occur did.

Texts of games are foreign: they are shortened here, and escaped where they become HTML. Of the
deviations, which may be millions, some of each kind are kept.
"""

import csv
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path, PurePath
from typing import Any, Final, NamedTuple

import chess

from sanproof.proofs.rules.san import parse_san
from sanproof.reports.archive import ArchiveError, json_object, reading
from sanproof.reports.archive.observed import Observed, spoken_total
from sanproof.reports.escaping import read_table_cell, visible
from sanproof.reports.page.rarities import kinds_of, share
from sanproof.reports.page.templates import render
from sanproof.reports.tables.names import MANIFEST, SUMMARY

COUNTS: Final = "counts.csv"
DEVIATIONS: Final = "deviations.csv"
MOST_EXAMPLES: Final = 3
MOST_KINDS: Final = 40
LONGEST_TEXT: Final = 60
MAX_SHOWN: Final = 20
MAX_SOURCES: Final = 200
CURVE_POINTS: Final = 160
WIDTH, HEIGHT = 640, 220
"""The size of the curve, as in the template."""
_PLAYED: Final = ("string", "times", "games", "first_source", "first_game", "first_ply")
_DEVIATING: Final = ("source", "game", "ply", "line", "written", "canonical", "kind", "fen")
_NUMBERS: Final = {"times", "games", "first_game", "first_ply", "game", "ply", "line"}

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

Row = dict[str, Any]
"""A row of a table of the scan by its columns: numbers, and texts that are short and visible."""


class Scan(NamedTuple):
    """A finished scan: its summary, the strings that were played, and examples of deviations.

    The strings and the kinds of deviations stand with the most frequent first.
    """

    summary: Mapping[str, Any]
    played: list[Row]
    examples: dict[str, list[Row]]


def is_scan(directory: Path) -> bool:
    """Check whether a folder is one of a scan, and not of a run."""
    is_there = [(directory / name).exists() for name in (COUNTS, DEVIATIONS, MANIFEST)]
    return any(is_there[:2]) and not is_there[2]


def read_scan(directory: Path) -> Scan:
    """Read a finished scan.

    Raises:
        ArchiveError: A file is missing or does not hold what a scan writes.
    """
    try:
        with reading(directory, "a file of the scan"):
            wanted = ("sources", "total", "deviations", "refuting")
            summary = json_object((directory / SUMMARY).read_bytes(), *wanted)
            kinds = sorted(summary["deviations"].items(), key=lambda it: (-it[1], it[0]))
            sources = [one | {"name": visible(one["name"])} for one in summary["sources"]]
            refuting = [
                _shown(found | {"line": 0, "written": found["san"], "canonical": found["san"]})
                for found in summary["refuting"]
            ]
            return Scan(
                summary | {"deviations": dict(kinds), "sources": sources, "refuting": refuting},
                list(map(_shown, _rows(directory / COUNTS, _PLAYED))),
                _examples(directory / DEVIATIONS, [kind for kind, _ in kinds[:MOST_KINDS]]),
            )
    except OSError as error:
        raise ArchiveError(f"{error.filename} cannot be read: {error.strerror}") from error


def _rows(path: Path, names: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the cells of these columns, row by row."""
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        places = [header.index(name) for name in names]
        for row in rows:
            yield {
                name: read_table_cell(row[place]) for name, place in zip(names, places, strict=True)
            }


def _examples(path: Path, kinds: Sequence[str]) -> dict[str, list[Row]]:
    """Return the first deviations of each of these kinds; reading ends when all are there."""
    found: dict[str, list[Row]] = {kind: [] for kind in kinds}
    wanted = len(kinds) * MOST_EXAMPLES
    for row in _rows(path, _DEVIATING):
        examples = found.get(row["kind"])
        if examples is not None and len(examples) < MOST_EXAMPLES:
            examples.append(_shown(row))
            wanted -= 1
            if not wanted:
                break
    return found


def _shown(row: Mapping[str, Any]) -> Row:
    """Return a row as the page shows it: a position has the squares of the move, if there is one.

    There is no position where a table has another text, such as a damaged tag.
    """
    shown: Row = {
        name: int(cell) if name in _NUMBERS else visible(cell, LONGEST_TEXT)
        for name, cell in row.items()
    }
    if "fen" in row:
        placed = r"[1-8/BKNPQRbknpqr]+ [bw] [-A-Ha-hKQkq]+ [-a-h1-8]+.*"
        shown |= {"fen": row["fen"] if re.fullmatch(placed, row["fen"]) else "", "squares": None}
        shown["file"] = PurePath(shown["source"]).name
        try:
            move = chess.Board(shown["fen"]).parse_san(shown["canonical"])
            shown["squares"] = (
                chess.square_name(move.from_square),
                chess.square_name(move.to_square),
            )
        except ValueError:  # the text denotes no move
            pass
    return shown


def scan_page(scan: Scan, proven: Sequence[str], observed: Observed | None) -> bytes:
    """Make ``index.html`` of a scan.

    Args:
        scan: What was scanned.
        proven: The strings that can be written, in list order.
        observed: How often each was played elsewhere, if that is known.
    """
    played, strings = {row["string"] for row in scan.played}, set(proven)
    total, kinds = scan.summary["total"], scan.summary["deviations"]

    def played_of(kind: str, sans: Sequence[str]) -> tuple[str, int, int, str]:
        number = len(played.intersection(sans))
        return kind, len(sans), number, share(number, len(sans))

    return render(
        "scan.html",
        moves=total.get("moves", 0),
        games=total.get("games", 0),
        sources=[
            (one["name"], one["games"])
            for one in sorted(scan.summary["sources"], key=_trouble, reverse=True)
        ],
        max_sources=MAX_SOURCES,
        played=len(played & strings),
        strings=len(strings),
        deviating=sum(kinds.values()),
        kinds=kinds,
        total=[
            [TOTALS.get(name, name.replace("_", " ")), number]
            for name, number in total.items()
            if number or name in ("games", "moves")
        ],
        curve=_curve(scan, strings),
        coverage=kinds_of(list(map(parse_san, proven)), played_of),
        frequent=[(row["string"], row["times"], row["games"]) for row in scan.played[:MAX_SHOWN]],
        rarest=_rarest(scan.played, observed.times if observed else None),
        elsewhere=observed and spoken_total(observed),
        refuting=scan.summary["refuting"],
        max_shown=MAX_SHOWN,
        examples=scan.examples,
    )


def _trouble(source: Mapping[str, Any]) -> int:
    """Return how many moves of a file deviate, and how many of its games were not read."""
    read = sum(int(source.get(name, 0)) for name in ("games_read", "games_left-out"))
    return int(source.get("deviating_moves", 0)) + int(source["games"]) - read


def _curve(scan: Scan, strings: set[str]) -> dict[str, Any] | None:
    """Count the strings that had been played after so many games: for a line, and for a table.

    None if none was played.
    """
    counts = [source["games"] for source in scan.summary["sources"]]
    games = max(1, sum(counts))
    before: dict[str, int] = {}
    offsets = accumulate(counts, initial=0)
    for source, offset in zip(scan.summary["sources"], offsets, strict=False):
        before.setdefault(source["name"], offset)
    firsts = sorted(
        min(games, before.get(row["first_source"], 0) + row["first_game"])
        for row in scan.played
        if row["string"] in strings
    )
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


def _rarest(played: Sequence[Row], elsewhere: Mapping[str, int] | None) -> list[list[str | int]]:
    """Return the strings played least often; of these first what is rarest elsewhere, if known."""

    def often(row: Row) -> list[int]:
        known = [] if elsewhere is None else [elsewhere.get(row["string"], 0)]
        return [row["times"], *known]

    found = []
    for row in sorted(played, key=lambda row: (often(row), row["string"]))[:MAX_SHOWN]:
        file, move = PurePath(row["first_source"]).name, (row["first_ply"] + 1) // 2
        place = f"{file}, game {row['first_game']:,}, move {move}"
        found.append([row["string"], *often(row), place])
    return found
