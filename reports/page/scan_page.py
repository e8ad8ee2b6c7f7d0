"""Makes the page of a scan: its counts, its deviations, and the share of strings that occurred.

Texts from games are not trusted: they are cut here, and escaped where they become HTML. There may
be millions of deviations, so that only some of each kind are kept.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Final, NamedTuple

import chess

from sanproof.proofs.rules.san import parse_san
from sanproof.reports.archive import ArchiveError, json_object, reading
from sanproof.reports.escaping import read_table_cell, visible
from sanproof.reports.page.kinds import kinds_of, share
from sanproof.reports.page.templates import render
from sanproof.reports.tables.names import MANIFEST, SUMMARY

COUNTS: Final = "counts.csv"
DEVIATIONS: Final = "deviations.csv"
MOST_EXAMPLES: Final = 3
MOST_KINDS: Final = 40
LONGEST_TEXT: Final = 60
MAX_SHOWN: Final = 20
MAX_SOURCES: Final = 200
_PLAYED: Final = ("string", "times", "games", "first_source", "first_game", "first_ply")
_DEVIATING: Final = ("source", "game", "ply", "line", "written", "canonical", "kind", "fen")
_NUMBERS: Final = {"times", "games", "first_game", "first_ply", "game", "ply", "line"}

Row = dict[str, Any]
"""A row of a table of the scan by column. Its texts are short and have only visible characters."""


class Scan(NamedTuple):
    """A finished scan: its summary, the strings that were played, and examples of deviations.

    The most frequent strings and kinds of deviations come first.
    """

    summary: Mapping[str, Any]
    played: list[Row]
    examples: dict[str, list[Row]]


def is_scan(directory: Path) -> bool:
    """Check whether a folder contains the results of a scan, and not a run."""
    is_there = [(directory / name).exists() for name in (COUNTS, DEVIATIONS, MANIFEST)]
    return any(is_there[:2]) and not is_there[2]


def read_scan(directory: Path) -> Scan:
    """Read a finished scan.

    Raises:
        ArchiveError: A file is missing, or is not as a scan writes it.
    """
    try:
        with reading(directory, "a file of the scan"):
            wanted = ("sources", "total", "deviations")
            summary = json_object((directory / SUMMARY).read_bytes(), *wanted)
            kinds = sorted(summary["deviations"].items(), key=lambda it: (-it[1], it[0]))
            sources = [one | {"name": visible(one["name"])} for one in summary["sources"]]
            return Scan(
                summary | {"deviations": dict(kinds), "sources": sources},
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
    """Return the first deviations of each of these kinds."""
    found: dict[str, list[Row]] = {kind: [] for kind in kinds}
    for row in _rows(path, _DEVIATING):
        examples = found.get(row["kind"])
        if examples is not None and len(examples) < MOST_EXAMPLES:
            examples.append(_shown(row))
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
            uci = chess.Board(shown["fen"]).parse_san(shown["canonical"]).uci()
            shown["squares"] = uci[:2], uci[2:4]
        except ValueError:  # the text denotes no move
            pass
    return shown


def scan_page(scan: Scan, proven: Sequence[str]) -> bytes:
    """Return ``index.html`` of a scan. ``proven`` has all reachable strings, in list order."""
    played, strings = {row["string"] for row in scan.played}, set(proven)
    total, kinds = scan.summary["total"], scan.summary["deviations"]

    def played_of(kind: str, sans: Sequence[str]) -> tuple[str, int, int, str]:
        number = len(played.intersection(sans))
        return kind, len(sans), number, share(number, len(sans))

    return render(
        "scan.html",
        moves=total.get("moves", 0),
        games=total.get("games", 0) - total.get("games_left-out", 0),
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
            [re.sub("[_-]", " ", name), number]
            for name, number in total.items()
            if number or name in ("games", "moves")
        ],
        coverage=kinds_of(list(map(parse_san, proven)), played_of),
        frequent=[(row["string"], row["times"], row["games"]) for row in scan.played[:MAX_SHOWN]],
        rarest=list(_rarest(scan.played)),
        examples=scan.examples,
    )


def _trouble(source: Mapping[str, Any]) -> int:
    """Return how many moves of a file deviate, and how many of its games were not read."""
    read = sum(int(source.get(name, 0)) for name in ("games_read", "games_left-out"))
    return int(source.get("deviating_moves", 0)) + int(source["games"]) - read


def _rarest(played: Sequence[Row]) -> Iterator[tuple[str, int, str]]:
    """Yield the strings that were played least often, with the place where first."""
    for row in sorted(played, key=lambda row: (row["times"], row["string"]))[:MAX_SHOWN]:
        file, move = PurePath(row["first_source"]).name, (row["first_ply"] + 1) // 2
        place = f"{file}, game {row['first_game']:,}, move {move}"
        yield row["string"], row["times"], place
