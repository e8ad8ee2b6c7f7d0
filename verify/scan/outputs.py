"""The files of a finished scan. They hold no times: the same games give the same bytes."""

import csv
import io
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache
from itertools import chain, count, groupby
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Any, Final

from sanproof.reports.escaping import printable, table_cell
from sanproof.reports.tables.files import whole_file, write_whole
from sanproof.verify.errors import MISUSE
from sanproof.verify.findings.formats import print_written, text_lines, written
from sanproof.verify.scan.results import MOVES, ChunkResult, Deviation, GameOutcome, Outcome
from sanproof.verify.scan.sums import (
    COUNTED,
    IN_VARIATIONS,
    Sums,
    check_moves,
    in_words,
    is_whole,
    problems,
    unread,
    variants_of,
)

COUNTS: Final = "counts.csv"
VARIATIONS: Final = "variations.csv"
DEVIATIONS: Final = "deviations.csv"
UNREAD: Final = "unread.csv"
GAMES: Final = "games.csv"
SUMMARY: Final = "summary.json"
FILES: Final = (COUNTS, VARIATIONS, DEVIATIONS, UNREAD, GAMES, SUMMARY)

_COUNTS_COLUMNS: Final = ("string", "times", "games", "first_source", "first_game", "first_ply")
_DEVIATIONS_COLUMNS: Final = (
    "source",
    *(name for name in Deviation().public() if name != "end_column"),
)
_GAMES_COLUMNS: Final = ("source", *GameOutcome._fields[:-2])

LONGEST_VALUE: Final = 100
"""Of a tag's longer value only the beginning is kept."""
Row = tuple[Any, ...]


def values_of(tags: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the values of a game's tags: empty for a missing one, and a long one is cut."""
    return tuple(tags.get(name, "")[:LONGEST_VALUE] for name in names)


def utf_8(name: str) -> str:
    """Return a file's name, which may be any bytes, as a text that can be stored."""
    return name if name.isascii() else name.encode(errors="backslashreplace").decode()


@lru_cache(maxsize=1 << 14)
def cell(text: str) -> str:
    """Return any text as a cell of CSV."""
    return table_cell(utf_8(text))


def csv_text(rows: Iterable[Row]) -> str:
    """Return rows as lines of CSV; texts that come from files are cells already."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def moves_file(rows: Sequence[Row], form: str, tags: Sequence[str]) -> bytes:
    """Return the table of a chunk's moves as a file: ``parquet`` or ``csv``."""
    columns = MOVES | dict.fromkeys(tags, str)
    place = list(MOVES).index("game")
    rows = sorted(rows, key=lambda row: row[place : place + 2])
    if form == "csv":
        safe = ((*row[:4], cell(row[4]), *row[5:8], *map(cell, row[8:])) for row in rows)
        return csv_text([tuple(columns), *safe]).encode()
    import pyarrow as pa  # noqa: PLC0415 - for this form only
    from pyarrow.parquet import write_table  # noqa: PLC0415 - for this form only

    types = {str: pa.string(), int: pa.int64()}
    schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])
    values = zip(*rows, strict=True) if rows else [()] * len(columns)
    arrays = [pa.array(v, f.type) for v, f in zip(values, schema, strict=True)]
    file = io.BytesIO()
    write_table(pa.table(arrays, schema), file, compression="zstd")
    return file.getvalue()


def rows_of(name: str, result: ChunkResult, tags: Sequence[str] | None) -> dict[str, str]:
    """Return the lines of a chunk for each table; of all games, with these tags, if not None."""
    source = cell(name)
    deviations = [
        (source, *d[:4], cell(d.written), cell(d.canonical), d.kind, d.fen, d.variation)
        for d in result.found
    ]
    games = [
        (source, *g[:3], cell(g.reason), g.moves, g.left, *map(cell, g[6:13]), g.hash)
        for g in result.games
    ]
    tables = {DEVIATIONS: csv_text(deviations)}
    tables[UNREAD] = csv_text(row for row in games if row[3] != Outcome.READ)
    if tags is not None:
        values = (map(cell, g.tags.split("\n")[: len(tags)]) for g in result.games)
        tables[GAMES] = csv_text((*r, *more) for r, more in zip(games, values, strict=True))
    return tables


def write_outputs(
    directory: Path,
    names: Sequence[str],
    sums: Sums,
    tables: Iterable[Mapping[str, str]],
    damaged: Sequence[Mapping[str, Any]],
    settings: dict[str, Any],
    strings: Sequence[str],
) -> dict[str, Any]:
    """Write the files of a scan, and return the summary, which is last and stands for them all.

    Args:
        directory: Where they are written.
        names: The names of the sources.
        sums: What was counted in them.
        tables: The rows of each chunk by :func:`rows_of`, in order.
        damaged: The sources that could not be read to their ends.
        settings: What the results depend on.
        strings: The proven strings.
    """
    (directory / SUMMARY).unlink(missing_ok=True)
    headers = {DEVIATIONS: _DEVIATIONS_COLUMNS, UNREAD: _GAMES_COLUMNS}
    if settings["games"]:
        headers[GAMES] = (*_GAMES_COLUMNS, *settings["tags"])
    with ExitStack() as stack:
        files = {n: stack.enter_context(whole_file(directory / n)) for n in headers}
        for name, columns in headers.items():
            files[name].write(csv_text([columns]).encode())
        for rows in tables:
            for name, text in rows.items():
                files[name].write(text.encode())
    found = {COUNTS: sums.played}
    if settings["variations"]:
        found[VARIATIONS] = sums.in_variations
    for table, places in found.items():
        most_first = sorted(places.items(), key=lambda item: (-item[1][0], item[0]))
        lines = ((san, *p[:2], cell(names[p[2]]), *p[3:]) for san, p in most_first)
        write_whole(directory / table, csv_text([_COUNTS_COLUMNS, *lines]).encode())
    total = sums.total()
    in_variations = {
        "total": {name: total[name] for name in IN_VARIATIONS},
        "deviations": sums.kinds_in(variations=True),
    }
    summary = {
        "sources": [
            {"name": name, **_numbers(counts)}
            for name, counts in zip(names, sums.counts, strict=True)
        ],
        "total": _numbers(total),
        "variants": variants_of(total),
        "strings": {"proven": len(strings), "played": len(sums.played.keys() & set(strings))},
        "deviations": sums.kinds_in(variations=False),
        **({"variations": in_variations} if settings["variations"] else {}),
        "settings": settings,
        "damaged": list(damaged),
    }
    write_whole(directory / SUMMARY, (json.dumps(summary, indent=2) + "\n").encode("ascii"))
    return summary


def _numbers(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in COUNTED}


def show(summary: dict[str, Any], directory: Path) -> int:
    """Print what a scan found; the exit code."""
    strings, kinds = summary["strings"], summary["deviations"]
    apart = summary.get("variations", {"total": {}, "deviations": {}})
    counts = summary["total"] | apart["total"]
    lines = in_words(counts, kinds, apart["deviations"], summary["variants"])
    were = "was" if strings["played"] == 1 else "were"
    said = f"{strings['played']:,} of the {strings['proven']:,} proven strings {were} played."
    lines = [lines[0], *(f"  {times:,} {kind}" for kind, times in kinds.items()), said, *lines[1:]]
    if unread(counts):
        lines.append(f"The games that were not read to their end are in {UNREAD}.")
    lines.append(f"The results are in {printable(str(directory))}.")
    print_written("text", text_lines(lines, None))
    wrong = problems(summary["total"], summary["damaged"])
    sys.stderr.writelines(written("text", text_lines(wrong, None)))
    damaged = {item["source"] for item in summary["damaged"]}
    for source in summary["sources"]:
        if source["name"] not in damaged:
            check_moves(source["name"], source)
    return 0 if is_whole(counts) and not wrong else MISUSE


# Rewritten games

_PACKED: Final = re.compile(r"\.(gz|bz2|zst|xz)$", re.IGNORECASE)
_NO_NAMES: Final = {"/", "//", ".", ".."}
_LONGEST_NAME: Final = 200


def rewritten_names(withins: Iterable[str]) -> Iterator[str]:
    """Yield the name of each source's text: its path in the named folder, without its packing.

    If that is another's name or folder already, in upper or lower case, or too long, a number
    stands before its end.
    """
    files: set[str] = set()
    folders: set[str] = set()
    for within in withins:
        parts = PurePosixPath(_PACKED.sub("", within)).parts
        path = PurePosixPath(*[p for p in parts if p not in _NO_NAMES] or ["games.pgn"])
        others = (PurePosixPath(f"{n:04}-{path.stem[:40]}.pgn") for n in count(2))
        for chosen in chain([path], others):
            own, above = str(chosen).casefold(), {str(p).casefold() for p in chosen.parents}
            is_taken = own in files or own in folders or not above.isdisjoint(files)
            if not is_taken and all(len(os.fsencode(p)) <= _LONGEST_NAME for p in chosen.parts):
                files.add(own)
                folders |= above
                yield str(chosen)
                break


def rewritten(data: bytes, edits: Iterable[tuple[int, int, str]]) -> bytes:
    """Return the text of a chunk, with what is written anew."""
    parts, at = [], 0
    for start, end, text in sorted(edits):
        parts += [data[at:start], text.encode("ascii")]
        at = end
    return b"".join([*parts, data[at:]])


def write_rewritten(
    folder: Path, withins: Sequence[str], texts: Iterable[tuple[int, bytes]]
) -> None:
    """Write the texts of chunks, which come in order, each with the number of its source.

    The file of a source appears when it is complete.
    """
    names = list(rewritten_names(withins))
    for source, parts in groupby(texts, key=itemgetter(0)):
        path = folder / names[source]
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            file.writelines(text for _, text in parts)
