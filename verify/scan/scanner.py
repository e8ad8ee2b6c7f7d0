"""``sanproof scan --out DIR`` from beginning to end: read, count, keep, write."""

import hashlib
import os
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple

from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import Failure
from sanproof.verify.scan.borders import CHUNK_BYTES
from sanproof.verify.scan.chunks import ChunkResult, Deviating, Options, digest_of
from sanproof.verify.scan.harness import (
    Sampling,
    Task,
    Unreadable,
    scan_in_order,
    tasks,
    with_chunk,
)
from sanproof.verify.scan.outputs import FILES, ScanResult, write_outputs
from sanproof.verify.scan.rewriting import MoveTables, RewrittenTexts
from sanproof.verify.scan.scanning import NEEDED, check_packages
from sanproof.verify.scan.sources import Source, find_sources
from sanproof.verify.scan.store import KeptChunk, KeptSource, ScanStore
from sanproof.verify.scan.tally import Tally
from sanproof.verify.work.executors import Hands, hands, own_hands
from sanproof.verify.work.folder import check_names, check_no_links, prepare
from sanproof.verify.work.processes import process_pool
from sanproof.verify.work.progress import Progress, Scale, progress_display
from sanproof.verify.work.provenance import provenance
from sanproof.verify.work.store import kept_in

SAVED_EVERY_SECONDS: Final = 5.0
LOG: Final = "scan.log"
"""What a cluster's workers log."""
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
    sizes = [source.size for source in sources]
    if None in sizes:
        return settings.workers
    chunks = sum(size or 0 for size in sizes) // settings.chunk_bytes + 1
    return min(settings.workers, chunks)


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
    """The names of sources, which may be any bytes, as they can be printed."""
    return [os.fsencode(source.name).decode(errors="backslashreplace") for source in sources]


def versions() -> dict[str, str]:
    """The versions of all code that results depend on."""
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
        self._unsaved: dict[int, KeptChunk] = {}
        self._damaged: dict[int, Unreadable] = {}
        self._saved_at = time.monotonic()
        self._scanned = 0
        self._taken_bytes = 0

    def run(self) -> dict[str, Any]:
        """Scan what is left, and write the files."""
        options, state = self._settings.options, self._state
        names = (*FILES, ROWS, REWRITTEN)
        check_names(self._directory, names, self._store.files(), self._store.WORK)
        check_no_links(self._directory, [LOG])
        self._store.note_files(names)
        tables = None
        if options.rows:
            before = {n: kept.rows for n, kept in self._store.kept_by_number()}
            tables = MoveTables(self._directory / ROWS, options.rows, before, state.chunks)
        rewritten = [source.within for source in self._sources] if options.rewrite else []
        texts = RewrittenTexts(self._directory / REWRITTEN, rewritten, state.rewritten)
        with texts:
            self._scan_chunks(texts, tables)
        texts.finish(self._damaged)
        self._note_finished()
        strings = options.proven.decode("ascii").split()
        settings = what_counts(self._sources, self._settings)
        found = ScanResult(self._state.sources, self._state.tally, self._store.kept)
        return write_outputs(self._directory, found, settings, strings)

    def _note_finished(self) -> None:
        """Make durable that all was read, and what is wrong with the sources."""
        sources = list(map(_undamaged, self._state.sources))
        for i, damage in self._damaged.items():
            sources[i] = sources[i]._replace(why=damage.why, read=damage.read)
        self._state = self._state._replace(sources=sources, finished=1)
        self._store.save_state(self._state, {})

    def _scan_chunks(self, texts: RewrittenTexts, tables: MoveTables | None) -> None:
        settings = self._settings
        numbered = bool(settings.options.rows)
        waiting = tasks(
            self._sources,
            numbered=numbered,
            chunk_bytes=settings.chunk_bytes,
            on_damage=self._damaged.__setitem__,
        )
        sizes = [source.size for source in self._sources]
        total = None if None in sizes else sum(size or 0 for size in sizes)
        text = lambda scale: how_far(scale, self._scanned)  # noqa: E731 - it is asked for later
        display = progress_display(total, text=text, only_phase="scanning")
        try:
            with display as progress, self._hands() as hands:
                left = self._without_done(waiting, progress)
                ahead = 1 if hands.workers == 1 else 2 * hands.workers + 1  # so that nobody waits
                for task, result in scan_in_order(left, hands.executor, settings.options, ahead):
                    self._take(task, result, texts, tables)
                    progress.advance(task.taken - self._taken_bytes)
                    self._taken_bytes = task.taken
        finally:
            self._save(texts)

    def _hands(self) -> AbstractContextManager[Hands]:
        """Return the executor that scans the chunks."""
        settings = self._settings
        workers = useful_workers(self._sources, settings)
        if settings.scheduler is None:
            return own_hands(workers)
        return _sampled(hands(workers, self._directory / LOG, settings.scheduler, NEEDED), workers)

    def _without_done(self, waiting: Iterator[Task], progress: Progress) -> Iterator[Task]:
        """The chunks that are left; those that are done are read again, to see that they are."""
        done, expected = self._state.chunks, list(map(_undamaged, self._state.sources))
        found = _not_begun(self._sources)
        progress.begin("scanning", 0)
        for task in waiting:
            number = task.number + 1
            if number > done:
                yield task
                continue
            found[task.source] = with_chunk(found[task.source], digest_of(task.chunk))
            progress.begin("scanning", task.taken)
            self._taken_bytes = task.taken
            if number == done and found != expected:
                break
        if found != expected:
            raise Failure(
                f"The files have changed since {self._directory} was begun: use another DIR."
            )

    def _take(
        self, task: Task, result: ChunkResult, texts: RewrittenTexts, tables: MoveTables | None
    ) -> None:
        """Take in the next chunk."""
        tally = self._state.tally
        rows = "" if tables is None else tables.write(task.number, result.rows)
        if rows or result.found or result.refuting or result.games:
            self._unsaved[task.number] = _numbered(task.source, result, tally, rows)
        if self._settings.options.rewrite:
            texts.write(task.source, result.rewritten)
        tally.take(task.source, result)
        self._scanned += result.counts.get("games", 0)
        kept = self._state.sources
        self._state = self._state._replace(finished=0)
        kept[task.source] = with_chunk(kept[task.source], result.digest)
        if time.monotonic() - self._saved_at > SAVED_EVERY_SECONDS:
            self._save(texts)

    def _save(self, texts: RewrittenTexts) -> None:
        """Make durable what was taken in."""
        self._state = self._state._replace(rewritten=texts.saved())
        self._store.save_state(self._state, self._unsaved)
        self._unsaved = {}
        self._saved_at = time.monotonic()

    def in_words(self) -> str:
        """Return what is kept, in words."""
        games = self._state.tally.total()["games"]
        return number_of(games, "game is scanned", "games are scanned")


def _not_begun(sources: Sequence[Source]) -> list[KeptSource]:
    return [KeptSource(source.name, source.within) for source in sources]


def _undamaged(source: KeptSource) -> KeptSource:
    """Return what is kept of a source but what is wrong with it, which is seen again each time."""
    return source._replace(why="", read="")


@contextmanager
def _sampled(cluster: AbstractContextManager[Hands], workers: int) -> Iterator[Hands]:
    """A cluster whose results are checked by so many processes of this machine."""
    with cluster as others, process_pool(workers) as own:
        yield Hands(Sampling(others.executor, own), others.workers)


def how_far(scale: Scale, games: int) -> str:
    """Return how much was read in bytes, and how many games a second were scanned."""
    small = scale.total is not None and scale.total < _MIB
    unit, name = (1 << 10, "KiB") if small else (_MIB, "MiB")
    total = f" of {ceil(scale.total / unit):,}" if scale.total else ""
    per_second = games / scale.seconds()
    rate = f", {per_second:,.0f} games/s" if per_second >= 1 else ""
    return f"{scale.done / unit:,.0f}{total} {name}{rate}"


def _numbered(source: int, result: ChunkResult, tally: Tally, rows: str) -> KeptChunk:
    """Return what is kept of a chunk; games and lines count from the beginning of the source."""
    before = tally.counts[source] if source < len(tally.counts) else {}
    games, lines = before.get("games", 0), before.get("lines", 0)
    bases = {"game": games, "line": lines}
    return KeptChunk(
        source,
        [
            array("q", map(bases[name].__add__, column)) if name in bases else column
            for name, column in zip(Deviating._fields, result.found, strict=False)
        ],
        [r._replace(game=games + r.game) for r in result.refuting],
        rows,
        [g._replace(game=games + g.game, line=lines + g.line) for g in result.games],
    )
