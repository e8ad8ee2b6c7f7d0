"""Cutting sources into chunks, handing them to an executor, and taking results in in order."""

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from itertools import count
from pathlib import Path
from typing import NamedTuple

from sanproof.verify.errors import Unfinished
from sanproof.verify.scan.borders import CHUNK_BYTES, Readable, cut, cut_in_place, game_starts
from sanproof.verify.scan.chunks import Chunk, ChunkResult, Options, PathsDisagree, Stretch
from sanproof.verify.scan.encodings import PgnText
from sanproof.verify.scan.scanning import scan_chunk
from sanproof.verify.scan.sources import CannotRead, Counting, Source, UpToBadEnd, opened
from sanproof.verify.scan.store import KeptSource
from sanproof.verify.work.executors import worker_died


class Task(NamedTuple):
    """A chunk to be scanned, with its number in the whole scan and its source's, from 0.

    Until its end, so many bytes of all sources' files were taken.
    """

    number: int
    source: int
    chunk: Chunk
    taken: int


class EndedEarly(CannotRead):
    """A source ends too early, or something else follows it."""


class Unreadable(NamedTuple):
    """What is wrong with a source that cannot be read, or not to its end.

    Attributes:
        why: What is wrong.
        read: What was read of it: ``nothing``, what stands ``before`` the damage, or something that
            is ``doubtful``, for it may be wrong before a damage that only a checksum shows.
    """

    why: str
    read: str


def tasks(
    sources: Sequence[Source],
    *,
    numbered: bool = False,
    in_place: bool = False,
    chunk_bytes: int = CHUNK_BYTES,
    on_damage: Callable[[int, Unreadable], None] | None = None,
) -> Iterator[Task]:
    """The chunks of all sources, in order; one at a time is read.

    Args:
        sources: Where the games are.
        numbered: Whether each chunk is to know how many games come before it.
        in_place: Whether the chunks of files that are not packed may be left where they lie, for
            who scans them to read; they do not know then how many games come before.
        chunk_bytes: The size of a chunk.
        on_damage: Is called with the number of a source that cannot be read, or not to its end, and
            what is wrong; then the next one is read. Without it, that is a failure.
    """
    numbers = count()
    taken = 0
    for i, source in enumerate(sources):
        has_begun = False
        done = 0
        try:
            for chunk, done in _chunks(source, chunk_bytes, numbered=numbered, in_place=in_place):
                has_begun = True
                yield Task(next(numbers), i, chunk, taken + done)
        except EndedEarly as error:
            if on_damage is None:
                raise
            on_damage(i, Unreadable(error.why, "before"))
        except CannotRead as error:
            if on_damage is None:
                raise
            on_damage(i, Unreadable(error.why, "doubtful" if has_begun else "nothing"))
        taken += done


def _chunks(
    source: Source, chunk_bytes: int, *, numbered: bool, in_place: bool
) -> Iterator[tuple[Chunk, int]]:
    """The chunks of a source, each with how many bytes of its file were taken until its end.

    Raises:
        CannotRead: It cannot be read any further.
        EndedEarly: All that can be read was yielded.
    """
    with opened(source) as read:
        text = UpToBadEnd(read.text)
        if in_place and read.path is not None:
            chunks = _in_place(source, read.path, read.raw, chunk_bytes)
        else:
            chunks = _unpacked(source, PgnText(text), chunk_bytes, numbered=numbered)
        for chunk in chunks:
            yield chunk, read.raw.taken
        if damage := read.raw.damage or text.damage:
            raise EndedEarly(source.name, damage)


def _unpacked(
    source: Source, text: Readable, chunk_bytes: int, *, numbered: bool
) -> Iterator[Chunk]:
    games = 0
    for piece in cut(text, chunk_bytes):
        yield Chunk(source.name, piece.data, piece.part, games)
        if numbered:
            games += len(game_starts(piece.data)) if piece.part == "games" else piece.part == "long"


def _in_place(source: Source, path: Path, raw: Counting, chunk_bytes: int) -> Iterator[Chunk]:
    """The chunks of a file that is not packed: who scans them reads them."""
    with path.open("rb", buffering=0) as file:
        begin = 0
        for size, part in cut_in_place(file, chunk_bytes):
            chunk = Chunk(source.name, b"", part, stretch=Stretch(str(path), begin, size))
            begin += size
            raw.taken = begin
            yield chunk


def with_chunk(source: KeptSource, digest: str) -> KeptSource:
    """What is kept of a source, with one more chunk, whose hash is given."""
    chain = hashlib.sha256(f"{source.chain} {digest}".encode()).hexdigest()
    return source._replace(chunks=source.chunks + 1, chain=chain)


def scan_in_order(
    waiting: Iterator[Task],
    executor: Executor,
    options: Options,
    ahead: int,
    scan: Callable[[Chunk, Options], ChunkResult] = scan_chunk,
) -> Iterator[tuple[Task, ChunkResult]]:
    """Have chunks scanned, and yield them with their results in order.

    So many chunks ``ahead`` may be in memory: under way, or waiting for one before them.

    Raises:
        Unfinished: A worker died, or the two ways to read a game disagree.
    """
    under_way: deque[tuple[Task, Future[ChunkResult]]] = deque()
    try:
        for task in waiting:
            under_way.append((task, executor.submit(scan, task.chunk, options)))
            if len(under_way) >= ahead:
                first, future = under_way.popleft()
                yield first, future.result()
        while under_way:
            first, future = under_way.popleft()
            yield first, future.result()
    except BrokenProcessPool as error:
        raise worker_died("; what was scanned is kept: run the same command again") from error
    except PathsDisagree as error:
        raise Unfinished(
            f"An error in sanproof: {error}. Scan with --no-fast, and report the game: "
            f"{error.text[:2000]!r}"
        ) from error
    finally:
        for _, future in under_way:
            future.cancel()
