"""What a cluster's worker says of a chunk is checked: none of these lies ends well."""

import secrets
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import cache
from typing import Any

import pytest

from sanproof.verify.errors import Unfinished
from sanproof.verify.scan import harness
from sanproof.verify.scan.chunks import Chunk, ChunkResult, Refuting
from sanproof.verify.scan.harness import Sampling
from sanproof.verify.scan.scanning import scan_chunk
from sanproof.verify.work.executors import Inline
from tests.verify.scan.pgn import options, random_games


@cache
def chunks() -> list[Chunk]:
    return [Chunk("games.pgn", "".join(random_games(seed, 2)).encode()) for seed in range(4)]


Lie = Callable[[ChunkResult], object]


class Lying(Executor):
    """A cluster that lies about what it is told to lie about."""

    def __init__(self, lie: Lie, about: Chunk) -> None:
        self._lie = lie
        self._about = about

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ANN401
        future: Future[Any] = Future()
        result = fn(*args, **kwargs)
        future.set_result(self._lie(result) if args[0] == self._about else result)
        return future


def one_more_game(result: ChunkResult) -> ChunkResult:
    return result._replace(counts=result.counts | {"games": result.counts["games"] + 1})


def a_refutation(result: ChunkResult) -> ChunkResult:
    return result._replace(refuting=[Refuting("Kae1", 1, 1, "8/8/8/8/8/8/8/8 w - - 0 1", "")])


LIES: dict[str, Lie] = {
    "one more game": one_more_game,
    "no deviations, no strings": lambda r: r._replace(seen={}),
    "other games": lambda r: r._replace(rewritten=b"mine"),
}
ALWAYS: dict[str, Lie] = {
    "another chunk": lambda r: r._replace(digest="0" * 64),
    "fewer lines": lambda r: r._replace(counts=r.counts | {"lines": 1}),
    "no result": lambda _: None,
    "no counts": lambda r: r._replace(counts=None),  # type: ignore[arg-type]
    "no list": lambda r: r._replace(refuting=None),  # type: ignore[arg-type]
    "a refutation": a_refutation,
}


@pytest.mark.parametrize("name", [*LIES, *ALWAYS])
def test_a_lie_about_a_chunk_that_is_drawn_is_noticed(name: str) -> None:
    executor = Sampling(Lying((LIES | ALWAYS)[name], chunks()[0]), Inline())
    with pytest.raises(Unfinished, match=r"wrong result for a part of games\.pgn"):
        executor.submit(scan_chunk, chunks()[0], options()).result()


@pytest.mark.parametrize("name", ALWAYS)
def test_some_lies_are_noticed_in_any_chunk(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbelow", lambda _: 1)  # no chunk but the first
    executor = Sampling(Lying(ALWAYS[name], chunks()[1]), Inline())
    executor.submit(scan_chunk, chunks()[0], options()).result()
    with pytest.raises(Unfinished, match="wrong result"):
        executor.submit(scan_chunk, chunks()[1], options()).result()


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
    for chunk in chunks():
        found = executor.submit(scan_chunk, chunk, options()).result()
        assert found == scan_chunk(chunk, options())
    assert again == [chunks()[0], chunks()[2]]
