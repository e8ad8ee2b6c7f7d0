import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from threading import Barrier
from typing import Any, TypeVar

import pytest

from sanproof.verify.errors import Unfinished
from sanproof.verify.scan import harness
from sanproof.verify.scan.chunks import (
    Chunk,
    ChunkResult,
    Options,
    PathsDisagree,
    RefutingMove,
    digest_of,
)
from sanproof.verify.scan.harness import Sampling, scan_in_order, with_chunk
from sanproof.verify.scan.scanning import scan_chunk
from sanproof.verify.scan.store import KeptSource
from sanproof.verify.work.executors import Inline
from tests.verify.scan.pgn import options, random_games

R = TypeVar("R")


def counted(chunk: Chunk, _: Options) -> ChunkResult:
    """Stand in for a scan."""
    return ChunkResult({"games": len(chunk.data)}, {}, [], [])


def numbered(count: int, pulled: list[int] | None = None) -> Iterator[Chunk]:
    for number in range(count):
        if pulled is not None:
            pulled.append(number)
        yield Chunk("a", b"x" * number, number=number)


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
    assert [chunk.number for chunk, _ in found] == list(range(9))
    assert [result.counts["games"] for _, result in found] == list(range(9))


def test_what_goes_wrong_is_a_sentence() -> None:
    def broken(*_: object) -> ChunkResult:
        raise BrokenProcessPool

    with pytest.raises(Unfinished, match="A worker process died"):
        list(scan_in_order(numbered(3), Inline(), options(), 2, broken))

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


# Results of a cluster's worker are checked: no lie ends well.


@cache
def few_chunks() -> list[Chunk]:
    return [Chunk("games.pgn", "".join(random_games(seed, 2)).encode()) for seed in range(4)]


Lie = Callable[[ChunkResult], object]


LIES: dict[str, Lie] = {
    "one more game": lambda r: r._replace(counts=r.counts | {"games": r.counts["games"] + 1}),
    "no deviations, no strings": lambda r: r._replace(seen={}),
    "other games": lambda r: r._replace(rewritten=b"mine"),
}
ALWAYS: dict[str, Lie] = {
    "another chunk": lambda r: r._replace(digest="0" * 64),
    "fewer lines": lambda r: r._replace(counts=r.counts | {"lines": 1}),
    "no result": lambda _: None,
    "no counts": lambda r: r._replace(counts=None),  # type: ignore[arg-type]
    "no list": lambda r: r._replace(refuting=None),  # type: ignore[arg-type]
    "a refutation": lambda r: r._replace(refuting=[RefutingMove("Kae1", 1, 1, "", "")]),
}


@pytest.mark.usually(3)
@pytest.mark.parametrize("name", [*LIES, *ALWAYS])
def test_a_lie_is_noticed_in_a_chunk_that_is_drawn_and_some_in_any(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "randbelow", lambda _: 1)  # no chunk but the first
    lied_about = few_chunks()[0 if name in LIES else 1]

    def lying(chunk: Chunk, wanted: Options) -> object:
        result = scan_chunk(chunk, wanted)
        return (LIES | ALWAYS)[name](result) if chunk == lied_about else result

    executor = Sampling(Inline(), Inline())
    futures = [executor.submit(lying, chunk, options()) for chunk in few_chunks()[:2]]
    for chunk, future in zip(few_chunks(), futures, strict=False):
        if chunk == lied_about:
            with pytest.raises(Unfinished, match=r"wrong result for a part of games\.pgn"):
                future.result()
        else:
            assert future.result() == scan_chunk(chunk, options())


def test_what_is_true_is_kept_and_one_in_twenty_is_scanned_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    again: list[Chunk] = []
    honest = harness.check_again

    def counted(chunk: Chunk, *others: Any) -> None:  # noqa: ANN401
        again.append(chunk)
        honest(chunk, *others)

    monkeypatch.setattr(harness, "check_again", counted)
    draws = iter([1, 0, 1])
    monkeypatch.setattr(secrets, "randbelow", lambda _: next(draws))
    executor = Sampling(Inline(), Inline())
    for chunk in few_chunks():
        found = executor.submit(scan_chunk, chunk, options()).result()
        assert found == scan_chunk(chunk, options())
    assert again == [few_chunks()[0], few_chunks()[2]]
