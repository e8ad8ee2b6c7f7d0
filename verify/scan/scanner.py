"""``sanproof scan --out DIR`` from beginning to end: read, count, keep, write.

Sources are cut into chunks, which an executor scans. Each chunk is kept with all that was found in
it. When all are done, their tables are written.
"""

import os
from collections import Counter, deque
from collections.abc import Iterator, Sequence
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
from sanproof.verify.scan.outputs import FILES, rewritten, rows_of, write_outputs, write_rewritten
from sanproof.verify.scan.reading import Game, read_game
from sanproof.verify.scan.results import Chunk, ChunkResult, Options
from sanproof.verify.scan.scanning import NEEDED, scan_chunk, suited
from sanproof.verify.scan.sources import Source, Text, find_sources, text_size, total_size
from sanproof.verify.scan.sums import Sums, check_proven
from sanproof.verify.work.executors import worker_died, worker_pool
from sanproof.verify.work.progress import Scale, progress_display
from sanproof.verify.work.provenance import provenance
from sanproof.verify.work.store import Store, kept_in

ROWS: Final = "rows"
REWRITTEN: Final = "rewritten"
_MIB: Final = 1 << 20
_AHEAD_ON_CLUSTER: Final = 32
_CHUNKS: Final = "chunks"
_TABLES: Final = "tables"
Damage = dict[str, str]
"""The name of a source that cannot be read, or not to its end; why; and what was read of it."""


def chunks_of(
    sources: Sequence[Source],
    damaged: dict[int, Damage],
    *,
    numbered: bool = False,
    chunk_bytes: int = CHUNK_BYTES,
) -> Iterator[Chunk]:
    """Yield the chunks of all sources, in order; one at a time is read.

    If they are ``numbered``, each chunk knows how many games come before it. What is wrong with
    sources that cannot be read, or not to their ends, is put in ``damaged``.
    """
    number = taken = 0
    for place, source in enumerate(sources):
        text, before, first = Text(source), 0, number
        for data in cut(text, chunk_bytes):
            yield Chunk(source.name, data, before, number, place, taken + text.taken)
            number += 1
            if numbered:
                before += len(game_starts(data))
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
    numbers: Counter[str] = Counter()
    for chunk in chunks_of(find_sources([name]), damaged):
        for ends in pairwise([*game_starts(chunk.data), len(chunk.data)]):
            numbers[chunk.source] += 1
            yield f"{chunk.source}: game {numbers[chunk.source]}", read_game(chunk.data, *ends)
    for damage in damaged.values():
        raise Failure(f"{damage['source']} cannot be read: {damage['why']}.")


def scan_in_order(
    waiting: Iterator[Chunk], executor: Executor, options: Options, ahead: int = 1
) -> Iterator[tuple[Chunk, ChunkResult]]:
    """Have chunks scanned, and yield them with their results in order.

    So many chunks ``ahead`` may be in memory: under way, or waiting for one before them.

    Raises:
        Unfinished: A worker died.
    """
    under_way: deque[tuple[Chunk, Future[ChunkResult]]] = deque()
    try:
        for chunk in waiting:
            under_way.append((chunk, executor.submit(scan_chunk, chunk, options)))
            if len(under_way) >= ahead:
                first, future = under_way.popleft()
                yield first, future.result()
        while under_way:
            first, future = under_way.popleft()
            yield first, future.result()
    except BrokenExecutor as error:
        raise worker_died("; what was scanned is kept: run the same command again") from error
    finally:
        for _, future in under_way:
            future.cancel()


class ScanStore(Store):
    """The file ``scan.sqlite3`` of a scan: what was found in each chunk, and its tables' rows."""

    NAME = "scan.sqlite3"
    WORK = "scan"


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
    options = suited(options, text_size(sources))
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
    with ScanStore(directory, settings) as store:
        run = _Scan(sources, directory, options, store)
        with kept_in(store, run.in_words):
            store.claim((*FILES, ROWS, REWRITTEN))
            display = progress_display(size, text=how_far)
            with display as progress, worker_pool(workers, None, scheduler, NEEDED) as pool:
                ahead = 1 if workers == 1 else 2 * workers + 1
                ahead = _AHEAD_ON_CLUSTER if scheduler is not None else ahead
                run.scan_chunks(pool, ahead, progress, chunk_bytes)
            return run.write(settings)


class _Scan:
    """A scan that is going on."""

    def __init__(
        self, sources: list[Source], directory: Path, options: Options, store: ScanStore
    ) -> None:
        self._sources = sources
        self._directory = directory
        self._options = options
        self._store = store
        self._sums = Sums(len(sources))
        self._damaged: dict[int, Damage] = {}

    def in_words(self) -> str:
        """Return what is kept, in words."""
        return number_of(self._sums.total()["games"], "game is scanned", "games are scanned")

    def scan_chunks(self, pool: Executor, ahead: int, progress: Scale, chunk_bytes: int) -> None:
        """Scan what is left, and write the tables of moves and the rewritten texts."""
        rows = bool(self._options.rows)
        if rows:
            (self._directory / ROWS).mkdir(exist_ok=True)
        chunks = chunks_of(self._sources, self._damaged, numbered=rows, chunk_bytes=chunk_bytes)
        texts = self._texts(chunks, pool, ahead, progress)
        if self._options.rewrite:
            withins = [source.within for source in self._sources]
            write_rewritten(self._directory / REWRITTEN, withins, texts)
        else:
            deque(texts, maxlen=0)

    def write(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Write the other files, and return the summary."""
        return write_outputs(
            self._directory,
            [source.name for source in self._sources],
            self._sums,
            (self._store.load(_TABLES, name) for name in self._store.names(_TABLES)),
            [damage for _, damage in sorted(self._damaged.items())],
            settings,
            self._options.proven.decode("ascii").split(),
        )

    def _texts(
        self, chunks: Iterator[Chunk], pool: Executor, ahead: int, progress: Scale
    ) -> Iterator[tuple[int, bytes]]:
        """Scan what is left, keep it and add it up; yield each chunk's source and text, rewritten.

        The chunks that are done are read as well, to see that they are as they were.
        """
        store = self._store
        progress.begin("scanning", 0)
        done = store.names(_CHUNKS)
        for name in done:
            chunk, found = next(chunks, None), store.load(_CHUNKS, name)
            if chunk is None or found["digest"] != sha256(chunk.data).hexdigest():
                raise Failure(
                    f"The files have changed since {self._directory} was begun: use another DIR."
                )
            progress.begin("scanning", chunk.taken)
            yield self._add(chunk, found)
        taken = progress.done
        for chunk, result in scan_in_order(chunks, pool, self._options, ahead):
            progress.advance(chunk.taken - taken)
            taken = chunk.taken
            yield self._add(chunk, self._keep(chunk, result))

    def _keep(self, chunk: Chunk, result: ChunkResult) -> dict[str, Any]:
        """Write the rows of a chunk's moves, and make durable what else was found in it."""
        options, before = self._options, self._sums.counts[chunk.place]
        check_proven(chunk, result, before["games"])
        if options.rows:
            name = f"part-{chunk.number:08}.{options.rows}"
            write_whole(self._directory / ROWS / name, result.rows)
        found = {
            "digest": sha256(chunk.data).hexdigest(),
            "counts": result.counts,
            "kinds": [(kind, apart, times) for (kind, apart), times in result.kinds.items()],
            "played": result.seen,
            "in_variations": result.in_variations,
            "edits": result.edits,
        }
        tags = options.tags if options.games else None
        name = f"{chunk.number:012}"
        self._store.save(_TABLES, name, rows_of(chunk.source, result, before, tags))
        self._store.save(_CHUNKS, name, found)
        return found

    def _add(self, chunk: Chunk, found: dict[str, Any]) -> tuple[int, bytes]:
        """Add up what was found in a chunk; its source, and its text with what is written anew."""
        kinds = Counter({(kind, apart): times for kind, apart, times in found["kinds"]})
        strings = found["played"], found["in_variations"]
        self._sums.take(chunk.place, found["counts"], kinds, *strings)
        if not self._options.rewrite:
            return chunk.place, b""
        return chunk.place, rewritten(chunk.data, found["edits"])


def how_far(scale: Scale) -> str:
    """Return how much was read."""
    total = f" of {ceil(scale.total / _MIB):,}" if scale.total else ""
    return f"{scale.done / _MIB:,.0f}{total} MiB"
