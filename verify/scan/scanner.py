"""``sanproof scan --out DIR`` from beginning to end: read, count, keep, write."""

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple

from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import Failure
from sanproof.verify.scan.borders import CHUNK_BYTES
from sanproof.verify.scan.chunks import Chunk, ChunkResult, Options, digest_of
from sanproof.verify.scan.former.executors import WorkerPool, worker_pool
from sanproof.verify.scan.former.folder import check_names, check_no_links, prepare
from sanproof.verify.scan.former.processes import process_pool
from sanproof.verify.scan.former.store import kept_in
from sanproof.verify.scan.harness import Damage, Sampling, chunks_of, scan_in_order, with_chunk
from sanproof.verify.scan.outputs import FILES, write_outputs
from sanproof.verify.scan.rewriting import MoveTables, RewrittenTexts
from sanproof.verify.scan.scanning import NEEDED, check_packages
from sanproof.verify.scan.sources import Source, find_sources, total_size
from sanproof.verify.scan.store import KeptChunk, KeptSource, ScanStore, UnlistedCount
from sanproof.verify.work.progress import Scale, progress_display
from sanproof.verify.work.provenance import provenance

SAVED_EVERY_SECONDS: Final = 5.0
LOG: Final = "scan.log"
"""The log of a cluster's workers."""
ROWS: Final = "rows"
REWRITTEN: Final = "rewritten"
_MIB: Final = 1 << 20


class Settings(NamedTuple):
    """The settings of a scan: by so many processes, or by the workers of a scheduler."""

    options: Options
    workers: int
    chunk_bytes: int = CHUNK_BYTES
    scheduler: str | None = None


def scan(names: Sequence[str], directory: Path, settings: Settings) -> dict[str, Any]:
    """Scan files, folders, addresses or ``-``, going on where an earlier scan stopped; the summary.

    Raises:
        Failure: A source cannot be read, or the directory cannot be used.
        Interrupted: The user stopped the scan; what was done is kept.
    """
    check_packages(settings.options)
    sources = find_sources(names)
    prepare(directory, ScanStore.NAME, ScanStore.WORK)
    with ScanStore(directory, what_counts(sources, settings)) as store:
        run = _Scan(sources, directory, settings, store)
        with kept_in(store, run.in_words):
            return run.run()


def useful_workers(sources: Sequence[Source], settings: Settings) -> int:
    """Return how many processes are of use: for one chunk none has to be started."""
    size = total_size(sources)
    if size is None:
        return settings.workers
    return min(settings.workers, size // settings.chunk_bytes + 1)


def what_counts(sources: Sequence[Source], settings: Settings) -> dict[str, Any]:
    """Return what the results depend on besides the bytes of the sources."""
    options = settings.options
    return {
        "files": file_names(sources),
        "strings": hashlib.sha256(options.proven).hexdigest(),
        **options.settings(),
        "chunk_bytes": settings.chunk_bytes,
        **versions(),
    }


def file_names(sources: Sequence[Source | KeptSource]) -> list[str]:
    """Return the names of sources, which may be any bytes, as they can be printed."""
    return [os.fsencode(source.name).decode(errors="backslashreplace") for source in sources]


def versions() -> dict[str, str]:
    """Return the versions of all code that results depend on."""
    return {f"version of {name}": value for name, value in provenance("sanproof", "chess").items()}


class _Scan:
    """A scan that is going on."""

    def __init__(
        self, sources: list[Source], directory: Path, settings: Settings, store: ScanStore
    ) -> None:
        self._sources = sources
        self._directory = directory
        self._settings = settings
        self._store = store
        state = store.state(len(sources))
        self._state = state._replace(sources=state.sources or _not_begun(sources))
        self._texts: RewrittenTexts | None = None
        self._tables: MoveTables | None = None
        self._unsaved: dict[int, KeptChunk] = {}
        self._damaged: dict[int, Damage] = {}
        self._saved_at = time.monotonic()
        self._scanned = 0
        self._taken_bytes = 0

    def run(self) -> dict[str, Any]:
        """Scan what is left, and write the files."""
        options, state, store = self._settings.options, self._state, self._store
        names = (*FILES, ROWS, REWRITTEN)
        check_names(self._directory, names, store.files(), store.WORK)
        check_no_links(self._directory, [LOG])
        store.note_files(names)
        if options.rows:
            before = {n: kept.rows for n, kept in store.kept()}
            self._tables = MoveTables(self._directory / ROWS, options.rows, before, state.chunks)
        with ExitStack() as stack:
            if options.rewrite:
                within = [source.within for source in self._sources]
                folder = self._directory / REWRITTEN
                self._texts = RewrittenTexts(stack, folder, within, state.rewritten)
            self._scan_chunks()
        if self._texts is not None:
            self._texts.finish(self._damaged)
        # All was read: make that durable, and what is wrong with the sources.
        for i, source in enumerate(self._state.sources):
            why, read = self._damaged.get(i, ("", ""))
            self._state.sources[i] = source._replace(why=why, read=read)
        self._state = self._state._replace(finished=1)
        store.save_state(self._state, {})
        strings = options.proven.decode("ascii").split()
        settings = what_counts(self._sources, self._settings)
        return write_outputs(self._directory, self._state, store, settings, strings)

    def _scan_chunks(self) -> None:
        settings = self._settings
        waiting = chunks_of(
            self._sources,
            numbered=bool(settings.options.rows),
            chunk_bytes=settings.chunk_bytes,
            damaged=self._damaged,
        )
        text = lambda scale: how_far(scale, self._scanned)  # noqa: E731 - it is asked for later
        display = progress_display(total_size(self._sources), text=text, only_phase="scanning")
        try:
            with display as progress, self._pool() as pool:
                left = self._without_done(waiting, progress)
                ahead = 1 if pool.workers == 1 else 2 * pool.workers + 1  # without waiting
                for chunk, result in scan_in_order(left, pool.executor, settings.options, ahead):
                    self._take(chunk, result)
                    progress.advance(chunk.taken - self._taken_bytes)
                    self._taken_bytes = chunk.taken
        finally:
            self._save()

    @contextmanager
    def _pool(self) -> Iterator[WorkerPool]:
        """Yield an executor that scans chunks; processes here check what comes from a cluster."""
        scheduler, workers = self._settings.scheduler, useful_workers(self._sources, self._settings)
        if scheduler is None:
            with worker_pool(workers) as own:
                yield own
            return
        with (
            worker_pool(workers, self._directory / LOG, scheduler, NEEDED) as others,
            process_pool(workers) as pool,
        ):
            yield WorkerPool(Sampling(others.executor, pool), others.workers)

    def _without_done(self, waiting: Iterator[Chunk], progress: Scale) -> Iterator[Chunk]:
        """Yield the chunks that are left; read again those that are done, to see that they are."""
        done = self._state.chunks
        expected = [source._replace(why="", read="") for source in self._state.sources]
        found = _not_begun(self._sources)
        progress.begin("scanning", 0)
        for chunk in waiting:
            if chunk.number >= done:
                yield chunk
                continue
            found[chunk.place] = with_chunk(found[chunk.place], digest_of(chunk))
            progress.begin("scanning", chunk.taken)
            self._taken_bytes = chunk.taken
            if chunk.number + 1 == done and found != expected:
                break
        if found != expected:
            raise Failure(
                f"The files have changed since {self._directory} was begun: use another DIR."
            )

    def _take(self, chunk: Chunk, result: ChunkResult) -> None:
        """Take in the next chunk."""
        tally, sources = self._state.tally, self._state.sources
        rows = "" if self._tables is None else self._tables.write(chunk.number, result.rows)
        if rows or result.found or result.refuting or result.games:
            before = tally.counts[chunk.place]
            placed = result.shifted(before["games"], before["lines"])
            self._unsaved[chunk.number] = KeptChunk(
                *(chunk.place, placed.found, placed.refuting, rows, placed.games),
                UnlistedCount.of(placed.unlisted),
            )
        if self._texts is not None:
            self._texts.write(chunk.place, result.rewritten)
        tally.take(chunk.place, result)
        self._scanned += result.counts.get("games", 0)
        self._state = self._state._replace(finished=0)
        sources[chunk.place] = with_chunk(sources[chunk.place], result.digest)
        if time.monotonic() - self._saved_at > SAVED_EVERY_SECONDS:
            self._save()

    def _save(self) -> None:
        """Make durable what was taken in."""
        if self._texts is not None:
            self._state = self._state._replace(rewritten=self._texts.saved())
        self._store.save_state(self._state, self._unsaved)
        self._unsaved = {}
        self._saved_at = time.monotonic()

    def in_words(self) -> str:
        """Return what is kept, in words."""
        games = self._state.tally.total()["games"]
        return number_of(games, "game is scanned", "games are scanned")


def _not_begun(sources: Sequence[Source]) -> list[KeptSource]:
    return [KeptSource(source.name, source.within) for source in sources]


def how_far(scale: Scale, games: int) -> str:
    """Return how much was read in bytes, and how many games a second were scanned."""
    small = scale.total is not None and scale.total < _MIB
    unit, name = (1 << 10, "KiB") if small else (_MIB, "MiB")
    total = f" of {ceil(scale.total / unit):,}" if scale.total else ""
    per_second = games / scale.seconds()
    rate = f", {per_second:,.0f} games/s" if per_second >= 1 else ""
    return f"{scale.done / unit:,.0f}{total} {name}{rate}"
