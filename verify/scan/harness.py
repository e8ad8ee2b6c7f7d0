"""Cutting sources into chunks, handing them to an executor, and taking results in in order."""

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from sanproof.verify.errors import Unfinished
from sanproof.verify.scan.borders import CHUNK_BYTES, Readable, cut, cut_in_place, game_starts
from sanproof.verify.scan.chunks import Chunk, ChunkResult, Options, PathsDisagree, Stretch, loaded
from sanproof.verify.scan.scanning import scan_chunk
from sanproof.verify.scan.sources import Counting, Damaged, Source, UpToBadEnd, check_text, opened
from sanproof.verify.work.executors import worker_died


class Task(NamedTuple):
    """A chunk to be scanned, with its number in the whole scan and its source's, from 0.

    Until its end, so many bytes of all sources' files were taken.
    """

    number: int
    source: int
    chunk: Chunk
    taken: int


_BEGINNING_BYTES: Final = 1 << 16
"""Enough of a text to see how its lines end."""


def tasks(
    sources: Sequence[Source],
    *,
    numbered: bool = False,
    in_place: bool = False,
    chunk_bytes: int = CHUNK_BYTES,
    on_damage: Callable[[int, str], None] | None = None,
) -> Iterator[Task]:
    """The chunks of all sources, in order; one at a time is read.

    Args:
        sources: Where the games are.
        numbered: Whether each chunk is to know how many games come before it.
        in_place: Whether the chunks of files that are not packed may be left where they lie, for
            who scans them to read; they do not know then how many games come before.
        chunk_bytes: The size of a chunk.
        on_damage: Is called with the number of a packed source that ends badly after some text, and
            what is wrong; the text up to there is read. Without it, that is a failure too.

    Raises:
        Failure: A source cannot be read.
    """
    numbers = count()
    taken = 0
    for i, source in enumerate(sources):
        with opened(source) as read:
            text = UpToBadEnd(read.text)
            if in_place and read.path is not None:
                chunks = _in_place(source, read.path, read.raw, chunk_bytes)
            else:
                chunks = _unpacked(source, text, chunk_bytes, numbered=numbered)
            for chunk in chunks:
                yield Task(next(numbers), i, chunk, taken + read.raw.taken)
            if text.damage:
                if on_damage is None:
                    raise Damaged(text.damage)
                on_damage(i, text.damage)
            taken += read.raw.taken


def _unpacked(
    source: Source, text: Readable, chunk_bytes: int, *, numbered: bool
) -> Iterator[Chunk]:
    games = 0
    for place, piece in enumerate(cut(text, chunk_bytes)):
        if place == 0:
            check_text(source.name, piece.data)
        yield Chunk(source.name, piece.data, piece.part, games)
        if numbered:
            games += len(game_starts(piece.data)) if piece.part == "games" else piece.part == "long"


def _in_place(source: Source, path: Path, raw: Counting, chunk_bytes: int) -> Iterator[Chunk]:
    """The chunks of a file that is not packed: who scans them reads them."""
    with path.open("rb", buffering=0) as file:
        begin = 0
        for size, part in cut_in_place(file, chunk_bytes):
            chunk = Chunk(source.name, b"", part, stretch=Stretch(str(path), begin, size))
            if begin == 0:
                beginning = Stretch(str(path), 0, min(size, _BEGINNING_BYTES))
                check_text(source.name, loaded(chunk._replace(stretch=beginning)).data)
            begin += size
            raw.taken = begin
            yield chunk


def chained(chain: str, digest: str) -> str:
    """The hash over chunks, with one more, whose hash is given."""
    return hashlib.sha256(f"{chain} {digest}".encode()).hexdigest()


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
