"""Cutting sources into chunks, handing them to an executor, and taking results in in order."""

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any, Final, NamedTuple

from sanproof.verify.errors import Unfinished
from sanproof.verify.scan.borders import CHUNK_BYTES, cut, game_starts
from sanproof.verify.scan.chunks import (
    Chunk,
    ChunkResult,
    Options,
    PathsDisagree,
    digest_of,
)
from sanproof.verify.scan.former.executors import Inline, checked, worker_died
from sanproof.verify.scan.scanning import scan_chunk, scan_chunks
from sanproof.verify.scan.sources import CannotRead, Source, opened
from sanproof.verify.scan.store import KeptSource


class Damage(NamedTuple):
    """The damage of a source that cannot be read, or not to its end."""

    why: str
    read: str  # of it: nothing, what stands before the damage, or what is doubtful before it


SMALL_BYTES: Final = 1 << 16
"""Chunks of fewer bytes, as of files of one game, are scanned together."""
_TOGETHER_BYTES: Final = 1 << 20


def chunks_of(
    sources: Sequence[Source],
    *,
    numbered: bool = False,
    chunk_bytes: int = CHUNK_BYTES,
    damaged: dict[int, Damage] | None = None,
) -> Iterator[Chunk]:
    """Yield the chunks of all sources, in order; one at a time is read.

    If they are ``numbered``, each chunk knows how many games come before it. What is wrong with
    sources that cannot be read, or not to their ends, is put in ``damaged``, or is a failure.
    """
    number = taken = 0
    for place, source in enumerate(sources):
        done = games = 0
        try:
            with opened(source) as found:
                for data, part in cut(found.blocks, chunk_bytes):
                    done = found.bytes
                    yield Chunk(source.name, data, part, games, number, place, taken + done)
                    number += 1
                    if numbered:
                        games += len(game_starts(data)) if part == "games" else part == "long"
            why, read = found.damage, "before"
        except CannotRead as error:
            why, read = error.why, "doubtful" if done else "nothing"
        if why:
            if damaged is None:
                raise CannotRead(source.name, why)
            damaged[place] = Damage(why, read)
        taken += done


def with_chunk(source: KeptSource, digest: str) -> KeptSource:
    """Return what is kept of a source, with one more chunk, whose hash is given."""
    chain = hashlib.sha256(f"{source.chain} {digest}".encode()).hexdigest()
    return source._replace(chunks=source.chunks + 1, chain=chain)


def scan_in_order(
    waiting: Iterator[Chunk],
    executor: Executor,
    options: Options,
    ahead: int,
    scan: Callable[[Chunk, Options], ChunkResult] = scan_chunk,
) -> Iterator[tuple[Chunk, ChunkResult]]:
    """Have chunks scanned, and yield them with their results in order.

    So many chunks ``ahead`` may be in memory: under way, or waiting for one before them.

    Raises:
        Unfinished: A worker died, or the two ways to read a game disagree.
    """
    under_way: deque[tuple[list[Chunk], Future[Any]]] = deque()
    small = SMALL_BYTES if scan is scan_chunk and not isinstance(executor, Sampling) else 0
    try:
        for chunks in _together(waiting, small):
            if len(chunks) > 1:
                under_way.append((chunks, executor.submit(scan_chunks, chunks, options)))
            else:
                under_way.append((chunks, executor.submit(scan, chunks[0], options)))
            if len(under_way) >= ahead:
                yield from _results(*under_way.popleft())
        while under_way:
            yield from _results(*under_way.popleft())
    except BrokenExecutor as error:
        raise worker_died("; what was scanned is kept: run the same command again") from error
    except PathsDisagree as error:
        raise Unfinished(
            f"An error in sanproof: {error}. Scan with --no-fast, and report the game: "
            f"{error.args[1][:2000]!r}"
        ) from error
    finally:
        for _, future in under_way:
            future.cancel()


def _together(waiting: Iterator[Chunk], small: int) -> Iterator[list[Chunk]]:
    """Yield chunks in lists: small ones together, others alone."""
    group: list[Chunk] = []
    left = _TOGETHER_BYTES
    for chunk in waiting:
        is_small = chunk.part == "games" and len(chunk.data) < small
        if group and not (is_small and len(chunk.data) < left):
            yield group
            group, left = [], _TOGETHER_BYTES
        group.append(chunk)
        left -= len(chunk.data)
        if not is_small:
            yield group
            group, left = [], _TOGETHER_BYTES
    if group:
        yield group


def _results(chunks: list[Chunk], done: Future[Any]) -> Iterator[tuple[Chunk, ChunkResult]]:
    """Yield chunks that were scanned alone or together, with their results."""
    result = done.result()
    yield from zip(chunks, result if len(chunks) > 1 else [result], strict=True)


# A cluster's workers are strangers, and to check a scan wholly is to scan again. A sample is
# enough, for no verdict rests on counts: one who falsifies many chunks is found soon. What would
# refute the theorem is always read here.

ONE_IN: Final = 20
"""Rescan one chunk in this many, drawn at random, so that no worker knows which."""


class Sampling(Executor):
    """Has chunks scanned by others, and the first and one in twenty by processes of ours as well.

    A future fails with :class:`Unfinished` if what comes back is wrong.
    """

    def __init__(self, others: Executor, own: Executor) -> None:
        self._others = others
        self._own = own
        self._begun = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401 - as an executor
        """Have a chunk scanned; whether it is scanned here too is drawn now."""
        import secrets  # noqa: PLC0415 - for a cluster only

        drawn = not self._begun or secrets.randbelow(ONE_IN) == 0
        self._begun = True
        own = self._own if drawn else Inline()
        check: Callable[..., None] = check_again if drawn else check_result
        done = self._others.submit(fn, *args, **kwargs)
        return checked(done, lambda result: own.submit(check, *args, result))


def check_result(chunk: Chunk, options: Options, result: object) -> None:
    """Check what costs next to nothing; and all of it, if it would refute the theorem."""
    if not isinstance(result, ChunkResult) or result.digest != digest_of(chunk):
        raise _wrong(chunk)
    counts: object = result.counts
    refuting: object = result.refuting
    if not (isinstance(counts, dict) and isinstance(refuting, list)):
        raise _wrong(chunk)
    if refuting or counts.get("lines") != chunk.data.count(b"\n"):
        check_again(chunk, options, result)


def check_again(chunk: Chunk, options: Options, result: ChunkResult) -> None:
    """Scan the chunk here: the results are the same wherever it is scanned."""
    if scan_chunk(chunk, options) != result:
        raise _wrong(chunk)


def _wrong(chunk: Chunk) -> Unfinished:
    return Unfinished(
        f"A worker of the cluster gave a wrong result for a part of {chunk.source}, which is not "
        "kept. Other results of that machine may be wrong: find it, and scan into a new DIR."
    )
