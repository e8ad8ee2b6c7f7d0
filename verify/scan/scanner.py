"""``sanproof scan --out DIR`` from beginning to end: reads, counts, stores, and writes.

Sources are cut into chunks, which an executor scans. The results of each chunk are stored, and
added up. The files have no times, so that the same games give the same bytes.
"""

import json
import os
import re
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from hashlib import sha256
from itertools import chain, count, groupby
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Any, Final

from sanproof.reports.escaping import plain, printable
from sanproof.reports.tables.files import whole_file, write_whole
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import MISUSE, REFUTED, Failure
from sanproof.verify.findings.formats import print_written, text_lines, written
from sanproof.verify.scan.movetext import CHUNK_BYTES, Oddity, cut
from sanproof.verify.scan.results import (
    Chunk,
    ChunkResult,
    Deviation,
    GameOutcome,
    Options,
    Outcome,
    Piece,
)
from sanproof.verify.scan.scanning import Row, csv_text, scan_chunk, suited
from sanproof.verify.scan.sources import USUAL_RATIO, Source, Text, find_sources, total_size
from sanproof.verify.work.executors import worker_pool
from sanproof.verify.work.progress import progress
from sanproof.verify.work.provenance import provenance
from sanproof.verify.work.store import Store, kept_in

COUNTS: Final = "counts.csv"
VARIATIONS: Final = "variations.csv"
DEVIATIONS: Final = "deviations.csv"
UNREAD: Final = "unread.csv"
GAMES: Final = "games.csv"
SUMMARY: Final = "summary.json"
FILES: Final = (COUNTS, VARIATIONS, DEVIATIONS, UNREAD, GAMES, SUMMARY)

_COUNTS_COLUMNS: Final = ("string", "times", "games", "first_source", "first_game", "first_ply")
_DEVIATIONS_COLUMNS: Final = (*Deviation._fields[:5], *Deviation._fields[6:-2])
_GAMES_COLUMNS: Final = GameOutcome._fields[:-2]

# The sums

COUNTED: Final = (
    "games",
    *(f"games_{outcome}" for outcome in Outcome),
    *("games_without_result", "games_from_position", "games_without_moves"),
    *("moves", "null_moves", "moves_after_null_moves", "deviating_moves"),
    *("move_texts_not_read", "lines"),
)
"""The counts in ``summary.json``, by name."""
IN_VARIATIONS: Final = (
    *("variations", "variation_moves", "variation_moves_apart"),
    *("deviating_variation_moves", "variation_texts_not_read"),
)
"""The counts of variations, if they are read; apart are moves after a null move, or Chess960's."""
BESIDE_MOVES: Final = {
    Outcome.AFTER_RESULT.value,
    *(kind.value for kind in set(Oddity) - {Oddity.FOREIGN_LETTER, Oddity.NULL_MOVE}),
}
"""The kinds of deviations that are not about the text of a move."""
Strings = dict[str, list[int]]
"""For each string the times and the games that it was played, and its first place: the number of
the source, from 0, of the game in it, from 1, and the ply, from 1."""
Damage = dict[str, str]
"""The name of a source that cannot be read to its end, the reason, and how much was read."""


class Sums:
    """The sums over the chunks so far: of each source, of kinds of deviations, and of strings."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.names = [source.name for source in sources]
        self.counts: list[Counter[str]] = [Counter() for _ in sources]
        self.total: Counter[str] = Counter()
        self.kinds: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self.played: Strings = {}
        self.in_variations: Strings = {}
        self.damaged: list[Damage] = []

    def take(self, chunk: Chunk, found: Mapping[str, Any]) -> None:
        """Add the summed results of the next chunk."""
        for name, rows in (("played", self.played), ("in_variations", self.in_variations)):
            for san, (times, games, piece, game, ply) in found[name].items():
                row = rows.setdefault(san, [0, 0, chunk[piece].place, game, ply])
                row[0] += times
                row[1] += games
        for piece, counts in zip(chunk, found["counts"], strict=True):
            self.counts[piece.place].update(counts)
            self.total.update(counts)
        for kinds, further in zip(self.kinds, found["kinds"], strict=True):
            kinds.update(further)

    def summary(self, settings: Mapping[str, Any] | None = None, proven: int = 0) -> dict[str, Any]:
        """Return the content of ``summary.json``: the sums, and the settings of the scan."""
        total = self.total
        of_sources = zip(self.names, self.counts, strict=True)
        names = "moves", "moves_not_proven", "games"
        chess960 = {name: total[f"variant chess960 {name}"] for name in names}
        return {
            "sources": [{"name": name, **_numbers(counts)} for name, counts in of_sources],
            "total": _numbers(total),
            "variants": {"chess960": chess960} if chess960["games"] else {},
            "strings": {"proven": proven, "played": len(self.played)},
            "deviations": most_first(self.kinds[0]),
            "variations": {
                "total": _numbers(total, IN_VARIATIONS),
                "deviations": most_first(self.kinds[1]),
            },
            "settings": settings,
            "damaged": self.damaged,
        }

    def so_far(self) -> str:
        """Say how many games were scanned."""
        return number_of(self.total["games"], "game is scanned", "games are scanned")


def _numbers(counts: Counter[str], names: Sequence[str] = COUNTED) -> dict[str, int]:
    return {name: counts.get(name, 0) for name in names}


def most_first(*kinds: Mapping[str, int]) -> dict[str, int]:
    """Add up counts, and sort them with the most frequent kind first."""
    total = sum(map(Counter, kinds), Counter[str]())
    return dict(sorted(total.items(), key=lambda item: (-item[1], item[0])))


def unread(counts: Mapping[str, int]) -> int:
    """Count the wanted games that were not read, or not to their end."""
    return counts["games"] - counts[f"games_{Outcome.READ}"] - counts[f"games_{Outcome.LEFT_OUT}"]


class Refuted(Failure):
    """A legal move's string is not among the proven ones."""

    exit_code = REFUTED


def in_words(summary: Mapping[str, Any]) -> list[str]:
    """Return sentences about the sums over all sources, and the numbers of deviations."""
    counts, kinds = summary["total"], summary["deviations"]
    first = f"{number_of(counts['games'], 'game')}, {number_of(counts['moves'], 'move')}"
    in_moves = _in_moves(kinds)
    if deviating := counts["deviating_moves"]:
        first += f": {number_of(deviating, 'move is', 'moves are')} not canonical SAN"
    elif counts["moves"]:
        first += f": all moves{' that were read' * bool(in_moves)} are canonical SAN"
    lines = [f"{first}."]
    if beside := sum(kinds.values()) - in_moves:
        lines.append(f"{number_of(beside, 'other deviation')}.")
    apart = [(counts[f"games_{outcome}"], outcome.sentence) for outcome in Outcome]
    apart = [*apart[1:], (counts["games_without_result"], "without a result")]
    variants = summary["variants"].items()
    apart += [(row["games"], f"of {name}, counted apart") for name, row in variants]
    lines += [f"{number_of(games, 'game')} {said}." for games, said in apart if games]
    variations = summary.get("variations")
    if variations and (number := variations["total"]["variations"]):
        moves = sum(variations["total"][name] for name in IN_VARIATIONS[1:3])
        deviating, left = (variations["total"][name] for name in IN_VARIATIONS[3:])
        are = f"{number_of(deviating, 'is', 'are')} not" if deviating else "all are"
        said = [f"{number_of(moves, 'move')}: {are} canonical SAN"] * bool(moves)
        said += [number_of(left, "move text was not read", "move texts were not read")] * bool(left)
        lines.append(f"In {number_of(number, 'variation')}, {'; '.join(said) or 'no move'}.")
    return lines


def _in_moves(kinds: Mapping[str, int]) -> int:
    """Return how many deviations are about the text of a move."""
    return sum(times for kind, times in kinds.items() if kind not in BESIDE_MOVES)


def exit_code(summary: Mapping[str, Any]) -> int:
    """Print what could not be read, and return the exit code: 2 if there is anything, or else 0.

    Raises:
        Failure: A source that is not damaged has no moves.
    """
    counts, lines = summary["total"], []
    for one in summary["damaged"]:
        to_its_end = "" if one["read"] == "nothing" else " to its end"
        lines.append(plain(f"{one['source']} cannot be read{to_its_end}: {one['why']}."))
    left_out = f"games_{Outcome.LEFT_OUT}"
    if counts["games"] and counts["games"] == counts[left_out]:
        lines.append("--where matches no game.")
    sys.stderr.writelines(written("text", text_lines(lines, None)))
    damaged = {one["source"] for one in summary["damaged"]}
    for one in summary["sources"]:
        is_empty = one["games"] <= one["games_without_moves"]
        if is_empty and not (one["move_texts_not_read"] or one[left_out] or one["name"] in damaged):
            name = printable(one["name"])
            raise Failure(f"{name} holds no move: see that it is the file that was meant.")
    texts_left = summary.get("variations", {}).get("total", {}).get("variation_texts_not_read")
    return MISUSE if lines or unread(counts) or texts_left else 0


# The tables


def rows_of(result: ChunkResult, options: Options) -> dict[str, str]:
    """Return the rows of a chunk for each table, as lines."""
    deviations = [(*one[:5], *one[6:-2]) for one in result.found]
    games = [game[:-2] for game in result.games]
    unread_ones = [row for row in games if row[3] != Outcome.READ]
    tables: dict[str, list[Row]] = {DEVIATIONS: deviations, UNREAD: unread_ones}
    if options.games:
        values = (game.tags.split("\n")[: len(options.tags)] for game in result.games)
        tables[GAMES] = [(*row, *more) for row, more in zip(games, values, strict=True)]
    return {table: csv_text(rows) for table, rows in tables.items()}


def write_sums(
    directory: Path, sums: Sums, settings: dict[str, Any], proven: int
) -> dict[str, Any]:
    """Write the counts of the strings, and then the summary, which is returned."""
    summary, found = sums.summary(settings, proven), {COUNTS: sums.played}
    if settings["variations"]:
        found[VARIATIONS] = sums.in_variations
    else:
        del summary["variations"]
    for table, places in found.items():
        most = sorted(places.items(), key=lambda item: (-item[1][0], item[0]))
        lines = ((san, *p[:2], sums.names[p[2]], *p[3:]) for san, p in most)
        write_whole(directory / table, csv_text([_COUNTS_COLUMNS, *lines]).encode())
    write_whole(directory / SUMMARY, (json.dumps(summary, indent=2) + "\n").encode("ascii"))
    return summary


def show(summary: dict[str, Any], directory: Path) -> int:
    """Print the results of a scan, and return the exit code."""
    strings, kinds = summary["strings"], summary["deviations"]
    lines = in_words(summary)
    of_all = f"of the {strings['proven']:,} proven strings"
    said = f"{number_of(strings['played'], f'{of_all} was', f'{of_all} were')} played."
    lines = [lines[0], *(f"  {times:,} {kind}" for kind, times in kinds.items()), said, *lines[1:]]
    if unread(summary["total"]):
        lines.append(f"The games that were not read to their end are in {UNREAD}.")
    lines.append(f"The results are in {printable(str(directory))}.")
    print_written("text", text_lines(lines, None))
    return exit_code(summary)


# Rewritten games

_PACKED: Final = re.compile(r"\.(gz|bz2|zst|xz)$", re.IGNORECASE)
_NO_NAMES: Final = {"/", "//", ".", ".."}
_LONGEST_NAME: Final = 200


def rewritten_names(withins: Iterable[str]) -> Iterator[str]:
    """Yield the file name of each source's text: its path in the named folder, without packing.

    If the name is taken, in upper or lower case, or too long, a number is put before its end.
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


def rewritten(chunk: Chunk, edits: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, bytes]]:
    """Yield the text of each piece of a chunk with its edits, after the number of its source."""
    begin, left = 0, deque(sorted(edits))
    for piece in chunk:
        parts, at, end = [], begin, begin + len(piece.data)
        while left and left[0][0] <= end:
            start, stop, text = left.popleft()
            parts += [piece.data[at - begin : start - begin], text.encode("ascii")]
            at = stop
        yield piece.place, b"".join([*parts, piece.data[at - begin :]])
        begin = end + 1


# From chunk to chunk

ROWS: Final = "rows"
REWRITTEN: Final = "rewritten"
_AHEAD_ON_CLUSTER: Final = 32
_CHUNKS: Final = "chunks"


def chunks_of(
    sources: Sequence[Source], damaged: list[Damage], chunk_bytes: int = CHUNK_BYTES
) -> Iterator[Chunk]:
    """Yield the chunks of all sources in order, reading one at a time.

    Sources that cannot be read to their end are added to ``damaged``.
    """
    chunk, size = list[Piece](), 0
    for place, source in enumerate(sources):
        text, taken, games, lines, read = Text(source), 0, 0, 0, "nothing"
        for data, starts in cut(text, chunk_bytes):
            if chunk and (chunk[-1].place == place or size + len(data) > chunk_bytes):
                yield chunk
                chunk, size = [], 0
            chunk.append(Piece(source.name, data, starts, games, lines, place, text.taken - taken))
            size, taken, read = size + len(data), text.taken, "before"
            games += len(starts)
            lines += data.count(b"\n")
        if text.damage:
            damaged.append({"source": source.name, "why": text.damage, "read": read})
    if chunk:
        yield chunk


def scan_in_order(
    waiting: Iterator[Chunk], executor: Executor, options: Options, ahead: int = 1
) -> Iterator[tuple[Chunk, ChunkResult]]:
    """Scan chunks, and yield them with their results in order.

    At most ``ahead`` chunks are in memory, being scanned or waiting for an earlier one.
    """
    under_way: deque[tuple[Chunk, Future[ChunkResult]]] = deque()
    chunk: Chunk | None = None
    while (chunk := next(waiting, None)) or under_way:
        if chunk:
            under_way.append((chunk, executor.submit(scan_chunk, chunk, options)))
        if len(under_way) >= ahead or not chunk:
            first, future = under_way.popleft()
            result = future.result()
            for found in result.refuting:
                raise Refuted(
                    "THE THEOREM IS REFUTED, or the list of proven strings is wrong: "
                    f"{found.canonical} is legal in {found.fen}, in game {found.game} of "
                    f"{found.source}, and not among them. Please report it."
                )
            yield first, result


def scan(
    names: Sequence[str],
    directory: Path,
    options: Options,
    workers: int = 1,
    *,
    scheduler: str | None = None,
    chunk_bytes: int = CHUNK_BYTES,
) -> dict[str, Any]:
    """Scan files, folders or ``-``, or continue an earlier scan, and return the summary."""
    sources = find_sources(names)
    options = suited(options, total_size(sources, USUAL_RATIO))
    settings = {
        "files": [os.fsencode(s.name).decode(errors="backslashreplace") for s in sources],
        "strings": sha256(options.proven).hexdigest(),
        **options.settings(),
        "chunk_bytes": chunk_bytes,
        **{f"version of {name}": value for name, value in provenance("sanproof", "chess").items()},
    }
    size = total_size(sources)
    if size is not None:  # for one chunk no process has to be started
        workers = min(workers, size // chunk_bytes + 1)
    ahead = 1 if workers == 1 else 2 * workers + 1
    ahead = _AHEAD_ON_CLUSTER if scheduler is not None else ahead
    sums = Sums(sources)
    with Store(directory, "scan", settings) as store, kept_in(store, sums.so_far):
        store.claim((*FILES, ROWS, REWRITTEN))
        (directory / SUMMARY).unlink(missing_ok=True)
        if options.rows:
            (directory / ROWS).mkdir(exist_ok=True)
        chunks = chunks_of(sources, sums.damaged, chunk_bytes)
        with (
            progress("scanning", size) as advance,
            worker_pool(workers, scheduler=scheduler) as pool,
        ):
            done = _scanned(store, chunks, pool, options, ahead, advance)
            _take_in(done, sums, sources, directory, options)
        return write_sums(directory, sums, settings, len(options.proven.split()))


def _take_in(
    done: Iterator[tuple[Chunk, dict[str, Any]]],
    sums: Sums,
    sources: Sequence[Source],
    directory: Path,
    options: Options,
) -> None:
    """Add up what was found in each chunk, and write its tables and its text with other moves.

    A table appears when the scan is done, the text of a source when that is.
    """
    columns = {DEVIATIONS: _DEVIATIONS_COLUMNS, UNREAD: _GAMES_COLUMNS}
    columns |= {GAMES: (*_GAMES_COLUMNS, *options.tags)} if options.games else {}
    names = list(rewritten_names(source.within for source in sources))
    with ExitStack() as stack:
        files = {n: stack.enter_context(whole_file(directory / n)) for n in columns}
        for table, file in files.items():
            file.write(csv_text([columns[table]]).encode())

        def texts() -> Iterator[tuple[int, bytes]]:
            for chunk, found in done:
                sums.take(chunk, found)
                for table, rows in found["tables"].items():
                    files[table].write(rows.encode())
                if options.rewrite:
                    yield from rewritten(chunk, found["edits"])

        for place, pieces in groupby(texts(), key=itemgetter(0)):
            path = directory / REWRITTEN / names[place]
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as anew:
                anew.writelines(text for _, text in pieces)


def _scanned(
    store: Store,
    chunks: Iterator[Chunk],
    pool: Executor,
    options: Options,
    ahead: int,
    advance: Callable[[int], None],
) -> Iterator[tuple[Chunk, dict[str, Any]]]:
    """Yield each chunk, and what was found in it: kept by an earlier scan, or now.

    The chunks that are done are read as well, to see that they are as they were.
    """
    names = store.names(_CHUNKS)
    for name in names:
        chunk, found = next(chunks, None), store.load(_CHUNKS, name)
        if chunk is None or found["digest"] != _digest(chunk):
            folder = store.path.parent
            raise Failure(f"The files have changed since {folder} was begun: use another DIR.")
        advance(sum(piece.taken for piece in chunk))
        yield chunk, found
    further = scan_in_order(chunks, pool, options, ahead)
    for number, (chunk, result) in enumerate(further, start=len(names)):
        advance(sum(piece.taken for piece in chunk))
        if options.rows:
            name = f"part-{number:08}.{options.rows}"
            write_whole(store.path.with_name(ROWS) / name, result.rows)
        found = {
            "digest": _digest(chunk),
            **result.summed(),
            "edits": result.edits,
            "tables": rows_of(result, options),
        }
        store.save(_CHUNKS, f"{number:012}", found)
        yield chunk, found


def _digest(chunk: Chunk) -> str:
    """Return a digest of the texts of a chunk."""
    return sha256(b"".join(sha256(piece.data).digest() for piece in chunk)).hexdigest()
