"""Cutting sources into chunks, handing them to an executor, and taking results in in order."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future

from sanproof.verify.errors import Failure
from sanproof.verify.scan.borders import CHUNK_BYTES, cut, game_starts
from sanproof.verify.scan.chunks import Chunk, ChunkResult, Options
from sanproof.verify.scan.movetext import games
from sanproof.verify.scan.reading import GameRead, read_game
from sanproof.verify.scan.scanning import scan_chunk
from sanproof.verify.scan.sources import Source, Text, find_sources
from sanproof.verify.work.executors import worker_died

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


def games_of(name: str) -> Iterator[tuple[str, GameRead]]:
    """Yield the games of a file, a folder or ``-``, as a scan reads them, each with its place.

    Raises:
        Failure: A file cannot be read, or not to its end, or a game is too long.
    """
    damaged: dict[int, Damage] = {}
    numbers: Counter[str] = Counter()
    for chunk in chunks_of(find_sources([name]), damaged):
        for game in games(chunk.data):
            numbers[chunk.source] += 1
            yield f"{chunk.source}: game {numbers[chunk.source]}", read_game(game, chunk.data)
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
