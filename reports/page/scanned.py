"""What a scan of game files left behind, read for its page; a file may hold anything.

Texts of games are foreign: they are shortened here, and escaped where they become HTML. Of the
deviations, which may be millions, some of each kind are kept.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from sanproof.reports.archive.schema import FEN, SAN
from sanproof.reports.escaping import read_table_cell, visible
from sanproof.reports.tables.names import MANIFEST, SUMMARY

T = TypeVar("T")
COUNTS: Final = "counts.csv"
DEVIATIONS: Final = "deviations.csv"
MOST_EXAMPLES: Final = 3
MOST_KINDS: Final = 40
LONGEST_TEXT: Final = 60
_MOST_BYTES: Final = 1 << 26
_MOST: Final = 10**15
_KIND: Final = re.compile(r"[a-z0-9-]{1,60}(?: [a-z0-9-]{1,60}){0,9}")


class ScanError(Exception):
    """A folder that holds no finished scan, or a damaged one; a sentence without its full stop."""


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
    ``total`` the sums over all files, by name. ``kinds`` of deviations and the ``played`` strings
    stand with the most frequent first; ``examples`` are the first of the most frequent kinds. The
    moves that are ``refuting`` would refute the theorem.
    """

    directory: Path
    sources: list[tuple[str, int]]
    total: dict[str, int]
    kinds: dict[str, int]
    refuting: list[Example]
    played: list[PlayedString]
    examples: dict[str, list[Example]]


def is_scan(directory: Path) -> bool:
    """Whether a folder is one of a scan, and not of a run."""
    names = (COUNTS, SUMMARY)
    return (
        all((directory / name).is_file() for name in names) and not (directory / MANIFEST).exists()
    )


def read_scan(directory: Path) -> Scan:
    """Read a finished scan.

    Raises:
        ScanError: A file is missing or does not hold what a scan writes.
    """
    try:
        summary = _summary(directory / SUMMARY)
        kinds = _sorted(_numbers(summary, "deviations"))
        return Scan(
            directory=directory,
            sources=[
                (visible(_entry(s, "name", str)), _number(s, "games"))
                for s in _entry(summary, "sources", list)
            ],
            total=_numbers(summary, "total"),
            kinds=kinds,
            refuting=[_refuting(item) for item in _entry(summary, "refuting", list)],
            played=list(_played(directory / COUNTS)),
            examples=_examples(directory / DEVIATIONS, list(kinds)[:MOST_KINDS]),
        )
    except OSError as error:
        raise ScanError(f"{error.filename} cannot be read: {error.strerror}") from error
    except (ValueError, LookupError, TypeError, csv.Error, RecursionError) as error:
        raise ScanError(
            f"{directory} is damaged: it holds no scan as sanproof writes one"
        ) from error


def _summary(path: Path) -> dict[str, Any]:
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError("larger than any scan makes it")
    summary = json.loads(path.read_bytes())
    if not isinstance(summary, dict):
        raise TypeError("not an object")
    return summary


def _number(entries: Mapping[str, Any], name: str) -> int:
    value = entries[name]
    if type(value) is not int or not 0 <= value <= _MOST:
        raise ValueError(name)
    return value


def _entry(entries: Mapping[str, Any], name: str, kind: type[T]) -> T:
    value = entries[name]
    if not isinstance(value, kind):
        raise TypeError(name)
    return value


def _numbers(entries: Mapping[str, Any], name: str) -> dict[str, int]:
    value = _entry(entries, name, dict)
    return {str(key): _number(value, key) for key in value}


def _sorted(kinds: Mapping[str, int]) -> dict[str, int]:
    for kind in kinds:
        if not _KIND.fullmatch(kind):
            raise ValueError(kind)
    return dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0])))


def _refuting(item: Mapping[str, Any]) -> Example:
    source, san, fen = (_entry(item, name, str) for name in ("source", "san", "fen"))
    game, ply = _number(item, "game"), _number(item, "ply")
    return Example(_short(source), game, ply, 0, _short(san), _short(san), _position(fen))


def _rows(path: Path, names: Sequence[str]) -> Iterator[list[str]]:
    """The cells of these columns, row by row."""
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        rows = csv.reader(file)
        header = next(rows)
        places = [header.index(name) for name in names]
        for row in rows:
            yield [read_table_cell(row[place]) for place in places]


def _played(path: Path) -> Iterator[PlayedString]:
    columns = ("string", "times", "games", "first_source", "first_game", "first_ply")
    for san, times, games, source, game, ply in _rows(path, columns):
        if not re.fullmatch(SAN, san):
            raise ValueError(san)
        yield PlayedString(san, int(times), int(games), _short(source), int(game), int(ply))


def _examples(path: Path, kinds: Sequence[str]) -> dict[str, list[Example]]:
    """The first deviations of each of these kinds; reading ends when all are there."""
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
    return fen if re.fullmatch(FEN, fen) else ""


def _short(text: str) -> str:
    return visible(text, LONGEST_TEXT)
