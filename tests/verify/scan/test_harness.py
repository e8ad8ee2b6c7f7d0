from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Barrier
from typing import ParamSpec, TypeVar

import pytest

from sanproof.verify.errors import Unfinished
from sanproof.verify.scan.chunks import (
    Chunk,
    ChunkResult,
    Options,
    PathsDisagree,
    digest_of,
)
from sanproof.verify.scan.harness import Task, scan_in_order, with_chunk
from sanproof.verify.scan.store import KeptSource
from sanproof.verify.work.executors import Inline
from tests.verify.scan.pgn import options

P = ParamSpec("P")
R = TypeVar("R")


def counted(chunk: Chunk, _: Options) -> ChunkResult:
    """In place of a scan."""
    return ChunkResult({"games": len(chunk.data)}, {}, [], [])


def numbered(count: int, pulled: list[int] | None = None) -> Iterator[Task]:
    for number in range(count):
        if pulled is not None:
            pulled.append(number)
        yield Task(number, 0, Chunk("a", b"x" * number), number)


@pytest.mark.parametrize("ahead", [1, 2, 5])
def test_no_more_chunks_are_read_than_may_be_in_memory(ahead: int) -> None:
    pulled: list[int] = []
    taken = 0
    for _ in scan_in_order(numbered(20, pulled), Inline(), options(), ahead, counted):
        taken += 1
        assert len(pulled) <= taken + ahead - 1
    assert taken == len(pulled) == 20


def test_results_come_in_order_whoever_is_first() -> None:
    barrier = Barrier(2)

    def late_first(chunk: Chunk, wanted: Options) -> ChunkResult:
        if len(chunk.data) < 2:
            barrier.wait(10)  # the first is done only when the second is under way
        return counted(chunk, wanted)

    with ThreadPoolExecutor(2) as executor:
        found = list(scan_in_order(numbered(9), executor, options(), 5, late_first))
    assert [task.number for task, _ in found] == list(range(9))
    assert [result.counts["games"] for _, result in found] == list(range(9))


class Broken(Executor):
    """An executor whose workers die."""

    def submit(self, fn: object, /, *_: object, **__: object) -> Future[R]:
        future: Future[R] = Future()
        future.set_exception(BrokenProcessPool(str(fn)))
        return future


def test_what_goes_wrong_is_a_sentence() -> None:
    with pytest.raises(Unfinished, match="A worker process died"):
        list(scan_in_order(numbered(3), Broken(), options(), 2, counted))

    def differing(chunk: Chunk, _: Options) -> ChunkResult:
        raise PathsDisagree(chunk.source, "1. e4")

    with pytest.raises(Unfinished, match=r"report the game: '1\. e4'"):
        list(scan_in_order(numbered(3), Inline(), options(), 2, differing))


def test_the_chain_tells_chunks_apart() -> None:
    first, second = Chunk("a", b"1. e4"), Chunk("a", b"1. d4")
    none = KeptSource("a", "a")
    sources = {
        with_chunk(with_chunk(none, digest_of(a)), digest_of(b))
        for a in (first, second)
        for b in (first, second)
    }
    sources |= {with_chunk(none, digest_of(c)) for c in (first, first._replace(part="rest"))}
    assert len({source.chain for source in sources}) == 6
    assert {source.chunks for source in sources} == {1, 2}
