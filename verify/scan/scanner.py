"""``sanproof scan --out DIR`` from beginning to end: read, count, keep, write.

Sources are cut into chunks, which an executor scans. Each chunk is kept with all that was found in
it. When all are done, their tables are written.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from hashlib import sha256
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any, Final

from sanproof.reports.tables.files import write_whole
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import Failure
from sanproof.verify.scan.borders import CHUNK_BYTES, cut, game_starts
from sanproof.verify.scan.outputs import (
    FILES,
    SUMMARY,
    Damage,
    Sums,
    check_proven,
    rewritten,
    rows_of,
    tables,
    write_rewritten,
    write_sums,
)
from sanproof.verify.scan.reading import Game, read_game
from sanproof.verify.scan.results import Chunk, ChunkResult, Options
from sanproof.verify.scan.scanning import scan_chunk, suited
from sanproof.verify.scan.sources import USUAL_RATIO, Source, Text, find_sources, total_size
from sanproof.verify.work.executors import worker_died, worker_pool
from sanproof.verify.work.progress import progress
from sanproof.verify.work.provenance import provenance
from sanproof.verify.work.store import Store, kept_in

ROWS: Final = "rows"
REWRITTEN: Final = "rewritten"
_MIB: Final = 1 << 20
_AHEAD_ON_CLUSTER: Final = 32
_CHUNKS: Final = "chunks"


def chunks_of(
    sources: Sequence[Source], damaged: dict[int, Damage], chunk_bytes: int = CHUNK_BYTES
) -> Iterator[Chunk]:
    """Yield the chunks of all sources, in order; one at a time is read.

    What is wrong with sources that cannot be read, or not to their ends, is put in ``damaged``.
    """
    number = taken = 0
    for place, source in enumerate(sources):
        text, games, lines, first = Text(source), 0, 0, number
        for data in cut(text, chunk_bytes):
            starts, all_taken = game_starts(data), taken + text.taken
            yield Chunk(source.name, data, starts, games, lines, number, place, all_taken)
            number += 1
            games += len(starts)
            lines += data.count(b"\n")
        if text.damage:
            read = "nothing" if number == first else "before"
            damaged[place] = {"source": source.name, "why": text.damage, "read": read}
        taken += text.taken


def games_of(name: str) -> Iterator[tuple[str, Game]]:
    """Yield the games of a file, a folder or ``-``, as a scan reads them, each with its place.

    Raises:
        Failure: A file cannot be read, or not to its end, or a game is too long.
    """
    damaged: dict[int, Damage] = {}
    for chunk in chunks_of(find_sources([name]), damaged):
        ends = pairwise([*chunk.starts, len(chunk.data)])
        for number, both in enumerate(ends, start=chunk.games + 1):
            yield f"{chunk.source}: game {number}", read_game(chunk.data, *both)
    for damage in damaged.values():
        raise Failure(f"{damage['source']} cannot be read: {damage['why']}.")


def scan_in_order(
    waiting: Iterator[Chunk], executor: Executor, options: Options, ahead: int = 1
) -> Iterator[tuple[Chunk, ChunkResult]]:
    """Have chunks scanned, and yield them with their results in order.

    So many chunks ``ahead`` may be in memory: under way, or waiting for one before them.

    Raises:
        Unfinished: A worker died.
        Refuted: A chunk refutes the theorem.
    """
    under_way: deque[tuple[Chunk, Future[ChunkResult]]] = deque()
    chunk: Chunk | None = None
    try:
        while (chunk := next(waiting, None)) or under_way:
            if chunk:
                under_way.append((chunk, executor.submit(scan_chunk, chunk, options)))
            if len(under_way) >= ahead or not chunk:
                first, future = under_way.popleft()
                result = future.result()
                check_proven(first, result)
                yield first, result
    except BrokenExecutor as error:
        raise worker_died("; what was scanned is kept: run the same command again") from error


def scan(
    names: Sequence[str],
    directory: Path,
    options: Options,
    workers: int = 1,
    *,
    scheduler: str | None = None,
    chunk_bytes: int = CHUNK_BYTES,
) -> dict[str, Any]:
    """Scan files, folders or ``-``, going on where an earlier scan stopped; the summary.

    So many processes do it, or the workers of a scheduler.

    Raises:
        Failure: A source cannot be read, or the directory cannot be used.
        Interrupted: The user stopped the scan; what was done is kept.
    """
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
    with Store(directory, "scan", settings) as store, kept_in(store, lambda: _in_words(sums)):
        store.claim((*FILES, ROWS, REWRITTEN))
        (directory / SUMMARY).unlink(missing_ok=True)
        if options.rows:
            (directory / ROWS).mkdir(exist_ok=True)
        chunks = chunks_of(sources, sums.damaged, chunk_bytes)
        with (
            progress("scanning", size or 0, how_far) as advance,
            worker_pool(workers, scheduler) as pool,
            tables(directory, options) as take_rows,
        ):

            def texts() -> Iterator[tuple[int, bytes]]:
                """Add up what was found, and yield the text of each chunk as it is written anew."""
                for chunk, found in _scanned(store, chunks, pool, options, ahead, advance):
                    sums.take(chunk.place, found)
                    take_rows(found["tables"])
                    if options.rewrite:
                        yield chunk.place, rewritten(chunk.data, found["edits"])

            write_rewritten(directory / REWRITTEN, [source.within for source in sources], texts())
        return write_sums(directory, sums, settings, options.proven.decode("ascii").split())


def _scanned(
    store: Store,
    chunks: Iterator[Chunk],
    pool: Executor,
    options: Options,
    ahead: int,
    advance: Callable[[float], None],
) -> Iterator[tuple[Chunk, dict[str, Any]]]:
    """Yield each chunk, and what was found in it: kept by an earlier scan, or now.

    The chunks that are done are read as well, to see that they are as they were.
    """
    taken = 0
    for name in store.names(_CHUNKS):
        chunk, found = next(chunks, None), store.load(_CHUNKS, name)
        if chunk is None or found["digest"] != sha256(chunk.data).hexdigest():
            folder = store.path.parent
            raise Failure(f"The files have changed since {folder} was begun: use another DIR.")
        advance(chunk.taken - taken)
        taken = chunk.taken
        yield chunk, found
    for chunk, result in scan_in_order(chunks, pool, options, ahead):
        advance(chunk.taken - taken)
        taken = chunk.taken
        if options.rows:
            name = f"part-{chunk.number:08}.{options.rows}"
            write_whole(store.path.with_name(ROWS) / name, result.rows)
        found = {
            "digest": sha256(chunk.data).hexdigest(),
            **result.summed(),
            "edits": result.edits,
            "tables": rows_of(chunk.source, result, options.tags if options.games else None),
        }
        store.save(_CHUNKS, f"{chunk.number:012}", found)
        yield chunk, found


def _in_words(sums: Sums) -> str:
    return number_of(sums.summary()["total"]["games"], "game is scanned", "games are scanned")


def how_far(done: float, total: float) -> str:
    """Return how much was read."""
    of_all = f" of {ceil(total / _MIB):,}" if total else ""
    return f"{done / _MIB:,.0f}{of_all} MiB"
