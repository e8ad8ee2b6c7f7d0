"""What a scan counts, and the files of a finished scan.

The files hold no times: the same games give the same bytes.
"""

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

from sanproof.reports.escaping import plain, printable, table_cell
from sanproof.reports.tables.files import whole_file, write_whole
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import MISUSE, REFUTED, Failure
from sanproof.verify.findings.formats import print_written, text_lines, written
from sanproof.verify.scan.movetext import Oddity
from sanproof.verify.scan.results import (
    MOVES,
    Chunk,
    ChunkResult,
    Deviation,
    GameOutcome,
    Kinds,
    Occurrence,
    Outcome,
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


# The sums

COUNTED: Final = (
    "games",
    *(f"games_{outcome}" for outcome in Outcome),
    *("games_without_result", "games_from_position", "games_without_moves"),
    *("moves", "null_moves", "moves_after_null_moves", "deviating_moves"),
    *("move_texts_not_read", "lines"),
)
"""The sums, by their names in ``summary.json``."""
IN_VARIATIONS: Final = (
    *("variations", "variation_moves", "variation_moves_apart"),
    *("deviating_variation_moves", "variation_texts_not_read"),
)
"""The sums of variations, if they are read; apart are moves after a null move, or of Chess960."""
BESIDE_MOVES: Final = {
    Outcome.AFTER_RESULT.value,
    *(kind.value for kind in set(Oddity) - {Oddity.FOREIGN_LETTER, Oddity.NULL_MOVE}),
}
"""Kinds of deviations that are not about a move's text."""
Strings = dict[str, list[int]]
"""Of each string how often it was played, in how many games, and where first: the number of the
source, from 0; the number of the game in it, from 1; the ply, from 1."""


class Sums:
    """The sums of the chunks that were taken in: of each source, and of strings over all."""

    def __init__(self, sources: int) -> None:
        self.counts: list[Counter[str]] = [Counter() for _ in range(sources)]
        self.kinds: list[Kinds] = [Counter() for _ in range(sources)]
        self.played: Strings = {}
        self.in_variations: Strings = {}

    def take(
        self,
        source: int,
        counts: Mapping[str, int],
        kinds: Kinds,
        played: Mapping[str, Occurrence] | None = None,
        in_variations: Mapping[str, Occurrence] | None = None,
    ) -> None:
        """Take in the next chunk, of a source."""
        for rows, seen in ((self.played, played), (self.in_variations, in_variations)):
            for san, (times, games, game, ply) in (seen or {}).items():
                row = rows.setdefault(san, [0, 0, source, game, ply])
                row[0] += times
                row[1] += games
        self.counts[source].update(counts)
        self.kinds[source].update(kinds)

    def total(self) -> Counter[str]:
        """Return the sums over all sources."""
        total: Counter[str] = Counter()
        for counts in self.counts:
            total.update(counts)
        return total

    def kinds_in(self, *, variations: bool) -> dict[str, int]:
        """Return how often each kind deviates in variations or in the games, most first."""
        total: Counter[str] = Counter()
        for kinds in self.kinds:
            total.update({kind: n for (kind, apart), n in kinds.items() if apart is variations})
        return most_first(total)


def most_first(kinds: Mapping[str, int]) -> dict[str, int]:
    """Return the number of each kind, the most frequent first."""
    return dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0])))


def variants_of(total: Counter[str]) -> dict[str, dict[str, int]]:
    """Return the sums of each variant of chess, of all sums."""
    found: dict[str, dict[str, int]] = {}
    for name in sorted(total):
        if name.startswith("variant "):
            _, variant, what = name.split()
            row = found.setdefault(variant, {"moves": 0, "moves_not_proven": 0})
            row[what] = total[name]
    return found


def unread(counts: Mapping[str, int]) -> int:
    """Return how many games that were wanted were not read, or not to their end."""
    return counts["games"] - counts[f"games_{Outcome.READ}"] - counts[f"games_{Outcome.LEFT_OUT}"]


def is_whole(counts: Mapping[str, int]) -> bool:
    """Check whether all games, and all variations that were wanted, were read to their ends."""
    return not (unread(counts) or counts.get("variation_texts_not_read"))


def check_moves(name: str, counts: Mapping[str, int]) -> None:
    """Raise a Failure if nothing in a source stands where moves belong; games may be left out."""
    is_empty = counts["games"] <= counts["games_without_moves"]
    if is_empty and not (counts["move_texts_not_read"] or counts[f"games_{Outcome.LEFT_OUT}"]):
        raise Failure(f"{printable(name)} holds no move: see that it is the file that was meant.")


class Refuted(Failure):
    """A legal move's string is not among the proven ones."""

    exit_code = REFUTED


def check_proven(chunk: Chunk, result: ChunkResult) -> None:
    """Raise Refuted if a chunk refutes the theorem."""
    for found in result.refuting:
        raise Refuted(
            "THE THEOREM IS REFUTED, or the list of proven strings is wrong: "
            f"{found.canonical} is legal in {found.fen}, in game {found.game} of {chunk.source}, "
            "and not among them. "
            "Please report it."
        )


def in_words(
    counts: Mapping[str, int],
    kinds: Mapping[str, int],
    kinds_in_variations: Mapping[str, int],
    variants: Mapping[str, Mapping[str, int]],
) -> list[str]:
    """Return sentences about the sums over all sources and the numbers of deviations."""
    first = f"{number_of(counts['games'], 'game')}, {number_of(counts['moves'], 'move')}"
    in_moves = sum(times for kind, times in kinds.items() if kind not in BESIDE_MOVES)
    if deviating := counts["deviating_moves"]:
        first += f": {number_of(deviating, 'move is', 'moves are')} not canonical SAN"
    elif counts["moves"]:
        first += f": all moves{' that were read' * bool(in_moves)} are canonical SAN"
    lines = [f"{first}."]
    if beside := sum(kinds.values()) - in_moves:
        lines.append(f"{number_of(beside, 'deviation')} beside the moves.")
    apart = [(counts[f"games_{outcome}"], outcome.sentence) for outcome in Outcome]
    apart = [*apart[1:], (counts["games_without_result"], "without a result")]
    apart += [(row["games"], f"of {name}, counted apart") for name, row in variants.items()]
    lines += [f"{number_of(games, 'game')} {said}." for games, said in apart if games]
    return lines + _about_variations(counts, kinds_in_variations)


def _about_variations(counts: Mapping[str, int], kinds: Mapping[str, int]) -> list[str]:
    if not counts.get("variations"):
        return []
    moves = counts.get("variation_moves", 0) + counts.get("variation_moves_apart", 0)
    deviating = sum(times for kind, times in kinds.items() if kind not in BESIDE_MOVES)
    are = f"{number_of(deviating, 'is', 'are')} not" if deviating else "all are"
    said = f"In {number_of(counts['variations'], 'variation')}, {number_of(moves, 'move')}: {are} "
    said += "canonical SAN"
    if left := counts.get("variation_texts_not_read"):
        said += f"; {number_of(left, 'move text was not read', 'move texts were not read')}"
    return [f"{said}."]


def problems(counts: Mapping[str, int], damaged: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each source that could not be read, and if no game was wanted."""
    lines = []
    for one in damaged:
        to_its_end = "" if one["read"] == "nothing" else " to its end"
        lines.append(plain(f"{one['source']} cannot be read{to_its_end}: {one['why']}."))
    if counts["games"] and counts["games"] == counts[f"games_{Outcome.LEFT_OUT}"]:
        lines.append("--where matches no game.")
    return lines


# The tables


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
    damaged = {item["source"] for item in summary["damaged"]}
    moves = {one["name"]: one for one in summary["sources"] if one["name"] not in damaged}
    return exit_code(counts, summary["damaged"], moves)


def exit_code(
    counts: Mapping[str, int],
    damaged: Iterable[Mapping[str, Any]],
    sources: Mapping[str, Mapping[str, int]],
) -> int:
    """Say what could not be read, of all sources and of some; the exit code is 2 if it is much.

    Raises:
        Failure: One of those sources has no move.
    """
    wrong = problems(counts, damaged)
    sys.stderr.writelines(written("text", text_lines(wrong, None)))
    for name, source in sources.items():
        check_moves(name, source)
    return MISUSE if wrong or not is_whole(counts) else 0


# Rewritten games

_PACKED: Final = re.compile(r"\.(gz|bz2|zst|xz)$", re.IGNORECASE)
_NO_NAMES: Final = {"/", "//", ".", ".."}
_LONGEST_NAME: Final = 200


def rewritten_names(withins: Iterable[str]) -> Iterator[str]:
    """Yield the name of each source's text: its path in the named folder, without its packing.

    If that is another's, in upper or lower case, or too long, a number stands before its end.
    """
    taken: set[str] = set()
    for within in withins:
        parts = PurePosixPath(_PACKED.sub("", within)).parts
        path = PurePosixPath(*[p for p in parts if p not in _NO_NAMES] or ["games.pgn"])
        others = (PurePosixPath(f"{n:04}-{path.stem[:40]}.pgn") for n in count(2))
        for chosen in chain([path], others):
            name = str(chosen).casefold()
            is_short = all(len(os.fsencode(part)) <= _LONGEST_NAME for part in chosen.parts)
            if is_short and name not in taken:
                taken.add(name)
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
