"""``sanproof scan --out DIR`` from beginning to end: read, count, keep, write.

Each chunk is kept with all that was found in it. When all are done, they are added up.
"""

import hashlib
import os
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from math import ceil
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, NamedTuple

from sanproof.reports.tables.files import whole_file, write_whole
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import Failure
from sanproof.verify.scan.borders import CHUNK_BYTES
from sanproof.verify.scan.chunks import (
    Chunk,
    ChunkResult,
    DeviatingMove,
    GameOutcome,
    Options,
    RefutingMove,
    digest_of,
)
from sanproof.verify.scan.harness import Damage, chunks_of, scan_in_order
from sanproof.verify.scan.outputs import FILES, write_outputs
from sanproof.verify.scan.scanning import NEEDED, suited
from sanproof.verify.scan.sources import Source, find_sources, text_size, total_size
from sanproof.verify.work.executors import worker_pool
from sanproof.verify.work.progress import Scale, progress_display
from sanproof.verify.work.provenance import provenance
from sanproof.verify.work.store import Store, kept_in, prepare

SAVED_EVERY_SECONDS: Final = 5.0
LOG: Final = "scan.log"
"""The log of a cluster's workers."""
ROWS: Final = "rows"
REWRITTEN: Final = "rewritten"
_MIB: Final = 1 << 20
_AHEAD_ON_CLUSTER: Final = 32
_PACKED: Final = re.compile(r"\.(gz|bz2|zst|xz)$", re.IGNORECASE)
_NO_NAMES: Final = {"/", "//", ".", ".."}
_LONGEST_NAME: Final = 200
_CHUNKS: Final = "chunks"
_KEPT: Final = (
    *("counts", "seen", "found", "refuting", "edits", "digest", "games", "in_variations"),
)


class Settings(NamedTuple):
    """The settings of a scan: by so many processes, or by the workers of a scheduler."""

    options: Options
    workers: int
    chunk_bytes: int = CHUNK_BYTES
    scheduler: str | None = None


class ScanStore(Store):
    """The file ``scan.sqlite3`` of a scan, with each chunk's source and result."""

    NAME = "scan.sqlite3"
    WORK = "scan"

    def save_chunk(self, number: int, source: int, result: ChunkResult) -> None:
        """Keep what was found in a chunk, but for its table of moves."""
        unlisted = [[*kind, times] for kind, times in sorted(result.unlisted.items())]
        found = {name: getattr(result, name) for name in _KEPT}
        self.save(_CHUNKS, f"{number:012}", [source, unlisted, found])

    def chunks(self) -> Iterator[tuple[int, int, ChunkResult]]:
        """Yield the number, the source and the result of each chunk, in order."""
        for name in self.names(_CHUNKS):
            source, unlisted, found = self.load(_CHUNKS, name)
            rows = found["found"]
            for n, row in enumerate(rows):  # one by one: there may be a million
                rows[n] = DeviatingMove._make(row)
            result = ChunkResult(**found)._replace(
                refuting=list(map(RefutingMove._make, found["refuting"])),
                games=list(map(GameOutcome._make, found["games"])),
                unlisted=Counter({(kind, apart): times for kind, apart, times in unlisted}),
            )
            yield int(name), source, result


def scan(names: Sequence[str], directory: Path, settings: Settings) -> dict[str, Any]:
    """Scan files, folders or ``-``, going on where an earlier scan stopped; the summary.

    Raises:
        Failure: A source cannot be read, or the directory cannot be used.
        Interrupted: The user stopped the scan; what was done is kept.
    """
    sources = find_sources(names)
    settings = settings._replace(options=suited(settings.options, text_size(sources)))
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
        "files": [os.fsencode(s.name).decode(errors="backslashreplace") for s in sources],
        "strings": hashlib.sha256(options.proven).hexdigest(),
        **options.settings(),
        "chunk_bytes": settings.chunk_bytes,
        **{f"version of {name}": value for name, value in provenance("sanproof", "chess").items()},
    }


class _Scan:
    """A scan that is going on."""

    def __init__(
        self, sources: list[Source], directory: Path, settings: Settings, store: ScanStore
    ) -> None:
        self._sources = sources
        self._directory = directory
        self._settings = settings
        self._store = store
        nothing: dict[str, Any] = dict.fromkeys(("found", "games", "refuting"), ())
        nothing |= {"seen": {}, "in_variations": {}}
        self._done = {n: result._replace(**nothing) for n, _, result in store.chunks()}
        self._games = sum(result.counts.get("games", 0) for result in self._done.values())
        self._unsaved: list[tuple[int, int, ChunkResult]] = []
        self._damaged: dict[int, Damage] = {}
        self._saved_at = time.monotonic()
        self._texts: RewrittenTexts | None = None

    def run(self) -> dict[str, Any]:
        """Scan what is left, and write the files."""
        options, names = self._settings.options, (*FILES, ROWS, REWRITTEN)
        self._store.claim(names)
        if options.rows:
            (self._directory / ROWS).mkdir(exist_ok=True)
        with ExitStack() as stack:
            if options.rewrite:
                folder = self._directory / REWRITTEN
                within = rewritten_names([source.within for source in self._sources])
                self._texts = stack.enter_context(RewrittenTexts(folder, within))
            self._scan_chunks()
            if self._texts is not None:
                self._texts.finish({i for i, d in self._damaged.items() if d.read == "nothing"})
        strings = options.proven.decode("ascii").split()
        settings = what_counts(self._sources, self._settings)
        chunks = lambda: ((source, result) for _, source, result in self._store.chunks())  # noqa: E731
        sources = [source.name for source in self._sources]
        return write_outputs(self._directory, sources, chunks, self._damaged, settings, strings)

    def _scan_chunks(self) -> None:
        settings, sources = self._settings, self._sources
        waiting = chunks_of(
            sources,
            self._damaged,
            numbered=bool(settings.options.rows),
            chunk_bytes=settings.chunk_bytes,
        )
        workers = useful_workers(sources, settings)
        is_remote = settings.scheduler is not None
        log = self._directory / LOG if is_remote else None
        ahead = _AHEAD_ON_CLUSTER if is_remote else 1 if workers == 1 else 2 * workers + 1
        begun = self._games
        text = lambda scale: how_far(scale, self._games - begun)  # noqa: E731 - it is asked for later
        display = progress_display(total_size(sources), text=text, only_phase="scanning")
        try:
            with display as progress, worker_pool(workers, log, settings.scheduler, NEEDED) as pool:
                taken = 0
                left = self._without_done(waiting, progress)
                for chunk, result in scan_in_order(left, pool, settings.options, ahead):
                    self._take(chunk, result)
                    progress.advance(chunk.taken - taken)
                    taken = chunk.taken
        finally:
            self._save()

    def _without_done(self, waiting: Iterator[Chunk], progress: Scale) -> Iterator[Chunk]:
        """Yield the chunks that are left; read those that are done, to see that they are."""
        progress.begin("scanning", 0)
        for chunk in waiting:
            done = self._done.pop(chunk.number, None)
            if done is None:
                yield chunk
                continue
            if done.digest != digest_of(chunk):
                raise self._changed()
            progress.begin("scanning", chunk.taken)
            self._rewrite(chunk, done)
        if self._done:
            raise self._changed()

    def _changed(self) -> Failure:
        return Failure(
            f"The files have changed since {self._directory} was begun: use another DIR."
        )

    def _rewrite(self, chunk: Chunk, result: ChunkResult) -> None:
        if self._texts is not None:
            self._texts.write(chunk.place, result.rewritten(chunk.data))

    def _take(self, chunk: Chunk, result: ChunkResult) -> None:
        """Take in the next chunk."""
        if form := self._settings.options.rows:
            name = f"part-{chunk.number:08}.{form}"
            write_whole(self._directory / ROWS / name, result.rows)
        self._rewrite(chunk, result)
        self._games += result.counts.get("games", 0)
        self._unsaved.append((chunk.number, chunk.place, result))
        if time.monotonic() - self._saved_at > SAVED_EVERY_SECONDS:
            self._save()

    def _save(self) -> None:
        """Make durable what was taken in."""
        for one in self._unsaved:
            self._store.save_chunk(*one)
        self._unsaved = []
        self._saved_at = time.monotonic()

    def in_words(self) -> str:
        """Return what is kept, in words."""
        return number_of(self._games, "game is scanned", "games are scanned")


class RewrittenTexts(ExitStack):
    """The rewritten texts of sources, one after the other; each appears when it is complete."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        super().__init__()
        self._folder = folder
        self._names = names
        self._file: IO[bytes] | None = None
        self._source = -1

    def write(self, source: int, text: bytes) -> None:
        """Write what comes next of a source."""
        if source != self._source or self._file is None:
            self._end()
            path = self._folder / self._names[source]
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.enter_context(whole_file(path))
            self._source = source
        self._file.write(text)

    def finish(self, unread: set[int]) -> None:
        """End the last text, and write those of sources without a byte."""
        self._end()
        for source, name in enumerate(self._names):
            path = self._folder / name
            if source not in unread and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, b"")

    def _end(self) -> None:
        """Give the text its name."""
        self.close()
        self._file = None


def rewritten_names(withins: Sequence[str]) -> list[str]:
    """Return the name of each source's text: its path in the named folder, without its packing.

    If that is another's name or folder already, in upper or lower case, or too long, a number
    stands before its end.
    """
    names: list[str] = []
    files: set[str] = set()
    folders: set[str] = set()
    for within in withins:
        parts = [part for part in PurePosixPath(within).parts if part not in _NO_NAMES]
        path = PurePosixPath(*parts)
        plain = _PACKED.sub("", path.name)
        is_name = plain and plain not in _NO_NAMES
        path = (path.parent if path.name else path) / (plain if is_name else "games.pgn")
        for chosen in _candidates(path):
            own = str(chosen).casefold()
            above = {str(parent).casefold() for parent in chosen.parents}
            is_taken = own in files or own in folders or not above.isdisjoint(files)
            if not is_taken and all(len(os.fsencode(p)) <= _LONGEST_NAME for p in chosen.parts):
                files.add(own)
                folders |= above
                names.append(str(chosen))
                break
    return names


def _candidates(path: PurePosixPath) -> Iterator[PurePosixPath]:
    """Yield a path, and then its name with numbers before it."""
    yield path
    for number in count(2):
        yield PurePosixPath(f"{number:04}-{path.stem[:40]}.pgn")


def how_far(scale: Scale, games: int) -> str:
    """Return how much was read in bytes, and how many games a second were scanned."""
    small = scale.total is not None and scale.total < _MIB
    unit, name = (1 << 10, "KiB") if small else (_MIB, "MiB")
    total = f" of {ceil(scale.total / unit):,}" if scale.total else ""
    per_second = games / scale.seconds()
    rate = f", {per_second:,.0f} games/s" if per_second >= 1 else ""
    return f"{scale.done / unit:,.0f}{total} {name}{rate}"
