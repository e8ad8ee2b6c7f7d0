"""``sanproof scan --out DIR`` from beginning to end: read, count, keep, write."""

import hashlib
import os
import re
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from sanproof.reports.tables.files import remove_leftovers, write_whole
from sanproof.reports.tables.words import number_of
from sanproof.verify.errors import Failure, Interrupted, Unfinished, failure
from sanproof.verify.run.stopping import RunStopped, ending_on_signals
from sanproof.verify.scan.addresses import EXTRA
from sanproof.verify.scan.borders import CHUNK_BYTES
from sanproof.verify.scan.chunks import ChunkResult, Options, digest_of, loaded
from sanproof.verify.scan.harness import Task, chained, scan_in_order, tasks
from sanproof.verify.scan.outputs import FILES, Found, write_outputs
from sanproof.verify.scan.pool import scan_hands
from sanproof.verify.scan.progress import ScanProgress, scan_display
from sanproof.verify.scan.scanning import NEEDED
from sanproof.verify.scan.sources import Source, find_sources
from sanproof.verify.scan.store import STORE_NAME, Kept, ScanStore, provenance
from sanproof.verify.scan.tally import Tally

SAVED_EVERY_SECONDS: Final = 5.0
LOG: Final = "scan.log"
"""What a cluster's workers log."""
ROWS: Final = "rows"
REWRITTEN: Final = "rewritten"
_PACKED: Final = re.compile(r"\.(gz|bz2|zst|xz)$")


class Settings(NamedTuple):
    """How a scan is done.

    Attributes:
        options: How each chunk is scanned.
        workers: How many processes scan.
        chunk_bytes: The size of a chunk.
        scheduler: The address of a cluster's scheduler, whose workers scan instead.
    """

    options: Options
    workers: int
    chunk_bytes: int = CHUNK_BYTES
    scheduler: str | None = None


def scan(names: Sequence[str], directory: Path, settings: Settings) -> dict[str, Any]:
    """Scan sources, going on where an earlier scan in the directory stopped.

    Args:
        names: Files, folders, addresses, or ``-``.
        directory: Where the results go: new, empty, or of the same scan before.
        settings: How.

    Returns:
        The summary.

    Raises:
        Failure: A source cannot be read, or the directory cannot be used.
        Interrupted: The user stopped the scan; what was done is kept.
    """
    _check_packages(settings.options)
    sources = find_sources(names)
    try:
        _prepare(directory)
        with ScanStore(directory, _what_counts(sources, settings)) as store:
            run = _Scan(sources, directory, settings, store)
            with _stopping_explained(directory, run), ending_on_signals():
                return run.run()
    except OSError as error:
        raise Unfinished(f"{directory} cannot be written: {error.strerror}.") from error
    except sqlite3.Error as error:
        raise Unfinished(f"{directory / STORE_NAME} cannot be written: {error}.") from error


def useful_workers(sources: Sequence[Source], settings: Settings) -> int:
    """How many processes are of use: for one chunk none has to be started."""
    sizes = [source.size for source in sources]
    if None in sizes:
        return settings.workers
    chunks = sum(size or 0 for size in sizes) // settings.chunk_bytes + 1
    return min(settings.workers, chunks)


def _check_packages(options: Options) -> None:
    """See that what the options need is installed, before anything is read."""
    from importlib.util import find_spec  # noqa: PLC0415 - only here

    if options.rows == "parquet" and find_spec("pyarrow") is None:
        raise Failure(f"Parquet needs pyarrow: {EXTRA}, or write --rows csv.")
    if options.fast and any(find_spec(name) is None for name in NEEDED):
        sys.stderr.write(
            f"The fast path is not installed ({EXTRA}): python-chess reads every game.\n"
        )


def _prepare(directory: Path) -> None:
    """Make the directory, or see that it is empty or a scan's."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        others = sorted(path.name for path in directory.iterdir())
    except OSError as error:
        raise failure(f"{directory} cannot hold a scan: {error.strerror}.", error) from error
    if others and STORE_NAME not in others:
        raise Failure(
            f"{directory} holds files but no scan ({', '.join(others[:3])}): "
            "name a DIR that is empty or does not exist."
        )
    remove_leftovers(directory)


def _what_counts(sources: Sequence[Source], settings: Settings) -> dict[str, Any]:
    """What the results depend on besides the bytes of the sources."""
    options = settings.options
    return {
        "files": [os.fsencode(source.name).decode(errors="backslashreplace") for source in sources],
        "strings": hashlib.sha256(options.proven).hexdigest(),
        "strict": options.strict,
        "rows": options.rows,
        "rewrite": options.rewrite,
        "chunk_bytes": settings.chunk_bytes,
        **{f"version of {name}": value for name, value in provenance().items()},
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
        self._state = store.state(settings.options.proven)
        self._unsaved: dict[int, Kept] = {}
        self._damaged: dict[int, str] = {}
        self._saved_at = time.monotonic()

    def run(self) -> dict[str, Any]:
        """Scan what is left, and write the files."""
        options = self._settings.options
        self._check_names()
        sizes = [source.size for source in self._sources]
        total = None if None in sizes else sum(size or 0 for size in sizes)
        with scan_display(total) as progress, self._rewriting() as files:
            self._scan_chunks(progress, files)
        self._name_rewritten()
        strings = options.proven.decode("ascii").split()
        settings = _what_counts(self._sources, self._settings)
        damaged = [(self._sources[i].name, why) for i, why in sorted(self._damaged.items())]
        found = Found(self._sources, self._state.tally, self._store.kept, damaged)
        return write_outputs(self._directory, found, settings, strings)

    def _check_names(self) -> None:
        """See that no file of somebody else would be replaced."""
        ours = self._store.files()
        for name in (*FILES, ROWS, REWRITTEN):
            if name not in ours and os.path.lexists(self._directory / name):
                raise Failure(
                    f"{self._directory / name} is not a file of this scan, and would be "
                    "overwritten: move it away, or use another DIR."
                )
        self._store.note_files([*FILES, ROWS, REWRITTEN])
        if self._settings.options.rows:
            (self._directory / ROWS).mkdir(exist_ok=True)
            remove_leftovers(self._directory / ROWS)

    def _scan_chunks(self, progress: ScanProgress, files: list[BinaryIO]) -> None:
        settings = self._settings
        workers = useful_workers(self._sources, settings)
        numbered = bool(settings.options.rows)
        waiting = tasks(
            self._sources,
            numbered=numbered,
            in_place=settings.scheduler is None and not numbered,
            chunk_bytes=settings.chunk_bytes,
            on_damage=self._damaged.__setitem__,
        )
        try:
            left = self._without_done(waiting, progress)
            log_file = self._directory / LOG
            with scan_hands(workers, log_file, settings.scheduler) as (executor, ahead):
                for task, result in scan_in_order(left, executor, settings.options, ahead):
                    self._take(task, result, files)
                    progress.advance(task.taken, result.counts.get("games", 0))
        finally:
            self._save(files)

    def _without_done(self, waiting: Iterator[Task], progress: ScanProgress) -> Iterator[Task]:
        """The chunks that are left; those that are done are read again, to see that they are."""
        done, expected = self._state.chunks, self._state.chain
        chain, number = "", 0
        for task in waiting:
            number = task.number + 1
            if number > done:
                yield task
                continue
            chain = chained(chain, digest_of(loaded(task.chunk)))
            progress.advance(task.taken, 0)
            if number == done and chain != expected:
                break
        if chain != expected:
            raise Failure(
                f"The files have changed since {self._directory} was begun: use another DIR."
            )

    def _take(self, task: Task, result: ChunkResult, files: list[BinaryIO]) -> None:
        """Take in the next chunk."""
        options, state = self._settings.options, self._state
        tally = state.tally
        if result.deviations or result.refuting:
            self._unsaved[task.number] = _numbered(task.source, result, tally)
        if options.rows:
            name = f"part-{task.number:08}.{options.rows}"
            write_whole(self._directory / ROWS / name, result.rows)
        if options.rewrite:
            files[task.source].write(result.rewritten)
        tally.take(task.source, result)
        self._state = state._replace(
            chunks=task.number + 1, chain=chained(state.chain, result.digest)
        )
        if time.monotonic() - self._saved_at > SAVED_EVERY_SECONDS:
            self._save(files)

    def _save(self, files: list[BinaryIO]) -> None:
        """Make durable what was taken in."""
        for file in files:
            file.flush()
            os.fsync(file.fileno())
        self._state = self._state._replace(sizes=[file.tell() for file in files])
        self._store.save(self._state, self._unsaved)
        self._unsaved = {}
        self._saved_at = time.monotonic()

    @contextmanager
    def _rewriting(self) -> Iterator[list[BinaryIO]]:
        """The files for the rewritten texts, as long as they were when the scan was saved."""
        files: list[BinaryIO] = []
        with ExitStack() as stack:
            if self._settings.options.rewrite:
                folder = self._directory / REWRITTEN
                folder.mkdir(exist_ok=True)
                sizes = [*self._state.sizes, *[0] * len(self._sources)]
                for i in range(len(self._sources)):
                    path = folder / self._rewritten_name(i)
                    if not self._part(i).exists() and path.exists():
                        path.rename(self._part(i))
                    file = stack.enter_context(self._part(i).open("ab"))
                    file.truncate(sizes[i])
                    file.seek(sizes[i])
                    files.append(file)
            yield files

    def _part(self, source: int) -> Path:
        return self._directory / REWRITTEN / f".{source + 1:04}.part"

    def _rewritten_name(self, source: int) -> str:
        name = Path(self._sources[source].name).name
        stem = _PACKED.sub("", "stdin.pgn" if name == "-" else name)
        return f"{source + 1:04}-{stem}"

    def _name_rewritten(self) -> None:
        if self._settings.options.rewrite:
            for i in range(len(self._sources)):
                self._part(i).replace(self._directory / REWRITTEN / self._rewritten_name(i))

    def in_words(self) -> str:
        """What is kept, in words."""
        games = self._state.tally.total()["games"]
        return number_of(games, "game is scanned", "games are scanned")


def _numbered(source: int, result: ChunkResult, tally: Tally) -> Kept:
    """What is kept of a chunk, with games and lines counted from the beginning of the source."""
    before = tally.counts[source] if source < len(tally.counts) else {}
    games, lines = before.get("games", 0), before.get("lines", 0)
    return Kept(
        source,
        [d._replace(game=games + d.game, line=lines + d.line) for d in result.deviations],
        [r._replace(game=games + r.game) for r in result.refuting],
    )


@contextmanager
def _stopping_explained(directory: Path, run: _Scan) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as error:
        interrupted = Interrupted(
            f"Interrupted; {run.in_words()}, all kept in {directory}: "
            "run the same command again to go on."
        )
        if isinstance(error, RunStopped):
            interrupted.exit_code = error.exit_code
        raise interrupted from error
