"""The results of a scan, read for its page.

Texts of games are foreign: they are shortened here, and escaped where they become HTML. Of the
deviations, which may be millions, some of each kind are kept.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from sanproof.reports.archive import ArchiveError, json_object, reading
from sanproof.reports.escaping import read_table_cell, visible
from sanproof.reports.tables.names import MANIFEST, SUMMARY

COUNTS: Final = "counts.csv"
DEVIATIONS: Final = "deviations.csv"
MOST_EXAMPLES: Final = 3
MOST_KINDS: Final = 40
LONGEST_TEXT: Final = 60


class PlayedString(NamedTuple):
    """In how many moves and games a string was played, and where first: file, game, ply.

    Games and plies are numbered from 1.
    """

    san: str
    times: int
    games: int
    source: str
    game: int
    ply: int


class Example(NamedTuple):
    """A move text that deviates, and where: file, game, ply and line, all from 1.

    The text is shortened. ``canonical`` is how the move is written, and empty if the text denotes
    no move, or several; ``fen`` is empty if it is no position.
    """

    source: str
    game: int
    ply: int
    line: int
    written: str
    canonical: str
    fen: str


class Scan(NamedTuple):
    """A finished scan.

    ``sources`` has each file with its number of games, in the order in which they were read;
    ``by_trouble`` has those with most trouble first;
    ``total`` the sums over all files, by name. ``kinds`` of deviations and the ``played`` strings
    stand with the most frequent first; ``examples`` are the first of the most frequent kinds. The
    moves that are ``refuting`` would refute the theorem.
    """

    directory: Path
    sources: list[tuple[str, int]]
    by_trouble: list[tuple[str, int]]
    total: dict[str, int]
    kinds: dict[str, int]
    refuting: list[Example]
    played: list[PlayedString]
    examples: dict[str, list[Example]]


def is_scan(directory: Path) -> bool:
    """Check whether a folder is one of a scan, and not of a run."""
    is_there = [(directory / name).exists() for name in (COUNTS, DEVIATIONS, MANIFEST)]
    return any(is_there[:2]) and not is_there[2]


def _trouble(source: Mapping[str, Any]) -> int:
    """Return how many moves of a file deviate, and how many of its games were not read."""
    names = ("games_read", "games_left-out")
    unread = int(source["games"]) - sum(int(source.get(name, 0)) for name in names)
    return int(source.get("deviating_moves", 0)) + unread


def read_scan(directory: Path) -> Scan:
    """Read a finished scan.

    Raises:
        ArchiveError: A file is missing or does not hold what a scan writes.
    """
    try:
        with reading(directory, "a file of the scan"):
            wanted = ("sources", "total", "deviations", "refuting")
            summary = json_object((directory / SUMMARY).read_bytes(), *wanted)
            kinds = dict(sorted(summary["deviations"].items(), key=lambda it: (-it[1], it[0])))
            sources = summary["sources"]
            return Scan(
                directory=directory,
                sources=list(map(_source, sources)),
                by_trouble=[_source(one) for one in sorted(sources, key=_trouble, reverse=True)],
                total=summary["total"],
                kinds=kinds,
                refuting=list(map(_refuting, summary["refuting"])),
                played=list(_played(directory / COUNTS)),
                examples=_examples(directory / DEVIATIONS, list(kinds)[:MOST_KINDS]),
            )
    except OSError as error:
        raise ArchiveError(f"{error.filename} cannot be read: {error.strerror}") from error


def _source(source: Mapping[str, Any]) -> tuple[str, int]:
    return visible(source["name"]), source["games"]


def _refuting(item: Mapping[str, Any]) -> Example:
    san = _short(item["san"])
    place = _short(item["source"]), item["game"], item["ply"], 0
    return Example(*place, san, san, _position(item["fen"]))


def _rows(path: Path, names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the cells of these columns, row by row."""
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        places = [header.index(name) for name in names]
        for row in rows:
            yield [read_table_cell(row[place]) for place in places]


def _played(path: Path) -> Iterator[PlayedString]:
    columns = ("string", "times", "games", "first_source", "first_game", "first_ply")
    for san, times, games, source, game, ply in _rows(path, columns):
        yield PlayedString(san, int(times), int(games), _short(source), int(game), int(ply))


def _examples(path: Path, kinds: Sequence[str]) -> dict[str, list[Example]]:
    """Return the first deviations of each of these kinds; reading ends when all are there."""
    found: dict[str, list[Example]] = {kind: [] for kind in kinds}
    columns = ("source", "game", "ply", "line", "written", "canonical", "kind", "fen")
    wanted = len(kinds) * MOST_EXAMPLES
    for source, game, ply, line, written, canonical, kind, fen in _rows(path, columns):
        examples = found.get(kind)
        if examples is None or len(examples) == MOST_EXAMPLES:
            continue
        texts = _short(written), _short(canonical), _position(fen)
        examples.append(Example(_short(source), int(game), int(ply), int(line), *texts))
        wanted -= 1
        if not wanted:
            break
    return found


def _position(fen: str) -> str:
    """Return a FEN; none where a table has another text, such as a damaged tag."""
    return fen if re.fullmatch(r"[1-8/BKNPQRbknpqr]+ [bw] [-A-Ha-hKQkq]+ [-a-h1-8]+.*", fen) else ""


def _short(text: str) -> str:
    return visible(text, LONGEST_TEXT)
